"""Balance of generalised forces term by term: [NA04] eq. 24.

The equations of motion need only the sum; :func:`balance` shows which term gives how much.
"""

from __future__ import annotations

from typing import NamedTuple

import casadi as ca

from flexarm.formulations.assembly import assemble
from flexarm.formulations.dynamics.friction import friction
from flexarm.formulations.dynamics.segment_damping import segment_damping
from flexarm.formulations.kinematics.chain_state import ChainState
from flexarm.formulations.linear_algebra import constant
from flexarm.formulations.methods.elastodynamics.energy_derivatives import (
    arm_acceleration_energy,
    links_acceleration_energy,
    links_at,
    links_gravity_forces,
    symbols_of,
)
from flexarm.formulations.methods.elastodynamics.locating_matrices import (
    locating_matrices,
)
from flexarm.links import FlexibleLink
from flexarm.model.chain import Chain


class Balance(NamedTuple):
    """Terms of [NA04] eq. 24, (n_dof,) [N m, N] each; their sum is the forces of the drives.

    Attributes
    ----------
    inertia : Q_iF, without the payload's
    gravity : Q_g, without the payload's
    deformation : Q_def, strain and modal damping
    load : Q_SU, inertia and weight of a payload with moments of inertia, and minus the wrench on the tip
    friction : Q_fd
    """

    inertia: ca.SX
    gravity: ca.SX
    deformation: ca.SX
    load: ca.SX
    friction: ca.SX


def balance(
    chain: Chain,
    theta: ca.SX,
    theta_d: ca.SX,
    theta_dd: ca.SX,
    force: ca.SX | None = None,
    moment: ca.SX | None = None,
) -> Balance:
    """Balance of the generalised forces, [NA04] eq. 24.

    Parameters
    ----------
    chain : Chain
    theta, theta_d, theta_dd : SX (n_dof,)
    force, moment : SX (3,), optional [N, N m]
        Wrench that the world exerts on the tip, along the fixed axes; with ``link_rotation: finite`` only.

    Notes
    -----
    A payload that is a mass point belongs to the last link, so its share is in Q_iF and Q_g.
    """
    x, x_d, x_dd = symbols_of(chain, "theta", "theta_d", "theta_dd")
    links = links_at(chain, x)
    arm, payload = links[: chain.arm_bodies.stop], links[chain.arm_bodies.stop :]
    arm_energy = arm_acceleration_energy(chain, arm, x, x_d, x_dd)
    payload_energy = links_acceleration_energy(payload, x, x_d, x_dd)
    load = ca.gradient(payload_energy, x_dd) + links_gravity_forces(chain, payload, x)
    load -= _tip_wrench(chain, x, force, moment)
    terms = [
        ca.gradient(arm_energy, x_dd),
        links_gravity_forces(chain, arm, x),
        _deformation(chain, x, x_d),
        load,
        _friction(chain, ChainState.of(chain, x, x_d)),
    ]
    wrench = [part for part in (force, moment) if part is not None and not part.is_constant()]
    f = ca.Function("balance", [x, x_d, x_dd, *wrench], [ca.densify(term) for term in terms])
    return Balance(*f(theta, theta_d, theta_dd, *wrench))


def resistance(chain: Chain, theta: ca.SX, theta_d: ca.SX) -> ca.SX:
    """Q_def + Q_fd: strain, modal damping and joint friction, (n_dof,) [N m, N]."""
    state = ChainState.of(chain, theta, theta_d)
    return _deformation(chain, theta, theta_d) + _friction(chain, state)


def _deformation(chain: Chain, theta: ca.SX, theta_d: ca.SX) -> ca.SX:
    """Q_def, (n_dof,): derivative of the strain energy and modal damping."""
    state = ChainState.of(chain, theta, theta_d)
    modes = [
        constant(body.link.integrals.K) @ delta + constant(body.link.damping) @ delta_d
        for body, delta, delta_d in zip(chain.bodies, state.delta, state.delta_d, strict=True)
        if isinstance(body.link, FlexibleLink)
    ]
    return assemble(chain, [ca.SX(0)] * len(modes), modes) + segment_damping(chain, theta_d)


def _friction(chain: Chain, state: ChainState) -> ca.SX:
    """Q_fd, (n_dof,): joint friction."""
    joints = [friction(body.joint, q_d) for body, q_d in zip(chain.bodies, state.q_d, strict=True)]
    return assemble(chain, joints, [ca.SX.zeros(delta.numel()) for delta in state.delta])


def _tip_wrench(chain: Chain, theta: ca.SX, force: ca.SX | None, moment: ca.SX | None) -> ca.SX:
    """Generalised forces of a wrench on the tip: its virtual work along dT/dtheta_i T^-1."""
    Q = ca.SX.zeros(chain.coordinates.n_dof)
    if force is None and moment is None:
        return Q
    matrices = locating_matrices(chain, ChainState.of(chain, theta, ca.SX.zeros(chain.coordinates.n_dof)))
    T = matrices[-1]
    if force is not None:
        Q += ca.jacobian(T[1:, 0], theta).T @ force
    if moment is not None:
        R = T[1:, 1:]
        for i in range(theta.numel()):
            rotation_rate = ca.reshape(ca.jacobian(ca.vec(R), theta[i]), 3, 3) @ R.T
            Q[i] += ca.dot(ca.inv_skew(rotation_rate), moment)
    return Q
