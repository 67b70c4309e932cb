"""SciPy's methods for stiff arms, with right-hand side and exact Jacobian in machine code."""

from __future__ import annotations

import warnings
from time import perf_counter
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy import integrate

from flexarm.solvers.base import TIME_SLICE, Failure, InitialValueProblem, Integration

END = 1e10
"""End [s] that the methods are given where there is none: infinity would make LSODA's first step undefined."""
NEGLIGIBLE = 1e-4
"""Correction that counts as none, in units of the tolerance of one step."""


class ScipyIntegration(Integration):
    """An integration by one of SciPy's solver classes, step by step.

    SciPy counts accepted steps only: rejected ones show in `evaluations` alone, so `rejected` stays 0 and max_steps
    bounds the accepted steps.
    """

    solver_class: ClassVar[Any]
    rejected = 0

    def __init__(self, problem: InitialValueProblem):
        super().__init__(problem)
        self.steps = self._evaluations = 0
        self._solver: Any = None
        self._restart(problem)

    def _restart(self, problem: InitialValueProblem) -> None:
        self._evaluations = self.evaluations + 1
        self.t, self.y = problem.t0, np.array(problem.y0, dtype=float)
        self._solver, self._dense = None, lambda t: problem.y0
        if np.all(np.isfinite(problem.rhs(self.t, self.y, problem.p))):
            self._solver = self._make_solver(problem)
        else:
            self._fail(
                "the equations have no finite value "
                + ("from here on" if self.steps else "at the initial state")
            )

    @property
    def evaluations(self) -> int:
        """Evaluations of the right-hand side."""
        return self._evaluations + (self._solver.nfev if self._solver else 0)

    def _make_solver(self, problem: InitialValueProblem) -> Any:
        with np.errstate(all="ignore"):
            return self.solver_class(
                lambda t, y: problem.rhs(t, y, problem.p),
                problem.t0,
                self.y,
                min(problem.end, problem.t0 + END),
                max_step=problem.max_step,
                rtol=problem.rtol,
                atol=problem.atol,
                jac=self._jacobian,
            )

    def _jacobian(self, t: float, y: NDArray[np.float64]) -> NDArray[np.float64]:
        assert self.problem.jacobian is not None  # `start` sees to it
        matrix = self.problem.jacobian(t, y).reshape(y.size, y.size)
        if not np.all(np.isfinite(matrix)):
            raise _NotFiniteError
        return matrix

    def _advance(self, times: NDArray[np.float64]) -> NDArray[np.float64]:
        states: list[NDArray[np.float64]] = []
        end = perf_counter() + TIME_SLICE
        while True:
            while len(states) < times.size and times[len(states)] <= self.t:
                states.append(self._dense(times[len(states)]))
            if len(states) == times.size or self.failure or perf_counter() > end:
                return np.array(states).reshape(-1, self.y.size)
            self._step()

    def _step(self) -> None:
        if self.steps >= self.problem.max_steps:
            self._fail(f"the limit of {self.steps} steps is reached")
            return
        try:
            with np.errstate(all="ignore"), warnings.catch_warnings():
                warnings.simplefilter("ignore")
                message = self._solver.step()
        except _NotFiniteError:
            self._fail("the equations' derivatives have no finite value here")
            return
        if self._solver.status == "failed" or not np.all(np.isfinite(self._solver.y)):
            self._fail("no further step succeeds" + (f" ({message.rstrip('.').lower()})" if message else ""))
            return
        short = self._solver.t - self.t <= 10 * np.spacing(abs(self.t))
        if short and self._solver.status != "finished":  # LSODA goes on without getting on
            self._fail("the step fell to round-off")
            return
        self.steps += 1
        self.t, self.y = float(self._solver.t), self._solver.y
        self._dense = self._solver.dense_output()

    def _fail(self, reason: str) -> None:
        remedy = (
            "check the arm's configuration, drives and loads at this time, loosen rtol, or try method: dop853"
        )
        self.failure = Failure(self.t, reason, remedy)


class Bdf(ScipyIntegration):
    """Backward differentiation formulas of order 1 to 5 in quasi-constant steps; damps undamped vibration.

    Notes
    -----
    [ShampineReichelt1997]; SciPy's program.
    """

    solver_class = integrate.BDF

    def _make_solver(self, problem: InitialValueProblem) -> Any:
        """Make the solver, in whose iteration a correction far below the tolerance counts as none.

        SciPy's iteration has failed when a correction is not smaller than the one before, which is up to chance where
        both are round-off: an arm that lies still would have its step cut down to nothing.
        """
        solver = super()._make_solver(problem)
        solve = solver.solve_lu

        def correction(lu: Any, residual: NDArray[np.float64]) -> NDArray[np.float64]:
            change = solve(lu, residual)
            scale = problem.atol + problem.rtol * np.abs(solver.y)
            return np.zeros_like(change) if np.all(np.abs(change) < NEGLIGIBLE * scale) else change

        solver.solve_lu = correction
        return solver


class Lsoda(ScipyIntegration):
    """Adams and backward differentiation formulas, changed over as stiffness comes and goes.

    Notes
    -----
    [Petzold1983]; ODEPACK's program as wrapped by SciPy.
    """

    solver_class = integrate.LSODA


class _NotFiniteError(ArithmeticError):
    """The Jacobian contains infinities or NaN."""
