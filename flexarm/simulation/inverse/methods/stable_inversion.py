"""Stable inversion: the bounded motion whose tip follows the path, found as a two-point boundary value problem.

The tip of a flexible link is a non-minimum-phase output: some motions of the internal dynamics grow in time, so that it
cannot be integrated forward. There is exactly one bounded motion; in it the deflections of the growing kind are
given by the future and those of the other kind by the past. The unstable part must therefore vanish at the far end
and the remaining part at the near end, where the tip rests; what precedes the path is called pre-actuation.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from flexarm.errors import ModelError, SolverError
from flexarm.memory import check_memory
from flexarm.progress import Progress
from flexarm.simulation.forces.piecewise_polynomials import even_mesh
from flexarm.simulation.inverse.internal_dynamics import InternalDynamics
from flexarm.simulation.inverse.task.extended_trajectory import RUN, ExtendedTrajectory
from flexarm.simulation.inverse.task.inverse_kinematics import InverseKinematics
from flexarm.simulation.inverse.task.reference_trajectory import ReferenceSamples, ReferenceTrajectory
from flexarm.simulation.inverse.zero_dynamics import ZeroDynamics, at_rest, null_space
from flexarm.solvers.collocation import STAGES, Boundary, Piecewise, collocate, gauss_times

SETTLED = 1e-6
"""To which part the slowest unstable motion decays within a margin."""
RESOLUTION = 2.0
"""Longest step times the size of the largest zero that is tried first."""
INTERVALS = 100
"""Least number of intervals over the trajectory."""
TIP_TOLERANCE, DEFECT_TOLERANCE = 1e-7, 1e-3
"""Distance of the tip from the path, of the arm's length, and residual at which the step is fine enough."""
REFINEMENTS = 7


@dataclass(frozen=True)
class Inversion:
    """A bounded inverse motion.

    Attributes
    ----------
    course : ExtendedTrajectory
        The task with its margins.
    solution : Piecewise
        State of the internal dynamics over time.
    first, last : ZeroDynamics
        Both ends at rest, with their zeros.
    step : float [s]
        Longest interval of the mesh.
    residual : float
        Largest defect of the state equation between the Gauss points, of the largest rate of each component.
    """

    course: ExtendedTrajectory
    solution: Piecewise
    first: ZeroDynamics
    last: ZeroDynamics
    step: float
    residual: float


def stable_inversion(
    dynamics: InternalDynamics,
    kinematics: InverseKinematics,
    path: ReferenceTrajectory,
    theta: np.ndarray,
    where: str,
    *,
    pre: float | None = None,
    post: float | None = None,
    step: float | None = None,
    progress: Progress | None = None,
) -> Inversion:
    """Find the bounded motion along a path.

    Parameters
    ----------
    theta : (n_dof,)
        Posture at the start of the path, deflections zero.
    where : str
        What messages begin with.
    pre, post : float, optional [s]
        Margins before and after the path; by default the slowest unstable motion decays to a millionth in them.
    step : float, optional [s]
        Longest interval of the mesh; by default it is halved until the tip stays on the path between the Gauss points.

    Raises
    ------
    ModelError
        The path or its margins are out of reach or singular.
    SolverError
        The internal dynamics is of a different kind at both ends, or Newton's method fails.
    """
    course, first, last = margins(dynamics, kinematics, path, theta, where, pre, post)
    problem = _Problem(dynamics, kinematics, course, first, last, theta, where)
    if step is not None:
        return problem.solve(step, progress)
    fastest = max((np.abs(rest.zeros).max(initial=0.0) for rest in (first, last)), default=0.0)
    step = min(path.duration / INTERVALS, RESOLUTION / fastest if fastest else np.inf)
    inversion, off = None, np.inf
    for _ in range(REFINEMENTS):
        inversion = problem.solve(step, progress, inversion)
        off = problem.tip_error(inversion)
        if off <= TIP_TOLERANCE * kinematics.size and inversion.residual <= DEFECT_TOLERANCE:
            return inversion
        step /= 2
    assert inversion is not None
    raise SolverError(
        f"{where}: with a step of {2 * step:.2g} s the tip is still {off:.2g} m off its path and the residual is "
        f"{inversion.residual:.2g}",
        hint="give a smaller `step`",
    )


def margins(
    dynamics: InternalDynamics,
    kinematics: InverseKinematics,
    path: ReferenceTrajectory,
    theta: np.ndarray,
    where: str,
    pre: float | None,
    post: float | None,
) -> tuple[ExtendedTrajectory, ZeroDynamics, ZeroDynamics]:
    """Extend a path by margins in which the unstable motions decay; find the rest at both far ends."""
    run = RUN * path.duration
    runs = ExtendedTrajectory(path, run, run, run)
    up, out = runs.runs
    for name, given, least in (("pre", pre, up), ("post", post, out)):
        if given is not None and given < least:
            raise ModelError(
                f"{where}: --{name}: got {given:g} s, expected at least {least:g} s, "
                "in which the tip comes from or to rest"
            )
    # the postures at rest, reached along the whole course
    times = np.concatenate([np.linspace(0.0, -up, 20), np.linspace(-up, path.duration + out, 400)])
    thetas = kinematics.follow(times, runs(times).p, theta, where)
    first = at_rest(dynamics, kinematics, -up, runs([-up]).p[0], thetas[19])
    last = at_rest(dynamics, kinematics, path.duration + out, runs([path.duration + out]).p[0], thetas[-1])
    if len(first.unstable) != len(last.unstable):
        raise SolverError(
            f"{where}: the arm has {len(first.unstable)} unstable zeros at the start and {len(last.unstable)} at the "
            "end of the trajectory; stable inversion needs as many at both"
        )
    needed = [_settling(rest) + least for rest, least in ((first, up), (last, out))]
    chosen = [value if given is None else given for value, given in zip(needed, (pre, post), strict=True)]
    return ExtendedTrajectory(path, chosen[0], chosen[1], run), first, last


def _settling(rest: ZeroDynamics) -> float:
    """Time in which the slowest unstable motion decays [s]."""
    zeros = rest.unstable_zeros
    return -np.log(SETTLED) / float(zeros[0].real) if zeros.size else 0.0


@dataclass(frozen=True)
class _Problem:
    """One boundary value problem, to be solved on different meshes."""

    dynamics: InternalDynamics
    kinematics: InverseKinematics
    course: ExtendedTrajectory
    first: ZeroDynamics
    last: ZeroDynamics
    theta: np.ndarray
    where: str

    def solve(self, step: float, progress: Progress | None, coarse: Inversion | None = None) -> Inversion:
        """Solve on a mesh whose intervals are no longer than `step`, starting from a coarser solution if any."""
        self._check_memory(step)
        mesh = even_mesh(self.course.breaks, step)
        times = gauss_times(mesh)
        inner = self.course(times.ravel())
        shape = (*times.shape, self.dynamics.n_y)

        def rates(_: np.ndarray, states: np.ndarray) -> np.ndarray:
            return self.dynamics.rates(times.ravel(), states.reshape(-1, shape[-1]), inner).reshape(shape)

        def jacobians(_: np.ndarray, states: np.ndarray) -> np.ndarray:
            flat = self.dynamics.jacobians(times.ravel(), states.reshape(-1, shape[-1]), inner)
            return flat.reshape(*shape, shape[-1])

        def report(done: int) -> None:
            if progress is not None:
                progress(min(0.95, done / 8), None)

        boundary = Boundary(self._at_start, self._at_end)
        guess = self._guess(mesh) if coarse is None else coarse.solution(mesh)
        solution = collocate(rates, jacobians, boundary, mesh, guess, report)
        return Inversion(self.course, solution, self.first, self.last, step, self._defect(solution))

    def _check_memory(self, step: float) -> None:
        intervals, n = (self.course.end - self.course.start) / step, self.dynamics.n_y
        numbers = (
            STAGES * n**2 + (STAGES * n) ** 2 + 2 * STAGES * n * (n + 1)
        )  # J, its stages, right-hand sides
        check_memory(
            8 * intervals * numbers,
            f"{self.where}: a mesh of {intervals:.3g} intervals",
            "give a larger `step`",
        )

    def tip_error(self, inversion: Inversion) -> float:
        """Largest distance from the task in the middle and at the ends of all intervals."""
        mesh = inversion.solution.mesh
        times = np.concatenate([mesh, 0.5 * (mesh[1:] + mesh[:-1])])
        found = self.kinematics.map(inversion.solution(times)[:, : self.theta.size])[0]
        return float(np.abs(self.kinematics.task.error(self.course(times).p, found)).max())

    def _guess(self, mesh: np.ndarray) -> np.ndarray:
        """The arm with the deflections of rest, its tip on the path."""
        modes = self.dynamics.mode_rows
        theta = self.first.state[: self.theta.size].copy()
        thetas = self.kinematics.follow(mesh, self.course(mesh).p, theta, self.where)
        share = np.linspace(0.0, 1.0, mesh.size)[:, None]
        thetas[:, modes] = (1 - share) * self.first.state[modes] + share * self.last.state[modes]
        return self.dynamics.state(thetas)

    def _internal(self, y: np.ndarray, time: float) -> tuple[np.ndarray, np.ndarray]:
        """Rates of [delta, delta_d] at rest of the task, and their derivative by the state."""
        at, p = np.array([time]), self.course([time]).p
        still = ReferenceSamples(p, np.zeros_like(p), np.zeros_like(p))
        rows = [*self.dynamics.mode_rows, *self.dynamics.rate_rows]
        rates = self.dynamics.rates(at, y[None], still)[0, rows]
        return rates, self.dynamics.jacobian(time, y, p[0])[rows]

    def _at_start(self, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Tip on its place, posture as asked for, no motion of the bounded kind.

        Rates stand for the deflections' distance from rest: in the linear internal dynamics both lie in the same
        subspaces.
        """
        n, joints = self.theta.size, self.dynamics.joint_rows
        found, J = self.kinematics.rows(y[:n])
        missing = self.kinematics.task.error(self.course([self.course.start]).p[0], found)
        posture = null_space(self.kinematics, self.first.state[:n])
        rates, by_y = self._internal(y, self.course.start)
        left = [-missing, posture @ (y[joints] - self.first.state[joints]), self.first.bounded @ rates]
        by_task = np.zeros((missing.size + len(posture), y.size))
        by_task[: missing.size, :n] = J
        by_task[missing.size :, joints] = posture
        return np.concatenate(left), np.concatenate([by_task, self.first.bounded @ by_y])

    def _at_end(self, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """No motion of the unstable kind."""
        rates, by_y = self._internal(y, self.course.end)
        return self.last.unstable @ rates, self.last.unstable @ by_y

    def _defect(self, solution: Piecewise) -> float:
        """Largest difference of the polynomials' rates from the state equation between the Gauss points."""
        mesh = solution.mesh
        points = np.column_stack([mesh[:-1], gauss_times(mesh), mesh[1:]])
        times = (0.5 * (points[:, 1:] + points[:, :-1])).ravel()
        right = self.dynamics.rates(times, solution(times), self.course(times))
        gap = np.abs(solution.slope(times) - right)
        return float(np.max(gap / (np.abs(right).max(axis=0) + 1e-12)))
