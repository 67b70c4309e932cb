"""Inertia and velocity-dependent forces of one link: what remains of [GA09] eqs. 9-44 per link.

The mass matrix of (a, al, delta_dd), all in frame i, and the rest that does not depend on accelerations.
"""

from __future__ import annotations

from dataclasses import dataclass

import casadi as ca
import numpy as np

from flexarm.links.link import FlexibleLink


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
    C1 : (3, m)
        Coupling of acceleration and modes, eps_ij of [GA09] eq. 34.
    alpha : SX (3, m)
        Coupling of angular acceleration and modes, [GA09] eq. 32.
    C3 : (m, m)
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


def link_inertia(link: FlexibleLink, delta: ca.SX, delta_d: ca.SX, w: ca.SX) -> LinkInertia:
    """Evaluate a link's inertia at modal amplitudes delta, rates delta_d and angular velocity w (frame i)."""
    C = link.integrals
    m = link.n_modes
    modes = range(m)
    C1 = _constant(C.C1.T) if m else ca.SX(3, 0)
    P = _constant(C.P.T) if m else ca.SX(3, 0)

    # alpha_j = C7_j + sum_k delta_k C4_kj + P_j, [GA09] eq. 32; P: torsion carries the sections' spin
    alpha = ca.SX(3, 0)
    # beta_j = C6_j + sum_k delta_k C8_kj, [GA09] eq. 33
    beta = []
    # J = C5 + B10 + sum_j delta_j (C6_j^T + beta_j), [GA09] eq. 31, [FL17]
    J = _constant(C.C5 + C.B10)
    for j in modes:
        alpha = ca.horzcat(alpha, _constant(C.C7[j] + C.P[j]) + _weighted(delta, C.C4[:, j]))
        beta.append(_constant(C.C6[j]) + _weighted(delta, C.C8[:, j]))
        J += delta[j] * (_constant(C.C6[j].T) + beta[j])

    s = _constant(C.s0) + C1 @ delta
    s_d = C1 @ delta_d
    B8 = sum((delta_d[j] * beta[j] for j in modes), ca.SX.zeros(3, 3))

    bias_v = 2 * ca.cross(w, s_d) + ca.cross(w, ca.cross(w, s))
    bias_w = 2 * (B8 @ w) + ca.cross(w, J @ w) + ca.cross(w, P @ delta_d)
    stiffness = _constant(C.K) @ delta + _constant(link.damping) @ delta_d if m else ca.SX(0, 1)
    inertial = [
        -2 * ca.dot(w, _weighted(delta_d, C.C4[j])) - ca.dot(w, beta[j] @ w)  # [GA09] eq. 44
        for j in modes
    ]
    return LinkInertia(
        mass=C.mass,
        s=s,
        J=J,
        C1=C1,
        alpha=alpha,
        C3=_constant(C.C3),
        bias_v=bias_v,
        bias_w=bias_w,
        bias_modes=stiffness + ca.vertcat(*inertial) if m else ca.SX(0, 1),
    )


def _constant(array: np.ndarray) -> ca.SX:
    return ca.SX(ca.DM(array))


def _weighted(weights: ca.SX, arrays: np.ndarray) -> ca.SX:
    """Sum of constant vectors or matrices times symbolic weights."""
    return sum((weights[k] * _constant(array) for k, array in enumerate(arrays)), _constant(0 * arrays[0]))
