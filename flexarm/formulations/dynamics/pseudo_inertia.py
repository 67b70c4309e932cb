"""Mass of one link as 4x4 matrices: the pseudo-inertia of [BK83] and [NA04]."""

from __future__ import annotations

from dataclasses import dataclass

import casadi as ca
import numpy as np

from flexarm.formulations.dynamics.outer_products import outer_products
from flexarm.formulations.linear_algebra import constant
from flexarm.links import FlexibleLink, ModalIntegrals
from flexarm.model.parts.floating_base import FloatingBase


@dataclass(frozen=True, eq=False)
class LinkMatrices:
    """Integrals over the mass of one link with m modes; p_0 = [1, eta, 0, 0], p_k = [0, x_k, y_k, z_k].

    Attributes
    ----------
    C : (4, 4)
        C_i = 1/2 int p_0 p_0^T dm, [BK83] eq. 30.
    C_k : (m, 4, 4)
        C_ik = 1/2 int p_0 p_k^T dm, [BK83] eq. 28.
    C_kl : (m, m, 4, 4)
        C_ikl = 1/2 int p_k p_l^T dm, [BK83] eq. 25.
    C3 : (m, m)
        2 Tr C_ikl, plus the sections' spin.
    spin : (m, m)
        The sections' spin by torsion and bending, int theta_k . J' theta_l deta, on its own.

    Notes
    -----
    They are the integrals of :class:`~flexarm.links.integrals.ModalIntegrals` in another arrangement: from
    b~^T a~ = (a . b) I - a b^T follows int a b^T = 1/2 tr(X) I - X with X = int b~^T a~.

    Differs from source, which knows slender beams only:

    - A moment of inertia that turns with frame i (hub, payload, rotary inertia) is a tensor I; the matrix
      1/2 (1/2 tr(I) I - I) in the lower right block of C_i has the same kinetic energy.
    - Sections that bending or torsion turns have the kinetic energy sum_k delta_d_k w . P_k, plus a constant quadratic
      form of delta_d. -1/4 skew(P_k) in C_ik gives the first: as Tr{W_d C_ik W^T} it is 1/2 w . P_k, and being
      antisymmetric it cancels from G_i and from every Tr{W_d C_ik W_d^T}. The second, ``spin``, joins the inertia
      coefficients of the modes but none of the C_ikl, which stand in G_i and D_ik too.
    """

    C: np.ndarray
    C_k: np.ndarray
    C_kl: np.ndarray
    C3: np.ndarray
    spin: np.ndarray

    @classmethod
    def of(cls, link: FlexibleLink | FloatingBase) -> LinkMatrices:
        """Pseudo-inertia of a link from its modal integrals; zero for a floating base, which has no mass."""
        m = link.n_modes
        if isinstance(link, FloatingBase):
            none = np.zeros((m, m))
            return cls(np.zeros((4, 4)), np.zeros((m, 4, 4)), np.zeros((m, m, 4, 4)), none, none)
        integrals = link.integrals
        dtype = integrals.C5.dtype  # symbols in the place of numbers are objects
        C = np.zeros((4, 4), dtype)
        C[0, 0] = integrals.mass / 2
        C[0, 1:] = C[1:, 0] = integrals.s0 / 2
        C[1:, 1:] = outer_products(integrals.C5 + integrals.B10) / 2
        C_k = np.zeros((m, 4, 4), dtype)
        C_k[:, 0, 1:] = integrals.C1 / 2
        C_k[:, 1:, 1:] = np.swapaxes(outer_products(integrals.C6), -1, -2) / 2 + _spin_coupling(integrals)
        C_kl = np.zeros((m, m, 4, 4), dtype)
        C_kl[:, :, 1:, 1:] = np.swapaxes(outer_products(integrals.C8), -1, -2) / 2
        return cls(C, C_k, C_kl, integrals.C3, integrals.spin)

    def G(self, delta: ca.SX) -> ca.SX:
        """Return 1/2 int p p^T dm, (4, 4) [kg, kg m, kg m^2], at p = p_0 + sum_k delta_k p_k, [BK83] eq. 37.

        [SY94] A13 has lost its brackets.
        """
        G = constant(self.C)
        for k, C_k in enumerate(self.C_k):
            G += delta[k] * constant(C_k + C_k.T)
            for l in range(k + 1):
                pair = self.C_kl[k, l] if k == l else self.C_kl[k, l] + self.C_kl[l, k]
                G += delta[k] * delta[l] * constant(pair)
        return G

    def D(self, k: int, delta: ca.SX) -> ca.SX:
        """Return D_ik = C_ik + sum_l delta_l C_ilk = 1/2 int p p_k^T dm, (4, 4) [kg, kg m], [BK83] eq. 36."""
        terms = (delta[l] * constant(C_lk) for l, C_lk in enumerate(self.C_kl[:, k]))
        return sum(terms, constant(self.C_k[k]))

    def P(self, delta: ca.SX) -> ca.SX:
        """Return int p dm, (4,) [kg, kg m], at p = p_0 + sum_k delta_k p_k: the link's share of [BK83] eq. 89."""
        terms = (delta[k] * constant(e) for k, e in enumerate(self.e))
        return sum(terms, constant(self.first_moment))

    @property
    def first_moment(self) -> np.ndarray:
        """Return int p_0 dm = [M, M r_r], (4,), [BK83] eq. 51."""
        return 2 * self.C[:, 0]

    @property
    def e(self) -> np.ndarray:
        """Return int p_k dm, (m, 4): twice the top rows of C_ik, [BK83] eq. 52."""
        return 2 * self.C_k[:, 0]


def _spin_coupling(integrals: ModalIntegrals) -> np.ndarray:
    """Return -1/4 skew(P_k), (m, 3, 3)."""
    return -np.cross(integrals.P[:, None, :], np.eye(3)).swapaxes(-1, -2) / 4
