"""Balance of generalised forces term by term: [NA04] eq. 24, for any formulation.

The equations of motion need only the sum; :func:`force_balance` shows which term gives how much.
"""

from __future__ import annotations

from typing import Generic, NamedTuple, TypeVar

import casadi as ca

from flexarm.formulations.assembly import assemble
from flexarm.formulations.dynamics.coupled_damping import coupled_damping
from flexarm.formulations.dynamics.energies import energies
from flexarm.formulations.dynamics.friction import friction
from flexarm.formulations.dynamics.joint_springs import motor_friction, spring_forces
from flexarm.formulations.kinematics.chain_state import ChainState, theta_rate
from flexarm.formulations.linear_algebra import constant
from flexarm.formulations.taylor import first_order
from flexarm.links import FlexibleLink
from flexarm.model.chain import Chain

Vector = TypeVar("Vector")


class ForceBalance(NamedTuple, Generic[Vector]):
    """Terms of the balance of generalised forces, (n_dof,) [N m, N] each; their sum is what drives and loads do.

    Attributes
    ----------
    inertia : Q_iF, velocity-dependent forces among them
    gravity : Q_g
    deformation : Q_def, strain and modal damping
    friction : Q_fd
    """

    inertia: Vector
    gravity: Vector
    deformation: Vector
    friction: Vector


def force_balance(chain: Chain, theta: ca.SX, theta_d: ca.SX, total: ca.SX) -> ForceBalance[ca.SX]:
    """Balance of the generalised forces, [NA04] eq. 24.

    Parameters
    ----------
    chain : Chain
    theta, theta_d : SX (n_theta,), (n_dof,)
    total : SX (n_dof,) [N m, N]
        Sum of all terms: the inverse dynamics of a formulation.

    Notes
    -----
    Differs from source: Q_SU, the payload's share and what the world does to the tip, has no term of its own; the
    payload's is in the first two, loads stand on the other side.
    """
    gravity = _gravity(chain, theta)
    if not chain.products_of_deflections:
        gravity = first_order(lambda x: _gravity(chain, x), theta, chain.coordinates.all_modes)
    deformation, rubbing = _deformation(chain, theta, theta_d), _friction(chain, theta, theta_d)
    return ForceBalance(total - gravity - deformation - rubbing, gravity, deformation, rubbing)


def resistance(chain: Chain, theta: ca.SX, theta_d: ca.SX) -> ca.SX:
    """Q_def + Q_fd: strain, modal damping and joint friction, (n_dof,) [N m, N]."""
    return _deformation(chain, theta, theta_d) + _friction(chain, theta, theta_d)


def _gravity(chain: Chain, theta: ca.SX) -> ca.SX:
    """Q_g, (n_dof,): derivative by theta_d of the rate of the potential energy, also where theta is a quaternion."""
    x, rates = ca.SX.sym("theta", theta.numel()), ca.SX.sym("theta_d", chain.coordinates.n_dof)
    power = ca.jtimes(energies(chain, x, 0 * rates).gravity, x, theta_rate(chain, x, rates))
    return ca.substitute(ca.densify(ca.gradient(power, rates)), x, theta)


def _deformation(chain: Chain, theta: ca.SX, theta_d: ca.SX) -> ca.SX:
    """Q_def, (n_dof,): derivative of the energies of strain and of joint springs, modal damping, dampers of springs."""
    state = ChainState.of(chain, theta, theta_d)
    modes = [
        constant(body.link.integrals.K) @ delta + constant(body.link.damping) @ delta_d
        if isinstance(body.link, FlexibleLink)
        else ca.SX.zeros(delta.numel())
        for body, delta, delta_d in zip(chain.bodies, state.delta, state.delta_d, strict=True)
    ]
    strain = assemble(chain, [ca.SX(0)] * len(modes), modes) + coupled_damping(chain, theta_d)
    return strain + spring_forces(chain, theta, theta_d)


def _friction(chain: Chain, theta: ca.SX, theta_d: ca.SX) -> ca.SX:
    """Q_fd, (n_dof,): friction of joints, of elastic ones on the motor's side."""
    state = ChainState.of(chain, theta, theta_d)
    joints = [friction(body.joint, q_d) for body, q_d in zip(chain.bodies, state.q_d, strict=True)]
    rubbing = assemble(chain, joints, [ca.SX.zeros(delta.numel()) for delta in state.delta])
    return rubbing + motor_friction(chain, theta, theta_d)
