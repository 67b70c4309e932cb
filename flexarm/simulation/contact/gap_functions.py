"""Walls and the points that may touch them, as expressions: places, gaps, normals, forces.

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
    return sum((forces[w] * _normal(wall, at) for w, wall in enumerate(walls)), ca.SX.zeros(3))


def point_positions(chain: Chain, places: tuple[ContactPoint, ...], theta: ca.SX) -> list[ca.SX]:
    """Positions of the points, (3,) each [m], at theta (n_theta,)."""
    state = ChainState.of(chain, theta, ca.SX.zeros(chain.coordinates.n_dof))
    frames = poses(chain, chain_motion(chain, state))
    points = []
    for place in places:
        if place.at is None:
            points.append(frames[chain.joint_bodies[place.link]].O)
        else:
            points.append(station_position(chain, frames, state, place.link, place.at))
    return points


def gap_of(wall: Wall, at: ca.SX) -> ca.SX:
    """Gap [m] of a point (3,) to a wall, negative inside; of a round wall (R^2 - r^2) / 2R, which is equal at
    the wall to first order and smooth everywhere."""
    if isinstance(wall, HalfPlane):
        return ca.dot(ca.vertcat(*wall.normal), at - ca.vertcat(*wall.point))
    arm_vector = at[:2] - ca.vertcat(*wall.circle.center[:2])
    radius = wall.circle.radius
    inside = (radius**2 - ca.dot(arm_vector, arm_vector)) / (2 * radius)
    return inside if wall.circle.side == "inside" else -inside


def _normal(wall: Wall, at: ca.SX) -> ca.SX:
    """Gradient of the gap, (3,): at the wall the direction away from it."""
    point = ca.SX.sym("point", 3)
    return ca.substitute(ca.gradient(gap_of(wall, point), point), point, at)


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
        (_depth(wall, at), place, number)
        for at, place in zip(np.array(ca.DM(positions)).T, places, strict=True)
        for number, wall in enumerate(contact.walls, start=1)
    ]
    deepest, place, number = max(depths, key=lambda found: found[0])
    if deepest > CONTACT_GAP:
        raise ModelError(
            f"{arm.name}: {place.name} starts {deepest:.6g} m inside wall {number} (change initial, or contact.walls)"
        )


def _depth(wall: Wall, at: np.ndarray) -> float:
    """Distance [m] by which a point is inside a wall, negative outside."""
    if isinstance(wall, HalfPlane):
        return float(np.dot(wall.normal, np.subtract(wall.point, at)))
    beyond = float(np.hypot(*np.subtract(at[:2], wall.circle.center[:2]))) - wall.circle.radius
    return beyond if wall.circle.side == "inside" else -beyond
