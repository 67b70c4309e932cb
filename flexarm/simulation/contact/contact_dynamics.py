"""Contact kinematics of an arm, and its equations of motion with active contacts: derived, and as machine code."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import ceil
from typing import NamedTuple

import casadi as ca

from flexarm.codegen.native import state_jacobian
from flexarm.codegen.parameter_hoisting import ParametricFunction
from flexarm.codegen.piecewise_polynomial import PiecewisePolynomial
from flexarm.formulations.formulation import make_formulation
from flexarm.formulations.kinematics.chain_state import theta_rate
from flexarm.formulations.linear_algebra import ldl, ldl_solve, ldl_substitute
from flexarm.simulation.contact.gap_functions import described_contact, point_positions
from flexarm.simulation.contact.wall_gaps import ENTRIES, WallGap
from flexarm.simulation.state.symbols import SymbolicState

CONTACTS_TOGETHER = 256
"""Contacts that one evaluation finds; with more of them, groups of walls are evaluated one after the other."""
WALLS_AT_ONCE = 3
"""Walls on which one point may rest at a time: their normals span the space."""


@dataclass(frozen=True)
class ContactFunctions:
    """Functions of an arm's contacts, in which its walls and some of its numbers are open.

    What they cost does not grow with the number of walls: of these a group at a time is an input, and so are the walls
    of active contacts, for which each point has some slots: 1 if the slot is taken, else 0, and the wall's entries.

    Attributes
    ----------
    n_points, n_walls, n_slots, n_free : int
        Number of points, of walls in a group, of slots of a point, and of coordinates that move freely.
    gaps : casadi.Function
        (t, y, [walls, p], u) -> gaps and their rates, (2 n_points n_walls,).
    state : casadi.Function
        (t, y, [walls, p], u) -> all that a :class:`ContactState` holds, in its order.
    constrained_rhs, constrained_forces : casadi.Function
        (t, y, [slots, p], u) -> rate of y; -> forces in the slots, (n_points n_slots,).
    tables : list of PiecewisePolynomial
    n_parameters : int
    """

    n_points: int
    n_walls: int
    n_slots: int
    n_free: int
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
    n_all = len(described_contact(arm).walls)
    M = make_formulation(arm.run.formulation).mass_matrix(chain, symbols.theta)[rows, rows]
    theta_dd = symbols.accelerations(symbols.applied_forces())
    points = _point_motion(symbols, theta_dd)
    n_walls, n_slots = _group_size(len(points), n_all), min(n_all, WALLS_AT_ONCE)

    walls = ca.SX.sym("walls", ENTRIES, n_walls)
    contacts = [(point, WallGap.from_entries(walls[:, w])) for point in points for w in range(n_walls)]
    gap, speed, acceleration, J = _gaps_and_rates(contacts)

    slots = ca.SX.sym("slots", 1 + ENTRIES, len(points) * n_slots)
    held = [(points[k // n_slots], WallGap.from_entries(slots[1:, k])) for k in range(slots.size2())]
    _, _, held_acceleration, held_J = _gaps_and_rates(held)
    active, response = slots[0, :].T, ldl_substitute(ldl(M), held_J[:, rows].T)
    S = ca.diag(active)
    A = S @ (held_J[:, rows] @ response) @ S + ca.diag(1 - active)
    forces = -ldl_solve(A, active * held_acceleration)
    constrained_dd = ca.SX(theta_dd)
    constrained_dd[rows] += response @ forces

    state = ca.vertcat(gap, speed, acceleration, ca.vec(ca.densify(J[:, rows])), ca.vec(ca.densify(M)))
    walls, slots = ca.vec(walls), ca.vec(slots)
    return ContactFunctions(
        n_points=len(points),
        n_walls=n_walls,
        n_slots=n_slots,
        n_free=len(rows),
        gaps=symbols.function("gaps", ca.vertcat(gap, speed), p=walls),
        state=symbols.function("contact_state", state, p=walls),
        constrained_rhs=symbols.function("constrained_rhs", symbols.y_rate(constrained_dd), p=slots),
        constrained_forces=symbols.function("constrained_forces", forces, p=slots),
        tables=symbols.signals.tables,
        n_parameters=symbols.parameters.numel(),
    )


def _group_size(n_points: int, n_walls: int) -> int:
    """Walls in a group, so that groups of equal size hold all of them."""
    most = max(CONTACTS_TOGETHER // n_points, 1)
    return ceil(n_walls / ceil(n_walls / most))


class _PointMotion(NamedTuple):
    """Position, velocity and acceleration of a point (3,) while no wall acts, and their Jacobian by theta_d (3, n)."""

    x: ca.SX
    v: ca.SX
    a: ca.SX
    J: ca.SX


def _point_motion(symbols: SymbolicState, theta_dd: ca.SX) -> list[_PointMotion]:
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
    return [_PointMotion(*point) for point in zip(*parts, strict=True)]


def _gaps_and_rates(contacts: Sequence[tuple[_PointMotion, WallGap]]) -> list[ca.SX]:
    """Gaps of contacts, their first and second rates, and the Jacobian of these by theta_d."""
    found = [
        (
            wall.gap(point.x),
            ca.dot(wall.gradient(point.x), point.v),
            wall.acceleration(point.x, point.v, point.a),
            wall.gradient(point.x).T @ point.J,
        )
        for point, wall in contacts
    ]
    return [ca.vertcat(*column) for column in zip(*found, strict=True)]
