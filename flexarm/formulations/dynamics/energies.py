"""Kinetic, gravity and strain energy of the chain, from the same modal integrals as the equations."""

from __future__ import annotations

from typing import NamedTuple

import casadi as ca

from flexarm.formulations.dynamics.joint_springs import motors_energy, spring_energy
from flexarm.formulations.dynamics.link_inertia import link_inertia
from flexarm.formulations.kinematics.chain_motion import chain_motion, linear_velocities
from flexarm.formulations.kinematics.chain_state import ChainState
from flexarm.formulations.kinematics.poses import poses
from flexarm.formulations.linear_algebra import constant
from flexarm.links import FlexibleLink
from flexarm.model.chain import Chain


class Energies(NamedTuple):
    """Energies of the whole arm [J]; gravity counts from the height of the base; springs are those of the joints."""

    kinetic: ca.SX
    gravity: ca.SX
    strain: ca.SX
    spring: ca.SX


def energies(chain: Chain, theta: ca.SX, theta_d: ca.SX) -> Energies:
    """Energies [J] at theta (n_theta,) and theta_d (n_dof,); strain as in [GA09] eq. 50."""
    state = ChainState.of(chain, theta, theta_d)
    motions = chain_motion(chain, state)
    g = ca.SX(ca.vertcat(*chain.gravity))
    kinetic, gravity, strain = motors_energy(chain, theta_d), ca.SX(0), ca.SX(0)
    for i, (body, v, pose) in enumerate(
        zip(chain.bodies, linear_velocities(state, motions), poses(motions), strict=True)
    ):
        delta, delta_d, w = state.delta[i], state.delta_d[i], motions[i].w
        link = link_inertia(body.link, delta, delta_d, w)
        s_d = link.C1 @ delta_d
        kinetic += (
            link.mass * ca.dot(v, v) / 2
            + ca.dot(v, ca.cross(w, link.s) + s_d)
            + ca.dot(w, link.J @ w) / 2
            + ca.dot(w, link.alpha @ delta_d)
            + ca.dot(delta_d, link.C3 @ delta_d) / 2
            + body.joint.motor_inertia * state.q_d[i] ** 2 / 2
        )
        gravity -= ca.dot(g, link.mass * pose.O + pose.R @ link.s)
        if isinstance(body.link, FlexibleLink):
            strain += ca.dot(delta, constant(body.link.integrals.K) @ delta) / 2
    return Energies(kinetic, gravity, strain, spring_energy(chain, theta))
