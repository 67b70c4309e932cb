"""Newton's method for collocated boundary value problems, damped by the affine invariant monotonicity test.

A correction is judged by the simplified correction that follows it, computed with the same matrix: it must be smaller.
Other than the size of the residuals, this test does not depend on how rows and variables are scaled [Deuflhard2004,
section 3.3]. As long as the simplified corrections shrink quickly they are taken, without a new matrix.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from flexarm.errors import SolverError
from flexarm.solvers.boundary import Boundary, FreeEnds
from flexarm.solvers.collocation import CollocationSolution, ImplicitEquations, Scheme, gauss_times, tableau
from flexarm.solvers.condensation import CondensedSystem, SingularSystemError, StageMaps

ITERATIONS = 40
CONVERGED = 1e-11
"""Size of a correction that ends the iteration."""
ROUND_OFF = 1e-6
"""Size of a correction below which one that does not get smaller is taken for round-off."""
MIN_DAMPING = 1 / 1024
"""Smallest damping factor of a correction."""
REUSED = 0.1
"""Ratio of two corrections below which the matrix is kept."""

Measure = Callable[[np.ndarray, np.ndarray], float]
"""From corrections (m + 1, n) and states (m + 1, n) to the size of the correction."""


class ConvergenceError(SolverError):
    """Newton's method stalls; the place of the largest residual is known.

    Attributes
    ----------
    time : float [s]
    row : int
        Number of the equation.
    size : float
        The residual there.
    corrections : int
        Those that were done.
    """

    def __init__(self, message: str, time: float, row: int, size: float, corrections: int):
        super().__init__(message)
        self.time, self.row, self.size, self.corrections = time, row, size, corrections


def relative_change(dY: np.ndarray, Y: np.ndarray) -> float:
    """Largest correction, of the largest value of each component."""
    return float(np.max(np.abs(dY) / (np.abs(Y).max(axis=0) + 1e-9)))


def collocate(
    equations: ImplicitEquations,
    boundary: Boundary,
    mesh: np.ndarray,
    guess: np.ndarray,
    rates: np.ndarray | None = None,
    *,
    scheme: Scheme = Scheme.GAUSS,
    scale: np.ndarray | None = None,
    measure: Measure = relative_change,
    converged: float = CONVERGED,
    iterations: int = ITERATIONS,
    progress: Callable[[int], None] | None = None,
) -> CollocationSolution:
    """Solve a two-point boundary value problem by collocation and a damped Newton's method.

    Parameters
    ----------
    equations : ImplicitEquations
    boundary : Boundary
    mesh : (m + 1,) [s]
    guess : (m + 1, n)
        States at the mesh.
    rates : (m, s, e), optional
        Rates at the Gauss points; by default the slopes of the guess.
    scheme : Scheme
    scale : (n,), optional
        Size of the components.
    measure : callable
        Size of a correction; infinitely small ones are proportional to it.
    converged : float
        Size that ends the iteration.
    iterations : int
        Corrections after which it is given up.
    progress : callable, optional
        Called before every correction with the number of those done.

    Raises
    ------
    ConvergenceError
        Newton's method stalls, its matrix is singular or the equations have no value.
    """
    newton = _Newton(equations, boundary, mesh, scheme, scale)
    implicit = list(equations.implicit)
    Y = guess.copy()
    if rates is None:
        slope = np.diff(Y[:, implicit], axis=0) / np.diff(mesh)[:, None]
        rates = np.repeat(slope[:, None, :], tableau().c.size, axis=1)
    R, damping, done, fresh = rates, 1.0, 0, False
    newton.evaluate(Y, R)
    newton.factorise(Y, R)
    dY, dR = newton.correction()
    size = measure(dY, Y)
    while done < iterations:
        if progress is not None:
            progress(done)
        if not np.isfinite(size):
            break
        while True:
            trial = Y + damping * dY, R + damping * dR
            if newton.evaluate(*trial):
                next_dY, next_dR = newton.correction()
                next_size = measure(next_dY, Y)
                if next_size <= (1 - damping / 4) * size or size <= ROUND_OFF:
                    break
            damping /= 2
            if damping < MIN_DAMPING:
                raise newton.failure(Y, R, done, "corrections of any length lead away from the solution")
        Y, R, done = *trial, done + 1
        full, next_size = damping == 1.0, measure(next_dY, Y)
        if full and next_size <= converged:
            if progress is not None:
                progress(done)
            return newton.solution(Y + next_dY, R + next_dR, done + 1)
        if full and fresh and size <= ROUND_OFF and next_size > 0.5 * size:
            return newton.solution(Y, R, done)
        if full and next_size <= REUSED * measure(dY, Y):
            dY, dR, size, fresh = next_dY, next_dR, next_size, False
            continue
        newton.factorise(Y, R)
        dY, dR = newton.correction()
        size, damping, fresh = measure(dY, Y), min(1.0, 4 * damping), True
    raise newton.failure(Y, R, done, "it does not converge")


class _Newton:
    """Residuals and matrix of one boundary value problem on one mesh."""

    def __init__(
        self,
        equations: ImplicitEquations,
        boundary: Boundary,
        mesh: np.ndarray,
        scheme: Scheme,
        scale: np.ndarray | None,
    ):
        self.equations, self.boundary, self.mesh = equations, boundary, mesh
        self.scale = np.ones(equations.n) if scale is None else scale
        self.maps = StageMaps(equations, np.diff(mesh), scheme)
        self.times = gauss_times(mesh).ravel()
        self._free_ends: FreeEnds | None = None

    def evaluate(self, Y: np.ndarray, R: np.ndarray) -> bool:
        """Evaluate all residuals; True if they have a value."""
        with np.errstate(all="ignore"):  # trial states far from the solution may have none
            return self._evaluate(Y, R)

    def _evaluate(self, Y: np.ndarray, R: np.ndarray) -> bool:
        inner = self.maps.states(Y, R).reshape(self.times.size, -1)
        self._residual = self.equations.residual(self.times, inner, R.reshape(len(inner), -1))
        self._gaps, self._rates = self.maps.gaps(Y, R), R
        self._ends = self.boundary.start(Y[0]), self.boundary.end(Y[-1])
        if (least := self.boundary.least) is not None:
            self._least = least.start(Y[0]), least.end(Y[-1])
        parts = (self._residual, self._gaps, self._ends[0][0], self._ends[1][0])
        return all(np.isfinite(part).all() for part in parts)

    def factorise(self, Y: np.ndarray, R: np.ndarray) -> None:
        """Set the matrix up where the residuals were evaluated, and factorise it."""
        inner = self.maps.states(Y, R).reshape(self.times.size, -1)
        linear = self.equations.linearised(self.times, inner, R.reshape(len(inner), -1))
        try:
            self.system = CondensedSystem(self.maps, linear, self._ends[0][1], self._ends[1][1], self.scale)
        except SingularSystemError as singular:
            interval = singular.interval
            where = "" if interval is None else f" at t = {self.mesh[interval]:.6g} s"
            raise self.failure(Y, R, 0, f"its matrix is singular{where}") from None
        if (least := self.boundary.least) is not None:
            combinations = self._free_ends.combinations if self._free_ends else None
            rest = np.zeros_like(self._residual), np.zeros_like(self._gaps)
            values = [end[0] for end in self._ends]
            self._free_ends = FreeEnds(least, self.system, rest, values, self._least, combinations)

    def correction(self) -> tuple[np.ndarray, np.ndarray]:
        """Correction of states and rates for the residuals last evaluated."""
        dY, dR = self.system.solve(self._residual, self._gaps, self._ends[0][0], self._ends[1][0])
        return self._free_ends.freed(dY, dR, self._least, self._rates) if self._free_ends else (dY, dR)

    def solution(self, Y: np.ndarray, R: np.ndarray, done: int) -> CollocationSolution:
        """The solution."""
        twice = (
            (self.equations.positions, self.equations.speeds)
            if self.maps.scheme is Scheme.TWICE
            else ((), ())
        )
        return CollocationSolution(self.mesh, Y, self.maps.slopes(Y, R), done, twice)

    def failure(self, Y: np.ndarray, R: np.ndarray, done: int, why: str) -> ConvergenceError:
        """Error with the place of the largest residual at Y, R."""
        self.evaluate(Y, R)
        sizes = np.where(np.isfinite(self._residual), np.abs(self._residual), np.inf)
        k, row = np.unravel_index(int(sizes.argmax()), sizes.shape) if sizes.size else (0, 0)
        largest = float(sizes[k, row]) if sizes.size else 0.0
        message = f"Newton's method stalls after {done} corrections: {why}"
        return ConvergenceError(message, float(self.times[k]), int(row), largest, done)
