"""Measures of the links in given states that tell how far the model is good: turns, rates, forces, moments."""

from __future__ import annotations

from typing import NamedTuple

import casadi as ca
import numpy as np
from numpy.typing import NDArray

from flexarm.description.arm.arm import Arm
from flexarm.formulations.assembly import split
from flexarm.formulations.dynamics.newton_euler import (
    LinkForce,
    inertial_forces,
    internal_wrenches,
    transmit,
)
from flexarm.formulations.kinematics.chain_motion import chain_motion
from flexarm.formulations.kinematics.chain_state import ChainState
from flexarm.formulations.kinematics.link_motion import axis_position, modal_rotation
from flexarm.formulations.kinematics.rotations import X
from flexarm.links import FlexibleLink
from flexarm.model.chain import Chain
from flexarm.simulation.forces.applied_forces import on_bodies, station_forces
from flexarm.simulation.forces.time_functions import Signals
from flexarm.simulation.validity.link_bending import LinkBending, link_bending

Array = NDArray[np.float64]


class States(NamedTuple):
    """States of an arm.

    Attributes
    ----------
    theta, theta_d, theta_dd : (k, n_theta), (k, n_dof), (k, n_dof)
        Accelerations of a floating base are not looked at; they follow from the others.
    time : (k,) [s]
    deformed : bool
        Whether the links have bent as far as the forces ask for, so that their curvature tells their bending moment; a
        state at the start may be straight under load.
    """

    theta: Array
    theta_d: Array
    theta_dd: Array
    time: Array
    deformed: bool


class LinkMeasures(NamedTuple):
    """Measures of one link of n segments in k states.

    Attributes
    ----------
    turn, move : (k, n) [rad, m]
        Rotation and displacement of the end of each segment in the frame at its start.
    rate : (k, n) [rad/s]
        Angular velocity.
    axial_force : (k, n) [N]
        At the start of each segment.
    bending : LinkBending
        Where the link bends its moments are those of its curvature; where it is rigid, linear between those that hold
        the start and the end of each segment.
    """

    turn: Array
    move: Array
    rate: Array
    axial_force: Array
    bending: LinkBending


def link_measures(arm: Arm, chain: Chain, states: States) -> list[LinkMeasures]:
    """Measures of every link of the description.

    Forces of walls are unknown here: an arm that has some is taken without accelerations, under its weight.
    """
    signals = Signals(ca.SX.sym("t"))
    layout = chain.coordinates
    theta, theta_d = ca.SX.sym("theta", layout.n_theta), ca.SX.sym("theta_d", layout.n_dof)
    theta_dd = ca.SX.sym("theta_dd", layout.n_dof)
    state = ChainState.of(chain, theta, theta_d)
    motions = chain_motion(chain, state)
    accelerations = theta_dd if arm.contact is None else ca.SX.zeros(layout.n_dof)
    inertial = inertial_forces(chain, state, motions, *split(chain, accelerations))
    loads = on_bodies(chain, station_forces(arm, chain, signals, state, motions))
    forces = [
        LinkForce(a.f - b.f, a.n - b.n, a.modes - b.modes) for a, b in zip(inertial, loads, strict=True)
    ]
    wrenches = internal_wrenches(motions, forces)
    rows = []
    for i in chain.arm_bodies:
        segment, delta, (root, end) = chain.bodies[i].link, state.delta[i], wrenches[i]
        assert isinstance(segment, FlexibleLink)
        tip = axis_position(segment, delta, 1.0)
        turn, move = modal_rotation(segment, delta, 1.0), tip - segment.length * X
        sizes = ca.vertcat(ca.norm_2(turn), ca.norm_2(move), ca.norm_2(motions[i].w), root.f[0])
        rows.append(ca.vertcat(sizes, root.n[1:], end.n[1:]))
    inputs = [signals.t, signals.u, theta, theta_d, theta_dd]
    measured = ca.vertcat(*rows)
    if layout.base and arm.contact is None:
        measured = without_base_acceleration(
            measured, transmit(motions, forces)[1][0], theta_dd[list(layout.base)]
        )
    measure = ca.Function("measures", inputs, [ca.cse(measured)])
    tables = np.column_stack([signals.values(time).full().ravel() for time in states.time])
    columns = (states.time[None], tables, states.theta.T, states.theta_d.T, states.theta_dd.T)
    found = measure(*columns).full().reshape(len(chain.arm_bodies), -1, len(states.time))
    starts = [bodies.start - chain.arm_bodies.start for bodies in chain.links]
    return [
        _of_link(arm, chain, i, states, found[start : start + len(chain.links[i])])
        for i, start in enumerate(starts)
    ]


def without_base_acceleration(measured: ca.SX, on_base: ca.SX, base_dd: ca.SX) -> ca.SX:
    """Expressions with the accelerations of a floating base put in, for which no force is left over on the base."""
    at_rest = ca.substitute(on_base, base_dd, 0 * base_dd)
    return ca.substitute(measured, base_dd, -ca.solve(ca.jacobian(on_base, base_dd), at_rest))


def _of_link(arm: Arm, chain: Chain, i: int, states: States, found: Array) -> LinkMeasures:
    """Measures of link i from those of its segments, (n, 8, k)."""
    link, bent = arm.links[i], link_bending(arm.links[i], chain, i, states.theta)
    n = len(chain.links[i])
    # of the forces: linear between start and end of each segment, about y and z
    own = bent.stations[: bent.stations.size // n] * n
    start, end = found[:, 4:6, None], found[:, 6:8, None]
    moment = (start + (end - start) * own[:, None]).transpose(3, 0, 2, 1).reshape(-1, bent.stations.size, 2)
    for axis, (direction, EI) in enumerate((("z", link.EI.z), ("y", link.EI.y))):  # about y: along z
        if states.deformed and EI is not None and direction in link.mode_directions:
            moment[..., axis] = bent.moment[..., axis]
    turn, move, rate, force = found[:, :4].transpose(1, 2, 0)
    return LinkMeasures(turn, move, rate, force, bent._replace(moment=moment))
