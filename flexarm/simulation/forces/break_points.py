"""Break points of an arm's drives and loads, and the longest steps that see all that happens between them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

import numpy as np

from flexarm.description.arm.arm import Arm
from flexarm.description.arm.control.sampling import Clock
from flexarm.description.motion.time_table import TimeTable
from flexarm.description.values.break_points import SAMPLES, BreakPoints, break_points, jumps, merged
from flexarm.description.values.expression import Expression
from flexarm.description.values.shaped_expression import ShapedExpression
from flexarm.simulation.forces.time_functions import signal_values
from flexarm.solvers.intervals import MARGIN, Intervals

Signal = Expression | TimeTable

SAME_SLOPE = 1e-12
"""Change of a slope that round-off explains, as a fraction of the table's steepest."""
RESOLUTION = 0.05
"""Change within a step that the step has to see, as a fraction of all that a signal changes over the run."""
BESIDE = 8
"""Steps of this length taken before and after such a change."""


def smooth_intervals(arm: Arm) -> Intervals | None:
    """Intervals of a run with their longest steps; None if drives and loads are smooth and slow everywhere.

    Drives and loads are smooth on each of them, and what is sampled is held. An adaptive method estimates its error
    from what it evaluates, so it would pass over a change that is short enough: steps are no longer than it takes to
    see it, where it happens.
    """
    return _intervals(tuple(signals(arm)), arm.run.duration, tuple(arm.clocks))


def jump_times(arm: Arm) -> np.ndarray:
    """Times [s] at which an expression of an arm's drives and loads jumps during a run, (k,), ascending."""
    expressions = (signal for signal in signals(arm) if isinstance(signal, Expression))
    return np.unique(np.concatenate([[], *(jumps(one, arm.run.duration)[0] for one in expressions)]))


def has_kinked_motion(arm: Arm) -> bool:
    """True if the prescribed angle of a joint has break points."""
    motions = [drive.motion for drive in arm.drive if drive is not None]
    return any(
        isinstance(motion, Expression) and break_points(motion, arm.run.duration).times.size > 0
        for motion in motions
    )


def last_change(arm: Arm) -> float:
    """Last time [s] at which the law of a drive or load changes: the end of a slew, of a pulse; 0 if none does."""
    duration = arm.run.duration
    points = [signal_break_points(signal, duration).times for signal in signals(arm)]
    return max((float(p) for each in points for p in each[each < duration * (1 - 1e-12)]), default=0.0)


def late_shapers(arm: Arm) -> Iterator[str]:
    """Say which shaped motions end only after the run, which then does not see the vibration that they avoid."""
    duration = arm.run.duration
    for i, drive in enumerate(arm.drive, 1):
        shaper = None if drive is None else drive.own_shaper
        leading = None if drive is None else drive.motion if drive.pd is None else drive.pd.reference
        if shaper is None or shaper.is_open or not isinstance(leading, ShapedExpression):
            continue
        points = break_points(leading.unshaped, duration).times
        points = points[points < duration * (1 - 1e-12)]
        if points.size and (end := float(points[-1]) + shaper.delay) > duration * (1 + 1e-9):
            yield f"joint {i}: its shaped motion ends at {end:.4g} s, after the run: raise run.duration"


def signals(arm: Arm) -> Iterator[Signal]:
    """Expressions and tables of time of an arm's drives, controllers, disturbances and loads."""
    yield from _varying(*(controller.reference for _, controller in arm.controllers))
    yield from _varying(*(disturbance.signal for _, disturbance in arm.disturbances))
    for drive in arm.drive:
        if drive is not None:
            followed = () if drive.pd is None else (drive.pd.followed, drive.pd.feedforward)
            yield from _varying(drive.torque, drive.voltage, drive.motion, *followed)
    for load in arm.loads:
        for vector in load.signals.values():
            yield from _varying(*vector)


def signal_break_points(signal: Signal, duration: float) -> BreakPoints:
    """Break points of an expression or a table from 0 to a duration [s]."""
    return (
        _table_break_points(signal, duration)
        if isinstance(signal, TimeTable)
        else break_points(signal, duration)
    )


def _varying(*values: object) -> Iterator[Signal]:
    for value in values:
        if isinstance(value, TimeTable) or (isinstance(value, Expression) and "t" in value.names):
            yield value


@lru_cache(maxsize=256)
def _intervals(
    all_signals: tuple[Signal, ...], duration: float, clocks: tuple[Clock, ...]
) -> Intervals | None:
    if not all_signals and not clocks:
        return None
    points = merged(
        [
            *(signal_break_points(signal, duration) for signal in all_signals),
            *(_instants(clock, duration) for clock in clocks),
        ]
    )
    grid = np.linspace(0.0, duration, SAMPLES)
    unbounded = np.full(grid.size, np.inf)
    steps = np.minimum.reduce([unbounded, *(_resolving_steps(signal, grid) for signal in all_signals)])
    changes = grid[1:][steps[1:] != steps[:-1]]
    points = merged([points, BreakPoints(changes, changes, changes)])
    if not points.times.size and np.isinf(steps[0]) and not clocks:  # clocks have the instant of the start
        return None
    intervals = Intervals.between(*points, start=0.0, end=duration)
    np.minimum.at(intervals.longest_steps, intervals.index(grid), steps)
    return intervals


def _instants(clock: Clock, duration: float) -> BreakPoints:
    """Instants of a clock after the start and before the end of a run [s]."""
    count = int(np.ceil((duration - clock.offset) / clock.period * (1 - 1e-12)))
    times = clock.offset + clock.period * np.arange(max(count, 0))
    times, margin = times[times > 0], 2 * MARGIN * np.spacing(duration)
    return BreakPoints(times - margin, times, times + margin)


def _table_break_points(table: TimeTable, duration: float) -> BreakPoints:
    """Stations at which the slope of a table changes, its end among them; of a spline the end alone."""
    times, values = np.array(table.times), np.array(table.values)
    kinked = np.zeros(times.size, dtype=bool)
    kinked[-1] = True
    if table.interpolation == "linear":
        slopes = np.append(np.diff(values) / np.diff(times), 0.0)
        kinked[1:] = np.abs(np.diff(slopes)) > SAME_SLOPE * np.abs(slopes).max()
    inside = times[kinked & (times > 0) & (times <= duration)]
    margin = MARGIN * np.spacing(duration)
    return BreakPoints(inside - margin, inside, inside + margin)


def _resolving_steps(signal: Signal, grid: np.ndarray) -> np.ndarray:
    """Steps that see how a signal changes apart from its break points, at each of some even times (k,) [s].

    Where the middle of three samples is off the line through its neighbours by more than :data:`RESOLUTION`, a step
    over the three of them still sees it, since the nodes of a step are never half a step apart.
    """
    steps = np.full(grid.size, np.inf)
    if isinstance(signal, TimeTable) and signal.interpolation == "linear":
        return steps
    values = signal_values(signal, grid)
    interval = np.searchsorted(signal_break_points(signal, grid[-1]).times, grid, side="right")
    allowed, stride = RESOLUTION * float(np.ptp(values)), 1
    while 2 * stride < grid.size:
        left, middle, right = (values[k * stride : grid.size - (2 - k) * stride : stride] for k in range(3))
        smooth = interval[2 * stride :: stride] == interval[: -2 * stride : stride]
        first = stride * np.flatnonzero(smooth & (np.abs(middle - (left + right) / 2) > allowed))
        covered, beside = np.zeros(grid.size + 1, dtype=int), 2 * BESIDE * stride
        np.add.at(covered, np.maximum(first - beside, 0), 1)
        np.add.at(covered, np.minimum(first + 2 * stride + beside, grid.size), -1)
        steps[(np.cumsum(covered[:-1]) > 0) & np.isinf(steps)] = 2 * stride * (grid[1] - grid[0])
        stride *= 2
    return steps
