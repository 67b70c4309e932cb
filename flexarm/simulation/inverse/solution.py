"""The motion of an arm that follows a trajectory, whatever method found it: its datasets, and their verification."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from flexarm import __version__
from flexarm.progress import Progress
from flexarm.simulation.forces.piecewise_polynomials import even_mesh, interpolated
from flexarm.simulation.inverse.methods.rigid_inversion import rigid_motion
from flexarm.simulation.inverse.problem import InverseProblem
from flexarm.simulation.inverse.recorder import tracking
from flexarm.simulation.inverse.task.extended_trajectory import ExtendedTrajectory
from flexarm.simulation.inverse.task.inverse_kinematics import singular_values
from flexarm.simulation.inverse.task.operational_space import OperationalSpace
from flexarm.simulation.inverse.verification import open_loop

Motion = tuple[np.ndarray, np.ndarray, np.ndarray]
"""theta, theta_d and theta_dd over time, each (k, n_dof)."""


@dataclass
class InverseMotion:
    """What a method finds.

    Attributes
    ----------
    problem : InverseProblem
    method : str
    course : ExtendedTrajectory
        The task with its margins.
    times : (k,) [s]
        Samples.
    at : callable
        Times (k,) inside the trajectory, ascending -> motion.
    motion : Motion
        At the samples.
    step : float [s]
        Length over which the torques are smooth enough for polynomials of degree 4.
    message : str
        Why it stopped early; empty if it is complete.
    facts : dict
        Attributes of the result that belong to the method.
    """

    problem: InverseProblem
    method: str
    course: ExtendedTrajectory
    times: np.ndarray
    at: Callable[[np.ndarray], Motion]
    motion: Motion
    step: float
    message: str = ""
    facts: dict[str, object] = field(default_factory=dict)

    def datasets(self, operational_space: bool = False) -> dict[str, np.ndarray]:
        """Everything recorded at the samples."""
        problem, times = self.problem, self.times
        theta, theta_d, _ = self.motion
        data = problem.recorder(times, *self.motion)
        course = self.course(times)
        rigid = rigid_motion(
            problem.rigid_dynamics, problem.kinematics, self.course, problem.start, times, problem.where
        )
        compared = problem.recorder(times, *rigid)
        undeformed = theta.copy()
        undeformed[:, list(problem.chain.coordinates.all_modes)] = 0.0
        still = np.zeros_like(theta)
        tips = problem.recorder(times, undeformed, still, still)["point_position"][:, -1]
        found, J = problem.kinematics.map(theta)
        data |= tracking(problem.task, data, course.p, tips)
        if problem.task.angular.any():
            missing = problem.task.error(course.p, found)[:, problem.task.angular]
            data["turn_error"] = np.abs(missing).max(axis=1)
        data["singular_value"] = singular_values(J[:, :, problem.kinematics.joints])[:, -1]
        data["rigid_joint_angle"], data["rigid_torque"] = compared["joint_angle"], compared["torque"]
        if operational_space:
            data |= OperationalSpace(problem.arm, problem.chain, problem.task).record(theta, theta_d)
        return data

    def verify(self, progress: Progress | None = None) -> float:
        """Feed the torques to the forward dynamics; return the tip's largest distance from its path [m].

        The simulation starts from the computed state at t = 0 and runs open loop to the end of the trajectory. With
        prescribed turns of the tip or joints, the largest of all task rows' errors counts.
        """
        problem = self.problem
        joints = [i for i, row in enumerate(problem.chain.coordinates.joints) if row is not None]
        breaks = np.concatenate([[0.0], problem.path.breaks, [problem.path.duration]])
        mesh = even_mesh(breaks, self.step)
        signals = interpolated(lambda t: problem.recorder.torques(t, *self.at(t))[:, joints], mesh)
        theta, theta_d, _ = (values[0] for values in self.at(np.array([0.0])))
        times = problem.times()
        thetas = open_loop(problem.arm, problem.chain, signals, theta, theta_d, times, progress)
        missing = problem.task.error(problem.path(times).p, problem.kinematics.map(thetas)[0])
        positions = problem.task.positions
        others = np.delete(missing, positions, axis=1)
        return float(
            max(np.linalg.norm(missing[:, positions], axis=1).max(), np.abs(others).max(initial=0.0))
        )

    @property
    def attributes(self) -> dict[str, object]:
        """Root attributes of the result but for the command."""
        problem = self.problem
        arm = problem.arm
        return {
            "kind": "inverse",
            "status": "incomplete" if self.message else "complete",
            "message": self.message,
            "flexarm_version": __version__,
            "robot": arm.text,
            "trajectory": problem.trajectory.text,
            "task": ", ".join(problem.task.names),
            "duration": problem.path.duration,
            "formulation": arm.run.formulation,
            "link_rotation": arm.link_rotation,
            "method": self.method,
            **self.facts,
        }
