"""Stable inversion: the bounded motion whose tip follows the trajectory.

The tip of a flexible link is a non-minimum-phase output: some motions of the internal dynamics grow in time, so that it
cannot be integrated forward. There is exactly one bounded motion; in it the deflections of the growing kind are
given by the future and those of the other kind by the past. It begins before the trajectory (pre-actuation), ends
after it (post-actuation), and solves a two-point boundary value problem.

[DevasiaChenPaden1996] for nonlinear systems; [Bayo1987] found the non-causal torque of one flexible link in the
frequency domain; [DeLucaSiciliano1993] for flexible arms.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from threadpoolctl import threadpool_limits

from flexarm.errors import SolverError
from flexarm.progress import Progress
from flexarm.simulation.inverse.internal_dynamics import Motion
from flexarm.simulation.inverse.methods.actuation import ActuationInterval, actuation_interval
from flexarm.simulation.inverse.methods.bounded_motion import BoundedMotion, BoundedMotionProblem
from flexarm.simulation.inverse.methods.causal_inversion import CausalInversion, follows_from_its_start
from flexarm.simulation.inverse.methods.inverse_method import InverseMethod
from flexarm.simulation.inverse.methods.nonexistence import no_solution, unresolved
from flexarm.simulation.inverse.problem import InverseProblem
from flexarm.simulation.inverse.solution import Solution
from flexarm.solvers.boundary_value_problem import ConvergenceError
from flexarm.solvers.collocation import STAGES, Scheme

INTERVALS, LEAST_INTERVALS = 40, 6
"""Intervals of the first mesh over the trajectory, and at least between two of its breaks."""
TIP_TOLERANCE, DEFECT_TOLERANCE = 1e-8, 2e-6
"""Distance of the tip from the path, of the arm's length, and defect up to which an interval is short enough."""
JOINT_DEFECT = 5e-8
"""The same defect where joints are prescribed: a light last link turns by what is off in the forces of all others."""
LAYER = 0.5
"""Shortest interval of the first mesh, of the time constant of the fastest zero."""
REFINEMENTS = 12
EFFORT, CORRECTIONS = 15_000, 5
"""Corrections, times intervals of the meshes, after which a way is given up; those of a next mesh."""
BLOCK = 20_000
"""Times at which a motion is evaluated at once."""
AT_REST = 1e-4
"""Modal rates at a far end, of the largest ones, up to which the motion has died out there."""
EXTENSIONS, LONGER = 3, 1.5
"""How often pre- or post-actuation is made longer where the motion has not died out, and by which factor."""
MOST_PARTS = 8
"""Parts into which an interval is divided at most before the next solution."""
SLOWEST, SMALLEST_FACTOR = 1 / 64, 1.05
"""Least speed of the trajectory at which a solution is sought, when none is found at its own; least step of speeds."""


@dataclass(frozen=True)
class StableInversion(InverseMethod):
    """The bounded motion, by collocation.

    Attributes
    ----------
    pre, post : float or None [s]
        Pre- and post-actuation; by default the slowest unstable motion decays to a millionth in them.
    step : float or None [s]
        Longest interval of the mesh; by default it is halved until the tip stays on the path between the Gauss points.
    """

    pre: float | None = None
    post: float | None = None
    step: float | None = None

    def solve(self, problem: InverseProblem, progress: Progress | None = None) -> Solution:
        """Find the bounded motion over the trajectory with its pre- and post-actuation.

        Raises
        ------
        ModelError
            The trajectory, its run-up or its run-out is out of reach or singular.
        SolverError
            The internal dynamics is of a different kind at both ends, or no solution is found.
        """
        if problem.floats and follows_from_its_start(problem):
            return CausalInversion().solve(problem, progress)
        interval = actuation_interval(problem, self.pre, self.post)
        with threadpool_limits(1, "blas"):  # many small matrices: threads only wait for each other
            bounded, found = self._bounded_motion(problem, interval, progress)
            for _ in range(EXTENSIONS):
                if (longer := self._longer(bounded, found)) is None:
                    break
                interval = actuation_interval(problem, *longer)
                bounded, found = self._bounded_motion(problem, interval, progress)
        reference = interval.reference
        problem.check_memory(reference.end - reference.start)
        times = problem.times(reference.pre, reference.post)

        def at(times: np.ndarray) -> Motion:
            blocks = np.array_split(times, max(1, -(-times.size // BLOCK)))
            theta, theta_d, theta_dd = zip(*(bounded.motion(found, block) for block in blocks), strict=True)
            return np.concatenate(theta), np.concatenate(theta_d), np.concatenate(theta_dd)

        mesh = found.states.mesh
        facts = {
            "steps": mesh.size - 1,
            "iterations": found.states.iterations,
            "step": float(np.diff(mesh).max()),
            "residual": float(found.defects.max()),
            "pre": float(reference.pre),
            "post": float(reference.post),
            "unstable_zeros": ", ".join(f"{zero.real:.6g}" for zero in interval.first.unstable_zeros),
        }
        return Solution(problem, reference, times, at(times), at, mesh, facts=facts)

    def _longer(
        self, bounded: BoundedMotionProblem, found: BoundedMotion
    ) -> tuple[float | None, float | None] | None:
        """Longer pre- and post-actuation if the motion has not died out where they were not given; else none."""
        interval, rates = bounded.interval, np.abs(found.states.states[:, bounded.problem.dynamics.rate_rows])
        moving = rates[[0, -1]].max(axis=1, initial=0.0) > AT_REST * rates.max(initial=0.0)
        chosen = interval.reference.pre, interval.reference.post
        # oscillations of the last end do not die out
        open_ends = self.pre is None, self.post is None and not interval.last.linear.oscillations.size
        if not np.any(moving & open_ends):
            return None
        pre, post = (
            time * LONGER if late and is_open else time
            for time, late, is_open in zip(chosen, moving, open_ends, strict=True)
        )
        return pre, post

    def _bounded_motion(
        self, problem: InverseProblem, interval: ActuationInterval, progress: Progress | None
    ) -> tuple[BoundedMotionProblem, BoundedMotion]:
        """Try the schemes of collocation and the conditions for oscillations, last with a slower trajectory."""
        counts = [len(end.linear.oscillations) for end in (interval.first, interval.last)]
        only_oscillates = all(2 * count == len(interval.first.zeros) for count in counts)
        ways = (
            [(Scheme.GAUSS, False)]
            if only_oscillates
            else [
                (scheme, split)
                for split in ((False, True) if any(counts) else (False,))
                for scheme in (Scheme.TWICE, Scheme.GAUSS)
            ]
        )
        attempts = [BoundedMotionProblem(problem, interval, *way) for way in ways]
        failures: list[SolverError] = []
        for slower in (False, True):
            for bounded in attempts[: 1 if slower else None]:
                try:
                    return bounded, self._refined(bounded, slower, progress)
                except SolverError as failure:
                    failures.append(failure)
        raise failures[-1]

    def _refined(
        self, bounded: BoundedMotionProblem, slower: bool, progress: Progress | None
    ) -> BoundedMotion:
        """Solve on finer and finer meshes until tip and equations are met between the Gauss points."""
        problem, found, kept, reference = bounded.problem, None, None, bounded.interval.reference
        longest = min(self.step or np.inf, bounded.longest)
        bounded.check_memory((reference.end - reference.start) / longest)
        mesh = _first_mesh(bounded.interval, longest)
        tolerance, effort = TIP_TOLERANCE * problem.kinematics.size, 0
        allowed = JOINT_DEFECT if problem.task.space == "joint" else DEFECT_TOLERANCE
        for refinement in range(REFINEMENTS):

            def report(done: int, refinement: int = refinement) -> None:
                if progress is not None:
                    progress(min(0.95, (refinement + done / 8) / 5), None)

            try:
                found = (
                    bounded.solve(mesh, found, report=report)
                    if found
                    else _from_any_guess(bounded, mesh, slower, report)
                )
            except ConvergenceError as failure:
                if kept is not None:
                    return kept
                raise no_solution(problem, bounded.interval, failure, 1.0) from None
            if found.defects.max() <= DEFECT_TOLERANCE and found.tip_errors.max() <= tolerance:
                kept = found  # good enough, should a finer mesh cost too much
            parts = np.maximum(
                1.2 * (found.defects / allowed) ** (1 / STAGES),
                1.2 * (found.tip_errors / tolerance) ** (1 / (STAGES + 1)),
            )
            parts = np.where((found.defects <= allowed) & (found.tip_errors <= tolerance), 1, parts)
            if np.all(parts == 1):
                return found
            effort += found.states.iterations * parts.size
            if effort + CORRECTIONS * parts.sum() > EFFORT:
                break
            mesh = divided(mesh, np.clip(np.ceil(parts), 1, MOST_PARTS).astype(int))
        if kept is not None:
            return kept
        assert found is not None
        worst = int(found.defects.argmax())
        raise unresolved(problem, bounded.interval, found, worst)


def _from_any_guess(
    bounded: BoundedMotionProblem, mesh: np.ndarray, slower: bool, report: Callable[[int], None]
) -> BoundedMotion:
    """Solve from the unbent arm or, where Newton's method stalls, from solutions for a slower trajectory if allowed."""
    found, speed, factor = None, 1.0, 2.0
    while True:
        try:
            found = bounded.solve(mesh, found, speed, report)
        except ConvergenceError as failure:
            if found is None:
                speed /= 4.0
            else:
                factor = np.sqrt(factor)
                speed = found.speed * factor
            if not slower or speed < SLOWEST or factor < SMALLEST_FACTOR:
                reached = 0.0 if found is None else found.speed
                raise no_solution(bounded.problem, bounded.interval, failure, reached) from None
            continue
        if found.speed == 1.0:
            return found
        speed = min(1.0, found.speed * factor)


def divided(mesh: np.ndarray, parts: np.ndarray) -> np.ndarray:
    """Mesh (m' + 1,) [s] with every interval of a mesh (m + 1,) divided into so many parts (m,)."""
    pieces = [
        np.linspace(a, b, n, endpoint=False)
        for (a, b), n in zip(itertools.pairwise(mesh), parts, strict=True)
    ]
    return np.concatenate([*pieces, mesh[-1:]])


def _first_mesh(interval: ActuationInterval, step: float) -> np.ndarray:
    """Mesh [s] through all breaks, fine enough for the slowest zeros, and for the fastest next to every break.

    There the reference has a rate that jumps, to which motions answer that decay as fast as the fastest zero says.
    """
    reference, duration = interval.reference, interval.reference.reference.duration
    unstable = np.concatenate([interval.first.unstable_zeros, interval.last.unstable_zeros])
    least = LAYER / float(np.abs(unstable).max()) if unstable.size else np.inf
    pieces = []
    for a, b in itertools.pairwise(reference.breaks):
        longest = min(step, duration / INTERVALS)
        for end, outside in ((interval.first, b <= 0), (interval.last, a >= duration)):
            if outside and end.unstable_zeros.size:
                longest = min(step, max(longest, 1.0 / float(end.unstable_zeros[0].real)))
        pieces.append(a + _graded(b - a, min(longest, (b - a) / LEAST_INTERVALS), least)[:-1])
    return np.concatenate([*pieces, reference.breaks[-1:]])


def _graded(length: float, longest: float, least: float) -> np.ndarray:
    """Mesh from 0 to a length with intervals that grow from a least one at either end, twofold each, to the longest."""
    lengths = (
        least * 2.0 ** np.arange(max(0, int(np.ceil(np.log2(longest / least)))))
        if least < longest
        else np.empty(0)
    )
    layer = np.cumsum(lengths)
    layer = np.concatenate([[0.0], layer[layer < 0.4 * length]])
    middle = length - 2 * layer[-1]
    inside = np.linspace(layer[-1], length - layer[-1], int(np.ceil(middle / longest * (1 - 1e-9))) + 1)
    return np.concatenate([layer[:-1], inside, length - layer[-2::-1]])
