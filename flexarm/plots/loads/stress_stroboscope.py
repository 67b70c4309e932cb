"""Stroboscopic picture of stress: the arm over time, coloured by what its sections bear."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from flexarm.plots.arm.arm_shapes import moving_samples, shapes_at
from flexarm.plots.arm.stroboscope import arms_figure
from flexarm.plots.drawing.load_colours import between_points, draw_pieces
from flexarm.plots.drawing.style import INK, QUIET, styled
from flexarm.plots.drawing.views import Rods, draw_arm
from flexarm.plots.loads.shown_load import ShownLoad
from flexarm.results.result import Result

SHAPES = 14
WIDTHS = 1.6, 3.2
"""Line widths, and that at the worst instant."""


@styled
def stress_stroboscope(result: Result) -> Figure:
    """Draw the bent arm at some instants, that of the largest value among them, coloured by stress along its links.

    Where no section is known the colour is that of the bending moment. Links of which it is not known are grey.
    """
    load = ShownLoad.of(result)
    assert load is not None  # the registry asks for one
    samples = np.unique([*moving_samples(result, SHAPES), load.sample])
    arms, special = shapes_at(result, samples), int(np.searchsorted(samples, load.sample))
    along = between_points(load.at_samples(samples), load.stations, arms.lines.shape[2])
    colours = load.colours
    rods = Rods.of(result.arm)

    def draw(axes: Axes, k: int, view: list[int]) -> None:
        *_, joints = drawn = draw_arm(axes, arms.lines[k], view, QUIET, False, rods)
        for line in drawn[-1 - len(arms.lines[k]) :]:
            line.set_visible(line is joints)  # the coloured pieces take the place of the links
        shades = colours.of(along[k].ravel())
        draw_pieces(axes, arms.lines[k], view, shades, WIDTHS[k == special], 3 + (k == special))
        if k == special:
            place = np.unravel_index(np.nan_to_num(along[k], nan=-1.0).argmax(), along[k].shape)
            axes.plot(
                *arms.lines[k][place[0], place[1], view, None],
                "o",
                color="none",
                markeredgecolor=INK,
                zorder=6,
            )

    title = f"{load.what} of the arm; heavy: when it is largest, t = {arms.time[special]:.4g} s"
    return arms_figure(result, arms, title, colours.mappable, colours.label, draw)
