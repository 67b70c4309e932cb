"""Convergence of a run: differences of tip, deflections and frequencies over the cost of the trials."""

from __future__ import annotations

import numpy as np
from matplotlib import style
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from flexarm.analysis.convergence.converge import Convergence
from flexarm.plots.drawing.style import COLOURS, INK, QUIET, RC, WIDTH, InlineFigure

HEIGHT = 6.4  # inches
KINDS = {
    "as described": ("o", 1),
    "modes that carry loads": ("D", 4),
    "segments x 2": ("s", 0),
    "one more mode": ("^", 2),
    "tolerances / 100": ("v", 3),
    "step / 2": ("v", 3),
    "coarser": (".", 5),
}
"""Beginning of a trial's label -> its marker and the number of its colour."""
ROOM = 3.0
"""Factor by which the axes reach beyond the largest and the smallest point."""


def convergence(found: Convergence) -> Figure:
    """Draw what differs from the finest run, over the operations of each trial."""
    with style.context(["default", RC]):
        return _draw(found)


def _draw(found: Convergence) -> Figure:
    finest = found.reference.trial
    others = [trial for trial in found.trials if trial is not finest]
    figure = InlineFigure(figsize=(WIDTH, HEIGHT), layout="constrained")
    figure.suptitle(
        f"{found.arm.name} ({_numbers(found.trials[0])}): differences from the finest run ({_numbers(finest)})",
        x=0.01,
        ha="left",
    )
    rows = [
        ("tip (m)", lambda trial: trial.distance(finest)),
        ("deflection (m)", lambda trial: trial.deflection_difference(finest)),
        ("lowest frequencies (relative)", lambda trial: trial.frequency_difference(finest)),
    ]
    rows = [row for row in rows if any(row[1](trial) > 0 for trial in others)]
    panels = figure.subplots(len(rows) or 1, 1, sharex=True, squeeze=False)[:, 0]
    for axes, (label, value) in zip(panels, rows, strict=False):
        _points(axes, found, others, np.array([value(trial) for trial in others]))
        axes.set_ylabel(label)
    tip = panels[0]
    limits = [*tip.get_ylim(), found.accuracy * ROOM, found.reference.rest / ROOM]
    tip.set_ylim(min(limits), max(one for one in limits if one < np.inf))
    tip.axhline(found.accuracy, color=INK, linewidth=0.9, linestyle="--", label="accuracy wanted")
    if 0 < found.reference.rest < np.inf:
        tip.axhline(
            found.reference.rest, color=QUIET, linewidth=0.9, linestyle=":", label="error of the finest run"
        )
    panels[-1].set_xlabel("operations of a run")
    figure.legend(*_once(tip), loc="outside lower left", ncols=4)
    return figure


def _points(axes: Axes, found: Convergence, trials: list, values: np.ndarray) -> None:
    axes.set(xscale="log", yscale="log")
    for trial, value in zip(trials, values, strict=True):
        if not value > 0:
            continue
        kind = next(kind for kind in KINDS if trial.label.startswith(kind))
        marker, colour = KINDS[kind]
        axes.plot(
            trial.operations, value, marker, color=COLOURS[colour], markersize=5, linestyle="", label=kind
        )
        if trial is found.cheapest:
            axes.plot(
                trial.operations, value, "o", markersize=9, markerfacecolor="none", markeredgecolor=INK,
                linestyle="", label=f"least cost ({_numbers(trial)})",
            )  # fmt: skip
    seen = values[values > 0]
    if seen.size:
        axes.set_ylim(seen.min() / ROOM, seen.max() * ROOM)
    cost = [trial.operations for trial in found.trials]
    axes.set_xlim(min(cost) / ROOM, max(cost) * ROOM)


def _numbers(trial) -> str:
    """Segments x modes of each link: 4 x 3."""
    texts = [
        f"{link.segments} x {'+'.join(str(own.count) for own in link.modes)}"
        for link in trial.resolution.links
        if link.modes
    ]
    return ", ".join(dict.fromkeys(texts)) or "rigid"


def _once(axes: Axes) -> tuple[list, list]:
    """Handles and labels of the legend, each once."""
    found: dict = {}
    for handle, label in zip(*axes.get_legend_handles_labels(), strict=True):
        found.setdefault(label, handle)
    return list(found.values()), list(found)
