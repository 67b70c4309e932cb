"""Energies over time, and the change of their sum."""

from __future__ import annotations

import math

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from flexarm.plots.drawing.decimation import envelope, thinned
from flexarm.plots.drawing.scales import KEPT, floor_scale, kept_to
from flexarm.plots.drawing.style import COLOURS, INK, label_time, legend_beside, new_figure, styled
from flexarm.plots.drawing.walls import INSTANTS, mark_impacts
from flexarm.results.result import Result
from flexarm.simulation.forces.work import work

CURVES = (
    ("kinetic", COLOURS[0]), ("gravity", COLOURS[2]), ("strain", COLOURS[1]), ("spring", COLOURS[3]),
    ("contact", COLOURS[5]), ("total", INK),
)  # fmt: skip


@styled
def energy(result: Result) -> Figure:
    """Draw the energies and, below, what of their sum should be constant, relative to the largest kinetic energy.

    That is the total energy less the work done on the arm: by drives and loads, less what damping and friction take.
    Its change is the error of the integration and of the work, which is found from the samples; at impacts, and at
    impulses of prescribed motions, which are marked, it is the energy that they take or give.
    """
    figure = new_figure(result, "energies", height=4.2)
    upper, lower = figure.subplots(2, 1, height_ratios=(1.6, 1.0))
    curves = {name: envelope(result, f"energy_{name}") for name, _ in CURVES if f"energy_{name}" in result}
    done = work(result)
    worked = bool(np.any(done))
    start = curves["gravity"][1][0]
    for name, colour in CURVES:
        if name not in curves:
            continue
        time, values = curves[name]
        if np.any(values) or name == "total":
            counted = values - start if name in ("gravity", "total") else values
            upper.plot(time, counted, color=colour, label=name, zorder=1.9 if name == "total" else 2.0)
    if worked:
        first = float(curves["total"][1][0] - start)
        upper.plot(*thinned(result["time"], done + first), color=COLOURS[4], linestyle="--", zorder=2.1,
                   label="start + work")  # fmt: skip
    upper.set_ylabel("energy (J)")
    if np.any(curves["gravity"][1]):
        upper.set_title("the energy of gravity counts from its value at the start")
    legend_beside(upper)
    _draw_balance(
        lower, result, done if worked else None, float(np.fmax.reduce(curves["kinetic"][1], initial=0.0))
    )
    label_time((upper, lower), result)
    mark_impacts((upper, lower), result)
    figure.align_ylabels()
    return figure


def _draw_balance(axes: Axes, result: Result, done: np.ndarray | None, largest: float) -> None:
    """Draw the change of the total energy, less the work (k,) [J] done on the arm if any; say how well it is kept."""
    total = result["energy_total"]
    change = total - total[0] if done is None else total - total[0] - done
    change = change / (largest if largest > 0 else 1.0)
    factor, power = _scale(change, KEPT if largest > 0 else 0.0)
    axes.plot(*thinned(result["time"], factor * change), color=INK, gid="balance")
    words = floor_scale(axes, factor * change, factor, height=2 * KEPT) if largest > 0 else ""
    struck = any(name in result for name in INSTANTS)
    if done is not None and largest > 0 and not struck:
        words = kept_to(float(np.ptp(change)), 1.0)
    kept = r"E" if done is None else r"(E-W)"
    unit = rf"$\Delta {kept}/T_{{\max}}$" if largest > 0 else rf"$\Delta {kept}$ (J)"
    axes.set_ylabel(f"{unit}{power}")
    title = (
        "change of the total energy" if done is None else "total energy less work of drives, loads and losses"
    )
    title += ", relative to the largest kinetic energy" * bool(largest > 0 and done is None)
    axes.set_title(f"{title}: {words}" if words else title)


def _scale(values: np.ndarray, least: float) -> tuple[float, str]:
    """Return a power of ten that makes small values readable, and how the label writes it.

    `least` is the least size that an axis shows.
    """
    largest = np.fmax.reduce(np.abs(values), initial=least)
    if largest == 0 or largest >= 1e-2:
        return 1.0, ""
    exponent = math.floor(math.log10(largest))
    return 10.0**-exponent, rf"  ($\times 10^{{{exponent}}}$)"
