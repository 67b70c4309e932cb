"""Break points of an expression of time: where it, or its slope, jumps, since one of its functions switches over.

A function that switches does so where some argument changes its sign: step, sign and abs at their own, min and max at
the difference of their arguments, atan2 at its first one. These arguments are sampled densely, and each change is
enclosed between neighbouring floating-point numbers.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any, NamedTuple

from flexarm.description.values.expression import Expression, numpy_functions
from flexarm.description.values.shaped_expression import ShapedExpression

if TYPE_CHECKING:
    import numpy as np

    Switches = Callable[[np.ndarray], np.ndarray]

SWITCH_AT_ZERO, SWITCH_WHERE_EQUAL = ("step", "sign", "abs", "atan2"), ("min", "max")
SWITCHING = (*SWITCH_AT_ZERO, *SWITCH_WHERE_EQUAL)
"""Functions that switch, at a zero of their first argument or where two arguments are equal."""
SAMPLES = 2**16 + 1
"""Times, spread evenly, between which a change of sign is seen; a nearer pair of them only where they enclose a dip."""
ROUND_OFF = 4
"""Errors of a difference, in units of the larger argument's last place, that are no difference."""
MARGIN = 4
"""Distance that is kept from a break point, in units of the last place of the duration; more where round-off asks."""
FURTHEST = 1e-9
"""Largest such distance, as a fraction of the duration."""
WITNESSES = 16
"""Times beside a break point that have to agree on what has switched."""
GOLDEN = 0.5 * (5**0.5 - 1)


class BreakPoints(NamedTuple):
    """Break points, in the order of time, each (k,) [s].

    Attributes
    ----------
    before, after : (k,) [s]
        Times next to them at which what switches has certainly not switched yet, or has switched.
    times : (k,) [s]
        The break points: first times of what comes after.
    """

    before: np.ndarray
    times: np.ndarray
    after: np.ndarray


def merged(parts: list[BreakPoints]) -> BreakPoints:
    """Break points of several functions together; those that round-off cannot tell apart become one."""
    import numpy as np

    if not parts:
        return BreakPoints(*np.empty((3, 0)))
    before, times, after = (np.concatenate(column) for column in zip(*parts, strict=True))
    order = np.argsort(before, kind="stable")
    before, times, after = before[order], times[order], np.maximum.accumulate(after[order])
    first = np.append(True, before[1:] > after[:-1])[: before.size]
    last = np.append(first[1:], True)[: before.size]
    return BreakPoints(before[first], times[first], after[last])


@lru_cache(maxsize=1024)
def break_points(expression: Expression, duration: float) -> BreakPoints:
    """Break points of an expression from 0 to a duration [s], both ends included."""
    import numpy as np

    if isinstance(expression, ShapedExpression):
        return _of_delayed_copies(expression, duration)
    if expression.names.isdisjoint(SWITCHING) or "t" not in expression.names:
        return merged([])
    exact: Switches = partial(_switching_arguments, expression)
    rounded: Switches = partial(_switching_arguments, expression, round_off=ROUND_OFF)
    grid = np.linspace(0.0, duration, SAMPLES)
    values = rounded(grid)
    sign = np.sign(values)
    alone = np.zeros(
        sign.shape, dtype=bool
    )  # zeros between two signs are crossings, others stretches of zero
    alone[:, 1:-1] = (sign[:, 1:-1] == 0) & (sign[:, :-2] != 0) & (sign[:, 2:] != 0)
    row, left = np.nonzero((sign[:, :-1] != sign[:, 1:]) & ~alone[:, :-1])
    right = left + 1 + alone[row, left + 1]
    differ = sign[row, left] != sign[row, right]
    row, left, right = row[differ], left[differ], right[differ]
    crossing = sign[row, left] * sign[row, right] != 0
    brackets = [(row[crossing], grid[left[crossing]], grid[right[crossing]]), *_dips(exact, grid, values)]
    stretches = row[~crossing], grid[left[~crossing]], grid[right[~crossing]]
    crossings = tuple(np.concatenate(column) for column in zip(*brackets, strict=True))
    return merged(
        [
            _with_margins(exact, duration, *_enclosed(exact, *crossings)),
            _with_margins(rounded, duration, *_enclosed(rounded, *stretches)),
        ]
    )


def _of_delayed_copies(expression: ShapedExpression, duration: float) -> BreakPoints:
    """Break points of all copies of a function, delayed by the times of its impulses, at which each begins."""
    if "t" not in expression.names:
        return merged([])
    import numpy as np

    margin, own = MARGIN * np.spacing(duration), break_points(expression.unshaped, duration)
    copies = [own]
    for _, delay in expression.impulses[1:]:
        begin = [np.append(column, 0.0) + delay for column in own]
        inside = begin[1] <= duration
        before, times, after = (column[inside] for column in begin)
        copies.append(BreakPoints(before - margin, times, after + margin))
    return merged(copies)


def first_jump(expression: Expression, duration: float) -> tuple[float, float] | None:
    """Time [s] and size of the first jump of the expression's value from 0 to a duration [s]; None without one."""
    times, sizes = jumps(expression, duration)
    return (float(times[0]), float(sizes[0])) if times.size else None


@lru_cache(maxsize=1024)
def jumps(expression: Expression, duration: float) -> tuple[np.ndarray, np.ndarray]:
    """Times [s] and sizes of the jumps of the expression's value between 0 and a duration [s], (k,) each."""
    import numpy as np

    before, times, after = break_points(expression, duration)
    inside = (before > 0) & (after < duration)
    left, right = expression.at(before[inside]), expression.at(after[inside])
    found = np.abs(right - left) > 1e-9 * np.maximum(1.0, np.abs(left))
    return times[inside][found], (right - left)[found]


def _switching_arguments(expression: Expression, times: np.ndarray, round_off: float = 0.0) -> np.ndarray:
    """Arguments of the expression whose signs switch something, (n, k) at times (k,); small differences are zero."""
    import numpy as np

    functions, found = dict(numpy_functions()), []

    def noted(value: Any) -> None:
        found.append(np.broadcast_to(np.nan_to_num(np.asarray(value, dtype=float)), times.shape))

    def of_argument(function: Callable[..., Any]) -> Callable[..., Any]:
        return lambda x, *others: (noted(x), function(x, *others))[1]

    def of_difference(function: Callable[..., Any]) -> Callable[..., Any]:
        def noting(a: Any, b: Any) -> Any:
            size = np.maximum(np.abs(a), np.abs(b))
            noted(np.where(np.abs(a - b) > round_off * np.finfo(float).eps * size, a - b, 0.0))
            return function(a, b)

        return noting

    functions |= {name: of_argument(functions[name]) for name in SWITCH_AT_ZERO}
    functions |= {name: of_difference(functions[name]) for name in SWITCH_WHERE_EQUAL}
    with np.errstate(all="ignore"):
        expression.evaluate(times, functions)
    return np.array(found).reshape(len(found), times.size)


def _dips(switches: Switches, grid: np.ndarray, values: np.ndarray) -> list[tuple[np.ndarray, ...]]:
    """Brackets (row, low, high) of pairs of sign changes between samples that show none: dips towards zero."""
    import numpy as np

    size, sign = np.abs(values), np.sign(values)
    a, b, c = size[:, :-2], size[:, 1:-1], size[:, 2:]
    alike = (sign[:, :-2] == sign[:, 1:-1]) & (sign[:, 1:-1] == sign[:, 2:])
    with np.errstate(all="ignore"):  # the lowest point of the parabola through three samples
        lowest = b - (c - a) ** 2 / (8 * (a - 2 * b + c))
    row, middle = np.nonzero(alike & (b <= a) & (b <= c) & (a + c > 2 * b) & (lowest < 0.5 * b))
    if not row.size:
        return []
    low, high, at = grid[middle], grid[middle + 2], np.arange(row.size)
    ends = low, high
    for _ in range(60):  # golden section
        x, y = high - GOLDEN * (high - low), low + GOLDEN * (high - low)
        left = np.abs(switches(x)[row, at]) < np.abs(switches(y)[row, at])
        # an argument that has changed its sign is found already
        crossed = np.sign(switches(x)[row, at]) != sign[row, middle + 1]
        low = np.where(crossed, x, np.where(left, low, x))
        high = np.where(crossed, x, np.where(left, y, high))
    lowest = 0.5 * (low + high)
    through = np.sign(switches(lowest)[row, at]) != sign[row, middle + 1]
    return [
        (row[through], ends[0][through], lowest[through]),
        (row[through], lowest[through], ends[1][through]),
    ]


def _enclosed(
    switches: Switches, row: np.ndarray, low: np.ndarray, high: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Neighbouring numbers between which argument `row` changes its sign: (row, low, high), for each bracket."""
    import numpy as np

    def sign(times: np.ndarray) -> np.ndarray:
        return np.sign(switches(times)[row, np.arange(row.size)])

    found = []
    while row.size:
        ends, at_low = high, sign(low)
        for _ in range(80):
            middle = 0.5 * (low + high)
            same = sign(middle) == at_low
            low, high = np.where(same, middle, low), np.where(same, high, middle)
            if np.all(high - low <= np.spacing(low)):
                break
        found.append((row, low, high))
        again = (sign(high) != sign(ends)) & (high < ends)  # over a stretch on which it is zero
        row, low, high = row[again], high[again], ends[again]
    if not found:
        return np.empty(0, dtype=int), np.empty(0), np.empty(0)
    return tuple(np.concatenate(column) for column in zip(*found, strict=True))  # pyright: ignore[reportReturnType]


def _with_margins(
    switches: Switches, duration: float, row: np.ndarray, low: np.ndarray, high: np.ndarray
) -> BreakPoints:
    """Break points with times beside them from which on round-off has no influence on what is switched."""
    import numpy as np

    def settled(start: np.ndarray, margin: np.ndarray) -> np.ndarray:
        signs = [
            np.sign(switches(np.clip(start + f * margin, 0.0, duration))[row, np.arange(row.size)])
            for f in np.linspace(1.0, 3.0, WITNESSES)
        ]
        return np.all(np.array(signs) == signs[0], axis=0)

    margin = np.full(row.size, MARGIN * np.spacing(duration))
    while True:
        noisy = ~(settled(low, -margin) & settled(high, margin)) & (margin < FURTHEST * duration)
        if not noisy.any():
            return BreakPoints(low - margin, high, high + margin)
        margin = np.where(noisy, 8 * margin, margin)
