"""Start of worker processes on this machine: their signals, threads and end."""

from __future__ import annotations

import gc
import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing.connection import wait
from typing import Any

NEW_OBJECTS = 100_000
"""After so many Python looks for unreachable ones; a point makes none."""

ONE_THREAD = ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "OMP_NUM_THREADS")
"""Environment variables by which libraries of linear algebra learn how many threads to use."""


def core_count() -> int:
    """Cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def answer() -> None:
    """Answer that the process has started."""


def set_up_worker() -> None:
    """Make this process a worker: it ends when its parent is gone, killed perhaps, since nobody would end it."""
    gc.set_threshold(NEW_OBJECTS)
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_follow, args=(parent.sentinel,), daemon=True).start()


def _follow(sentinel: int) -> None:
    wait([sentinel])
    os._exit(1)


@contextmanager
def process_start() -> Iterator[None]:
    """Start processes that ignore Ctrl-C, which their parent answers, and do not run the user's script again.

    Each of them keeps to one thread: those of linear algebra would wait for work on the cores of the others.

    Spawned processes import the main script unless it has no file; a script without ``if __name__ == "__main__"``
    would start its sweep anew in each of them. What they need is in this package.
    """
    main: Any = sys.modules["__main__"]
    hidden = {name: getattr(main, name) for name in ("__file__", "__spec__") if hasattr(main, name)}
    in_main_thread = threading.current_thread() is threading.main_thread()
    previous = signal.signal(signal.SIGINT, signal.SIG_IGN) if in_main_thread else None
    for name in hidden:
        delattr(main, name)
    main.__spec__ = None
    environment = {name: os.environ.get(name) for name in ONE_THREAD}
    os.environ |= dict.fromkeys(ONE_THREAD, "1")
    try:
        yield
    finally:
        for name, value in environment.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value
        for name, value in hidden.items():
            setattr(main, name, value)
        if in_main_thread:
            signal.signal(signal.SIGINT, previous)
