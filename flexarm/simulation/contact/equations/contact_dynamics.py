"""Equations of motion of an arm with active contacts, and the kinematics of these, derived."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil

import casadi as ca

from flexarm.formulations.dynamics.energies import energies
from flexarm.formulations.formulation import make_formulation
from flexarm.simulation.contact.equations.constrained_motion import (
    ConstrainedMotion,
    ContactRows,
    FrictionInputs,
    RubbingRows,
    frictionless,
    with_friction,
)
from flexarm.simulation.contact.equations.constrained_motion_in_space import (
    SpatialFriction,
    with_friction_in_space,
)
from flexarm.simulation.contact.equations.contact_functions import (
    WALLS_AT_ONCE,
    ContactFunctions,
    JointPlace,
    slot_size,
)
from flexarm.simulation.contact.gaps.point_motion import PointMotion, gap_rates, point_motion, slip_rates
from flexarm.simulation.forces.walls.soft_walls import SoftContacts
from flexarm.simulation.forces.walls.wall_gaps import ENTRIES, WallGap
from flexarm.simulation.state.symbols import NO_SYMBOLS, SymbolicState

CONTACTS_TOGETHER = 256
"""Contacts that one evaluation finds; with more of them, groups of walls are evaluated one after the other."""


def derive_contacts(symbols: SymbolicState) -> ContactFunctions:
    """Derive the contact kinematics of an arm and its equations of motion with active contacts.

    Which contacts are active is a parameter, so that one function serves all sets; see
    :mod:`~flexarm.simulation.contact.equations.constrained_motion`.
    """
    if symbols.arm.has_soft_walls:
        symbols = symbols.with_touch_flags()
    arm, chain, rows = symbols.arm, symbols.chain, symbols.layout.rows
    M = make_formulation(arm.run.formulation, chain).mass_matrix(symbols.theta)[rows, rows]
    applied = symbols.applied_forces()
    theta_dd = symbols.accelerations(applied)
    n_dof = theta_dd.numel()
    points, n_all = [], 0
    if arm.contact is not None and arm.contact.rigid:
        points, n_all = point_motion(symbols, theta_dd), len(arm.contact.rigid)
    n_walls, n_slots = _group_size(len(points), n_all), min(n_all, WALLS_AT_ONCE)

    walls = ca.SX.sym("walls", ENTRIES, n_walls)
    pairs = [(point, WallGap.from_entries(walls[:, w])) for point in points for w in range(n_walls)]
    free, slips = gap_rates(pairs, n_dof), slip_rates(pairs, n_dof, arm.n_tangents)

    slots = ca.SX.sym("slots", slot_size(arm.n_tangents), len(points) * n_slots)
    coordinates = symbols.chain.coordinates
    limited = [_place(symbols, coordinates.joints[i]) for i in arm.limited_joints]
    dry = [_place(symbols, coordinates.driven[i]) for i in arm.dry_joints]
    limited_dd, dry_dd = (_column([theta_dd[rows[each.row]] for each in places]) for places in (limited, dry))
    joints = ca.SX.sym("joints", len(FrictionInputs._fields), len(dry))
    directions = ca.SX.sym("directions", len(limited))
    held = [
        (points[k // n_slots], WallGap.from_entries(slots[1 : 1 + ENTRIES, k])) for k in range(slots.size2())
    ]
    limits = _limit_rows(limited, directions, limited_dd, len(rows))
    rubbing = _joint_rows(dry, symbols.y, joints, dry_dd, len(rows))
    motion = _constrained_motion(M, held, slots, limits, directions, rubbing, rows, n_dof, arm.n_tangents)
    constrained_dd = ca.SX(theta_dd)
    constrained_dd[rows] += motion.added

    state = [*free[:3], limited_dd, dry_dd, free.J[:, rows], M, *slips[:2], slips.J[:, rows]]
    walls, held_by = ca.vec(walls), ca.vertcat(ca.vec(slots), directions, ca.vec(joints))
    return ContactFunctions(
        n_points=len(points),
        n_walls=n_walls,
        n_slots=n_slots,
        n_theta=len(symbols.layout.theta_rows),
        n_free=len(rows),
        n_tangents=arm.n_tangents,
        limited=limited,
        dry=dry,
        n_soft=0 if applied.soft is None else applied.soft.gap.numel(),
        accounts_for_impacts=arm.accounts_for_impacts,
        gaps=symbols.function("gaps", ca.vertcat(free.gap, free.speed), p=walls),
        state=symbols.function(
            "contact_state", ca.vertcat(*(ca.vec(ca.densify(part)) for part in state)), p=walls
        ),
        constrained_rhs=symbols.function(
            "constrained_rhs", symbols.y_rate(constrained_dd, applied, motion.friction_power), p=held_by
        ),
        constrained_forces=symbols.function("constrained_forces", ca.vertcat(*motion[1:5]), p=held_by),
        energy=symbols.function("energy", _energy(symbols, applied.soft)),
        free_rhs=symbols.function("free_rhs", symbols.y_rate(theta_dd, applied)),
        soft_margins=_soft_margins(symbols, applied.soft),
        tables=symbols.signals.tables.copy(),
        n_parameters=symbols.parameters.numel(),
    )


def _energy(symbols: SymbolicState, soft: SoftContacts | None) -> ca.SX:
    """Energy [J] of the arm, and of its soft walls."""
    total = sum(energies(symbols.chain, symbols.theta, symbols.theta_d), ca.SX(0))
    return total if soft is None else total + soft.stored


def _soft_margins(symbols: SymbolicState, soft: SoftContacts | None) -> ca.Function:
    """Event functions of soft walls; see ContactFunctions."""
    if soft is None:
        return symbols.function("soft_margins", NO_SYMBOLS)
    gap, rate, factor = (ca.vec(part) for part in soft[:3])
    signs = ca.SX.sym("signs", 2 * gap.numel())
    of_gap, of_factor = ca.vertsplit(signs, gap.numel())
    return symbols.function(
        "soft_margins", ca.vertcat(of_gap * gap, of_gap * rate, of_factor * factor), p=signs
    )


def _constrained_motion(
    M: ca.SX,
    held: Sequence[tuple[PointMotion, WallGap]],
    slots: ca.SX,
    limits: ContactRows,
    directions: ca.SX,
    joints: RubbingRows,
    rows: list[int],
    n_dof: int,
    n_tangents: int,
) -> ConstrainedMotion:
    """Motion with points held by their slots, and joints by their limits and their dry friction."""
    gaps = gap_rates(held, n_dof)
    normal = ContactRows(
        ca.vertcat(gaps.J[:, rows], limits.J), ca.vertcat(gaps.acceleration, limits.acceleration)
    )
    active = ca.vertcat(slots[0, :].T, directions**2)
    if not n_tangents and not joints.slip.numel():
        return frictionless(M, normal, active)
    if not n_tangents:
        return with_friction(M, normal, active, RubbingRows.none(len(rows)), joints)
    slips = slip_rates(held, n_dof, n_tangents)
    tangential = ContactRows(slips.J[:, rows], slips.acceleration)
    inputs = [part.T for part in ca.vertsplit(slots[1 + ENTRIES :, :])]
    if n_tangents == 1:
        rubbing = RubbingRows(tangential, slips.slip, FrictionInputs(*inputs))
        return with_friction(M, normal, active, rubbing, joints)
    friction = SpatialFriction(*inputs)
    return with_friction_in_space(M, normal, active, tangential, slips.slip, friction, joints)


def _limit_rows(limited: Sequence[JointPlace], directions: ca.SX, acceleration: ca.SX, n: int) -> ContactRows:
    """Rows of the joints with limits, whose stops push in these directions; n coordinates move freely."""
    J = ca.SX(len(limited), n)
    for k, joint in enumerate(limited):
        J[k, joint.row] = directions[k]
    return ContactRows(J, directions * acceleration)


def _joint_rows(
    dry: Sequence[JointPlace], y: ca.SX, inputs: ca.SX, acceleration: ca.SX, n: int
) -> RubbingRows:
    """Rows of the joints with dry friction, `inputs` (3, k) saying how each rubs."""
    J = ca.SX(len(dry), n)
    for k, joint in enumerate(dry):
        J[k, joint.row] = 1.0
    rates = _column([y[joint.rate] for joint in dry])
    friction = FrictionInputs(*(part.T for part in ca.vertsplit(inputs)))
    return RubbingRows(ContactRows(J, acceleration), rates, friction)


def _place(symbols: SymbolicState, coordinate: int | None) -> JointPlace:
    """Place of a coordinate that moves freely."""
    assert coordinate is not None
    layout = symbols.layout
    row = layout.rows.index(coordinate)
    return JointPlace(layout.theta_rows.index(coordinate), layout.first_rate + row, row)


def _column(entries: list[ca.SX]) -> ca.SX:
    return ca.vertcat(ca.SX.zeros(0), *entries)


def _group_size(n_points: int, n_walls: int) -> int:
    """Walls in a group, so that groups of equal size hold all of them."""
    if not n_walls:
        return 0
    most = max(CONTACTS_TOGETHER // n_points, 1)
    return ceil(n_walls / ceil(n_walls / most))
