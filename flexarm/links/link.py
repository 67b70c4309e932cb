"""One flexible link as the equations of motion see it: modal integrals, damping, motion of its sections."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from flexarm.links.damping import modal_damping, natural_modes
from flexarm.links.foreshortening import Foreshortening, foreshortening
from flexarm.links.integrals import LinkField, ModalIntegrals, modal_integrals
from flexarm.links.mode_shapes import carried_load, mode_shapes
from flexarm.links.quadrature import gauss_panels
from flexarm.links.sections import Sections
from flexarm.links.shapes import Array

if TYPE_CHECKING:
    from flexarm.spec.link import Link
    from flexarm.spec.profile import Profile


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
    foreshortening : Foreshortening or None
        Second-order shortening of the bent link; None where the model leaves it out.
    """

    length: float
    sections: Sections
    integrals: ModalIntegrals
    locked_inertia: Array
    damping: Array
    foreshortening: Foreshortening | None = None

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
        for group in _direction_groups(self.directions):
            block = np.ix_(group, group)
            frequencies[group], _ = natural_modes(self.integrals.K[block], self.locked_inertia[block])
        return np.sort(frequencies)


def flexible_link(
    spec: Link, *, tip_mass: float = 0.0, hub_mass: float = 0.0, stiffening: bool = False
) -> FlexibleLink:
    """Compute what the equations of motion need of one link.

    Parameters
    ----------
    spec : Link
        Length, mass, stiffness, modes and damping ratios.
    tip_mass, hub_mass : float [kg]
        Point masses at the end and at the start of the link that belong to its integrals.
    stiffening : bool
        Whether foreshortening counts.

    Raises
    ------
    ModelError
        If a mode family cannot be built for this link, if the modes of one direction are linearly dependent,
        or if modes without inertia are to be damped.
    """
    shapes = tuple((modes.direction, mode_shapes(modes, spec)) for modes in spec.modes)
    sections = Sections(spec.length, shapes)
    field = link_field(spec, sections, tip_mass=tip_mass, hub_mass=hub_mass)
    integrals = modal_integrals(field, np.array(spec.rotary_inertia, dtype=float))
    locked_inertia = integrals.C3 + _carried_inertia(spec, sections, tip_mass)
    damping = np.zeros_like(locked_inertia)
    ratios = np.array(spec.damping, dtype=float)
    for group in _direction_groups(sections.directions):
        block = np.ix_(group, group)
        damping[block] = modal_damping(integrals.K[block], locked_inertia[block], ratios[group])
    short = (
        foreshortening(sections, kinks(spec, sections), spec.mu, tip_mass) if stiffening and shapes else None
    )
    return FlexibleLink(spec.length, sections, integrals, locked_inertia, damping, short)


def kinks(spec: Link, sections: Sections) -> Array:
    """Find the stations between which all data are smooth and short enough for Gauss quadrature.

    Panels are no longer than a quarter wave of the highest mode: with 10 points on each, integrals of
    products of two shapes are exact to round-off.
    """
    highest = max((shapes.count for _, shapes in sections.shapes), default=1)
    breaks = [np.linspace(0.0, 1.0, 2 * highest + 3)]
    breaks += [shapes.breaks for _, shapes in sections.shapes]
    profiles = (spec.mu, spec.EA, spec.GJ, spec.EI.z, spec.EI.y)
    breaks += [np.array(profile.eta) for profile in profiles if profile is not None]
    return np.unique(np.concatenate(breaks))


def link_field(spec: Link, sections: Sections, *, tip_mass: float = 0.0, hub_mass: float = 0.0) -> LinkField:
    """Evaluate what stands under the integral signs, at Gauss points between all kinks of the data."""
    xi, weights = gauss_panels(kinks(spec, sections))
    deta = spec.length * weights
    dm = deta * spec.mu.at(xi)

    # The point masses join as stations without length.
    xi = np.concatenate([[0.0], xi, [1.0]])
    deta = np.concatenate([[0.0], deta, [0.0]])
    dm = np.concatenate([[hub_mass], dm, [tip_mass]])
    EA, *rigidity = (_along(profile, xi) for profile in (spec.EA, spec.GJ, spec.EI.z, spec.EI.y))
    return LinkField(
        eta=spec.length * xi,
        deta=deta,
        dm=dm,
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


def _carried_inertia(spec: Link, sections: Sections, tip_mass: float) -> Array:
    """Inertia (m, m) of the loads that clamped-loaded modes were made for, beyond the link's own tip mass."""
    inertia = np.zeros((len(sections.directions),) * 2)
    r, theta = sections.displacement(1.0), sections.rotation(1.0)
    for modes in spec.modes:
        if modes.family == "clamped-loaded":
            load = carried_load(modes)
            v, slope = (r[:, 1], theta[:, 2]) if modes.direction == "y" else (r[:, 2], -theta[:, 1])
            inertia += (load.mass - tip_mass) * np.outer(v, v) + load.inertia * np.outer(slope, slope)
            inertia += load.first_moment * (np.outer(v, slope) + np.outer(slope, v))
    return inertia


def _direction_groups(directions: tuple[str, ...]) -> list[NDArray[np.intp]]:
    """Indices of the modes of each direction; two directions share neither inertia nor stiffness."""
    names = np.array(directions)
    return [np.flatnonzero(names == direction) for direction in dict.fromkeys(directions)]
