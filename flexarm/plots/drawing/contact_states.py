"""States of contacts and of joints that stick, in words and colours, and their bands in pictures over time."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Patch

from flexarm.plots.drawing.decimation import MAX_POINTS
from flexarm.plots.drawing.style import COLOURS, tint
from flexarm.simulation.contact.constraints.active_contacts import SATURATED, SLIDING, STICKING

STATES = (
    (SLIDING, "slides", COLOURS[4]),
    (STICKING, "sticks", COLOURS[2]),
    (SATURATED, "at the limit", COLOURS[3]),
)
"""States of contacts, as they are recorded, their words and colours."""


def draw_bands(axes: Axes, time: np.ndarray, state: np.ndarray) -> None:
    """Shade axes over the times (k,) [s] by what states (k,) are there."""
    every = -(-time.size // MAX_POINTS)
    for k, _, colour in STATES:
        axes.fill_between(
            time[::every], 0, 1, where=state[::every] == k, color=tint(colour), alpha=0.5, linewidth=0,
            transform=axes.get_xaxis_transform(), zorder=0.5,
        )  # fmt: skip


def band_patches(among: set[int]) -> list[Patch]:
    """Entries of a legend of bands, of some states."""
    return [Patch(color=tint(colour), label=word) for k, word, colour in STATES if k in among]
