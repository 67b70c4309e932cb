"""Assembled link: a link of the description as its segments make it up, bent little and with its joint locked."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import ArrayLike

from flexarm.links import FlexibleLink
from flexarm.links.flexible_link import direction_blocks
from flexarm.links.modal_damping import damping_matrix, locked_modes
from flexarm.links.shapes.shape_functions import Array
from flexarm.model.segments import segment_station
from flexarm.model.small_motion import beyond, body_inertia


@dataclass(frozen=True, eq=False)
class AssembledLink:
    """Link of the description, made up of one or more segments; its modes are those of all segments.

    Attributes
    ----------
    segments : tuple of FlexibleLink
        From start to end.
    """

    segments: tuple[FlexibleLink, ...]

    @property
    def length(self) -> float:
        """Length [m]."""
        return sum(segment.length for segment in self.segments)

    @property
    def mass(self) -> float:
        """Mass with hub and a payload that is a point [kg]."""
        return sum(segment.integrals.mass for segment in self.segments)

    @property
    def directions(self) -> tuple[str, ...]:
        """Direction of each mode: "y", "z", "torsion" or "axial"."""
        return tuple(direction for segment in self.segments for direction in segment.directions)

    @property
    def n_modes(self) -> int:
        """Number of modes m."""
        return sum(segment.n_modes for segment in self.segments)

    @cached_property
    def K(self) -> Array:
        """Stiffness (m, m) [N/m, N m for torsion]: block by block that of the segments."""
        K = np.zeros((self.n_modes,) * 2)
        for segment, rows in zip(self.segments, self._rows, strict=True):
            K[rows, rows] = segment.integrals.K
        return K

    @cached_property
    def locked_inertia(self) -> Array:
        """Inertia (m, m) [kg, kg m^2 for torsion] of the modes with the joint locked.

        Of one segment :attr:`FlexibleLink.locked_inertia`; of several what their integrals give, of which each moves
        as a whole with the modes of those before it: J^T B J, B the :func:`~flexarm.model.small_motion.body_inertia`.
        """
        if len(self.segments) == 1:
            return self.segments[0].locked_inertia
        M = np.zeros((self.n_modes,) * 2)
        for k, (segment, rows) in enumerate(zip(self.segments, self._rows, strict=True)):
            m = segment.n_modes
            J = np.zeros((6 + m, self.n_modes))
            J[:6], J[6:, rows] = self._frames[k], np.eye(m)
            M += J.T @ body_inertia(segment) @ J
        return (M + M.T) / 2

    def locked_frequencies(self) -> Array:
        """Natural frequencies with the joint locked; (m,) [rad/s], ascending, infinite without inertia."""
        if len(self.segments) == 1:
            return self.segments[0].locked_frequencies()
        frequencies = np.zeros(self.n_modes)
        for group, block in direction_blocks(self.directions):
            frequencies[group], _ = locked_modes(self.K[block], self.locked_inertia[block])
        return np.sort(frequencies)

    def displacement(self, xi: ArrayLike) -> Array:
        """Displacement of the axis at xi [1], (...), per unit of each mode, to first order; (..., m, 3) [1]."""
        return self._motion(xi)[..., :3]

    def rotation(self, xi: ArrayLike) -> Array:
        """Rotation vector of the sections at xi, alike; (..., m, 3) [1/m, 1 for torsion]."""
        return self._motion(xi)[..., 3:]

    def _motion(self, xi: ArrayLike) -> Array:
        """Displacement and rotation at xi, (...), per unit of each mode: (..., m, 6)."""
        stations = np.asarray(xi, dtype=float)
        found = np.zeros((stations.size, self.n_modes, 6))
        for motion, station in zip(found, stations.ravel().tolist(), strict=True):
            k, own = segment_station(len(self.segments), station)
            motion[:] = beyond(self.segments[k], self._rows[k], own, self._frames[k]).T
        return found.reshape(*stations.shape, self.n_modes, 6)

    @cached_property
    def _frames(self) -> list[Array]:
        """Displacement and rotation (6, m) of the start of each segment."""
        frames = [np.zeros((6, self.n_modes))]
        for k in range(len(self.segments) - 1):
            frames.append(beyond(self.segments[k], self._rows[k], 1.0, frames[k]))
        return frames

    @cached_property
    def _rows(self) -> list[slice]:
        """Modes of each segment."""
        stops = np.cumsum([segment.n_modes for segment in self.segments]).tolist()
        return [
            slice(stop - segment.n_modes, stop) for segment, stop in zip(self.segments, stops, strict=True)
        ]


@lru_cache(maxsize=256)
def segment_damping(
    segments: tuple[FlexibleLink, ...], ratios: tuple[float, ...], proportions: tuple[float, float]
) -> Array:
    """Damp a link of several segments, joint locked, as a whole; this couples the segments.

    Parameters
    ----------
    segments : tuple of FlexibleLink
    ratios : (m,) [1]
        Those of one direction are for its natural modes, the lowest first.
    proportions : (float, float) [1/s, s]
        See :func:`~flexarm.links.modal_damping.damping_matrix`.

    Returns
    -------
    (m, m) [N s/m, N m s for torsion]
        D = M X diag(2 zeta w) X^T M + a M + b K; the generalised force on the amplitudes is -D delta_d.
    """
    link = AssembledLink(segments)
    D = np.zeros_like(link.K)
    if any(ratios) or any(proportions):
        for group, block in direction_blocks(link.directions):
            K, M = link.K[block], link.locked_inertia[block]
            D[block] = damping_matrix(K, M, np.array(ratios)[group], proportions)
    return D
