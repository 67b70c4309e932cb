"""Strip below the arm of an animation: the deflection of the last flexible link's end over time."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from flexarm.plots.drawing.decimation import envelope
from flexarm.plots.drawing.style import COLOURS, length_unit
from flexarm.results.dimensions import AXES
from flexarm.results.result import Result

HEIGHT = 1.3
"""Of the strip, its labels included [inch]."""
VISIBLE = 0.05
"""Part of the largest deflection below which a direction is left out: a bent link's shortening, for one."""


@dataclass(frozen=True)
class Strip:
    """Curves over time, and a dot on each that the frames move.

    Attributes
    ----------
    curves : list of (k,) and (k,)
        Times [s] and deflections [as the axis says] of each direction in which the link moves.
    dots : list of Line2D
    """

    curves: list[tuple[np.ndarray, np.ndarray]]
    dots: list[Line2D]

    @classmethod
    def drawn(cls, axes: Axes, result: Result, first: float, last: float) -> Strip:
        """Draw what a film from `first` to `last` [s] shows of the deflection."""
        link = max(i for i, each in enumerate(result.arm.links) if each.n_modes)
        times, values = (each[:, link, -1] for each in envelope(result, "link_deflection"))
        factor, unit = length_unit(values)
        largest = np.abs(values).max(axis=0)
        moving = [k for k in range(len(AXES)) if largest[k] > VISIBLE * largest.max()] or [1]
        curves, dots = [], []
        for k in moving:
            curves.append((times[:, k], factor * values[:, k]))
            colour = COLOURS[moving.index(k)]
            axes.plot(*curves[-1], color=colour, linewidth=0.9, label=f"along {AXES[k]}")
            dots += axes.plot([first], [0.0], "o", color=colour, markersize=5.0, zorder=4)
        axes.set(xlim=(first, max(last, first + 1e-9)), xlabel="time (s)", ylabel=f"deflection ({unit})")
        axes.set_title(f"end of link {link + 1}" + f", along {AXES[moving[0]]}" * (len(moving) == 1))
        if len(moving) > 1:
            axes.legend(loc="lower right", bbox_to_anchor=(1.0, 0.98), ncols=len(moving), borderaxespad=0.0)
        return cls(curves, dots)

    def move(self, t: float) -> None:
        """Put the dots where the curves are at a time [s]."""
        for (times, values), dot in zip(self.curves, self.dots, strict=True):
            dot.set_data([t], [np.interp(t, times, values)])


def room_below(figure: Figure, axes: Axes) -> Axes:
    """Make a figure without layout engine higher by a strip below its axes, which stay; return the strip's axes."""
    width, height = figure.get_size_inches()
    left, bottom, across, up = axes.get_position().bounds
    higher = height + HEIGHT
    figure.set_size_inches(width, higher)
    axes.set_position((left, (bottom * height + HEIGHT) / higher, across, up * height / higher))
    return figure.add_axes((0.6 / width, 0.5 / higher, 1 - 0.8 / width, (HEIGHT - 0.75) / higher))
