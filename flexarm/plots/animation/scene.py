"""Scene of an animation: the picture that changes from frame to frame; what stands still is drawn once."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib import style
from matplotlib.artist import Artist
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from flexarm.plots.animation.carried_load import CarriedLoad
from flexarm.plots.animation.film import Film
from flexarm.plots.animation.stage import TRACE, canvas, stage
from flexarm.plots.animation.strip import Strip
from flexarm.plots.drawing.load_colours import LOAD_COLOURS
from flexarm.plots.drawing.style import COLOURS, INK, QUIET, RC
from flexarm.plots.drawing.views import Rods, draw_arm, move_arm, move_line

BASE: dict[str, Any] = {"color": INK, "linewidth": 1.0, "zorder": 1.8, "label": "body of the base"}
PAYLOAD: dict[str, Any] = {
    "color": INK,
    "marker": "o",
    "markersize": 6.5,
    "linestyle": "",
    "zorder": 4.5,
    "label": "payload",
}
TARGET: dict[str, Any] = {
    "color": INK, "marker": "o", "markersize": 8.0, "markerfacecolor": "none", "linestyle": "", "zorder": 3.9,
    "label": "desired place",
}  # fmt: skip

SHADES = 26
"""Of the colours of a load."""


class Scene:
    """A figure of the arm of which only the moving parts are drawn anew for each frame.

    Parameters
    ----------
    film : Film
    size : int [pixel]
        Longer side of the frames.
    view : str, optional
        What is seen, of :data:`VIEWS`; by default the xy plane, and space if the arm leaves it.
    wide : bool
        Whether the frames are 16:9, whatever the arm's motion is like.
    deflection : bool
        Whether a strip below the arm shows the deflection of the last flexible link's end over time.
    """

    def __init__(
        self,
        film: Film,
        size: int,
        view: str | None = None,
        wide: bool = False,
        deflection: bool = False,
    ):
        self._film, self._rods = film, Rods.of(film.result.arm)
        step = film.times[1] - film.times[0] if len(film.times) > 1 else 0.01
        self._digits = max(0, math.ceil(-math.log10(step)))
        with style.context(["default", RC]):
            figure, axes, self._view, below = stage(film, view, wide, deflection)
            self._axes = axes
            self._strip = below and Strip.drawn(below, film.result, film.times[0], film.times[-1])
            self._target = self._target_mark()
            (self._trace,) = axes.plot(*film.trace[:1, self._view].T, **TRACE)
            (self._base,) = axes.plot(*film.bases[0][:, self._view].T, **BASE)
            self._contacts = film.contacts.draw(axes, self._view)
            self._arm = draw_arm(axes, film.arms[0], self._view, COLOURS[0], True, self._rods)
            self._coloured = CarriedLoad.drawn(axes, film, self._view, self._arm) if film.load else None
            (self._payload,) = axes.plot(*film.arms[0, -1, -1:, self._view].reshape(-1, 1), **PAYLOAD)
            self._payload.set_visible(film.result.arm.payload.mass > 0)
            self._clock = figure.text(0.01, 0.01, "", size="large")
            self._canvas = canvas(figure, size)
            for artist in self._moving:
                artist.set_animated(True)
            self._canvas.draw()  # lays the figure out and draws all but what moves
            self._background = self._canvas.copy_from_bbox(figure.bbox)

    @property
    def shape(self) -> tuple[int, int]:
        """Width and height of the frames [pixel], even numbers as video needs them."""
        return self._canvas.get_width_height()

    @property
    def figure(self) -> Figure:
        """The figure."""
        return self._canvas.figure

    @property
    def arm_lines(self) -> list[Line2D]:
        """The line of the rods if there are any, the lines of the links, and last that of the joints' dots."""
        return self._arm

    def frame(self, k: int) -> np.ndarray:
        """Return frame number `k`, (height, width, 4) bytes in RGBA, valid until the next frame is drawn."""
        film, t = self._film, self._film.times[k]
        move_arm(self._arm, film.arms[k], self._view, self._rods)
        if self._coloured is not None:
            self._coloured.show(k)
        film.contacts.move(self._contacts, k, self._view)
        move_line(self._base, film.bases[k], self._view)
        move_line(self._payload, film.arms[k, -1, -1:], self._view)
        past = film.trace[: np.searchsorted(film.trace_times, t, side="right")]
        move_line(self._trace, np.vstack([past, film.tips[k, None]]), self._view)
        if self._target is not None:
            move_line(self._target, film.target(t), self._view)
        if self._strip:
            self._strip.move(t)
        self._clock.set_text(f"t = {t:.{self._digits}f} s".replace("-", "\N{MINUS SIGN}"))
        self._canvas.restore_region(self._background)
        for artist in self._moving:
            self._axes.draw_artist(artist)
        return np.asarray(self._canvas.buffer_rgba())

    @property
    def _moving(self) -> list[Artist]:
        """Artists that move, from below to above."""
        target = [] if self._target is None else [self._target]
        dots = self._strip.dots if self._strip else []
        coloured = [] if self._coloured is None else [self._coloured.pieces]
        below = [self._trace, self._base, *target, *self._contacts, *coloured]
        return [*below, *self._arm, self._payload, self._clock, *dots]

    def _target_mark(self) -> Line2D | None:
        """The place where the tip should be."""
        if not len(self._film.desired):
            return None
        point = self._film.target(self._film.times[0])
        (mark,) = self._axes.plot(*point[:, self._view].T, **TARGET)
        return mark


def palette(coloured: bool = False, marks: Sequence[str] = ()) -> np.ndarray:
    """Return what colours a scene has, (k, 3) bytes in RGB: those of its parts, and blends where two of them meet.

    Where links are coloured by what they bear there are fewer blends of the others. `marks` are colours of contacts.
    """
    white, arm, tip, ink, path = (
        255 * np.array(to_rgb(colour)) for colour in ("white", *COLOURS[:2], INK, "#bdbdbd")
    )
    ramps = ((ink, white, 22), (arm, white, 14), (tip, white, 12), (arm, ink, 6), (tip, path, 5))
    if coloured:
        ramps = ((ink, white, 14), (tip, white, 6), (tip, path, 3))
    blends = [np.linspace(a, b, steps).round() for a, b, steps in ramps]
    if coloured:
        shades = 255 * LOAD_COLOURS(np.linspace(0, 1, SHADES))[:, :3]
        blends += [shades.round(), ((shades[::2] + white) / 2).round(), 255 * np.array([to_rgb(QUIET)])]
    blends += [np.linspace(255 * np.array(to_rgb(colour)), white, 6).round() for colour in marks]
    return np.unique(np.concatenate(blends).astype(np.uint8), axis=0)
