"""Derivation of the internal dynamics of an arm that fulfils a task: [SY94] eq. 25.

The prescribed coordinates take the joints' freedom away; what moves freely are the deflections, and with them whatever
else has no drive: a floating base, and the joint with which link 1 turns on a planar one. All of these are `delta`
here. The state is ``y = [theta, delta_d]``, and the joint rates follow from the rates of the task,

    q_d = J_r^+ (p_d - J_f delta_d),

which is [SY94] eq. 9 solved for them, of least norm where there are more joints than task rows. Its derivative, which
is linear in delta_dd, takes the place of q_dd in the deflection equations (eq. 2), which determine delta_dd; the joint
equations (eq. 1) give the torques.
"""

from __future__ import annotations

import casadi as ca

from flexarm.description.arm.arm import Arm
from flexarm.formulations.formulation import make_formulation
from flexarm.formulations.linear_algebra import ldl_solve
from flexarm.model.chain import Chain
from flexarm.simulation.forces.applied_forces import applied_forces, with_drives
from flexarm.simulation.forces.time_functions import Signals
from flexarm.simulation.inverse.internal_dynamics import InternalDynamics
from flexarm.simulation.inverse.task.minimal_coordinates import chain_motion_of
from flexarm.simulation.inverse.task.task import Task


def derive_internal_dynamics(
    arm: Arm, chain: Chain, task: Task, duration: float, *, rigid: bool = False
) -> InternalDynamics:
    """Derive the internal dynamics of an arm that fulfils a task.

    Parameters
    ----------
    duration : float [s]
        Of the trajectory; loads are before and after it what they are at its ends.
    rigid : bool
        Take the links for rigid; the state has their deflections, zero, but no rates of them.

    Notes
    -----
    Differs from source: [SY94] eq. 25 integrates the joint rates with the rest of the state. They follow from eq. 9 at
    every instant, so here they are no part of it; the solution is the same, and no drift of the tip's rate arises.
    """
    n, r = chain.coordinates.n_dof, task.size
    joints, internal = task.driven(chain), task.internal(chain, rigid=rigid)
    t, theta, v, w = (
        ca.SX.sym("t"),
        ca.SX.sym("theta", n),
        ca.SX.sym("delta_d", len(internal)),
        ca.SX.sym("w", 3 * r),
    )
    _, p_d, p_dd = ca.vertsplit(w, r)

    # rates: J_r q_d + J_f delta_d = p_d, eq. 9
    J = ca.jacobian(task.rows(chain, theta), theta)
    q_d = right_inverse_product(J[:, joints], p_d - J[:, internal] @ v)
    theta_d = ca.SX.zeros(n)
    theta_d[joints], theta_d[internal] = q_d, v

    # accelerations: q_dd = drift + B delta_dd, the derivative of the rates
    B = -right_inverse_product(J[:, joints], J[:, internal])
    drift = ca.jtimes(q_d, ca.vertcat(theta, p_d), ca.vertcat(theta_d, p_dd))

    # what is left of the equations without a drive: M_fq q_dd + M_ff delta_dd + bias_f = loads_f, eq. 2
    a = ca.SX.sym("delta_dd", len(internal))
    theta_dd = ca.SX.zeros(n)
    theta_dd[joints], theta_dd[internal] = drift + B @ a, a
    moving = chain_motion_of(chain, theta, theta_d, theta_dd)
    equations, signals = make_formulation(arm.run.formulation, chain), Signals(within(t, duration))
    needed = equations.inverse_dynamics(*moving)
    loads = applied_forces(with_drives(arm), chain, signals, moving.theta, moving.theta_d).forces(chain)
    balance = (loads - needed)[internal] if internal else ca.SX(0, 1)
    return InternalDynamics(
        arm, chain, task, rigid, t, ca.vertcat(theta, v), w, a, theta_d, theta_dd, balance
    )


def within(t: ca.SX, duration: float) -> ca.SX:
    """Time t [s], or the nearest end of the trajectory: before and after it nothing is known of the loads."""
    return ca.fmin(ca.fmax(t, 0.0), duration)


def right_inverse_product(J: ca.SX, B: ca.SX) -> ca.SX:
    """Least-norm solution X = J^+ B (n, m) of J X = B for a matrix J (r, n) of full rank, r <= n."""
    if J.size1() == J.size2():
        return ca.solve(J, B) if B.numel() else ca.SX(J.size2(), B.size2())
    return J.T @ ldl_solve(J @ J.T, B)
