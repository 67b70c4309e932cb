"""Integral parts of drives in a static equilibrium: where they lead their joints, and what they hold there."""

from __future__ import annotations

import casadi as ca
import numpy as np

from flexarm.description.arm.arm import Arm
from flexarm.errors import ModelError
from flexarm.formulations.derivation_cost import derivation
from flexarm.formulations.formulation import make_formulation
from flexarm.model.chain import Chain
from flexarm.simulation.forces.applied_forces import applied_forces
from flexarm.simulation.forces.drive_torques import integral_joints, with_pds_on_joints
from flexarm.simulation.forces.time_functions import Signals

BEYOND = 1e-9
"""Torque beyond a motor's limit that is round-off, as a fraction of it."""


def references(arm: Arm, chain: Chain) -> dict[int, float]:
    """Row on which each drive with an integral part acts -> its reference at t = 0 [rad, m]."""
    found = {}
    for joint in _acting(arm):
        row, pd = chain.coordinates.driven[joint], arm.drive[joint].pd  # pyright: ignore[reportOptionalMemberAccess]
        if row is not None and pd is not None:
            signals = Signals(ca.SX.sym("t"))
            reference = signals.value(pd.followed)  # tables enter u here
            value = ca.Function("reference", [signals.t, signals.u], [reference])
            found[row] = float(value(0.0, signals.values(0.0)))
    return found


def holding_integrals(arm: Arm, chain: Chain, theta: np.ndarray) -> np.ndarray:
    """Integrals (n_integrals,) [rad s] with which drives hold the arm at rest at theta (n_theta,).

    Those of PD drives that are blocks of what is measured are among them, in the order of the joints.

    Raises
    ------
    ModelError
        A motor that limits its drive is too weak.
    """
    arm = with_pds_on_joints(arm)
    joints = integral_joints(arm)
    integrals = np.zeros(len(joints))
    if not _acting(arm):
        return integrals
    signals, symbol = Signals(ca.SX.sym("t")), ca.SX.sym("theta", chain.coordinates.n_theta)
    still = ca.SX.zeros(chain.coordinates.n_dof)
    applied = applied_forces(arm, chain, signals, symbol, still)
    with derivation(chain, arm.run.formulation):
        missing = make_formulation(arm.run.formulation, chain).bias(symbol, still) - applied.forces(chain)
        rows = [row for joint in joints if (row := chain.coordinates.driven[joint]) is not None]
        drives = [applied.drives[joint] for joint in joints]
        needed = [missing[row] + drive.torque for row, drive in zip(rows, drives, strict=True)]
        others = [
            sum((part for name, part in drive.parts.items() if name not in ("integral", "limit")), ca.SX(0))
            for drive in drives
        ]
        f = ca.Function("holding", [signals.t, symbol, signals.u], [ca.vertcat(*needed), ca.vertcat(*others)])
    torques, parts = (value.full().ravel() for value in f(0.0, theta, signals.values(0.0)))
    for k, joint in enumerate(joints):
        drive, motor = arm.drive[joint], arm.joints[joint].motor
        if drive is None or drive.pd is None or not drive.pd.ki:
            continue
        if drive.saturate and motor.stall_torque is not None:
            limit = motor.gear * motor.stall_torque
            if abs(torques[k]) > limit * (1 + BEYOND):
                raise ModelError(
                    f"{arm.name}: no equilibrium at the reference of joint {joint + 1}: it needs {torques[k]:.6g} N m "
                    f"to stay there, but its motor gives {limit:.6g} N m"
                )
        integrals[k] = (torques[k] - parts[k]) / drive.pd.ki
    return integrals


def _acting(arm: Arm) -> list[int]:
    """Joints, from 0, whose integral part has a gain other than 0."""
    return [joint for joint in integral_joints(arm) if arm.drive[joint].pd.ki]  # pyright: ignore[reportOptionalMemberAccess]
