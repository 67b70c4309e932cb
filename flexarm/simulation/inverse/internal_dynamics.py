"""Internal dynamics: what is left of an arm's equations of motion when its task is fulfilled."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import casadi as ca
import numpy as np

from flexarm.codegen.native import compile_native
from flexarm.codegen.native_function import NativeFunction
from flexarm.codegen.processor import processor
from flexarm.description.arm.arm import Arm
from flexarm.model.chain import Chain
from flexarm.simulation.inverse.task.reference_trajectory import ReferenceSamples, ReferenceTrajectory
from flexarm.simulation.inverse.task.task import Task
from flexarm.solvers.collocation import Linearisation

LANES = processor().lanes
"""Times at which the derivatives are evaluated at once."""

Motion = tuple[np.ndarray, np.ndarray, np.ndarray]
"""theta, theta_d and theta_dd over time in minimal coordinates, each (k, n_dof) [rad, m; per s; per s^2]."""


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
    t, y, w, a : SX
        Time; state [theta, delta_d], (n_y,), in minimal coordinates, delta being all that has no drive; values and
        rates of the task [p, p_d, p_dd], (3 rows,); second rates delta_dd (modes,).
    theta_d, theta_dd : SX (n_dof,)
        Rates and second rates of the coordinates with which the task is fulfilled.
    balance : SX (modes,)
        Forces on the modal amplitudes that are left over, linear in a; zero in a motion [N].

    Notes
    -----
    Input-output linearisation of the arm with the task as its output; [Isidori1995] chapters 4 and 5. Methods that
    solve boundary value problems take the equations as they stand, ``balance = 0``: solved for the second rates their
    matrix M_ff + M_fq B, whose condition may be 1e6, would multiply every residual.
    """

    arm: Arm
    chain: Chain
    task: Task
    rigid: bool
    t: ca.SX
    y: ca.SX
    w: ca.SX
    a: ca.SX
    theta_d: ca.SX
    theta_dd: ca.SX
    balance: ca.SX

    @property
    def n_y(self) -> int:
        """Length of the state."""
        return self.y.numel()

    @property
    def joint_rows(self) -> list[int]:
        """Rows of the driven joints' angles in the state."""
        return self.task.driven(self.chain)

    @property
    def undriven_rows(self) -> list[int]:
        """Rows in the state of all that has no drive: modal amplitudes, none if rigid; passive joints; the base."""
        return self.task.internal(self.chain, rigid=self.rigid)

    @property
    def rate_rows(self) -> list[int]:
        """Rows of their rates in the state."""
        return list(range(self.n_y - len(self.undriven_rows), self.n_y))

    def state(self, theta: np.ndarray, delta_d: np.ndarray | None = None) -> np.ndarray:
        """States (.., n_y) [rad, m, m/s] from theta (.., n_dof) and delta_d (.., modes), zero by default."""
        rates = np.zeros((*theta.shape[:-1], len(self.undriven_rows))) if delta_d is None else delta_d
        return np.concatenate([theta, rates], axis=-1)

    @cached_property
    def delta_dd(self) -> ca.SX:
        """Second rates of the modal amplitudes as functions of the state (modes,) [m/s^2]: balance = 0 solved."""
        if not self.a.numel():
            return ca.SX(0, 1)
        rest = ca.substitute(self.balance, self.a, ca.SX.zeros(self.a.numel()))
        return ca.solve(ca.densify(-ca.jacobian(self.balance, self.a)), rest)

    @cached_property
    def y_d(self) -> ca.SX:
        """Rate of the state, (n_y,)."""
        return ca.vertcat(self.theta_d, self.delta_dd)

    def along(self, reference: ReferenceTrajectory) -> ca.Function:
        """State equation (t, y, p, u) -> y_d with a reference trajectory put in; u are its tables."""
        desired = ca.vertcat(reference.p, reference.p_d, reference.p_dd)
        y_d = ca.substitute(ca.substitute(self.y_d, self.w, desired), reference.t, self.t)
        inputs = [self.t, self.y, ca.SX.sym("p", 0), reference.u]
        return ca.Function("rates", inputs, [ca.cse(ca.densify(y_d))])

    def full_motion(
        self,
        times: np.ndarray,
        states: np.ndarray,
        desired: ReferenceSamples,
        delta_dd: np.ndarray | None = None,
    ) -> Motion:
        """Whole motion theta, theta_d, theta_dd of states (k, n_y) at times (k,) [s] and desired values of the task.

        The second rates delta_dd (k, modes) are those that the state equation gives unless they are known.
        """
        if delta_dd is None:
            delta_dd = (
                self._native_delta_dd.map(times, _inputs(states, desired))
                if self.a.numel()
                else np.empty((len(times), 0))
            )
        moving = self._native_motion.map(times, _inputs(states, desired, delta_dd))
        theta_d, theta_dd = np.split(moving, 2, axis=1)
        return states[:, : theta_d.shape[1]].copy(), theta_d, theta_dd

    def residual(
        self, times: np.ndarray, states: np.ndarray, desired: ReferenceSamples, rates: np.ndarray
    ) -> np.ndarray:
        """What joint rates and forces are off, [q_d - rate; balance] (k, joints + modes) [rad/s, N].

        Parameters
        ----------
        times : (k,) [s]
        states : (k, n_y)
        desired : ReferenceSamples
        rates : (k, joints + modes)
            q_d and delta_dd.
        """
        n_q = len(self.joint_rows)
        values = self._native_residual.map(times, _inputs(states, desired, rates[:, n_q:]))
        values[:, :n_q] -= rates[:, :n_q]
        return values

    def linearised(
        self, times: np.ndarray, states: np.ndarray, desired: ReferenceSamples, rates: np.ndarray
    ) -> Linearisation:
        """The residual and its exact derivatives, by one directional derivative for each component."""
        n_q, n_y, n_a = len(self.joint_rows), self.n_y, self.a.numel()
        inputs = _inputs(states, desired, rates[:, n_q:])
        along = np.pad(inputs, ((0, 0), (0, n_y + n_a)))
        result = np.empty((len(times), n_q + n_a, n_y + n_a))
        for column in range(n_y + n_a):
            along[:, inputs.shape[1] :] = 0.0
            along[:, inputs.shape[1] + column] = 1.0
            result[:, :, column] = self._native_derivative.map(times, along)
        by_rate = np.zeros((len(times), n_q + n_a, n_q + n_a))
        by_rate[:, range(n_q), range(n_q)] = -1.0
        by_rate[:, n_q:, n_q:] = result[:, n_q:, n_y:]
        return Linearisation(self.residual(times, states, desired, rates), result[:, :, :n_y], by_rate)

    @cached_property
    def _rates_and_forces(self) -> ca.SX:
        return ca.vertcat(self.theta_d[self.joint_rows], self.balance)

    @cached_property
    def _native_residual(self) -> NativeFunction:
        return self._compiled(self._rates_and_forces, [self.y, self.w, self.a])

    @cached_property
    def _native_derivative(self) -> NativeFunction:
        variables = ca.vertcat(self.y, self.a)
        direction = ca.SX.sym("direction", variables.numel())
        derivative = ca.jtimes(self._rates_and_forces, variables, direction)
        return self._compiled(derivative, [self.y, self.w, self.a, direction], LANES)

    @cached_property
    def _native_delta_dd(self) -> NativeFunction:
        return self._compiled(self.delta_dd, [self.y, self.w])

    @cached_property
    def _native_motion(self) -> NativeFunction:
        return self._compiled(ca.vertcat(self.theta_d, self.theta_dd), [self.y, self.w, self.a])

    def _compiled(self, expression: ca.SX, variables: Sequence[ca.SX], lanes: int = 1) -> NativeFunction:
        inputs = [self.t, ca.vertcat(*variables), ca.SX.sym("p", 0)]
        return compile_native(ca.Function("internal", inputs, [ca.cse(ca.densify(expression))]), lanes=lanes)


def _inputs(states: np.ndarray, desired: ReferenceSamples, *others: np.ndarray) -> np.ndarray:
    """[y, w, ..] for many times, (k, n_y + 3 rows + ..)."""
    return np.ascontiguousarray(np.concatenate([states, *desired, *others], axis=1))
