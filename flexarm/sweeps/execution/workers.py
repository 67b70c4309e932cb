"""Worker pools: processes of this machine, or the workers of a dask cluster, behind the same interface."""

from __future__ import annotations

import logging
import multiprocessing
import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from typing import Any, cast

from flexarm.errors import InputProblem, SolverError, SpecError
from flexarm.sweeps.execution.worker_processes import answer, core_count, process_start, set_up_worker

SCHEDULER_TIMEOUT = 5.0
"""Time in which a scheduler has to answer [s]."""
WORKER_POLL_INTERVAL = 1.0
"""Time between two questions for its workers [s]."""
NO_WORKER_TIMEOUT = 7.0
"""Time without any worker after which a sweep gives up [s]."""


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

    def check(self) -> None:  # noqa: B027  (only those whose futures may wait forever need to)
        """Raise SolverError if nobody is there any more who could compute."""

    @abstractmethod
    def close(self) -> None:
        """Let the workers go, whatever they are doing."""


class LocalPool(WorkerPool):
    """Processes of this machine, as many as there are cores by default.

    Not threads: half of the time of a point of the two-link arm is Python, which threads of one process do one after
    the other, however many cores there are.

    Parameters
    ----------
    size : int, optional
    begin : callable, optional
        What each process calls when it begins, with `arguments`, such as memory that it is to share.
    """

    death_errors = (BrokenProcessPool,)

    def __init__(self, size: int | None = None, begin: Callable | None = None, *arguments: Any):
        self.size = size or core_count()
        self._set_up = begin, *arguments
        self._begin()

    def _begin(self) -> None:
        self._others = set(multiprocessing.active_children())
        context = multiprocessing.get_context("spawn")
        self.executor = ProcessPoolExecutor(
            self.size, context, initializer=set_up_worker, initargs=self._set_up
        )
        try:
            for ready in [self.submit(answer) for _ in range(self.size)]:
                ready.result()
        except BrokenProcessPool:
            raise SolverError("the worker processes die as soon as they start") from None

    def submit(self, function: Callable, *arguments: object) -> Future:
        """Let a worker call a function; this may start one."""
        with process_start():
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
        self._asked = self._seen = time.monotonic()

    def check(self) -> None:
        """Raise SolverError if there has been no worker for some time; a nanny starts its worker again before that."""
        now = time.monotonic()
        if now - self._asked < WORKER_POLL_INTERVAL:
            return
        self._asked = now
        with suppress(OSError):  # futures tell that the scheduler is gone
            if self._client.nthreads():
                self._seen = now
        if now - self._seen > NO_WORKER_TIMEOUT:
            raise SolverError("the scheduler has no workers any more")

    def close(self) -> None:
        """Take back what is not done, and leave the cluster running."""
        self.executor.shutdown(wait=False)
        self._close_client()

    def _close_client(self) -> None:
        self._client.close()
        self._log.setLevel(self._level)


def _unusable(address: str, message: str, hint: str) -> SpecError:
    return SpecError([InputProblem("scheduler", None, address, message, hint)])
