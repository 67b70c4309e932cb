"""Positions of the points of an arm that may touch walls, as expressions."""

from __future__ import annotations

import casadi as ca

from flexarm.description.arm.arm import Arm
from flexarm.description.arm.walls import Contact, ContactPoint
from flexarm.formulations.kinematics.chain_motion import chain_motion
from flexarm.formulations.kinematics.chain_state import ChainState
from flexarm.formulations.kinematics.poses import poses
from flexarm.formulations.kinematics.stations import station_position
from flexarm.model.chain import Chain


def described_contact(arm: Arm) -> Contact:
    """The contact block of an arm that has one."""
    if arm.contact is None:
        raise ValueError(f"{arm.name}: expected a description with contact")
    return arm.contact


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
