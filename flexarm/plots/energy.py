"""Energies over time, and the change of their sum."""

from __future__ import annotations

import math

import numpy as np
from matplotlib.figure import Figure

from flexarm.plots.decimation import envelope
from flexarm.plots.scales import KEPT, floor_scale
from flexarm.plots.style import COLOURS, INK, label_time, legend_beside, new_figure, styled
from flexarm.plots.walls import mark_impacts
from flexarm.results.result import Result

CURVES = (("kinetic", COLOURS[0]), ("gravity", COLOURS[2]), ("strain", COLOURS[1]), ("total", INK))


@styled
def energy(result: Result) -> Figure:
    """Draw the energies and, below, the change of their sum relative to the largest kinetic energy.

    Without drive, damping, friction, loads and walls that change is the error of the integration; otherwise it is
    the work they do. Impacts, and impulses of prescribed motions, are marked.
    """
    figure = new_figure(result, "energies", height=4.2)
    upper, lower = figure.subplots(2, 1, height_ratios=(1.6, 1.0))
    curves = {name: envelope(result, f"energy_{name}") for name, _ in CURVES}
    start = curves["gravity"][1][0]
    for name, colour in CURVES:
        time, values = curves[name]
        if np.any(values) or name == "total":
            counted = values - start if name in ("gravity", "total") else values
            upper.plot(time, counted, color=colour, label=name, zorder=1.9 if name == "total" else 2.0)
    upper.set_ylabel("energy (J)")
    if np.any(curves["gravity"][1]):
        upper.set_title("the energy of gravity counts from its value at the start")
    legend_beside(upper)

    time, total = curves["total"]
    largest = np.fmax.reduce(curves["kinetic"][1], initial=0.0)
    change = (total - total[0]) / (largest if largest > 0 else 1.0)
    factor, power = _scale(change, KEPT if largest > 0 else 0.0)
    lower.plot(time, factor * change, color=INK)
    conserved = floor_scale(lower, factor * change, factor, height=2 * KEPT) if largest > 0 else ""
    unit = r"$\Delta E/T_{\max}$" if largest > 0 else r"$\Delta E$ (J)"
    lower.set_ylabel(f"{unit}{power}")
    title = "change of the total energy" + " relative to the largest kinetic energy" * bool(largest > 0)
    lower.set_title(f"{title}: {conserved}" if conserved else title)
    label_time((upper, lower), result)
    mark_impacts((upper, lower), result)
    figure.align_ylabels()
    return figure


def _scale(values: np.ndarray, least: float) -> tuple[float, str]:
    """Return a power of ten that makes small values readable, and how the label writes it.

    `least` is the least size that an axis shows.
    """
    largest = np.fmax.reduce(np.abs(values), initial=least)
    if largest == 0 or largest >= 1e-2:
        return 1.0, ""
    exponent = math.floor(math.log10(largest))
    return 10.0**-exponent, rf"  ($\times 10^{{{exponent}}}$)"
