"""Places of the forces of contacts and joints among the outputs of the constrained equations."""

from __future__ import annotations

from dataclasses import dataclass

from flexarm.simulation.contact.equations.contact_functions import ContactFunctions


@dataclass(frozen=True)
class ForcePlaces:
    """Layout of ``constrained_forces``: normal forces, forces of friction, slips, then margins twice and a determinant.

    Forces of friction and slips are those along one tangent of all slots, then along the other, then those of joints.

    Attributes
    ----------
    slots : int
        Normal forces of points, which come first.
    limited : int
        Those of joints with limits, which follow.
    n_tangents : int
        Directions along the walls.
    joints : int
        Joints with dry friction.
    """

    slots: int
    limited: int
    n_tangents: int
    joints: int

    @classmethod
    def of(cls, functions: ContactFunctions) -> ForcePlaces:
        """Places among the outputs of these functions."""
        slots = functions.n_points * functions.n_slots
        return cls(slots, len(functions.limited), functions.n_tangents, len(functions.dry))

    @property
    def wall_slips(self) -> int:
        """Number of slips along walls."""
        return self.n_tangents * self.slots

    @property
    def wall_margins(self) -> int:
        """Margins of walls on each side, those of joints follow."""
        return self.slots if self.n_tangents else 0

    @property
    def n_margins(self) -> int:
        """Margins on each side."""
        return self.wall_margins + self.joints

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
