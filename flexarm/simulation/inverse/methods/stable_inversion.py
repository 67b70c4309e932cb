"""Stable inversion: the bounded motion whose tip follows the trajectory.

The tip of a flexible link is a non-minimum-phase output: some motions of the internal dynamics grow in time, so that it
cannot be integrated forward. There is exactly one bounded motion; in it the deflections of the growing kind are
given by the future and those of the other kind by the past. It begins before the trajectory (pre-actuation), ends
after it (post-actuation), and solves a two-point boundary value problem.

[DevasiaChenPaden1996] for nonlinear systems; [Bayo1987] found the non-causal torque of one flexible link in the
frequency domain; [DeLucaSiciliano1993] for flexible arms.
"""

from __future__ import annotations

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
from flexarm.simulation.inverse.methods.meshes import divided, first_mesh
from flexarm.simulation.inverse.methods.nonexistence import no_equilibrium, no_solution, obstacle, unresolved
from flexarm.simulation.inverse.problem import InverseProblem
from flexarm.simulation.inverse.solution import Solution
from flexarm.solvers.boundary_value_problem import ITERATIONS, ConvergenceError
from flexarm.solvers.collocation import STAGES, Scheme

TIP_TOLERANCE, DEFECT_TOLERANCE = 1e-8, 2e-6
"""Distance of the tip from the path, of the arm's length, and defect up to which an interval is short enough."""
JOINT_DEFECT = 5e-8
"""The same defect where joints are prescribed: a light last link turns by what is off in the forces of all others."""
ENOUGH, STILL_ENOUGH = 2.0, 10.0
"""Of both tolerances: what is accepted, so that not a whole mesh is solved again for a few intervals, and what is where
the mesh would become too large otherwise."""
REFINEMENTS, STALLED = 12, 2
"""Meshes that are tried; those one after the other without progress after which a way is given up."""
EFFORT, LOST, CORRECTIONS = 6e6, 3e6, 5
"""Corrections, times intervals of the meshes and the square of the unknowns in each, after which a way is given up, and
after which no other one is tried; corrections of a next mesh, and those that any mesh may take."""
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


@dataclass
class _Effort:
    """Corrections times intervals: those spent on all ways together, and those after which no other one is tried."""

    most: float
    spent: float = 0.0

    def corrections(self, intervals: int) -> int:
        """How many a mesh may take."""
        return int(np.clip((self.most - self.spent) / intervals, CORRECTIONS, ITERATIONS))


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
        try:
            interval = actuation_interval(problem, self.pre, self.post)
        except SolverError as failure:
            raise no_equilibrium(problem, failure) from None
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
        # free oscillations of the first end, and all of the last one, do not die out
        open_ends = (
            self.pre is None and not bounded.conditions[0].free,
            self.post is None and not interval.last.linear.oscillations.size,
        )
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
        oscillates = any(counts)
        if oscillates and all(2 * count == len(interval.first.zeros) for count in counts):
            schemes = [Scheme.GAUSS]
        else:
            schemes = [Scheme.GAUSS, Scheme.TWICE] if oscillates else [Scheme.TWICE, Scheme.GAUSS]
        ways = [(scheme, free) for scheme in schemes for free in ((False, True) if oscillates else (False,))]
        attempts = [(BoundedMotionProblem(problem, interval, *way), False) for way in ways]
        attempts.append((attempts[oscillates][0], True))
        failures: list[SolverError] = []
        effort = _Effort(LOST / _square(problem))
        for bounded, slower in attempts:
            if slower and (reason := obstacle(problem)) is not None:
                raise reason
            try:
                return bounded, self._refined(bounded, slower, effort, progress)
            except SolverError as failure:
                failures.append(failure)
            if effort.spent >= effort.most:
                break
        raise failures[-1]

    def _refined(
        self, bounded: BoundedMotionProblem, slower: bool, total: _Effort, progress: Progress | None
    ) -> BoundedMotion:
        """Solve on finer and finer meshes until tip and equations are met between the Gauss points."""
        problem, found, kept, reference = bounded.problem, None, None, bounded.interval.reference
        longest = min(self.step or np.inf, bounded.longest)
        bounded.check_memory((reference.end - reference.start) / longest)
        mesh = first_mesh(bounded.interval, longest)
        tolerance, effort, stalled = TIP_TOLERANCE * problem.kinematics.size, 0, 0
        allowed = JOINT_DEFECT if problem.task.space == "joint" else DEFECT_TOLERANCE
        best, most = np.full(2, np.inf), EFFORT / _square(problem)
        for refinement in range(REFINEMENTS):
            corrections = total.corrections(mesh.size - 1)

            def report(done: int, refinement: int = refinement, intervals: int = mesh.size - 1) -> None:
                total.spent += intervals
                if progress is not None:
                    progress(min(0.95, (refinement + done / 8) / 5), None)

            try:
                found = (
                    bounded.solve(mesh, found, report=report, iterations=corrections)
                    if found
                    else _from_any_guess(bounded, mesh, slower, report, corrections)
                )
            except ConvergenceError as failure:
                if kept is not None:
                    return kept
                raise no_solution(problem, failure, found) from None
            if found.defects.max() <= DEFECT_TOLERANCE and found.tip_errors.max() <= tolerance:
                kept = found  # good enough, should a finer mesh cost too much
            parts = np.maximum(
                1.2 * (found.defects / allowed) ** (1 / STAGES),
                1.2 * (found.tip_errors / tolerance) ** (1 / (STAGES + 1)),
            )
            parts = np.where((found.defects <= allowed) & (found.tip_errors <= tolerance), 1, parts)
            too_large = np.maximum(found.defects / allowed, found.tip_errors / tolerance)
            if too_large.max() <= ENOUGH:
                return found
            state = np.array([too_large.max(), np.sum(too_large > 1)])
            stalled = 0 if np.any(state < 0.5 * best) else stalled + 1
            best = np.minimum(best, state)
            effort += found.states.iterations * parts.size
            if stalled == STALLED or effort + CORRECTIONS * parts.sum() > most:
                if too_large.max() <= STILL_ENOUGH:
                    return found
                break
            mesh = divided(mesh, np.clip(np.ceil(parts), 1, MOST_PARTS).astype(int))
        if kept is not None:
            return kept
        assert found is not None
        worst = int(found.defects.argmax())
        raise unresolved(problem, found, worst)


def _square(problem: InverseProblem) -> int:
    """Of the unknowns at a Gauss point; 1 where all links are rigid."""
    return max(1, problem.dynamics.a.numel()) ** 2


def _from_any_guess(
    bounded: BoundedMotionProblem,
    mesh: np.ndarray,
    slower: bool,
    report: Callable[[int], None],
    corrections: int,
) -> BoundedMotion:
    """Solve from the unbent arm or, where Newton's method stalls, from solutions for a slower trajectory if allowed."""
    found, speed, factor = None, 1.0, 2.0
    while True:
        try:
            found = bounded.solve(mesh, found, speed, report, corrections)
        except ConvergenceError as failure:
            if found is None:
                speed /= 4.0
            else:
                factor = np.sqrt(factor)
                speed = found.speed * factor
            if not slower or speed < SLOWEST or factor < SMALLEST_FACTOR:
                raise no_solution(bounded.problem, failure, found) from None
            continue
        if found.speed == 1.0:
            return found
        speed = min(1.0, found.speed * factor)
