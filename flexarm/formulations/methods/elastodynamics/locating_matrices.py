"""Locating matrices of elastic links and their pseudo-inertia: what [NA04] builds its energies from.

A point of link k is at T_k (p_0 + sum_j delta_j p_j) with the homogeneous fields p_j of
:class:`~flexarm.formulations.dynamics.pseudo_inertia.LinkMatrices`. With the locating matrix

    Y_k = [T_k, delta_1 T_k, .., delta_m T_k]

it is Y_k psi, where psi = [p_0; p_1; ..; p_m] does not move. So an elastic link has the energies of a rigid one, with
Y_k in the place of T_k and the constant pseudo-inertia int psi psi^T dm in the place of the rigid one.
"""

from __future__ import annotations

from dataclasses import dataclass

import casadi as ca
import numpy as np

from flexarm.formulations.dynamics.pseudo_inertia import LinkMatrices
from flexarm.formulations.kinematics.chain_state import ChainState
from flexarm.formulations.kinematics.homogeneous_transforms import LinkTransformation, homogeneous
from flexarm.formulations.kinematics.joint_transforms import placement, subspace
from flexarm.formulations.kinematics.rotations import skew
from flexarm.formulations.linear_algebra import constant
from flexarm.links import FlexibleLink
from flexarm.model.chain import Chain
from flexarm.model.parts.joint import JointModel, round_off_free


@dataclass(frozen=True)
class LocatedLink:
    """Locating matrix and mass of one body.

    Attributes
    ----------
    Y : SX (3, f)
        Locating matrix without its constant row and without the columns that move no mass.
    inertia : (f, f)
        Pseudo-inertia int psi psi^T dm.
    first_moment : (f,)
        int psi dm.
    """

    Y: ca.SX
    inertia: np.ndarray
    first_moment: np.ndarray


def located_links(chain: Chain, state: ChainState) -> list[LocatedLink]:
    """Locating matrices and mass of all bodies that have any, base to tip."""
    located = (
        _located(T, body.link, state.delta[i])
        for i, (T, body) in enumerate(zip(locating_matrices(chain, state)[:-1], chain.bodies, strict=True))
        if isinstance(body.link, FlexibleLink)
    )
    return [link for link in located if link.first_moment.size]


def locating_matrices(chain: Chain, state: ChainState) -> list[ca.SX]:
    """Transformations T_i0 of all bodies' starts and of the arm's tip: list of (4, 4), [NA04] eqs. 13 and 14."""
    matrices = []
    T = ca.SX.eye(4)
    for i, body in enumerate(chain.bodies):
        T = T @ joint_locating_matrix(body.joint, state.q[i])
        matrices.append(T)
        zero = ca.SX.zeros(body.link.n_modes)
        T = T @ LinkTransformation.of(body.link, state.delta[i], zero, chain.link_rotation).E  # Delta T
    return [*matrices, T]


def joint_locating_matrix(joint: JointModel, q: ca.SX) -> ca.SX:
    """Transformation T^(0) exp(A q) of a joint, (4, 4), q [rad, m]: fixed part and matrix exponential, [NA04] eq. 4.

    A = [S_w~, S_v] holds the motion subspace. Its rotation has the exponential I + A^2 + A sin q - A^2 cos q, since
    A^3 = -A; the displacement along the axis, which the rotation leaves in place, is S_v q.
    """
    R, S = placement(joint), subspace(joint)
    fixed = homogeneous(R, R @ ca.SX(ca.vertcat(*joint.offset)))
    A, slid = (
        homogeneous(skew(S.w), ca.SX.zeros(3), first=0),
        homogeneous(ca.SX.zeros(3, 3), S.v * q, first=0),
    )
    A2 = A @ A
    s, c = ca.sin(q), ca.cos(q)
    if q.is_constant():  # a locked joint
        s, c = (ca.SX(round_off_free(float(value))) for value in (s, c))
    return fixed @ ((ca.SX.eye(4) + A2) + A * s - A2 * c + slid)


def constant_inertia(chain: Chain) -> np.ndarray:
    """Mass matrix (n_dof, n_dof) [kg m^2, kg] without dependence on the posture: rotors, spin by torsion."""
    N = np.zeros((chain.coordinates.n_dof,) * 2, dtype=object)  # numbers, or symbols in their place
    for rows, body in zip(chain.rows, chain.bodies, strict=True):
        if rows.joint is not None:
            N[rows.joint, rows.joint] = body.joint.motor_inertia
        if isinstance(body.link, FlexibleLink) and rows.modes:
            N[np.ix_(rows.modes, rows.modes)] += LinkMatrices.of(body.link).spin
    for spring in chain.springs:
        if (motor := chain.coordinates.motors[spring.joint]) is not None:
            N[motor, motor] = spring.motor_inertia
    return N


def _located(T: ca.SX, link: FlexibleLink, delta: ca.SX) -> LocatedLink:
    mass, m = LinkMatrices.of(link), link.n_modes
    inertia = np.zeros((m + 1, m + 1, 4, 4), mass.C.dtype)
    inertia[0, 0] = 2 * mass.C
    inertia[0, 1:], inertia[1:, 0] = 2 * mass.C_k, 2 * mass.C_k.swapaxes(-1, -2)
    inertia[1:, 1:] = 2 * mass.C_kl
    I_ps = inertia.transpose(0, 2, 1, 3).reshape(4 * (m + 1), 4 * (m + 1))
    moved = np.unique(np.array(ca.sparsify(constant(I_ps)).sparsity().get_triplet()[1], dtype=int))
    Y = ca.horzcat(T, *(delta[k] * T for k in range(m)))[1:, :]
    return LocatedLink(Y[:, moved.tolist()], I_ps[np.ix_(moved, moved)], I_ps[moved, 0])


def inertia_trace(X: ca.SX, inertia: np.ndarray, Y: ca.SX) -> ca.SX:
    """Trace Tr{X I_ps Y^T} of X, Y (3, f) and a pseudo-inertia (f, f)."""
    return ca.dot(X @ constant(inertia), Y)
