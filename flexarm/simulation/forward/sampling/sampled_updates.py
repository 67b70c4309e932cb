"""Sampled sensors and controllers of a run: the jump of their states at each of their instants."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import casadi as ca
import numpy as np
from numpy.typing import NDArray

from flexarm.codegen.native_function import BoundFunction
from flexarm.codegen.parameter_hoisting import ParametricFunction
from flexarm.description.arm.arm import Arm
from flexarm.description.arm.control.sampling import Clock, sampled_names
from flexarm.simulation.state.symbols import SymbolicState
from flexarm.solvers.base import CompiledJump, Jump
from flexarm.solvers.intervals import Intervals

SAME_INSTANT = 1e-6
"""Part of a period by which a break point may be off an instant, by round-off and by what is merged with it."""


class SymbolicInstant(NamedTuple):
    """Symbols of what happens at an instant, arguments of :meth:`SymbolicState.update`."""

    fires: ca.SX
    noise: ca.SX
    starts: ca.SX
    given: ca.SX

    @classmethod
    def of(cls, arm: Arm) -> SymbolicInstant:
        """Symbols of an arm."""
        n_given = sum(one.n_outputs for _, one in arm.controllers if one.function is not None)
        n_noise = len(arm.sensors) + len(arm.disturbances)
        return cls(*map(ca.SX.sym, cls._fields, (len(arm.clocks), n_noise, 1, n_given)))


def sampled_update(symbols: SymbolicState) -> ca.Function:
    """(t, [y, fires, noise, starts, given], p, u) -> y after an instant, see :meth:`SymbolicState.updated`."""
    instant = SymbolicInstant.of(symbols.arm)
    return symbols.function("sampled_update", symbols.updated(*instant), ca.vertcat(*instant))


def sampled_update_function(symbols: SymbolicState) -> ParametricFunction:
    """Compile :func:`sampled_update`."""
    f = sampled_update(symbols)
    return ParametricFunction(f, symbols.parameters.numel(), symbols.signals.tables.copy())


@dataclass(frozen=True)
class JumpAfterAnother:
    """Two jumps of the state at the same break points, one after the other."""

    before: Jump
    after: Jump

    def __call__(self, k: int, y: NDArray[np.float64]) -> NDArray[np.float64]:
        """State y (n_y,) at the start of interval k + 1 from that at the end of interval k."""
        return self.after(k, self.before(k, y))


def sampled_updates(
    arm: Arm, f: BoundFunction, intervals: Intervals
) -> tuple[CompiledJump, NDArray[np.float64]]:
    """Jumps of the state of a run at the instants of its clocks, with the noise of its seed; and the row of the start.

    Parameters
    ----------
    f : BoundFunction
        Of :func:`sampled_update_function`.
    """
    rows = update_rows(arm, intervals)
    return CompiledJump(f.f, f.h, rows[1:].copy(), intervals.starts), rows[0]


def update_rows(arm: Arm, intervals: Intervals) -> NDArray[np.float64]:
    """What updates read besides the state, at the start of a run and at each break point: (1 + breaks, n_row)."""
    fires = firing(arm.clocks, np.append(0.0, intervals.breaks))
    noisy = [*arm.sensors, *arm.disturbances]
    noise = np.zeros((len(fires), len(noisy)))
    clocks = sampled_names(arm.sensors, arm.controllers, arm.disturbances)
    for k, (name, one) in enumerate(noisy):
        if one.noise and name in clocks:
            fired = fires[:, arm.clocks.index(clocks[name])]
            noise[fired, k] = one.noise * normal_numbers(arm.run.seed, name, int(fired.sum()))
    rows = np.hstack([fires.astype(float), noise, np.zeros((len(fires), 1))])
    rows[0, -1] = 1.0
    return rows


def firing(clocks: Sequence[Clock], times: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Which clocks have an instant at times (k,) [s], (k, n_clocks)."""
    columns = []
    for period, offset in clocks:
        count = (times - offset) / period
        columns.append((np.abs(count - np.round(count)) < SAME_INSTANT) & (np.round(count) >= 0))
    return np.column_stack(columns)


def normal_numbers(seed: int, name: str, count: int) -> NDArray[np.float64]:
    """Standard normal numbers (count,) of a sensor: the same whatever other sensors there are."""
    bits = np.random.Philox(np.random.SeedSequence([seed, zlib.crc32(name.encode())]))
    return np.random.Generator(bits).standard_normal(count)
