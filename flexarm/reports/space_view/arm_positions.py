"""Positions of everything that the view in space draws of an arm, as a program that the page evaluates.

The browser computes the bent arm itself, because the magnification of its deflections is chosen there: it multiplies
the modal amplitudes, as animations do, and evaluates the same kinematics, read from the same expressions.
"""

from __future__ import annotations

from dataclasses import dataclass

import casadi as ca
import numpy as np

from flexarm.codegen.instructions import Program, eliminate_common_subexpressions, instructions
from flexarm.description.arm.arm import Arm
from flexarm.formulations.kinematics.chain_motion import chain_motion
from flexarm.formulations.kinematics.chain_state import ChainState
from flexarm.formulations.kinematics.poses import Pose, poses
from flexarm.formulations.kinematics.rotations import about, quaternion_rotation
from flexarm.formulations.kinematics.stations import station_position
from flexarm.model.chain import Chain
from flexarm.model.chain_builder import build_chain
from flexarm.simulation.forces.walls.point_positions import point_positions

STATIONS = 21
"""Stations along a flexible link, at most; segments have three at least."""
ALL_STATIONS = 240
"""Stations of all links together, about; an arm of many links has fewer along each."""
LEAST_STATIONS = 3


@dataclass(frozen=True)
class ArmPositions:
    """Program of theta (n_theta,), and what its outputs are, in this order; each point is three numbers [m].

    Attributes
    ----------
    program : Program
        Gives the points along all links; origin, x axis and z axis of a floating base's frame, if there is one, and
        of the frame behind each joint; the mass centre of the payload; the points that may touch walls.
    stations : list of int
        Points along each link.
    """

    program: Program
    stations: list[int]


def arm_positions(arm: Arm, coloured: bool = False) -> ArmPositions:
    """Write the program of an arm; links that are coloured along themselves have points there, also rigid ones."""
    chain = build_chain(arm)
    counts = [_station_count(arm, link, coloured) for link in range(len(arm.links))]
    theta = ca.SX.sym("theta", chain.coordinates.n_theta)
    state = ChainState.of(chain, theta, ca.SX.zeros(chain.coordinates.n_dof))
    frames = poses(chain_motion(chain, state))
    parts = [
        station_position(chain, frames, state, link, xi)
        for link, count in enumerate(counts)
        for xi in np.linspace(0, 1, count)
    ]
    for frame in [*_base_frame(arm, chain, theta), *(frames[i] for i in chain.joint_bodies)]:
        parts += [frame.O, frame.R[:, 0], frame.R[:, 2]]
    end = frames[-1].R @ ca.DM(arm.payload.offset) if len(chain.bodies) > chain.arm_bodies.stop else 0
    parts.append(parts[sum(counts) - 1] + end)
    if arm.contact is not None:
        parts += point_positions(chain, arm.contact.places(len(arm.links)), theta)
    function = ca.Function("positions", [theta], [ca.densify(ca.vertcat(*parts))])
    return ArmPositions(eliminate_common_subexpressions(instructions(function)), counts)


def _station_count(arm: Arm, link: int, coloured: bool) -> int:
    """Points along a link: two of a rigid one, which is straight, unless it is coloured."""
    if not (coloured or arm.links[link].n_modes):
        return 2
    flexible = len(arm.links) if coloured else sum(bool(each.n_modes) for each in arm.links)
    even = int(np.clip(ALL_STATIONS // flexible, LEAST_STATIONS, STATIONS))
    return max(even, (LEAST_STATIONS - 1) * arm.links[link].segments + 1)


def _base_frame(arm: Arm, chain: Chain, theta: ca.SX) -> list[Pose]:
    """Pose of a floating base."""
    rows = chain.coordinates.base_theta
    if arm.base == "planar":
        turn = ca.SX.eye(3) if arm.base_body is None else about(2, theta[rows[2]])
        return [Pose(turn, ca.vertcat(theta[rows[0]], theta[rows[1]], 0))]
    if arm.base == "free":
        position, quaternion = theta[list(rows[:3])], theta[list(rows[3:])]
        return [Pose(quaternion_rotation(quaternion), position)]
    return []
