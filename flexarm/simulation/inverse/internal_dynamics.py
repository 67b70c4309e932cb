"""Internal dynamics: the state equation that is left of an arm's equations of motion when its task is fulfilled."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import casadi as ca
import numpy as np

from flexarm.codegen.native import NativeFunction, compile_native
from flexarm.description.arm.arm import Arm
from flexarm.model.chain import Chain
from flexarm.simulation.inverse.task.reference_trajectory import ReferenceSamples, ReferenceTrajectory
from flexarm.simulation.inverse.task.task import Task

DIFFERENCE = 1e-7
"""Step of the differences in :meth:`InternalDynamics.jacobians`, of the largest value of a component."""
LEAST_SCALE = 1e-3
"""Value that a component is taken to have at least."""

Motion = tuple[np.ndarray, np.ndarray, np.ndarray]
"""theta, theta_d and theta_dd over time, each (k, n_dof) [rad, m; per s; per s^2]."""


@dataclass(frozen=True)
class InternalDynamics:
    """Internal dynamics of an arm and its task, see :func:`~.internal_dynamics_derivation.derive_internal_dynamics`.

    Attributes
    ----------
    arm : Arm
    chain : Chain
    task : Task
    rigid : bool
        Whether the deflections are zero by definition.
    t, y, w : SX
        Time; state [theta, delta_d], (n_y,); values and rates of the task [p, p_d, p_dd], (3 rows,).
    y_d : SX (n_y,)
        Rate of the state.
    motion : SX (3 n_dof,)
        theta, theta_d and theta_dd one after the other.

    Notes
    -----
    Input-output linearisation of the arm with the task as its output; [Isidori1995] chapters 4 and 5.
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
        """Rows of the joint angles in the state."""
        return list(self.chain.coordinates.moving_joints)

    @property
    def mode_rows(self) -> list[int]:
        """Rows of the modal amplitudes in the state; none for a rigid arm."""
        return [] if self.rigid else list(self.chain.coordinates.all_modes)

    @property
    def rate_rows(self) -> list[int]:
        """Rows of the rates of the modal amplitudes in the state."""
        return list(range(self.n_y - len(self.mode_rows), self.n_y))

    def state(self, theta: np.ndarray, delta_d: np.ndarray | None = None) -> np.ndarray:
        """States (.., n_y) [rad, m, m/s] from theta (.., n_dof) and delta_d (.., modes), zero by default."""
        rates = np.zeros((*theta.shape[:-1], len(self.mode_rows))) if delta_d is None else delta_d
        return np.concatenate([theta, rates], axis=-1)

    def along(self, reference: ReferenceTrajectory) -> ca.Function:
        """State equation (t, y, p, u) -> y_d with a reference trajectory put in; u are its tables."""
        desired = ca.vertcat(reference.p, reference.p_d, reference.p_dd)
        y_d = ca.substitute(ca.substitute(self.y_d, self.w, desired), reference.t, self.t)
        inputs = [self.t, self.y, ca.SX.sym("p", 0), reference.u]
        return ca.Function("rates", inputs, [ca.cse(ca.densify(y_d))])

    def rates(self, times: np.ndarray, states: np.ndarray, desired: ReferenceSamples) -> np.ndarray:
        """Rates (k, n_y) of states (k, n_y) at times (k,) [s] and desired values of the task."""
        return self._native_rates.map(times, _inputs(states, desired))

    def full_motion(self, times: np.ndarray, states: np.ndarray, desired: ReferenceSamples) -> Motion:
        """Whole motion theta, theta_d, theta_dd of states (k, n_y) at times (k,) [s] and desired values of the task."""
        theta, theta_d, theta_dd = np.split(
            self._native_motion.map(times, _inputs(states, desired)), 3, axis=1
        )
        return theta, theta_d, theta_dd

    def jacobian(self, time: float, state: np.ndarray, p: np.ndarray) -> np.ndarray:
        """Exact derivative (n_y, n_y) of the rates by the state (n_y,), with the task at rest at p (rows,)."""
        desired = np.concatenate([p, np.zeros(2 * p.size)])
        return self._exact_jacobian(time, state, desired).full()

    def jacobians(self, times: np.ndarray, states: np.ndarray, desired: ReferenceSamples) -> np.ndarray:
        """Derivatives (k, n_y, n_y) of the rates [per s] by states (k, n_y), by forward differences.

        Good enough for a Newton matrix, which has an influence on the number of corrections but none on the solution;
        for a spatial arm the exact derivatives are a hundred thousand operations that take longer to compile.
        """
        inputs = _inputs(states, desired)
        base = self._native_rates.map(times, inputs)
        result = np.empty((len(times), self.n_y, self.n_y))
        for column, largest in enumerate(np.abs(states).max(axis=0)):
            moved = inputs.copy()
            moved[:, column] += DIFFERENCE * max(largest, LEAST_SCALE)
            change = moved[:, column] - inputs[:, column]
            result[:, :, column] = (self._native_rates.map(times, moved) - base) / change[:, None]
        return result

    @cached_property
    def _native_rates(self) -> NativeFunction:
        return compile_native(self._of_state_and_task(self.y_d))

    @cached_property
    def _native_motion(self) -> NativeFunction:
        return compile_native(self._of_state_and_task(self.motion))

    @cached_property
    def _exact_jacobian(self) -> ca.Function:
        # evaluated a few times only: its compilation would take longer than all that
        return ca.Function("jacobian", [self.t, self.y, self.w], [ca.densify(ca.jacobian(self.y_d, self.y))])

    def _of_state_and_task(self, expression: ca.SX) -> ca.Function:
        """(t, [y, w]) -> expression."""
        inputs = [self.t, ca.vertcat(self.y, self.w), ca.SX.sym("p", 0)]
        return ca.Function("internal", inputs, [ca.cse(ca.densify(expression))])


def _inputs(states: np.ndarray, desired: ReferenceSamples) -> np.ndarray:
    """[y, w] for many times, (k, n_y + 3 rows)."""
    return np.ascontiguousarray(np.concatenate([states, *desired], axis=1))
