"""Equations of motion with active contacts: unknown forces along normals, and of friction where something sticks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import casadi as ca

from flexarm.formulations.linear_algebra import ldl, ldl_solve, ldl_substitute, lu, lu_substitute

REGULARISATION = 1e-7
"""Compliance of contacts, of their own: it makes the forces of redundant ones unique."""
REFINEMENTS = 2
"""Corrections by the residual, after which nothing of the compliance is left but this uniqueness."""
SLIDING_SPEED = 1e-8
"""Slip [m/s] below which a persistent contact is at rest: under friction it would be over in a nanosecond."""


class ContactRows(NamedTuple):
    """Rows of some contacts: Jacobian (k, n) by the free rates, and second rates (k,) while nothing acts there."""

    J: ca.SX
    acceleration: ca.SX


class FrictionInputs(NamedTuple):
    """How each of some contacts, or of some joints, (k,), rubs.

    Attributes
    ----------
    sticks : SX (k,)
        1 if its slip is a constraint, else 0.
    coefficient : SX (k,)
        Of one that slides: force along the wall over that along the normal, of a joint its torque.
    bound : SX (k,)
        Of one that sticks: coefficient at rest, of a joint the largest torque. Of one that slides: sign of its slip. Of
        a saturated one: 0.
    """

    sticks: ca.SX
    coefficient: ca.SX
    bound: ca.SX


class RubbingRows(NamedTuple):
    """What rubs: its rows, slips (k,), which are rates of joints, and how it rubs."""

    rows: ContactRows
    slip: ca.SX
    friction: FrictionInputs

    @classmethod
    def none(cls, n: int) -> RubbingRows:
        """Nothing, of n free rates."""
        nothing = ca.SX.zeros(0)
        return cls(ContactRows(ca.SX(0, n), nothing), nothing, FrictionInputs(nothing, nothing, nothing))


class ConstrainedMotion(NamedTuple):
    """Accelerations (n,) that active contacts add to the free motion, their forces, and event functions of friction.

    Attributes
    ----------
    added : SX (n,)
    normal, tangential : SX (k,), (k_t + d,) [N]
        Along normals; along walls, then of d joints with dry friction.
    slip : SX (k_t + d,) [m/s]
    margins : SX (2 (k_t + d) + 1,) or (0,)
        Positive while they rub as they are said to: of each that sticks what is left of its force up to both limits; of
        each that slides the slip in its direction, and 1; of each that is saturated what is left of its slip, both
        ways, up to twice :data:`SLIDING_SPEED`; then the determinant of the equations in units of their diagonal,
        without which forces grow beyond all bounds.
    friction_power : SX (1,) [W]
        That friction takes from the arm.
    """

    added: ca.SX
    normal: ca.SX
    tangential: ca.SX
    slip: ca.SX
    margins: ca.SX
    friction_power: ca.SX


def frictionless(M: ca.SX, normal: ContactRows, active: ca.SX) -> ConstrainedMotion:
    """Motion with frictionless contacts of which some are active, (k,) of 0 and 1; M (n, n) is the mass matrix.

    Notes
    -----
    With the active contacts' second rates zero, ``J theta_dd + J_d theta_d = 0``, their forces are
    ``lambda = -(J M^-1 J^T)^-1 free_gap_acceleration`` and the accelerations those of the free
    motion plus ``M^-1 J^T lambda``.
    """
    response, S = ldl_substitute(ldl(M), normal.J.T), ca.diag(active)
    A = S @ (normal.J @ response) @ S + ca.diag(1 - active)
    forces = -ldl_solve(A, active * normal.acceleration)
    nothing = ca.SX.zeros(0)
    return ConstrainedMotion(response @ forces, forces, nothing, nothing, nothing, ca.SX(0))


def with_friction(
    M: ca.SX, normal: ContactRows, active: ca.SX, tangential: RubbingRows, joints: RubbingRows
) -> ConstrainedMotion:
    """Motion with contacts of which the first k_t have friction, and with d joints that have dry friction.

    Parameters
    ----------
    M : SX (n, n)
    normal : ContactRows
        Of all k contacts.
    active : SX (k,)
        1 or 0.
    tangential : RubbingRows
        Along the walls of the first k_t of them.
    joints : RubbingRows

    Notes
    -----
    A force along the wall is an unknown where the point sticks, and ``coefficient`` times that along the normal where
    it slides: then the equations are not symmetric, and have no solution or several if friction is large
    [GenotBrogliato1999]. The torque of a joint is an unknown where it sticks, and else known.
    """
    n, n_t = active.numel(), tangential.slip.numel()
    sticks = ca.vertcat(tangential.friction.sticks, joints.friction.sticks)
    bound = ca.vertcat(tangential.friction.bound, joints.friction.bound)
    column = ca.SX.eye(n + sticks.numel())
    column[n : n + n_t, :n_t] = ca.diag(
        tangential.friction.coefficient
    )  # normal force -> that along the wall
    known = ca.vertcat(ca.SX.zeros(n + n_t), joints.friction.coefficient)
    solved = solve_forces(
        M, [normal, tangential.rows, joints.rows], ca.vertcat(active, sticks), column, known
    )
    N_t, N_s, T = ca.vertsplit(solved.forces, [0, n_t, n, n + sticks.numel()])
    slip, slides = ca.vertcat(tangential.slip, joints.slip), ca.fabs(bound)
    limit = ca.vertcat(tangential.friction.bound * N_t, joints.friction.bound)
    margins = (
        ca.if_else(sticks, limit - side * T, ca.if_else(slides, moving, 2 * SLIDING_SPEED + side * slip))
        for side, moving in ((1, bound * slip), (-1, 1))
    )
    return ConstrainedMotion(
        solved.added,
        ca.vertcat(N_t, N_s),
        T,
        slip,
        ca.vertcat(*margins, solved.determinant),
        -ca.dot(T, slip),
    )


class SolvedForces(NamedTuple):
    """Forces (m,) of all rows, the accelerations (n,) that they add, and the determinant of their equations."""

    forces: ca.SX
    added: ca.SX
    determinant: ca.SX


def solve_forces(
    M: ca.SX,
    rows: Sequence[ContactRows],
    is_unknown: ca.SX,
    column: ca.SX,
    known: ca.SX,
    pairs: slice | None = None,
) -> SolvedForces:
    """Forces that keep second rates at zero, some of them unknown.

    Parameters
    ----------
    M : SX (n, n)
    rows : sequence of ContactRows
        m of them altogether.
    is_unknown : SX (m,)
        1 where the second rate is zero and the force unknown, else 0.
    column : SX (m, m)
        Unknowns -> forces.
    known : SX (m,)
        Forces that act besides.
    pairs : slice, optional
        Rows along one tangent, before as many along the other: both are as compliant as the one that moves more easily,
        as along the other the arm may not move at all.
    """
    J = ca.vertcat(*(each.J for each in rows))
    response = ldl_substitute(ldl(M), J.T)
    G, S = J @ response, ca.diag(is_unknown)
    A = S @ G @ column @ S + ca.diag(1 - is_unknown)
    own = ca.diag(G)
    if pairs is not None:
        others = slice(pairs.stop, 2 * pairs.stop - pairs.start)
        own[pairs] = own[others] = ca.fmax(own[pairs], own[others])
    diagonal = is_unknown * own + 1 - is_unknown
    b = -is_unknown * (ca.vertcat(*(each.acceleration for each in rows)) + G @ known)
    factors = lu(A + REGULARISATION * ca.diag(diagonal))
    unknown = lu_substitute(factors, b)
    for _ in range(REFINEMENTS):
        unknown += lu_substitute(factors, b - A @ unknown)
    determinant = ca.SX(1)
    for pivot, own in zip(ca.vertsplit(ca.diag(factors[1])), ca.vertsplit(diagonal), strict=True):
        determinant *= pivot / own
    forces = column @ unknown + known
    return SolvedForces(forces, response @ forces, determinant)
