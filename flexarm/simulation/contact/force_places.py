"""Places of the forces of contacts and joints among the outputs of the constrained equations."""

from __future__ import annotations

from dataclasses import dataclass

from flexarm.simulation.contact.contact_dynamics import ContactFunctions


@dataclass(frozen=True)
class ForcePlaces:
    """Layout of ``constrained_forces``: normal forces, forces of friction, slips, then margins twice and a determinant.

    Attributes
    ----------
    slots : int
        Normal forces of points, which come first.
    limited : int
        Those of joints with limits, which follow.
    wall_slips, joints : int
        Slips along walls, in the order of the slots, then of joints with dry friction.
    """

    slots: int
    limited: int
    wall_slips: int
    joints: int

    @classmethod
    def of(cls, functions: ContactFunctions) -> ForcePlaces:
        """Places among the outputs of these functions."""
        slots = functions.n_points * functions.n_slots
        wall_slips = slots if functions.has_friction else 0
        return cls(slots, len(functions.limited), wall_slips, len(functions.dry))

    @property
    def slips(self) -> int:
        """Number of slips, and of forces of friction."""
        return self.wall_slips + self.joints

    @property
    def friction(self) -> int:
        """Where forces of friction begin."""
        return self.slots + self.limited

    @property
    def margins(self) -> int:
        """Where margins begin, first those of one side."""
        return self.friction + 2 * self.slips
