"""Progress of a long computation: the callback that commands and scripts pass in."""

from __future__ import annotations

from collections.abc import Callable

Progress = Callable[[float, float | None], None]
"""Called with the fraction done, 0 to 1, and the simulated time reached [s], None where no time runs."""


def stage(progress: Progress | None, begin: float, end: float) -> Progress | None:
    """Progress of one stage of a computation, which takes it from one fraction to another; none where there is none."""
    if progress is None:
        return None
    return lambda fraction, t: progress(begin + (end - begin) * min(fraction, 1.0), t)
