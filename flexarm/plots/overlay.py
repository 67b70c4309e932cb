"""Several results in one picture: tip, joints, torques, deflections and base ([SY94] figure 4, [FL17] figure 19)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

import numpy as np
from matplotlib.figure import Figure

from flexarm.description.arm.joint.joint import Joint
from flexarm.description.arm.joint.words import worded
from flexarm.errors import ResultError
from flexarm.plots.drawing.decimation import envelope
from flexarm.plots.drawing.joint_scales import coordinate_scale
from flexarm.plots.drawing.style import colour, length_unit, line_style, new_figure, styled
from flexarm.results.dimensions import AXES
from flexarm.results.result import Result

ROW_HEIGHT = 1.4  # inches
ROUND_OFF = 1e-12
"""Of a value, relative to what other rows of its picture show."""


class Row(NamedTuple):
    """Row of an overlay: its title, and the column of the dataset that it shows."""

    title: str
    column: tuple[int, ...]


class Overlay(NamedTuple):
    """Overlay of one dataset.

    Attributes
    ----------
    dataset, title, label : str
        The label is that of a length; joints have their own.
    rows : callable
        From the number of links to all rows that there may be.
    from_zero : bool
        Whether what is constant is worth a row unless it is zero; else a row has to change or differ.
    """

    dataset: str
    title: str
    label: str
    rows: Callable[[int], list[Row]]
    from_zero: bool = False


def _joints(links: int) -> list[Row]:
    return [Row(f"joint {i + 1}", (i,)) for i in range(links)]


def _deflections(links: int, station: int) -> list[Row]:
    return [Row(f"link {i + 1}, along {AXES[k]}", (i, station, k)) for i in range(links) for k in (1, 2)]


OVERLAYS = {
    "tip": Overlay(
        "point_position",
        "position of the tip",
        "position",
        lambda links: [Row(f"along {axis}", (-1, k)) for k, axis in enumerate(AXES)],
    ),
    "joint-angle": Overlay("joint_angle", "joint angles", "", _joints),
    "torque": Overlay("torque", "joint torques", "", _joints, from_zero=True),
    "end-deflection": Overlay(
        "link_deflection",
        "deflection of the links' ends",
        "deflection",
        lambda links: _deflections(links, station=-1),
        from_zero=True,
    ),
    "link-deflection": Overlay(
        "link_deflection",
        "deflection at mid-link",
        "deflection",
        lambda links: _deflections(links, station=0),
        from_zero=True,
    ),
    "base-position": Overlay(
        "base_position",
        "position of the base, O_1",
        "position",
        lambda links: [Row(f"along {axis}", (k,)) for k, axis in enumerate(AXES)],
    ),
}
"""Name of the picture -> what it shows."""


def overlays(results: Sequence[Result], labels: Sequence[str]) -> dict[str, Callable[[], Figure]]:
    """Return what draws each overlay of several results, by name; where nothing moves, there is none.

    Raises
    ------
    ResultError
        Their arms have different numbers of links, or a joint turns in one and slides in another.
    """
    if len({len(result.arm.links) for result in results}) > 1:
        counts = ", ".join(
            f"{label}: {len(result.arm.links)}" for label, result in zip(labels, results, strict=True)
        )
        raise ResultError(f"cannot overlay arms with different numbers of links ({counts})")
    for i, own in enumerate(zip(*(result.arm.joints for result in results), strict=True), 1):
        if len({joint.kind.unit for joint in own}) > 1:
            types = ", ".join(f"{label}: {joint.type}" for label, joint in zip(labels, own, strict=True))
            raise ResultError(f"cannot overlay arms whose joints {i} have different units ({types})")
    drawing = {}
    for name, overlay in OVERLAYS.items():
        if all(overlay.dataset in result for result in results):
            curves = _over_common_time(results, [envelope(result, overlay.dataset) for result in results])
            if rows := _telling_rows(overlay, [values for _, values in curves], len(results[0].arm.links)):
                drawing[f"overlay-{name}"] = partial(_draw, overlay, rows, results, labels, curves)
    return drawing


def _draw(
    overlay: Overlay,
    rows: Sequence[Row],
    results: Sequence[Result],
    labels: Sequence[str],
    curves: Sequence[tuple[np.ndarray, np.ndarray]],
) -> Figure:
    """Draw one row per joint, link or direction, and one curve per result in it."""

    @styled
    def draw(first: Result) -> Figure:
        figure = new_figure(first, overlay.title, height=1.2 + ROW_HEIGHT * len(rows))
        figure.suptitle(worded(overlay.title, first.arm.joints), x=0.01, ha="left")
        stacked = figure.subplots(len(rows), 1, squeeze=False, sharex=True)[:, 0].tolist()
        scales = _scales(overlay, rows, [values for _, values in curves], first.arm.joints)
        for k, ((time, values), who) in enumerate(zip(curves, labels, strict=True)):
            for axes, row, (factor, _) in zip(stacked, rows, scales, strict=True):
                column = (slice(None), *row.column)
                axes.plot(
                    time[column], factor * values[column], color=colour(k), linestyle=_dashes(k), label=who
                )
        for axes, row, (_, label) in zip(stacked, rows, scales, strict=True):
            axes.set_title(row.title)
            axes.set_ylabel(label)
        stacked[-1].set_xlabel("time (s)")
        handles, names = stacked[0].get_legend_handles_labels()
        figure.legend(handles, names, loc="outside lower right", ncols=min(3, len(names)))
        figure.align_ylabels()
        return figure

    return draw(results[0])


def _dashes(k: int):
    """Line style of result `k`: every second one is dashed, so that what coincides is seen."""
    return "-" if k % 2 == 0 else line_style(6)


def _over_common_time(
    results: Sequence[Result], curves: list[tuple[np.ndarray, np.ndarray]]
) -> list[tuple[np.ndarray, np.ndarray]]:
    """Curves over the time that all have, if all are inverse runs, each of which may begin before the task.

    One that begins before it and ends after it would make the task itself small.
    """
    if any(result.kind != "inverse" for result in results):
        return curves
    start, end = (pick(float(result["time"][k]) for result in results) for pick, k in ((max, 0), (min, -1)))
    shown = []
    for time, values in curves:
        rows = ((time >= start) & (time <= end)).reshape(len(time), -1).any(axis=1)
        shown.append((time[rows], values[rows]) if rows.any() else (time, values))
    return shown


def _telling_rows(overlay: Overlay, values: Sequence[np.ndarray], links: int) -> list[Row]:
    """Rows in which something moves, or which differ from result to result, by more than round-off."""
    rows = overlay.rows(links)
    spans = []
    for row in rows:
        shown = np.concatenate([one[(slice(None), *row.column)] for one in values])
        spans.append(np.abs(shown).max() if overlay.from_zero else np.ptp(shown))
    largest = max([*spans, 1.0 if overlay.dataset == "joint_angle" else 0.0])  # an angle itself has a scale
    return [row for row, span in zip(rows, spans, strict=True) if span > ROUND_OFF * largest]


def _scales(
    overlay: Overlay, rows: Sequence[Row], values: Sequence[np.ndarray], joints: Sequence[Joint]
) -> list[tuple[float, str]]:
    """Factor from the dataset's unit, and label, of each row; rows of lengths share them."""
    columns = [np.concatenate([one[(slice(None), *row.column)] for one in values]) for row in rows]
    if overlay.dataset == "joint_angle":
        kinds = [joints[row.column[0]].kind for row in rows]
        scales = [coordinate_scale(kind, column) for kind, column in zip(kinds, columns, strict=True)]
        return [
            (factor, f"{kind.coordinate} ({unit})")
            for kind, (factor, unit) in zip(kinds, scales, strict=True)
        ]
    if overlay.dataset == "torque":
        kinds = [joints[row.column[0]].kind for row in rows]
        return [(1.0, f"{kind.force} ({kind.force_unit})") for kind in kinds]
    factor, unit = length_unit(np.concatenate(columns))
    return [(factor, f"{overlay.label} ({unit})")] * len(rows)
