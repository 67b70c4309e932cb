"""DOP853 that leaves a trail: the dense output of every step, to be searched for events."""

from __future__ import annotations

from ctypes import c_double, c_void_p

import numpy as np

from flexarm.solvers.base import Problem
from flexarm.solvers.compiled.kernel_code import native_kernel
from flexarm.solvers.dop853.method import ARGUMENTS, Dop853
from flexarm.solvers.events import FRACTIONS, N_NODES, DenseSteps


class TrailingDop853(Dop853):
    """An integration by DOP853 that is advanced by numbers of steps."""

    def __init__(self, problem: Problem):
        super().__init__(problem)
        self._trail_kernel = native_kernel(
            "dop853.dense_steps_kernel", *ARGUMENTS[:-2], c_double, *(c_void_p,) * 3
        )

    def trail(self, most_steps: int, horizon: float) -> DenseSteps:
        """Take some steps.

        Parameters
        ----------
        most_steps : int
        horizon : float [s]
            No step but the first begins beyond.

        Returns
        -------
        DenseSteps
            The steps taken; none of them if `failure` says why.
        """
        n = self.y.size
        times, states = np.empty((most_steps, N_NODES)), np.empty((most_steps, N_NODES, n))
        numbers, arrays = self._arguments
        taken = self._trail_kernel(
            *numbers, most_steps, n, N_NODES, *arrays,
            horizon, FRACTIONS.ctypes.data, times.ctypes.data, states.ctypes.data,
        )  # fmt: skip
        self._look()
        return DenseSteps(times[:taken], states[:taken])
