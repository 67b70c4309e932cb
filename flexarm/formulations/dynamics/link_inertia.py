"""Inertia and velocity-dependent forces of one link: [GA09] eqs. 9-44 per link.

The mass matrix of (a, al, delta_dd), all in frame i, and the bias, which does not depend on accelerations.
"""

from __future__ import annotations

from dataclasses import dataclass

import casadi as ca
import numpy as np

from flexarm.formulations.dynamics.outer_products import outer_products
from flexarm.formulations.dynamics.shortening_inertia import shortening_inertia
from flexarm.formulations.equal_links import derived_once
from flexarm.formulations.kinematics.rotations import twice_crossed
from flexarm.formulations.linear_algebra import constant, symmetric_from_upper
from flexarm.links import FlexibleLink
from flexarm.model.parts.floating_base import FloatingBase

AXIAL = ca.SX(
    ca.DM([[0, 0, 0, 0, 0, 1, 0, -1, 0], [0, 0, -1, 0, 0, 0, 1, 0, 0], [0, 1, 0, -1, 0, 0, 0, 0, 0]])
)
"""Map of the entries of an integral of a b^T to that of b x a."""


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


def derive_link_inertia(
    link: FlexibleLink | FloatingBase, delta: ca.SX, delta_d: ca.SX, w: ca.SX
) -> LinkInertia:
    """Inertia and bias of a link at amplitudes delta, rates delta_d (m,) and angular velocity w (3,) [rad/s].

    Notes
    -----
    [GA09] eqs. 31-44; where the link shortens, :func:`shortening_inertia` adds to it.
    """
    if isinstance(link, FloatingBase):
        return _massless(link.n_modes)
    C, m = link.integrals, link.n_modes
    C1, P = constant(C.C1[:m].T), constant(C.P[:m].T)
    W, w_2 = twice_crossed(w), 2 * w

    # N_j, the integral of r_j p^T dm over the points p = eta x + sum_k delta_k r_k, is behind everything here; its
    # entries are column j of N. [GA09] eq. 33: beta_j = C6_j + sum_k delta_k C8_kj = tr N_j I - N_j
    D6, D8 = outer_products(C.C6[:m]), outer_products(C.C8[:m, :m])
    from_deflection = ca.reshape(constant(_in_columns(D8).reshape(m, 9 * m).T) @ delta, 9, m)
    N = constant(_in_columns(D6).T) + from_deflection
    # alpha_j = C7_j + sum_k delta_k C4_kj + P_j, [GA09] eq. 32: int p x r_j dm; P: the sections' spin
    alpha = constant((C.C7[:m] + C.P[:m]).T) + AXIAL @ from_deflection
    # J = C5 + B10 + sum_j delta_j (C6_j^T + beta_j), [GA09] eq. 31, [FL17]; moments: its integral of p p^T dm
    moments = symmetric_from_upper(_tensor((N + constant(D6.reshape(m, 9).T)) @ delta))
    s, moment_rates = constant(C.s0) + C1 @ delta, _tensor(N @ delta_d)
    # [GA09] eq. 44, where w . beta_j w is -sum_ab W_ab (N_j)_ab, and sum_k delta_d_k C4_kj is column j of coriolis
    coriolis = ca.reshape(constant(C.C4[:m, :m].reshape(m, 3 * m).T) @ delta_d, 3, m)
    bias_modes = N.T @ ca.vec(W) + coriolis.T @ w_2
    elastic = constant(C.K) @ delta + constant(link.damping) @ delta_d
    C3 = constant(C.C3[:m, :m])
    bias_v, bias_w = ca.SX(3, 1), ca.SX(3, 1)

    if link.foreshortening is not None:
        added = shortening_inertia(link, link.foreshortening, delta, delta_d, w, W)
        s, C1, alpha, C3 = s + added.s, C1 + added.C1, alpha + added.alpha, C3 + added.C3
        moments, moment_rates = moments + added.moments, moment_rates + added.moment_rates
        bias_v, bias_w, bias_modes = added.bias_v, added.bias_w, bias_modes + added.bias_modes

    J = constant(C.C5 + C.B10) + _inertia(moments)
    return LinkInertia(
        mass=C.mass,
        s=s,
        J=J,
        C1=C1,
        alpha=alpha,
        C3=C3,
        bias_v=bias_v + ca.cross(w_2, C1 @ delta_d) + W @ s,
        bias_w=bias_w + _inertia(moment_rates) @ w_2 + ca.cross(w, P @ delta_d) + _gyroscopic(J, W),
        bias_modes=bias_modes + elastic,
    )


link_inertia = derived_once(derive_link_inertia)
"""The same, derived once for equal links."""


def _massless(m: int) -> LinkInertia:
    zero, coupling = ca.SX.zeros(3), ca.SX.zeros(3, m)
    zero_J = ca.SX.zeros(3, 3)
    return LinkInertia(0.0, zero, zero_J, coupling, coupling, ca.SX.zeros(m, m), zero, zero, ca.SX.zeros(m))


def _in_columns(tensors: np.ndarray) -> np.ndarray:
    """Entries of tensors (..., 3, 3), column after column: (..., 9)."""
    return np.swapaxes(tensors, -1, -2).reshape(*tensors.shape[:-2], 9)


def _tensor(entries: ca.SX) -> ca.SX:
    return ca.reshape(entries, 3, 3)


def _inertia(moments: ca.SX) -> ca.SX:
    """Integral of b~^T a~ from that of a b^T."""
    return ca.trace(moments) * ca.SX.eye(3) - moments


def _gyroscopic(J: ca.SX, W: ca.SX) -> ca.SX:
    """Gyroscopic moment w x (J w) from W = w w^T - |w|^2 I; constant moments of inertia are subtracted first."""
    (J_d, J_o), (W_d, W_o) = ((M[[0, 4, 8]], M[[7, 6, 3]]) for M in (J, W))  # xx, yy, zz and yz, xz, xy
    J_d, W_d = (d[[2, 0, 1]] - d[[1, 2, 0]] for d in (J_d, W_d))
    return J_d * W_o - J_o * W_d + ca.cross(J_o, W_o)
