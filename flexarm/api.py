"""Runs from description to result, in memory or straight into a file."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from flexarm.description.arm.arm import Arm
from flexarm.results.reader import open_result
from flexarm.results.result import Result
from flexarm.results.writer import check_result_target

if TYPE_CHECKING:
    from flexarm.description.motion.trajectory import Trajectory
    from flexarm.simulation.inverse.motion import Progress as InverseProgress
    from flexarm.simulation.inverse.task.operational_space import OperationalSpace


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
    progress: InverseProgress | None = None,
    command: str = "flexarm.inverse",
) -> Result:
    """Find the joint torques, joint angles and deflections with which an arm's tip follows a trajectory.

    Parameters
    ----------
    arm : Arm
        Its drives have no effect.
    trajectory : Trajectory
    method : {"stable", "causal", "rigid"}
        The bounded motion; integrated forward as published; of the rigid arm.
    pre, post, step : float, optional [s]
        Method stable: margins before and after the trajectory, and longest interval of the mesh.
    verify : bool
        Feed the torques to the forward simulation; the tip's largest error is the attribute ``verified_error``.
    operational_space : bool
        Record the Jacobians, their rates and the Cartesian inertia too.
    output, overwrite, progress, command
        As of :func:`flexarm.simulate`.

    Returns
    -------
    Result
        Of kind ``inverse``; with status ``incomplete`` and a message if a causal motion diverged.

    Raises
    ------
    ModelError
        The arm cannot follow: out of reach, singular, more task rows than joints; time and distance are named.
    SolverError
        There is no bounded motion, or it was not found.
    ResultError
        The output cannot be written.
    """
    from flexarm.simulation.inverse.problem import inverse_problem
    from flexarm.simulation.inverse.solution import inverse_motion  # forward runs start quicker without

    problem = inverse_problem(arm, trajectory)
    if output is not None:
        check_result_target(output, overwrite)
    motion = inverse_motion(problem, method, pre=pre, post=post, step=step, progress=progress)
    if verify and not motion.message:
        motion.facts["verified_error"] = motion.verify(progress)
    result = Result(motion.datasets(operational_space), {**motion.attributes, "command": command})
    return _kept(result, output, overwrite)


def payload(
    arm: Arm,
    trajectory: Trajectory,
    *,
    mass: float | None = None,
    deviation: float | None = None,
    inertia_per_mass: tuple[float, ...] | None = None,
    output: str | os.PathLike | None = None,
    overwrite: bool = False,
    progress: InverseProgress | None = None,
    command: str = "flexarm.payload",
) -> Result:
    """Find the largest load that an arm can carry along a trajectory: its dynamic load carrying capacity.

    Parameters
    ----------
    arm : Arm
        Its motors' limits bound the torques, its payload gives the load's shape: offset, and inertia per mass.
    trajectory : Trajectory
    mass : float, optional [kg]
        Carry this load instead of seeking the largest.
    deviation : float, optional [m]
        Allowed distance of the tip from its desired place; that of the trajectory by default.
    inertia_per_mass : (6,), optional [m^2]
        xx, yy, zz, xy, xz, yz of the load about its mass centre.
    output, overwrite, progress, command
        As of :func:`flexarm.simulate`.

    Returns
    -------
    Result
        Of kind ``payload``: the motion with the largest load, which is the attribute ``payload_mass``; the attributes
        ``active_bound`` (torque or deviation), ``active_joint`` and ``active_time`` say what bounds it. The message
        warns if the arm alone violates a bound.

    Raises
    ------
    ModelError
        Nothing bounds the load, or the arm cannot follow the trajectory.
    SolverError
        The links give way under a load before any bound is reached.
    ResultError
        The output cannot be written.
    """
    from flexarm.simulation.inverse.load_capacity import payload_problem

    problem = payload_problem(arm, trajectory, deviation, inertia_per_mass)
    if output is not None:
        check_result_target(output, overwrite)
    carried, message = problem.largest(progress) if mass is None else (problem.carry(mass), "")
    return _kept(
        Result(carried.data, {**problem.attributes(carried, message), "command": command}), output, overwrite
    )


def operational_space(arm: Arm, trajectory: Trajectory) -> OperationalSpace:
    """Relate the coordinates of an arm to those that a trajectory prescribes."""
    from flexarm.model.chain import build_chain
    from flexarm.simulation.inverse.task.operational_space import OperationalSpace
    from flexarm.simulation.inverse.task.task import task_of

    chain = build_chain(arm)
    return OperationalSpace(arm, chain, task_of(trajectory, chain))


def _kept(result: Result, output: str | os.PathLike | None, overwrite: bool) -> Result:
    """Write a result if there is somewhere to, and return it."""
    if output is None:
        return result
    result.save(output, overwrite)
    return open_result(output)
