"""An arm and the trajectory that its tip or its joints shall follow: what all methods of inverse dynamics share."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from flexarm.description.arm.arm import Arm
from flexarm.description.motion.trajectory import Trajectory
from flexarm.memory import check_memory
from flexarm.model.chain import Chain, build_chain
from flexarm.simulation.inverse.internal_dynamics import InternalDynamics, internal_dynamics
from flexarm.simulation.inverse.recorder import Recorder, recorder
from flexarm.simulation.inverse.task.inverse_kinematics import InverseKinematics
from flexarm.simulation.inverse.task.reference_trajectory import ReferenceTrajectory, task_path
from flexarm.simulation.inverse.task.task import Task, task_of
from flexarm.simulation.inverse.zero_dynamics import ZeroDynamics, at_rest

SAMPLES = 300
"""Intervals between the samples of a result, unless the trajectory says otherwise."""


@dataclass
class InverseProblem:
    """An arm and a trajectory, derived: everything the methods share.

    Attributes
    ----------
    arm : Arm
    trajectory : Trajectory
    chain : Chain
    task : Task
    path : ReferenceTrajectory
    kinematics : InverseKinematics
    start : (n_dof,)
        Posture at the start of the path, deflections zero.
    """

    arm: Arm
    trajectory: Trajectory
    chain: Chain
    task: Task
    path: ReferenceTrajectory
    kinematics: InverseKinematics
    start: np.ndarray

    @cached_property
    def dynamics(self) -> InternalDynamics:
        """Internal dynamics of the flexible arm."""
        return internal_dynamics(self.arm, self.chain, self.task)

    @cached_property
    def rigid_dynamics(self) -> InternalDynamics:
        """The same with the deflections held at zero."""
        return internal_dynamics(self.arm, self.chain, self.task, rigid=True)

    @cached_property
    def recorder(self) -> Recorder:
        """Evaluates the datasets of results."""
        return recorder(self.arm, self.chain)

    @cached_property
    def rest(self) -> ZeroDynamics:
        """The arm at rest at the start of the path, in static equilibrium, and its zeros."""
        return at_rest(self.dynamics, self.kinematics, 0.0, self.path([0.0]).p[0], self.start)

    @property
    def where(self) -> str:
        """What messages about the trajectory begin with."""
        return self.trajectory.source

    @property
    def sample(self) -> float:
        """Time between two samples [s]."""
        return self.trajectory.sample or self.path.duration / SAMPLES

    def times(self, pre: float = 0.0, post: float = 0.0) -> np.ndarray:
        """Sample times: multiples of the sample from -pre to the duration + post, and both ends."""
        end = self.path.duration + post
        inside = (
            np.arange(np.ceil(-pre / self.sample - 1e-9), np.floor(end / self.sample + 1e-9) + 1)
            * self.sample
        )
        times = np.unique(np.concatenate([[-pre], np.clip(inside, -pre, end), [end]]))
        return times[np.concatenate([[True], np.diff(times) > 1e-6 * self.sample])] + 0.0  # no -0


def inverse_problem(arm: Arm, trajectory: Trajectory) -> InverseProblem:
    """Derive what an inverse motion needs and check that the arm can follow the trajectory.

    Raises
    ------
    ModelError
        More task rows than joints, a path that jumps, is out of reach or leads through a singular stretch.
    """
    chain = build_chain(arm)
    task, path = task_of(trajectory, chain), task_path(trajectory)
    kinematics = InverseKinematics(chain, task)
    start = kinematics.start(arm, trajectory, path([0.0]).p[0])
    problem = InverseProblem(arm, trajectory, chain, task, path, kinematics, start)
    samples = path.duration / problem.sample
    numbers = 12 * chain.coordinates.n_dof + 40 * len(
        chain.links
    )  # motions twice, and what is recorded of a link
    check_memory(8 * samples * numbers, f"{problem.where}: a result of {samples:.3g} samples", "raise sample")
    times = problem.times()
    kinematics.follow(times, path(times).p, start, problem.where)
    return problem
