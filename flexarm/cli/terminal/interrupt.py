"""Ctrl-C and SIGTERM, held back until the computation next reports its progress."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager

from flexarm.cli.terminal.stages import stages
from flexarm.progress import Progress


@contextmanager
def interruptible(progress: Progress | None, keeps: bool = True) -> Iterator[Progress]:
    """Hold Ctrl-C and SIGTERM back until the computation next reports its progress.

    `kill`, and a batch system that ends a job, send SIGTERM: what has been computed is kept as after Ctrl-C. At a
    report, between two pieces of work, either is raised as KeyboardInterrupt, and no block of samples is lost half
    written. Before the first report, within a stage of which nothing is kept, and when it comes a second time, the
    signal acts at once.

    Parameters
    ----------
    progress : callable or None
        What else is to learn of the progress.
    keeps : bool
        Whether what has been computed until then is kept. If not, a signal is held back only from a report of 1 on,
        when all that is left is to write the result.

    Yields
    ------
    callable
        What the computation has to call with its progress.
    """
    interrupted = raised = False

    def on_signal(*_: object) -> None:
        nonlocal interrupted, raised
        raised = interrupted or not stages.result_begun or stages.under_way
        interrupted = True
        if raised:
            raise KeyboardInterrupt

    def on_progress(fraction: float, t: float | None) -> None:
        stages.result_begun = keeps or fraction >= 1.0
        if interrupted:
            raise KeyboardInterrupt
        if progress is not None:
            progress(fraction, t)

    previous = {number: signal.signal(number, on_signal) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield on_progress
    except Exception as failure:
        told = isinstance(failure.__context__, KeyboardInterrupt)  # as sweeps do, with what they keep
        if raised and not told:  # libraries that catch everything go on without what they were interrupted in
            raise KeyboardInterrupt from failure
        raise
    finally:
        stages.result_begun = False
        for number, handler in previous.items():
            signal.signal(number, handler)
