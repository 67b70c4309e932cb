"""Solution of inverse dynamics: the motion of an arm that follows a trajectory, whatever method found it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from flexarm.codegen.piecewise_polynomial import PiecewisePolynomial
from flexarm.errors import SolverError
from flexarm.progress import Progress
from flexarm.results.attributes import root_attributes
from flexarm.simulation.forces.piecewise_polynomials import interpolated
from flexarm.simulation.inverse.internal_dynamics import Motion
from flexarm.simulation.inverse.motors.motor_motion import MotorMotion
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
    rigid : bool
        Whether the motion is that of rigid links.
    """

    problem: InverseProblem
    reference: ExtendedTrajectory
    times: np.ndarray
    motion: Motion
    at: Callable[[np.ndarray], Motion]
    mesh: np.ndarray
    message: str = ""
    facts: dict[str, object] = field(default_factory=dict)
    rigid: bool = False

    @property
    def joints(self) -> list[int]:
        """Numbers of the joints that move, from 0, in the order of :attr:`torques`."""
        return [i for i, row in enumerate(self.problem.chain.coordinates.joints) if row is not None]

    @cached_property
    def torques(self) -> list[PiecewisePolynomial]:
        """Torques of the moving joints as functions of time, from the first to the last point of the mesh [N m].

        Without what overcomes dry friction, which jumps where a joint turns back.
        """
        problem, joints = self.problem, self.joints

        def torques(times: np.ndarray) -> np.ndarray:
            data = problem.recorder(times, self.whole(times, self.at(times)))
            return (data["torque"] + data.get("friction_torque", 0.0))[:, joints]

        return interpolated(torques, self.mesh if self.motors is None else self.motors.mesh)

    @cached_property
    def motors(self) -> MotorMotion | None:
        """Motion of the motors of elastic joints; None where there are none."""
        problem = self.problem
        dynamics = problem.rigid_dynamics if self.rigid else problem.dynamics
        return problem.motor_motion(dynamics, self.reference, self.at, self._mesh)

    @property
    def _mesh(self) -> np.ndarray:
        """The mesh as far as the motion goes.

        Raises
        ------
        SolverError
            It stopped at once.
        """
        if self.times.size < 2:
            raise SolverError(self.message)
        return np.append(self.mesh[self.mesh < self.times[-1]], self.times[-1])

    def whole(self, times: np.ndarray, links: Motion) -> Motion:
        """Motion of links and motors at times (k,) [s] from that of the links."""
        return links if self.motors is None else self.motors.whole(times, links)

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
        data = problem.record(times, self.whole(times, self.motion), desired)
        found, J = problem.kinematics.map(theta)
        if problem.task.angular.any():
            missing = problem.task.error(desired, found)[:, problem.task.angular]
            data["turn_error"] = np.abs(missing).max(axis=1)
        data["singular_value"] = singular_values(J[:, :, problem.kinematics.joints])[:, -1]
        rigid = problem.recorder(times, self._with_rigid_links(times, progress))
        data["rigid_joint_angle"], data["rigid_torque"] = rigid["joint_angle"], rigid["torque"]
        if operational_space:
            data |= OperationalSpace(problem.arm, problem.chain, problem.task).record(theta, theta_d)
        return data

    def _with_rigid_links(self, times: np.ndarray, progress: Progress | None) -> Motion:
        """Motion at times (k,) [s] of the arm with rigid links, its joints as elastic as they are."""
        problem, reference = self.problem, self.reference

        def at(times: np.ndarray) -> Motion:
            return rigid_motion(problem, reference, times)

        motors = problem.motor_motion(problem.rigid_dynamics, reference, at, self._mesh)
        links = rigid_motion(problem, reference, times, progress)
        return links if motors is None else motors.whole(times, links)

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
