"""Applied forces: joint drives and external loads, as expressions of time and state."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import casadi as ca

from flexarm.description.arm.arm import Arm
from flexarm.description.arm.load import Load
from flexarm.description.motion.drive import PD, Drive
from flexarm.formulations.assembly import assemble
from flexarm.formulations.dynamics.newton_euler import LinkForce, transmit
from flexarm.formulations.kinematics.chain_motion import BodyMotion, chain_motion
from flexarm.formulations.kinematics.chain_state import ChainState
from flexarm.formulations.kinematics.deflection_rotation import deflection_rotation
from flexarm.formulations.kinematics.link_motion import axis_motion
from flexarm.formulations.kinematics.poses import poses
from flexarm.model.chain import Chain, LinkStation
from flexarm.simulation.forces.time_functions import Signals


@dataclass
class AppliedForces:
    """Applied forces on the arm; lists have one entry per body of the chain.

    Attributes
    ----------
    torques : list of SX
        Drive torque of every joint [N m], of an elastic one on its motor; zero where there is none.
    load_torques, load_modes : list of SX
        Generalised external loads: one moment per joint, locked ones included, and one vector (m_i,) per body.
    """

    torques: list[ca.SX]
    load_torques: list[ca.SX]
    load_modes: list[ca.SX]

    def add_joint_torques(self, chain: Chain, torques: ca.SX) -> None:
        """Add external torques along the joints' axes, (n_joints,) [N m]: those of their stops."""
        for k, i in enumerate(chain.joint_bodies):
            self.load_torques[i] = self.load_torques[i] + torques[k]

    def forces(self, chain: Chain) -> ca.SX:
        """Generalised forces, (n_dof,) [N m or N]."""
        forces = assemble(chain, self.load_torques, self.load_modes)
        for i, row in zip(chain.joint_bodies, chain.coordinates.driven, strict=True):
            if row is not None:
                forces[row] += self.torques[i]
        return forces


class PointForce(NamedTuple):
    """A force f (3,) [N], along the fixed axes, on a link at the fraction xi of its length; None: at its origin O_i."""

    link: int
    xi: float | None
    f: ca.SX


def applied_forces(
    arm: Arm,
    chain: Chain,
    signals: Signals,
    theta: ca.SX,
    theta_d: ca.SX,
    point_forces: Sequence[PointForce] = (),
) -> AppliedForces:
    """Applied forces at the state theta (n_theta,), theta_d (n_dof,): drives, loads and further point forces."""
    state = ChainState.of(chain, theta, theta_d)
    torques = [ca.SX(0)] * len(chain.bodies)
    for i, row, drive in zip(chain.joint_bodies, chain.coordinates.driven, arm.drive, strict=True):
        if row is not None:
            torques[i] = _drive_torque(drive, signals, theta[row], theta_d[row])
    return AppliedForces(torques, *_generalised_loads(arm, chain, signals, state, point_forces))


def prescribed_motion(arm: Arm, chain: Chain, signals: Signals) -> dict[int, tuple[ca.SX, ca.SX, ca.SX]]:
    """Scalar angle, rate and acceleration [rad, rad/s, rad/s^2] of joints of prescribed motion, by their row.

    Of an elastic joint the motor's motion is prescribed.
    """
    motions, layout = {}, chain.coordinates
    held = dict(zip(layout.moving_motors, arm.initial.motors, strict=False))
    for row, drive, angle in zip(layout.driven, arm.drive, arm.initial.joints, strict=True):
        if row is not None and drive is not None and drive.motion is not None:
            motions[row] = signals.with_rates(
                held.get(row, angle) if drive.motion == "hold" else drive.motion
            )
    return motions


def with_drives(arm: Arm, *kinds: str) -> Arm:
    """The same arm with only those of its drives that are of the given kinds: torque, pd or motion; none by default."""

    def remaining(drive: Drive | None) -> Drive | None:
        return drive if drive and any(getattr(drive, kind) is not None for kind in kinds) else None

    return arm.model_copy(update={"drive": tuple(map(remaining, arm.drive))})


def has_pd_drive(arm: Arm) -> bool:
    """True if a PD drive regulates any joint."""
    return any(drive is not None and drive.pd is not None for drive in arm.drive)


def _drive_torque(drive: Drive | None, signals: Signals, q: ca.SX, q_d: ca.SX) -> ca.SX:
    if drive is not None and drive.pd is not None:
        return _pd_torque(drive.pd, signals, q, q_d)
    return ca.SX(0) if drive is None or drive.torque is None else signals.value(drive.torque)


def _pd_torque(pd: PD, signals: Signals, q: ca.SX, q_d: ca.SX) -> ca.SX:
    """kp (r - q) + kd (r_d - q_d), with the reference's exact rate."""
    r, r_d, _ = signals.with_rates(pd.reference)
    return pd.kp * (r - q) + pd.kd * (r_d - q_d)


def _generalised_loads(
    arm: Arm, chain: Chain, signals: Signals, state: ChainState, point_forces: Sequence[PointForce]
) -> tuple[list[ca.SX], list[ca.SX]]:
    """Generalised forces of all external loads, at joints and modes."""
    if not arm.loads and not point_forces:
        return [ca.SX(0) for _ in chain.bodies], [ca.SX.zeros(body.link.n_modes) for body in chain.bodies]
    motions = chain_motion(chain, state)
    return transmit(motions, load_forces(arm, chain, signals, state, motions, point_forces))


def load_forces(
    arm: Arm,
    chain: Chain,
    signals: Signals,
    state: ChainState,
    motions: Sequence[BodyMotion],
    point_forces: Sequence[PointForce] = (),
) -> list[LinkForce]:
    """External loads, and further point forces, on each body."""
    frames = poses(motions)
    zero = ca.SX.zeros(3)
    forces = [LinkForce(zero, zero, ca.SX.zeros(body.link.n_modes)) for body in chain.bodies]
    for load in arm.loads:
        at = chain.station(load.link, load.station)
        f, m = _wrench(load, signals, frames[at.body].R, frames[chain.joint_bodies[load.link]].R)
        forces[at.body] = _add(forces[at.body], _at_station(chain, at, f, m, state))
    for link, xi, f in point_forces:
        at = None if xi is None else chain.station(link, xi)
        i = chain.joint_bodies[link] if at is None else at.body
        f = frames[i].R.T @ f
        at_origin = LinkForce(f, zero, 0 * forces[i].modes)
        added = at_origin if at is None else _at_station(chain, at, f, zero, state)
        forces[i] = _add(forces[i], added)
    return forces


def _wrench(load: Load, signals: Signals, R: ca.SX, R_link: ca.SX) -> tuple[ca.SX, ca.SX]:
    """Force and moment of a load of the description in the frame of a body of the pose R, its link's being R_link."""
    f = ca.vertcat(*(signals.value(component) for component in load.force))
    m = ca.vertcat(*(signals.value(component) for component in load.moment))
    if load.frame == "link":
        if R is R_link:
            return f, m
        f, m = R_link @ f, R_link @ m
    return R.T @ f, R.T @ m


def _at_station(chain: Chain, at: LinkStation, f: ca.SX, m: ca.SX, state: ChainState) -> LinkForce:
    """Force and moment at a station, about the origin of its body and in its frame, and what they do on its modes."""
    delta, delta_d = state.delta[at.body], state.delta_d[at.body]
    point = axis_motion(at.segment, delta, delta_d, at.xi)
    turn = deflection_rotation(at.segment.rotation(at.xi), delta, delta_d, chain.link_rotation).jacobian
    return LinkForce(f, ca.cross(point.d, f) + m, point.jacobian.T @ f + turn.T @ m)


def _add(a: LinkForce, b: LinkForce) -> LinkForce:
    return LinkForce(a.f + b.f, a.n + b.n, a.modes + b.modes)
