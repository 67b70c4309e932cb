"""Solution of inverse dynamics: the motion of an arm that follows a trajectory, whatever method found it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from flexarm.codegen.piecewise_polynomial import PiecewisePolynomial
from flexarm.progress import Progress
from flexarm.results.attributes import root_attributes
from flexarm.simulation.forces.piecewise_polynomials import interpolated
from flexarm.simulation.inverse.internal_dynamics import Motion
from flexarm.simulation.inverse.problem import InverseProblem
from flexarm.simulation.inverse.rigid_motion import rigid_motion
from flexarm.simulation.inverse.task.extended_trajectory import ExtendedTrajectory
from flexarm.simulation.inverse.task.inverse_kinematics import singular_values
from flexarm.simulation.inverse.task.operational_space import OperationalSpace


@dataclass
class Solution:
    """Solution of inverse dynamics: the motion that a method has found.

    Attributes
    ----------
    problem : InverseProblem
    reference : ExtendedTrajectory
        What the task follows, pre- and post-actuation included.
    times : (k,) [s]
        Samples.
    motion : Motion
        At the samples.
    at : callable
        From ascending times (k,) from the first sample to the last one to the motion.
    mesh : (m + 1,) [s]
        Intervals over which the torques are smooth enough for polynomials of degree 4.
    message : str
        Why it stopped early; empty if it is complete.
    facts : dict
        Attributes of the result that belong to the method.
    """

    problem: InverseProblem
    reference: ExtendedTrajectory
    times: np.ndarray
    motion: Motion
    at: Callable[[np.ndarray], Motion]
    mesh: np.ndarray
    message: str = ""
    facts: dict[str, object] = field(default_factory=dict)

    @property
    def joints(self) -> list[int]:
        """Numbers of the joints that move, from 0, in the order of :attr:`torques`."""
        return [i for i, row in enumerate(self.problem.chain.coordinates.joints) if row is not None]

    @cached_property
    def torques(self) -> list[PiecewisePolynomial]:
        """Torques of the moving joints as functions of time, from the first to the last point of the mesh [N m]."""
        problem, joints = self.problem, self.joints

        def torques(times: np.ndarray) -> np.ndarray:
            return problem.recorder(times, self.at(times))["torque"][:, joints]

        return interpolated(torques, self.mesh)

    def sample_times(self, sample: float) -> np.ndarray:
        """Times (k,) [s] of samples that are so far apart, over the span of those that there are."""
        return self.problem.times(
            -float(self.times[0]), self.times[-1] - self.problem.reference.duration, sample
        )

    def datasets(
        self, operational_space: bool = False, progress: Progress | None = None
    ) -> dict[str, np.ndarray]:
        """Everything recorded at the samples, name -> (k, ..) in the units of the schema."""
        problem, times, desired = self.problem, self.times, self.reference(self.times).p
        theta, theta_d, _ = self.motion
        data = problem.record(times, self.motion, desired)
        found, J = problem.kinematics.map(theta)
        if problem.task.angular.any():
            missing = problem.task.error(desired, found)[:, problem.task.angular]
            data["turn_error"] = np.abs(missing).max(axis=1)
        data["singular_value"] = singular_values(J[:, :, problem.kinematics.joints])[:, -1]
        rigid = problem.recorder(times, rigid_motion(problem, self.reference, times, progress))
        data["rigid_joint_angle"], data["rigid_torque"] = rigid["joint_angle"], rigid["torque"]
        if operational_space:
            data |= OperationalSpace(problem.arm, problem.chain, problem.task).record(theta, theta_d)
        return data

    @property
    def attributes(self) -> dict[str, object]:
        """Root attributes of the result but for the method and the command."""
        problem = self.problem
        return root_attributes(
            "inverse",
            problem.arm,
            {
                "trajectory": problem.trajectory.text,
                "task": ", ".join(problem.task.names),
                "duration": problem.reference.duration,
                **self.facts,
            },
            status="incomplete" if self.message else "complete",
            message=self.message,
        )
