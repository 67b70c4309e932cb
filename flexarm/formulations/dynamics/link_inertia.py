"""Inertia and velocity-dependent forces of one link: [GA09] eqs. 9-44 per link.

The mass matrix of (a, al, delta_dd), all in frame i, and the bias, which does not depend on accelerations.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import casadi as ca
import numpy as np

from flexarm.formulations.kinematics.field_amplitudes import field_amplitudes
from flexarm.formulations.kinematics.rotations import twice_crossed
from flexarm.formulations.linear_algebra import constant, symmetric_from_upper
from flexarm.links import FlexibleLink, ModalIntegrals
from flexarm.model.floating_base import FloatingBase

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


def link_inertia(link: FlexibleLink | FloatingBase, delta: ca.SX, delta_d: ca.SX, w: ca.SX) -> LinkInertia:
    """Inertia and bias of a link at amplitudes delta, rates delta_d (m,) and angular velocity w (3,) [rad/s].

    Notes
    -----
    Foreshortening adds displacement fields whose amplitudes follow from delta. Their inertia is projected on
    the modes, so that the kinetic energy is that of the whole field and the mass matrix positive definite.
    """
    if isinstance(link, FloatingBase):
        return _massless(link.n_modes)
    fields = field_amplitudes(link, delta, delta_d)
    every = _inertia_of_fields(link.integrals, fields.values, fields.jacobian @ delta_d, w)
    C1, alpha, C3, T = every.C1, every.alpha, every.C3, fields.jacobian
    return replace(
        every,
        C1=C1 @ T,
        alpha=alpha @ T,
        C3=symmetric_from_upper(T.T @ (C3 @ T)),
        bias_v=every.bias_v + C1 @ fields.bias,
        bias_w=every.bias_w + alpha @ fields.bias,
        bias_modes=T.T @ (every.bias_modes + C3 @ fields.bias)
        + constant(link.integrals.K) @ delta
        + constant(link.damping) @ delta_d,
    )


def _inertia_of_fields(C: ModalIntegrals, delta: ca.SX, delta_d: ca.SX, w: ca.SX) -> LinkInertia:
    """Inertia and bias of displacement fields with amplitudes delta, rates delta_d (f,); no strain, no damping."""
    f = delta.numel()
    C1, P = constant(C.C1.T), constant(C.P.T)
    W, w_2 = twice_crossed(w), 2 * w

    # N_j, the integral of r_j p^T dm over the points p = eta x + sum_k delta_k r_k, is behind everything here; its
    # entries are column j of N. [GA09] eq. 33: beta_j = C6_j + sum_k delta_k C8_kj = tr N_j I - N_j
    D6, D8 = outer_products(C.C6), outer_products(C.C8)
    from_deflection = ca.reshape(constant(_in_columns(D8).reshape(f, 9 * f).T) @ delta, 9, f)
    N = constant(_in_columns(D6).T) + from_deflection
    # alpha_j = C7_j + sum_k delta_k C4_kj + P_j, [GA09] eq. 32: int p x r_j dm; P: the sections' spin
    alpha = constant((C.C7 + C.P).T) + AXIAL @ from_deflection
    # J = C5 + B10 + sum_j delta_j (C6_j^T + beta_j), [GA09] eq. 31, [FL17]
    J = constant(C.C5 + C.B10) + _inertia(
        symmetric_from_upper(_tensor((N + constant(D6.reshape(f, 9).T)) @ delta))
    )
    s, s_d = constant(C.s0) + C1 @ delta, C1 @ delta_d
    B8 = _inertia(_tensor(N @ delta_d))
    # [GA09] eq. 44, where w . beta_j w is -sum_ab W_ab (N_j)_ab, and sum_k delta_d_k C4_kj is column j of coriolis
    coriolis = ca.reshape(constant(C.C4.reshape(f, 3 * f).T) @ delta_d, 3, f)
    return LinkInertia(
        mass=C.mass,
        s=s,
        J=J,
        C1=C1,
        alpha=alpha,
        C3=constant(C.C3),
        bias_v=ca.cross(w_2, s_d) + W @ s,
        bias_w=B8 @ w_2 + ca.cross(w, P @ delta_d) + _gyroscopic(J, W),
        bias_modes=N.T @ ca.vec(W) + coriolis.T @ w_2,
    )


def _massless(m: int) -> LinkInertia:
    zero, coupling = ca.SX.zeros(3), ca.SX.zeros(3, m)
    zero_J = ca.SX.zeros(3, 3)
    return LinkInertia(0.0, zero, zero_J, coupling, coupling, ca.SX.zeros(m, m), zero, zero, ca.SX.zeros(m))


def outer_products(X: np.ndarray) -> np.ndarray:
    """Integrals of a b^T, (..., 3, 3), from those X of b~^T a~, in the same unit."""
    # X[None], so that the trace is an array even if X is one matrix of symbols
    half_trace = np.trace(X[None], axis1=-2, axis2=-1)[..., None, None] / 2
    return (half_trace * np.eye(3))[0] - X


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
