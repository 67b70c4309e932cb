"""Motion of the points that may touch walls, and the gaps between points and walls with their rates, as expressions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import casadi as ca

from flexarm.formulations.kinematics.chain_state import theta_rate
from flexarm.simulation.forces.walls.point_positions import described_contact, point_positions
from flexarm.simulation.forces.walls.wall_gaps import WallGap
from flexarm.simulation.state.symbols import SymbolicState


class PointMotion(NamedTuple):
    """Position, velocity and acceleration of a point (3,) while no wall acts, and their Jacobian by theta_d (3, n)."""

    x: ca.SX
    v: ca.SX
    a: ca.SX
    J: ca.SX


class GapRates(NamedTuple):
    """Gaps (k,) [m], their first and second rates while nothing acts, and the Jacobian of these by theta_d (k, n)."""

    gap: ca.SX
    speed: ca.SX
    acceleration: ca.SX
    J: ca.SX


class SlipRates(NamedTuple):
    """Slips (k,) [m/s], velocities along the walls, their rates while nothing acts, and their Jacobian (k, n)."""

    slip: ca.SX
    acceleration: ca.SX
    J: ca.SX


def point_motion(symbols: SymbolicState, theta_dd: ca.SX) -> list[PointMotion]:
    """Motion of the points that may touch, under accelerations theta_dd (n_dof,) [rad/s^2, m/s^2]."""
    chain = symbols.chain
    theta = ca.SX.sym("theta", symbols.theta.numel())
    theta_d = ca.SX.sym("theta_d", symbols.theta_d.numel())
    rate = theta_rate(chain, theta, theta_d)
    x = ca.vertcat(*point_positions(chain, described_contact(symbols.arm).places(len(chain.links)), theta))
    v = ca.jtimes(x, theta, rate)
    found = [x, v, ca.jtimes(v, theta, rate), ca.jacobian(v, theta_d)]
    x, v, drift, J = ca.substitute(found, [theta, theta_d], [symbols.theta, symbols.theta_d])
    parts = (ca.vertsplit(part, 3) for part in (x, v, J @ theta_dd + drift, J))
    return [PointMotion(*point) for point in zip(*parts, strict=True)]


def gap_rates(contacts: Sequence[tuple[PointMotion, WallGap]], n_dof: int) -> GapRates:
    """Gaps of points and walls, and their rates; `n_dof` is the length of theta_d."""
    if not contacts:
        nothing = ca.SX.zeros(0)
        return GapRates(nothing, nothing, nothing, ca.SX.zeros(0, n_dof))
    found = [
        (
            wall.gap(point.x),
            ca.dot(wall.gradient(point.x), point.v),
            wall.acceleration(point.x, point.v, point.a),
            wall.gradient(point.x).T @ point.J,
        )
        for point, wall in contacts
    ]
    return GapRates(*(ca.vertcat(*column) for column in zip(*found, strict=True)))


def slip_rates(contacts: Sequence[tuple[PointMotion, WallGap]], n_dof: int, n_tangents: int) -> SlipRates:
    """Slips of points on walls, along one tangent of all, then along the other; `n_dof` is the length of theta_d."""
    if not contacts or not n_tangents:
        nothing = ca.SX.zeros(0)
        return SlipRates(nothing, nothing, ca.SX.zeros(0, n_dof))
    along = [(point, wall.tangents(point.x, n_tangents)) for point, wall in contacts]
    found = [
        (ca.dot(tangents[k], point.v), ca.dot(tangents[k], point.a), tangents[k].T @ point.J)
        for k in range(n_tangents)
        for point, tangents in along
    ]
    return SlipRates(*(ca.vertcat(*column) for column in zip(*found, strict=True)))
