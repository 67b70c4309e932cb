"""The classical Runge-Kutta method advanced by numbers of steps, with the dense output of each."""

from __future__ import annotations

import numpy as np

from flexarm.solvers.base import InitialValueProblem
from flexarm.solvers.compiled.kernel_code import Kernel
from flexarm.solvers.compiled.signature import Signature
from flexarm.solvers.compiled.status import RUNNING, STATUS
from flexarm.solvers.events.dense_steps import FRACTIONS, N_NODES, DenseSteps
from flexarm.solvers.rk4.method import SIGNATURE, Rk4

DENSE_SIGNATURE = Signature(SIGNATURE.text + ", float64 horizon, float64* fractions")


class DenseRk4(Rk4):
    """An integration by the classical method that is advanced by numbers of steps; see :class:`DenseIntegration`."""

    def _restart(self, problem: InitialValueProblem) -> None:
        super()._restart(problem)
        self._dense_kernel = Kernel(
            "rk4.dense_steps_kernel.take_steps", DENSE_SIGNATURE,
            **self._problem_arguments(problem), **self._arrays, m=N_NODES, fractions=FRACTIONS,
        )  # fmt: skip

    def take_steps(self, max_steps: int, horizon: float) -> DenseSteps:
        """Take at most some steps, of which none but the first begins beyond a time [s]."""
        times, states = np.empty((max_steps, N_NODES)), np.empty((max_steps, N_NODES, self.y.size))
        if self.failure is not None:
            return DenseSteps(times[:0], states[:0])
        taken = self._dense_kernel(step_budget=max_steps, horizon=horizon, times=times, states=states)
        if (status := int(self._counters[STATUS])) != RUNNING:
            self.failure = self._failure(status)
        return DenseSteps(times[:taken], states[:taken])
