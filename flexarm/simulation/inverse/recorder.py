"""Recorder: evaluates what is recorded of an arm whose whole motion is known."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass

import casadi as ca
import numpy as np

from flexarm.codegen.native import compile_native
from flexarm.codegen.native_function import LEAST_OPTIMISATION, NativeFunction
from flexarm.description.arm.arm import Arm
from flexarm.model.chain import Chain
from flexarm.simulation.forces.applied_forces import applied_forces, with_drives
from flexarm.simulation.forces.dry_friction import sliding_friction
from flexarm.simulation.forces.motor_limits import available_torque, has_limits
from flexarm.simulation.forces.time_functions import Signals
from flexarm.simulation.inverse.internal_dynamics import Motion
from flexarm.simulation.inverse.internal_dynamics_derivation import within
from flexarm.simulation.inverse.task.minimal_coordinates import chain_motion_of
from flexarm.simulation.state.observables import Observables, SymbolicMotion
from flexarm.simulation.state.recorded_stress import StressRecorder
from flexarm.solvers.dop853.layout import LANES


@dataclass(frozen=True)
class Recorder:
    """Evaluates the datasets of a result from theta, theta_d and theta_dd.

    Attributes
    ----------
    arm : Arm
    chain : Chain
    native : NativeFunction
        (t, [theta, theta_d, theta_dd] in minimal coordinates) -> all quantities.
    observables : Observables
        Where each of them is.
    with_stress : StressRecorder
    """

    arm: Arm
    chain: Chain
    native: NativeFunction
    observables: Observables
    with_stress: StressRecorder

    def __call__(self, times: np.ndarray, motion: Motion) -> dict[str, np.ndarray]:
        """Datasets at times (k,) [s] of a motion, with the motors' torque bounds where there are any."""
        values = self.native.map(times, np.ascontiguousarray(np.concatenate(motion, axis=1)))
        data = self.with_stress({"time": times, **self.observables.datasets(values)})
        if has_limits(self.arm):
            rates = data.get("motor_velocity", data["joint_velocity"])
            data["torque_upper"], data["torque_lower"] = available_torque(self.arm, rates)
        return data

    def undeformed_tip(self, times: np.ndarray, theta: np.ndarray) -> np.ndarray:
        """Tip (k, 3) [m] of the arm with the joint angles of theta (k, n_dof) and no deflections."""
        undeformed, zero = theta.copy(), np.zeros_like(theta)
        undeformed[:, list(self.chain.coordinates.all_modes)] = 0.0
        return self(times, (undeformed, zero, zero))["point_position"][:, -1]


def recorder(arm: Arm, chain: Chain, passive: Container[int], duration: float) -> Recorder:
    """Derive and compile what is recorded of an arm whose drives have the torques that its motion takes.

    All joints but those of the rows `passive` have drives. Loads are before and after the duration [s] of the
    trajectory what they are at its ends.
    """
    n = chain.coordinates.n_dof
    t, motion = ca.SX.sym("t"), ca.SX.sym("motion", 3 * n)
    moving = SymbolicMotion(*chain_motion_of(chain, *ca.vertsplit(motion, n)))
    signals = Signals(within(t, duration))
    applied = applied_forces(with_drives(arm), chain, signals, moving.theta, moving.theta_d)
    driven = {row for row in chain.coordinates.driven_rows if row not in passive}
    further = {}
    if any(joint.friction.is_dry for joint in arm.joints):
        applied.dry_friction = sliding_friction(arm, chain, moving.theta_d, range(len(arm.joints)))
        further["friction_torque"] = applied.dry_friction, (len(arm.joints),)
    observables = Observables.of(arm, chain, moving, applied, driven, further)
    f = ca.Function("recorded", [t, motion, ca.SX.sym("p", 0)], [ca.densify(observables.vector)])
    return Recorder(
        arm,
        chain,
        compile_native(f, lanes=LANES, optimisation=LEAST_OPTIMISATION),
        observables,
        StressRecorder(arm),
    )
