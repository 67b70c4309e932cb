"""Position and velocity of a floating base ([FL17] figures 17 to 20), or of the satellite that is its first link."""

from __future__ import annotations

import numpy as np
from matplotlib.figure import Figure

from flexarm.plots.bases.satellite import has_satellite, satellite_motion, satellite_name
from flexarm.plots.drawing.decimation import envelope
from flexarm.plots.drawing.scales import KEPT, floor_scale, largest_change
from flexarm.plots.drawing.style import COLOURS, label_time, new_figure, styled
from flexarm.plots.drawing.walls import mark_impacts
from flexarm.results.dimensions import AXES
from flexarm.results.result import Result

ROW_HEIGHT = 1.4  # inches


def has_floating_base(result: Result) -> bool:
    """Return whether the base of the arm floats."""
    return "base_position" in result


@styled
def floating_base(result: Result) -> Figure:
    """Draw one row per axis: a position on the left, its velocity on the right.

    They are those of the satellite's mass centre where the first link is a satellite, else those of O_1. Axes along
    which it never moves have no row.
    """
    satellite = has_satellite(result)
    what = f"the mass centre of {satellite_name(result)}" if satellite else "O$_1$"
    reach = sum(link.length for link in result.arm.links)
    speed = float(np.abs(envelope(result, "point_velocity")[1]).max())
    both = _of_satellite(result) if satellite else _of_start(result)
    free = range(3) if result.arm.base == "free" else range(2)
    still = [k for k in free if largest_change(both[0][1][:, k]) <= KEPT * reach]
    shown = [k for k in free if k not in still] or list(free)
    rest = f"; none along {', '.join(AXES[k] for k in still)}" * bool(0 < len(still) < len(free))
    figure = new_figure(result, f"motion of {what}{rest}", height=0.8 + ROW_HEIGHT * len(shown))
    grid = figure.subplots(len(shown), 2, squeeze=False)
    for column, (time, values), unit, size in zip(grid.T, both, ("m", "m/s"), (reach, speed), strict=True):
        for k, axes in zip(shown, column, strict=True):
            axes.plot(time[:, k], values[:, k], color=COLOURS[k])
            floor_scale(axes, values[:, k], size)
            axes.set_ylabel(f"{AXES[k]} ({unit})" if unit == "m" else f"{AXES[k]} rate ({unit})")
        label_time(column, result)
        mark_impacts(column, result)
    figure.align_ylabels()
    return figure


def _of_start(result: Result) -> list[tuple[np.ndarray, np.ndarray]]:
    """Times and values (k, 3) of position and velocity of O_1."""
    return [envelope(result, name) for name in ("base_position", "base_velocity")]


def _of_satellite(result: Result) -> list[tuple[np.ndarray, np.ndarray]]:
    """Times and values (k, 3) of position and velocity of the satellite's mass centre."""
    motion = satellite_motion(result)
    time = np.repeat(motion.time[:, None], 3, axis=1)
    return [(time, motion.position), (time, motion.velocity)]
