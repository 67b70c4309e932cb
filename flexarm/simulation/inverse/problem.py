"""Problem of inverse dynamics: an arm, and the trajectory that its tip or its joints shall follow."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from flexarm.description.arm.arm import Arm
from flexarm.description.arm.joint.limits import BEYOND
from flexarm.description.motion.trajectory import Trajectory
from flexarm.errors import ModelError
from flexarm.memory import check_memory
from flexarm.model.chain import Chain
from flexarm.model.chain_builder import build_chain
from flexarm.simulation.forces.piecewise_polynomials import even_mesh
from flexarm.simulation.inverse.internal_dynamics import InternalDynamics, Motion
from flexarm.simulation.inverse.internal_dynamics_derivation import derive_internal_dynamics
from flexarm.simulation.inverse.joint_range import BENDING, check_joint_range
from flexarm.simulation.inverse.motors.motor_motion import MotorMotion
from flexarm.simulation.inverse.recorder import Recorder, recorder
from flexarm.simulation.inverse.task.inverse_kinematics import InverseKinematics
from flexarm.simulation.inverse.task.minimal_coordinates import initial_base
from flexarm.simulation.inverse.task.prescribed_motions import prescribed_joints
from flexarm.simulation.inverse.task.reference_trajectory import (
    ReferenceSamples,
    ReferenceTrajectory,
    reference_trajectory,
)
from flexarm.simulation.inverse.task.start_posture import start_posture
from flexarm.simulation.inverse.task.task import Task, task_of
from flexarm.simulation.inverse.zeros.zero_dynamics import (
    ZeroDynamics,
    linear_zero_dynamics,
    zero_dynamics,
)
from flexarm.simulation.state.tuned_shapers import tuned_shapers

SAMPLES = 300
"""Intervals between the samples of a result, unless the trajectory specifies them."""
CHECKED = 2000
"""Samples, about evenly spread, at which it is checked beforehand that the rigid arm can follow."""


@dataclass
class InverseProblem:
    """An arm and a trajectory, with everything that the methods of inverse dynamics derive from them.

    Attributes
    ----------
    arm : Arm
    trajectory : Trajectory
    chain : Chain
        The links: elastic joints are driven directly in it, without their motors.
    task : Task
    reference : ReferenceTrajectory
    kinematics : InverseKinematics
    start : (n_dof,) [rad, m]
        Posture at the start of the trajectory in minimal coordinates, deflections zero, a floating base where the arm's
        description has it.
    """

    arm: Arm
    trajectory: Trajectory
    chain: Chain
    task: Task
    reference: ReferenceTrajectory
    kinematics: InverseKinematics
    start: np.ndarray

    @property
    def arm_in_the_open(self) -> Arm:
        """The arm without soft walls, of which no motion leads into one."""
        return self.arm.model_copy(update={"contact": None}) if self.arm.has_soft_walls else self.arm

    @cached_property
    def dynamics(self) -> InternalDynamics:
        """Internal dynamics of the flexible arm."""
        return derive_internal_dynamics(self.arm_in_the_open, self.chain, self.task, self.reference.duration)

    @cached_property
    def rigid_dynamics(self) -> InternalDynamics:
        """The same with rigid links."""
        return derive_internal_dynamics(
            self.arm_in_the_open, self.chain, self.task, self.reference.duration, rigid=True
        )

    @cached_property
    def recorder(self) -> Recorder:
        """Evaluates the datasets of results, of a motion of links and motors."""
        return recorder(self.arm_in_the_open, self.whole_chain, self.task.passive, self.reference.duration)

    @cached_property
    def whole_chain(self) -> Chain:
        """The chain with the motors of elastic joints."""
        return build_chain(self.arm) if any(joint.is_elastic for joint in self.arm.joints) else self.chain

    def motor_motion(
        self,
        dynamics: InternalDynamics,
        reference: Callable[[ArrayLike], ReferenceSamples],
        at: Callable[[np.ndarray], Motion],
        mesh: np.ndarray,
    ) -> MotorMotion | None:
        """Motion of the motors of elastic joints along a motion of the links; None where no joint is elastic."""
        if not self.whole_chain.coordinates.moving_motors:
            return None
        return MotorMotion.of(self.whole_chain, dynamics, reference, at, mesh, self.reference.duration)

    @cached_property
    def zero_dynamics(self) -> ZeroDynamics:
        """Zero dynamics at the start of the trajectory."""
        return self.zero_dynamics_at(0.0, self.reference([0.0]).p[0], self.start)

    def zero_dynamics_at(self, time: float, p: np.ndarray, theta: np.ndarray) -> ZeroDynamics:
        """Zero dynamics with the task at rest at p (rows,) [m, rad], next to theta (n_dof,) [rad, m].

        An arm that floats is in equilibrium, if at all, with straight links.
        """
        if not self.floats:
            return zero_dynamics(self.dynamics, self.kinematics, time, p, theta)
        state, times, desired = self.dynamics.state(theta), np.array([time]), ReferenceSamples.at_rest(p)
        return ZeroDynamics(state, linear_zero_dynamics(self.dynamics, times, state[None], desired)[0])

    @property
    def floats(self) -> bool:
        """Whether the base floats: where it is depends on the whole motion."""
        return bool(self.chain.coordinates.base)

    def start_rates(self, dynamics: InternalDynamics) -> np.ndarray:
        """Rates at t = 0 of all that has no drive, as the arm's initial state has them (modes,) [per s]."""
        initial, layout = self.arm.initial, self.chain.coordinates
        rates = np.zeros(layout.n_dof)
        rates[list(layout.all_modes)] = initial.mode_rates
        for row, rate in zip(layout.joints, initial.joint_rates, strict=True):
            if row is not None:
                rates[row] = rate
        rates[list(layout.base)] = initial_base(self.arm, self.chain)[1]
        return rates[dynamics.undriven_rows]

    def joint_angles(self, thetas: np.ndarray) -> np.ndarray:
        """Angles of all joints, (k, n_joints) [rad, m], at coordinates (k, n_dof); those of locked ones are 0."""
        angles = np.zeros((len(thetas), len(self.arm.joints)))
        for i, row in enumerate(self.chain.coordinates.joints):
            if row is not None:
                angles[:, i] = thetas[:, row]
        return angles

    @property
    def where(self) -> str:
        """Beginning of messages about the trajectory: its file."""
        return self.trajectory.source

    def check_memory(self, span: float) -> None:
        """Refuse samples over a time [s] that do not fit into memory."""
        samples = span / self.sample
        # by measurement: motions of flexible and rigid links, what is recorded of a link, and what comes in between
        numbers = 30 * self.chain.coordinates.n_dof + 60 * len(self.chain.links)
        check_memory(
            8 * samples * numbers, f"{self.where}: a result of {samples:.3g} samples", "raise sample"
        )

    @property
    def sample(self) -> float:
        """Time between two samples [s]."""
        return self.trajectory.sample or self.reference.duration / SAMPLES

    def times(self, pre: float = 0.0, post: float = 0.0, sample: float | None = None) -> np.ndarray:
        """Sample times (k,) [s]: multiples of a sample from -pre to the duration + post, and both ends."""
        end, sample = self.reference.duration + post, sample or self.sample
        inside = np.arange(np.ceil(-pre / sample - 1e-9), np.floor(end / sample + 1e-9) + 1) * sample
        times = np.unique(np.concatenate([[-pre], np.clip(inside, -pre, end), [end]]))
        return times[np.concatenate([[True], np.diff(times) > 1e-6 * sample])] + 0.0  # no -0

    def mesh(self, step: float) -> np.ndarray:
        """Mesh (m + 1,) [s] over the trajectory, through its breaks, with intervals no longer than a step [s]."""
        breaks = np.concatenate([[0.0], self.reference.breaks, [self.reference.duration]])
        return even_mesh(breaks, step)

    def record(self, times: np.ndarray, motion: Motion, desired: np.ndarray) -> dict[str, np.ndarray]:
        """Datasets of a motion of links and motors at times (k,) [s], and how well its tip follows.

        Parameters
        ----------
        desired : (k, rows) [m, rad]
            Prescribed coordinates. Where they are joint angles, the tip of the undeformed arm is the desired one.
        """
        data = self.recorder(times, motion)
        tip = data["point_position"][:, -1]
        if self.task.space == "joint":
            tip_desired, axes = self.recorder.undeformed_tip(times, motion[0]), [0, 1, 2]
        else:
            tip_desired, axes = tip.copy(), self.task.axes
            tip_desired[:, axes] = desired[:, self.task.positions]
        tip_error = np.linalg.norm((tip_desired - tip)[:, axes], axis=1)
        return {**data, "tip_desired": tip_desired, "tip_error": tip_error}


def inverse_problem(arm: Arm, trajectory: Trajectory) -> InverseProblem:
    """Pose the problem and check that the rigid arm can follow the trajectory.

    Raises
    ------
    ModelError
        More task rows than joints, a path that jumps, is out of reach, leads through a singular posture or beyond a
        limit of a joint.
    """
    _check_drives(arm)
    arm = tuned_shapers(arm)
    chain = build_chain(arm).link_side
    task, reference = task_of(trajectory, arm, chain), reference_trajectory(trajectory, arm)
    kinematics = InverseKinematics(chain, task)
    _check_passive_joints(arm, chain, task)
    start = start_posture(kinematics, arm, trajectory, reference([0.0]).p[0])
    problem = InverseProblem(arm, trajectory, chain, task, reference, kinematics, start)
    problem.check_memory(reference.duration)
    times = problem.times()
    if not problem.floats:
        times = times[:: -(-times.size // CHECKED)]
        thetas = kinematics.follow(times, reference(times).p, start, problem.where)
        if task.size == len(kinematics.joints):  # else it depends on the whole motion how spare joints move
            bends = task.space == "tip" and bool(chain.coordinates.all_modes)
            allowed, angles = BENDING if bends else BEYOND, problem.joint_angles(thetas)
            check_joint_range(arm.joints, times, angles, allowed, where=problem.where)
    return problem


def _check_passive_joints(arm: Arm, chain: Chain, task: Task) -> None:
    """Refuse joints without a drive that may stick: their motion is not known beforehand."""
    for i, (row, joint) in enumerate(zip(chain.coordinates.joints, arm.joints, strict=True), start=1):
        if row is not None and row in task.passive and joint.friction.is_dry:
            raise ModelError(
                f"{arm.name}: joint {i} has no drive and may stick, which inverse dynamics cannot foresee",
                hint=f"give joints[{i - 1}].friction a smoothing",
            )


def _check_drives(arm: Arm) -> None:
    """Refuse prescribed motions of elastic joints, which are those of their motors."""
    for i in prescribed_joints(arm):
        if arm.joints[i].is_elastic:
            raise ModelError(
                f"{arm.name}: joint {i + 1} is elastic, and its drive prescribes the motion of its motor, from which "
                "that of the joint follows; inverse dynamics prescribes joints",
                hint=f"take drive[{i}] away, and prescribe q{i + 1} in the trajectory (space: joint)",
            )
