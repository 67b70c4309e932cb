"""Instants at which the state equation of an arm, what it samples, or a rate of its prescribed motions jumps."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache

import casadi as ca
import numpy as np

from flexarm.description.arm.arm import Arm
from flexarm.description.motion.time_table import TimeTable
from flexarm.description.values.break_points import SAMPLES
from flexarm.simulation.forces.break_points import Signal, signal_break_points, signals
from flexarm.simulation.forces.time_functions import FUNCTIONS, interpolation

LEAST_JUMP = 1e-9
"""Jump that is round-off, of the largest value during the run."""
Function = Callable[[np.ndarray], np.ndarray]


def equation_jumps(arm: Arm) -> np.ndarray:
    """Times [s], (k,), ascending, at which signals jump as the state equation has them.

    A PD drive with kd takes the rate of its reference too, and a prescribed motion acts by its acceleration. What is
    sampled at a kink of a signal that moves has no derivative, so that kinks count beside clocks.
    """
    orders = dict.fromkeys(signals(arm), 1 if arm.clocks else 0)
    for drive in filter(None, arm.drive):
        if drive.pd is not None and drive.pd.kd and drive.pd.followed in orders:
            orders[drive.pd.followed] = 1
        if drive.motion in orders:
            orders[drive.motion] = 2
    found = (_jumps((signal, order, arm.run.duration)) for signal, order in orders.items())
    return np.unique(np.concatenate([np.empty(0), *found]))


@lru_cache(maxsize=64)
def _jumps(asked: tuple[Signal, int, float]) -> np.ndarray:
    """Times (k,) [s] at which a signal, or one of its derivatives up to an order, jumps within a duration [s]."""
    signal, order, duration = asked
    before, times, after = signal_break_points(signal, duration)
    inside = (before > 0) & (after < duration)
    if not inside.any():
        return times[inside]
    grid, jumping = np.linspace(0.0, duration, SAMPLES), np.zeros(np.count_nonzero(inside), dtype=bool)
    for function in _derivatives(signal, order):
        size = np.abs(function(after[inside]) - function(before[inside]))
        jumping |= size > LEAST_JUMP * np.abs(function(grid)).max()
    return times[inside][jumping]


def _derivatives(signal: Signal, order: int) -> Iterator[Function]:
    """A signal and its derivatives up to an order, functions of times (k,) [s]."""
    if isinstance(signal, TimeTable):
        table = interpolation(signal)
        for k in range(order + 1):
            table = table.derivative() if k else table
            yield table
        return
    t = ca.SX.sym("t")
    value = ca.SX(signal.evaluate(t, FUNCTIONS))
    for k in range(order + 1):
        value = ca.jacobian(value, t) if k else value
        f = ca.Function("signal", [t], [ca.densify(value)])
        yield lambda times, f=f: f(times.reshape(1, -1)).full().ravel()
