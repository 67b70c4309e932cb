"""Points that may touch walls, as expressions: their positions; the forces of walls and of joints' stops on the arm."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import casadi as ca
import numpy as np

from flexarm.description.arm.arm import Arm
from flexarm.description.arm.walls import HalfPlane, Wall
from flexarm.errors import ModelError
from flexarm.model.chain import Chain
from flexarm.simulation.forces.point_force import PointForce
from flexarm.simulation.forces.walls.point_positions import described_contact, point_positions
from flexarm.simulation.forces.walls.soft_walls import distance
from flexarm.simulation.forces.walls.wall_gaps import WallGap
from flexarm.simulation.state.observables import Quantities
from flexarm.simulation.state.state_equation import ContactForces

WALL_DATASETS = ("contact_force", "contact_tangential_force", "contact_slip", "contact_state")
"""Datasets of points and walls; all but the first with friction only."""
DEEP = 0.1
"""Depth in a soft wall, as a part of the arm's reach, beyond which a point does not start in contact with it."""
CONTACT_GAP = 1e-10
"""Gap [m] below which a contact is closed: contacts that close within it are simultaneous."""


def stops_of(arm: Arm) -> tuple[tuple[int, int], ...]:
    """Joint, counted from 0, and direction of every stop: 1 at a lower limit, -1 at an upper one."""
    found = []
    for i in arm.limited_joints:
        limits = arm.joints[i].limits
        sides = zip((1, -1), () if limits is None else limits.range, strict=False)
        found += [(i, direction) for direction, bound in sides if math.isfinite(bound)]
    return tuple(found)


class WallForces(NamedTuple):
    """Forces of the walls as symbols, and what they are on the arm.

    Attributes
    ----------
    symbols : dict
        Dataset -> (n_walls, n_points): forces [N] along the normals; with friction also the states.
    tangential, slips : list of SX (n_walls, n_points)
        Forces [N] along the walls, and slips [m/s], for each of their tangents; none without friction.
    point_forces : list of PointForce
    """

    symbols: dict[str, ca.SX]
    tangential: list[ca.SX]
    slips: list[ca.SX]
    point_forces: list[PointForce]

    @property
    def unknowns(self) -> list[ca.SX]:
        """All symbols (n_walls n_points,) besides the normal forces, in the order in which a run has them."""
        states = [self.symbols[WALL_DATASETS[3]]] if self.tangential else []
        return [ca.vec(each) for each in (*self.tangential, *self.slips, *states)]

    @property
    def quantities(self) -> Quantities:
        """Their datasets: point after point, wall after wall, in space tangent after tangent."""
        found = {name: (values, values.shape[::-1]) for name, values in self.symbols.items()}
        for name, parts in zip(WALL_DATASETS[1:3], (self.tangential, self.slips), strict=True):
            if parts:
                shape = parts[0].shape[::-1] + ((2,) if len(parts) == 2 else ())
                found[name] = ca.vertcat(*(ca.vec(part).T for part in parts)), shape
        return found


def wall_forces(arm: Arm, chain: Chain, theta: ca.SX, every: bool = False) -> WallForces:
    """Forces of the rigid walls, or of every wall, at theta (n_theta,); none without walls."""
    walls: Sequence[Wall] = ()
    if arm.contact is not None:
        walls = arm.contact.walls if every else arm.contact.rigid_walls
    if arm.contact is None or not walls:
        return WallForces({}, [], [], [])
    places, n_t = arm.contact.places(len(chain.links)), arm.n_directions if every else arm.n_tangents
    size = len(walls), len(places)
    names = (WALL_DATASETS[0], WALL_DATASETS[3]) if n_t else WALL_DATASETS[:1]
    symbols = {name: ca.SX.sym(name, *size) for name in names}
    tangential, slips = ([ca.SX.sym(f"{name}_{k}", *size) for k in range(n_t)] for name in WALL_DATASETS[1:3])
    normal = symbols[WALL_DATASETS[0]]
    at_points = point_positions(chain, places, theta)
    point_forces = [
        PointForce(
            place.link, place.at, _wall_force(walls, at, normal[:, p], [part[:, p] for part in tangential])
        )
        for p, (place, at) in enumerate(zip(places, at_points, strict=True))
    ]
    return WallForces(symbols, tangential, slips, point_forces)


def contact_forces(arm: Arm, chain: Chain, theta: ca.SX) -> ContactForces:
    """Forces of all contacts, and of joints that stick, at theta (n_theta,): symbols, and what they are on the arm."""
    of_walls = wall_forces(arm, chain, theta)
    stops = stops_of(arm)
    of_stops = ca.SX.sym("limit_force", len(stops))
    torques = ca.SX.zeros(len(arm.joints))
    for (joint, direction), force in zip(stops, ca.vertsplit(of_stops) if stops else (), strict=True):
        torques[joint] += direction * force
    quantities = of_walls.quantities
    if arm.limited_joints:
        quantities["limit_torque"] = torques, (len(arm.joints),)
    normal = ca.vec(of_walls.symbols.get(WALL_DATASETS[0], ca.SX(0, 1)))
    others = of_walls.unknowns
    if arm.dry_joints:
        others.append(of_friction := ca.SX.sym("friction_torque", len(arm.dry_joints)))
        friction = ca.SX.zeros(len(arm.joints))
        friction[list(arm.dry_joints)] = of_friction
        quantities["friction_torque"] = friction, (len(arm.joints),)
    if arm.accounts_for_impacts:
        others.append(lost := ca.SX.sym("energy_lost_impacts"))
        quantities["energy_lost_impacts"] = lost, ()
    return ContactForces(ca.vertcat(normal, of_stops, *others), of_walls.point_forces, quantities)


def _wall_force(walls: Sequence[Wall], at: ca.SX, normal: ca.SX, tangential: Sequence[ca.SX]) -> ca.SX:
    """Force along the fixed axes, (3,) [N], of walls on a point (3,), from those along normals and tangents."""
    total = ca.SX.zeros(3)
    for w, wall in enumerate(walls):
        gap = WallGap.of(wall)
        across, along = gap.gradient(at), gap.tangents(at, len(tangential))
        if wall.stiffness is not None:  # a point in it may be far from its surface
            _, across, axis = distance(wall, at)
            along = [ca.cross(across, axis), axis][: len(tangential)]
        total += normal[w] * across
        for part, tangent in zip(tangential, along, strict=True):
            total += part[w] * tangent
    return total


def check_outside(arm: Arm, chain: Chain, theta: np.ndarray) -> None:
    """Raise on coordinates theta (n_theta,) [rad, m, 1] with a point inside a rigid wall, or deep inside a soft one.

    Raises
    ------
    ModelError
        The deepest point, its wall and its depth.
    """
    contact = described_contact(arm)
    places = contact.places(len(chain.links))
    positions = ca.horzcat(*point_positions(chain, places, ca.SX(ca.DM(theta))))
    depths = [
        (depth_inside(wall, at), place, number, wall.stiffness is not None)
        for at, place in zip(np.array(ca.DM(positions)).T, places, strict=True)
        for number, wall in enumerate(contact.walls, start=1)
    ]
    allowed = CONTACT_GAP, DEEP * arm.reach
    if not (inside := [found for found in depths if found[0] > allowed[found[3]]]):
        return
    deepest, place, number, is_soft = max(inside, key=lambda found: found[0])
    more = f", which is soft, but {allowed[1]:.3g} m at most are taken for a contact" if is_soft else ""
    raise ModelError(
        f"{arm.name}: {place.name} starts {deepest:.6g} m inside wall {number}{more} (change initial, or contact.walls)"
    )


def depth_inside(wall: Wall, at: np.ndarray) -> float:
    """Distance [m] by which a point is inside a wall, negative outside."""
    if isinstance(wall, HalfPlane):
        return float(np.dot(wall.normal, np.subtract(wall.point, at)))
    beyond = float(np.hypot(*np.subtract(at[:2], wall.circle.center[:2]))) - wall.circle.radius
    return beyond if wall.circle.side == "inside" else -beyond
