"""Rigid bodies: a floating base's, those of links, the payload, and the arm outboard of a link as its load."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from flexarm.description.arm.arm import Arm
from flexarm.description.arm.floating_body import FloatingBody
from flexarm.description.arm.joint.joint import Joint
from flexarm.description.arm.link.link import Link
from flexarm.description.arm.link.mode_choice import TipLoad
from flexarm.description.arm.load import Payload
from flexarm.links import flexible_link
from flexarm.links.round_off import without_round_off
from flexarm.model.parts.joint import JointModel
from flexarm.model.parts.rigid_body import RigidBody


@lru_cache(maxsize=256)
def payload_body(payload: Payload) -> RigidBody:
    """Rigid body of the payload in the frame of the last link's end section, about the tip."""
    return RigidBody.about_mass_centre(payload.mass, _tensor(payload.inertia), np.array(payload.offset))


@lru_cache(maxsize=256)
def floating_body(body: FloatingBody) -> RigidBody:
    """Rigid body of a floating base in its own axes, about the place where the first joint sits."""
    return RigidBody.about_mass_centre(body.mass, _tensor(body.inertia), -np.array(body.attachment))


def _tensor(inertia: tuple[float, ...]) -> np.ndarray:
    """Inertia tensor (3, 3) [kg m^2] from its entries xx, yy, zz, xy, xz, yz."""
    xx, yy, zz, xy, xz, yz = inertia
    return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])


@lru_cache(maxsize=256)
def link_body(link: Link, joint: Joint) -> RigidBody:
    """Rigid body of a link that is one, with the hub of its joint, about its start."""
    hub = RigidBody(joint.mass, np.zeros(3), np.diag(joint.inertia))
    if link.body is None:
        return hub
    own = link.body
    return hub + RigidBody.about_mass_centre(own.mass, _tensor(own.inertia), np.array(own.center))


def _rigid(link: Link, joint: Joint) -> RigidBody:
    """Rigid body of any link without its modes, with the hub of its joint, about its start."""
    if link.is_body:
        return link_body(link, joint)  # pyright: ignore[reportArgumentType]  (frozen: hashable)
    own = flexible_link(link.rigid(), hub_mass=joint.mass, hub_inertia=joint.inertia).integrals  # pyright: ignore[reportArgumentType]
    return RigidBody(own.mass, own.s0, own.C5 + own.B10)


def outboard_loads(arm: Arm, joints: Sequence[JointModel], i: int) -> dict[str, TipLoad]:
    """Tip loads of link i by direction of bending, with the arm outboard of it rigid and in its initial posture.

    Bending in xy (direction y) turns the end about z, bending in xz about y; the first moment is that along x.
    """
    # about the end of the last link, in its frame
    carried = payload_body(arm.payload)  # pyright: ignore[reportArgumentType]  (frozen: hashable)
    for k in range(len(arm.links) - 1, i, -1):
        body = _rigid(arm.links[k], arm.joints[k])
        body += carried.moved(np.eye(3), np.array([arm.links[k].length, 0.0, 0.0]))
        carried = body.moved(*joints[k].transform(arm.initial.joints[k]))
    principal = np.diag(carried.inertia)
    inertia = without_round_off(
        principal, principal.max()
    )  # a slender link that lies along y has none about y
    moment = without_round_off(carried.moment, np.abs(carried.moment).max())
    return {
        direction: TipLoad(mass=carried.mass, inertia=inertia[axis], first_moment=moment[0])
        for direction, axis in (("y", 2), ("z", 1))
    }


def with_tip_loads(arm: Arm, joints: Sequence[JointModel], i: int) -> Link:
    """Link i with numbers in the place of ``tip: auto`` of its clamped-loaded modes."""
    link = arm.links[i]
    if all(modes.tip != "auto" for modes in link.modes):
        return link
    loads = outboard_loads(arm, joints, i)
    modes = [
        modes.model_copy(update={"tip": loads[modes.direction]}) if modes.tip == "auto" else modes
        for modes in link.modes
    ]
    return link.model_copy(update={"modes": tuple(modes)})
