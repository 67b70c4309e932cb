"""What the compiled integrators share: calls of about one time slice each, and the words for failures."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from flexarm.solvers.base import TIME_SLICE, Failure, Integration, Problem

# How a call of a compiled kernel ends; one that can start by itself is told so by the last of these.
RUNNING, TOO_MANY_STEPS, STEP_TOO_SMALL, NOT_FINITE, STARTING = range(5)

STIFF_REMEDY = (
    "if the arm is stiff or strongly damped try method: radau; otherwise loosen rtol or raise max_steps"
)


# Entries of count, which every kernel keeps: statistics, and how its last call ended.
STEPS, REJECTED, EVALUATIONS, STATUS = range(4)


class Counted:
    """What a kernel counts of an integration."""

    _count: NDArray[np.int64]

    @property
    def steps(self) -> int:
        """Steps taken."""
        return int(self._count[STEPS])

    @property
    def rejected(self) -> int:
        """Steps tried in vain."""
        return int(self._count[REJECTED])

    @property
    def evaluations(self) -> int:
        """Evaluations of the right-hand side."""
        return int(self._count[EVALUATIONS])


class Budget:
    """Steps that a kernel may take in one call, so many that it takes about a time slice."""

    def __init__(self):
        self.steps = 100  # of the first call: a few milliseconds for the largest arms

    def adapt(self, seconds: float) -> None:
        """All steps were taken, in this time."""
        self.steps = max(1, int(self.steps * min(TIME_SLICE / max(seconds, 1e-9), 10.0)))


class CompiledIntegration(Counted, Integration):
    """An integration whose steps are taken by compiled code, a measured number of them per call.

    Parameters
    ----------
    problem : Problem
    kernel : callable
        See :func:`~flexarm.solvers.compiled.kernel_code.native_kernel`; its arguments are the numbers of `_bind`, the
        budget of steps, the numbers of states and samples, the arrays of `_bind`, times and states.
    """

    def __init__(self, problem: Problem, kernel: Callable[..., int]):
        super().__init__(problem)
        self._kernel, self._budget = kernel, Budget()

    def _bind(self, numbers: Sequence[float], arrays: Sequence[NDArray]) -> None:
        """Fix what is the same in every call of the kernel: numbers of the method, and arrays that it changes."""
        self._bound = arrays  # whose addresses are handed over
        self._arguments = (self.problem.rhs.address, *numbers), tuple(array.ctypes.data for array in arrays)

    def _advance(self, times: NDArray[np.float64]) -> NDArray[np.float64]:
        states = np.empty((times.size, self.problem.y0.size))
        steps, began = self.steps, perf_counter()
        filled, status = self._run(times, states, self._budget.steps)
        if self.steps - steps == self._budget.steps:
            self._budget.adapt(perf_counter() - began)
        if status != RUNNING:
            self.failure = self._failure(status)
        return states[:filled]

    def _run(self, times: NDArray[np.float64], states: NDArray[np.float64], budget: int) -> tuple[int, int]:
        """Take at most `budget` steps; return the number of states filled in and how it ended."""
        numbers, arrays = self._arguments
        filled = self._kernel(
            *numbers, budget, self.y.size, times.size, *arrays, times.ctypes.data, states.ctypes.data
        )
        return filled, int(self._count[STATUS])

    def _failure(self, status: int) -> Failure:
        return failure(status, self.t, self.problem.max_steps)


def failure(status: int, t: float, max_steps: int) -> Failure:
    """Say why a kernel has ended an integration at a time t [s]."""
    smallest_step = 10 * float(np.spacing(abs(t)))
    reason, remedy = {
        TOO_MANY_STEPS: (f"the limit of {max_steps} steps is reached", STIFF_REMEDY),
        STEP_TOO_SMALL: (
            f"the step fell below {smallest_step:.1g} s: the equations are singular or stiff here",
            "check the arm's configuration and drives at this time, or try method: radau",
        ),
        NOT_FINITE: (
            "the equations have no finite value from here on",
            "look for an expression that becomes infinite or undefined, or a singular mass matrix",
        ),
    }[status]
    return Failure(t, reason, remedy)
