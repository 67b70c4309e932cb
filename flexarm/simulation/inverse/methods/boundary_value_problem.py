"""Boundary value problem of stable inversion: no unstable motion at the far end, no other one at the near end.

The conditions are those of an exponential dichotomy, with which the problem is well conditioned on any interval:
[Coppel1978], [AscherMattheijRussell1995] section 3.4.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from flexarm.errors import SolverError
from flexarm.memory import check_memory
from flexarm.progress import Progress
from flexarm.simulation.forces.piecewise_polynomials import even_mesh
from flexarm.simulation.inverse.methods.actuation import ActuationInterval
from flexarm.simulation.inverse.problem import InverseProblem
from flexarm.simulation.inverse.task.reference_trajectory import ReferenceSamples
from flexarm.simulation.inverse.zero_dynamics import null_space
from flexarm.solvers.collocation import STAGES, Boundary, CollocationSolution, collocate, gauss_times


@dataclass(frozen=True)
class BoundedMotion:
    """A solution on one mesh.

    Attributes
    ----------
    states : CollocationSolution
        States of the internal dynamics over time.
    step : float [s]
        Longest interval of the mesh.
    residual : float
        Largest defect of the state equation between the Gauss points, of the largest rate of each component.
    """

    states: CollocationSolution
    step: float
    residual: float


@dataclass(frozen=True)
class BoundaryValueProblem:
    """A boundary value problem, to be solved on different meshes."""

    problem: InverseProblem
    interval: ActuationInterval

    def solve(
        self, step: float, progress: Progress | None = None, coarse: BoundedMotion | None = None
    ) -> BoundedMotion:
        """Solve on a mesh whose intervals are no longer than `step` [s], starting from a coarser solution if any.

        Raises
        ------
        ModelError
            The mesh does not fit into memory.
        SolverError
            Newton's method does not converge.
        """
        self._check_memory(step)
        dynamics, reference = self.problem.dynamics, self.interval.reference
        mesh = even_mesh(reference.breaks, step)
        times = gauss_times(mesh)
        desired = reference(times.ravel())
        shape = (*times.shape, dynamics.n_y)

        def rates(_: np.ndarray, states: np.ndarray) -> np.ndarray:
            return dynamics.rates(times.ravel(), states.reshape(-1, shape[-1]), desired).reshape(shape)

        def jacobians(_: np.ndarray, states: np.ndarray) -> np.ndarray:
            flat = dynamics.jacobians(times.ravel(), states.reshape(-1, shape[-1]), desired)
            return flat.reshape(*shape, shape[-1])

        def report(done: int) -> None:
            if progress is not None:
                progress(min(0.95, done / 8), None)

        boundary = Boundary(self._at_start, self._at_end)
        guess = self._guess(mesh) if coarse is None else coarse.states(mesh)
        try:
            states = collocate(rates, jacobians, boundary, mesh, guess, report)
        except SolverError as failure:
            raise SolverError(
                f"{self.problem.where}: stable inversion: {failure.message}",
                hint="try a smaller `step`, a slower trajectory or a stiffer arm",
            ) from None
        return BoundedMotion(states, step, self._defect(states))

    def tip_error(self, found: BoundedMotion) -> float:
        """Largest task error in the middle and at the ends of all intervals [m, rad]."""
        mesh, kinematics = found.states.mesh, self.problem.kinematics
        times = np.concatenate([mesh, 0.5 * (mesh[1:] + mesh[:-1])])
        p = kinematics.map(found.states(times)[:, : self.problem.start.size])[0]
        return float(np.abs(kinematics.task.error(self.interval.reference(times).p, p)).max())

    def _check_memory(self, step: float) -> None:
        reference, n = self.interval.reference, self.problem.dynamics.n_y
        intervals = (reference.end - reference.start) / step
        # J, its stages, right-hand sides
        numbers = STAGES * n**2 + (STAGES * n) ** 2 + 2 * STAGES * n * (n + 1)
        what = f"{self.problem.where}: a mesh of {intervals:.3g} intervals"
        check_memory(8 * intervals * numbers, what, "give a larger `step`")

    def _guess(self, mesh: np.ndarray) -> np.ndarray:
        """States (m + 1, n_y) with the task fulfilled and deflections between those of both equilibria."""
        first, last, modes = self.interval.first, self.interval.last, self.problem.dynamics.mode_rows
        theta = first.state[: self.problem.start.size].copy()
        p = self.interval.reference(mesh).p
        thetas = self.problem.kinematics.follow(mesh, p, theta, self.problem.where)
        share = np.linspace(0.0, 1.0, mesh.size)[:, None]
        thetas[:, modes] = (1 - share) * first.state[modes] + share * last.state[modes]
        return self.problem.dynamics.state(thetas)

    def _at_start(self, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Task fulfilled, posture as asked for, no motion of the bounded kind; and the derivative of these by y (n_y,).

        Rates stand for the deflections' distance from equilibrium: in the linear internal dynamics both lie in the same
        subspaces.
        """
        kinematics, first, start = self.problem.kinematics, self.interval.first, self.interval.reference.start
        n, joints = self.problem.start.size, self.problem.dynamics.joint_rows
        found, J = kinematics.rows(y[:n])
        missing = kinematics.task.error(self.interval.reference([start]).p[0], found)
        posture = null_space(kinematics, first.state[:n])
        rates, by_y = self._deflection_rates(y, start)
        conditions = [-missing, posture @ (y[joints] - first.state[joints]), first.bounded @ rates]
        by_task = np.zeros((missing.size + len(posture), y.size))
        by_task[: missing.size, :n] = J
        by_task[missing.size :, joints] = posture
        return np.concatenate(conditions), np.concatenate([by_task, first.bounded @ by_y])

    def _at_end(self, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """No motion of the unstable kind; and the derivative of this by y (n_y,)."""
        rates, by_y = self._deflection_rates(y, self.interval.reference.end)
        return self.interval.last.unstable @ rates, self.interval.last.unstable @ by_y

    def _deflection_rates(self, y: np.ndarray, time: float) -> tuple[np.ndarray, np.ndarray]:
        """Rates (2 m,) of [delta, delta_d] with the task at rest, and their derivative (2 m, n_y) by the state."""
        dynamics, p = self.problem.dynamics, self.interval.reference([time]).p[0]
        rows = [*dynamics.mode_rows, *dynamics.rate_rows]
        rates = dynamics.rates(np.array([time]), y[None], ReferenceSamples.at_rest(p))[0, rows]
        return rates, dynamics.jacobian(time, y, p)[rows]

    def _defect(self, states: CollocationSolution) -> float:
        """Largest difference of the polynomials' rates from the state equation between the Gauss points."""
        mesh = states.mesh
        points = np.column_stack([mesh[:-1], gauss_times(mesh), mesh[1:]])
        times = (0.5 * (points[:, 1:] + points[:, :-1])).ravel()
        rates = self.problem.dynamics.rates(times, states(times), self.interval.reference(times))
        gap = np.abs(states.slope(times) - rates)
        return float(np.max(gap / (np.abs(rates).max(axis=0) + 1e-12)))
