"""Tree of links and joints of a URDF: its root, its leaves, and the way to a tip."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from flexarm.errors import InputProblem, SpecError
from flexarm.hints import did_you_mean
from flexarm.urdf.urdf_file import UrdfFile

MOVING = ("revolute", "continuous", "prismatic")


class KinematicTree:
    """Links and joints by name.

    Attributes
    ----------
    links : dict
        Name -> link of yourdfpy.
    joints_below : dict
        Name of a link -> joints that start at it.
    joint_above : dict
        Name of a link -> joint that ends at it.
    root : str

    Raises
    ------
    SpecError
        Closed loops, several roots.
    """

    def __init__(self, file: UrdfFile) -> None:
        self.file = file
        self.links = {link.name: link for link in file.robot.links}
        self.joints_below: dict[str, list[Any]] = {name: [] for name in self.links}
        self.joint_above: dict[str, Any] = {}
        for joint in file.robot.joints:
            if joint.child in self.joint_above:
                other = self.joint_above[joint.child].name
                message = f"ends at link {joint.child}, as joint {other} does: a closed loop"
                raise file.fault(("joint", joint.name), message, "an arm is one chain: docs/guide/limits.md")
            self.joint_above[joint.child] = joint
            self.joints_below[joint.parent].append(joint)
        self.root = self._only_root()

    def _only_root(self) -> str:
        roots = [name for name in self.links if name not in self.joint_above]
        if len(roots) > 1:
            message = f"got {len(roots)} links without a parent, expected one root: {', '.join(roots[:5])}"
            raise SpecError([InputProblem(self.file.source, None, "", message)])
        reached = {roots[0]} if roots else set()
        reached.update(joint.child for joint in self.below(roots[0])) if roots else None
        for name in self.links:
            if name not in reached:
                joint = self.joint_above[name]
                message = f"link {name} hangs on itself: the joints around it form a closed loop"
                raise self.file.fault(("joint", joint.name), message)
        return roots[0]

    def below(self, name: str) -> Iterator[Any]:
        """Joints beyond a link, each after those that carry it."""
        waiting = [name]
        while waiting:
            for joint in self.joints_below[waiting.pop()]:
                yield joint
                waiting.append(joint.child)

    def way_to(self, tip: str) -> list[Any]:
        """Joints from the root to a link.

        Raises
        ------
        SpecError
            There is no such link.
        """
        if tip not in self.links:
            leaves = [name for name, joints in self.joints_below.items() if not joints]
            hint = did_you_mean(tip, self.links, f"the ends of the tree are {', '.join(leaves[:10])}")
            message = f"there is no link {tip!r} to be the tip"
            raise SpecError([InputProblem(self.file.source, None, "", message, hint)])
        way = []
        while tip != self.root:
            way.append(self.joint_above[tip])
            tip = way[-1].parent
        return way[::-1]

    def usual_tip(self) -> tuple[str, list[str]]:
        """Find the end of the tree to which most joints lead, and all ends to which as many do."""
        moving, depth = {self.root: 0}, {self.root: 0}
        for joint in self.below(self.root):
            moves = joint.type in MOVING and joint.mimic is None
            moving[joint.child] = moving[joint.parent] + moves
            depth[joint.child] = depth[joint.parent] + 1
        most = max(moving.values())
        ends = [name for name, joints in self.joints_below.items() if not joints and moving[name] == most]
        return max(ends, key=lambda name: depth[name]), ends
