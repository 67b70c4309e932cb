"""What the view in space has to know of the loads of a result: how much each point of the links bears, in colours."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from flexarm.plots.animation.interpolation import end_times
from flexarm.plots.drawing.load_colours import LOAD_COLOURS
from flexarm.plots.loads.shown_load import ShownLoad
from flexarm.reports.space_view.packing import packed

MOST_INSTANTS = 1200
"""Instants at which loads are known; the page interpolates linearly in between."""
SHADES = 64
"""Of the scale of colours."""


def load_data(load: ShownLoad, points: Sequence[int]) -> dict[str, Any]:
    """Collect what the page is told about a load.

    Parameters
    ----------
    load : ShownLoad
    points : sequence of int
        Evenly spaced points along each link.
    """
    first, last = end_times(load.result)
    count = min(load.result.n_samples, MOST_INSTANTS)
    times = np.linspace(first, last, count)
    values = load.at_times(times)
    known = [bool(np.isfinite(values[:, link]).any()) for link in range(values.shape[1])]
    parts = [
        np.array([np.interp(np.linspace(0, 1, n), load.stations, row) for row in values[:, link]])
        for link, n in enumerate(points)
        if known[link]
    ]
    joined = np.concatenate([np.empty((count, 0)), *parts], axis=1)
    shades = 255 * np.clip(np.nan_to_num(joined) / (load.largest or 1.0), 0.0, 1.0)
    return {
        "what": load.what,
        "most": f"{load.largest:.3g} {load.unit}",
        "known": known,
        "times": packed(times, "f8"),
        "values": packed(shades.round(), "u1"),
        "colours": packed((255 * LOAD_COLOURS(np.linspace(0, 1, SHADES))[:, :3]).round(), "u1"),
    }
