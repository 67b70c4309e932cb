"""Pictures of a fit: measured and simulated columns, what is left over, and correlations of the unknowns."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
from matplotlib import style
from matplotlib.figure import Figure

from flexarm.identification.worth.fitted_series import FittedResponse, FittedRun
from flexarm.identification.worth.goodness import autocorrelations
from flexarm.identification.worth.identification import Identification
from flexarm.plots.diagrams.frequency_response import phase_with_gaps
from flexarm.plots.drawing.style import COLOURS, INK, QUIET, RC, WIDTH, InlineFigure, legend_beside

ROW = 1.5
"""Height of a panel, inches."""
WHITE_BAND = 2.58
"""Standard deviations of an autocorrelation of white noise within which 99 per cent of them are."""
MOST_NUMBERS = 12
"""Unknowns whose correlations are written into the map."""


def fit_figures(found: Identification) -> dict[str, Callable[[], Figure]]:
    """Pictures of a fit by name, drawn when they are called."""
    figures: dict[str, Callable[[], Figure]] = {}
    held_back = [run for run, _ in found.checks]
    runs = [*((run, False) for run in found.runs), *((run, True) for run in held_back)]
    for k, (run, held) in enumerate(runs, start=1):
        number = f"-{k}" if len(runs) > 1 else ""
        figures[f"measured-and-simulated{number}"] = partial(_styled, _over_time, found, run, held)
        figures[f"residuals{number}"] = partial(_styled, _residuals, found, run, held)
    if found.response is not None:
        figures["frequency-response"] = partial(_styled, _frequency_response, found, found.response)
    if len(found.names) > 1:
        figures["correlations"] = partial(_styled, _correlations, found)
    return figures


def _styled(draw: Callable[..., Figure], *arguments: object) -> Figure:
    with style.context(["default", RC]):
        return draw(*arguments)


def _figure(found: Identification, title: str, height: float) -> Figure:
    figure = InlineFigure(figsize=(WIDTH, height), layout="constrained")
    figure.suptitle(f"{found.arm.name}: {title}", x=0.01, ha="left")
    return figure


def _of(run: FittedRun, held: bool) -> str:
    return run.name + ", held back" * held


def _over_time(found: Identification, run: FittedRun, held: bool) -> Figure:
    """Draw measured and simulated columns over time."""
    count = len(found.columns)
    figure = _figure(found, f"measured and simulated, {_of(run, held)}", 0.7 + ROW * count)
    panels = figure.subplots(count, 1, sharex=True, squeeze=False)[:, 0]
    for c, (axes, column) in enumerate(zip(panels, found.columns, strict=True)):
        axes.plot(
            run.times, run.measured[:, c], ".", color=QUIET, markersize=2, label="measured",
            gid=f"measured {column.name}", rasterized=True,
        )  # fmt: skip
        axes.plot(
            run.times,
            run.simulated[:, c],
            color=COLOURS[0],
            label="simulated",
            gid=f"simulated {column.name}",
        )
        axes.set_ylabel(_label(column.name, column.unit))
    legend_beside(panels[0], markerscale=4)
    panels[-1].set_xlabel("time (s)")
    return figure


def _residuals(found: Identification, run: FittedRun, held: bool) -> Figure:
    """Draw what is left over of each column over time, and its autocorrelations."""
    count = len(found.columns)
    figure = _figure(
        found, f"measured minus simulated, {_of(run, held)}; grey: 99 % of white noise", 0.7 + ROW * count
    )
    panels = figure.subplots(count, 2, squeeze=False, sharex="col", width_ratios=[2, 1])
    left = run.measured - run.simulated
    for c, ((over_time, correlated), column) in enumerate(zip(panels, found.columns, strict=True)):
        over_time.plot(run.times, left[:, c], color=COLOURS[0], linewidth=0.5, gid=f"residual {column.name}")
        over_time.set_ylabel(_label(column.name, column.unit))
        r, band = autocorrelations(left[:, c]), WHITE_BAND / np.sqrt(len(left))
        correlated.axhspan(-band, band, color=QUIET, alpha=0.2, linewidth=0)
        correlated.vlines(
            np.arange(1, r.size + 1), 0, r, color=COLOURS[0], gid=f"autocorrelation {column.name}"
        )
        correlated.axhline(0, color=INK, linewidth=0.6)
        reach = max(1.1 * np.abs(r).max(initial=0.0), 3 * band)
        correlated.set_ylim(-reach, reach)
    panels[0, 1].set_title("autocorrelation")
    panels[-1, 0].set_xlabel("time (s)")
    panels[-1, 1].set_xlabel("lag (rows)")
    return figure


def _frequency_response(found: Identification, response: FittedResponse) -> Figure:
    """Draw magnitude and phase, measured and fitted, over the frequency."""
    figure = _figure(found, f"{' to '.join(response.channel)}, measured and fitted", 3.6)
    magnitude, phase = figure.subplots(2, 1, sharex=True)
    for values, style_of, label in (
        (response.measured, {"marker": "+", "linestyle": "", "color": INK, "markersize": 4}, "measured"),
        (response.fitted, {"color": COLOURS[0]}, "fitted"),
    ):
        magnitude.loglog(
            response.frequencies, np.abs(values), label=label, gid=f"{label} magnitude", **style_of
        )
        phase.semilogx(*phase_with_gaps(response.frequencies, values), gid=f"{label} phase", **style_of)
    magnitude.set_ylabel("magnitude (SI units)")
    phase.set(ylabel="phase (deg)", xlabel="frequency (Hz)", ylim=(-190, 190), yticks=range(-180, 181, 90))
    legend_beside(magnitude)
    return figure


def _correlations(found: Identification) -> Figure:
    """Draw the correlations of the unknowns as a map; grey where one is not known."""
    n = len(found.names)
    figure = _figure(found, "correlations of the unknowns", 1.2 + 0.42 * n)
    axes = figure.subplots()
    shown = np.ma.masked_invalid(found.correlation)
    axes.set_facecolor("#d9d9d9")
    image = axes.imshow(shown, cmap="RdBu_r", vmin=-1, vmax=1, gid="correlations")
    axes.grid(visible=False)
    axes.set_xticks(range(n), found.names, rotation=40, ha="right")
    axes.set_yticks(range(n), found.names)
    if n <= MOST_NUMBERS:
        for (i, j), value in np.ndenumerate(shown.filled(np.nan)):
            if np.isfinite(value):
                tone = "white" if abs(value) > 0.6 else INK
                axes.text(j, i, f"{value:.2f}", ha="center", va="center", color=tone, fontsize=6.5)
    figure.colorbar(image, ax=axes, label="correlation", shrink=0.9)
    return figure


def _label(name: str, unit: str) -> str:
    return f"{name} (1)" if unit == "1" else f"{name} ({unit})"
