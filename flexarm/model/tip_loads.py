"""Rigid bodies at the ends of the arm: a floating base's, the payload, and the arm outboard of a link as its load."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from flexarm.description.arm.arm import Arm
from flexarm.description.arm.floating_body import FloatingBody
from flexarm.description.arm.link import Link
from flexarm.description.arm.load import Payload
from flexarm.description.arm.mode_choice import TipLoad
from flexarm.links import flexible_link
from flexarm.links.round_off import without_round_off
from flexarm.model.joint import JointModel
from flexarm.model.rigid_body import RigidBody


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


def outboard_loads(arm: Arm, joints: Sequence[JointModel], i: int) -> dict[str, TipLoad]:
    """Tip loads of link i by direction of bending, with the arm outboard of it rigid and in its initial posture.

    Bending in xy (direction y) turns the end about z, bending in xz about y; the first moment is that along x.
    """
    # about the end of the last link, in its frame
    carried = payload_body(arm.payload)  # pyright: ignore[reportArgumentType]  (frozen: hashable)
    for k in range(len(arm.links) - 1, i, -1):
        rigid, hub = arm.links[k].rigid(), arm.joints[k]
        own = flexible_link(rigid, hub_mass=hub.mass, hub_inertia=hub.inertia).integrals  # pyright: ignore[reportArgumentType]
        body = RigidBody(own.mass, own.s0, own.C5 + own.B10)
        body += carried.moved(np.eye(3), np.array([arm.links[k].length, 0.0, 0.0]))
        q = arm.initial.joints[k]
        turn = np.array([[np.cos(q), -np.sin(q), 0], [np.sin(q), np.cos(q), 0], [0, 0, 1]])
        twist = joints[k].rotation
        carried = body.moved(twist @ turn, twist @ [0.0, 0.0, joints[k].offset])
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
