"""Colours of what links bear, along bent arms: stress, or the bending moment."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from matplotlib import colormaps
from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable
from matplotlib.collections import LineCollection
from matplotlib.colors import LinearSegmentedColormap, Normalize
from mpl_toolkits.mplot3d.art3d import Line3DCollection
from numpy.typing import NDArray

from flexarm.plots.drawing.style import QUIET
from flexarm.plots.drawing.views import SPACE

Array = NDArray[np.float64]

LOAD_COLOURS = LinearSegmentedColormap.from_list(
    "load", colormaps["plasma_r"](np.linspace(0.08, 1.0, 256))
).with_extremes(bad=QUIET)
"""Light to dark: what bears most stands out. Grey where it is not known."""


@dataclass(frozen=True)
class LoadColours:
    """Scale of colours from zero to the largest value.

    Attributes
    ----------
    label : str
        What is shown, with its unit.
    mappable : ScalarMappable
        For a bar of colours.
    """

    label: str
    mappable: ScalarMappable

    @classmethod
    def up_to(cls, largest: float, label: str) -> LoadColours:
        """Scale up to a value in the unit of the label."""
        return cls(label, ScalarMappable(Normalize(0.0, largest or 1.0), LOAD_COLOURS))

    def of(self, values: Array) -> Array:
        """Colours (k, 4) of values (k,), NaN where they are not known."""
        return self.mappable.to_rgba(np.ma.masked_invalid(values))


def between_points(values: Array, stations: Array, n_points: int) -> Array:
    """Values half-way between evenly spaced points along the links, (.., n_links, n_points - 1).

    Parameters
    ----------
    values : (.., n_links, s)
        At s stations along each link.
    stations : (s,)
        As fractions of its length.
    n_points : int
    """
    middles = (np.arange(n_points - 1) + 0.5) / (n_points - 1)
    flat = values.reshape(-1, values.shape[-1])
    found = np.array([np.interp(middles, stations, row) for row in flat])
    return found.reshape(*values.shape[:-1], n_points - 1)


def pieces(arm: Array, view: list[int]) -> Array:
    """Ends of the pieces of a bent arm (n_links, points, 3) [m] in the coordinates that are shown, (k, 2, d)."""
    points = arm[..., view]
    return np.stack([points[:, :-1], points[:, 1:]], axis=2).reshape(-1, 2, len(view))


def draw_pieces(
    axes: Axes, arm: Array, view: list[int], colours: Array, width: float, zorder: float
) -> LineCollection:
    """Draw the links of a bent arm (n_links, points, 3) [m] in pieces of given colours (k, 4)."""
    kind = Line3DCollection if view == SPACE else LineCollection
    drawn = kind(pieces(arm, view), colors=colours, linewidths=width, zorder=zorder)  # pyright: ignore[reportArgumentType]
    axes.add_collection(drawn)
    return drawn
