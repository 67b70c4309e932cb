"""Radau IIA advanced by numbers of steps, with the dense output of each: to be searched for events."""

from __future__ import annotations

import numpy as np

from flexarm.solvers.base import InitialValueProblem
from flexarm.solvers.compiled.kernel_code import Kernel
from flexarm.solvers.compiled.signature import Signature
from flexarm.solvers.events.dense_steps import FRACTIONS, N_NODES, DenseSteps
from flexarm.solvers.radau.method import SIGNATURE, Radau

DENSE_SIGNATURE = Signature(SIGNATURE.text + ", float64 horizon, float64* fractions")


class DenseRadau(Radau):
    """An integration by Radau IIA that is advanced by numbers of steps; see :class:`DenseIntegration`."""

    def __init__(self, problem: InitialValueProblem):
        super().__init__(problem)
        self._dense_kernel = Kernel(
            "radau.dense_steps_kernel.take_steps", DENSE_SIGNATURE,
            **self._arguments, m=N_NODES, fractions=FRACTIONS,
        )  # fmt: skip

    def take_steps(self, max_steps: int, horizon: float) -> DenseSteps:
        """Take at most some steps, of which none but the first begins beyond a time [s]."""
        times, states = np.empty((max_steps, N_NODES)), np.empty((max_steps, N_NODES, self.y.size))
        taken = self._dense_kernel(step_budget=max_steps, horizon=horizon, times=times, states=states)
        self._update_failure()
        return DenseSteps(times[:taken], states[:taken])
