"""Meshes of stable inversion: fine where the links move fast."""

from __future__ import annotations

import itertools

import numpy as np

from flexarm.simulation.inverse.methods.actuation import ActuationInterval

INTERVALS, LEAST_INTERVALS = 40, 6
"""Intervals of the first mesh over the trajectory, and at least between two of its breaks."""
LAYER = 0.5
"""Shortest interval of the first mesh, of the time constant of the fastest zero."""


def divided(mesh: np.ndarray, parts: np.ndarray) -> np.ndarray:
    """Mesh (m' + 1,) [s] with every interval of a mesh (m + 1,) divided into so many parts (m,)."""
    pieces = [
        np.linspace(a, b, n, endpoint=False)
        for (a, b), n in zip(itertools.pairwise(mesh), parts, strict=True)
    ]
    return np.concatenate([*pieces, mesh[-1:]])


def first_mesh(interval: ActuationInterval, step: float) -> np.ndarray:
    """Mesh [s] through all breaks, fine enough for the slowest zeros, and for the fastest next to every break.

    There the reference has a rate that jumps, to which motions answer that decay as fast as the fastest zero says.
    """
    reference, duration = interval.reference, interval.reference.reference.duration
    unstable = np.concatenate([interval.first.growing_zeros, interval.last.growing_zeros])
    least = LAYER / float(np.abs(unstable).max()) if unstable.size else np.inf
    pieces = []
    for a, b in itertools.pairwise(reference.breaks):
        longest = min(step, duration / INTERVALS)
        for end, outside in ((interval.first, b <= 0), (interval.last, a >= duration)):
            if outside and end.growing_zeros.size:
                longest = min(step, max(longest, 1.0 / float(end.growing_zeros[0].real)))
        pieces.append(a + _graded(b - a, min(longest, (b - a) / LEAST_INTERVALS), least)[:-1])
    return np.concatenate([*pieces, reference.breaks[-1:]])


def _graded(length: float, longest: float, least: float) -> np.ndarray:
    """Mesh from 0 to a length with intervals that grow from a least one at either end, twofold each, to the longest."""
    lengths = (
        least * 2.0 ** np.arange(max(0, int(np.ceil(np.log2(longest / least)))))
        if least < longest
        else np.empty(0)
    )
    layer = np.cumsum(lengths)
    layer = np.concatenate([[0.0], layer[layer < 0.4 * length]])
    middle = length - 2 * layer[-1]
    inside = np.linspace(layer[-1], length - layer[-1], int(np.ceil(middle / longest * (1 - 1e-9))) + 1)
    return np.concatenate([layer[:-1], inside, length - layer[-2::-1]])
