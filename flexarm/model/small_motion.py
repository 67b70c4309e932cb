"""Small motions of straight bodies: their inertia, and how they carry what is ahead, to first order."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from flexarm.links import FlexibleLink
from flexarm.links.integrals import skew
from flexarm.links.shapes.shape_functions import Array


def body_inertia(segment: FlexibleLink) -> Array:
    """Inertia (6 + m, 6 + m) of a straight body by the velocity and spin of its frame and the rates of its modes.

    [[m I, -s~, C1], [s~, C5 + B10, C7 + P], [C1, C7 + P, C3]]
    """
    own, m = segment.integrals, segment.n_modes
    block = np.zeros((6 + m, 6 + m))
    s = skew(own.s0)
    block[:3, :3], block[:3, 3:6], block[3:6, 3:6] = own.mass * np.eye(3), -s, own.C5 + own.B10
    block[3:6, :3], block[6:, 6:] = s, own.C3[:m, :m]
    block[:3, 6:], block[3:6, 6:] = own.C1[:m].T, (own.C7 + own.P)[:m].T
    block[6:, :6] = block[:6, 6:].T
    return block


def beyond(segment: FlexibleLink, rows: Sequence[int] | slice, xi: float, frame: Array) -> Array:
    """Velocity and spin (6, n) of station xi of a body by each of n coordinates, from those of its frame (6, n).

    `rows` are the coordinates that are the body's modes; all in the axes of the frame.
    """
    moved = _carried(xi * segment.length) @ frame
    moved[:3, rows] += segment.displacement(xi).T
    moved[3:, rows] += segment.rotation(xi).T
    return moved


def _carried(length: float) -> Array:
    """Displacement and rotation (6, 6) of a point ahead on the x axis by those of the frame, to first order."""
    H = np.eye(6)
    H[1, 5], H[2, 4] = length, -length
    return H
