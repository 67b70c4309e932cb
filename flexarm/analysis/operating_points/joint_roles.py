"""Roles of joints in small motions: which are held, follow their PD drive, or move freely."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from flexarm.analysis.rotation.steady_rotation import SteadyRotation
from flexarm.arguments import check_name
from flexarm.description.arm.arm import Arm
from flexarm.errors import ModelError
from flexarm.model.coordinates import arm_coordinates

JOINTS = ("free", "locked", "pd")
"""What joints do that are not held one by one: move without a drive, stay, or follow the arm's own drives."""


@dataclass(frozen=True)
class JointRoles:
    """Roles of the joints of an arm while it makes small motions; joints are counted from 1.

    Attributes
    ----------
    held : tuple of int
        Stay where they are, also as their dry friction holds them.
    prescribed : tuple of int
        Stay too, because the description prescribes their motion.
    regulated : tuple of int
        Follow their PD drives.
    driven : tuple of int
        Move under the feedback of other drives: the back-emf of a motor, the compensation of gravity.
    free : tuple of int
        Move under constant torques.
    attitude : int or None
        The free joint that is the attitude of a floating base, on which nothing acts.
    base : {"fixed", "planar", "free"}
    stuck : tuple of int
        Those of the held ones that their dry friction holds, as small motions do not overcome it.
    elastic : tuple of int
        Joints whose motors have angles of their own: what is held, prescribed or regulated is the motor.
    """

    held: tuple[int, ...]
    prescribed: tuple[int, ...]
    regulated: tuple[int, ...]
    driven: tuple[int, ...]
    free: tuple[int, ...]
    attitude: int | None
    base: str
    elastic: tuple[int, ...] = ()
    stuck: tuple[int, ...] = ()

    def __str__(self) -> str:
        """Such as "joints 1, 2 held, joint 3 free, base floats"; empty where no joint moves and the base is fixed."""
        free = tuple(joint for joint in self.free if joint != self.attitude)
        held = tuple(joint for joint in self.held if joint not in self.stuck)
        parts = [
            f"{numbered(joints)} {verb[len(joints) > 1]}{self._at_motors(joints)}"
            for joints, verb in (
                (held, ("held", "held")),
                (self.stuck, ("held by its dry friction", "held by their dry friction")),
                (
                    self.prescribed,
                    ("held, as its motion is prescribed", "held, as their motion is prescribed"),
                ),
                (self.regulated, ("follows its PD drive", "follow their PD drives")),
                (self.driven, ("moves under its own drive", "move under their own drives")),
                (free, ("free", "free")),
            )
            if joints
        ]
        if self.base != "fixed":
            attitude = f", its attitude joint {self.attitude}" if self.attitude else ""
            parts.append(f"the base floats{attitude}")
        return "; ".join(parts)

    def _at_motors(self, joints: Sequence[int]) -> str:
        """Which of some joints that do not move freely are elastic, so that this is said of their motors."""
        elastic = [joint for joint in joints if joint in self.elastic and joint not in self.free]
        return f" ({numbered(elastic)} at the motor{'s' * (len(elastic) > 1)})" if elastic else ""


def joint_roles(
    arm: Arm, joints: str = "free", hold: Sequence[int] = (), rotation: SteadyRotation | None = None
) -> JointRoles:
    """Roles of the joints of an arm; fixed ones, and the one that turns steadily, have none.

    Parameters
    ----------
    joints : {"free", "locked", "pd"}
        What the joints do that are not held one by one; "locked" holds all of them.
    hold : sequence of int
        Joints that are held, counted from 1.
    rotation : SteadyRotation, optional
        Which joint turns steadily.

    Raises
    ------
    ModelError
        A joint to hold is none that can be held, or all are held already.

    Notes
    -----
    On a planar floating base without a body, joint 1 is the angle of the first link to the fixed axes: with the
    position of the base it is the place of that link in the plane. No motor stands between it and the ground, so that
    it cannot be held.
    """
    check_name("joints", joints, JOINTS)
    rows = arm_coordinates(arm).joints
    moving = [joint for joint, row in enumerate(rows, 1) if row is not None]
    no_body = arm.base == "planar" and arm.base_body is None
    attitude = 1 if no_body and rows[0] is not None else None
    turning = None if rotation is None else rotation.joint
    _check(arm, joints, hold, moving, attitude, turning)
    found: dict[str, list[int]] = {"held": [], "prescribed": [], "regulated": [], "driven": [], "free": []}
    for joint in moving:
        drive = arm.drive[joint - 1]
        if joint == turning:
            continue
        if drive is not None and drive.motion is not None:
            role = "prescribed"
        elif joint - 1 in arm.dry_joints or joint in hold or (joints == "locked" and joint != attitude):
            role = "held"
        elif joints == "pd" and drive is not None and drive.pd is not None:
            role = "regulated"
        elif joints == "pd" and drive is not None and drive.regulates:
            role = "driven"
        else:
            role = "free"
        found[role].append(joint)
    attitude = attitude if attitude in found["free"] else None
    return JointRoles(
        **{role: tuple(those) for role, those in found.items()},
        attitude=attitude,
        stuck=tuple(
            i + 1
            for i in arm.dry_joints
            if joints != "locked" and i + 1 in found["held"] and i + 1 not in hold
        ),
        base=arm.base,
        elastic=tuple(
            i for i, row in enumerate(arm_coordinates(arm).motors, 1) if row is not None and i != turning
        ),
    )


def _check(
    arm: Arm, joints: str, hold: Sequence[int], moving: list[int], attitude: int | None, turning: int | None
) -> None:
    """Refuse joints that cannot be held."""
    if hold and joints == "locked":
        raise ModelError(
            f"{arm.name}: joints locked holds all joints, which leaves none to hold one by one",
            hint="leave out `joints` or `hold`",
        )
    for joint in hold:
        if joint == attitude:
            raise ModelError(
                f"{arm.name}: joint 1 cannot be held: with base: planar it is the attitude of the floating base, "
                "which nothing holds"
            )
        if joint == turning:
            raise ModelError(f"{arm.name}: joint {joint} turns steadily, so that it cannot be held")
        if joint not in moving:
            what = "is fixed already" if 1 <= joint <= len(arm.joints) else "is none of the arm's"
            expected = ", ".join(str(one) for one in moving if one not in (attitude, turning))
            choice = f"joints that can be held: {expected}" if expected else "no joint can be held"
            raise ModelError(f"{arm.name}: joint {joint} {what} ({choice})")


def numbered(numbers: Sequence[int]) -> str:
    """Name joints by their numbers: "joint 1", "joints 1, 2"."""
    return f"joint{'s' * (len(numbers) > 1)} {', '.join(map(str, numbers))}"
