"""One flexible link as the equations of motion see it: modal integrals, damping, motion of its sections."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from flexarm.description.values.profile import Profile
from flexarm.links.dimensionless_link import (
    STIFFNESSES,
    Profiles,
    ScaledForeshortening,
    dimensionless_link,
    scaled_foreshortening,
    scaled_integrals,
)
from flexarm.links.integrals import ModalIntegrals
from flexarm.links.modal_damping import modal_damping, natural_modes
from flexarm.links.mode_shapes import carried_load, mode_shapes
from flexarm.links.round_off import without_round_off
from flexarm.links.section_motion import Sections
from flexarm.links.shape_functions import Array

if TYPE_CHECKING:
    from flexarm.description.arm.link import Link


@dataclass(frozen=True, eq=False)
class FlexibleLink:
    """A link with m modes.

    Attributes
    ----------
    length : float [m]
    sections : Sections
        Motion of the sections with the modal amplitudes.
    integrals : ModalIntegrals
    locked_inertia : (m, m)
        C3, plus the tip load that clamped-loaded modes were made for.
    damping : (m, m)
        Modal damping matrix: the generalised force on the amplitudes is -damping @ delta_d.
    foreshortening : ScaledForeshortening or None
        Second-order shortening of the bent link; None where the model leaves it out.
    """

    length: float
    sections: Sections
    integrals: ModalIntegrals
    locked_inertia: Array
    damping: Array
    foreshortening: ScaledForeshortening | None = None

    @property
    def directions(self) -> tuple[str, ...]:
        """Direction of each mode: "y", "z", "torsion" or "axial"."""
        return self.sections.directions

    @property
    def n_modes(self) -> int:
        """Number of modes m."""
        return len(self.directions)

    def displacement(self, xi: ArrayLike) -> Array:
        """Displacement of the section at xi = eta / l per unit of each mode: r_j, (..., m, 3)."""
        return self.sections.displacement(xi)

    def rotation(self, xi: ArrayLike) -> Array:
        """Rotation of the section at xi per unit of each mode: (theta_x, -dz/deta, dy/deta), (..., m, 3)."""
        return self.sections.rotation(xi)

    def locked_frequencies(self) -> Array:
        """Natural frequencies with the joint locked; (m,) [rad/s], ascending, infinite without inertia."""
        frequencies = np.zeros(self.n_modes)
        for group, block in _direction_blocks(self.directions):
            frequencies[group], _ = natural_modes(self.integrals.K[block], self.locked_inertia[block])
        return np.sort(frequencies)


@lru_cache(maxsize=256)
def flexible_link(
    spec: Link,
    *,
    tip_mass: float = 0.0,
    hub_mass: float = 0.0,
    hub_inertia: Sequence[float] = (0.0, 0.0, 0.0),
    stiffening: bool = False,
) -> FlexibleLink:
    """Compute what the equations of motion need of one link, once for links that are alike.

    Parameters
    ----------
    spec : Link
        Length, mass, stiffness, modes and damping ratios.
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
    shapes = tuple((modes.direction, mode_shapes(modes, spec)) for modes in spec.modes)
    unit, start = dimensionless_link(shapes, normalised_profiles(spec)), reference_values(spec)
    sections = Sections(spec.length, shapes)
    integrals = scaled_integrals(
        unit, spec.length, start.mu, start.stiffness, hub_mass, tip_mass, spec.rotary_inertia, hub_inertia
    )
    C3, norm = integrals.C3, np.sqrt(integrals.C3.diagonal())
    # modes that are orthogonal with the body they carry are so only in the sum
    C3[:] = without_round_off(C3, norm[:, None] * norm)
    locked_inertia = integrals.C3 + _carried_inertia(spec, sections, tip_mass)
    damping = np.zeros(locked_inertia.shape)
    ratios = np.array(spec.damping)
    for group, block in _direction_blocks(sections.directions):
        damping[block] = modal_damping(integrals.K[block], locked_inertia[block], ratios[group])
    short = scaled_foreshortening(unit, spec.length, start.mu, tip_mass) if stiffening and shapes else None
    return FlexibleLink(spec.length, sections, integrals, locked_inertia, damping, short)


class ReferenceValues(NamedTuple):
    """Mass per length [kg/m] and stiffnesses [N m^2, N] at the start of a link, by direction of deflection."""

    mu: float
    stiffness: dict[str, float]


def reference_values(spec: Link) -> ReferenceValues:
    """Find what the unit profiles of a link are multiplied with."""
    stiffness = {
        direction: profile.values[0]
        for direction, profile in zip(STIFFNESSES, _stiffnesses(spec), strict=True)
        if profile is not None
    }
    return ReferenceValues(spec.mu.values[0], stiffness)


def normalised_profiles(spec: Link) -> Profiles:
    """Scale the profiles of a link so that they start at one."""
    stiffness = tuple(None if profile is None else _unit(profile) for profile in _stiffnesses(spec))
    return Profiles(_unit(spec.mu), stiffness)


def _stiffnesses(spec: Link) -> tuple[Profile | None, ...]:
    """Profiles in the order of :data:`~flexarm.links.dimensionless_link.STIFFNESSES`."""
    return spec.EA, spec.GJ, spec.EI.z, spec.EI.y


def _unit(profile: Profile) -> Profile:
    return _profile(profile.eta, tuple(value / profile.values[0] for value in profile.values))


@lru_cache(maxsize=256)
def _profile(eta: tuple[float, ...], values: tuple[float, ...]) -> Profile:
    """One and the same profile for all links that are alike."""
    return Profile.model_construct(eta=eta, values=values)


def _carried_inertia(spec: Link, sections: Sections, tip_mass: float) -> Array:
    """Inertia (m, m) of the loads that clamped-loaded modes were made for, beyond the link's own tip mass."""
    inertia = np.zeros((len(sections.directions),) * 2)
    for modes in spec.modes:
        if modes.family == "clamped-loaded":
            load, r, theta = carried_load(modes), sections.displacement(1.0), sections.rotation(1.0)
            v, slope = (r[:, 1], theta[:, 2]) if modes.direction == "y" else (r[:, 2], -theta[:, 1])
            inertia += (load.mass - tip_mass) * np.outer(v, v) + load.inertia * np.outer(slope, slope)
            inertia += load.first_moment * (np.outer(v, slope) + np.outer(slope, v))
    return inertia


@lru_cache(maxsize=256)
def _direction_blocks(directions: tuple[str, ...]) -> list[tuple[Any, Any]]:
    """Indices of the modes of each direction, as such and for square matrices.

    Two directions share neither inertia nor stiffness.
    """
    if len(set(directions)) == 1:
        return [(slice(None), slice(None))]  # quicker than indices
    names = np.array(directions)
    groups = [np.flatnonzero(names == direction) for direction in dict.fromkeys(directions)]
    return [(group, np.ix_(group, group)) for group in groups]
