"""Campbell diagram: frequencies of an arm that turns steadily over its rate, with the multiples of that rate."""

from __future__ import annotations

import numpy as np
from matplotlib.figure import Figure

from flexarm.analysis.small_motions.eigenmodes import growing
from flexarm.plots.drawing.style import COLOURS, QUIET, colour, legend_beside, line_style, new_figure, styled
from flexarm.results.result import Result

HEIGHT = 3.4  # inches
LINES = (4, 8)
"""Lines drawn, at least and at most: the slowest, up to REACH times the highest excitation."""
REACH = 2.0
ORDERS = {1: ":", 2: "--"}
"""Multiples of the rate with which what is fixed in space excites an arm that turns -> line style."""
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
    lowest = np.min(frequencies, axis=0, where=frequencies > 0, initial=np.inf)[vibrating]
    reached = int((lowest <= REACH * max(ORDERS) * np.abs(rates).max() / (2 * np.pi)).sum())
    chosen = np.sort(vibrating[np.argsort(lowest, kind="stable")[: np.clip(reached, *LINES)]])
    title = f"Campbell diagram, joint {result.attributes['turning_joint']} turns"
    if len(vibrating) > len(chosen):
        title += f"; {len(vibrating) - len(chosen)} faster modes not drawn"
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
    for order, style in ORDERS.items():
        axes.plot(
            rates, order * np.abs(rates) / (2 * np.pi), color=QUIET, linewidth=0.9, linestyle=style,
            label=f"{order} x rate", gid=f"{order}x",
        )  # fmt: skip
    axes.set(xlim=(rates[0], rates[-1]), ylim=(0, top))
    axes.set_xlabel(f"rate of joint {result.attributes['turning_joint']} (rad/s)")
    axes.set_ylabel("frequency in the turning frame (Hz)")
    legend_beside(axes)
    return figure
