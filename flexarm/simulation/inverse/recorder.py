"""Everything that is recorded of an arm whose whole motion is known: inverse dynamics and loads carried."""

from __future__ import annotations

from dataclasses import dataclass

import casadi as ca
import numpy as np

from flexarm.codegen.native import NativeFunction, compile_native
from flexarm.description.arm.arm import Arm
from flexarm.model.chain import Chain
from flexarm.simulation.forces.applied_forces import applied_forces, with_drives
from flexarm.simulation.forces.motor_limits import has_limits, torque_bounds
from flexarm.simulation.forces.time_functions import Signals
from flexarm.simulation.inverse.task.task import Task
from flexarm.simulation.state.observables import Observables, SymbolicMotion


@dataclass(frozen=True)
class Recorder:
    """Evaluates the datasets of a result from theta, theta_d and theta_dd.

    Attributes
    ----------
    arm : Arm
    chain : Chain
    native : NativeFunction
        (t, [theta, theta_d, theta_dd]) -> all quantities.
    observables : Observables
    """

    arm: Arm
    chain: Chain
    native: NativeFunction
    observables: Observables

    def __call__(
        self, times: np.ndarray, theta: np.ndarray, theta_d: np.ndarray, theta_dd: np.ndarray
    ) -> dict[str, np.ndarray]:
        """Record at times (k,) and motions (k, n_dof); with the motors' bounds where there are any."""
        values = self.native.map(
            times, np.ascontiguousarray(np.concatenate([theta, theta_d, theta_dd], axis=1))
        )
        data = {"time": times, **self.observables.datasets(values)}
        if has_limits(self.arm):
            data["torque_upper"], data["torque_lower"] = torque_bounds(self.arm, data["joint_velocity"])
        return data

    def torques(
        self, times: np.ndarray, theta: np.ndarray, theta_d: np.ndarray, theta_dd: np.ndarray
    ) -> np.ndarray:
        """Torques of all joints, (k, joints) [N m]; at a locked joint what holds it."""
        return self(times, theta, theta_d, theta_dd)["torque"]


def recorder(arm: Arm, chain: Chain) -> Recorder:
    """Derive and compile what is recorded of an arm whose joints are all driven as the motion needs."""
    n = chain.coordinates.n_dof
    t, motion = ca.SX.sym("t"), ca.SX.sym("motion", 3 * n)
    moving = SymbolicMotion(*ca.vertsplit(motion, n))
    applied = applied_forces(with_drives(arm), chain, Signals(t), moving.theta, moving.theta_d)
    needed = set(chain.coordinates.moving_joints)  # their torques are what the motion takes
    observables = Observables.of(arm, chain, moving, applied, needed)
    f = ca.Function("recorded", [t, motion, ca.SX.sym("p", 0)], [ca.densify(observables.vector)])
    return Recorder(arm, chain, compile_native(f), observables)


def tracking(
    task: Task, data: dict[str, np.ndarray], desired: np.ndarray, undeformed: np.ndarray
) -> dict[str, np.ndarray]:
    """Where the tip should be and how far it is from there.

    Parameters
    ----------
    data : dict
        Recorded datasets.
    desired : (k, rows)
        Course of the task.
    undeformed : (k, 3) [m]
        Tip of the arm with the same joint angles and no deflections: it stands for the desired place when
        the joints are prescribed.
    """
    tip = data["point_position"][:, -1]
    if task.space == "joint":
        wanted, axes = undeformed, [0, 1, 2]
    else:
        wanted, axes = tip.copy(), task.axes
        wanted[:, axes] = desired[:, task.positions]
    return {"tip_desired": wanted, "tip_error": np.linalg.norm((wanted - tip)[:, axes], axis=1)}
