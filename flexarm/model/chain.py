"""Chain of bodies and joints: the arm as numbers and structure, which every formulation reads."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from flexarm.description.arm.arm import Arm
from flexarm.links import FlexibleLink, ModalIntegrals, flexible_link
from flexarm.links.section_motion import Sections
from flexarm.model.coordinates import Coordinates
from flexarm.model.floating_base import FloatingBase
from flexarm.model.joint import JointModel
from flexarm.model.rigid_body import RigidBody
from flexarm.model.tip_loads import payload_body, with_tip_loads


@dataclass(frozen=True)
class Body:
    """Body: a link, and the joint between it and the body before."""

    joint: JointModel
    link: FlexibleLink | FloatingBase


class BodyRows(NamedTuple):
    """Rows of a body's joint (None if locked) and modes in theta_d, and of its modes in theta."""

    joint: int | None
    modes: tuple[int, ...]
    modes_theta: tuple[int, ...]


@dataclass(frozen=True)
class Chain:
    """Chain of bodies from base to tip.

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
    def rows(self) -> tuple[BodyRows, ...]:
        """Rows of each body's coordinates."""
        layout = self.coordinates
        rows = [
            BodyRows(joint, modes, modes) for joint, modes in zip(layout.joints, layout.modes, strict=True)
        ]
        before = [BodyRows(None, layout.base, layout.base_theta)] * self.links.start
        after = [BodyRows(None, (), ())] * (len(self.bodies) - self.links.stop)
        return (*before, *rows, *after)

    @property
    def flexible_links(self) -> list[FlexibleLink]:
        """Links of the description."""
        return [link for i in self.links if isinstance(link := self.bodies[i].link, FlexibleLink)]


def build_chain(arm: Arm) -> Chain:
    """Build the chain of an arm: modal integrals of every link, with hubs and a payload that is a point mass."""
    joints = [JointModel.of(joint) for joint in arm.joints]  # pyright: ignore[reportArgumentType]  (frozen: hashable)
    payload = payload_body(arm.payload)  # pyright: ignore[reportArgumentType]  (frozen: hashable)
    point_payload = not payload.moment.any() and not payload.inertia.any()
    last = len(arm.links) - 1
    floats = arm.base != "fixed"
    bodies = [Body(JointModel(moves=False), FloatingBase(arm.base))] if floats else []
    for i, joint in enumerate(arm.joints):
        flexible = flexible_link(
            with_tip_loads(arm, joints, i),  # pyright: ignore[reportArgumentType]  (frozen: hashable)
            tip_mass=payload.mass if point_payload and i == last else 0.0,
            hub_mass=joint.mass,
            hub_inertia=joint.inertia,
            stiffening=arm.geometric_stiffening,
        )
        bodies.append(Body(joints[i], flexible))
    if not point_payload:
        bodies.append(Body(JointModel(moves=False), _massive_end(payload)))
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


def _massive_end(body: RigidBody) -> FlexibleLink:
    """Link without length or modes, from a rigid body."""
    none = np.zeros((0, 0))
    integrals = ModalIntegrals.rigid(body.mass, body.moment, body.inertia)
    return FlexibleLink(0.0, Sections(0.0, ()), integrals, locked_inertia=none, damping=none)
