"""Dimensionless link: modal integrals for unit length, mass and stiffness, once for all links that are alike."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property, lru_cache
from typing import Any

import numpy as np

from flexarm.catalogue import BEAM_DIRECTIONS
from flexarm.description.values.profile import Profile
from flexarm.links.foreshortening import Foreshortening
from flexarm.links.integrals import LinkField, ModalIntegrals, modal_integrals, spin_integrals, stiffness
from flexarm.links.line_integrals import shape_breakpoints
from flexarm.links.section_motion import Sections
from flexarm.links.shapes.quadrature import ascending, gauss_panels
from flexarm.links.shapes.shape_functions import Array, Shapes

STIFFNESSES = ("axial", "torsion", "z", "y")
"""Direction of deflection that EA, GJ, EI.z and EI.y resist."""

INTEGRALS = tuple(field.name for field in fields(ModalIntegrals))

POWERS = {"mass": 0, "C1": 0, "C3": 0, "C4": 0, "C8": 0, "s0": 1, "C6": 1, "C7": 1, "C5": 2}
"""Integral over the mass -> power of the length that it has beyond its mass."""


@dataclass(frozen=True)
class Profiles:
    """Profiles of mass and stiffness along a link, each one at its start; None where it is not given.

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
    """Dimensionless link: integrals for unit length, and mass per length and stiffnesses that start at one.

    Attributes
    ----------
    sections : Sections
    profiles : Profiles
    beam : ModalIntegrals
        Of its own mass.
    integrals : (n_factors, n) [1]
        All integrals, one after the other, for a unit of each of the factors of
        :func:`~flexarm.links.scaling.scaled_integrals`.
    foreshortening : Foreshortening or None
        None where the model leaves it out.
    """

    sections: Sections
    profiles: Profiles
    beam: ModalIntegrals
    integrals: Array
    foreshortening: Foreshortening | None = None

    @cached_property
    def layout(self) -> list[tuple[slice, tuple[int, ...]]]:
        """Place and shape of each of the :data:`INTEGRALS`."""
        shapes = [np.shape(getattr(self.beam, name)) for name in INTEGRALS]
        ends = np.cumsum([math.prod(shape) for shape in shapes]).tolist()
        return [(slice(end - math.prod(shape), end), shape) for end, shape in zip(ends, shapes, strict=True)]


@lru_cache(maxsize=64)
def dimensionless_link(
    shapes: tuple[tuple[str, Shapes], ...], profiles: Profiles, stiffening: bool = False
) -> DimensionlessLink:
    """Integrate over a link of unit length with modes of these shapes, (direction, shapes) each.

    With stiffening its foreshortening counts, if it bends.
    """
    sections, shortened = Sections(1.0, shapes), None
    if stiffening and any(direction in BEAM_DIRECTIONS for direction, _ in shapes):
        shortened = Foreshortening(sections, breakpoints(sections, profiles))
    field = _whole_field(sections, profiles, shortened)
    masses = _masses(field)
    integrals = _unit_integrals(masses, field, sections.directions)
    return DimensionlessLink(sections, profiles, masses[0], integrals, shortened)


@lru_cache(maxsize=1024)
def beyond(unit: DimensionlessLink, xi: float) -> DimensionlessLink:
    """Part of a link from the station xi = eta / l [1] to its end, with the masses that sit at the station.

    Its modes, its fields and its length are those of the whole link; the integrals over the mass alone are not.
    """
    if xi == 0.0:
        return unit
    field = _whole_field(unit.sections, unit.profiles, unit.foreshortening, xi)
    left = field.eta >= xi
    part = replace(field, deta=field.deta * left, dm=field.dm * left)
    integrals = _unit_integrals(_masses(part), part, unit.sections.directions, 1.0 - xi)
    return replace(unit, integrals=integrals)


def _whole_field(
    sections: Sections, profiles: Profiles, shortened: Foreshortening | None, cut: float = 0.0
) -> LinkField:
    """The field of a link with those of its foreshortening; a cut is one of the breakpoints of the quadrature."""
    field = link_field(sections, profiles, cut)
    if shortened is None:
        return field
    return replace(field, r=np.concatenate([field.r, shortened.displacement(field.eta)], axis=1))


def _masses(field: LinkField) -> list[ModalIntegrals]:
    """Integrals over the beam, over a unit mass at its start and over one at its end."""
    return [
        modal_integrals(_at(field, part), np.zeros(3)) for part in (slice(1, -1), slice(1), slice(-1, None))
    ]


def _unit_integrals(
    masses: Sequence[ModalIntegrals], field: LinkField, directions: Sequence[str], span: float = 1.0
) -> Array:
    """All integrals for a unit of each factor, in the order of :func:`~flexarm.links.scaling.scaled_integrals`.

    The span [1] is the fraction of the length that they go over; a hub is there with the start of the link alone.
    """
    parts: list[dict[str, Any]] = [
        {name: getattr(each, name) for name, own in POWERS.items() if own == power}
        for each in masses
        for power in range(3)
    ]
    about = [np.diag(axis) for axis in np.eye(3)]
    for axis in range(3):
        spin, P = spin_integrals(field, axis)
        parts += [{"B10": span * about[axis]}, {"C3": spin, "spin": spin}, {"P": P}]
    parts += [{"C5": (span == 1.0) * about_axis} for about_axis in about]
    parts += [{"K": stiffness(_resisting(field, direction))} for direction in dict.fromkeys(directions)]
    none = {name: np.zeros_like(getattr(masses[0], name)) for name in INTEGRALS}
    return np.array([np.concatenate([np.ravel((none | part)[name]) for name in INTEGRALS]) for part in parts])


NEAR = 1e-12
"""Distance of breakpoints that count as one: round-off, between which Gauss points would coincide [1]."""


def breakpoints(sections: Sections, profiles: Profiles) -> Array:
    """Find the breakpoints of a link for Gauss quadrature, (b,) [1] from 0 to 1; all data are smooth in between.

    Panels are no longer than a quarter wave of the highest mode: with 10 points on each, integrals of
    products of two shapes are exact to round-off.
    """
    found = [shape_breakpoints(sections)]
    given = (profiles.mu, *profiles.stiffness)
    found += [np.array(profile.knots) for profile in given if profile is not None]
    stations = ascending(np.concatenate(found))
    apart = stations[np.diff(stations, prepend=-1.0) > NEAR]
    apart[-1] = 1.0
    return apart


def link_field(sections: Sections, profiles: Profiles, cut: float = 0.0) -> LinkField:
    """Evaluate the integrands of a link, for unit length, at Gauss points between its breakpoints and a cut [1].

    Unit masses at both ends join as stations without length.
    """
    xi, weights = gauss_panels(np.append(breakpoints(sections, profiles), cut))
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
