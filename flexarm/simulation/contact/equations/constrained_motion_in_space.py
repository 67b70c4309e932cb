"""Equations of motion with active contacts that rub in space: friction opposes a slip of two components."""

from __future__ import annotations

from typing import NamedTuple

import casadi as ca

from flexarm.simulation.contact.equations.constrained_motion import (
    SLIDING_SPEED,
    ConstrainedMotion,
    ContactRows,
    RubbingRows,
    solve_forces,
)

STOPPING_SPEED = 1e-7
"""Slip [m/s] below which a contact has stopped: at none its direction would be undefined, so steps end before."""
LEAST = 1e-300
"""Square of a length below which a vector has no direction."""


class SpatialFriction(NamedTuple):
    """How each of some contacts, (k,), rubs in space.

    Attributes
    ----------
    sticks : SX (k,)
        1 if its slip is a constraint, else 0.
    coefficient : SX (k,)
        Of one that does not stick: force along the wall over that along the normal.
    bound : SX (k,)
        Of one that sticks: coefficient at rest. Of one that slides 1, of a saturated one 0.
    first, second : SX (k,)
        Direction of a slip that only begins, or that the force of a saturated contact prevents; else zero.
    """

    sticks: ca.SX
    coefficient: ca.SX
    bound: ca.SX
    first: ca.SX
    second: ca.SX


def with_friction_in_space(
    M: ca.SX,
    normal: ContactRows,
    active: ca.SX,
    tangential: ContactRows,
    slip: ca.SX,
    friction: SpatialFriction,
    joints: RubbingRows,
) -> ConstrainedMotion:
    """Motion with contacts of which the first k_t have friction, and with d joints that have dry friction.

    Parameters
    ----------
    M : SX (n, n)
    normal : ContactRows
        Of all k contacts.
    active : SX (k,)
        1 or 0.
    tangential : ContactRows
        Along one tangent of the first k_t of them, then along the other.
    slip : SX (2 k_t,) [m/s]
        Likewise.
    friction : SpatialFriction
    joints : RubbingRows

    Returns
    -------
    ConstrainedMotion
        Forces and slips along one tangent, along the other, then of joints. Margins are positive as those of
        :func:`~flexarm.simulation.contact.equations.constrained_motion.with_friction`, of the k_t contacts, then of
        joints: of each that sticks what is left of its force, and 1; of each that slides what is left of its slip, and,
        of one that has begun, how far it goes in its first direction; of each that is saturated what is left of its
        slip, and 1.

    Notes
    -----
    A force along the wall is unknown, in both directions, where the point sticks, else ``-coefficient N u`` with the
    direction u of the slip. A slip that begins has the direction of its acceleration, which is given: it is added to
    the slip in the size of :data:`STOPPING_SPEED`, so that u is smooth there, until the slip has turned by 90 degrees.
    """
    n, n_t, n_j = active.numel(), friction.sticks.numel(), joints.slip.numel()
    given = [friction.first, friction.second]
    slips = ca.vertsplit(slip, [0, n_t, 2 * n_t])
    towards = [friction.bound * s + STOPPING_SPEED * d for s, d in zip(slips, given, strict=True)]
    length = ca.sqrt(sum((part**2 for part in towards), ca.SX(LEAST)))
    u = [part / length for part in towards]
    column = ca.SX.eye(n + 2 * n_t + n_j)
    for k in range(2):
        rows = slice(n + k * n_t, n + (k + 1) * n_t)
        column[rows, :n_t] = ca.diag(-friction.coefficient * u[k])  # normal force -> that along the wall
    sticks = ca.vertcat(friction.sticks, friction.sticks, joints.friction.sticks)
    known = ca.vertcat(ca.SX.zeros(n + 2 * n_t), joints.friction.coefficient)
    solved = solve_forces(
        M, [normal, tangential, joints.rows], ca.vertcat(active, sticks), column, known, slice(n, n + n_t)
    )
    ends = [0, n_t, n, n + n_t, n + 2 * n_t, n + 2 * n_t + n_j]
    N_t, N_s, T_1, T_2, T_j = ca.vertsplit(solved.forces, ends)
    speed = ca.sqrt(slips[0] ** 2 + slips[1] ** 2)
    slides, begins = friction.bound, ca.fabs(given[0]) + ca.fabs(given[1])
    one = ca.SX.ones(n_t)
    left = friction.bound * N_t - ca.sqrt(T_1**2 + T_2**2)
    moving = ca.if_else(slides, length - STOPPING_SPEED / 2, 2 * STOPPING_SPEED - speed)
    ahead = given[0] * slips[0] + given[1] * slips[1] + STOPPING_SPEED / 2
    bound = joints.friction.bound
    sides = []
    for side, wall in (
        (1, ca.if_else(friction.sticks, left, moving)),
        (-1, ca.if_else(slides * begins * (1 - friction.sticks), ahead, one)),
    ):
        sliding = bound * joints.slip if side > 0 else ca.SX.ones(n_j)
        resting = 2 * SLIDING_SPEED + side * joints.slip
        own = ca.if_else(
            joints.friction.sticks, bound - side * T_j, ca.if_else(ca.fabs(bound), sliding, resting)
        )
        sides += [wall, own]
    T, all_slips = ca.vertcat(T_1, T_2, T_j), ca.vertcat(slip, joints.slip)
    return ConstrainedMotion(
        solved.added,
        ca.vertcat(N_t, N_s),
        T,
        all_slips,
        ca.vertcat(*sides, solved.determinant),
        -ca.dot(T, all_slips),
    )
