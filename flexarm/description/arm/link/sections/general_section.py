"""Section by its properties, from a table of profiles or from its outline."""

from __future__ import annotations

import math
from typing import Annotated, Any, Self

from pydantic import BeforeValidator, WithJsonSchema, model_validator

from flexarm.description.arm.link.sections.cross_section import CrossSection
from flexarm.description.values.input_model import Faults, expected, key, located, wrong
from flexarm.description.values.quantities import Positive, Real

MOST_POINTS = 1000
"""Largest number of points of a section."""
ROUNDING = 1e-2
"""Relative error of properties in tables, up to which they need not fit each other."""


def _pair(value: Any) -> Any:
    if not isinstance(value, list | tuple) or len(value) != 2:
        raise expected("a list of 2 numbers [y, z]")
    return value


Point = Annotated[
    tuple[Real, Real],
    BeforeValidator(_pair),
    WithJsonSchema({"type": "array", "items": {"type": "number"}, "minItems": 2, "maxItems": 2}),
]


class GeneralSection(CrossSection):
    """Section whose properties are given, constant along the link."""

    A: Positive = key("area", "m^2")
    I_y: Positive = key("second moment int z^2 dA, of bending about y (deflection along z)", "m^4")
    I_z: Positive = key("second moment int y^2 dA, of bending about z (deflection along y)", "m^4")
    J: Positive = key("torsion constant", "m^4")
    A_y: Positive = key("shear area: V / A_y is the largest shear stress of a force V along y", "m^2")
    A_z: Positive = key("shear area: V / A_z is the largest shear stress of a force V along z", "m^2")
    W_t: Positive | None = key(
        "torsion modulus: T / W_t is the largest shear stress of a moment T about x; J over the largest distance of "
        "the points if left out",
        "m^3",
        default=None,
    )
    points: tuple[Point, ...] = key(
        "outer points [y, z] as seen from the centroid, where stress is asked", "m"
    )

    @property
    def area(self) -> float:
        """Area [m^2]."""
        return self.A

    @property
    def second_moment_y(self) -> float:
        """``int z^2 dA`` [m^4]."""
        return self.I_y

    @property
    def second_moment_z(self) -> float:
        """``int y^2 dA`` [m^4]."""
        return self.I_z

    @property
    def torsion_constant(self) -> float:
        """J of Saint-Venant torsion [m^4]."""
        return self.J

    @property
    def half_sizes(self) -> tuple[float, float]:
        """Largest distances from the centroid along y and along z [m]."""
        return max(abs(y) for y, _ in self.points), max(abs(z) for _, z in self.points)

    @property
    def torsion_modulus(self) -> float:
        """W_t [m^3]."""
        return self.W_t or self.J / max(math.hypot(*point) for point in self.points)

    @property
    def given(self) -> dict[str, Any]:
        """Properties as a description has them."""
        return self.model_dump(exclude_none=True)

    @model_validator(mode="after")
    def _check_properties(self) -> Self:
        if faults := list(self._faults()):
            raise located(faults)
        return self

    def _faults(self) -> Faults:
        if len(self.points) > MOST_POINTS:
            yield ("points",), wrong(f"got {len(self.points)}, expected at most {MOST_POINTS}")
            return
        for axis, values in enumerate(zip(*self.points, strict=True) if self.points else ((), ())):
            if not values or not min(values) < 0 < max(values):
                message = f"all lie on one side of the centroid along {'yz'[axis]}, expected some on either"
                yield (
                    ("points",),
                    wrong(message, "give the outer points as seen from the centroid, [[y, z], ..]"),
                )
                return
        above = 1 + ROUNDING
        for name, moment, half in zip(("I_z", "I_y"), (self.I_z, self.I_y), self.half_sizes, strict=True):
            if moment > (largest := self.A * half**2) * above:
                message = (
                    f"got {moment:g}, expected at most A times the largest distance squared, {largest:g} m^4"
                )
                yield (name,), wrong(message, "all in m, m^2 and m^4")
        polar = self.I_y + self.I_z
        if polar * above < self.J:
            yield ("J",), wrong(f"got {self.J:g}, expected at most I_y + I_z, {polar:g} m^4")
        for name, area in (("A_y", self.A_y), ("A_z", self.A_z)):
            if area > self.A * above:
                yield (name,), wrong(f"got {area:g}, expected at most A, {self.A:g} m^2")
