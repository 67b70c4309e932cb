"""Cycles of stress of a motion by their range, and the share of each range in the damage."""

from __future__ import annotations

import numpy as np
from matplotlib import style
from matplotlib.figure import Figure

from flexarm.analysis.loads.stress_fatigue import Fatigue
from flexarm.plots.drawing.style import COLOURS, INK, RC, WIDTH, InlineFigure

HEIGHT = 3.6  # inches
CLASSES = 24
"""Classes of ranges from 0 to the largest."""


def stress_cycles(name: str, found: Fatigue) -> Figure:
    """Draw how many cycles there are of each class of ranges, and what share of the damage they have."""
    with style.context(["default", RC]):
        return _draw(name, found)


def _draw(name: str, found: Fatigue) -> Figure:
    cycles = found.cycles
    ranges = cycles.ranges / 1e6
    ends = np.linspace(0.0, np.max(ranges, initial=0.0) or 1.0, CLASSES + 1)
    figure = InlineFigure(figsize=(WIDTH, HEIGHT), layout="constrained")
    place = f"link {found.link} at {found.at:g} of its length"
    figure.suptitle(f"{name}: cycles of stress, {place}; damage {found.damage:.3g}", x=0.01, ha="left")
    above, below = figure.subplots(2, 1, sharex=True)
    parts = cycles.counts * (ranges / ends[-1]) ** found.line.slope  # of the damage, in a unit of its own
    shares = 100 * parts / (parts.sum() or 1.0)
    for axes, weights, colour, gid in (
        (above, cycles.counts, COLOURS[0], "cycles"),
        (below, shares, COLOURS[1], "damage"),
    ):
        heights, _ = np.histogram(ranges, ends, weights=weights)
        axes.bar(ends[:-1], heights, np.diff(ends), align="edge", color=colour, gid=gid)
        axes.set_ylim(bottom=0.0)
    above.axvline(
        found.equivalent_range / 1e6, color=INK, linewidth=0.9, linestyle="--",
        label=f"equivalent range {found.equivalent_range / 1e6:.3g} MPa",
    )  # fmt: skip
    above.legend(loc="upper right")
    above.set_ylabel("cycles")
    below.set_ylabel("share of the damage (%)")
    below.set_xlabel("range of stress (MPa)")
    below.set_xlim(0.0, ends[-1])
    figure.align_ylabels()
    return figure
