"""Cross-section of a link, of which each size is a number or changes along the link.

Axes of the link frame: x along the link, y and z across it. Deflection along y bends about z, so
``EI.y = E * second_moment_z`` with ``second_moment_z = int y^2 dA``: the height (along y) counts cubed.

Notes
-----
Areas and second moments: Gere & Goodno, *Mechanics of Materials*, appendix on properties of plane areas.
Torsion: Timoshenko & Goodier, *Theory of Elasticity*, chapter on torsion.
"""

from __future__ import annotations

import itertools
import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from typing import Annotated, Any, Self

from pydantic import PlainValidator, ValidationInfo, model_validator
from pydantic_core import PydanticCustomError

from flexarm.description.values.input_model import Faults, InputModel, expected, located, wrong
from flexarm.description.values.profile import (
    Profile,
    StationedProfile,
    TabledProfile,
    read_profile,
    span_fault,
)
from flexarm.description.values.quantities import Positive, is_number
from flexarm.description.values.smooth_profile import SmoothProfile

PANELS = 4
"""Panels between two stations of sizes, on which properties are interpolated that are no polynomials of the sizes."""


class CrossSection(InputModel, ABC):
    """Cross-section with its properties about the centroid; its y and z axes are its principal axes.

    Properties are those of a section with constant sizes; of a tapered one :meth:`at` takes the section at a station.
    """

    @property
    @abstractmethod
    def area(self) -> float:
        """Area [m^2]."""

    @property
    @abstractmethod
    def second_moment_y(self) -> float:
        """``int z^2 dA`` [m^4]."""

    @property
    @abstractmethod
    def second_moment_z(self) -> float:
        """``int y^2 dA`` [m^4]."""

    @property
    @abstractmethod
    def torsion_constant(self) -> float:
        """J of Saint-Venant torsion [m^4]."""

    @property
    @abstractmethod
    def half_sizes(self) -> tuple[float, float]:
        """Largest distances from the centroid along y and along z [m]."""

    @property
    def section_modulus_y(self) -> float:
        """Elastic section modulus I_y / z [m^3] of bending about y."""
        return self.second_moment_y / self.half_sizes[1]

    @property
    def section_modulus_z(self) -> float:
        """Elastic section modulus I_z / y [m^3] of bending about z."""
        return self.second_moment_z / self.half_sizes[0]

    @property
    def is_tapered(self) -> bool:
        """True if some size changes along the link."""
        return bool(self._profiles)

    @property
    def _profiles(self) -> dict[str, Profile]:
        return {name: value for name, value in self if isinstance(value, Profile)}

    @property
    def stations(self) -> tuple[float, ...]:
        """Stations between which all sizes are linear [1], or [m] as typed; of constant sizes the start alone."""
        return tuple(sorted({xi for profile in self._profiles.values() for xi in profile.eta})) or (0.0,)

    def at(self, xi: float) -> Self:
        """Section at the fraction xi of the link's length [1], with constant sizes."""
        sizes = {name: float(profile.at(xi)) for name, profile in self._profiles.items()}  # pyright: ignore
        return self.model_copy(update=sizes) if sizes else self

    def over(self, length: float) -> Self:
        """Same section with stations as fractions of the link's length [m]."""
        stationed = {
            name: profile.over(length)
            for name, profile in self._profiles.items()
            if isinstance(profile, StationedProfile)
        }
        return self.model_copy(update=stationed) if stationed else self

    def span_faults(self, length: float) -> Faults:
        """Faults of sizes whose stations do not reach from 0 to the link's length [m]."""
        for name, profile in self._profiles.items():
            if isinstance(profile, StationedProfile) and (fault := span_fault(profile.eta, length)):
                yield (name, "eta"), fault

    def along(self, value: Callable[[Self], float]) -> Profile:
        """Profile of a property along the link.

        Notes
        -----
        Exact for areas and second moments of circles, tubes, rectangles, boxes and I sections, which are polynomials
        up to degree 4 of sizes that are linear between stations; interpolated on `PANELS` panels otherwise.
        """
        if not self.is_tapered:
            return Profile.constant(value(self))
        ends = self.stations
        knots = [a + (b - a) * k / PANELS for a, b in itertools.pairwise(ends) for k in range(PANELS)]
        return SmoothProfile.through((*knots, 1.0), lambda xi: value(self.at(xi)))

    def misfits(self) -> Iterator[tuple[str, str]]:
        """Sizes that do not fit the others, as key and message; sizes are constant."""
        yield from ()

    @model_validator(mode="after")
    def _check(self) -> Self:
        faults: dict[str, PydanticCustomError] = {}
        for eta in self.stations:
            where = f" at {eta:g} m" if self.is_tapered else ""
            for name, message in self.at(eta).misfits():
                faults.setdefault(name, wrong(message + where))
        if faults:
            raise located([((name,), fault) for name, fault in faults.items()])
        return self


class RoundSection(CrossSection):
    """Cross-section that is the same in all directions."""

    @property
    def second_moment_z(self) -> float:
        """``int y^2 dA`` [m^4]."""
        return self.second_moment_y

    @property
    def torsion_constant(self) -> float:
        """J of Saint-Venant torsion [m^4]: the polar moment."""
        return 2 * self.second_moment_y


def _size(value: Any, info: ValidationInfo) -> float | Profile:
    if is_number(value) and 0 < value < math.inf:
        return float(value)
    if isinstance(value, dict | Profile):
        return read_profile(value, info)
    if is_number(value):
        raise expected("a finite number > 0")
    raise expected("a number > 0, {eta: [..], values: [..]} or {table: FILE}")


Size = Annotated[
    float, PlainValidator(_size, json_schema_input_type=Positive | StationedProfile | TabledProfile)
]
"""Size of a section; as typed also a profile along the link, from which :meth:`CrossSection.at` makes numbers."""


def thick_wall(name: str, thickness: float, size: float, measured: str) -> Iterator[tuple[str, str]]:
    """Misfit of a wall that is thicker than half a size."""
    if thickness > size / 2 * (1 + 1e-12):
        yield name, f"got {thickness:g}, expected at most half the {measured}, {size / 2:g} m"
