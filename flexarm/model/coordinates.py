"""Generalised coordinates: the rows of joint i, of mode j of link i and of the base in theta."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache

from flexarm.description.arm.arm import Arm

BASES = {
    "fixed": ((), ()),
    "planar": (("X_1", "X_2"), ("X_1", "X_2")),
    "planar-turning": (("X_1", "X_2", "phi"), ("X_1", "X_2", "phi")),
    "free": (("v_x", "v_y", "v_z", "w_x", "w_y", "w_z"), ("x", "y", "z", "e_0", "e_1", "e_2", "e_3")),
}
"""Kind of base -> names of its speeds and of its positions; a free base turns by a quaternion e."""


@dataclass(frozen=True)
class Coordinates:
    """Layout of the coordinates, in the papers' order.

    ``theta = [q_1, delta_11, .., delta_1m, q_2, .., motors, base]``, locked joints left out.

    Rows count in the equations of motion and in ``theta_d``. In ``theta`` they are the same but for a free base,
    whose attitude has four numbers there and whose angular velocity has three here.

    Attributes
    ----------
    joints : tuple of (int or None)
        Row of each joint's angle; None for a joint that is locked.
    modes : tuple of tuple of int
        Rows of each link's modal amplitudes.
    motors : tuple of (int or None)
        Row of each joint's motor; None unless the joint is elastic, so that its motor has an angle of its own.
    base, base_theta : tuple of int
        Rows of a floating base in theta_d and in theta.
    labels, theta_labels : tuple of str
        Name of every entry of theta_d and of theta, e.g. ``q_1``, ``delta_1_2`` (link 1, mode 2).
    """

    joints: tuple[int | None, ...]
    modes: tuple[tuple[int, ...], ...]
    motors: tuple[int | None, ...]
    base: tuple[int, ...]
    base_theta: tuple[int, ...]
    labels: tuple[str, ...]
    theta_labels: tuple[str, ...]

    @classmethod
    @lru_cache(maxsize=256)
    def of(
        cls,
        moving: tuple[bool, ...],
        n_modes: tuple[int, ...],
        base: str = "fixed",
        elastic: tuple[bool, ...] = (),
    ) -> Coordinates:
        """Lay out joints that move or not, the mode counts of their links, and a kind of base of :data:`BASES`.

        `elastic` says which joints have a motor with an angle of its own; none by default.
        """
        joints: list[int | None] = []
        modes: list[tuple[int, ...]] = []
        labels: list[str] = []
        for i, (moves, m) in enumerate(zip(moving, n_modes, strict=True), start=1):
            joints.append(len(labels) if moves else None)
            labels += [f"q_{i}"] * moves
            modes.append(tuple(range(len(labels), len(labels) + m)))
            labels += [f"delta_{i}_{j}" for j in range(1, m + 1)]
        motors: list[int | None] = []
        for i, own in enumerate(elastic or (False,) * len(moving), start=1):
            motors.append(len(labels) if own else None)
            labels += [f"motor_{i}"] * own
        speeds, positions = BASES[base]
        n = len(labels)
        return cls(
            joints=tuple(joints),
            modes=tuple(modes),
            motors=tuple(motors),
            base=tuple(range(n, n + len(speeds))),
            base_theta=tuple(range(n, n + len(positions))),
            labels=(*labels, *speeds),
            theta_labels=(*labels, *positions),
        )

    @cached_property
    def link_side(self) -> Coordinates:
        """The same layout without the motors of elastic joints."""
        kinds = {speeds: kind for kind, (speeds, _) in BASES.items()}
        kind = kinds[tuple(self.labels[row] for row in self.base)]
        moving = tuple(row is not None for row in self.joints)
        return Coordinates.of(moving, tuple(map(len, self.modes)), kind)

    @property
    def n_dof(self) -> int:
        """Number of degrees of freedom."""
        return len(self.labels)

    @property
    def n_theta(self) -> int:
        """Length of theta."""
        return len(self.theta_labels)

    @property
    def moving_joints(self) -> tuple[int, ...]:
        """Rows of the joints that move, in order."""
        return tuple(row for row in self.joints if row is not None)

    @property
    def driven(self) -> tuple[int | None, ...]:
        """Row on which each joint's drive acts: of its motor where the joint is elastic, else its own."""
        pairs = zip(self.motors, self.joints, strict=True)
        return tuple(joint if motor is None else motor for motor, joint in pairs)

    @property
    def driven_rows(self) -> tuple[int, ...]:
        """The same of the joints that move, in order."""
        return tuple(row for row in self.driven if row is not None)

    @property
    def moving_motors(self) -> tuple[int, ...]:
        """Rows of the motors of elastic joints, in order."""
        return tuple(row for row in self.motors if row is not None)

    @property
    def all_modes(self) -> tuple[int, ...]:
        """Rows of all modal amplitudes, in order."""
        return tuple(row for rows in self.modes for row in rows)


def arm_coordinates(arm: Arm) -> Coordinates:
    """Lay out the coordinates of an arm."""
    moving = tuple(joint.moves for joint in arm.joints)
    elastic = tuple(joint.is_elastic for joint in arm.joints)
    return Coordinates.of(moving, tuple(link.n_modes for link in arm.links), arm.base_kind, elastic)
