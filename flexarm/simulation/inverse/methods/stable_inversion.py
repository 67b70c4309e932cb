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

from flexarm.errors import SolverError
from flexarm.progress import Progress
from flexarm.simulation.inverse.internal_dynamics import Motion
from flexarm.simulation.inverse.methods.actuation import ActuationInterval, actuation_interval
from flexarm.simulation.inverse.methods.boundary_value_problem import BoundaryValueProblem, BoundedMotion
from flexarm.simulation.inverse.methods.inverse_method import InverseMethod
from flexarm.simulation.inverse.problem import InverseProblem
from flexarm.simulation.inverse.solution import Solution

RESOLUTION = 2.0
"""Longest step times the size of the largest zero that is tried first."""
INTERVALS = 100
"""Least number of intervals over the trajectory."""
TIP_TOLERANCE, DEFECT_TOLERANCE = 1e-7, 1e-3
"""Distance of the tip from the path, of the arm's length, and residual at which the step is fine enough."""
REFINEMENTS = 7


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
            The internal dynamics is of a different kind at both ends, or Newton's method fails.
        """
        interval = actuation_interval(problem, self.pre, self.post)
        bvp, reference = BoundaryValueProblem(problem, interval), interval.reference
        found = _refined(bvp, progress) if self.step is None else bvp.solve(self.step, progress)
        times = problem.times(reference.pre, reference.post)

        def at(times: np.ndarray) -> Motion:
            return problem.dynamics.full_motion(times, found.states(times), reference(times))

        facts = {
            "steps": found.states.mesh.size - 1,
            "iterations": found.states.iterations,
            "step": float(found.step),
            "residual": found.residual,
            "pre": float(reference.pre),
            "post": float(reference.post),
            "unstable_zeros": ", ".join(f"{zero.real:.6g}" for zero in interval.first.unstable_zeros),
        }
        return Solution(problem, reference, times, at(times), at, found.step, facts=facts)


def _refined(bvp: BoundaryValueProblem, progress: Progress | None) -> BoundedMotion:
    """Solve on finer and finer meshes until the tip stays on the path between the Gauss points."""
    problem, step = bvp.problem, _first_step(bvp.problem, bvp.interval)
    found, off = None, np.inf
    for _ in range(REFINEMENTS):
        found = bvp.solve(step, progress, found)
        off = bvp.tip_error(found)
        if off <= TIP_TOLERANCE * problem.kinematics.size and found.residual <= DEFECT_TOLERANCE:
            return found
        step /= 2
    assert found is not None
    raise SolverError(
        f"{problem.where}: with a step of {2 * step:.2g} s the tip is still {off:.2g} m off its path and the residual "
        f"is {found.residual:.2g}",
        hint="give a smaller `step`",
    )


def _first_step(problem: InverseProblem, interval: ActuationInterval) -> float:
    """Longest interval of the first mesh [s], which resolves the fastest zero."""
    fastest = max(np.abs(end.zeros).max(initial=0.0) for end in (interval.first, interval.last))
    return min(problem.reference.duration / INTERVALS, RESOLUTION / fastest if fastest else np.inf)
