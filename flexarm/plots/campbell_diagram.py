"""Campbell diagram: frequencies of an arm that turns steadily over its rate, with the multiples of that rate."""

from __future__ import annotations

import numpy as np
from matplotlib.figure import Figure

from flexarm.analysis.eigenmodes import growing
from flexarm.plots.style import COLOURS, QUIET, colour, legend_beside, line_style, new_figure, styled
from flexarm.results.result import Result

HEIGHT = 3.4  # inches
MOST_LINES = 8
"""Lines drawn: the slowest."""
ORDERS = (1, 2)
"""Multiples of the rate with which what is fixed in space excites an arm that turns."""
MARKED = 40
"""Rates up to which every computed point is marked."""


def has_rates(result: Result) -> bool:
    """Return whether the modes are known at several rates."""
    return "campbell_rate" in result and result.shape("campbell_rate")[0] > 1


@styled
def campbell_diagram(result: Result) -> Figure:
    """Draw the imaginary part of each pole over the rate, motions that grow marked."""
    rates = result.campbell_rate
    poles = result.campbell_pole[..., 0] + 1j * result.campbell_pole[..., 1]
    frequencies = poles.imag / (2 * np.pi)
    vibrating = np.flatnonzero((frequencies > 0).any(axis=0))
    slowest = vibrating[
        np.argsort(np.nanmin(np.where(frequencies > 0, frequencies, np.inf)[:, vibrating], axis=0))
    ]
    chosen = np.sort(slowest[:MOST_LINES])
    title = f"Campbell diagram, joint {result.attributes['turning_joint']} turns"
    if len(slowest) > len(chosen):
        title += f"; {len(slowest) - len(chosen)} faster modes not drawn"
    figure = new_figure(result, title, height=HEIGHT)
    axes = figure.subplots()
    marker = "." if len(rates) <= MARKED else ""
    for k, line in enumerate(chosen):
        axes.plot(
            rates, frequencies[:, line], color=colour(k), linestyle=line_style(k), marker=marker, markersize=3,
            label=f"mode {line + 1}", gid=f"line {line + 1}",
        )  # fmt: skip
    top = 1.08 * np.nanmax(frequencies[:, chosen], initial=0.0) or 1.0
    at, line = np.nonzero(growing(poles) & (frequencies <= top))
    if len(at):
        axes.plot(
            rates[at],
            frequencies[at, line],
            "x",
            color=COLOURS[1],
            markersize=4.5,
            label="grows",
            gid="unstable",
        )
    for order in ORDERS:
        excitation = order * np.abs(rates) / (2 * np.pi)
        axes.plot(rates, excitation, color=QUIET, linewidth=0.8, linestyle="--", gid=f"{order}x")
        _label_order(axes, rates, excitation, top, f"{order}x")
    axes.set(xlim=(rates[0], rates[-1]), ylim=(0, top))
    axes.set_xlabel(f"rate of joint {result.attributes['turning_joint']} (rad/s)")
    axes.set_ylabel("frequency in the turning frame (Hz)")
    legend_beside(axes)
    return figure


def _label_order(axes, rates: np.ndarray, excitation: np.ndarray, top: float, text: str) -> None:
    """Write the name of a line of excitation at its last point inside the picture."""
    end = min(excitation[-1], 0.97 * top)
    at = np.interp(end, excitation, rates) if rates[0] >= 0 else rates[-1]
    axes.annotate(
        text, (at, end), xytext=(-3, 0), textcoords="offset points", ha="right", va="center", color=QUIET
    )
