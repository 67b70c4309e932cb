"""Pictures of sensitivities: what a per cent of each number changes, as bars and as bands over time."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
from matplotlib.figure import Figure

from flexarm.plots.drawing.style import INK, WIDTH, InlineFigure, colour, styled
from flexarm.sweeps.sensitivity.gradient import Gradient

ROW = 0.22
"""Height of a bar [inch]."""
PANEL = 1.7
"""Height of a picture over time [inch]."""
MOST_PANELS = 8
PER_CENT = 5
"""Change of a number that the bands show."""


@styled
def bars(found: Gradient) -> Figure:
    """Draw, for each record, the change that one per cent of each number makes."""
    count, keys = len(found.of), len(found.by)
    figure = _figure(
        found, "change of each record when a number grows by 1 %", 0.6 + count * (ROW * keys + 0.6)
    )
    for i, axes in enumerate(figure.subplots(count, 1, squeeze=False)[:, 0]):
        changes = found.per_cent[i]
        order = np.argsort(np.nan_to_num(np.abs(changes)))
        axes.barh(range(keys), changes[order], color=[colour(k) for k in order], height=0.7)
        axes.set_yticks(range(keys), [_label(found, i, k) for k in order])
        axes.axvline(0.0, color=INK, linewidth=0.6)
        name = found.of[i]
        axes.set_title(f"{name} = {found.value[i]:.4g} {found.units[name]}", loc="left")
        axes.set_xlabel(f"change ({found.units[name]})")
        axes.grid(visible=False, axis="y")
    return figure


@styled
def bands(found: Gradient) -> Figure:
    """Draw quantities over time with a band of what some per cent of each number change, to first order."""
    columns = _columns(found)[:MOST_PANELS]
    figure = _figure(
        found, f"bands: each number changed by {PER_CENT} %, to first order", 0.8 + PANEL * len(columns)
    )
    stacked = figure.subplots(len(columns), 1, sharex=True, squeeze=False)[:, 0]
    for axes, (name, index) in zip(stacked, columns, strict=True):
        value = found.series[name][(slice(None), *index)]
        axes.plot(found.times, value, color=INK, linewidth=0.9)
        for k, key in enumerate(found.by):
            change = found.series_derivative[name][(k, slice(None), *index)] * found.at[k] * PER_CENT / 100
            band = axes.fill_between(found.times, value - change, value + change, color=colour(k), alpha=0.35)
            band.set(linewidth=0, label=key, zorder=2 - np.abs(change).max())
        axes.set_title(f"{name}{list(index)}" if index else name, loc="left")
        axes.set_ylabel(f"({found.units[name]})")
    stacked[0].legend(loc="best", ncols=2)
    stacked[-1].set_xlabel("time (s)")
    figure.align_ylabels()
    return figure


def sensitivity_figures(found: Gradient) -> dict[str, Callable[[], Figure]]:
    """Return what draws each picture of a gradient, by name."""
    figures = {}
    if found.of:
        figures["bars"] = partial(bars, found)
    if _columns(found):
        figures["bands"] = partial(bands, found)
    return figures


def _columns(found: Gradient) -> list[tuple[str, tuple[int, ...]]]:
    """Columns of the quantities over time that any of the numbers changes."""
    return [
        (name, index)
        for name, derivative in found.series_derivative.items()
        for index in np.ndindex(derivative.shape[2:])
        if np.any(derivative[(slice(None), slice(None), *index)])
    ]


def _figure(found: Gradient, what: str, height: float) -> Figure:
    figure = InlineFigure(figsize=(WIDTH, height), layout="constrained")
    figure.suptitle(f"{found.arm.name}: {what}", x=0.01, ha="left")
    return figure


def _label(found: Gradient, i: int, k: int) -> str:
    """Name of a key, and why there is no bar."""
    key = found.by[k]
    return f"{key} (no derivative)" if (found.of[i], key) in found.reasons else key
