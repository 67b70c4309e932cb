"""Body of a floating base as a box: uniform, with the body's mass and moments of inertia."""

from __future__ import annotations

from itertools import product

import numpy as np

from flexarm.description.arm.floating_body import FloatingBody
from flexarm.plots.bases.satellite import turned
from flexarm.results.result import Result


def base_boxes(result: Result, theta: np.ndarray) -> np.ndarray:
    """Return the edges of the base's body in postures theta (k, n_theta), as lines (k, points, 3) [m] with gaps of NaN.

    There are no points if the base has no body.
    """
    body = result.arm.base_body
    if body is None:
        return np.empty((len(theta), 0, 3))
    base = theta[:, -3:] if result.arm.base == "planar" else theta[:, -7:]
    if result.arm.base == "planar":
        half, nothing = base[:, 2] / 2, np.zeros(len(base))
        position = np.column_stack([base[:, :2], nothing])
        e = np.column_stack([np.cos(half), nothing, nothing, np.sin(half)])
    else:
        position, e = base[:, :3], base[:, 3:]
    edges = _edges(body)
    lines = turned(np.repeat(e, len(edges), axis=0), np.tile(edges, (len(e), 1)))
    return position[:, None] + lines.reshape(len(e), len(edges), 3)


def _edges(body: FloatingBody) -> np.ndarray:
    """Edges of the box seen from where the first joint sits, (36, 3) [m]: ends of each, then NaN."""
    xx, yy, zz, xy, xz, yz = body.inertia
    moments, axes = np.linalg.eigh([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    half = np.sqrt(np.maximum(1.5 * (moments.sum() - 2 * moments) / body.mass, 0.0))
    corners = np.array(list(product((-1, 1), repeat=3)))
    pairs = [(a, b) for a in corners for b in corners if np.abs(a - b).sum() == 2 and (a <= b).all()]
    lines = np.array([[a * half, b * half, np.full(3, np.nan)] for a, b in pairs]).reshape(-1, 3)
    return lines @ axes.T - np.array(body.attachment)
