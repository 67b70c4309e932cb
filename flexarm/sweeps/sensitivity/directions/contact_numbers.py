"""Numbers of walls and limits that contacts read beside the equations, in one row: what a key changes of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from flexarm.description.arm.arm import Arm
from flexarm.simulation.contact.gaps.gap_functions import stops_of
from flexarm.simulation.forces.walls.wall_gaps import ENTRIES, WallGap


def contact_numbers(arm: Arm) -> np.ndarray:
    """Entries of the rigid walls, their restitutions and friction; bounds and restitutions of the stops; dry friction.

    (n_c,); of friction, of walls and then of joints, the kinetic numbers, then the static ones.
    """
    walls = () if arm.contact is None else arm.contact.rigid_walls
    restitutions = () if arm.contact is None else arm.contact.restitutions
    frictions = () if arm.contact is None else arm.contact.rigid_frictions
    rubs = [(0.0, 0.0) if each is None else (each.kinetic, each.at_rest) for each in frictions]
    dry = [(arm.joints[i].friction.coulomb, arm.joints[i].friction.at_rest) for i in arm.dry_joints]
    stops = [(arm.joints[i].limits, side) for i, side in stops_of(arm)]
    bounds = [limits.range[side < 0] for limits, side in stops if limits is not None]
    return np.concatenate(
        [
            *(WallGap.of(wall).entries() for wall in walls),
            np.asarray(restitutions, dtype=float),
            *np.array(rubs, dtype=float).reshape(-1, 2).T,
            np.array(bounds, dtype=float),
            np.array([limits.restitution for limits, _ in stops if limits is not None], dtype=float),
            *np.array(dry, dtype=float).reshape(-1, 2).T,
        ]
    )


def same_contacts(arm: Arm, other: Arm) -> bool:
    """Whether two arms have the same walls, limits and joints that stick but for their numbers."""
    kinds = [
        (
            stops_of(one),
            one.dry_joints,
            one.n_tangents,
            [] if one.contact is None else [type(wall) for wall in one.contact.walls],
        )
        for one in (arm, other)
    ]
    return kinds[0] == kinds[1] and contact_numbers(arm).shape == contact_numbers(other).shape


class FrictionChanges(NamedTuple):
    """Changes (k, n) of coefficients of friction of n contacts, or of torques [N m] of n joints."""

    kinetic: np.ndarray
    static: np.ndarray

    def of(self, chosen: Sequence[int]) -> FrictionChanges:
        """Those of some of them."""
        return FrictionChanges(self.kinetic[:, chosen], self.static[:, chosen])


@dataclass(frozen=True)
class ContactChanges:
    """Changes of an arm's walls, limits and dry friction in k directions.

    Attributes
    ----------
    walls : (k, n_walls, ENTRIES)
    bounds : (k, n_stops) [rad, m]
    restitution : (k, n)
        Of all contacts.
    friction : FrictionChanges
        Of all contacts.
    joints : FrictionChanges
        Of joints with dry friction.
    """

    walls: np.ndarray
    bounds: np.ndarray
    restitution: np.ndarray
    friction: FrictionChanges
    joints: FrictionChanges

    @classmethod
    def of(cls, changes: np.ndarray, arm: Arm, n_points: int) -> ContactChanges:
        """From derivatives of :func:`contact_numbers`, (k, n_c), of an arm with so many points that may touch."""
        n_walls = 0 if arm.contact is None else len(arm.contact.rigid_walls)
        n_stops, n_dry = len(stops_of(arm)), len(arm.dry_joints)
        sizes = [n_walls * ENTRIES, n_walls, n_walls, n_walls, n_stops, n_stops, n_dry, n_dry]
        walls, e, kinetic, static, bounds, e_of_stops, *joints = np.split(
            changes, np.cumsum(sizes)[:-1], axis=1
        )
        none = np.zeros_like(e_of_stops)
        restitution, *friction = (
            np.hstack([np.tile(of_walls, (1, n_points)), of_stops])
            for of_walls, of_stops in ((e, e_of_stops), (kinetic, none), (static, none))
        )
        return cls(
            walls.reshape(len(changes), n_walls, ENTRIES),
            bounds,
            restitution,
            FrictionChanges(*friction),
            FrictionChanges(*joints),
        )
