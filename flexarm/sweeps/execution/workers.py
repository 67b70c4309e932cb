"""Worker pools: processes of this machine, or the workers of a dask cluster, behind the same interface."""

from __future__ import annotations

import gc
import logging
import multiprocessing
import os
import signal
import sys
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing.connection import wait
from typing import Any, cast

from flexarm.errors import InputProblem, SolverError, SpecError

SCHEDULER_TIMEOUT = 5.0
"""Time in which a scheduler has to answer [s]."""
NEW_OBJECTS = 100_000
"""After so many Python looks for unreachable ones; a point makes none."""

ONE_THREAD = ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "OMP_NUM_THREADS")
"""Environment variables by which libraries of linear algebra learn how many threads to use."""


class WorkerPool(ABC):
    """Workers behind an executor, and what is to be done when one of them dies.

    Attributes
    ----------
    executor : Executor
    size : int
        Number of chunks computed at the same time.
    death_errors : tuple of exception types
        What a future raises when the worker that computed it has died, for good.
    """

    executor: Executor
    size: int
    death_errors: tuple[type[BaseException], ...] = ()

    def submit(self, function: Callable, *arguments: object) -> Future:
        """Let a worker call a function."""
        return self.executor.submit(function, *arguments)

    def restart(self) -> None:  # noqa: B027  (only those that break need to)
        """Make the pool work again after a worker has died."""

    @abstractmethod
    def close(self) -> None:
        """Let the workers go, whatever they are doing."""


class LocalPool(WorkerPool):
    """Processes of this machine, as many as there are cores by default.

    Not threads: half of the time of a point of the two-link arm is Python, which threads of one process do one after
    the other, however many cores there are.
    """

    death_errors = (BrokenProcessPool,)

    def __init__(self, size: int | None = None):
        self.size = size or _cores()
        self._begin()

    def _begin(self) -> None:
        self._others = set(multiprocessing.active_children())
        context = multiprocessing.get_context("spawn")
        self.executor = ProcessPoolExecutor(self.size, context, initializer=_set_up)
        try:
            for ready in [self.submit(_nothing) for _ in range(self.size)]:
                ready.result()
        except BrokenProcessPool:
            raise SolverError("the worker processes die as soon as they start") from None

    def submit(self, function: Callable, *arguments: object) -> Future:
        """Let a worker call a function; this may start one."""
        with _launching():
            return self.executor.submit(function, *arguments)

    def restart(self) -> None:
        """Start all processes again: the pool gives up as a whole when one of them dies."""
        self.close()
        self._begin()

    def close(self) -> None:
        """End the processes; the pool notices, and its own thread then waits for their end."""
        for process in set(multiprocessing.active_children()) - self._others:
            process.terminate()
        self.executor.shutdown(wait=True, cancel_futures=True)


class GivenPool(WorkerPool):
    """An executor that somebody else made and will close."""

    def __init__(self, executor: Executor, size: int | None = None):
        self.executor, self.size = executor, size or getattr(executor, "_max_workers", 1)

    def close(self) -> None:
        """Leave it to its owner."""


class ClusterPool(WorkerPool):
    """The workers of a running dask.distributed scheduler.

    The scheduler itself gives the work of a worker that died to another one; only when that happens several times
    does it report a death.

    Raises
    ------
    SpecError
        dask is not installed, nobody answers at the address, or no worker is there.
    """

    def __init__(self, address: str):
        try:
            import distributed
        except ImportError:
            raise _unusable(address, "dask is not installed", "pip install 'flexarm[sweep]'") from None
        self.death_errors = (distributed.KilledWorker,)
        self._log = logging.getLogger("distributed.client")
        self._level = self._log.level
        self._log.setLevel(logging.CRITICAL)  # what it would log with tracebacks is reported in one line
        try:
            self._client = distributed.Client(address, timeout=SCHEDULER_TIMEOUT, set_as_default=False)
        except (OSError, ValueError) as error:
            reason = " ".join(str(error).split()) or type(error).__name__
            hint = "start one with 'dask scheduler', workers with 'dask worker ADDRESS --nthreads 1'"
            raise _unusable(address, f"no scheduler answers ({reason})", hint) from None
        try:
            self._client.wait_for_workers(1, timeout=SCHEDULER_TIMEOUT)
        except TimeoutError:
            self._close_client()
            raise _unusable(
                address, "the scheduler has no workers", f"dask worker {address} --nthreads 1"
            ) from None
        self.size = sum(cast("dict[str, int]", self._client.nthreads()).values())
        self.executor = self._client.get_executor(pure=False)

    def close(self) -> None:
        """Take back what is not done, and leave the cluster running."""
        self.executor.shutdown(wait=False)
        self._close_client()

    def _close_client(self) -> None:
        self._client.close()
        self._log.setLevel(self._level)


def _unusable(address: str, message: str, hint: str) -> SpecError:
    return SpecError([InputProblem("scheduler", None, address, message, hint)])


def _cores() -> int:
    """Cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _nothing() -> None:
    """Answer that the process has started."""


def _set_up() -> None:
    """Make this process a worker: it ends when its parent is gone, killed perhaps, since nobody would end it."""
    gc.set_threshold(NEW_OBJECTS)
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_follow, args=(parent.sentinel,), daemon=True).start()


def _follow(sentinel: int) -> None:
    wait([sentinel])
    os._exit(1)


@contextmanager
def _launching() -> Iterator[None]:
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
