"""Checkpoint of a sweep: what is computed so far, in files beside its target that appear whole or not at all."""

from __future__ import annotations

import difflib
import io
import json
import secrets
import shutil
import time
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from flexarm.errors import ResultError
from flexarm.results.atomic_files import as_result_error, write_files
from flexarm.sweeps.execution.chunks import Chunk
from flexarm.sweeps.execution.points import PointResult

INTERVAL = 2.0
"""Least time between two files [s]: what a killed sweep loses at most, of every worker's time."""
SHARE = 0.01
"""Least time between two files as a part of the time so far: a long sweep leaves some hundred files, not thousands."""

PLAN, PIECES = "sweep.json", "*.npz"


class Checkpoint:
    """A folder ``TARGET.parts`` with the plan of the sweep and pieces of its results.

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
    """

    def __init__(self, target: Path, plan: Mapping[str, Any]):
        self.folder = target.with_name(f"{target.name}.parts")
        self._plan = json.loads(json.dumps(plan))
        self.count = 0
        self._waiting: list[Chunk] = []
        self._began = self._written = time.monotonic()

    @property
    def exists(self) -> bool:
        """True if an earlier sweep has left something."""
        return self.folder.exists()

    def begin(self) -> None:
        """Start anew; what an earlier sweep has left is removed."""
        self.remove()
        with as_result_error("write", self.folder):
            self.folder.mkdir(parents=True)
        write_files({self.folder / PLAN: json.dumps(self._plan)})

    def resume(self) -> Iterator[Chunk]:
        """Yield what an earlier run of the same sweep has computed.

        Raises
        ------
        ResultError
            It was another sweep, the difference is named; or the files cannot be read.
        """
        with as_result_error("read", self.folder):
            try:
                known = json.loads((self.folder / PLAN).read_text())
            except ValueError:
                raise ResultError(f"cannot read {self.folder / PLAN}: it is damaged") from None
        for name, meaning in self._plan.items():
            if known.get(name) != meaning:
                difference = _difference(name, known.get(name), meaning)
                raise ResultError(
                    f"cannot resume {self.folder}: {difference}",
                    hint="`overwrite` instead of `resume` starts anew",
                )
        for path in sorted(self.folder.glob(PIECES)):
            chunk = _read(path)
            self.count += chunk.points.size
            yield chunk

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
            write_files({self.folder / f"{secrets.token_hex(8)}.npz": _to_npz(self._waiting)})
            self.count += sum(chunk.points.size for chunk in self._waiting)
            self._waiting = []
        self._written = time.monotonic()

    def remove(self) -> None:
        """Remove the folder."""
        with as_result_error("remove", self.folder):
            if self.folder.exists():
                shutil.rmtree(self.folder)


def _to_npz(chunks: list[Chunk]) -> bytes:
    results = [result for chunk in chunks for result in chunk.results]
    arrays = {
        "points": np.concatenate([chunk.points for chunk in chunks]),
        "records": np.stack([result.measures for result in results]),
        "reasons": np.array([result.reason for result in results]),
    }
    for name in results[0].series:
        arrays[f"series {name}"] = np.stack([result.series[name] for result in results])
    buffer = io.BytesIO()
    np.savez(buffer, **arrays)
    return buffer.getvalue()


def _read(path: Path) -> Chunk:
    with as_result_error("read", path):
        try:
            with np.load(path, allow_pickle=False) as file:
                arrays = dict(file)
        except (ValueError, zipfile.BadZipFile):
            raise ResultError(
                f"cannot read {path}: it is damaged; remove it to compute its points again"
            ) from None
    series = {
        name.removeprefix("series "): array for name, array in arrays.items() if name.startswith("series ")
    }
    results = [
        PointResult(measures, {name: array[k] for name, array in series.items()}, str(reason))
        for k, (measures, reason) in enumerate(zip(arrays["records"], arrays["reasons"], strict=True))
    ]
    return Chunk(arrays["points"], results, 0.0)


def _difference(name: str, old: Any, new: Any) -> str:
    """Describe how two plans differ in one of their entries."""
    if name == "arm":
        lines = list(difflib.unified_diff(str(old).splitlines(), str(new).splitlines(), lineterm="", n=0))[3:]
        changed = [line for line in lines if line[:1] in "+-"]
        return f"the arm has changed: {'; '.join(line[0] + ' ' + line[1:].strip() for line in changed[:4])}"
    if name == "axes":
        was, now = ({axis["name"]: axis for axis in axes} for axes in (old or [], new))
        if list(was) != list(now):
            return f"it varied {', '.join(was)}, now it is {', '.join(now)}"
        key = next(key for key in now if was[key] != now[key])
        return f"{key} has other values: {_extent(was[key])} then, {_extent(now[key])} now"
    return f"{name} was {_listed(old)}, now it is {_listed(new)}"


def _extent(axis: Mapping[str, Any]) -> str:
    values = np.array(axis["values"])
    return f"{len(values)} from {values.min():g} to {values.max():g}"


def _listed(value: Any) -> str:
    return ", ".join(map(str, value)) or "none" if isinstance(value, list) else str(value)
