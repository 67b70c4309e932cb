"""Searches from several starts in worker processes, each of which derives the equations for itself.

Directions of one run fill the lanes of a register already, so that starts go to the processors.
"""

from __future__ import annotations

import multiprocessing
import pickle
from collections.abc import Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from contextlib import suppress
from functools import lru_cache
from typing import Any

import numpy as np

from flexarm.errors import SolverError
from flexarm.identification.searching.fit_problem import FitProblem
from flexarm.identification.searching.fit_setup import FitSetup
from flexarm.identification.searching.one_start import SearchEnd, search_end
from flexarm.progress import Progress
from flexarm.sweeps.execution.worker_processes import core_count
from flexarm.sweeps.execution.workers import LocalPool

POLL_INTERVAL = 0.1
"""Seconds between two reports of progress, and until Ctrl-C is answered."""
GOING_ON, STOPPED = 0.0, 1.0
MOST_DEATHS = 2
"""Workers that die in a search until it is given up."""
BEGUN = 1e-6
"""Least fraction done of a search that has begun."""
Board = Any
"""An array of doubles that processes share."""
_joined: list[np.ndarray] = []


class WorkerDied(SolverError):
    """The worker process of a search died, for want of memory perhaps."""


def ends_side_by_side(
    setup: FitSetup,
    given: np.ndarray,
    places: np.ndarray,
    workers: int | None,
    progress: Progress | None,
) -> list[SearchEnd]:
    """Ends of the searches from places (k, n), in their order; of those that had begun if they were interrupted.

    When a worker dies, what has not ended is begun again, one at a time, since what is wanted may be memory: the end of
    a search whose worker dies twice has the fault :class:`WorkerDied`.

    Parameters
    ----------
    setup, given
        As of :func:`~flexarm.identification.searching.starts.search_from`.
    workers : int, optional
        At most one for each place; as many as there are cores unless given.
    """
    data, board = pickle.dumps(setup), new_board(len(places))
    shared, deaths = np.frombuffer(board), np.zeros(len(places), dtype=int)
    ends: dict[int, SearchEnd] = {}
    size = min(workers or core_count(), len(places))
    while len(ends) < len(places) and shared[-1] == GOING_ON:
        waiting = [k for k in range(len(places)) if k not in ends]
        shared[waiting] = 0.0
        tasks = {k: (data, given, places[k], k) for k in waiting}
        found, died = _round(LocalPool(size, join, board), tasks, shared, progress)
        ends |= found
        if died and shared[-1] == GOING_ON:
            under_way = [k for k in died if shared[k] > 0] or died[:1]
            deaths[under_way] += 1
            fault = WorkerDied("a worker process died, for want of memory perhaps", hint="fit fewer rows")
            ends |= {k: SearchEnd(None, 0, fault) for k in under_way if deaths[k] == MOST_DEATHS}
            size = 1
    return [ends[k] for k in sorted(ends)]


def _round(
    pool: LocalPool, tasks: Mapping[int, tuple], board: np.ndarray, progress: Progress | None
) -> tuple[dict[int, SearchEnd], list[int]]:
    """Ends of searches by their numbers, until a worker dies, and the searches that are lost then."""
    futures: dict[int, Future] = {}
    try:
        with suppress(*pool.death_errors):
            for k, task in tasks.items():
                futures[k] = pool.submit(_search, *task)
        _watch(list(futures.values()), board, progress)
    finally:
        pool.close()
    done = {k: future for k, future in futures.items() if not future.cancelled()}
    died = [k for k, future in done.items() if isinstance(future.exception(), pool.death_errors)]
    return {k: future.result() for k, future in done.items() if k not in died}, died


def _watch(futures: Sequence[Future], board: np.ndarray, progress: Progress | None) -> None:
    """Wait for all searches, and report their progress.

    At a KeyboardInterrupt, raised by the progress or by a signal, they are to stop; at the next one those that have not
    are given up.
    """
    pending = set(futures)
    while pending:
        try:
            _, pending = wait(pending, timeout=POLL_INTERVAL, return_when=FIRST_COMPLETED)
            if progress is not None and board[-1] != STOPPED:
                progress(float(board[:-1].mean()), None)
        except KeyboardInterrupt:
            if board[-1] == STOPPED:
                return
            board[-1] = STOPPED
            pending = {future for future in pending if not future.cancel()}


def _search(data: bytes, given: np.ndarray, x0: np.ndarray, k: int) -> SearchEnd:
    """Search from place number k of some, in a worker."""
    board = _joined[-1]
    board[k] = BEGUN

    def report(fraction: float, t: float | None) -> None:
        board[k] = max(fraction, BEGUN)
        if board[-1] == STOPPED:
            raise KeyboardInterrupt

    end = search_end(_problem(data), given, x0, report)
    board[k] = 1.0
    return end


@lru_cache(maxsize=1)
def _problem(data: bytes) -> FitProblem:
    """Problem of a pickled setup, derived once by each worker."""
    return pickle.loads(data).problem()


def new_board(count: int) -> Board:
    """What processes tell each other: the fraction done of each search, and whether they are to stop, (count + 1,).

    It is memory that they share, behind which there is no file with a name that could be left.
    """
    return multiprocessing.get_context("spawn").RawArray("d", count + 1)


def join(board: Board) -> None:
    """Take part in a board, as each worker does when it begins."""
    _joined[:] = [np.frombuffer(board)]
