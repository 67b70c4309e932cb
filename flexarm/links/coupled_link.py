"""Flexible link from the coupling matrices of a finite-element program: modal integrals without mode shapes.

[BK83] section 3: with p = p_0 + sum_k delta_k p_k all of a link's kinetic energy is that of the 4x4 matrices C_i, C_ik,
C_ikl. The integrals of [GA09] and [FL17] are the same entries in another arrangement: with the 3x3 blocks

    G_k = int P p_k^T dm,   H_kl = int p_k p_l^T dm,

and b~^T a~ = (a . b) I - a b^T,

    C5 = tr(S) I - S of S = int P P^T dm,   C6_k = tr(G_k) I - G_k^T,   C8_kl = tr(H_kl) I - H_kl^T,

C7_k and C4_kl are the axial vectors of G_k and H_kl, C3_kl = tr H_kl; mass, s_0 and C1 stand in the first rows.

Differs from source: points of the undeformed link need not lie on its axis, P = (X, Y, Z). What turns without moving
has no place in the matrices, neither here nor there: elements with a rotary inertia of their own must be given as
masses beside the axis.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from flexarm.links.integrals import ModalIntegrals
from flexarm.links.round_off import STIFFNESS_ROUND_OFF, without_round_off
from flexarm.links.shapes.shape_functions import Array

if TYPE_CHECKING:
    from flexarm.description.arm.link.coupling_matrices import CouplingMatrices


@dataclass(frozen=True, eq=False)
class StationedSections:
    """Motion of a link's sections that is known at some stations, between which it is interpolated.

    Deflections are cubics with the deflections and slopes of both stations, stretch and twist are linear. Where the
    start of the link is not among the stations it is held.

    Attributes
    ----------
    length : float [m]
    stations : (s,) [1]
        From 0 to 1.
    displacements, rotations : (s, m, 3) [1], [1/m]
        Per unit of each mode's amplitude.
    """

    length: float
    stations: Array
    displacements: Array
    rotations: Array

    @classmethod
    def of(cls, length: float, matrices: CouplingMatrices) -> StationedSections:
        """Sections of a link with given matrices."""
        m = matrices.n_modes
        eta, moved, turned = (
            np.array([getattr(station, name) for station in matrices.stations], dtype=float)
            for name in ("eta", "displacement", "rotation")
        )
        moved, turned = moved.reshape(len(eta), m, 3), turned.reshape(len(eta), m, 3)
        if eta[0] > 0:
            held = np.zeros((1, m, 3))
            eta, moved, turned = np.append(0.0, eta), np.append(held, moved, 0), np.append(held, turned, 0)
        xi = eta / length
        xi[-1] = 1.0
        return cls(length, xi, moved, turned)

    @property
    def directions(self) -> tuple[str, ...]:
        """Direction of each mode: each moves in all of them."""
        return ("space",) * self.displacements.shape[1]

    def displacement(self, xi: ArrayLike) -> Array:
        """Evaluate r_j = (x_j, y_j, z_j); (..., m, 3) [1]."""
        across, along = self._interpolated(xi, 0)
        return np.concatenate([along[..., :1], across], axis=-1)

    def rotation(self, xi: ArrayLike) -> Array:
        """Evaluate theta_j = (theta_xj, -dz_j/deta, dy_j/deta); (..., m, 3) [1/m]."""
        slopes, along = self._interpolated(xi, 1)[0] / self.length, self._interpolated(xi, 0)[1]
        return np.stack([along[..., 1], -slopes[..., 1], slopes[..., 0]], axis=-1)

    def twist(self, xi: ArrayLike) -> Array:
        """Evaluate dtheta_j/deta; (..., m, 3) [1/m^2]."""
        across, along = (
            self._interpolated(xi, 2)[0] / self.length**2,
            self._interpolated(xi, 1)[1] / self.length,
        )
        return np.stack([along[..., 1], -across[..., 1], across[..., 0]], axis=-1)

    def _interpolated(self, xi: ArrayLike, derivative: int) -> tuple[Array, Array]:
        """Derivatives by xi of (y_j, z_j) and of (x_j, theta_xj), each (..., m, 2)."""
        from scipy.interpolate import CubicHermiteSpline, PPoly  # slow to import, rarely needed

        xi, moved, turned = np.asarray(xi, dtype=float), self.displacements, self.rotations
        slopes = self.length * np.stack([turned[..., 2], -turned[..., 1]], axis=-1)
        across = CubicHermiteSpline(self.stations, moved[..., 1:], slopes)
        values = np.stack([moved[..., 0], turned[..., 0]], axis=-1)
        steps = np.diff(values, axis=0) / np.diff(self.stations)[:, None, None]
        along = PPoly(np.stack([steps, values[:-1]]), self.stations)
        return across(xi, derivative), along(xi, derivative)


def coupled_integrals(
    length: float,
    matrices: CouplingMatrices,
    sections: StationedSections,
    *,
    tip_mass: float,
    hub_mass: float,
    hub_inertia: Sequence[float],
) -> ModalIntegrals:
    """Rearrange the coupling matrices of a link into its modal integrals, with point masses at its ends.

    Parameters
    ----------
    length : float [m]
    matrices : CouplingMatrices
    sections : StationedSections
        Of the link.
    tip_mass, hub_mass : float [kg]
        Point masses at the end and at the start.
    hub_inertia : (3,) [kg m^2]
        Of the body at the start, about x, y, z.
    """
    m, gram, K = matrices.n_modes, matrices.gram, np.array(matrices.K).reshape((matrices.n_modes,) * 2)
    start, tip = np.eye(1, 4 + 3 * m)[0], _end_fields(length, sections)
    gram = gram + hub_mass * np.outer(start, start) + tip_mass * np.outer(tip, tip)
    return _rearranged(gram, K, hub_inertia)


def coupled_tip(length: float, sections: StationedSections, tip_mass: float) -> ModalIntegrals:
    """Integrals of the point mass [kg] at the end of such a link alone."""
    tip, m = _end_fields(length, sections), len(sections.directions)
    return _rearranged(tip_mass * np.outer(tip, tip), np.zeros((m, m)), (0.0, 0.0, 0.0))


def _end_fields(length: float, sections: StationedSections) -> Array:
    """1, p_0 and all p_k at the end, (4 + 3 m,), whose outer product is the share of a unit mass in the matrices."""
    return np.concatenate([[1.0, length, 0.0, 0.0], sections.displacement(1.0).ravel()])


def _rearranged(gram: Array, K: Array, hub_inertia: Sequence[float]) -> ModalIntegrals:
    """Modal integrals from the integrals of the products of 1, p_0 and all p_k, (4 + 3 m, 4 + 3 m)."""
    m = len(K)
    C3 = np.einsum("kala->kl", gram[4:, 4:].reshape(m, 3, m, 3))
    size = np.sqrt(
        np.concatenate([gram[:1, 0], np.full(3, np.trace(gram[1:4, 1:4])), np.repeat(C3.diagonal(), 3)])
    )
    gram = without_round_off(gram, np.outer(size, size))
    G = gram[1:4, 4:].reshape(3, m, 3).transpose(1, 0, 2)
    H = gram[4:, 4:].reshape(m, 3, m, 3).transpose(0, 2, 1, 3)
    norm = np.sqrt(K.diagonal())
    return ModalIntegrals(
        mass=float(gram[0, 0]),
        s0=gram[0, 1:4],
        C1=gram[0, 4:].reshape(m, 3),
        C3=np.einsum("klaa->kl", H),
        C4=_axial(H),
        C5=_crossed(gram[1:4, 1:4]) + np.diag(hub_inertia),
        C6=_crossed(G),
        C7=_axial(G),
        C8=_crossed(H),
        B10=np.zeros((3, 3)),
        K=without_round_off((K + K.T) / 2, np.outer(norm, norm), STIFFNESS_ROUND_OFF),
        P=np.zeros((m, 3)),
        spin=np.zeros((m, m)),
    )


def _axial(A: Array) -> Array:
    """Integrals of a x b, (..., 3), from those of a b^T, (..., 3, 3)."""
    return np.stack([A[..., a, b] - A[..., b, a] for a, b in ((1, 2), (2, 0), (0, 1))], axis=-1)


def _crossed(A: Array) -> Array:
    """Integrals of a~^T b~ = (a . b) I - b a^T, (..., 3, 3), from those of a b^T."""
    return np.trace(A, axis1=-2, axis2=-1)[..., None, None] * np.eye(3) - np.swapaxes(A, -1, -2)
