"""Where joint i and mode j of link i sit in the vector of generalised coordinates."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Coordinates:
    """The papers' order: ``theta = [q_1, delta_11, .., delta_1m, q_2, delta_21, ..]``, locked joints left out.

    Attributes
    ----------
    joints : tuple of (int or None)
        Row of each joint's angle in theta; None for a joint that is locked.
    modes : tuple of tuple of int
        Rows of each link's modal amplitudes in theta.
    n_dof : int
        Length of theta.
    """

    joints: tuple[int | None, ...]
    modes: tuple[tuple[int, ...], ...]
    n_dof: int

    @classmethod
    def of(cls, moving: Sequence[bool], n_modes: Sequence[int]) -> Coordinates:
        """Lay out a chain of joints that move or not, and the mode counts of their links."""
        joints: list[int | None] = []
        modes: list[tuple[int, ...]] = []
        row = 0
        for moves, m in zip(moving, n_modes, strict=True):
            joints.append(row if moves else None)
            row += moves
            modes.append(tuple(range(row, row + m)))
            row += m
        return cls(tuple(joints), tuple(modes), row)

    @property
    def moving_joints(self) -> tuple[int, ...]:
        """Rows of the joints that move, in order."""
        return tuple(row for row in self.joints if row is not None)

    @property
    def all_modes(self) -> tuple[int, ...]:
        """Rows of all modal amplitudes, in order."""
        return tuple(row for rows in self.modes for row in rows)

    @property
    def labels(self) -> tuple[str, ...]:
        """Name of every coordinate, e.g. ``q_1``, ``delta_1_2`` (link 1, mode 2)."""
        names = [""] * self.n_dof
        for i, (joint, modes) in enumerate(zip(self.joints, self.modes, strict=True), start=1):
            if joint is not None:
                names[joint] = f"q_{i}"
            for j, row in enumerate(modes, start=1):
                names[row] = f"delta_{i}_{j}"
        return tuple(names)

    def gather(self, joint_rows: Iterable, mode_rows: Iterable) -> list:
        """Order one value per joint and one sequence per link as theta; values of locked joints drop out."""
        values: list = [None] * self.n_dof
        for row, value in zip(self.joints, joint_rows, strict=True):
            if row is not None:
                values[row] = value
        for rows, link_values in zip(self.modes, mode_rows, strict=True):
            for j, row in enumerate(rows):
                values[row] = link_values[j]
        return values
