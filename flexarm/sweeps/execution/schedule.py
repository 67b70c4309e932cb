"""Schedule of a sweep: chunks of about equal time for the workers, nothing lost when one of them dies."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, CancelledError, Future, wait
from math import ceil

import numpy as np
from numpy.typing import NDArray

from flexarm.errors import SolverError
from flexarm.sweeps.execution.chunks import Chunk, WorkerTask, run_chunk
from flexarm.sweeps.execution.workers import WorkerPool
from flexarm.sweeps.parameters.design import Design

CHUNK_SECONDS = 0.3
"""Time that a chunk should take: long enough that sending it costs nothing, short enough for steady progress."""
GROWTH = 8
"""Largest ratio of a chunk's size to that of the chunks before, whose time may be mostly compilation."""
AHEAD = 2
"""Chunks under way for every worker, so that none has to wait for the next."""
POLL_INTERVAL = 0.1
"""Seconds between two reports of progress, and until Ctrl-C is answered."""

Points = NDArray[np.intp]


class Schedule:
    """Computes points of a sweep in a pool of workers.

    Parameters
    ----------
    task : WorkerTask
    design : Design
    todo : (k,) int
        Points to compute.
    pool : WorkerPool
    add : callable
        Called with every finished :class:`Chunk`, in the order in which they finish.
    give_up : callable
        Called with a point that killed its worker twice.
    """

    def __init__(
        self,
        task: WorkerTask,
        design: Design,
        todo: Points,
        pool: WorkerPool,
        add: Callable[[Chunk], None],
        give_up: Callable[[int], None],
    ):
        self._task, self._design, self._pool = task, design, pool
        self._add, self._give_up = add, give_up
        self._todo, self._next, self._done = todo, 0, 0
        self._size = 1
        self._pending: dict[Future[Chunk], Points] = {}
        # What was under way when a worker died is tried again, each point alone: so it turns out whose fault it was.
        self._retries: deque[int] = deque()
        self._isolated = False

    def run(self, report: Callable[[float, None], None] | None = None) -> None:
        """Compute all points.

        Parameters
        ----------
        report : callable, optional
            Called with the fraction done, about every :data:`POLL_INTERVAL`; what it raises ends the sweep.

        Raises
        ------
        SolverError
            The workers cannot work at all, or the cluster was lost, or all of its workers.
        """
        while self._done < self._todo.size:
            self._send()
            finished, _ = wait(self._pending, timeout=POLL_INTERVAL, return_when=FIRST_COMPLETED)
            lost = [points for future in finished if (points := self._receive(future)) is not None]
            if lost:
                self._retry(lost)
            if not finished:
                self._pool.check()
            if report is not None:
                report(self._done / self._todo.size, None)

    def _send(self) -> None:
        """Submit enough to occupy every worker; a point that is tried again is computed in isolation."""
        if self._retries:
            if not self._pending:
                self._isolated = True
                self._submit(np.array([self._retries.popleft()]))
            return
        self._isolated = False
        while self._next < self._todo.size and len(self._pending) < AHEAD * self._pool.size:
            left = self._todo.size - self._next
            size = min(self._size, ceil(left / (AHEAD * self._pool.size)))
            self._submit(self._todo[self._next : self._next + size])
            self._next += size

    def _submit(self, points: Points) -> None:
        job = run_chunk, self._task, points, self._design.values(points)
        try:
            future = self._pool.submit(*job)
        except BrokenExecutor:  # a worker died while it had nothing to do, or its death is not yet known here
            if self._pending:
                self._retries.extend(points.tolist())
                return
            self._pool.restart()
            future = self._pool.submit(*job)
        self._pending[future] = points

    def _receive(self, future: Future[Chunk]) -> Points | None:
        """Receive a chunk; return its points if their worker died."""
        points = self._pending.pop(future)
        try:
            chunk = future.result()
        except self._pool.death_errors:
            return points
        except CancelledError:
            raise SolverError("the scheduler is gone") from None
        except Exception as error:
            raise SolverError(f"the workers cannot compute: {type(error).__name__}: {error}") from error
        self._done += points.size
        self._size = _next_size(chunk, self._size)
        self._add(chunk)
        return None

    def _retry(self, lost: list[Points]) -> None:
        """Plan to try the points of dead workers again; one that was isolated has killed its worker twice by now."""
        if self._isolated:
            (points,) = lost
            self._done += 1
            self._give_up(int(points[0]))
        else:
            wait(self._pending)  # a pool breaks as a whole; chunks that were finished before are good
            lost += [
                points for future in list(self._pending) if (points := self._receive(future)) is not None
            ]
            self._retries.extend(int(point) for points in lost for point in points)
        self._pool.restart()


def _next_size(chunk: Chunk, last: int) -> int:
    """Points of the next chunk, from the time that one of `last` or fewer points took."""
    fitting = CHUNK_SECONDS / max(chunk.seconds / chunk.points.size, 1e-9)
    return max(1, min(int(fitting), GROWTH * last))
