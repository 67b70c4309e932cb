"""Points that may touch walls, as expressions: their positions, and the forces of the walls on them.

Contact c = point p against wall w has the number ``c = p n_walls + w``.
"""

from __future__ import annotations

from collections.abc import Sequence

import casadi as ca
import numpy as np

from flexarm.description.arm.arm import Arm
from flexarm.description.arm.walls import Contact, ContactPoint, HalfPlane, Wall
from flexarm.errors import ModelError
from flexarm.formulations.kinematics.chain_motion import chain_motion
from flexarm.formulations.kinematics.chain_state import ChainState
from flexarm.formulations.kinematics.poses import poses
from flexarm.formulations.kinematics.stations import station_position
from flexarm.model.chain import Chain
from flexarm.simulation.contact.wall_gaps import WallGap
from flexarm.simulation.forces.applied_forces import PointForce
from flexarm.simulation.state.state_equation import ContactForces
from flexarm.simulation.state.symbols import SymbolicState

CONTACT_GAP = 1e-10
"""Gap [m] below which a contact is closed: contacts that close within it are simultaneous."""


def described_contact(arm: Arm) -> Contact:
    """The contact block of an arm that has one."""
    if arm.contact is None:
        raise ValueError(f"{arm.name}: expected a description with contact")
    return arm.contact


def contact_forces(symbols: SymbolicState) -> ContactForces:
    """Forces between all points and walls, as symbols, and the point forces on the arm that they are."""
    contact, chain = described_contact(symbols.arm), symbols.chain
    places = contact.places(len(chain.links))
    forces = ca.SX.sym("contact_force", len(contact.walls), len(places))
    point_forces = [
        PointForce(place.link, place.at, _wall_force(contact.walls, at, forces[:, p]))
        for p, (place, at) in enumerate(
            zip(places, point_positions(chain, places, symbols.theta), strict=True)
        )
    ]
    return ContactForces(forces, point_forces)


def _wall_force(walls: Sequence[Wall], at: ca.SX, forces: ca.SX) -> ca.SX:
    """Force along the fixed axes, (3,) [N], of walls that act on a point (3,) with these forces along their normals."""
    return sum((forces[w] * WallGap.of(wall).gradient(at) for w, wall in enumerate(walls)), ca.SX.zeros(3))


def point_positions(chain: Chain, places: tuple[ContactPoint, ...], theta: ca.SX) -> list[ca.SX]:
    """Positions of the points, (3,) each [m], at theta (n_theta,)."""
    state = ChainState.of(chain, theta, ca.SX.zeros(chain.coordinates.n_dof))
    frames = poses(chain_motion(chain, state))
    points = []
    for place in places:
        if place.at is None:
            points.append(frames[chain.joint_bodies[place.link]].O)
        else:
            points.append(station_position(chain, frames, state, place.link, place.at))
    return points


def check_outside(arm: Arm, chain: Chain, theta: np.ndarray) -> None:
    """Raise on coordinates theta (n_theta,) [rad, m, 1] with a point inside a wall.

    Raises
    ------
    ModelError
        The deepest point, its wall and its depth.
    """
    contact = described_contact(arm)
    places = contact.places(len(chain.links))
    positions = ca.horzcat(*point_positions(chain, places, ca.SX(ca.DM(theta))))
    depths = [
        (depth_inside(wall, at), place, number)
        for at, place in zip(np.array(ca.DM(positions)).T, places, strict=True)
        for number, wall in enumerate(contact.walls, start=1)
    ]
    deepest, place, number = max(depths, key=lambda found: found[0])
    if deepest > CONTACT_GAP:
        raise ModelError(
            f"{arm.name}: {place.name} starts {deepest:.6g} m inside wall {number} (change initial, or contact.walls)"
        )


def depth_inside(wall: Wall, at: np.ndarray) -> float:
    """Distance [m] by which a point is inside a wall, negative outside."""
    if isinstance(wall, HalfPlane):
        return float(np.dot(wall.normal, np.subtract(wall.point, at)))
    beyond = float(np.hypot(*np.subtract(at[:2], wall.circle.center[:2]))) - wall.circle.radius
    return beyond if wall.circle.side == "inside" else -beyond
