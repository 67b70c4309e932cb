"""Decimation of long runs to the extremes of neighbouring samples, which draws as fast as a short run."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from flexarm.results.result import Result

MAX_POINTS = 4000
BLOCK_ROWS = 100_000


def envelope(result: Result, name: str, max_points: int = MAX_POINTS) -> tuple[np.ndarray, np.ndarray]:
    """Return a dataset over time, thinned column by column to the extremes of neighbouring samples.

    Parameters
    ----------
    result : Result
    name : str
        Dataset to read; a stored one is read block by block.
    max_points : int
        A longer run is cut into half as many groups of samples, each of which keeps its least and greatest.

    Returns
    -------
    time, values : ndarray, (k, ...)
        Both with the columns of the dataset: each column has its own times. All samples if they are few.
    """
    times, values = [], []
    for time, block, groups in _grouped(result, name, max_points):
        if groups is None:
            times.append(np.broadcast_to(_as_column(time, block), block.shape))
            values.append(block)
            continue
        picked = np.sort(np.stack([groups.argmin(axis=1), groups.argmax(axis=1)], axis=1), axis=1)
        picked += groups.shape[1] * np.arange(len(groups)).reshape(-1, *(1,) * (picked.ndim - 1))
        rows = picked.reshape(-1, *block.shape[1:])
        times.append(time[rows])
        values.append(np.take_along_axis(block, rows, axis=0))
    return np.concatenate(times), np.concatenate(values)


def thinned(
    time: np.ndarray, values: np.ndarray, max_points: int = MAX_POINTS
) -> tuple[np.ndarray, np.ndarray]:
    """Thin values (k,) at times (k,) [s] to the extremes of neighbouring samples; all of them if they are few."""
    if time.size <= max_points:
        return time, values
    size = -(-time.size // (max_points // 2))
    groups = np.arange(time.size - time.size % size).reshape(-1, size)
    picked = [
        np.take_along_axis(groups, find(values[groups], axis=1)[:, None], 1)
        for find in (np.argmin, np.argmax)
    ]
    rows = np.unique(np.concatenate([*picked, [[0], [time.size - 1]]]))
    return time[rows], values[rows]


def path(result: Result, point: int = -1, max_points: int = MAX_POINTS) -> tuple[np.ndarray, np.ndarray]:
    """Return the path of a point, thinned to samples in which one of its coordinates is extreme.

    Returns
    -------
    time : ndarray, (k,) [s]
    positions : ndarray, (k, 3) [m]
    """
    times, values = [], []
    for time, block, groups in _grouped(result, "point_position", max_points):
        rows = np.arange(len(time))
        if groups is not None:
            positions = groups[:, :, point]
            picked = np.concatenate([positions.argmin(axis=1), positions.argmax(axis=1)], axis=1)
            rows = np.unique(picked + groups.shape[1] * np.arange(len(groups))[:, None])
        times.append(time[rows])
        values.append(block[rows, point])
    return np.concatenate(times), np.concatenate(values)


def any_nonzero(result: Result, name: str) -> bool:
    """Return whether a dataset holds anything but zeros."""
    return any(np.any(result.rows(name, part)) for part in _blocks(result.n_samples, BLOCK_ROWS))


def _grouped(
    result: Result, name: str, max_points: int
) -> Iterator[tuple[np.ndarray, np.ndarray, np.ndarray | None]]:
    """Read in blocks; yield times, values and the values in groups, None where every sample stays."""
    samples = result.n_samples
    if samples <= max_points:
        yield result["time"], result.rows(name, slice(None)), None
        return
    size = -(-samples // (max_points // 2))
    whole = samples - samples % size
    first, last = slice(0, 1), slice(min(whole, samples - 1), samples)
    for part in (first, *_blocks(whole, max(1, BLOCK_ROWS // size) * size), last):
        time, block = result.rows("time", part), result.rows(name, part)
        in_groups = part not in (first, last)
        yield time, block, block.reshape(-1, size, *block.shape[1:]) if in_groups else None


def _blocks(samples: int, rows: int) -> Iterator[slice]:
    for start in range(0, samples, rows):
        yield slice(start, min(start + rows, samples))


def _as_column(time: np.ndarray, block: np.ndarray) -> np.ndarray:
    return time.reshape(-1, *(1,) * (block.ndim - 1))
