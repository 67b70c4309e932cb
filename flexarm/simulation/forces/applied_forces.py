"""Applied forces: joint drives and external loads, as expressions of time and state."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import casadi as ca

from flexarm.description.arm.arm import Arm
from flexarm.description.arm.load import Load
from flexarm.description.motion.drive import Drive
from flexarm.formulations.assembly import assemble
from flexarm.formulations.dynamics.link_loads import LineForce, LinkLoad, StationForce
from flexarm.formulations.dynamics.newton_euler import LinkForce, transmit
from flexarm.formulations.kinematics.chain_motion import BodyMotion, chain_motion
from flexarm.formulations.kinematics.chain_state import ChainState
from flexarm.formulations.kinematics.deflection_rotation import deflection_rotation
from flexarm.formulations.kinematics.link_motion import axis_motion
from flexarm.formulations.kinematics.poses import poses
from flexarm.model.chain import Chain, LinkStation
from flexarm.simulation.forces.drive_torques import NO_COMMANDS, DriveTorque, drive_torques
from flexarm.simulation.forces.point_force import PointForce
from flexarm.simulation.forces.time_functions import Signals
from flexarm.simulation.forces.walls.soft_walls import SoftContacts, TouchFlags, soft_contacts


@dataclass
class AppliedForces:
    """Applied forces on the arm; lists have one entry per body of the chain.

    Attributes
    ----------
    drives : list of DriveTorque
        Drive of every joint, in the order of the description.
    torques : list of SX
        Drive torque at every body's joint [N m], of an elastic one on its motor; zero where there is none.
    load_torques, load_modes : list of SX
        Generalised external loads: one moment per joint, locked ones included, and one vector (m_i,) per body.
    loads : list of LinkLoad
        What these loads are, and where they act; those of joints' stops are none of them.
    dry_friction : SX (n_joints,), optional [N m, N]
        Torques of the dry friction of joints, of elastic ones on their motors.
    soft : SoftContacts, optional
        Soft walls, whose forces are among the loads.
    """

    drives: list[DriveTorque]
    torques: list[ca.SX]
    load_torques: list[ca.SX]
    load_modes: list[ca.SX]
    loads: list[LinkLoad]
    dry_friction: ca.SX | None = None
    soft: SoftContacts | None = None

    def add_joint_torques(self, chain: Chain, torques: ca.SX) -> None:
        """Add external torques along the joints' axes, (n_joints,) [N m]: those of their stops."""
        for k, i in enumerate(chain.joint_bodies):
            self.load_torques[i] = self.load_torques[i] + torques[k]

    def forces(self, chain: Chain) -> ca.SX:
        """Generalised forces, (n_dof,) [N m or N]."""
        forces = assemble(chain, self.load_torques, self.load_modes) + self.friction(chain)
        for i, row in zip(chain.joint_bodies, chain.coordinates.driven, strict=True):
            if row is not None:
                forces[row] += self.torques[i]
        return forces

    def friction(self, chain: Chain) -> ca.SX:
        """Generalised forces of dry friction, (n_dof,) [N m or N]."""
        forces = ca.SX.zeros(chain.coordinates.n_dof)
        if self.dry_friction is not None:
            for k, row in enumerate(chain.coordinates.driven):
                if row is not None:
                    forces[row] += self.dry_friction[k]
        return forces


def applied_forces(
    arm: Arm,
    chain: Chain,
    signals: Signals,
    theta: ca.SX,
    theta_d: ca.SX,
    point_forces: Sequence[PointForce] = (),
    integrals: ca.SX | None = None,
    commands: Mapping[int, ca.SX] = NO_COMMANDS,
    flags: TouchFlags | None = None,
) -> AppliedForces:
    """Applied forces at the state theta (n_theta,), theta_d (n_dof,): drives, loads, soft walls, further point forces.

    `integrals` and `commands` are those of :func:`~flexarm.simulation.forces.drive_torques.drive_torques`, `flags` of
    :func:`~flexarm.simulation.forces.walls.soft_walls.soft_contacts`.
    """
    state = ChainState.of(chain, theta, theta_d)
    drives = drive_torques(arm, chain, signals, theta, theta_d, integrals, commands)
    torques = [ca.SX(0)] * len(chain.bodies)
    for i, drive in zip(chain.joint_bodies, drives, strict=True):
        torques[i] = drive.torque
    soft = soft_contacts(arm, chain, theta, theta_d, flags) if arm.has_soft_walls else None
    if soft is not None:
        point_forces = [*point_forces, *soft.point_forces]
    if not arm.loads and not point_forces:
        none = [ca.SX(0) for _ in chain.bodies], [ca.SX.zeros(body.link.n_modes) for body in chain.bodies]
        return AppliedForces(drives, torques, *none, [])
    motions = chain_motion(chain, state)
    loads = station_forces(arm, chain, signals, state, motions, point_forces)
    return AppliedForces(drives, torques, *transmit(motions, on_bodies(chain, loads)), loads, soft=soft)


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
    """The same arm with only those of its drives that have one of these attributes, and no limits; none by default.

    PD drives act on the joints themselves.
    """

    def remaining(drive: Drive | None) -> Drive | None:
        kept = drive and any(getattr(drive, kind) not in (None, False) for kind in kinds)
        pd = drive.pd.on_joint if drive and drive.pd else None
        return drive.model_copy(update={"saturate": False, "pd": pd}) if drive and kept else None

    return arm.model_copy(update={"drive": tuple(map(remaining, arm.drive))})


def has_feedback(arm: Arm) -> bool:
    """True if the torque of any drive depends on how its joint moves."""
    return any(drive is not None and drive.regulates for drive in arm.drive)


def station_forces(
    arm: Arm,
    chain: Chain,
    signals: Signals,
    state: ChainState,
    motions: Sequence[BodyMotion],
    point_forces: Sequence[PointForce] = (),
) -> list[LinkLoad]:
    """External loads, and further point forces, one by one."""
    frames = poses(motions)
    zero = ca.SX.zeros(3)
    found: list[LinkLoad] = []
    for load in arm.loads:
        if load.stretch is not None:
            R_link = frames[chain.joint_bodies[load.link]].R
            f = ca.vertcat(*(signals.value(component) for component in load.distributed))
            for part in chain.stretches(load.link, *load.stretch):
                own = _turned(load, f, frames[part.body].R, R_link)
                found.append(LineForce(part, own, state.delta[part.body]))
            continue
        at = chain.station(load.link, load.station)
        f, m = _wrench(load, signals, frames[at.body].R, frames[chain.joint_bodies[load.link]].R)
        found.append(StationForce(at.body, at.xi, _at_station(chain, at, f, m, state)))
    for link, xi, f in point_forces:
        if xi is None:
            i = chain.joint_bodies[link]
            at_origin = LinkForce(frames[i].R.T @ f, zero, ca.SX.zeros(chain.bodies[i].link.n_modes))
            found.append(StationForce(i, 0.0, at_origin))
        else:
            at = chain.station(link, xi)
            own = _at_station(chain, at, frames[at.body].R.T @ f, zero, state)
            found.append(StationForce(at.body, at.xi, own))
    return found


def on_bodies(chain: Chain, loads: Sequence[LinkLoad]) -> list[LinkForce]:
    """Sum of the loads on each body."""
    zero = ca.SX.zeros(3)
    forces = [LinkForce(zero, zero, ca.SX.zeros(body.link.n_modes)) for body in chain.bodies]
    for load in loads:
        forces[load.body] = _add(forces[load.body], load.force)
    return forces


def _wrench(load: Load, signals: Signals, R: ca.SX, R_link: ca.SX) -> tuple[ca.SX, ca.SX]:
    """Force and moment of a load of the description in the frame of a body of the pose R, its link's being R_link."""
    f = ca.vertcat(*(signals.value(component) for component in load.force))
    m = ca.vertcat(*(signals.value(component) for component in load.moment))
    return _turned(load, f, R, R_link), _turned(load, m, R, R_link)


def _turned(load: Load, vector: ca.SX, R: ca.SX, R_link: ca.SX) -> ca.SX:
    """A vector (3,) of a load in the frame of a body of the pose R, its link's being R_link."""
    if load.frame == "link":
        return vector if R is R_link else R.T @ (R_link @ vector)
    return R.T @ vector


def _at_station(chain: Chain, at: LinkStation, f: ca.SX, m: ca.SX, state: ChainState) -> LinkForce:
    """Force and moment at a station, about the origin of its body and in its frame, and what they do on its modes."""
    delta, delta_d = state.delta[at.body], state.delta_d[at.body]
    point = axis_motion(at.segment, delta, delta_d, at.xi)
    turn = deflection_rotation(at.segment.rotation(at.xi), delta, delta_d, chain.link_rotation).jacobian
    return LinkForce(f, ca.cross(point.d, f) + m, point.jacobian.T @ f + turn.T @ m)


def _add(a: LinkForce, b: LinkForce) -> LinkForce:
    return LinkForce(a.f + b.f, a.n + b.n, a.modes + b.modes)
