"""Several results in one picture: joint angles, torques, deflections and base ([SY94] figure 4, [FL17] figure 19)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from matplotlib.figure import Figure

from flexarm.errors import ResultError
from flexarm.plots.decimation import envelope
from flexarm.plots.style import colour, length_unit, line_style, new_figure, styled
from flexarm.results.dimensions import AXES
from flexarm.results.result import Result

ROW_HEIGHT = 1.4  # inches
ROUND_OFF = 1e-12
"""Of a position, relative to how far it goes in other directions."""
NAMES = {
    "joint_angle": ("joint angles", "angle (deg)", "joint"),
    "torque": ("joint torques", "torque (N m)", "joint"),
    "link_deflection": ("deflection at mid-link", "deflection", "link"),
    "base_position": ("position of the base, O_1", "position (m)", "along"),
}
"""Dataset -> title, label and what there is one row for."""


def overlays(results: Sequence[Result], labels: Sequence[str]) -> dict[str, Callable[[], Figure]]:
    """Return what draws each overlay of several results, by name.

    Raises
    ------
    ResultError
        Their arms have different numbers of links.
    """
    if len({len(result.arm.links) for result in results}) > 1:
        counts = ", ".join(
            f"{label}: {len(result.arm.links)}" for label, result in zip(labels, results, strict=True)
        )
        raise ResultError(f"cannot overlay arms with different numbers of links ({counts})")

    def drawing(name: str) -> Callable[[], Figure]:
        return lambda: _overlay(results, labels, name)

    recorded = [name for name in NAMES if all(name in result for result in results)]
    return {f"overlay-{name.replace('_', '-')}": drawing(name) for name in recorded}


def _overlay(results: Sequence[Result], labels: Sequence[str], name: str) -> Figure:
    """Draw one row per joint, link or direction in which the base moves, and one curve per result in it."""
    title, label, noun = NAMES[name]

    @styled
    def draw(first: Result) -> Figure:
        columns = _directions(results) if name == "base_position" else list(range(len(first.arm.links)))
        rows = len(columns)
        figure = new_figure(first, title, height=1.2 + ROW_HEIGHT * rows)
        figure.suptitle(title, x=0.01, ha="left")
        stacked = figure.subplots(rows, 1, squeeze=False)[:, 0].tolist()
        factor, unit = _scale(results, name)
        for k, (result, who) in enumerate(zip(results, labels, strict=True)):
            time, values = envelope(result, name)
            for i, axes in zip(columns, stacked, strict=True):
                t, value = (time[:, i], values[:, i]) if values.ndim == 2 else _sideways(time, values, i)
                axes.plot(t, factor * value, color=colour(k), linestyle=line_style(k), label=who)
        for i, axes in zip(columns, stacked, strict=True):
            axes.set_title(f"{noun} {AXES[i] if name == 'base_position' else i + 1}")
            axes.set_ylabel(f"{label} ({unit})" if unit else label)
            axes.tick_params(labelbottom=axes is stacked[-1])
            axes.sharex(stacked[0])
        stacked[-1].set_xlabel("time (s)")
        handles, names = stacked[0].get_legend_handles_labels()
        figure.legend(handles, names, loc="outside lower right", ncols=min(3, len(names)))
        figure.align_ylabels()
        return figure

    return draw(results[0])


def _scale(results: Sequence[Result], name: str) -> tuple[float, str]:
    """Factor and unit, where it is not in the label."""
    if name == "joint_angle":
        return float(np.rad2deg(1.0)), ""
    if name in ("torque", "base_position"):
        return 1.0, ""
    return length_unit(np.concatenate([result.link_deflection[:, :, 0].ravel() for result in results]))


def _directions(results: Sequence[Result]) -> list[int]:
    """Axes along which a base moves by more than round-off; the first if none does."""
    spans = np.max([np.ptp(result.base_position, axis=0) for result in results], axis=0)
    return np.flatnonzero(spans > ROUND_OFF * spans.max()).tolist() or [0]


def _sideways(time: np.ndarray, values: np.ndarray, link: int) -> tuple[np.ndarray, np.ndarray]:
    """Deflection in the middle of a link along y, the direction in which planar arms bend."""
    return time[:, link, 0, 1], values[:, link, 0, 1]
