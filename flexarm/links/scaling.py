"""A link of unit length, and what length, mass and stiffness make of it.

The modal integrals are numbers without dimension times powers of the length, the mass and the stiffness. So mode shapes
are integrated once for all links that are alike, and what multiplies them may as well be a symbol.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import lru_cache
from typing import Any

import numpy as np

from flexarm.links.foreshortening import Foreshortening, foreshortening
from flexarm.links.integrals import LinkField, ModalIntegrals, modal_integrals, spin_integrals, stiffness
from flexarm.links.quadrature import gauss_panels
from flexarm.links.sections import Sections
from flexarm.links.shapes import Array, Shapes
from flexarm.spec.profile import Profile

STIFFNESSES = ("axial", "torsion", "z", "y")
"""Direction of deflection that EA, GJ, EI.z and EI.y resist."""

POWERS = {"C1": 0, "C3": 0, "C4": 0, "C8": 0, "s0": 1, "C6": 1, "C7": 1, "C5": 2}
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
class UnitLink:
    """Integrals over a link of unit length whose mass per length and stiffnesses start at one.

    Attributes
    ----------
    sections : Sections
    beam : ModalIntegrals
        Of its own mass.
    over_mass : dict
        Power of the length -> all integrals of that power in :data:`POWERS`, one after the other, over its own mass,
        over a unit mass at its start, and over one at its end; (3, ..).
    spin : tuple of (m, m) and (m, 3)
        What a unit rotary inertia about its axis adds to C3, and P.
    K : dict
        Direction -> stiffness of its modes (m, m).
    short : tuple of two Foreshortening
        Of its own mass, and with a unit mass at its end.
    """

    sections: Sections
    beam: ModalIntegrals
    over_mass: Mapping[int, Array]
    spin: tuple[Array, Array]
    K: Mapping[str, Array]
    short: tuple[Foreshortening, Foreshortening]


@lru_cache(maxsize=256)
def unit_link(shapes: tuple[tuple[str, Shapes], ...], profiles: Profiles) -> UnitLink:
    """Integrate over a link of unit length with modes of these directions and shapes."""
    sections = Sections(1.0, shapes)
    breaks = kinks(sections, profiles)
    field = link_field(sections, profiles)
    K = {direction: stiffness(_resisting(field, direction)) for direction in sections.directions}
    none = np.zeros(3)
    masses = [modal_integrals(_at(field, part), none) for part in (slice(1, -1), slice(1), slice(-1, None))]
    over_mass = {power: np.stack([_joined(each, power) for each in masses]) for power in set(POWERS.values())}
    short = [foreshortening(sections, breaks, profiles.mu, mass) for mass in (0.0, 1.0)]
    return UnitLink(sections, masses[0], over_mass, spin_integrals(field), K, (short[0], short[1]))


def _joined(integrals: ModalIntegrals, power: int) -> Array:
    """All integrals of one power of the length, one after the other."""
    return np.concatenate([getattr(integrals, name).ravel() for name in POWERS if POWERS[name] == power])


def scaled_integrals(
    unit: UnitLink,
    L: Any,
    mu: Any,
    resistance: Mapping[str, Any],
    hub: Any,
    tip: Any,
    rotary_inertia: Sequence,
) -> ModalIntegrals:
    """Integrate over a link; every argument is a number or a symbol.

    Parameters
    ----------
    unit : UnitLink
    L, mu : [m, kg/m]
        Length, and mass per length at the start.
    resistance : mapping
        Direction of deflection -> stiffness at the start: EI [N m^2], GJ [N m^2], EA [N].
    hub, tip : [kg]
        Point masses at the start and at the end.
    rotary_inertia : (3,) [kg m]
        J' per length about x, y, z.
    """

    K = 0 * unit.beam.K
    for direction, shape in unit.K.items():
        K = K + times(shape, resistance[direction] / L ** (3 if direction in ("y", "z") else 1))
    over_mass = _over_mass(unit, L, mu, hub, tip)
    C3_spin, P = unit.spin
    spin = rotary_inertia[0] * L
    over_mass["C3"] = over_mass["C3"] + times(C3_spin, spin)
    return ModalIntegrals(
        mass=mu * L * unit.beam.mass + hub + tip,
        **over_mass,
        B10=diagonal([part * L for part in rotary_inertia]),
        K=K,
        P=times(P, spin),
    )


def _over_mass(unit: UnitLink, L: Any, mu: Any, hub: Any, tip: Any) -> dict[str, Any]:
    """Integrate over the masses of beam, hub and tip together: each of :data:`POWERS` by its name."""
    masses = [(part, m) for part, m in enumerate((mu * L, hub, tip)) if not (isinstance(m, float) and m == 0)]
    totals: dict[int, Any] = {
        power: sum(times(parts[part], m * L**power) for part, m in masses)
        for power, parts in unit.over_mass.items()
    }
    found, taken = {}, dict.fromkeys(totals, 0)
    for name, power in POWERS.items():
        like, start = getattr(unit.beam, name), taken[power]
        taken[power] += like.size
        found[name] = totals[power][start : taken[power]].reshape(like.shape)
    return found


@dataclass(frozen=True, eq=False)
class ScaledShortening:
    """Foreshortening of a link of any length, see :class:`~flexarm.links.foreshortening.Foreshortening`."""

    unit: Foreshortening
    length: Any
    H1: Array
    H2: Array

    def __call__(self, xi: float) -> Array:
        """Evaluate h_jk at xi = eta / l; (m, m) [1/m]."""
        return times(self.unit(xi), 1 / self.length)


def scaled_shortening(unit: UnitLink, L: Any, mu: Any, tip: Any) -> ScaledShortening:
    """Integrate the shortening of a link; arguments as in :func:`scaled_integrals`."""
    own, carrying = unit.short
    H1 = times(own.H1, mu) + times(carrying.H1 - own.H1, tip / L)
    H2 = times(own.H2, mu * L) + times(carrying.H2 - own.H2, tip)
    return ScaledShortening(own, L, H1, H2)


def times(array: Array, factor: Any) -> Any:
    """Multiply an array by a number or a symbol; zeros stay numbers."""
    if isinstance(factor, int | float):
        return array * factor
    product = np.zeros(array.shape, dtype=object)
    for index in zip(*np.nonzero(array), strict=True):
        product[index] = float(array[index]) * factor
    return product


def diagonal(entries: Sequence) -> Any:
    """Build a diagonal matrix of numbers or symbols."""
    if all(isinstance(entry, int | float) for entry in entries):
        return np.diag(entries)
    matrix = np.zeros((len(entries),) * 2, dtype=object)
    for k, entry in enumerate(entries):
        matrix[k, k] = entry
    return matrix


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
    return np.unique(np.concatenate(breaks))


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
