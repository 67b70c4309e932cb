"""Stroboscopic picture of stress: the arm over time, coloured by what its sections bear."""

from __future__ import annotations

import numpy as np
from matplotlib import colormaps
from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable
from matplotlib.collections import LineCollection
from matplotlib.colors import LinearSegmentedColormap, Normalize
from matplotlib.figure import Figure
from mpl_toolkits.mplot3d.art3d import Line3DCollection

from flexarm.analysis.largest_loads import across
from flexarm.plots.drawing.style import INK, QUIET, styled
from flexarm.plots.drawing.views import SPACE, Rods, draw_arm
from flexarm.plots.load_diagrams import load_range, scale
from flexarm.plots.stroboscope import arms_figure, moving_samples, shapes_at
from flexarm.results.result import Result

SHAPES = 14
LOAD_COLOURS = LinearSegmentedColormap.from_list(
    "load", colormaps["plasma_r"](np.linspace(0.08, 1.0, 256))
).with_extremes(bad=QUIET)
"""Light to dark: what bears most stands out."""
WIDTHS = 1.6, 3.2
"""Line widths, and that at the worst instant."""


@styled
def stress_stroboscope(result: Result) -> Figure:
    """Draw the bent arm at some instants, that of the largest value among them, coloured by stress along its links.

    Where no section is known the colour is that of the bending moment. Links of which it is not known are grey.
    """
    has_stress = "stress_max" in result
    worst = _worst_sample(result) if has_stress else load_range(result).sample
    samples = np.unique([*moving_samples(result, SHAPES), worst])
    arms, special = shapes_at(result, samples), int(np.searchsorted(samples, worst))
    values = (
        result.rows("stress_max", samples) if has_stress else across(result.rows("section_moment", samples))
    )
    stations = np.linspace(0.0, 1.0, arms.lines.shape[2])
    middles, known = (stations[1:] + stations[:-1]) / 2, np.array(result.arm.run.load_stations)
    along = np.stack([[np.interp(middles, known, link) for link in arm] for arm in values])
    largest = float(np.nanmax(values, initial=0.0))
    factor, unit = scale(np.array(largest), "Pa" if has_stress else "N m")
    colours = ScalarMappable(Normalize(0.0, factor * largest or 1.0), LOAD_COLOURS)
    rods = Rods.of(result.arm)

    def draw(axes: Axes, k: int, view: list[int]) -> None:
        *_, joints = drawn = draw_arm(axes, arms.lines[k], view, QUIET, False, rods)
        for line in drawn[-1 - len(arms.lines[k]) :]:
            line.set_visible(line is joints)  # the coloured pieces take the place of the links
        points = arms.lines[k][..., view]
        segments = np.stack([points[:, :-1], points[:, 1:]], axis=2).reshape(-1, 2, len(view))
        kind = Line3DCollection if view == SPACE else LineCollection
        shades = colours.to_rgba(np.ma.masked_invalid(factor * along[k].ravel()))
        width = WIDTHS[k == special]
        axes.add_collection(kind(segments, colors=shades, linewidths=width, zorder=3 + (k == special)))  # pyright: ignore[reportArgumentType]
        if k == special:
            place = np.unravel_index(np.nan_to_num(along[k], nan=-1.0).argmax(), along[k].shape)
            axes.plot(*points[place[0], place[1], :, None], "o", color="none", markeredgecolor=INK, zorder=6)

    what = "stress" if has_stress else "bending moment"
    title = f"{what} of the arm; heavy: when it is largest, t = {arms.time[special]:.4g} s"
    return arms_figure(result, arms, title, colours, f"{what} ({unit})", draw)


def _worst_sample(result: Result) -> int:
    """Sample of the largest stress."""
    stress = result["stress_max"]
    largest = np.fmax.reduce(stress.reshape(len(stress), -1), axis=1)
    return int(np.argmax(np.nan_to_num(largest, nan=-1.0)))
