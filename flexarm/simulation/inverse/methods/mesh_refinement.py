"""Search for a bounded motion on finer and finer meshes, within a bounded effort."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from flexarm.progress import Progress
from flexarm.simulation.inverse.methods.bounded_motion import BoundedMotion, BoundedMotionProblem
from flexarm.simulation.inverse.methods.meshes import divided, first_mesh
from flexarm.simulation.inverse.methods.nonexistence import no_solution, unresolved
from flexarm.simulation.inverse.problem import InverseProblem
from flexarm.solvers.boundary_value_problem import ITERATIONS, ConvergenceError
from flexarm.solvers.collocation import STAGES

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
MOST_PARTS = 8
"""Parts into which an interval is divided at most before the next solution."""
SLOWEST, SMALLEST_FACTOR = 1 / 64, 1.05
"""Least speed of the trajectory at which a solution is sought, when none is found at its own; least step of speeds."""


@dataclass
class Effort:
    """Corrections times intervals: those spent on all ways together, and those after which no other one is tried."""

    most: float
    spent: float = 0.0

    @classmethod
    def on(cls, problem: InverseProblem) -> Effort:
        """What is to be spent on a problem."""
        return cls(LOST / _square(problem))

    def corrections(self, intervals: int) -> int:
        """How many a mesh may take."""
        return int(np.clip((self.most - self.spent) / intervals, CORRECTIONS, ITERATIONS))


def solve_on_refined_meshes(
    bounded: BoundedMotionProblem,
    step: float | None,
    slower: bool,
    total: Effort,
    progress: Progress | None = None,
) -> BoundedMotion:
    """Solve on finer and finer meshes until tip and equations are met between the Gauss points.

    Parameters
    ----------
    bounded : BoundedMotionProblem
    step : float, optional
        Longest interval of the mesh [s].
    slower : bool
        Whether solutions for a slower trajectory may be the first guess.
    total : Effort
        Of all ways that are tried.
    progress : callable, optional

    Raises
    ------
    ModelError
        A mesh does not fit into memory.
    SolverError
        Newton's method stalls, or the equations are not met on any mesh.
    """
    problem, found, kept, reference = bounded.problem, None, None, bounded.interval.reference
    longest = min(step or np.inf, bounded.longest)
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
