"""Dynamic load carrying capacity: the largest load that an arm can carry along a trajectory, [SY94] section 7.

The joints move as the rigid arm's would, which is what their controllers see to; the links bend under the load. Every
joint torque must stay within the speed-torque line of its motor, and the tip within a sphere around the place where it
should be.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import casadi as ca
import numpy as np
from scipy.optimize import brentq

from flexarm import __version__
from flexarm.description.arm.arm import Arm
from flexarm.description.motion.trajectory import Trajectory
from flexarm.errors import ModelError, SolverError
from flexarm.model.chain import build_chain
from flexarm.progress import Progress
from flexarm.simulation.forces.motor_limits import has_limits
from flexarm.simulation.forces.piecewise_polynomials import even_mesh, interpolated
from flexarm.simulation.inverse.internal_dynamics import internal_dynamics
from flexarm.simulation.inverse.methods.causal_inversion import causal_problem, integrate
from flexarm.simulation.inverse.methods.rigid_inversion import rigid_motion
from flexarm.simulation.inverse.problem import InverseProblem, inverse_problem
from flexarm.simulation.inverse.recorder import recorder, tracking
from flexarm.simulation.inverse.task.extended_trajectory import ExtendedTrajectory
from flexarm.simulation.inverse.task.inverse_kinematics import InverseKinematics
from flexarm.simulation.inverse.task.reference_trajectory import ReferenceTrajectory
from flexarm.simulation.inverse.task.task import Task
from flexarm.simulation.inverse.zero_dynamics import at_rest

ACCURACY = 1e-5
"""Relative accuracy of the mass found; ten times better than promised."""
DOUBLINGS = 40
FIRST_GUESS = 0.1
"""First load tried, of the links' mass."""


@dataclass(frozen=True)
class Constraint:
    """One bound at the instant at which a motion comes nearest to it or goes furthest beyond.

    Attributes
    ----------
    what : str
        ``torque`` or ``deviation``.
    joint : int
        Number of the joint, from 1; 0 for the deviation.
    time : float [s]
    value, limit : float [N m or m]
        What the motion takes there, and what is allowed; the torque with its sign.
    margin : float
        What is left, of the motor's stall torque or of the allowed deviation; negative beyond the bound.
    """

    what: str
    joint: int
    time: float
    value: float
    limit: float
    margin: float

    def __str__(self) -> str:
        if self.what == "deviation":
            return f"deviation of the tip at t = {self.time:.4g} s: {self.value:.4g} m, allowed {self.limit:.4g} m"
        where = f"torque of joint {self.joint} at t = {self.time:.4g} s"
        return f"{where}: {self.value:.4g} N m, bound {self.limit:.4g} N m"


@dataclass
class LoadedMotion:
    """An arm that carries a load along the trajectory.

    Attributes
    ----------
    mass : float [kg]
    data : dict
        Datasets over time.
    bounds : list of Constraint
        Every bound, the tightest first.
    """

    mass: float
    data: dict[str, np.ndarray]
    bounds: list[Constraint]

    @property
    def active(self) -> Constraint:
        """The tightest bound."""
        return self.bounds[0]


@dataclass
class PayloadProblem:
    """An arm, a trajectory and what bounds the load.

    Attributes
    ----------
    arm : Arm
        Its payload gives the load's shape: offset, and inertia per mass.
    inverse : InverseProblem
        Of the rigid arm along the trajectory.
    deviation : float or None [m]
        How far the tip may be from its desired place.
    inertia_per_mass : (6,) [m^2]
        xx, yy, zz, xy, xz, yz of the load about its own mass centre.
    """

    arm: Arm
    inverse: InverseProblem
    deviation: float | None
    inertia_per_mass: tuple[float, ...]

    @cached_property
    def course(self) -> ReferenceTrajectory:
        """The joints' motion, that of the rigid arm, as tables: it does not depend on the load."""
        problem, path = self.inverse, self.inverse.path
        joints = list(problem.chain.coordinates.moving_joints)
        course = ExtendedTrajectory(path, 0.0, 0.0, 0.0)

        def joint_motion(times: np.ndarray) -> np.ndarray:
            motion = rigid_motion(
                problem.rigid_dynamics, problem.kinematics, course, problem.start, times, problem.where
            )
            return np.concatenate([values[:, joints] for values in motion], axis=1)

        breaks = np.concatenate([[0.0], path.breaks, [path.duration]])
        tables = interpolated(joint_motion, even_mesh(breaks, problem.sample))
        t, u = ca.SX.sym("t"), ca.SX.sym("u", len(tables))
        return ReferenceTrajectory(
            path.duration, t, u, tables, *ca.vertsplit(u, len(joints)), breaks=path.breaks
        )

    @property
    def task(self) -> Task:
        """All joints that move."""
        rows = self.inverse.chain.coordinates.joints
        return Task(tuple(f"q{i}" for i, row in enumerate(rows, start=1) if row is not None), "joint")

    def loaded(self, mass: float) -> Arm:
        """The arm with a load of this mass."""
        inertia = tuple(mass * value for value in self.inertia_per_mass)
        payload = self.arm.payload.model_copy(update={"mass": mass, "inertia": inertia})
        return self.arm.model_copy(update={"payload": payload})

    def carry(self, mass: float) -> LoadedMotion:
        """Carry a load along the trajectory, from static equilibrium at its start.

        Raises
        ------
        SolverError
            The links give way.
        """
        arm = self.loaded(mass)
        chain, times = build_chain(arm), self.inverse.times()
        dynamics, kinematics = internal_dynamics(arm, chain, self.task), InverseKinematics(chain, self.task)
        rest = at_rest(dynamics, kinematics, 0.0, self.course([0.0]).p[0], self.inverse.start)
        found = integrate(dynamics, causal_problem(dynamics, self.course, rest.state), times, lambda: rest)
        if found.message:
            raise SolverError(f"with a load of {mass:.4g} kg: {found.message}")
        course = self.course(times)
        record, motion = recorder(arm, chain), dynamics.full_motion(times, found.states, course)
        data = record(times, *motion)
        straight, still = motion[0].copy(), np.zeros_like(motion[0])
        straight[:, list(chain.coordinates.all_modes)] = 0.0
        undeformed = record(times, straight, still, still)["point_position"][:, -1]
        data |= tracking(self.task, data, course.p, undeformed)
        return LoadedMotion(mass, data, self._bounds(arm, data))

    def _bounds(self, arm: Arm, data: dict[str, np.ndarray]) -> list[Constraint]:
        """Every bound at its tightest, the tightest of all first."""
        bounds, times = [], data["time"]
        for i, joint in enumerate(arm.joints):
            if joint.motor.stall_torque is None:
                continue
            tau, upper, lower = (data[name][:, i] for name in ("torque", "torque_upper", "torque_lower"))
            stall = joint.motor.gear * joint.motor.stall_torque
            margin = np.minimum(upper - tau, tau - lower) / stall
            k = int(margin.argmin())
            limit = upper[k] if upper[k] - tau[k] < tau[k] - lower[k] else lower[k]
            bounds.append(
                Constraint("torque", i + 1, float(times[k]), float(tau[k]), float(limit), float(margin[k]))
            )
        if self.deviation is not None:
            k = int(data["tip_error"].argmax())
            value = float(data["tip_error"][k])
            bounds.append(
                Constraint("deviation", 0, float(times[k]), value, self.deviation, 1 - value / self.deviation)
            )
        return sorted(bounds, key=lambda bound: bound.margin)

    def largest(self, progress: Progress | None = None) -> tuple[LoadedMotion, str]:
        """Find the largest load, and what there is to say about it.

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
        carried = {0.0: self.carry(0.0)}
        if carried[0.0].active.margin < 0:
            return carried[0.0], f"the arm without load violates a bound already: {carried[0.0].active}"

        def margin(mass: float) -> float:
            if mass not in carried:
                report(min(0.95, len(carried) / 20), None)
                carried[mass] = self.carry(mass)
            return carried[mass].active.margin

        low, high = 0.0, FIRST_GUESS * sum(link.integrals.mass for link in self.inverse.chain.flexible_links)
        for _ in range(DOUBLINGS):
            if margin(high) < 0:
                break
            low, high = high, 2 * high
        else:
            raise ModelError(f"{self.inverse.where}: no load up to {high:.3g} kg reaches a bound")
        brentq(margin, low, high, xtol=1e-12, rtol=ACCURACY)  # type: ignore[arg-type]
        mass = max(m for m in carried if margin(m) >= 0)
        return carried[mass], ""

    def attributes(self, carried: LoadedMotion, message: str) -> dict[str, object]:
        """Root attributes of the result but for the command."""
        arm, active = self.arm, carried.active
        return {
            "kind": "payload",
            "status": "complete",
            "message": message,
            "flexarm_version": __version__,
            "robot": arm.text,
            "trajectory": self.inverse.trajectory.text,
            "formulation": arm.run.formulation,
            "link_rotation": arm.link_rotation,
            "method": "dop853",
            "rtol": arm.run.rtol,
            "atol": arm.run.atol,
            "payload_mass": carried.mass,
            "active_bound": active.what,
            "active_joint": active.joint,
            "active_time": active.time,
            "active_margin": active.margin,
            **({} if self.deviation is None else {"deviation": self.deviation}),
        }


def payload_problem(
    arm: Arm,
    trajectory: Trajectory,
    deviation: float | None = None,
    inertia_per_mass: tuple[float, ...] | None = None,
) -> PayloadProblem:
    """Set up the search for the largest load.

    Parameters
    ----------
    deviation : float, optional [m]
        Allowed distance of the tip from its desired place; that of the trajectory by default.
    inertia_per_mass : (6,), optional [m^2]
        xx, yy, zz, xy, xz, yz; those of the arm's payload by default, or a point mass.

    Raises
    ------
    ModelError
        Nothing bounds the load, or the arm cannot follow the trajectory.
    """
    deviation = deviation or trajectory.deviation
    if deviation is None and not has_limits(arm):
        raise ModelError(
            f"{trajectory.source}: nothing bounds the load (give joints[].motor.stall_torque in the arm, or deviation "
            "in the trajectory)"
        )
    if inertia_per_mass is None:
        mass = arm.payload.mass
        inertia_per_mass = tuple(value / mass if mass else 0.0 for value in arm.payload.inertia)
    return PayloadProblem(arm, inverse_problem(arm, trajectory), deviation, inertia_per_mass)
