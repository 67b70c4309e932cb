"""Searches from several starts in worker processes, each of which derives the equations for itself.

Directions of one run fill the lanes of a register already, so that starts go to the processors.
"""

from __future__ import annotations

import pickle
from collections.abc import Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory

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


def ends_side_by_side(
    setup: FitSetup,
    given: np.ndarray,
    places: np.ndarray,
    workers: int | None,
    progress: Progress | None,
) -> list[SearchEnd]:
    """Ends of the searches from places (k, n), in their order; of those that had begun if they were interrupted.

    Parameters
    ----------
    setup, given
        As of :func:`~flexarm.identification.searching.starts.search_from`.
    workers : int, optional
        At most one for each place; as many as there are cores unless given.

    Raises
    ------
    SolverError
        A worker died.
    """
    data = pickle.dumps(setup)
    with TemporaryDirectory(prefix="flexarm-fit-", ignore_cleanup_errors=True) as folder:
        board = _board(Path(folder) / "board", len(places))
        pool = LocalPool(min(workers or core_count(), len(places)))
        try:
            futures = [
                pool.submit(_search, data, given, x0, Path(folder) / "board", k, len(places))
                for k, x0 in enumerate(places)
            ]
            _watch(futures, board, progress)
            return [future.result() for future in futures if not future.cancelled()]
        except pool.death_errors:
            raise SolverError(
                "a worker process died, for want of memory perhaps", hint="fewer `workers`"
            ) from None
        finally:
            pool.close()


def _watch(futures: Sequence[Future], board: np.ndarray, progress: Progress | None) -> None:
    """Wait for all searches, and report their progress; have them stop when it raises KeyboardInterrupt."""
    pending = set(futures)
    while pending:
        _, pending = wait(pending, timeout=POLL_INTERVAL, return_when=FIRST_COMPLETED)
        if progress is None or board[-1] == STOPPED:
            continue
        try:
            progress(float(board[:-1].mean()), None)
        except KeyboardInterrupt:
            board[-1] = STOPPED
            pending = {future for future in pending if not future.cancel()}


def _search(data: bytes, given: np.ndarray, x0: np.ndarray, path: Path, k: int, count: int) -> SearchEnd:
    """Search from place number k of some, in a worker."""
    board = _board(path, count)

    def report(fraction: float, t: float | None) -> None:
        board[k] = fraction
        if board[-1] == STOPPED:
            raise KeyboardInterrupt

    end = search_end(_problem(data), given, x0, report)
    board[k] = 1.0
    return end


@lru_cache(maxsize=1)
def _problem(data: bytes) -> FitProblem:
    """Problem of a pickled setup, derived once by each worker."""
    return pickle.loads(data).problem()


def _board(path: Path, count: int) -> np.ndarray:
    """What processes tell each other: the fraction done of each search, and whether they are to stop, (count + 1,)."""
    if not path.exists():
        np.zeros(count + 1).tofile(path)
    return np.memmap(path, dtype=np.float64, mode="r+", shape=(count + 1,))
