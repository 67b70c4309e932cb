"""The arm as plain numbers and structure: what every formulation reads."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import NamedTuple

import numpy as np

from flexarm.description.arm.arm import Arm
from flexarm.description.arm.joint import Joint as JointSpec
from flexarm.description.arm.link import Link as LinkSpec
from flexarm.description.arm.load import Payload
from flexarm.description.arm.mode_choice import TipLoad
from flexarm.links import FlexibleLink, ModalIntegrals, flexible_link
from flexarm.links.section_motion import Sections
from flexarm.model.coordinates import Coordinates
from flexarm.model.floating_base import FloatingBase
from flexarm.model.rigid_body import RigidBody


@dataclass(frozen=True)
class Joint:
    """A joint's numbers.

    Attributes
    ----------
    moves : bool
        False for a joint locked at ``angle``.
    angle : float [rad]
        Where a locked joint is locked.
    cos_twist, sin_twist : float
        Of the fixed turn about x before the joint's own; exact for multiples of 90 degrees.
    offset : float [m]
        Displacement along the joint's axis (Denavit-Hartenberg d).
    viscous, coulomb, smoothing : float [N m s, N m, rad/s]
        Friction torque ``viscous q_d + coulomb tanh(q_d / smoothing)``.
    motor_inertia : float [kg m^2]
        Rotor inertia as felt at the joint, gear^2 times its own.
    """

    moves: bool = True
    angle: float = 0.0
    cos_twist: float = 1.0
    sin_twist: float = 0.0
    offset: float = 0.0
    viscous: float = 0.0
    coulomb: float = 0.0
    smoothing: float = 1.0
    motor_inertia: float = 0.0

    @classmethod
    @lru_cache(maxsize=256)
    def of(cls, spec: JointSpec) -> Joint:
        """Numbers of a joint's description."""
        return cls(
            moves=spec.type == "revolute",
            angle=spec.angle,
            cos_twist=round_off_free(math.cos(spec.twist)),
            sin_twist=round_off_free(math.sin(spec.twist)),
            offset=spec.offset,
            viscous=spec.friction.viscous,
            coulomb=spec.friction.coulomb,
            smoothing=spec.friction.smoothing,
            motor_inertia=spec.motor.gear**2 * spec.motor.inertia,
        )

    @property
    def rotation(self) -> np.ndarray:
        """Fixed part of the joint's rotation: the twist about x, (3, 3)."""
        c, s = self.cos_twist, self.sin_twist
        return np.array([[1, 0, 0], [0, c, -s], [0, s, c]])


@dataclass(frozen=True)
class Body:
    """A link and the joint on which it hangs."""

    joint: Joint
    link: FlexibleLink | FloatingBase


class Rows(NamedTuple):
    """Where a body's joint (None if locked) and its modes sit in theta_d, and its modes in theta."""

    joint: int | None
    modes: tuple[int, ...]
    modes_theta: tuple[int, ...]


@dataclass(frozen=True)
class Chain:
    """Bodies from base to tip.

    Attributes
    ----------
    gravity : (3,) [m/s^2]
        In base axes.
    link_rotation : {"finite", "small"}
    bodies : tuple of Body
        A floating base, if there is one; the links; and, where the payload is more than a point mass, the payload
        as a rigid body without length on a locked joint: it turns with the end of the last link.
    links : range
        Which of the bodies are links of the description.
    coordinates : Coordinates
        Layout of theta.
    """

    gravity: tuple[float, float, float]
    link_rotation: str
    bodies: tuple[Body, ...]
    links: range
    coordinates: Coordinates

    @cached_property
    def rows(self) -> tuple[Rows, ...]:
        """Where each body's coordinates are."""
        layout = self.coordinates
        rows = [Rows(joint, modes, modes) for joint, modes in zip(layout.joints, layout.modes, strict=True)]
        before = [Rows(None, layout.base, layout.base_theta)] * self.links.start
        after = [Rows(None, (), ())] * (len(self.bodies) - self.links.stop)
        return (*before, *rows, *after)

    @property
    def flexible_links(self) -> list[FlexibleLink]:
        """The links of the description."""
        return [link for i in self.links if isinstance(link := self.bodies[i].link, FlexibleLink)]


def build_chain(arm: Arm) -> Chain:
    """Turn a description into numbers: modal integrals of every link, hubs and payload lumped in."""
    joints = [Joint.of(spec) for spec in arm.joints]  # pyright: ignore[reportArgumentType]  (frozen: hashable)
    payload = payload_body(arm.payload)  # pyright: ignore[reportArgumentType]  (frozen: hashable)
    point_payload = not payload.moment.any() and not payload.inertia.any()
    last = len(arm.links) - 1
    floats = arm.base != "fixed"
    bodies = [Body(Joint(moves=False), FloatingBase(arm.base))] if floats else []
    for i, (link, spec) in enumerate(zip(arm.links, arm.joints, strict=True)):
        flexible = flexible_link(
            _with_known_tips(link, arm, joints, i),  # pyright: ignore[reportArgumentType]  (frozen: hashable)
            tip_mass=payload.mass if point_payload and i == last else 0.0,
            hub_mass=spec.mass,
            hub_inertia=spec.inertia,
            stiffening=arm.geometric_stiffening,
        )
        bodies.append(Body(joints[i], flexible))
    if not point_payload:
        bodies.append(Body(Joint(moves=False), _massive_end(payload)))
    return Chain(
        gravity=arm.gravity,
        link_rotation=arm.link_rotation,
        bodies=tuple(bodies),
        links=range(floats, floats + len(arm.links)),
        coordinates=arm_coordinates(arm),
    )


def arm_coordinates(arm: Arm) -> Coordinates:
    """Lay out the coordinates of an arm."""
    moving = tuple(joint.type == "revolute" for joint in arm.joints)
    return Coordinates.of(moving, tuple(link.n_modes for link in arm.links), arm.base)


@lru_cache(maxsize=256)
def payload_body(payload: Payload) -> RigidBody:
    """Payload in frame n^, about O_{n+1}."""
    xx, yy, zz, xy, xz, yz = payload.inertia
    inertia = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    return RigidBody.about_mass_centre(payload.mass, inertia, np.array(payload.offset))


def _massive_end(body: RigidBody) -> FlexibleLink:
    """A rigid body as a link without length or modes."""
    none = np.zeros((0, 0))
    integrals = ModalIntegrals.rigid(body.mass, body.moment, body.inertia)
    return FlexibleLink(0.0, Sections(0.0, ()), integrals, locked_inertia=none, damping=none)


def outboard_loads(arm: Arm, joints: list[Joint], i: int) -> dict[str, TipLoad]:
    """What the end of link i carries when the arm outboard of it is rigid and in its initial posture.

    Bending in xy (direction y) turns the end about z, bending in xz about y; the first moment is that along x.
    """
    # about the end of the last link, in its frame
    carried = payload_body(arm.payload)  # pyright: ignore[reportArgumentType]  (frozen: hashable)
    for k in range(len(arm.links) - 1, i, -1):
        rigid, hub = arm.links[k].model_copy(update={"modes": (), "damping": ()}), arm.joints[k]
        own = flexible_link(rigid, hub_mass=hub.mass, hub_inertia=hub.inertia).integrals  # pyright: ignore[reportArgumentType]
        link = RigidBody(own.mass, own.s0, own.C5 + own.B10)
        link += carried.moved(np.eye(3), np.array([arm.links[k].length, 0.0, 0.0]))
        q = arm.initial.joints[k]
        turn = np.array([[np.cos(q), -np.sin(q), 0], [np.sin(q), np.cos(q), 0], [0, 0, 1]])
        twist = joints[k].rotation
        carried = link.moved(twist @ turn, twist @ [0.0, 0.0, joints[k].offset])
    return {
        direction: TipLoad(
            mass=carried.mass, inertia=carried.inertia[axis, axis], first_moment=carried.moment[0]
        )
        for direction, axis in (("y", 2), ("z", 1))
    }


def round_off_free(value: float) -> float:
    """Snap a sine or cosine to 0, 1 or -1 where it differs only by round-off, so that zeros vanish."""
    nearest = float(round(value))
    return nearest if abs(value - nearest) < 4e-16 else value


def _with_known_tips(link: LinkSpec, arm: Arm, joints: list[Joint], i: int) -> LinkSpec:
    """Replace ``tip: auto`` of clamped-loaded modes by what the end of link i carries."""
    if all(modes.tip != "auto" for modes in link.modes):
        return link
    loads = outboard_loads(arm, joints, i)
    modes = [
        modes.model_copy(update={"tip": loads[modes.direction]}) if modes.tip == "auto" else modes
        for modes in link.modes
    ]
    return link.model_copy(update={"modes": tuple(modes)})
