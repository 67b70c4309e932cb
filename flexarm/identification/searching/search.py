"""Search for the least squares: a window over the runs that grows, then all of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from flexarm.errors import FlexarmError, SolverError
from flexarm.identification.searching.fit_problem import Evaluation, FitProblem
from flexarm.progress import Progress

LOOSE, TIGHT = 1e-3, 1e-10
"""Relative changes of squares and unknowns that end a search within a window, and over all rows."""
SHORTEST = 1 / 64
"""First window, of what follows the start of the motion."""
GROWTH, GROWTH_WITH_IMPACTS = 2.0, 1.25
"""How much longer each window is than the one before; where an arm meets walls the squares have a kink for each impact
that may come before or after a row, and a valley for each number of impacts: few new ones at a time."""
ROWS_FOR_EACH = 4
"""Least rows of a window for each unknown."""
COARSE = 0.05
"""Noise assumed while the window grows, of the standard deviation of a column."""
FAR, FARTHER = np.log(3.0), 100.0
"""How far from the start an unknown is held that the data do not tell, in scales and logarithms: while the window
grows, and over all rows. As deviations of the noise they move what is known by a part of its standard error."""
MOVED = 0.02
"""Part of the largest deviation of a column by which it has moved from its start."""
MOST_EVALUATIONS = 40
"""Evaluations within one window."""
FLOOR = 1e-9
"""Least noise of a column, of its standard deviation."""
SAME_NOISE, NOISE_ROUNDS = 0.01, 4
"""Relative change of the noise that is estimated that ends its estimation, and how often that is done at most."""


@dataclass
class Best:
    """Best unknowns so far.

    Attributes
    ----------
    x : (n,)
    found : Evaluation or None
        Over all rows.
    cost : float
        Sum of squares of the present stage.
    converged : bool
        Whether the last search over all rows ended by itself.
    noise : (c,)
        Of the columns.
    obstacle : str
        Why the arm could not be followed where the last search over all rows tried to go; empty if it could.
    """

    x: np.ndarray
    found: Evaluation | None = None
    cost: float = np.inf
    converged: bool = False
    noise: np.ndarray = field(default_factory=lambda: np.empty(0))
    obstacle: str = ""


class Search:
    """Search of one fit, from one start.

    Parameters
    ----------
    problem : FitProblem
    given : (c,)
        Noise of columns that is known, NaN where it is to be estimated.
    progress : callable, optional
    """

    def __init__(self, problem: FitProblem, given: np.ndarray, progress: Progress | None = None):
        self.problem, self.given, self._progress = problem, given, progress
        outputs = [run.measurement.outputs for run in problem.runs]
        spread = np.concatenate(outputs).std(axis=0) if outputs else np.empty(0)
        self.spread = np.where(spread > 0, spread, 1.0)
        self._x0 = np.zeros(len(problem.unknowns))
        self.best = Best(self._x0)

    def run(self, x0: np.ndarray) -> Best:
        """Search from places x0 (n,); Ctrl-C, raised by the progress, passes through, and `best` is kept.

        Raises
        ------
        FlexarmError
            The start itself makes no arm that moves.
        """
        self.best, self._x0 = Best(x0), x0
        windows = self._windows()
        coarse = COARSE * self.spread
        stages = len(windows) + 1
        for k, rows in enumerate(windows):
            self._stage(rows, coarse, far=FAR, tolerance=LOOSE, reached=(k / stages, 1 / stages))
        noise = np.where(np.isnan(self.given), coarse, self.given)
        for k in range(NOISE_ROUNDS):
            left = 0.5**k / stages
            self.best.converged = self._stage(
                None, noise, far=FARTHER, tolerance=TIGHT, reached=(1 - left, left / 2)
            )
            before, noise = noise, self.estimated_noise(self.best)
            if (np.abs(noise - before) <= SAME_NOISE * before).all():
                break
        self.best.noise = noise
        return self.best

    def estimated_noise(self, best: Best) -> np.ndarray:
        """Noise (c,) of the columns: what was given, else the standard deviation of what is left over."""
        assert best.found is not None
        if not self.problem.runs:
            return np.empty(0)
        left = np.concatenate(self.problem.column_residuals(best.found))
        free = max(1 - len(self.problem.unknowns) / left.size, 1 / left.size)
        own = np.sqrt((left**2).mean(axis=0) / free)
        return np.where(np.isnan(self.given), np.maximum(own, FLOOR * self.spread), self.given)

    def _windows(self) -> list[list[int]]:
        """Rows of each run in windows that grow from where the columns begin to move."""
        if not self.problem.runs:
            return []
        n, found = len(self.problem.unknowns), []
        growth = GROWTH_WITH_IMPACTS if any(run.has_events for run in self.problem.runs) else GROWTH
        count = round(np.log(1 / SHORTEST) / np.log(growth))
        for part in growth ** -np.arange(count, 0, -1.0):
            rows = []
            for run in self.problem.runs:
                outputs = run.measurement.outputs
                away = np.abs(outputs - outputs[0])
                first = int(np.argmax((away > MOVED * away.max(axis=0)).any(axis=1)))
                rows.append(
                    min(first + max(int(part * (len(outputs) - first)), ROWS_FOR_EACH * n), len(outputs))
                )
            if not found or rows != found[-1]:
                found.append(rows)
        return [rows for rows in found if rows != [run.measurement.times.size for run in self.problem.runs]]

    def _stage(
        self, rows: Sequence[int] | None, noise: np.ndarray, far: float, tolerance: float,
        reached: tuple[float, float],
    ) -> bool:  # fmt: skip
        """Minimise over some rows, from the best so far, and say whether that ended by itself.

        Unknowns are held weakly at the start: so far away they count as one standard deviation of the noise.
        """
        from scipy.optimize import least_squares  # help comes quicker without

        stage = _Stage(self.problem, rows, noise, (self._x0, far), self._tracked(reached))
        low, high = self.problem.bounds
        start = np.clip(self.best.x, low, high)
        try:
            stage.residuals(start)
        except FlexarmError:
            if np.array_equal(start, self._x0):
                raise  # in words
            start = self._x0  # a shorter window has led astray
            stage.residuals(start)
        stage.begun = True
        try:
            ended = least_squares(
                stage.residuals, start, stage.jacobian,  # pyright: ignore[reportArgumentType]
                bounds=(low, high), method="trf", x_scale="jac", ftol=tolerance, xtol=tolerance, gtol=tolerance,
                max_nfev=MOST_EVALUATIONS,
            )  # fmt: skip
        finally:
            if stage.best_x is not None:
                self.best.x, self.best.cost = stage.best_x, stage.best_cost
                if rows is None:
                    self.best.found, self.best.obstacle = stage.best_found, stage.obstacle
        return ended.status > 0

    def _tracked(self, reached: tuple[float, float]) -> Callable[[int], Progress | None]:
        """Progress of a stage, which does not know how many evaluations it takes."""
        begin, length = reached
        progress = self._progress
        if progress is None:
            return lambda count: None
        return lambda count: lambda fraction, t: progress(begin + length * count / (count + 4), None)


class _Stage:
    """Residuals and Jacobian for SciPy, evaluated together once for each place; the best is kept."""

    def __init__(
        self, problem: FitProblem, rows: Sequence[int] | None, noise: np.ndarray,
        held: tuple[np.ndarray, float], tracked: Callable[[int], Progress | None],
    ):  # fmt: skip
        self._problem, self._rows, self._noise = problem, rows, noise
        self._held, self._tracked = held, tracked
        self._last: tuple[np.ndarray, np.ndarray, np.ndarray] | None = None
        self._count, self.begun = 0, False
        self.best_x: np.ndarray | None = None
        self.best_cost, self.best_found, self.obstacle = np.inf, None, ""

    def residuals(self, x: np.ndarray) -> np.ndarray:
        """Residuals (N,); infinite where the arm cannot be simulated, so that the search takes shorter steps."""
        if self._last is not None and np.array_equal(x, self._last[0]):
            return self._last[1]
        self._count += 1
        try:
            found = self._problem.evaluate(x, self._rows, self._tracked(self._count))
        except FlexarmError as fault:
            if not self.begun or self._last is None:
                raise
            self.obstacle = fault.message
            return np.full_like(self._last[1], np.inf)
        r, J = self._problem.residuals(found, self._noise)
        x0, far = self._held
        r = np.concatenate([r, (x - x0) / far])
        J = np.concatenate([J, np.eye(x.size) / far])
        if not (np.isfinite(r).all() and np.isfinite(J).all()):
            if not self.begun:
                raise SolverError("the motion from the start of the fit is not finite")
            return np.full_like(r, np.inf)
        cost = float(r @ r)
        if cost < self.best_cost:
            self.best_x, self.best_cost, self.best_found = x.copy(), cost, found
        self._last = x.copy(), r, J
        return r

    def jacobian(self, x: np.ndarray) -> np.ndarray:
        """Jacobian (N, n) where residuals were asked for last, or again."""
        self.residuals(x)
        assert self._last is not None
        return self._last[2]
