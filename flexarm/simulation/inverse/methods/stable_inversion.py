"""Stable inversion: the bounded motion whose tip follows the trajectory.

The tip of a flexible link is a non-minimum-phase output: some motions of the internal dynamics grow in time, so that it
cannot be integrated forward. There is exactly one bounded motion; in it the deflections of the growing kind are
given by the future and those of the other kind by the past. It begins before the trajectory (pre-actuation), ends
after it (post-actuation), and solves a two-point boundary value problem.

[DevasiaChenPaden1996] for nonlinear systems; [Bayo1987] found the non-causal torque of one flexible link in the
frequency domain; [DeLucaSiciliano1993] for flexible arms.
"""

from __future__ import annotations

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
from flexarm.simulation.inverse.methods.mesh_refinement import Effort, solve_on_refined_meshes
from flexarm.simulation.inverse.methods.nonexistence import no_equilibrium, obstacle
from flexarm.simulation.inverse.problem import InverseProblem
from flexarm.simulation.inverse.solution import Solution
from flexarm.solvers.collocation import Scheme

BLOCK = 20_000
"""Times at which a motion is evaluated at once."""
AT_REST = 1e-4
"""Modal rates at a far end, of the largest ones, up to which the motion has died out there."""
EXTENSIONS, LONGER = 3, 1.5
"""How often pre- or post-actuation is made longer where the motion has not died out, and by which factor."""


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
        effort = Effort.on(problem)
        for bounded, slower in attempts:
            if slower and (reason := obstacle(problem)) is not None:
                raise reason
            try:
                return bounded, solve_on_refined_meshes(bounded, self.step, slower, effort, progress)
            except SolverError as failure:
                failures.append(failure)
            if effort.spent >= effort.most:
                break
        raise failures[-1]
