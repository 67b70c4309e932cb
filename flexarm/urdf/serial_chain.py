"""Chain of moving joints and rigid links, cut out of a tree: what does not move belongs to its carrier."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from flexarm.urdf.kinematic_tree import MOVING, KinematicTree
from flexarm.urdf.rigid_bodies import Array, Body, combined, inertia_fault


@dataclass
class ChainLink:
    """Moving joint, and the link that it carries.

    Attributes
    ----------
    joint : yourdfpy.urdf.Joint
    origin : (4, 4)
        Of the joint's frame in the frame of the link before.
    axis : (3,)
        Of the joint, in its own frame.
    parts : dict
        Name of the link, and of all that it carries -> its body, in the link's frame; None without mass.
    end : (4, 4)
        Of the next joint's frame, of the last link the tip's, in the link's own frame.
    """

    joint: Any
    origin: Array
    axis: Array
    parts: dict[str, Body | None]
    end: Array = field(default_factory=lambda: np.eye(4))

    @property
    def name(self) -> str:
        """Name of the link that gives its frame."""
        return self.joint.child

    def body(self, without: str | None = None) -> Body | None:
        """Body of all its parts, or of all but one; None if they have no mass."""
        return combined([body for name, body in self.parts.items() if body is not None and name != without])


@dataclass
class SerialChain:
    """Chain from the root of a tree to a tip.

    Attributes
    ----------
    root, tip : str
    links : list of ChainLink
    frozen : list of str
        Joints beside the chain, which are held at zero.
    on_base : list of str
        Links that do not move.
    """

    root: str
    tip: str
    links: list[ChainLink]
    frozen: list[str]
    on_base: list[str]


def chain_to(tree: KinematicTree, tip: str) -> SerialChain:
    """Cut a chain out of a tree.

    Raises
    ------
    SpecError
        Joints in the chain of which an arm has none, links without mass, inertias that are none.
    """
    way = tree.way_to(tip)
    moving = [joint for joint in way if joint.type != "fixed"]
    if not moving:
        message = f"no joint between it and the root {tree.root} moves"
        raise tree.file.fault(("link", tip), message, "`tip` names another link")
    links, frozen = [], []
    place = np.eye(4)
    for joint in way:
        place = place @ _origin(joint)
        if joint.type != "fixed":
            _check_joint(tree, joint)
            others = {other.name for other in moving} - {joint.name}
            places, held = _carried(tree, joint.child, others)
            parts = {name: _body(tree, name, seat) for name, seat in places.items()}
            links.append(ChainLink(joint, place, np.asarray(joint.axis, float), parts))
            frozen += held
            place = np.eye(4)
    for before, after in itertools.pairwise(links):
        before.end = after.origin
    links[-1].end = place
    _check_masses(tree, links)
    on_base, held = _carried(tree, tree.root, {moving[0].name})
    return SerialChain(tree.root, tip, links, frozen + held, list(on_base))


def _origin(joint: Any) -> Array:
    return np.eye(4) if joint.origin is None else joint.origin


def _carried(tree: KinematicTree, name: str, apart: set[str]) -> tuple[dict[str, Array], list[str]]:
    """Poses (4, 4) of a link, and of those that it carries without the joints `apart`, and the joints held at zero."""
    places, held = {name: np.eye(4)}, list[str]()
    waiting = [name]
    while waiting:
        above = waiting.pop()
        for joint in tree.joints_below[above]:
            if joint.name not in apart:
                places[joint.child] = places[above] @ _origin(joint)
                waiting.append(joint.child)
                held += [] if joint.type == "fixed" else [joint.name]
    return places, held


def _body(tree: KinematicTree, name: str, seat: Array) -> Body | None:
    """Body of one link, in a frame in which the link's own has the pose `seat` (4, 4)."""
    inertial = tree.links[name].inertial
    if inertial is None:
        return None
    place = "link", name, "inertial"
    if inertial.mass is None:
        raise tree.file.fault(place, "has no mass", "<mass value=.. />, or no inertial at all")
    inertia = np.zeros((3, 3)) if inertial.inertia is None else inertial.inertia
    if inertial.mass < 0:
        raise tree.file.fault(place, f"got the mass {inertial.mass:g} kg, expected a number >= 0")
    if fault := inertia_fault(inertia):
        raise tree.file.fault(place, fault)
    if not inertial.mass and inertia.any():
        raise tree.file.fault(place, "has an inertia, but no mass")
    if not inertial.mass:
        return None
    return Body(inertial.mass, np.zeros(3), inertia).seen_from(seat @ _origin(inertial))


def _check_joint(tree: KinematicTree, joint: Any) -> None:
    place, chain = ("joint", joint.name), "which is in the chain to the tip"
    if joint.type not in MOVING:
        message = f"is {joint.type}, {chain}; joints of an arm are revolute, prismatic or fixed"
        raise tree.file.fault(place, message, "docs/guide/limits.md; `tip` names another link")
    if joint.mimic is not None:
        message = f"follows joint {joint.mimic.joint} (mimic), {chain}"
        raise tree.file.fault((*place, "mimic"), message, "`tip` names another link, or remove <mimic>")
    if not np.any(joint.axis):
        raise tree.file.fault((*place, "axis"), "got a vector of length 0, expected a direction")
    for name in ("damping", "friction"):
        value = None if joint.dynamics is None else getattr(joint.dynamics, name)
        if value is not None and float(value) < 0:
            raise tree.file.fault((*place, "dynamics"), f"got {name} = {value}, expected a number >= 0")
    limit = joint.limit
    if limit is not None and limit.effort is not None and limit.effort < 0:
        raise tree.file.fault((*place, "limit"), f"got effort = {limit.effort:g}, expected a number >= 0")
    if limit is not None and joint.type != "continuous":
        low, high = limit.lower or 0.0, limit.upper or 0.0
        if low > high:
            raise tree.file.fault(
                (*place, "limit"), f"got lower = {low:g} and upper = {high:g}: the range is empty"
            )


def _check_masses(tree: KinematicTree, links: list[ChainLink]) -> None:
    """Refuse joints beyond which nothing has mass."""
    massless = math.inf
    for k in reversed(range(len(links))):
        if links[k].body() is not None:
            break
        massless = k
    if massless < len(links):
        link = links[int(massless)]
        message = f"neither it nor what it carries has mass, so that joint {link.joint.name} moves nothing"
        raise tree.file.fault(("link", link.name), message, "give it an <inertial>")
