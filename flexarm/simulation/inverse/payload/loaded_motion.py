"""Loaded motion: an arm that carries a load along a trajectory, [SY94] section 7.

The joints move as the rigid arm's would, which is what their controllers see to; the links bend under the load.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from flexarm.errors import SolverError
from flexarm.model.chain_builder import build_chain
from flexarm.simulation.inverse.internal_dynamics import Motion
from flexarm.simulation.inverse.methods.causal_inversion import integrate, internal_dynamics_problem
from flexarm.simulation.inverse.payload.load_limits import Constraint, constraints
from flexarm.simulation.inverse.problem import InverseProblem
from flexarm.simulation.inverse.rigid_motion import rigid_motion
from flexarm.simulation.inverse.task.extended_trajectory import ExtendedTrajectory
from flexarm.simulation.inverse.task.inverse_kinematics import InverseKinematics
from flexarm.simulation.inverse.task.reference_trajectory import ReferenceTrajectory, tabled_trajectory
from flexarm.simulation.inverse.task.task import Task
from flexarm.solvers.solve import solve


@dataclass
class LoadedMotion:
    """An arm that carries a load along the trajectory.

    Attributes
    ----------
    mass : float [kg]
    data : dict
        Datasets over time, name -> (k, ..).
    theta : (k, n_dof)
        Coordinates of the links.
    constraints : list of Constraint
        Every bound, the tightest first.
    """

    mass: float
    data: dict[str, np.ndarray]
    theta: np.ndarray
    constraints: list[Constraint]

    @property
    def active(self) -> Constraint:
        """The tightest bound."""
        return self.constraints[0]


@dataclass
class PayloadProblem:
    """An arm, a trajectory and what bounds the load.

    Attributes
    ----------
    inverse : InverseProblem
        Of the arm as it is, along the trajectory; its payload gives the offset of the load.
    deviation : float or None [m]
        Allowed distance of the tip from its desired place.
    inertia_per_mass : (6,) [m^2]
        xx, yy, zz, xy, xz, yz of the load about its own mass centre.
    max_stress : float or None [Pa]
        Allowed stress of the links, of an arm whose runs record loads.
    """

    inverse: InverseProblem
    deviation: float | None
    inertia_per_mass: tuple[float, ...]
    max_stress: float | None = None

    @cached_property
    def joint_trajectory(self) -> ReferenceTrajectory:
        """The joints' motion, that of the rigid arm, as tables: it does not depend on the load."""
        problem, reference = self.inverse, self.inverse.reference
        joints, extended = list(problem.chain.coordinates.moving_joints), ExtendedTrajectory(reference)

        def joint_motion(times: np.ndarray) -> list[np.ndarray]:
            return [values[:, joints] for values in rigid_motion(problem, extended, times)]

        return tabled_trajectory(joint_motion, problem.mesh(problem.sample), reference.breaks)

    def loaded(self, mass: float) -> InverseProblem:
        """The arm with a load of a mass [kg], all its moving joints prescribed."""
        inertia = tuple(mass * value for value in self.inertia_per_mass)
        payload = self.inverse.arm.payload.model_copy(update={"mass": mass, "inertia": inertia})
        arm = self.inverse.arm.model_copy(update={"payload": payload})
        chain = build_chain(arm).link_side
        moving = [f"q{i}" for i, row in enumerate(chain.coordinates.joints, start=1) if row is not None]
        task = Task(tuple(moving), "joint")
        return InverseProblem(
            arm, self.inverse.trajectory, chain, task, self.joint_trajectory, InverseKinematics(chain, task),
            self.inverse.start,
        )  # fmt: skip

    def loaded_motion(self, mass: float) -> LoadedMotion:
        """Motion along the trajectory with a load [kg], from static equilibrium at its start.

        Raises
        ------
        SolverError
            The links give way.
        """
        problem = self.loaded(mass)
        times = problem.times()
        ivp = internal_dynamics_problem(problem, problem.zero_dynamics.state)
        found = integrate(problem, ivp, times)
        if found.message:
            raise SolverError(f"with a load of {mass:.4g} kg: {found.message}")
        desired = problem.reference(times)

        def at(times: np.ndarray) -> Motion:
            return problem.dynamics.full_motion(
                times, solve("dop853", ivp, times)[0], problem.reference(times)
            )

        motion = problem.dynamics.full_motion(times, found.states, desired)
        mesh = problem.mesh(problem.sample)
        theta = motion[0]
        if (motors := problem.motor_motion(problem.dynamics, problem.reference, at, mesh)) is not None:
            motion = motors.whole(times, motion)
        data = problem.record(times, motion, desired.p)
        return LoadedMotion(
            mass, data, theta, constraints(problem.arm, data, self.deviation, self.max_stress)
        )
