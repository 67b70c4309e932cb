"""A link of unit length, and what length, mass and stiffness make of it.

The modal integrals are numbers without dimension times powers of the length, the mass and the stiffness. So mode shapes
are integrated once for all links that are alike, and what multiplies them may as well be a symbol.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property, lru_cache
from typing import Any

import numpy as np

from flexarm.description.values.profile import Profile
from flexarm.links.foreshortening import Foreshortening, foreshortening
from flexarm.links.integrals import LinkField, ModalIntegrals, modal_integrals, spin_integrals, stiffness
from flexarm.links.quadrature import ascending, gauss_panels
from flexarm.links.section_motion import Sections
from flexarm.links.shape_functions import Array, Shapes

STIFFNESSES = ("axial", "torsion", "z", "y")
"""Direction of deflection that EA, GJ, EI.z and EI.y resist."""

INTEGRALS = tuple(field.name for field in fields(ModalIntegrals))

POWERS = {"mass": 0, "C1": 0, "C3": 0, "C4": 0, "C8": 0, "s0": 1, "C6": 1, "C7": 1, "C5": 2}
"""Integral over the mass -> power of the length that it has beyond its mass."""


@dataclass(frozen=True)
class Profiles:
    """How mass and stiffness change along a link, each one at its start; None where it is not given.

    Attributes
    ----------
    mu : Profile
    stiffness : tuple of (Profile or None)
        In the order of :data:`STIFFNESSES`.
    """

    mu: Profile
    stiffness: tuple[Profile | None, ...]


@dataclass(frozen=True, eq=False)
class DimensionlessLink:
    """Integrals over a link of unit length whose mass per length and stiffnesses start at one.

    Attributes
    ----------
    sections : Sections
    beam : ModalIntegrals
        Of its own mass.
    integrals : (n_factors, n)
        All integrals, one after the other, for a unit of each of the factors of :func:`scaled_integrals`.
    short : tuple of two Foreshortening
        Of its own mass, and with a unit mass at its end.
    """

    sections: Sections
    beam: ModalIntegrals
    integrals: Array
    short: tuple[Foreshortening, Foreshortening]

    @cached_property
    def layout(self) -> list[tuple[slice, tuple[int, ...]]]:
        """Place and shape of each of the :data:`INTEGRALS`."""
        shapes = [np.shape(getattr(self.beam, name)) for name in INTEGRALS]
        ends = np.cumsum([math.prod(shape) for shape in shapes]).tolist()
        return [(slice(end - math.prod(shape), end), shape) for end, shape in zip(ends, shapes, strict=True)]


@lru_cache(maxsize=64)
def dimensionless_link(shapes: tuple[tuple[str, Shapes], ...], profiles: Profiles) -> DimensionlessLink:
    """Integrate over a link of unit length with modes of these directions and shapes."""
    sections = Sections(1.0, shapes)
    breaks = kinks(sections, profiles)
    field = link_field(sections, profiles)
    none = np.zeros(3)
    masses = [modal_integrals(_at(field, part), none) for part in (slice(1, -1), slice(1), slice(-1, None))]
    short = [foreshortening(sections, breaks, profiles.mu, mass) for mass in (0.0, 1.0)]
    return DimensionlessLink(
        sections, masses[0], _unit_integrals(masses, field, sections.directions), (short[0], short[1])
    )


def _unit_integrals(masses: Sequence[ModalIntegrals], field: LinkField, directions: Sequence[str]) -> Array:
    """All integrals for a unit of each of the factors of :func:`scaled_integrals`, in their order."""
    parts: list[dict[str, Any]] = [
        {name: getattr(each, name) for name, own in POWERS.items() if own == power}
        for each in masses
        for power in range(3)
    ]
    about_x, about_y, about_z = (np.diag(axis) for axis in np.eye(3))
    C3_spin, P = spin_integrals(field)
    parts += [{"B10": about_x, "C3": C3_spin, "P": P}, {"B10": about_y}, {"B10": about_z}]
    parts += [{"C5": about} for about in (about_x, about_y, about_z)]
    parts += [{"K": stiffness(_resisting(field, direction))} for direction in dict.fromkeys(directions)]
    none = {name: np.zeros_like(getattr(masses[0], name)) for name in INTEGRALS}
    return np.array([np.concatenate([np.ravel((none | part)[name]) for name in INTEGRALS]) for part in parts])


def scaled_integrals(
    unit: DimensionlessLink,
    L: Any,
    mu: Any,
    resistance: Mapping[str, Any],
    hub: Any,
    tip: Any,
    rotary_inertia: Sequence,
    hub_inertia: Sequence = (0.0, 0.0, 0.0),
) -> ModalIntegrals:
    """Integrate over a link; every argument is a number or a symbol.

    The integrals are linear in masses with powers of the length, in inertias and in stiffnesses.

    Parameters
    ----------
    unit : DimensionlessLink
    L, mu : [m, kg/m]
        Length, and mass per length at the start.
    resistance : mapping
        Direction of deflection -> stiffness at the start: EI [N m^2], GJ [N m^2], EA [N].
    hub, tip : [kg]
        Point masses at the start and at the end.
    rotary_inertia : (3,) [kg m]
        J' per length about x, y, z.
    hub_inertia : (3,) [kg m^2]
        Of the body at the start, about x, y, z.
    """
    factors = [mass * L**power for mass in (mu * L, hub, tip) for power in range(3)]
    factors += [*(inertia * L for inertia in rotary_inertia), *hub_inertia]
    directions = dict.fromkeys(unit.sections.directions)
    factors += [resistance[way] / L ** (3 if way in ("y", "z") else 1) for way in directions]
    if all(isinstance(factor, int | float) for factor in factors):
        values = np.array(factors, dtype=float) @ unit.integrals
    else:
        parts = zip(unit.integrals, factors, strict=True)
        values = np.stack([times(part, factor) for part, factor in parts]).sum(axis=0)
    mass, *arrays = (values[place].reshape(shape) for place, shape in unit.layout)
    return ModalIntegrals(mass.item(), *arrays)


@dataclass(frozen=True, eq=False)
class ScaledForeshortening:
    """Foreshortening of a link of any length, see :class:`~flexarm.links.foreshortening.Foreshortening`."""

    unit: Foreshortening
    length: Any
    H1: Array
    H2: Array

    def __call__(self, xi: float) -> Array:
        """Evaluate h_jk at xi = eta / l; (m, m) [1/m]."""
        return times(self.unit(xi), 1 / self.length)


def scaled_foreshortening(unit: DimensionlessLink, L: Any, mu: Any, tip: Any) -> ScaledForeshortening:
    """Integrate the shortening of a link; arguments as in :func:`scaled_integrals`."""
    own, carrying = unit.short
    H1 = times(own.H1, mu) + times(carrying.H1 - own.H1, tip / L)
    H2 = times(own.H2, mu * L) + times(carrying.H2 - own.H2, tip)
    return ScaledForeshortening(own, L, H1, H2)


def times(array: Array, factor: Any) -> Any:
    """Multiply an array by a number or a symbol; zeros stay numbers."""
    if isinstance(factor, int | float):
        return array * factor
    product = np.zeros(array.shape, dtype=object)
    for index in zip(*np.nonzero(array), strict=True):
        product[index] = float(array[index]) * factor
    return product


def kinks(sections: Sections, profiles: Profiles) -> Array:
    """Find the stations between which all data are smooth and short enough for Gauss quadrature.

    Panels are no longer than a quarter wave of the highest mode: with 10 points on each, integrals of
    products of two shapes are exact to round-off.
    """
    highest = max((shapes.count for _, shapes in sections.shapes), default=1)
    breaks = [np.linspace(0.0, 1.0, 2 * highest + 3)]
    breaks += [shapes.breaks for _, shapes in sections.shapes]
    given = (profiles.mu, *profiles.stiffness)
    breaks += [np.array(profile.eta) for profile in given if profile is not None]
    return ascending(np.concatenate(breaks))


def link_field(sections: Sections, profiles: Profiles) -> LinkField:
    """Evaluate what stands under the integral signs, at Gauss points between all kinks of the data.

    Unit masses at both ends join as stations without length.
    """
    xi, weights = gauss_panels(kinks(sections, profiles))
    dm = weights * profiles.mu.at(xi)
    xi = np.concatenate([[0.0], xi, [1.0]])
    EA, *rigidity = (_along(profile, xi) for profile in profiles.stiffness)
    return LinkField(
        eta=xi,
        deta=np.concatenate([[0.0], weights, [0.0]]),
        dm=np.concatenate([[1.0], dm, [1.0]]),
        r=sections.displacement(xi),
        theta=sections.rotation(xi),
        stretch=sections.stretch(xi),
        twist=sections.twist(xi),
        EA=EA,
        rigidity=np.stack(rigidity, axis=-1),  # about x: torsion, about y: bending along z, about z: along y
    )


def _along(profile: Profile | None, xi: Array) -> Array:
    """Sample a stiffness; one that is not given belongs to a direction without modes."""
    return np.zeros_like(xi) if profile is None else profile.at(xi)


def _at(field: LinkField, part: slice) -> LinkField:
    """The field at some of its stations."""
    return LinkField(**{each.name: getattr(field, each.name)[part] for each in fields(field)})


def _resisting(field: LinkField, direction: str) -> LinkField:
    """The field with the stiffness of one direction alone."""
    which = STIFFNESSES.index(direction)
    about = np.arange(3) == which - 1
    return replace(field, EA=field.EA * (which == 0), rigidity=field.rigidity * about)
