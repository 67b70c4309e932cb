"""Links of an animated arm, coloured by what they bear, and the bar of their colours."""

from __future__ import annotations

from dataclasses import dataclass

from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from flexarm.plots.animation.film import Film
from flexarm.plots.drawing.load_colours import LoadColours, draw_pieces, pieces
from flexarm.plots.drawing.views import SPACE

WIDTH = 3.2
"""Of the links [points]."""
ROOM = 0.95
"""Of the bar with its label [inch]."""


@dataclass(frozen=True)
class CarriedLoad:
    """Pieces of the links, whose colours the frames change.

    Attributes
    ----------
    film : Film
    view : list of int
    colours : LoadColours
    pieces : LineCollection
    """

    film: Film
    view: list[int]
    colours: LoadColours
    pieces: LineCollection

    @classmethod
    def drawn(cls, axes: Axes, film: Film, view: list[int], arm: list[Line2D]) -> CarriedLoad:
        """Draw the first frame of a film in the place of its links' lines, which are before that of the joints."""
        assert film.load is not None
        for line in arm[-1 - film.arms.shape[1] : -1]:
            line.set_visible(False)
        colours = film.load.colours
        shades = colours.of(film.bearing[0].ravel())
        return cls(film, view, colours, draw_pieces(axes, film.arms[0], view, shades, WIDTH, 4.0))

    def show(self, k: int) -> None:
        """Put the pieces where they are in frame k, with their colours."""
        self.pieces.set_segments(pieces(self.film.arms[k], self.view))  # pyright: ignore[reportArgumentType]
        self.pieces.set_color(self.colours.of(self.film.bearing[k].ravel()))  # pyright: ignore[reportArgumentType]
        if self.view == SPACE:
            self.pieces.do_3d_projection()  # pyright: ignore[reportAttributeAccessIssue]


def colour_bar(figure: Figure, axes: Axes, colours: LoadColours) -> None:
    """Make a figure that lays itself out wider by the bar of colours, beside some axes."""
    width, height = figure.get_size_inches()
    figure.set_size_inches(width + ROOM, height)
    figure.colorbar(colours.mappable, label=colours.label, ax=axes, aspect=40, pad=0.02).outline.set_visible(
        False
    )  # pyright: ignore[reportCallIssue]


def bar_beside(figure: Figure, axes: Axes, colours: LoadColours, lowest: float, highest: float) -> None:
    """Make a figure without layout engine wider by the bar of colours, between two heights [inch], beside its axes."""
    width, height = figure.get_size_inches()
    wider, middle, half = width + ROOM, (lowest + highest) / 2, 0.4 * (highest - lowest)
    figure.set_size_inches(wider, height)
    left, bottom, across, up = axes.get_position().bounds
    axes.set_position((left * width / wider, bottom, across * width / wider, up))
    place = ((width + 0.15) / wider, (middle - half) / height, 0.1 / wider, 2 * half / height)
    bar = figure.add_axes(place, label="<colorbar>")
    figure.colorbar(colours.mappable, label=colours.label, cax=bar).outline.set_visible(False)  # pyright: ignore[reportCallIssue]
