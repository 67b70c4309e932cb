"""Jumps of the derivatives at the instants at which sensors measure and controllers compute."""

from __future__ import annotations

import casadi as ca
import numpy as np

from flexarm.codegen.parameter_hoisting import ParametricFunction
from flexarm.simulation.forward.sampling.sampled_updates import sampled_update, update_rows
from flexarm.solvers.base import CompiledJump
from flexarm.solvers.intervals import Intervals
from flexarm.sweeps.sensitivity.directional import with_derivatives
from flexarm.sweeps.sensitivity.directions.directions import Directions, parameters_of


def update_with_derivatives(found: Directions) -> ParametricFunction:
    """What sampled sensors and controllers do to a state and its derivatives, for all arms of a model."""
    symbols, count = found.model.symbols, len(found.scales)
    with found.model.derivation():
        f = sampled_update(symbols)
    f = _derivatives_of_states(f, found.y0.size, count)
    return ParametricFunction(f, parameters_of(found).size, symbols.signals.tables.copy())


def sampled_jumps(
    found: Directions, update: ParametricFunction, intervals: Intervals
) -> tuple[CompiledJump, np.ndarray]:
    """Jump of an arm's state and its derivatives at its instants, and both after the instant in which a run starts.

    Parameters
    ----------
    found : Directions
    update : ParametricFunction
        Of :func:`update_with_derivatives`.
    intervals : Intervals

    Notes
    -----
    The samples stay where they are, so that S+ = R_y S- + R_p for y+ = R(y-, p).
    """
    bound = update.at(parameters_of(found))
    rows = update_rows(found.instance.arm, intervals)
    y0 = np.concatenate([found.y0, found.states.ravel(), rows[0]])
    return (
        CompiledJump(bound.f, bound.h, rows[1:].copy(), intervals.starts),
        bound.f(float(intervals.starts[0]), y0, bound.h),
    )


def _derivatives_of_states(f: ca.Function, n: int, count: int) -> ca.Function:
    """(t, [y, y_1, .., row], [p, p_1, ..], u) -> [y+, y+_1, ..] of an update (t, [y, row], p, u) -> y+, y (n,)."""
    derived = with_derivatives(f, count)
    t, _, p, u = derived.sx_in()
    states, row = ca.SX.sym("y", n * (count + 1)), ca.SX.sym("row", f.numel_in(1) - n)
    y, *changes = ca.vertsplit(states, n)
    still = ca.SX.zeros(row.numel())
    whole = ca.vertcat(y, row, *(part for change in changes for part in (change, still)))
    return ca.Function(f.name(), [t, ca.vertcat(states, row), p, u], [derived(t, whole, p, u)])
