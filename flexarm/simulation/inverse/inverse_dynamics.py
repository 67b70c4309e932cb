"""Inverse dynamics: joint torques, joint angles and deflections of an arm whose tip follows a trajectory."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping

import numpy as np

from flexarm.arguments import check_number, check_object
from flexarm.description.arm.arm import Arm
from flexarm.description.motion.trajectory import Trajectory
from flexarm.progress import Progress, part
from flexarm.results.hdf5_output import check_result_target
from flexarm.results.reader import reopened
from flexarm.results.result import Result
from flexarm.results.writer import write_result
from flexarm.simulation.inverse.joint_range import check_joint_range
from flexarm.simulation.inverse.methods.inverse_method import make_inverse_method
from flexarm.simulation.inverse.motors.motor_motion import motor_jump_warning
from flexarm.simulation.inverse.problem import inverse_problem
from flexarm.simulation.inverse.solution import Solution
from flexarm.simulation.inverse.verification.sampling import lost_peak_warning, resampled
from flexarm.simulation.inverse.verification.verification import refusal, too_costly
from flexarm.simulation.inverse.verification.verification import verify as verify_solution
from flexarm.simulation.inverse.wall_clearance import check_clear_of_walls
from flexarm.simulation.state.recorded_stress import place_of_largest, with_known_stress

SOLVED, VERIFIED = 0.6, 0.8
"""Parts of the whole computation at which a motion is found and verified."""


def inverse(
    arm: Arm,
    trajectory: Trajectory,
    *,
    method: str = "stable",
    pre: float | None = None,
    post: float | None = None,
    step: float | None = None,
    verify: bool | None = None,
    max_stress: float | None = None,
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
    verify : bool, optional
        Feed the torques to the forward simulation; the tip's largest error is the attribute ``verified_error``.
        A motion that should follow the path and does not is marked ``incomplete``. By default where it costs little.
    max_stress : float, optional [Pa]
        Record loads, and warn where the von Mises stress of a link with a section is larger.
    operational_space : bool
        Record the Jacobians, their rates and the Cartesian inertia too.
    output, overwrite, progress, command
        As of :func:`flexarm.simulate`.

    Returns
    -------
    Result
        Of kind ``inverse``; with status ``incomplete`` and a message if a causal motion diverged or a
        motion was refuted. The message of a complete one warns of a peak between two samples, that nothing was
        verified, or of too large a stress.

    Raises
    ------
    ModelError
        The arm cannot follow: out of reach, singular, more task rows than joints, a wall or limit in its way; the time
        and the distance are named. Or the allowed stress is given and no section known.
    SolverError
        There is no bounded motion, or it was not found.
    ResultError
        The output cannot be written.

    Examples
    --------
    >>> import flexarm
    >>> arm = flexarm.load_arm("robots/korayem_1994_clamped.yaml")
    >>> task = flexarm.load_trajectory("robots/trajectories/korayem_1994.yaml")
    >>> result = flexarm.inverse(arm, task, method="rigid")
    >>> float(abs(result.torque).max().round(3))
    0.204
    """
    check_object("arm", arm, Arm)
    check_object("trajectory", trajectory, Trajectory)
    chosen = make_inverse_method(method, pre=pre, post=post, step=step)
    report = progress or (lambda fraction, t: None)
    if max_stress is not None:
        check_number("max_stress", max_stress, above=0)
        arm = with_known_stress(arm)
    problem = inverse_problem(arm, trajectory)
    if output is not None:
        check_result_target(output, overwrite, arm.result_files)
    begin = time.perf_counter()
    solution = resampled(chosen.solve(problem, part(report, 0.0, SOLVED)))
    check_joint_range(
        arm.joints, solution.times, problem.joint_angles(solution.motion[0]), where=problem.where
    )
    check_clear_of_walls(problem, solution.times, solution.motion[0])
    facts: dict[str, object] = {"solve_seconds": time.perf_counter() - begin, **solution.attributes}
    if not solution.message:
        seconds = time.perf_counter() - begin
        found, message = _verified(solution, chosen.tracks, verify, seconds, part(report, SOLVED, VERIFIED))
        warnings = [message, lost_peak_warning(solution), motor_jump_warning(solution.motors)]
        facts |= {**found, "message": "; ".join(filter(None, warnings))}
    facts |= {"method": method, "command": command}
    data = solution.datasets(operational_space, part(report, VERIFIED, 1.0))
    if max_stress is not None:
        said = [str(facts.get("message", "")), _stress_warning(arm, data, max_stress)]
        facts |= {"max_stress": max_stress, "message": "; ".join(filter(None, said))}
    result = Result(data, facts)
    report(1.0, None)
    return written(result, output, overwrite)


def _stress_warning(arm: Arm, data: Mapping[str, np.ndarray], allowed: float) -> str:
    """Say where the largest stress is if it is more than allowed; else empty."""
    sample, link, station = place_of_largest(data["stress_max"])
    stress = data["stress_max"][sample, link, station]
    if stress <= allowed:
        return ""
    at = arm.run.load_stations[station]
    return (
        f"link {link + 1}: its stress reaches {stress / 1e6:.4g} MPa at {at:g} of its length, "
        f"t = {data['time'][sample]:.4g} s, more than the allowed {allowed / 1e6:.4g} MPa"
    )


def _verified(
    solution: Solution, tracks: bool, wanted: bool | None, seconds: float, progress: Progress | None
) -> tuple[dict[str, object], str]:
    """Attributes that the verification gives the result, and its message, if it is wanted or, where none, cheap."""
    if wanted is False:
        return {}, ""
    if wanted is None and (message := too_costly(solution, seconds)):
        return {}, message
    found = verify_solution(solution, tracks, progress)
    facts: dict[str, object] = {}
    if not found.failure:
        facts |= {"verified_error": found.error, "verified_pieces": found.pieces}
    message = refusal(solution, found) if tracks or found.failure else ""
    if tracks and message:
        facts["status"] = "incomplete"
    return facts, message


def written(result: Result, output: str | os.PathLike | None, overwrite: bool) -> Result:
    """Write a result if there is somewhere to, which was checked before it was computed, and return it."""
    if output is None:
        return result
    return reopened(write_result(result, result.attributes, output, overwrite))
