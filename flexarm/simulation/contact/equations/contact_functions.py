"""Functions of an arm's contacts, in which its walls and limits are open, and their machine code."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import casadi as ca

from flexarm.codegen.native import state_jacobian
from flexarm.codegen.parameter_hoisting import ParametricFunction
from flexarm.codegen.piecewise_polynomial import PiecewisePolynomial
from flexarm.simulation.contact.equations.constrained_motion import FrictionInputs
from flexarm.simulation.contact.equations.constrained_motion_in_space import SpatialFriction
from flexarm.simulation.forces.walls.wall_gaps import ENTRIES

WALLS_AT_ONCE = 3
"""Walls on which one point may rest at a time: their normals span the space."""
INPUTS = (0, len(FrictionInputs._fields), len(SpatialFriction._fields))
"""Numbers that say how a point rubs, by the number of tangents."""


class JointPlace(NamedTuple):
    """Joint, or motor behind its spring: columns of its coordinate and its rate in y, its row in what moves freely."""

    position: int
    rate: int
    row: int


@dataclass(frozen=True)
class ContactFunctions:
    """Functions of an arm's contacts, in which its walls, its joints' limits and some of its numbers are open.

    What they cost does not grow with the number of walls: of these a group at a time is an input, and so are the walls
    of active contacts, for which each point has some slots: 1 if the slot is taken, else 0, and the wall's entries.
    With friction a slot also holds :class:`~flexarm.simulation.contact.equations.constrained_motion.FrictionInputs`.
    Of each joint with limits the direction in which an active one pushes is an input, 1 or -1, or 0 if none does; of
    each joint with dry friction its FrictionInputs.

    Attributes
    ----------
    n_points, n_walls, n_slots, n_theta, n_free : int
        Number of points, of walls in a group, of slots of a point, and of coordinates that move freely: the first
        entries of y, and their rates, the last ones.
    n_tangents : int
        Directions along the walls in which forces act: none without friction, one in the plane, two in space.
    limited, dry : list of JointPlace
        Where the joints with limits are, and what dry friction acts on: joints, of elastic ones the motors.
    n_soft : int
        Pairs of a point and a soft wall. Which of the points are inside, and which walls push, are inputs of all
        functions, (2 n_soft,), behind their own.
    accounts_for_impacts : bool
        Whether it is recorded what impacts take.
    gaps : casadi.Function
        (t, y, [walls, p], u) -> gaps and their rates, (2 n_points n_walls,).
    state : casadi.Function
        (t, y, [walls, p], u) -> gaps, their first and second rates; accelerations of the joints with limits, and of
        those with dry friction; Jacobian of the gaps' rates, and mass matrix, column by column; with friction slips,
        along one tangent of all contacts after the other, their rates and their Jacobian.
    constrained_rhs, constrained_forces : casadi.Function
        (t, y, [slots, directions, joints, p], u) -> rate of y; -> forces in the slots, then of limits,
        (n_points n_slots + joints with limits,); with friction forces along the walls in the slots, then of the joints,
        slips likewise, and the margins of
        :class:`~flexarm.simulation.contact.equations.constrained_motion.ConstrainedMotion`.
    energy : casadi.Function
        (t, y, p, u) -> energy of the arm and of soft walls.
    free_rhs, soft_margins : casadi.Function
        (t, y, p, u) -> rate of y without rigid contacts; (t, y, [signs, p], u) -> gaps of soft walls, their rates, and
        the factors of their forces, (3 n_soft,), of which gaps and rates, and factors, are multiplied by the signs.
    tables : list of PiecewisePolynomial
    n_parameters : int
    """

    n_points: int
    n_walls: int
    n_slots: int
    n_theta: int
    n_free: int
    n_tangents: int
    limited: list[JointPlace]
    dry: list[JointPlace]
    n_soft: int
    accounts_for_impacts: bool
    gaps: ca.Function
    state: ca.Function
    constrained_rhs: ca.Function
    constrained_forces: ca.Function
    energy: ca.Function
    free_rhs: ca.Function
    soft_margins: ca.Function
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

    @cached_property
    def native_energy(self) -> ParametricFunction:
        """:attr:`energy` as machine code."""
        return self._native(self.energy)

    @cached_property
    def native_free_rhs(self) -> ParametricFunction:
        """:attr:`free_rhs` as machine code."""
        return self._native(self.free_rhs)

    @cached_property
    def native_free_jacobian(self) -> ParametricFunction:
        """Exact Jacobian of :attr:`free_rhs` by y as machine code, for methods that need it."""
        return self._native(state_jacobian(self.free_rhs))

    @cached_property
    def native_soft_margins(self) -> ParametricFunction:
        """:attr:`soft_margins` as machine code."""
        return self._native(self.soft_margins)

    def _native(self, f: ca.Function) -> ParametricFunction:
        return ParametricFunction(f, self.n_parameters, self.tables)


def slot_size(n_tangents: int) -> int:
    """Numbers in a slot: whether it is taken, the wall's entries, and how the point rubs."""
    return 1 + ENTRIES + INPUTS[n_tangents]
