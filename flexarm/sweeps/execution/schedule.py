"""Points to workers: chunks of about equal time, nothing lost when a worker dies."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, CancelledError, Future, wait
from math import ceil

import numpy as np
from numpy.typing import NDArray

from flexarm.errors import SolverError
from flexarm.sweeps.execution.points import Chunk, WorkerTask, run_chunk
from flexarm.sweeps.execution.workers import WorkerPool
from flexarm.sweeps.parameters.design import Design

CHUNK_SECONDS = 0.3
"""Time that a chunk should take: long enough that sending it costs nothing, short enough for steady progress."""
GROWTH = 8
"""Largest ratio of a chunk's size to that of the chunks before, whose time may be mostly compilation."""
AHEAD = 2
"""Chunks under way for every worker, so that none has to wait for the next."""
PATIENCE = 0.1
"""Seconds between two reports of progress, and until Ctrl-C is answered."""

Points = NDArray[np.intp]


class Schedule:
    """Computes points of a sweep on a crew.

    Parameters
    ----------
    study : WorkerTask
    design : Design
    todo : (k,) int
        Points to compute.
    crew : WorkerPool
    keep : callable
        Called with every finished :class:`Chunk`, in the order in which they finish.
    give_up : callable
        Called with a point that killed its worker twice.
    """

    def __init__(
        self,
        study: WorkerTask,
        design: Design,
        todo: Points,
        crew: WorkerPool,
        keep: Callable[[Chunk], None],
        give_up: Callable[[int], None],
    ):
        self._study, self._design, self._crew = study, design, crew
        self._keep, self._give_up = keep, give_up
        self._todo, self._next, self._done = todo, 0, 0
        self._size = 1
        self._flying: dict[Future[Chunk], Points] = {}
        # What was under way when a worker died is tried again, each point alone: so it turns out whose fault it was.
        self._suspects: deque[int] = deque()
        self._on_trial = False

    def run(self, report: Callable[[float, None], None] | None = None) -> None:
        """Compute all points.

        Parameters
        ----------
        report : callable, optional
            Called with the fraction done, about every :data:`PATIENCE`; what it raises ends the sweep.

        Raises
        ------
        SolverError
            The workers cannot work at all, or the cluster was lost.
        """
        while self._done < self._todo.size:
            self._send()
            finished, _ = wait(self._flying, timeout=PATIENCE, return_when=FIRST_COMPLETED)
            dead = [points for future in finished if (points := self._receive(future)) is not None]
            if dead:
                self._bury(dead)
            if report is not None:
                report(self._done / self._todo.size, None)

    def _send(self) -> None:
        """Keep every worker busy; a suspect flies alone."""
        if self._suspects:
            if not self._flying:
                self._on_trial = True
                self._submit(np.array([self._suspects.popleft()]))
            return
        self._on_trial = False
        while self._next < self._todo.size and len(self._flying) < AHEAD * self._crew.size:
            left = self._todo.size - self._next
            size = min(self._size, ceil(left / (AHEAD * self._crew.size)))
            self._submit(self._todo[self._next : self._next + size])
            self._next += size

    def _submit(self, points: Points) -> None:
        job = run_chunk, self._study, points, self._design.values(points)
        try:
            future = self._crew.submit(*job)
        except BrokenExecutor:  # a worker died while it had nothing to do, or its death is not yet known here
            if self._flying:
                self._suspects.extend(points.tolist())
                return
            self._crew.revive()
            future = self._crew.submit(*job)
        self._flying[future] = points

    def _receive(self, future: Future[Chunk]) -> Points | None:
        """Take in a chunk; return its points if their worker died."""
        points = self._flying.pop(future)
        try:
            chunk = future.result()
        except self._crew.deaths:
            return points
        except CancelledError:
            raise SolverError("the scheduler is gone") from None
        except Exception as error:
            raise SolverError(f"the workers cannot compute: {type(error).__name__}: {error}") from error
        self._done += points.size
        self._size = _next_size(chunk, self._size)
        self._keep(chunk)
        return None

    def _bury(self, dead: list[Points]) -> None:
        """Try the points of dead workers again; one that was alone with its worker has killed it twice by now."""
        if self._on_trial:
            (points,) = dead
            self._done += 1
            self._give_up(int(points[0]))
        else:
            wait(self._flying)  # a pool breaks as a whole; chunks that were finished before are good
            dead += [points for future in list(self._flying) if (points := self._receive(future)) is not None]
            self._suspects.extend(int(point) for points in dead for point in points)
        self._crew.revive()


def _next_size(chunk: Chunk, last: int) -> int:
    """Points of the next chunk, from the time that one of `last` or fewer points took."""
    fitting = CHUNK_SECONDS / max(chunk.seconds / chunk.points.size, 1e-9)
    return max(1, min(int(fitting), GROWTH * last))
