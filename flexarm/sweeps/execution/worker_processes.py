"""Start of worker processes on this machine: their signals, threads and end."""

from __future__ import annotations

import gc
import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing import resource_tracker
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


def set_up_worker(begin: Callable | None = None, *arguments: Any) -> None:
    """Make this process a worker: it ends when its parent is gone, killed perhaps, since nobody would end it.

    Then it calls `begin` with its arguments, if there is something to be done.
    """
    gc.set_threshold(NEW_OBJECTS)
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_follow, args=(parent.sentinel,), daemon=True).start()
    if begin is not None:
        begin(*arguments)


def _follow(sentinel: int) -> None:
    wait([sentinel])
    os._exit(1)


@contextmanager
def process_start() -> Iterator[None]:
    """Start processes that leave Ctrl-C to their parent and do not run the user's script again.

    Each of them keeps to one thread: those of linear algebra would wait for work on the cores of the others.

    Spawned processes import the main script unless it has no file; a script without ``if __name__ == "__main__"``
    would start its sweep anew in each of them. What they need is in this package.
    """
    main: Any = sys.modules["__main__"]
    hidden = {name: getattr(main, name) for name in ("__file__", "__spec__") if hasattr(main, name)}
    with _interruption_held_back():
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


@contextmanager
def _interruption_held_back() -> Iterator[None]:
    """Block Ctrl-C, which processes that are started inherit, and answer it afterwards."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    arrived: list[int] = []
    resource_tracker.ensure_running()  # which unblocks signals when it starts
    previous = signal.signal(signal.SIGINT, lambda number, _: arrived.append(number))  # in other threads
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        signal.signal(signal.SIGINT, previous)
        if arrived:
            signal.raise_signal(signal.SIGINT)
