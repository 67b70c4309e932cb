"""Style of all pictures: sizes, colours, units, axes over time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from io import BytesIO
from typing import TypeVar

import numpy as np
from matplotlib import colormaps, style
from matplotlib.axes import Axes
from matplotlib.colors import LinearSegmentedColormap, to_hex, to_rgb
from matplotlib.figure import Figure

from flexarm.results.result import Result

WIDTH = 6.3  # inches, the text width of an A4 page
DPI = 200
INLINE_DPI = 110
"""Of figures in notebooks."""

# Okabe and Ito's palette, which colour-blind readers distinguish; its yellow is too pale for lines.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9")
INK, QUIET = "#222222", "#8a8a8a"
LINE_STYLES = ("-", (0, (5, 1.5)), (0, (1, 1.2)), (0, (5, 1.5, 1, 1.5)))
# Dark to light like viridis, without its end, which is too bright on white.
TIME_COLOURS = LinearSegmentedColormap.from_list("time", colormaps["viridis"](np.linspace(0.0, 0.9, 256)))

RC = {
    "font.family": "sans-serif",
    "font.sans-serif": ["DejaVu Sans"],
    "font.size": 8.0,
    "axes.titlesize": 8.0,
    "axes.titlelocation": "left",
    "axes.labelsize": 8.0,
    "axes.edgecolor": QUIET,
    "axes.labelcolor": INK,
    "axes.linewidth": 0.6,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "axes.xmargin": 0.0,
    "axes.grid": True,
    "axes.formatter.useoffset": False,
    "axes3d.xaxis.panecolor": (1.0, 1.0, 1.0, 0.0),
    "axes3d.yaxis.panecolor": (1.0, 1.0, 1.0, 0.0),
    "axes3d.zaxis.panecolor": (1.0, 1.0, 1.0, 0.0),
    "grid.color": "#e6e6e6",
    "grid.linewidth": 0.5,
    "lines.linewidth": 1.1,
    "lines.solid_capstyle": "round",
    "legend.frameon": False,
    "legend.fontsize": 7.5,
    "legend.handlelength": 1.8,
    "text.color": INK,
    "xtick.labelsize": 7.5,
    "ytick.labelsize": 7.5,
    "xtick.color": QUIET,
    "ytick.color": QUIET,
    "xtick.labelcolor": INK,
    "ytick.labelcolor": INK,
    "xtick.major.width": 0.6,
    "ytick.major.width": 0.6,
    "figure.dpi": 100,
    "savefig.dpi": DPI,
    "figure.titlesize": 9.0,
}


Drawn = TypeVar("Drawn")
"""What a picture shows."""


def styled(draw: Callable[[Drawn], Figure]) -> Callable[[Drawn], Figure]:
    """Draw with the settings of this file, whatever the user's own are; they are restored afterwards."""

    @wraps(draw)
    def wrapper(result: Drawn) -> Figure:
        with style.context(["default", RC]):
            return draw(result)

    return wrapper


class InlineFigure(Figure):
    """Figure that notebooks show, whether pyplot is in use or not."""

    def _repr_png_(self) -> bytes:
        picture = BytesIO()
        self.savefig(picture, format="png", dpi=INLINE_DPI)
        return picture.getvalue()


def new_figure(result: Result, title: str, height: float, width: float = WIDTH) -> Figure:
    """Return an empty figure, sizes in inches, titled with the arm's name and what it shows."""
    figure = InlineFigure(figsize=(width, height), layout="constrained")
    stopped = (
        ""
        if result.status == "complete"
        else f" (stopped at t = {result.rows('time', slice(-1, None))[0]:g} s)"
    )
    figure.suptitle(f"{result.arm.name}: {title}{stopped}", x=0.01, ha="left")
    return figure


def colour(index: int) -> str:
    """Colour of curve number `index`, counted from 0."""
    return COLOURS[index % len(COLOURS)]


def tint(colour: str) -> str:
    """Return a light shade of a colour, which differs from it in brightness alone."""
    red, green, blue = (1.0 - 0.45 * (1.0 - part) for part in to_rgb(colour))
    return to_hex((red, green, blue))


def line_style(index: int):
    """Line style that distinguishes curves of the same colour."""
    return LINE_STYLES[index // len(COLOURS) % len(LINE_STYLES)]


def length_unit(values: np.ndarray) -> tuple[float, str]:
    """Return the factor from metres and the unit in which lengths (..) [m] read well."""
    largest = np.max(np.abs(values), initial=0.0)
    if largest >= 0.1 or largest == 0.0:
        return 1.0, "m"
    return (1e3, "mm") if largest >= 1e-4 else (1e6, "µm")


def label_time(stacked: Sequence[Axes], result: Result) -> None:
    """Fit the time axis to the run, label the lowest of the stacked axes, grey pre- and post-actuation."""
    first, last = (result.rows("time", part)[0] for part in (slice(0, 1), slice(result.n_samples - 1, None)))
    for one in stacked:
        if last > first:
            one.set_xlim(first, last)
        one.tick_params(labelbottom=one is stacked[-1])
        _shade_actuation(one, result, first, last)
    stacked[-1].set_xlabel("time (s)")


def _shade_actuation(axes: Axes, result: Result, first: float, last: float) -> None:
    """Grey the time before and after the trajectory, if there is any."""
    duration = result.attributes.get("duration")
    if duration is None:
        return
    for begin, end in ((first, 0.0), (duration, last)):
        if end - begin > 1e-9 * duration:
            axes.axvspan(begin, end, color=QUIET, alpha=0.15, linewidth=0.0)


def legend_beside(axes: Axes, **options) -> None:
    """Put the legend to the right of the axes, where it covers no curve."""
    axes.legend(loc="upper left", bbox_to_anchor=(1.01, 1.02), borderaxespad=0.0, **options)
