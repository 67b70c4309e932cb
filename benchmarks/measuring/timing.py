"""Times of competitors that are measured in turn, in seconds of processor time: a busy machine is unfair to none."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple


class Seconds(NamedTuple):
    """What one action takes [s]."""

    median: float
    fastest: float


def in_turn(
    actions: Mapping[str, Callable[[], Any]],
    budget: float,
    least: int = 3,
    most: int = 1000,
    warm: bool = True,
) -> dict[str, Seconds]:
    """Time all actions, one after the other, again and again.

    Parameters
    ----------
    actions : mapping of str to callable
    budget : float [s]
        No further round begins after it.
    least, most : int
        Number of rounds.
    warm : bool
        Whether to call each once before the clock runs: caches fill, libraries load.

    Notes
    -----
    Processor time is that of all threads of this process; none of the competitors uses more than one.
    """
    if warm:
        for action in actions.values():
            action()
    times: dict[str, list[float]] = {name: [] for name in actions}
    end = time.perf_counter() + budget
    for done in range(most):
        if done >= least and time.perf_counter() > end:
            break
        for name, action in actions.items():
            begin = time.process_time()
            action()
            times[name].append(time.process_time() - begin)
    return {name: Seconds(statistics.median(taken), min(taken)) for name, taken in times.items()}
