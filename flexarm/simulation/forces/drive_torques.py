"""Torques of the drives of joints: their parts, the limits of the motors, and how the integral parts change."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

import casadi as ca

from flexarm.description.arm.arm import Arm
from flexarm.description.arm.joint.motor import Motor
from flexarm.description.motion.drive import Drive
from flexarm.formulations.dynamics.energies import energies
from flexarm.model.chain import Chain
from flexarm.simulation.forces.motor_limits import torque_bounds
from flexarm.simulation.forces.time_functions import Signals

NO_COMMANDS: Mapping[int, ca.SX] = MappingProxyType({})


@dataclass
class DriveTorque:
    """Torque of the drive of one joint.

    Attributes
    ----------
    parts : dict of str to SX
        Its parts [N m], named as in :data:`~flexarm.results.schema.TORQUE_PARTS`; their sum is the torque.
    integral_rate : SX, optional
        Rate of the integral of the error [rad].
    """

    parts: dict[str, ca.SX] = field(default_factory=dict)
    integral_rate: ca.SX | None = None

    @property
    def torque(self) -> ca.SX:
        """The torque that acts on the joint [N m]."""
        return sum(self.parts.values(), ca.SX(0))


def integral_joints(arm: Arm) -> list[int]:
    """Joints, from 0, whose drives have an integral part, the state of which is the integral of their error."""
    pds = enumerate(drive and drive.pd for drive in arm.drive)
    return [i for i, pd in pds if pd is not None and pd.ki is not None and not pd.is_measured]


def with_pds_on_joints(arm: Arm) -> Arm:
    """Same arm with PD drives on the exact motion of its joints, also where they are blocks of what is measured."""
    if not any(drive and drive.pd and drive.pd.is_measured for drive in arm.drive):
        return arm
    drive = (
        own if own is None or own.pd is None else own.model_copy(update={"pd": own.pd.on_joint})
        for own in arm.drive
    )
    return arm.model_copy(update={"drive": tuple(drive)})


def drive_torques(
    arm: Arm,
    chain: Chain,
    signals: Signals,
    theta: ca.SX,
    theta_d: ca.SX,
    integrals: ca.SX | None = None,
    commands: Mapping[int, ca.SX] = NO_COMMANDS,
) -> list[DriveTorque]:
    """Torques of the drives of all joints at the state theta (n_theta,), theta_d (n_dof,).

    What they measure is the joint or, behind a spring, its motor.

    Parameters
    ----------
    integrals : SX (n_integrals,), optional [rad s]
        Integrals of the errors of :func:`integral_joints`; without them the torques are those with integrals of 0.
    commands : mapping of int to SX [N m]
        What controllers ask of the drives of joints, from 0; nothing unless given.
    """
    layout = chain.coordinates
    numbers = {joint: k for k, joint in enumerate(integral_joints(arm))}
    weight = _static_torques(arm, chain, theta)
    found = []
    for joint, (row, drive) in enumerate(zip(layout.driven, arm.drive, strict=True)):
        if drive is None or row is None or drive.motion is not None:
            found.append(DriveTorque())
            continue
        integral = ca.SX(0) if integrals is None or joint not in numbers else integrals[numbers[joint]]
        given = {
            "gravity_compensation": weight[joint] if drive.gravity_compensation else None,
            "controller": commands.get(joint),
        }
        motor = arm.joints[joint].motor
        found.append(_drive_torque(drive, motor, signals, theta[row], theta_d[row], integral, given))
    return found


def _drive_torque(
    drive: Drive,
    motor: Motor,
    signals: Signals,
    q: ca.SX,
    q_d: ca.SX,
    integral: ca.SX,
    given: Mapping[str, ca.SX | None],
) -> DriveTorque:
    """Torque of a drive that measures q [rad] and q_d [rad/s]; `given` are parts that others know [N m]."""
    found, pd = DriveTorque(), drive.pd
    parts, error = found.parts, ca.SX(0)
    feedforward = [drive.torque, None if pd is None else pd.feedforward]
    if any(signal is not None for signal in feedforward):
        parts["feedforward"] = sum(
            (signals.value(each) for each in feedforward if each is not None), ca.SX(0)
        )
    if pd is not None and not pd.is_measured:
        # the reference's rate is exact
        r, r_d = signals.with_rate(pd.followed)
        error = r - q
        parts["proportional"], parts["derivative"] = pd.kp * error, pd.kd * (r_d - q_d)
        if pd.ki is not None:
            parts["integral"] = pd.ki * integral
            found.integral_rate = error
    parts.update({name: torque for name, torque in given.items() if torque is not None})
    if drive.voltage is not None:
        # current (u - k gear q_d)/R; its torque k gear times as large at the joint
        parts["voltage"] = motor.torque_per_volt * signals.value(drive.voltage)
        parts["back_emf"] = -motor.back_emf_damping * q_d
    if drive.saturate:
        upper, lower = torque_bounds(motor, q_d, ca.fmin, ca.fmax)
        demanded = found.torque
        parts["limit"] = ca.fmin(ca.fmax(demanded, lower), upper) - demanded
        if found.integral_rate is not None and pd is not None:
            # back-calculation: at the limit the integral goes to where the demand is at the limit, in the time kp/ki
            found.integral_rate += parts["limit"] / pd.kp
    return found


def _static_torques(arm: Arm, chain: Chain, theta: ca.SX) -> list[ca.SX]:
    """Torques that hold the rigid arm's joints at the measured angles [N m]: the slope of its weight's energy."""
    layout = chain.coordinates
    if not any(drive and drive.gravity_compensation for drive in arm.drive):
        return [ca.SX(0)] * len(layout.joints)
    at, straight = ca.SX.sym("theta", theta.numel()), ca.SX(theta)
    straight[list(layout.all_modes)] = 0
    straight[list(layout.moving_joints)] = theta[list(layout.driven_rows)]
    weight = energies(chain, at, ca.SX.zeros(layout.n_dof)).gravity
    slope = ca.substitute(ca.gradient(weight, at), at, straight)
    return [ca.SX(0) if row is None else slope[row] for row in layout.joints]
