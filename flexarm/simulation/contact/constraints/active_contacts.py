"""Contacts on which walls act, and how each of them, and each joint with dry friction, rubs."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

Kept = TypeVar("Kept")
MOST_SETS = 16
"""Sets of active contacts for which something is kept."""
OPEN, SLIDING, STICKING, SATURATED = range(4)
"""States of a contact, as they are recorded; saturated: at the limit of sticking, without a slip."""


def along_walls(contacts: NDArray[np.intp], n: int, n_tangents: int) -> NDArray[np.intp]:
    """Numbers of the slips of contacts (k,) int of n, along one tangent, then along the other, (k n_tangents,) int."""
    return (n * np.arange(n_tangents)[:, None] + contacts).ravel()


@dataclass(frozen=True)
class Rubbing:
    """How k contacts, or joints with dry friction, rub.

    Attributes
    ----------
    sticks : (k,) bool
        Whether the slip, of a joint its rate, is kept at zero.
    slips : (k,) bool
        Whether there is a slip that friction opposes.
    coefficient : (k,)
        Of what does not stick: force along the wall over that along the normal, of a joint its torque; in space without
        a sign.
    bound : (k,)
        The same up to which what sticks does so.
    direction : (k, 2)
        In space: of a slip that begins, or that the force of a saturated contact prevents; else zero.
    """

    sticks: NDArray[np.bool_]
    slips: NDArray[np.bool_]
    coefficient: NDArray[np.float64]
    bound: NDArray[np.float64]
    direction: NDArray[np.float64]

    @classmethod
    def none(cls, k: int = 0) -> Rubbing:
        """k contacts without friction."""
        return cls(
            np.zeros(k, dtype=bool), np.zeros(k, dtype=bool), np.zeros(k), np.zeros(k), np.zeros((k, 2))
        )

    def of(self, chosen: slice | NDArray[np.bool_]) -> Rubbing:
        """Some of them."""
        return Rubbing(*(part[chosen] for part in self.arrays))

    def among(self, k: int, places: NDArray[np.intp]) -> Rubbing:
        """These at some places (j,) int of k contacts, of which the others have no friction."""
        whole = Rubbing.none(k)
        for part, own in zip(whole.arrays, self.arrays, strict=True):
            part[places] = own
        return whole

    @property
    def arrays(self) -> tuple[NDArray, ...]:
        """All that it is."""
        return self.sticks, self.slips, self.coefficient, self.bound, self.direction

    def inputs(self, n_tangents: int) -> NDArray[np.float64]:
        """Inputs of the equations of motion, (k, ..), for contacts with these tangents, or joints, which have one.

        :class:`~flexarm.simulation.contact.equations.constrained_motion.FrictionInputs`, or with two tangents
        :class:`~flexarm.simulation.contact.equations.constrained_motion_in_space.SpatialFriction`.
        """
        slides = 1.0 if n_tangents == 2 else -np.sign(self.coefficient)
        columns = [
            self.sticks.astype(float),
            np.where(self.sticks, 0.0, self.coefficient),
            np.where(self.sticks, self.bound, np.where(self.slips, slides, 0.0)),
        ]
        return np.column_stack([*columns, self.direction] if n_tangents == 2 else columns)

    @property
    def begins(self) -> NDArray[np.bool_]:
        """Whether each has a slip that begins in a direction, (k,) bool."""
        return self.slips & self.direction.any(axis=1)

    @property
    def saturated(self) -> NDArray[np.bool_]:
        """Whether each is at the limit of sticking, without a slip, (k,) bool."""
        return ~self.sticks & ~self.slips & (self.coefficient != 0)

    @property
    def states(self) -> NDArray[np.intp]:
        """State of each, (k,) int."""
        return np.where(self.sticks, STICKING, np.where(self.saturated, SATURATED, SLIDING))

    @property
    def parts(self) -> tuple[bytes, ...]:
        """What tells it from others."""
        return tuple(part.tobytes() for part in self.arrays)


@dataclass(frozen=True)
class ActiveContacts:
    """Active contacts, how they rub, and how joints with dry friction do.

    Attributes
    ----------
    contacts : (k,) int
        Their numbers.
    friction : Rubbing
        Of these contacts.
    joints : Rubbing
        Of all joints with dry friction.
    soft : (2 n_soft,)
        Which points are in soft walls, and which of these push.
    """

    contacts: NDArray[np.intp]
    friction: Rubbing
    joints: Rubbing = field(default_factory=Rubbing.none)
    soft: NDArray[np.float64] = field(default_factory=lambda: np.empty(0))

    @classmethod
    def frictionless(cls, contacts: NDArray[np.intp]) -> ActiveContacts:
        """Active contacts (k,) int without friction."""
        return cls(contacts, Rubbing.none(contacts.size))

    @cached_property
    def key(self) -> tuple[bytes, ...]:
        """What tells them from others."""
        return self.contacts.tobytes(), *self.friction.parts, *self.joints.parts, self.soft.tobytes()

    @property
    def constrains(self) -> bool:
        """Whether anything of the arm's motion is kept at zero: a gap, a slip, or the rate of a joint."""
        return bool(self.contacts.size) or bool(self.joints.sticks.any())

    def sticking(self, n: int, n_tangents: int) -> NDArray[np.intp]:
        """Numbers of the slips that are kept at zero, of an arm with n contacts, in the order of ContactState's."""
        along = along_walls(self.contacts[self.friction.sticks], n, n_tangents)
        return np.concatenate([along, n * max(n_tangents, 1) + np.flatnonzero(self.joints.sticks)])

    def has_stuck(self, number: int, first_joint: int) -> bool:
        """Whether a contact, or a joint by its number among slips, sticks."""
        if number >= first_joint:
            return bool(self.joints.sticks[number - first_joint])
        return bool(np.any(self.friction.sticks[self.contacts == number]))

    def is_saturated(self, number: int, first_joint: int) -> bool:
        """Whether a contact, or a joint by its number among slips, is at the limit of sticking, without a slip."""
        if number >= first_joint:
            return bool(self.joints.saturated[number - first_joint])
        return bool(np.any(self.friction.saturated[self.contacts == number]))


class KeptForSets(dict[tuple[bytes, ...], Kept]):
    """What belongs to sets of active contacts, by their keys, kept for some of them."""

    def __setitem__(self, key: tuple[bytes, ...], value: Kept) -> None:
        """Keep it; where there would be too many sets, forget the others."""
        if len(self) == MOST_SETS:
            self.clear()
        super().__setitem__(key, value)


NONE_ACTIVE = ActiveContacts.frictionless(np.empty(0, dtype=np.intp))
"""Of an arm that nothing touches."""
