"""Momentum, mass centre and angular momentum of the chain, from the same modal integrals as the equations."""

from __future__ import annotations

from typing import NamedTuple

import casadi as ca

from flexarm.formulations.dynamics.link_inertia import link_inertia
from flexarm.formulations.kinematics.chain_motion import chain_motion, linear_velocities
from flexarm.formulations.kinematics.chain_state import ChainState
from flexarm.formulations.kinematics.poses import poses
from flexarm.model.chain import Chain


class Momentum(NamedTuple):
    """Momentum of the arm along the fixed axes, (3,) each.

    Linear [kg m/s], angular about the mass centre [kg m^2/s], and the mass centre itself [m].
    """

    linear: ca.SX
    angular: ca.SX
    mass_centre: ca.SX


def momentum(chain: Chain, theta: ca.SX, theta_d: ca.SX) -> Momentum:
    """Linear and angular momentum and mass centre at theta (n_theta,) and theta_d (n_dof,).

    Rotors of motors count as part of the link on which they sit; their own spin is left out, as it is in the
    equations of motion.
    """
    state = ChainState.of(chain, theta, theta_d)
    motions = chain_motion(chain, state)
    linear, angular, moment, mass = ca.SX.zeros(3), ca.SX.zeros(3), ca.SX.zeros(3), 0.0
    for i, (body, v, pose) in enumerate(
        zip(chain.bodies, linear_velocities(state, motions), poses(motions), strict=True)
    ):
        delta_d, w = state.delta_d[i], motions[i].w
        link = link_inertia(body.link, state.delta[i], delta_d, w)
        p = link.mass * v + ca.cross(w, link.s) + link.C1 @ delta_d
        about_origin = ca.cross(link.s, v) + link.J @ w + link.alpha @ delta_d
        linear += pose.R @ p
        angular += ca.cross(pose.O, pose.R @ p) + pose.R @ about_origin
        moment += link.mass * pose.O + pose.R @ link.s
        mass += link.mass
    centre = moment / mass
    return Momentum(linear, angular - ca.cross(centre, linear), centre)
