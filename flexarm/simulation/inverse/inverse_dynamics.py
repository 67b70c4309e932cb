"""Inverse dynamics: joint torques, joint angles and deflections of an arm whose tip follows a trajectory."""

from __future__ import annotations

import os
import time
from pathlib import Path

from flexarm.description.arm.arm import Arm
from flexarm.description.motion.trajectory import Trajectory
from flexarm.progress import Progress
from flexarm.results.hdf5_output import check_result_target
from flexarm.results.reader import reopened
from flexarm.results.result import Result
from flexarm.results.writer import write_result
from flexarm.simulation.inverse.methods.inverse_method import make_inverse_method
from flexarm.simulation.inverse.problem import inverse_problem
from flexarm.simulation.inverse.verification import refusal, verified_error
from flexarm.simulation.inverse.wall_clearance import check_clear_of_walls


def inverse(
    arm: Arm,
    trajectory: Trajectory,
    *,
    method: str = "stable",
    pre: float | None = None,
    post: float | None = None,
    step: float | None = None,
    verify: bool = False,
    operational_space: bool = False,
    output: str | os.PathLike | None = None,
    overwrite: bool = False,
    progress: Progress | None = None,
    command: str = "flexarm.inverse",
) -> Result:
    """Find the joint torques, joint angles and deflections with which an arm's tip follows a trajectory.

    Parameters
    ----------
    arm : Arm
        Of its drives only prescribed motions have an effect: these joints move so whatever the others do.
    trajectory : Trajectory
    method : {"stable", "causal", "rigid"}
        The bounded motion; integrated forward as published; of the rigid arm.
    pre, post, step : float, optional [s]
        Method stable: pre- and post-actuation, and longest interval of the mesh.
    verify : bool
        Feed the torques to the forward simulation; the tip's largest error is the attribute ``verified_error``.
        A motion that should follow the path and does not is marked ``incomplete``.
    operational_space : bool
        Record the Jacobians, their rates and the Cartesian inertia too.
    output, overwrite, progress, command
        As of :func:`flexarm.simulate`.

    Returns
    -------
    Result
        Of kind ``inverse``; with status ``incomplete`` and a message if a causal motion diverged or a
        motion was refuted.

    Raises
    ------
    ModelError
        The arm cannot follow: out of reach, singular, more task rows than joints, a wall in its way; time and
        distance are named.
    SolverError
        There is no bounded motion, or it was not found.
    ResultError
        The output cannot be written.
    """
    chosen = make_inverse_method(method, pre=pre, post=post, step=step)
    problem = inverse_problem(arm, trajectory)
    if output is not None:
        check_result_target(output, overwrite)
    begin = time.perf_counter()
    solution = chosen.solve(problem, progress)
    check_clear_of_walls(problem, solution.times, solution.motion[0])
    facts: dict[str, object] = {"solve_seconds": time.perf_counter() - begin, **solution.attributes}
    if verify and not solution.message:
        error = facts["verified_error"] = verified_error(solution, progress)
        if chosen.tracks and (message := refusal(solution, error)):
            facts |= {"status": "incomplete", "message": message}
    facts |= {"method": method, "command": command}
    return written(Result(solution.datasets(operational_space), facts), output, overwrite)


def written(result: Result, output: str | os.PathLike | None, overwrite: bool) -> Result:
    """Write a result if there is somewhere to, which was checked before it was computed, and return it."""
    if output is None:
        return result
    write_result(result, result.attributes, output, overwrite)
    return reopened(Path(output))
