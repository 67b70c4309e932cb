"""Forces of soft walls on the points that are in them, as expressions of the state."""

from __future__ import annotations

from typing import Any, NamedTuple

import casadi as ca

from flexarm.description.arm.arm import Arm
from flexarm.description.arm.wall_material import SoftWall
from flexarm.description.arm.walls import HalfPlane, Wall
from flexarm.formulations.kinematics.chain_state import theta_rate
from flexarm.model.chain import Chain
from flexarm.simulation.forces.point_force import PointForce
from flexarm.simulation.forces.walls.point_positions import described_contact, point_positions
from flexarm.simulation.forces.walls.wall_gaps import WallGap

LEAST_DEPTH = 1e-30
"""Depth [m] of all points that are in no wall, at which roots of it have finite derivatives."""
LEAST_RADIUS = 1e-3
"""Distance from the axis of a round wall, in its radii, below which directions are not told apart."""
LEAST_SLIP = 1e-6
"""Slip, in units of the smoothing, below which directions are not told apart."""


class TouchFlags(NamedTuple):
    """Which points are in which soft walls (n_soft, n_points): 1 or 0; and whether these push, as they do not pull.

    Between two events both stay as they are, so that the equations are smooth.
    """

    inside: ca.SX
    pushes: ca.SX


class SoftContacts(NamedTuple):
    """Soft walls and the points of an arm, (n_soft, n_points) each.

    Attributes
    ----------
    gap, rate : SX [m], [m/s]
        Distance of the point from the wall, negative inside, and its rate.
    factor : SX
        ``1 + damping d_d``, with which the elastic force is multiplied; it is zero where that is negative.
    normal : SX [N]
    tangential, slips : list of SX [N], [m/s]
        Forces along the wall, and velocities, for each of its tangents; none without friction.
    stored : SX (1,) [J]
        Energy of all walls.
    damping_power, friction_power : SX (1,) [W]
        That they take from the arm.
    point_forces : list of PointForce
    """

    gap: ca.SX
    rate: ca.SX
    factor: ca.SX
    normal: ca.SX
    tangential: list[ca.SX]
    slips: list[ca.SX]
    stored: ca.SX
    damping_power: ca.SX
    friction_power: ca.SX
    point_forces: list[PointForce]


class _Touch(NamedTuple):
    """One point and one wall: see SoftContacts."""

    gap: ca.SX
    rate: ca.SX
    factor: ca.SX
    normal: ca.SX
    tangential: list[ca.SX]
    slips: list[ca.SX]
    stored: ca.SX
    damping_power: ca.SX
    force: ca.SX


def soft_contacts(
    arm: Arm, chain: Chain, theta: ca.SX, theta_d: ca.SX, flags: TouchFlags | None = None
) -> SoftContacts:
    """Forces of the soft walls at theta (n_theta,) and theta_d (n_dof,); without flags as these say themselves.

    Notes
    -----
    At the depth d with the rate d_d a wall pushes with ``F = k d^p (1 + c d_d)`` [HuntCrossley1975], and does not pull.
    Of that ``k d^p`` is elastic, with the energy ``k d^(p + 1) / (p + 1)``; the rest of its power is lost. Friction is
    ``-mu F tanh(|s| / w)`` along the slip s with the smoothing w, as in joints.
    """
    contact = described_contact(arm)
    places, walls, n_t = contact.places(len(chain.links)), contact.soft, arm.n_directions
    at, along = ca.SX.sym("theta", theta.numel()), ca.SX.sym("theta_d", theta_d.numel())
    x = ca.vertcat(*point_positions(chain, places, at))
    v = ca.jtimes(x, at, theta_rate(chain, at, along))
    x, v = ca.substitute([x, v], [at, along], [ca.densify(theta), ca.densify(theta_d)])
    points = list(zip(ca.vertsplit(x, 3), ca.vertsplit(v, 3), strict=True))
    found = [
        [
            _touch(
                soft,
                contact.walls[soft.number],
                *point,
                n_t,
                None if flags is None else TouchFlags(flags.inside[w, p], flags.pushes[w, p]),
            )
            for p, point in enumerate(points)
        ]
        for w, soft in enumerate(walls)
    ]

    def matrix(*name: Any) -> ca.SX:
        return ca.vertcat(*(ca.horzcat(*(_part(one, name) for one in row)) for row in found))

    def total(name: str) -> ca.SX:
        return ca.sum1(ca.vec(matrix(name)))

    tangential = [matrix("tangential", k) for k in range(n_t)]
    slips = [matrix("slips", k) for k in range(n_t)]
    friction_power = ca.SX(0)
    for force, slip in zip(tangential, slips, strict=True):
        friction_power -= ca.dot(force, slip)
    forces = [
        PointForce(place.link, place.at, sum((row[p].force for row in found), ca.SX.zeros(3)))
        for p, place in enumerate(places)
    ]
    return SoftContacts(
        matrix("gap"),
        matrix("rate"),
        matrix("factor"),
        matrix("normal"),
        tangential,
        slips,
        total("stored"),
        total("damping_power"),
        friction_power,
        forces,
    )


def _part(touch: _Touch, name: tuple) -> ca.SX:
    part = getattr(touch, name[0])
    return part[name[1]] if len(name) > 1 else part


def _touch(
    soft: SoftWall, wall: Wall, x: ca.SX, v: ca.SX, n_tangents: int, flags: TouchFlags | None
) -> _Touch:
    """One point with its position and velocity (3,) [m], [m/s] at one wall."""
    gap, normal, axis = distance(wall, x)
    rate = ca.dot(normal, v)
    depth = ca.fmax(-gap, LEAST_DEPTH)
    elastic = soft.stiffness * _raised(depth, depth if flags is None else -gap, soft.exponent)
    factor = 1 - soft.damping * rate
    if flags is None:
        inside = gap < 0
        push = inside * elastic * ca.fmax(factor, 0.0)
    else:
        inside, push = flags.inside, flags.pushes * elastic * factor
    slips = [ca.dot(direction, v) for direction in (ca.cross(normal, axis), axis)[:n_tangents]]
    force, tangential = push * normal, [ca.SX(0)] * n_tangents
    if soft.friction is not None:
        grips = _grips(slips, soft.smoothing)
        tangential = [-soft.friction * push * grip for grip in grips]
        for part, direction in zip(tangential, (ca.cross(normal, axis), axis), strict=False):
            force += part * direction
    stored = elastic * depth / (soft.exponent + 1)
    return _Touch(gap, rate, factor, push, tangential, slips, stored, (inside * elastic - push) * rate, force)


def distance(wall: Wall, x: ca.SX) -> tuple[ca.SX, ca.SX, ca.SX]:
    """Distance [m] of a point (3,) [m] from a wall, its gradient, and a direction along the wall, (3,) each."""
    own = WallGap.of(wall)
    if isinstance(wall, HalfPlane):
        return own.gap(x), ca.SX(ca.vertcat(*own.normal)), ca.SX(ca.vertcat(*own.axis))
    radius, sign = wall.circle.radius, -1.0 if wall.circle.side == "inside" else 1.0
    d = x[:2] - ca.vertcat(*wall.circle.center[:2])
    r = ca.sqrt(ca.fmax(ca.sumsqr(d), (LEAST_RADIUS * radius) ** 2))
    return sign * (r - radius), ca.vertcat(sign * d / r, 0), ca.SX(ca.vertcat(*own.axis))


def _raised(depth: ca.SX, smooth: ca.SX, exponent: Any) -> ca.SX:
    """Depth to the power of the exponent, by products and a root where these do.

    `smooth` is the depth where it is positive, and goes on through zero, as integer powers do.
    """
    if not isinstance(exponent, float) or not (2 * exponent).is_integer():
        return depth**exponent
    value, base = (ca.sqrt(depth), depth) if exponent % 1 else (ca.SX(1), smooth)
    for _ in range(int(exponent)):
        value *= base
    return value


def _grips(slips: list[ca.SX], smoothing: Any) -> list[ca.SX]:
    """Part of the largest friction along each tangent: tanh of the slip, in space along it."""
    if len(slips) == 1:
        return [ca.tanh(slips[0] / smoothing)]
    size = ca.sqrt(ca.sumsqr(ca.vertcat(*slips)) + (LEAST_SLIP * smoothing) ** 2)
    return [ca.tanh(size / smoothing) * slip / size for slip in slips]
