"""Numbers of walls and limits that contacts read beside the equations, in one row: what a key changes of them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from flexarm.description.arm.arm import Arm
from flexarm.simulation.contact.gaps.gap_functions import stops_of
from flexarm.simulation.forces.walls.wall_gaps import ENTRIES, WallGap


def contact_numbers(arm: Arm) -> np.ndarray:
    """Entries of the rigid walls, their restitutions, then bounds and restitutions of the stops: (n_c,)."""
    walls = () if arm.contact is None else arm.contact.rigid_walls
    restitutions = () if arm.contact is None else arm.contact.restitutions
    stops = [(arm.joints[i].limits, side) for i, side in stops_of(arm)]
    bounds = [limits.range[side < 0] for limits, side in stops if limits is not None]
    return np.concatenate(
        [
            *(WallGap.of(wall).entries() for wall in walls),
            np.asarray(restitutions, dtype=float),
            np.array(bounds, dtype=float),
            np.array([limits.restitution for limits, _ in stops if limits is not None], dtype=float),
        ]
    )


def same_contacts(arm: Arm, other: Arm) -> bool:
    """Whether two arms have the same walls and limits but for their numbers."""
    kinds = [
        (stops_of(one), [] if one.contact is None else [type(wall) for wall in one.contact.walls])
        for one in (arm, other)
    ]
    return kinds[0] == kinds[1] and contact_numbers(arm).shape == contact_numbers(other).shape


@dataclass(frozen=True)
class ContactChanges:
    """Changes of an arm's walls and limits in k directions.

    Attributes
    ----------
    walls : (k, n_walls, ENTRIES)
    bounds : (k, n_stops) [rad, m]
    restitution : (k, n)
        Of all contacts.
    """

    walls: np.ndarray
    bounds: np.ndarray
    restitution: np.ndarray

    @classmethod
    def of(cls, changes: np.ndarray, n_walls: int, n_points: int) -> ContactChanges:
        """From derivatives of :func:`contact_numbers`, (k, n_c)."""
        n_stops = (changes.shape[1] - n_walls * (ENTRIES + 1)) // 2
        ends = np.cumsum([n_walls * ENTRIES, n_walls, n_stops])
        walls, of_walls, bounds, of_stops = np.split(changes, ends, axis=1)
        return cls(
            walls.reshape(len(changes), n_walls, ENTRIES),
            bounds,
            np.hstack([np.tile(of_walls, (1, n_points)), of_stops]),
        )
