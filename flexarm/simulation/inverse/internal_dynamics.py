"""What is left of the equations of motion when the task is fulfilled: [SY94] eq. 25 as a state equation.

The prescribed coordinates take the joints' freedom away; what moves freely are the deflections. The state is
``y = [theta, delta_d]``, and the joint rates follow from the rates of the task,

    q_d = J_r^+ (p_d - J_f delta_d),

which is [SY94] eq. 9 solved for them, of least norm where there are more joints than task rows. Its derivative, which
is linear in delta_dd, takes the place of q_dd in the deflection equations (eq. 2); these are solved for delta_dd, and
the joint equations (eq. 1) give the torques.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import casadi as ca
import numpy as np

from flexarm.codegen.native import NativeFunction, compile_native
from flexarm.description.arm.arm import Arm
from flexarm.formulations.formulation import make_formulation
from flexarm.formulations.linear_algebra import ldl_solve
from flexarm.model.chain import Chain
from flexarm.simulation.forces.applied_forces import applied_forces, with_drives
from flexarm.simulation.forces.time_functions import Signals
from flexarm.simulation.inverse.task.reference_trajectory import ReferenceSamples, ReferenceTrajectory
from flexarm.simulation.inverse.task.task import Task

DIFFERENCE = 1e-7
"""Step of the differences in :meth:`InternalDynamics.jacobians`, of the largest value of a component."""
LEAST_SCALE = 1e-3
"""Value that a component is taken to have at least."""


@dataclass(frozen=True)
class InternalDynamics:
    """The state equation of an arm that fulfils a task, derived once.

    Attributes
    ----------
    arm : Arm
    chain : Chain
    task : Task
    rigid : bool
        Whether the deflections are held at zero.
    t, y, w : SX
        Time; state (n_y,); values and rates of the task [p, p_d, p_dd], (3 rows,).
    y_d : SX (n_y,)
        Rate of the state.
    motion : SX (3 n_dof,)
        theta, theta_d and theta_dd one after the other.
    """

    arm: Arm
    chain: Chain
    task: Task
    rigid: bool
    t: ca.SX
    y: ca.SX
    w: ca.SX
    y_d: ca.SX
    motion: ca.SX

    @property
    def n_y(self) -> int:
        """Length of the state."""
        return self.y.numel()

    @property
    def joint_rows(self) -> list[int]:
        """Where the joint angles are in the state."""
        return list(self.chain.coordinates.moving_joints)

    @property
    def mode_rows(self) -> list[int]:
        """Where the modal amplitudes are in the state; none for a rigid arm."""
        return [] if self.rigid else list(self.chain.coordinates.all_modes)

    @property
    def rate_rows(self) -> list[int]:
        """Where the rates of the modal amplitudes are in the state."""
        return list(range(self.n_y - len(self.mode_rows), self.n_y))

    def state(self, theta: np.ndarray, delta_d: np.ndarray | None = None) -> np.ndarray:
        """Make states from theta (.., n_dof) and rates of the modal amplitudes, zero by default."""
        rates = np.zeros((*theta.shape[:-1], len(self.mode_rows))) if delta_d is None else delta_d
        return np.concatenate([theta, rates], axis=-1)

    @cached_property
    def native(self) -> NativeFunction:
        """(t, [y, w]) -> y_d as machine code."""
        return compile_native(self._of_state_and_course(self.y_d))

    @cached_property
    def native_motion(self) -> NativeFunction:
        """(t, [y, w]) -> [theta, theta_d, theta_dd] as machine code."""
        return compile_native(self._of_state_and_course(self.motion))

    def along(self, path: ReferenceTrajectory) -> ca.Function:
        """State equation (t, y, p, u) -> y_d with the course of a trajectory put in; u are its tables."""
        course = ca.vertcat(path.p, path.p_d, path.p_dd)
        y_d = ca.substitute(ca.substitute(self.y_d, self.w, course), path.t, self.t)
        return ca.Function("rates", [self.t, self.y, ca.SX.sym("p", 0), path.u], [ca.cse(ca.densify(y_d))])

    def rates(self, times: np.ndarray, states: np.ndarray, course: ReferenceSamples) -> np.ndarray:
        """Rates of states (k, n_y) along a course."""
        return self.native.map(times, _with_course(states, course))

    def jacobian(self, time: float, state: np.ndarray, p: np.ndarray) -> np.ndarray:
        """Exact derivative of the rates by the state, (n_y, n_y), with the task at rest at p (rows,)."""
        course = np.concatenate([p, np.zeros(2 * p.size)])
        return self._jacobian(time, state, course).full()

    @cached_property
    def _jacobian(self) -> ca.Function:
        # evaluated a few times only: its compilation would take longer than all that
        return ca.Function("jacobian", [self.t, self.y, self.w], [ca.densify(ca.jacobian(self.y_d, self.y))])

    def jacobians(self, times: np.ndarray, states: np.ndarray, course: ReferenceSamples) -> np.ndarray:
        """Derivatives of the rates by the state for states (k, n_y), by forward differences: (k, n_y, n_y).

        Good enough for a Newton matrix, which has an influence on the number of corrections but none on the solution;
        for a spatial arm the exact derivatives are a hundred thousand operations that take longer to compile.
        """
        inputs = _with_course(states, course)
        base, result = self.native.map(times, inputs), np.empty((len(times), self.n_y, self.n_y))
        for column, largest in enumerate(np.abs(states).max(axis=0)):
            moved = inputs.copy()
            moved[:, column] += DIFFERENCE * max(largest, LEAST_SCALE)
            change = moved[:, column] - inputs[:, column]
            result[:, :, column] = (self.native.map(times, moved) - base) / change[:, None]
        return result

    def full_motion(
        self, times: np.ndarray, states: np.ndarray, course: ReferenceSamples
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return theta, theta_d and theta_dd, each (k, n_dof), of states (k, n_y) along a course."""
        theta, theta_d, theta_dd = np.split(
            self.native_motion.map(times, _with_course(states, course)), 3, axis=1
        )
        return theta, theta_d, theta_dd

    def _of_state_and_course(self, expression: ca.SX) -> ca.Function:
        inputs = [self.t, ca.vertcat(self.y, self.w), ca.SX.sym("p", 0)]
        return ca.Function("internal", inputs, [ca.cse(ca.densify(expression))])


def internal_dynamics(arm: Arm, chain: Chain, task: Task, *, rigid: bool = False) -> InternalDynamics:
    """Derive the state equation of an arm that fulfils a task.

    Parameters
    ----------
    rigid : bool
        Hold the deflections at zero; the state keeps them, so that it is laid out alike, but has no rates of them.

    Notes
    -----
    Differs from source: [SY94] eq. 25 integrates the joint rates with the rest of the state. They follow from eq. 9 at
    every instant, so here they are no part of it; the solution is the same, and no drift of the tip's rate arises.
    """
    layout = chain.coordinates
    n, r = layout.n_dof, task.size
    joints, modes = list(layout.moving_joints), [] if rigid else list(layout.all_modes)
    t, theta, v, w = (
        ca.SX.sym("t"),
        ca.SX.sym("theta", n),
        ca.SX.sym("delta_d", len(modes)),
        ca.SX.sym("w", 3 * r),
    )
    _, p_d, p_dd = ca.vertsplit(w, r)

    # rates: J_r q_d + J_f delta_d = p_d, eq. 9
    J = ca.jacobian(task.rows(chain, theta), theta)
    q_d = right_inverse_product(J[:, joints], p_d - J[:, modes] @ v)
    theta_d = ca.SX.zeros(n)
    theta_d[joints], theta_d[modes] = q_d, v

    # accelerations: q_dd = drift + lever delta_dd, the derivative of the rates
    lever = -right_inverse_product(J[:, joints], J[:, modes])
    drift = ca.jtimes(q_d, ca.vertcat(theta, p_d), ca.vertcat(theta_d, p_dd))

    # deflection equations: M_fq q_dd + M_ff delta_dd + bias_f = loads_f, eq. 2
    equations, signals = make_formulation(arm.run.formulation), Signals(t)
    M = equations.mass_matrix(chain, theta)
    loads = applied_forces(with_drives(arm), chain, signals, theta, theta_d)
    rest = loads.forces(chain) - equations.bias(chain, theta, theta_d)
    lhs = M[modes, modes] + M[modes, joints] @ lever
    delta_dd = ca.solve(lhs, rest[modes] - M[modes, joints] @ drift) if modes else ca.SX(0, 1)
    theta_dd = ca.SX.zeros(n)
    theta_dd[joints], theta_dd[modes] = drift + lever @ delta_dd, delta_dd
    return InternalDynamics(
        arm, chain, task, rigid, t, ca.vertcat(theta, v), w,
        y_d=ca.vertcat(theta_d, delta_dd),
        motion=ca.vertcat(theta, theta_d, theta_dd),
    )  # fmt: skip


def right_inverse_product(J: ca.SX, B: ca.SX) -> ca.SX:
    """J^+ B for a matrix J (r, n) of full rank, r <= n: the least solution X of J X = B."""
    if J.size1() == J.size2():
        return ca.solve(J, B) if B.numel() else ca.SX(J.size2(), B.size2())
    return J.T @ ldl_solve(J @ J.T, B)


def _with_course(states: np.ndarray, course: ReferenceSamples) -> np.ndarray:
    return np.ascontiguousarray(np.concatenate([states, *course], axis=1))
