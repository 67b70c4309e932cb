"""Inertia and velocity-dependent forces of one link: what remains of [GA09] eqs. 9-44 per link.

The mass matrix of (a, al, delta_dd), all in frame i, and the rest that does not depend on accelerations.
"""

from __future__ import annotations

from dataclasses import dataclass

import casadi as ca
import numpy as np

from flexarm.formulations.kinematics import X, constant
from flexarm.links import FlexibleLink
from flexarm.model.floating_base import FloatingBase

ACROSS = ca.SX(ca.DM([[0, 0, 0], [0, 1, 0], [0, 0, 1]]))
"""I - x x^T: what lies across the link."""


@dataclass(frozen=True)
class LinkInertia:
    """Mass matrix blocks and velocity-dependent forces of a link.

    Attributes
    ----------
    mass : float [kg]
    s : SX (3,) [kg m]
        First moment about O_i, B_3's vector.
    J : SX (3, 3) [kg m^2]
        Inertia about O_i, B_9 ([GA09] eq. 31) and B_10 ([FL17]).
    C1 : SX (3, m)
        Coupling of acceleration and modes, eps_ij of [GA09] eq. 34.
    alpha : SX (3, m)
        Coupling of angular acceleration and modes, [GA09] eq. 32.
    C3 : SX (m, m)
        Mass matrix of the modes, [GA09] eq. 37.
    bias_v, bias_w : SX (3,) [N, N m]
        Forces and moments that depend on velocities only.
    bias_modes : SX (m,)
        The same for the modes, with stiffness and damping.
    """

    mass: float
    s: ca.SX
    J: ca.SX
    C1: ca.SX
    alpha: ca.SX
    C3: ca.SX
    bias_v: ca.SX
    bias_w: ca.SX
    bias_modes: ca.SX


def link_inertia(link: FlexibleLink | FloatingBase, delta: ca.SX, delta_d: ca.SX, w: ca.SX) -> LinkInertia:
    """Evaluate a link's inertia at modal amplitudes delta, rates delta_d and angular velocity w (frame i)."""
    if isinstance(link, FloatingBase):
        return _massless(link.n_modes)
    C = link.integrals
    modes = range(link.n_modes)
    C1, P = constant(C.C1.T), constant(C.P.T)

    # alpha_j = C7_j + sum_k delta_k C4_kj + P_j, [GA09] eq. 32; P: torsion carries the sections' spin
    alpha = ca.SX(3, 0)
    # beta_j = C6_j + sum_k delta_k C8_kj, [GA09] eq. 33
    beta = []
    # J = C5 + B10 + sum_j delta_j (C6_j^T + beta_j), [GA09] eq. 31, [FL17]
    J = constant(C.C5 + C.B10)
    for j in modes:
        alpha = ca.horzcat(alpha, constant(C.C7[j] + C.P[j]) + _weighted(delta, C.C4[:, j]))
        beta.append(constant(C.C6[j]) + _weighted(delta, C.C8[:, j]))
        J += delta[j] * (constant(C.C6[j].T) + beta[j])
    s = constant(C.s0) + C1 @ delta
    B8 = sum((delta_d[j] * beta[j] for j in modes), ca.SX.zeros(3, 3))

    bias_v, bias_w = ca.SX.zeros(3), 2 * (B8 @ w) + ca.cross(w, P @ delta_d)
    bias_modes = constant(C.K) @ delta + constant(link.damping) @ delta_d
    for j in modes:  # [GA09] eq. 44
        bias_modes[j] -= 2 * ca.dot(w, _weighted(delta_d, C.C4[j])) + ca.dot(w, beta[j] @ w)

    if link.foreshortening is not None:
        # The shortening u x of the axis, U = int u, W = int eta u, to second order in the kinetic energy:
        # s + U x, J + 2 W (I - x x^T), C1_j + U,j x, and what Lagrange's equations make of these
        H1, H2 = constant(link.foreshortening.H1), constant(link.foreshortening.H2)
        s += X * (delta.T @ H1 @ delta / 2)
        C1 += X @ (H1 @ delta).T
        J += (delta.T @ H2 @ delta) * ACROSS
        bias_v += X * (delta_d.T @ H1 @ delta_d)
        bias_w += 2 * (delta.T @ H2 @ delta_d) * (ACROSS @ w)
        bias_modes -= (H2 @ delta) * ca.dot(w, ACROSS @ w)

    s_d = C1 @ delta_d
    return LinkInertia(
        mass=C.mass,
        s=s,
        J=J,
        C1=C1,
        alpha=alpha,
        C3=constant(C.C3),
        bias_v=bias_v + 2 * ca.cross(w, s_d) + ca.cross(w, ca.cross(w, s)),
        bias_w=bias_w + ca.cross(w, J @ w),
        bias_modes=bias_modes,
    )


def _massless(m: int) -> LinkInertia:
    none, none_each = ca.SX.zeros(3), ca.SX.zeros(3, m)
    nothing = ca.SX.zeros(3, 3)
    return LinkInertia(
        0.0, none, nothing, none_each, none_each, ca.SX.zeros(m, m), none, none, ca.SX.zeros(m)
    )


def _weighted(weights: ca.SX, arrays: np.ndarray) -> ca.SX:
    """Sum of constant vectors or matrices times symbolic weights."""
    return sum((weights[k] * constant(array) for k, array in enumerate(arrays)), constant(0 * arrays[0]))
