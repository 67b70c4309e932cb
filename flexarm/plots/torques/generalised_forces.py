"""Generalised forces and what they are made of, [NA04] eq. 24."""

from __future__ import annotations

import re

import numpy as np
from matplotlib.figure import Figure

from flexarm.model.coordinate_units import FORCE_UNITS, coordinate_units
from flexarm.model.coordinates import arm_coordinates
from flexarm.plots.drawing.decimation import any_nonzero, envelope
from flexarm.plots.drawing.style import colour, label_time, legend_beside, line_style, new_figure, styled
from flexarm.results.result import Result
from flexarm.results.schema import FORCE_TERMS

MOST_ROWS = 8
"""Coordinates in one picture: those with the largest forces among more."""


def has_generalised_forces(result: Result) -> bool:
    """Return whether generalised forces were recorded."""
    return "force_inertia" in result


@styled
def generalised_forces(result: Result) -> Figure:
    """Draw one row per coordinate; what drives and loads do, which the others add up to, is dashed."""
    arm = result.arm
    labels, units = arm_coordinates(arm).labels, coordinate_units(arm)
    shown = {
        name: envelope(result, f"force_{name}")
        for name in FORCE_TERMS
        if any_nonzero(result, f"force_{name}")
    }
    largest = np.max([np.abs(values).max(axis=0) for _, values in shown.values()], axis=0, initial=0.0)
    rows = np.sort(np.argsort(-largest, kind="stable")[:MOST_ROWS])
    figure = new_figure(result, "generalised forces", height=0.8 + 1.5 * len(rows))
    panels = list(figure.subplots(len(rows), 1, squeeze=False)[:, 0])
    for axes, row in zip(panels, rows, strict=True):
        for k, (name, (time, values)) in enumerate(shown.items()):
            if axes is not panels[0] and not np.any(values[:, row]):
                continue
            dashed = name in ("drive", "load")
            axes.plot(
                time[:, row], values[:, row], color=colour(k), label=FORCE_TERMS[name],
                linestyle="--" if dashed else line_style(0),
            )  # fmt: skip
        axes.set_ylabel(f"{_of(labels[row])} ({FORCE_UNITS[units[row]]})")
    legend_beside(panels[0])
    label_time(panels, result)
    figure.align_ylabels()
    return figure


def _of(label: str) -> str:
    """Name of the force on a coordinate: on joint 1, on mode 2 of link 1, along X_1."""
    if match := re.fullmatch(r"q_(\d+)", label):
        return f"joint {match[1]}"
    if match := re.fullmatch(r"motor_(\d+)", label):
        return f"motor {match[1]}"
    if match := re.fullmatch(r"delta_(\d+)_(\d+)", label):
        return f"link {match[1]}, mode {match[2]}"
    return f"base, {label}"
