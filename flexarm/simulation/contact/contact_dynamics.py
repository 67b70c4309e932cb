"""Equations of motion of an arm with active contacts, and the kinematics of these: derived, and as machine code."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import ceil
from typing import NamedTuple

import casadi as ca

from flexarm.codegen.native import state_jacobian
from flexarm.codegen.parameter_hoisting import ParametricFunction
from flexarm.codegen.piecewise_polynomial import PiecewisePolynomial
from flexarm.formulations.formulation import make_formulation
from flexarm.formulations.linear_algebra import ldl, ldl_solve, ldl_substitute
from flexarm.simulation.contact.gap_functions import described_contact
from flexarm.simulation.contact.point_motion import gap_rates, point_motion
from flexarm.simulation.contact.wall_gaps import ENTRIES, WallGap
from flexarm.simulation.state.symbols import SymbolicState

CONTACTS_TOGETHER = 256
"""Contacts that one evaluation finds; with more of them, groups of walls are evaluated one after the other."""
WALLS_AT_ONCE = 3
"""Walls on which one point may rest at a time: their normals span the space."""


class LimitedJoint(NamedTuple):
    """Joint with limits: columns of its coordinate and its rate in y, and its row among what moves freely."""

    position: int
    rate: int
    row: int


@dataclass(frozen=True)
class ContactFunctions:
    """Functions of an arm's contacts, in which its walls, its joints' limits and some of its numbers are open.

    What they cost does not grow with the number of walls: of these a group at a time is an input, and so are the walls
    of active contacts, for which each point has some slots: 1 if the slot is taken, else 0, and the wall's entries.
    Of each joint with limits the direction in which an active one pushes is an input, 1 or -1, or 0 if none does.

    Attributes
    ----------
    n_points, n_walls, n_slots, n_theta, n_free : int
        Number of points, of walls in a group, of slots of a point, and of coordinates that move freely: the first
        entries of y, and their rates, the last ones.
    limited : list of LimitedJoint
        Where the joints with limits are.
    gaps : casadi.Function
        (t, y, [walls, p], u) -> gaps and their rates, (2 n_points n_walls,).
    state : casadi.Function
        (t, y, [walls, p], u) -> gaps, their first and second rates; accelerations of the joints with limits; Jacobian
        of the gaps' rates, and mass matrix, column by column.
    constrained_rhs, constrained_forces : casadi.Function
        (t, y, [slots, directions, p], u) -> rate of y; -> forces in the slots, then of limits,
        (n_points n_slots + joints with limits,).
    tables : list of PiecewisePolynomial
    n_parameters : int
    """

    n_points: int
    n_walls: int
    n_slots: int
    n_theta: int
    n_free: int
    limited: list[LimitedJoint]
    gaps: ca.Function
    state: ca.Function
    constrained_rhs: ca.Function
    constrained_forces: ca.Function
    tables: list[PiecewisePolynomial]
    n_parameters: int

    @cached_property
    def native_gaps(self) -> ParametricFunction:
        """:attr:`gaps` as machine code."""
        return self._native(self.gaps)

    @cached_property
    def native_state(self) -> ParametricFunction:
        """:attr:`state` as machine code."""
        return self._native(self.state)

    @cached_property
    def native_constrained_rhs(self) -> ParametricFunction:
        """:attr:`constrained_rhs` as machine code."""
        return self._native(self.constrained_rhs)

    @cached_property
    def native_constrained_jacobian(self) -> ParametricFunction:
        """Exact Jacobian of :attr:`constrained_rhs` by y as machine code, for methods that need it."""
        return self._native(state_jacobian(self.constrained_rhs))

    @cached_property
    def native_constrained_forces(self) -> ParametricFunction:
        """:attr:`constrained_forces` as machine code."""
        return self._native(self.constrained_forces)

    def _native(self, f: ca.Function) -> ParametricFunction:
        return ParametricFunction(f, self.n_parameters, self.tables)


def derive_contacts(symbols: SymbolicState) -> ContactFunctions:
    """Derive the contact kinematics of an arm and its equations of motion with active contacts.

    Notes
    -----
    With the active contacts' second rates zero, ``J theta_dd + J_d theta_d = 0``, their forces are
    ``lambda = -(J M^-1 J^T)^-1 free_gap_acceleration`` and the accelerations those of the free
    motion plus ``M^-1 J^T lambda``. Which contacts are active is a parameter, so that one function serves all sets.
    """
    arm, chain, rows = symbols.arm, symbols.chain, symbols.layout.rows
    M = make_formulation(arm.run.formulation, chain).mass_matrix(symbols.theta)[rows, rows]
    applied = symbols.applied_forces()
    theta_dd = symbols.accelerations(applied)
    n_dof = theta_dd.numel()
    points, n_all = [], 0
    if arm.contact is not None:
        points, n_all = point_motion(symbols, theta_dd), len(described_contact(arm).walls)
    n_walls, n_slots = _group_size(len(points), n_all), min(n_all, WALLS_AT_ONCE)

    walls = ca.SX.sym("walls", ENTRIES, n_walls)
    wall_gaps = [WallGap.from_entries(walls[:, w]) for w in range(n_walls)]
    free = gap_rates([(point, wall) for point in points for wall in wall_gaps], n_dof)

    slots = ca.SX.sym("slots", 1 + ENTRIES, len(points) * n_slots)
    held = gap_rates(
        [(points[k // n_slots], WallGap.from_entries(slots[1:, k])) for k in range(slots.size2())], n_dof
    )
    limited = _limited_joints(symbols)
    limited_dd = _column([theta_dd[rows[joint.row]] for joint in limited])
    directions = ca.SX.sym("directions", len(limited))
    J = held.J[:, rows]
    for k, joint in enumerate(limited):
        row = ca.SX(1, len(rows))
        row[joint.row] = directions[k]
        J = ca.vertcat(J, row)
    acceleration = ca.vertcat(held.acceleration, directions * limited_dd)
    active = ca.vertcat(slots[0, :].T, directions**2)
    response, S = ldl_substitute(ldl(M), J.T), ca.diag(active)
    A = S @ (J @ response) @ S + ca.diag(1 - active)
    forces = -ldl_solve(A, active * acceleration)
    constrained_dd = ca.SX(theta_dd)
    constrained_dd[rows] += response @ forces

    state = ca.vertcat(*free[:3], limited_dd, *(ca.vec(ca.densify(X)) for X in (free.J[:, rows], M)))
    walls, held_by = ca.vec(walls), ca.vertcat(ca.vec(slots), directions)
    return ContactFunctions(
        n_points=len(points),
        n_walls=n_walls,
        n_slots=n_slots,
        n_theta=len(symbols.layout.theta_rows),
        n_free=len(rows),
        limited=limited,
        gaps=symbols.function("gaps", ca.vertcat(free.gap, free.speed), p=walls),
        state=symbols.function("contact_state", state, p=walls),
        constrained_rhs=symbols.function(
            "constrained_rhs", symbols.y_rate(constrained_dd, applied), p=held_by
        ),
        constrained_forces=symbols.function("constrained_forces", forces, p=held_by),
        tables=symbols.signals.tables.copy(),
        n_parameters=symbols.parameters.numel(),
    )


def _limited_joints(symbols: SymbolicState) -> list[LimitedJoint]:
    layout = symbols.layout
    found = []
    for i in symbols.arm.limited_joints:
        coordinate = symbols.chain.coordinates.joints[i]
        assert coordinate is not None
        row = layout.rows.index(coordinate)
        found.append(LimitedJoint(layout.theta_rows.index(coordinate), layout.first_rate + row, row))
    return found


def _column(entries: list[ca.SX]) -> ca.SX:
    return ca.vertcat(ca.SX.zeros(0), *entries)


def _group_size(n_points: int, n_walls: int) -> int:
    """Walls in a group, so that groups of equal size hold all of them."""
    if not n_walls:
        return 0
    most = max(CONTACTS_TOGETHER // n_points, 1)
    return ceil(n_walls / ceil(n_walls / most))
