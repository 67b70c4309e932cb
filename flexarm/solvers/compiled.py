"""What the compiled integrators share: calls of about one time slice each, and the words for failures."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from flexarm.solvers.base import TIME_SLICE, Failure, Integration, Problem

# How a call of a compiled kernel ends.
RUNNING, TOO_MANY_STEPS, STEP_TOO_SMALL, NOT_FINITE = range(4)

STIFF_REMEDY = (
    "if the arm is stiff or strongly damped try method: radau; otherwise loosen rtol or raise max_steps"
)


# Entries of count, which every kernel keeps: statistics, how its last call ended, and whether the polynomials of the
# last step are there already.
STEPS, REJECTED, EVALUATIONS, STATUS, HAS_DENSE = range(5)


class CompiledIntegration(Integration):
    """An integration whose steps are taken by compiled code, a measured number of them per call.

    Parameters
    ----------
    problem : Problem
    kernel : callable
        See :func:`~flexarm.solvers.native_kernel.native_kernel`; its arguments are those of `_bind`, the limit and
        the budget of steps, the numbers of states and samples, count and the arrays of `_bind`, times and states.
    """

    def __init__(self, problem: Problem, kernel: Callable[..., int]):
        super().__init__(problem)
        self.y = np.array(problem.y0, dtype=float)
        self._kernel = kernel
        self._count = np.zeros(5, dtype=np.int64)
        self._budget = 100  # steps of the first call: a few milliseconds for the largest arms

    def _bind(self, numbers: Sequence[float], arrays: Sequence[NDArray]) -> None:
        """Fix what is the same in every call of the kernel: numbers of the method, and arrays that it changes."""
        p = self.problem.p
        self._numbers = self.problem.rhs.address, p.ctypes.data, p.size, *numbers, self.problem.max_steps
        self._arrays = tuple(array.ctypes.data for array in (self._count, *arrays))

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

    def _advance(self, times: NDArray[np.float64]) -> NDArray[np.float64]:
        states = np.empty((times.size, self.problem.y0.size))
        steps, began = self.steps, perf_counter()
        filled, status = self._run(times, states, self._budget)
        if self.steps - steps == self._budget:
            growth = TIME_SLICE / max(perf_counter() - began, 1e-9)
            self._budget = max(1, int(self._budget * min(growth, 10.0)))
        if status != RUNNING:
            self.failure = self._failure(status)
        return states[:filled]

    def _run(self, times: NDArray[np.float64], states: NDArray[np.float64], budget: int) -> tuple[int, int]:
        """Take at most `budget` steps; return the number of states filled in and how it ended."""
        filled = self._kernel(
            *self._numbers, budget, self.y.size, times.size,
            *self._arrays, times.ctypes.data, states.ctypes.data,
        )  # fmt: skip
        return filled, int(self._count[STATUS])

    def _failure(self, status: int) -> Failure:
        reason, remedy = {
            TOO_MANY_STEPS: (f"the limit of {self.problem.max_steps} steps is reached", STIFF_REMEDY),
            STEP_TOO_SMALL: (
                f"the step fell below {self._smallest_step():.1g} s: "
                "the equations are singular or stiff here",
                "check the arm's configuration and drives at this time, or try method: radau",
            ),
            NOT_FINITE: (
                "the equations have no finite value from here on",
                "look for an expression that becomes infinite or undefined, or a singular mass matrix",
            ),
        }[status]
        return Failure(self.t, reason, remedy)

    def _smallest_step(self) -> float:
        return 10 * float(np.spacing(abs(self.t)))
