"""Inverse kinematics and dynamics: joint angles, torques and deflections of an arm whose tip follows a trajectory."""

from __future__ import annotations

import time

import numpy as np

from flexarm.errors import SolverError
from flexarm.simulation.inverse.methods.causal_inversion import causal_problem, integrate
from flexarm.simulation.inverse.methods.rigid_inversion import rigid_motion
from flexarm.simulation.inverse.methods.stable_inversion import stable_inversion
from flexarm.simulation.inverse.problem import InverseProblem
from flexarm.simulation.inverse.solution import InverseMotion, Motion, Progress
from flexarm.simulation.inverse.task.extended_trajectory import ExtendedTrajectory

METHODS = {
    "stable": "the bounded motion, by collocation with margins before and after the trajectory",
    "causal": "integrated forward, as published; diverges where the tip is a non-minimum-phase output",
    "rigid": "of the arm with rigid links",
}
"""Name of every method -> what it computes."""


def inverse_motion(
    problem: InverseProblem,
    method: str = "stable",
    *,
    pre: float | None = None,
    post: float | None = None,
    step: float | None = None,
    progress: Progress | None = None,
) -> InverseMotion:
    """Compute an inverse motion by one of :data:`METHODS`.

    Parameters
    ----------
    pre, post, step : float, optional [s]
        Method stable only: margins and longest interval of the mesh.

    Raises
    ------
    ModelError, SolverError
        As of the methods.
    """
    if method not in METHODS:
        raise ValueError(f"method: expected one of {', '.join(METHODS)}, got {method!r}")
    if method != "stable" and (pre or post or step):
        raise ValueError(f"pre, post and step belong to method stable, and the method is {method}")
    begin = time.perf_counter()
    if method == "stable":
        motion = _stable(problem, pre, post, step, progress)
    else:
        motion = (_causal if method == "causal" else _rigid)(problem, progress)
    motion.facts.setdefault("solve_seconds", time.perf_counter() - begin)
    return motion


def _stable(
    problem: InverseProblem,
    pre: float | None,
    post: float | None,
    step: float | None,
    progress: Progress | None,
) -> InverseMotion:
    dynamics = problem.dynamics
    found = stable_inversion(
        dynamics, problem.kinematics, problem.path, problem.start, problem.where,
        pre=pre, post=post, step=step, progress=progress,
    )  # fmt: skip
    course = found.course
    times = problem.times(course.pre, course.post)

    def at(times: np.ndarray) -> Motion:
        return dynamics.full_motion(times, found.solution(times), course(times))

    facts = {
        "steps": found.solution.mesh.size - 1,
        "iterations": found.solution.iterations,
        "step": float(found.step),
        "residual": found.residual,
        "pre": float(course.pre),
        "post": float(course.post),
        "unstable_zeros": ", ".join(f"{zero.real:.6g}" for zero in found.first.unstable_zeros),
    }
    return InverseMotion(problem, "stable", course, times, at, at(times), found.step, facts=facts)


def _causal(problem: InverseProblem, progress: Progress | None) -> InverseMotion:
    dynamics, path, arm = problem.dynamics, problem.path, problem.arm
    compiled = causal_problem(dynamics, path, _causal_start(problem))
    times = problem.times()
    begin = time.perf_counter()
    found = integrate(dynamics, compiled, times, lambda: problem.rest, progress)
    if not found.times.size:
        raise SolverError(found.message)
    facts: dict[str, object] = {
        "solve_seconds": time.perf_counter() - begin,
        "rtol": arm.run.rtol,
        "atol": arm.run.atol,
        "steps": found.integration.steps,
        "evaluations": found.integration.evaluations,
    }

    def at(times: np.ndarray) -> Motion:
        states = integrate(dynamics, compiled, times, lambda: problem.rest).states
        return dynamics.full_motion(times, states, path(times))

    motion = dynamics.full_motion(found.times, found.states, path(found.times))
    course = ExtendedTrajectory(path, 0.0, 0.0, 0.0)
    return InverseMotion(
        problem, "causal", course, found.times, at, motion, problem.sample, found.message, facts
    )


def _causal_start(problem: InverseProblem) -> np.ndarray:
    """Deflections as the arm's initial state has them, joint angles that put the tip on its path all the same."""
    initial, modes = problem.arm.initial, list(problem.chain.coordinates.all_modes)
    if initial.equilibrium:
        return problem.rest.state
    theta = problem.start.copy()
    theta[modes] = initial.modes
    theta, missing = problem.kinematics.solve(theta, problem.path([0.0]).p[0])
    problem.kinematics.check_reached(missing, 0.0, problem.where)
    return problem.dynamics.state(theta, np.array(initial.mode_rates))


def _rigid(problem: InverseProblem, progress: Progress | None) -> InverseMotion:
    course, times = ExtendedTrajectory(problem.path, 0.0, 0.0, 0.0), problem.times()

    def at(times: np.ndarray) -> Motion:
        return rigid_motion(
            problem.rigid_dynamics, problem.kinematics, course, problem.start, times, problem.where
        )

    return InverseMotion(
        problem, "rigid", course, times, at, at(times), problem.sample, facts={"steps": times.size - 1}
    )
