"""Pieces of a checkpoint: chunks of a sweep as files of NumPy."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import numpy as np

from flexarm.sweeps.execution.chunks import Chunk
from flexarm.sweeps.execution.point_result import PointResult


def to_npz(chunks: list[Chunk]) -> bytes:
    """Return the content of a file that holds some chunks."""
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


def read_piece(path: Path) -> Chunk | None:
    """Read a piece; None if it is damaged in whatever way."""
    try:
        if not path.is_file():
            return None
        with zipfile.ZipFile(path) as archive:
            if archive.testzip() is not None:  # compares checksums
                return None
        with np.load(path, allow_pickle=False) as file:
            arrays = dict(file)
        points, records, reasons = (arrays.pop(name) for name in ("points", "records", "reasons"))
        series = {name.removeprefix("series "): array for name, array in arrays.items()}
        results = [
            PointResult(measures, {name: array[k] for name, array in series.items()}, str(reason))
            for k, (measures, reason) in enumerate(zip(records, reasons, strict=True))
        ]
        return Chunk(points, results, 0.0)
    except Exception:  # zipfile, zlib and NumPy raise many kinds
        return None
