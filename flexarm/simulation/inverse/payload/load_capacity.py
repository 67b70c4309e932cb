"""Dynamic load carrying capacity: the largest load that an arm can carry along a trajectory.

Every joint torque must stay within the speed-torque line of its motor, and the tip within a sphere around the place
where it should be: [WangRavani1988] for rigid arms, [SY94] section 7 with flexible links. The stress of
the links may be bounded too.
"""

from __future__ import annotations

import os

import numpy as np
from scipy.optimize import brentq

from flexarm.arguments import check_number, check_object
from flexarm.description.arm.arm import Arm
from flexarm.description.motion.trajectory import Trajectory
from flexarm.errors import ModelError
from flexarm.progress import Progress
from flexarm.results.attributes import root_attributes
from flexarm.results.hdf5_output import check_result_target
from flexarm.results.result import Result
from flexarm.simulation.forces.motor_limits import has_limits
from flexarm.simulation.inverse.inverse_dynamics import written
from flexarm.simulation.inverse.joint_range import check_joint_range
from flexarm.simulation.inverse.payload.loaded_motion import LoadedMotion, PayloadProblem
from flexarm.simulation.inverse.problem import inverse_problem
from flexarm.simulation.inverse.wall_clearance import check_clear_of_walls
from flexarm.simulation.state.recorded_stress import with_known_stress

ACCURACY = 1e-5
"""Relative accuracy of the mass found; ten times better than promised."""
DOUBLINGS = 40
FIRST_GUESS = 0.1
"""First load tried, of the links' mass."""


def payload(
    arm: Arm,
    trajectory: Trajectory,
    *,
    mass: float | None = None,
    deviation: float | None = None,
    max_stress: float | None = None,
    inertia_per_mass: tuple[float, ...] | None = None,
    output: str | os.PathLike | None = None,
    overwrite: bool = False,
    progress: Progress | None = None,
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
    max_stress : float, optional [Pa]
        Allowed von Mises stress of the links with a section, at the stations of the run block; loads are recorded then.
    inertia_per_mass : (6,), optional [m^2]
        xx, yy, zz, xy, xz, yz of the load about its mass centre; by default as of the arm's payload, or a point mass.
    output, overwrite, progress, command
        As of :func:`flexarm.simulate`.

    Returns
    -------
    Result
        Of kind ``payload``: the motion with the largest load, which is the attribute ``payload_mass``; the attributes
        ``active_bound`` (torque, deviation or stress), ``active_joint``, ``active_link`` and ``active_time`` specify
        what bounds it. The message warns if the arm alone violates a bound.

    Raises
    ------
    ModelError
        Nothing bounds the load, stress is to and no section is known, the payload has inertia but no mass, or the arm
        cannot follow the trajectory, as where a wall is in its way.
    SolverError
        The links give way under a load before any bound is reached.
    ResultError
        The output cannot be written.

    Examples
    --------
    >>> import flexarm
    >>> arm = flexarm.load_arm("robots/payload_two_link.yaml")
    >>> task = flexarm.load_trajectory("robots/trajectories/payload_two_link.yaml")
    >>> flexarm.payload(arm, task).attributes["active_bound"]
    'torque'
    """
    check_object("arm", arm, Arm)
    check_object("trajectory", trajectory, Trajectory)
    if mass is not None:
        check_number("mass", mass, least=0)
    if deviation is not None:
        check_number("deviation", deviation, above=0)
    if max_stress is not None:
        check_number("max_stress", max_stress, above=0)
    if inertia_per_mass is not None and not _is_inertia(inertia_per_mass):
        raise ModelError(f"inertia_per_mass: got {inertia_per_mass!r}, expected six finite numbers")
    problem = payload_problem(arm, trajectory, deviation, inertia_per_mass, max_stress)
    if output is not None:
        check_result_target(output, overwrite, arm.result_files)
    loaded, message = largest_load(problem, progress) if mass is None else (problem.loaded_motion(mass), "")
    angles = loaded.data["joint_angle"]
    check_joint_range(problem.inverse.arm.joints, loaded.data["time"], angles, where=problem.inverse.where)
    check_clear_of_walls(problem.inverse, loaded.data["time"], loaded.theta)
    result = Result(loaded.data, _attributes(problem, loaded, message, command))
    return written(result, output, overwrite)


def _is_inertia(value: object) -> bool:
    """Return whether something is six finite numbers."""
    try:
        numbers = np.asarray(value, dtype=float)
    except (TypeError, ValueError):
        return False
    return numbers.shape == (6,) and bool(np.isfinite(numbers).all())


def payload_problem(
    arm: Arm,
    trajectory: Trajectory,
    deviation: float | None = None,
    inertia_per_mass: tuple[float, ...] | None = None,
    max_stress: float | None = None,
) -> PayloadProblem:
    """Pose the search for the largest load, with parameters and errors as of :func:`payload`."""
    if arm.base != "fixed":
        raise ModelError(
            f"{arm.name}: base: got {arm.base}, expected fixed: the load capacity needs a fixed base"
        )
    deviation = deviation or trajectory.deviation
    if deviation is None and max_stress is None and not has_limits(arm):
        raise ModelError(
            f"{trajectory.source}: nothing bounds the load (give joints[].motor.stall_torque in the arm, deviation in "
            "the trajectory, or the stress that is allowed)"
        )
    if max_stress is not None:
        arm = with_known_stress(arm)
    if inertia_per_mass is None:
        inertia_per_mass = _inertia_per_mass(arm)
    return PayloadProblem(inverse_problem(arm, trajectory), deviation, inertia_per_mass, max_stress)


def _inertia_per_mass(arm: Arm) -> tuple[float, ...]:
    """Inertia of the arm's payload over its mass, (6,) [m^2]: a load of given shape has inertia in proportion."""
    mass, inertia = arm.payload.mass, arm.payload.inertia
    if mass == 0 and any(inertia):
        raise ModelError(
            f"{arm.name}: payload: got an inertia without a mass, which leaves the load's radius of gyration open "
            "(give payload.mass too)"
        )
    return tuple(value / mass if mass else 0.0 for value in inertia)


def largest_load(problem: PayloadProblem, progress: Progress | None = None) -> tuple[LoadedMotion, str]:
    """Find the largest load by bracketing the root of the tightest margin.

    Returns
    -------
    LoadedMotion
        With the largest mass that violates no bound, to a relative accuracy of :data:`ACCURACY`; 0 if the arm
        alone violates one.
    str
        A warning in that case, else empty.

    Raises
    ------
    ModelError
        No load is too heavy.
    """
    report = progress or (lambda fraction, t: None)
    tried = {0.0: problem.loaded_motion(0.0)}
    if tried[0.0].active.margin < 0:
        return tried[0.0], f"the arm without load violates a bound already: {tried[0.0].active}"

    def margin(mass: float) -> float:
        if mass not in tried:
            report(min(0.95, len(tried) / 20), None)
            tried[mass] = problem.loaded_motion(mass)
        return tried[mass].active.margin

    links = problem.inverse.chain.assembled_links
    low, high = 0.0, FIRST_GUESS * sum(link.mass for link in links)
    for _ in range(DOUBLINGS):
        if margin(high) < 0:
            break
        low, high = high, 2 * high
    else:
        raise ModelError(f"{problem.inverse.where}: no load up to {high:.3g} kg reaches a bound")
    brentq(margin, low, high, xtol=1e-12, rtol=ACCURACY)  # type: ignore[arg-type]
    mass = max(m for m in tried if margin(m) >= 0)
    return tried[mass], ""


def _attributes(
    problem: PayloadProblem, loaded: LoadedMotion, message: str, command: str
) -> dict[str, object]:
    """Root attributes of the result."""
    arm, active = problem.inverse.arm, loaded.active
    specific = {
        "trajectory": problem.inverse.trajectory.text,
        "method": "dop853",
        "rtol": arm.run.rtol,
        "atol": arm.run.atol,
        "payload_mass": loaded.mass,
        "active_bound": active.what,
        "active_joint": active.joint,
        "active_time": active.time,
        "active_margin": active.margin,
        **(
            {}
            if problem.max_stress is None
            else {"active_link": active.link, "max_stress": problem.max_stress}
        ),
        **({} if problem.deviation is None else {"deviation": problem.deviation}),
    }
    return root_attributes("payload", arm, specific, message=message, command=command)
