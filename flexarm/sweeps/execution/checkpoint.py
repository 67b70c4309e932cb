"""Checkpoint of a sweep: what is computed so far, in files beside its target that appear whole or not at all."""

from __future__ import annotations

import fcntl
import json
import logging
import os
import secrets
import shutil
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from flexarm.errors import ResultError
from flexarm.results.storage.atomic_files import as_result_error, write_files
from flexarm.results.storage.part_files import is_at
from flexarm.sweeps.execution.chunks import Chunk
from flexarm.sweeps.execution.pieces import read_piece, to_npz
from flexarm.sweeps.execution.plan_difference import plan_difference

LOG = logging.getLogger(__name__)

INTERVAL = 2.0
"""Least time between two files [s]: what a killed sweep loses at most, of every worker's time."""
SHARE = 0.01
"""Least time between two files as a part of the time so far: a long sweep leaves some hundred files, not thousands."""

PLAN, PIECES = "sweep.json", "*.npz"
START_ANEW = "`overwrite` instead of `resume` starts anew"


class Checkpoint:
    """A folder ``TARGET.parts`` with the plan of the sweep and pieces of its results; a context manager.

    It belongs to one living process, which holds a lock on the folder.

    Parameters
    ----------
    target : Path
        Where the result will be.
    plan : mapping
        What the sweep computes, as JSON holds it: a sweep is resumed only with the same plan.

    Attributes
    ----------
    folder : Path
    count : int
        Number of points that are stored there.

    Raises
    ------
    ResultError
        Another process is computing this sweep.
    """

    def __init__(self, target: Path, plan: Mapping[str, Any]):
        self.folder = target.with_name(f"{target.name}.parts")
        self._plan = json.loads(json.dumps(plan))
        self.count = 0
        self._waiting: list[Chunk] = []
        self._began = self._written = time.monotonic()
        self._lock: int | None = None
        if self.folder.is_dir():
            self._claim()

    @property
    def exists(self) -> bool:
        """True if an earlier sweep has left something."""
        return any(self.folder.glob(PIECES))

    def begin(self) -> None:
        """Start anew; what an earlier sweep has left is removed."""
        self.remove()
        self._claim()
        write_files({self.folder / PLAN: json.dumps(self._plan)})

    def resume(self, fits: Callable[[Chunk], bool]) -> Iterator[Chunk]:
        """Yield what an earlier run of the same sweep has computed; damaged pieces are named and passed over.

        Parameters
        ----------
        fits : callable
            Whether a chunk can be one of this sweep.

        Raises
        ------
        ResultError
            It was another sweep, the difference is named; or its plan cannot be read.
        """
        known = self._known_plan()
        for name, meaning in self._plan.items():
            if known.get(name) != meaning:
                difference = plan_difference(name, known.get(name), meaning)
                raise ResultError(f"cannot resume {self.folder}: {difference}", hint=START_ANEW)
        for path in sorted(self.folder.glob(PIECES)):
            chunk = read_piece(path)
            if chunk is None or not fits(chunk):
                LOG.warning("%s is damaged: its points are computed again", path)
                continue
            self.count += chunk.points.size
            yield chunk

    def _known_plan(self) -> dict[str, Any]:
        """The plan of the earlier run."""
        path = self.folder / PLAN
        try:
            known = json.loads(path.read_text()) if path.is_file() else None
        except (OSError, ValueError, RecursionError):
            known = None
        if not isinstance(known, dict):
            raise ResultError(f"cannot read {path}: it is missing or damaged", hint=START_ANEW)
        return known

    def _claim(self) -> None:
        """Make the folder, if need be, and lock it."""
        with as_result_error("write", self.folder):
            while self._lock is None:
                self.folder.mkdir(parents=True, exist_ok=True)
                lock = os.open(self.folder, os.O_RDONLY | os.O_DIRECTORY)
                try:
                    fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                except BlockingIOError:
                    os.close(lock)
                    raise ResultError(f"another process is computing this sweep, see {self.folder}") from None
                except OSError:
                    pass  # a file system without locks
                if is_at(self.folder, lock):  # not removed before it was locked
                    self._lock = lock
                else:
                    os.close(lock)

    def add(self, chunk: Chunk) -> None:
        """Add a chunk, and write a piece if it is time to."""
        self._waiting.append(chunk)
        now = time.monotonic()
        if now - self._written > max(INTERVAL, SHARE * (now - self._began)):
            self.write()

    def write(self) -> None:
        """Write what was added since the last piece.

        Raises
        ------
        ResultError
            It cannot be written, e.g. because the disk is full; earlier pieces stay.
        """
        if self._waiting:
            write_files({self.folder / f"{secrets.token_hex(8)}.npz": to_npz(self._waiting)})
            self.count += sum(chunk.points.size for chunk in self._waiting)
            self._waiting = []
        self._written = time.monotonic()

    def remove(self) -> None:
        """Remove the folder: its plan last, so that what is left when this is interrupted can be resumed."""
        with as_result_error("remove", self.folder):
            for piece in filter(Path.is_file, self.folder.glob(PIECES)):
                piece.unlink()
            if self.folder.exists():
                shutil.rmtree(self.folder)
        self.close()

    def close(self) -> None:
        """Release the lock."""
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    def __enter__(self) -> Checkpoint:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
