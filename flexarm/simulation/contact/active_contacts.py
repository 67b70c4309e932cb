"""Contacts on which walls act, and how each of them rubs."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

OPEN, SLIDING, STICKING, SATURATED = range(4)
"""States of a contact, as they are recorded; saturated: at the limit of sticking, without a slip."""


@dataclass(frozen=True)
class ActiveContacts:
    """Active contacts and their friction.

    Attributes
    ----------
    contacts : (k,) int
        Their numbers.
    sticks : (k,) bool
        Whether the slip is kept at zero.
    slips : (k,) bool
        Whether there is a slip that friction opposes.
    coefficient : (k,)
        Force along the wall over that along the normal where the point does not stick.
    bound : (k,)
        The same up to which a point that sticks does so.
    """

    contacts: NDArray[np.intp]
    sticks: NDArray[np.bool_]
    slips: NDArray[np.bool_]
    coefficient: NDArray[np.float64]
    bound: NDArray[np.float64]

    @classmethod
    def frictionless(cls, contacts: NDArray[np.intp]) -> ActiveContacts:
        """Active contacts (k,) int without friction."""
        nothing, zero = np.zeros(contacts.size, dtype=bool), np.zeros(contacts.size)
        return cls(contacts, nothing, nothing, zero, zero)

    @cached_property
    def key(self) -> tuple[bytes, ...]:
        """What tells them from others."""
        return tuple(
            part.tobytes() for part in (self.contacts, self.sticks, self.slips, self.coefficient, self.bound)
        )

    @property
    def friction_inputs(self) -> NDArray[np.float64]:
        """:class:`~flexarm.simulation.contact.constrained_motion.FrictionInputs`, (k, 3)."""
        direction = np.where(self.slips, -np.sign(self.coefficient), 0.0)
        return np.stack(
            [
                self.sticks.astype(float),
                np.where(self.sticks, 0.0, self.coefficient),
                np.where(self.sticks, self.bound, direction),
            ],
            axis=1,
        )

    @property
    def saturated(self) -> NDArray[np.bool_]:
        """Whether each is at the limit of sticking, without a slip, (k,) bool."""
        return ~self.sticks & ~self.slips & (self.coefficient != 0)

    @property
    def states(self) -> NDArray[np.intp]:
        """State of each, (k,) int."""
        return np.where(self.sticks, STICKING, np.where(self.saturated, SATURATED, SLIDING))

    @property
    def sticking(self) -> NDArray[np.intp]:
        """Numbers of those that stick."""
        return self.contacts[self.sticks]


NONE_ACTIVE = ActiveContacts.frictionless(np.empty(0, dtype=np.intp))
"""Of an arm that nothing touches."""
