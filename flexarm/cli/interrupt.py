"""Ctrl-C at a moment that suits the computation."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager

Progress = Callable[[float, float | None], None]


@contextmanager
def interruptible(progress: Progress | None) -> Iterator[Progress]:
    """Hold Ctrl-C back until the computation next reports its progress.

    There, between two pieces of work, it is raised as KeyboardInterrupt, and no block of samples is lost half
    written. Before the first report, and when it comes a second time, Ctrl-C acts at once.

    Parameters
    ----------
    progress : callable or None
        What else is to learn of the progress.

    Yields
    ------
    callable
        What the computation has to call with its progress.
    """
    computing = interrupted = False

    def on_signal(*_: object) -> None:
        nonlocal interrupted
        if interrupted or not computing:
            raise KeyboardInterrupt
        interrupted = True

    def report(fraction: float, t: float | None) -> None:
        nonlocal computing
        computing = True
        if interrupted:
            raise KeyboardInterrupt
        if progress is not None:
            progress(fraction, t)

    previous = signal.signal(signal.SIGINT, on_signal)
    try:
        yield report
    finally:
        signal.signal(signal.SIGINT, previous)
