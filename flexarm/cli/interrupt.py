"""Ctrl-C and SIGTERM, held back until the computation next reports its progress."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager

from flexarm.cli.stages import stages
from flexarm.progress import Progress


@contextmanager
def interruptible(progress: Progress | None) -> Iterator[Progress]:
    """Hold Ctrl-C and SIGTERM back until the computation next reports its progress.

    `kill`, and a batch system that ends a job, send SIGTERM: what has been computed is kept as after Ctrl-C. At a
    report, between two pieces of work, either is raised as KeyboardInterrupt, and no block of samples is lost half
    written. Before the first report, within a stage of which nothing is kept, and when it comes a second time, the
    signal acts at once.

    Parameters
    ----------
    progress : callable or None
        What else is to learn of the progress.

    Yields
    ------
    callable
        What the computation has to call with its progress.
    """
    interrupted = False

    def on_signal(*_: object) -> None:
        nonlocal interrupted
        if interrupted or not stages.result_begun or stages.under_way:
            raise KeyboardInterrupt
        interrupted = True

    def on_progress(fraction: float, t: float | None) -> None:
        stages.result_begun = True
        if interrupted:
            raise KeyboardInterrupt
        if progress is not None:
            progress(fraction, t)

    previous = {number: signal.signal(number, on_signal) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield on_progress
    finally:
        stages.result_begun = False
        for number, handler in previous.items():
            signal.signal(number, handler)
