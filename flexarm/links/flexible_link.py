"""Flexible link as the equations of motion read it: modal integrals, damping, section motion."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from flexarm.description.values.profile import Profile
from flexarm.links.coupled_link import StationedSections, coupled_integrals, coupled_tip
from flexarm.links.dimensionless_link import STIFFNESSES, DimensionlessLink, Profiles, dimensionless_link
from flexarm.links.foreshortening import ForeshorteningFunction, ScaledForeshortening
from flexarm.links.integrals import ModalIntegrals
from flexarm.links.line_integrals import LineIntegrals, line_integrals
from flexarm.links.modal_damping import damping_matrix, locked_modes
from flexarm.links.part_integrals import BeamParts, EndParts, PartIntegrals
from flexarm.links.round_off import without_round_off
from flexarm.links.scaling import ReferenceValues, scaled_integrals
from flexarm.links.section_motion import SectionMotion, Sections
from flexarm.links.shapes.mode_shapes import carried_load, mode_shapes
from flexarm.links.shapes.shape_functions import Array

if TYPE_CHECKING:
    from flexarm.description.arm.link.coupling_matrices import CouplingMatrices
    from flexarm.description.arm.link.link import Link


@dataclass(frozen=True, eq=False)
class FlexibleLink:
    """Flexible link with m modes; numbers may be symbols.

    Attributes
    ----------
    length : [m]
    sections : SectionMotion
        Motion of the sections with the modal amplitudes.
    integrals : ModalIntegrals
    locked_inertia : (m, m) [kg, kg m^2 for torsion]
        C3, plus the tip load that clamped-loaded modes were made for.
    damping : (m, m) [N s/m, N m s for torsion]
        Damping matrix: the generalised force on the amplitudes is -damping @ delta_d.
    foreshortening : ForeshorteningFunction or None
        Second-order shortening of the bent link; None where the model leaves it out.
    beyond : PartIntegrals or None
        Integrals of the part of the link beyond a station; None where nothing asks for them.
    lines : dict or None
        Ends of a stretch [1] -> integrals over it; None where they are computed when they are asked for.
    """

    length: Any
    sections: SectionMotion
    integrals: ModalIntegrals
    locked_inertia: Array
    damping: Array
    foreshortening: ForeshorteningFunction | None = None
    beyond: PartIntegrals | None = None
    lines: dict[tuple[float, float], LineIntegrals] | None = None

    @property
    def directions(self) -> tuple[str, ...]:
        """Direction of each mode: "y", "z", "torsion", "axial", or "space" of coupling matrices."""
        return self.sections.directions

    @property
    def n_modes(self) -> int:
        """Number of modes m."""
        return len(self.directions)

    def displacement(self, xi: ArrayLike) -> Array:
        """Displacement r_j of the sections at xi = eta / l [1], (...), per unit of each mode; (..., m, 3) [1]."""
        return self.sections.displacement(xi)

    def rotation(self, xi: ArrayLike) -> Array:
        """Rotation (theta_x, -dz/deta, dy/deta) of the sections at xi; (..., m, 3) [1/m, 1 for torsion]."""
        return self.sections.rotation(xi)

    def over(self, first: float, last: float) -> LineIntegrals:
        """Integrals over the stretch between two stations xi [1]."""
        return _line_integrals(self, first, last) if self.lines is None else self.lines[first, last]

    def locked_frequencies(self) -> Array:
        """Natural frequencies with the joint locked; (m,) [rad/s], ascending, infinite without inertia."""
        frequencies = np.zeros(self.n_modes)
        for group, block in direction_blocks(self.directions):
            frequencies[group], _ = locked_modes(self.integrals.K[block], self.locked_inertia[block])
        return np.sort(frequencies)


@lru_cache(maxsize=1024)
def _line_integrals(link: FlexibleLink, first: float, last: float) -> LineIntegrals:
    return line_integrals(link.length, link.sections, link.foreshortening, first, last)


@lru_cache(maxsize=256)
def flexible_link(
    link: Link,
    *,
    tip_mass: float = 0.0,
    hub_mass: float = 0.0,
    hub_inertia: Sequence[float] = (0.0, 0.0, 0.0),
    stiffening: bool = False,
) -> FlexibleLink:
    """Compute what the equations of motion read of a link, once for links that are alike.

    Parameters
    ----------
    link : Link
        Length, mass, stiffness, modes and damping.
    tip_mass, hub_mass : float [kg]
        Point masses at the end and at the start of the link that belong to its integrals.
    hub_inertia : (3,) [kg m^2]
        Moments of inertia of the hub about the axes of the link's frame, with which it turns.
    stiffening : bool
        Whether foreshortening counts.

    Raises
    ------
    ModelError
        If a mode family cannot be built for this link, if the modes of one direction are linearly dependent,
        or if modes without inertia are to be damped.
    """
    if link.matrices is not None:
        return _coupled_link(link, link.matrices, tip_mass, hub_mass, hub_inertia)
    shapes = tuple((modes.direction, mode_shapes(modes, link)) for modes in link.modes)
    values = reference_values(link, hub_mass, tip_mass, hub_inertia)
    unit = dimensionless_link(shapes, normalised_profiles(link), stiffening)
    scaled = scaled_link(unit, values)
    C3, m = scaled.integrals.C3, scaled.n_modes
    norm = np.sqrt(C3.diagonal())
    # modes that are orthogonal with the body they carry are so only in the sum
    C3[:] = without_round_off(C3, norm[:, None] * norm)
    locked_inertia = C3[:m, :m] + _carried_inertia(link, scaled, tip_mass)
    return replace(scaled, locked_inertia=locked_inertia, damping=_damping(link, scaled, locked_inertia))


def _coupled_link(
    link: Link, matrices: CouplingMatrices, tip_mass: float, hub_mass: float, hub_inertia: Sequence[float]
) -> FlexibleLink:
    """Link from the coupling matrices of a finite-element program; it does not shorten."""
    sections = StationedSections.of(link.length, matrices)
    masses = {"tip_mass": tip_mass, "hub_mass": hub_mass, "hub_inertia": hub_inertia}
    integrals = coupled_integrals(link.length, matrices, sections, **masses)
    none = np.zeros_like(integrals.K)
    parts = EndParts(integrals, coupled_tip(link.length, sections, tip_mass))
    coupled = FlexibleLink(
        link.length, sections, integrals, locked_inertia=integrals.C3, damping=none, beyond=parts
    )
    given = None if matrices.D is None else np.array(matrices.D)
    return replace(
        coupled, damping=_damping(link, coupled, integrals.C3) if given is None else (given + given.T) / 2
    )


def _damping(link: Link, scaled: FlexibleLink, locked_inertia: Array) -> Array:
    """Damping matrix (m, m) of a link by its ratios or proportions."""
    damping = np.zeros(locked_inertia.shape)
    ratios, proportions = np.array(link.own_ratios), link.damping_law.proportions
    for group, block in direction_blocks(scaled.directions):
        K, M = scaled.integrals.K[block], locked_inertia[block]
        damping[block] = damping_matrix(K, M, ratios[group], proportions)
    return damping


def scaled_link(unit: DimensionlessLink, values: ReferenceValues) -> FlexibleLink:
    """Scale a dimensionless link by numbers or symbols; locked inertia and damping are left zero."""
    shapes, zeros, shortened = unit.sections.shapes, np.zeros(unit.beam.K.shape), unit.foreshortening
    return FlexibleLink(
        length=values.length,
        sections=Sections(values.length, shapes),
        integrals=scaled_integrals(unit, values),
        locked_inertia=zeros,
        damping=zeros,
        foreshortening=shortened and ScaledForeshortening(shortened, values.length),
        beyond=BeamParts(unit, values),
    )


def reference_values(
    link: Link, hub_mass: float, tip_mass: float, hub_inertia: Sequence[float]
) -> ReferenceValues:
    """Find the numbers that scale the dimensionless link of a description.

    Parameters
    ----------
    link : Link
    hub_mass, tip_mass : float [kg]
        Point masses at the start and at the end.
    hub_inertia : (3,) [kg m^2]
        Moments of inertia at the start about the axes of the link's frame.
    """
    stiffness = {
        direction: profile.values[0]
        for direction, profile in zip(STIFFNESSES, _stiffnesses(link), strict=True)
        if profile is not None
    }
    mu = link.mu.values[0]
    return ReferenceValues(link.length, mu, stiffness, hub_mass, tip_mass, link.rotary_inertia, hub_inertia)


def normalised_profiles(link: Link) -> Profiles:
    """Scale the profiles of a link so that they start at one."""
    stiffness = tuple(None if profile is None else _normalised(profile) for profile in _stiffnesses(link))
    return Profiles(_normalised(link.mu), stiffness)


def _stiffnesses(link: Link) -> tuple[Profile | None, ...]:
    """Profiles in the order of :data:`~flexarm.links.dimensionless_link.STIFFNESSES`."""
    return link.EA, link.GJ, link.EI.z, link.EI.y


def _normalised(profile: Profile) -> Profile:
    values = tuple(value / profile.values[0] for value in profile.values)
    return _profile(type(profile), profile.eta, values)


@lru_cache(maxsize=256)
def _profile(kind: type[Profile], eta: tuple[float, ...], values: tuple[float, ...]) -> Profile:
    """Profile, one object for all links that are alike."""
    return kind.model_construct(eta=eta, values=values)


def _carried_inertia(link: Link, scaled: FlexibleLink, tip_mass: float) -> Array:
    """Inertia (m, m) of the loads that clamped-loaded modes were made for, beyond the link's own tip mass."""
    inertia = np.zeros((scaled.n_modes,) * 2)
    for modes in link.modes:
        if modes.family == "clamped-loaded":
            load, r, theta = carried_load(modes), scaled.displacement(1.0), scaled.rotation(1.0)
            v, slope = (r[:, 1], theta[:, 2]) if modes.direction == "y" else (r[:, 2], -theta[:, 1])
            inertia += (load.mass - tip_mass) * np.outer(v, v) + load.inertia * np.outer(slope, slope)
            inertia += load.first_moment * (np.outer(v, slope) + np.outer(slope, v))
    return inertia


@lru_cache(maxsize=256)
def direction_blocks(directions: tuple[str, ...]) -> list[tuple[Any, Any]]:
    """Indices of the modes of each direction, as such and for square matrices.

    Two directions share neither inertia nor stiffness.
    """
    if len(set(directions)) == 1:
        return [(slice(None), slice(None))]  # quicker than indices
    names = np.array(directions)
    groups = [np.flatnonzero(names == direction) for direction in dict.fromkeys(directions)]
    return [(group, np.ix_(group, group)) for group in groups]
