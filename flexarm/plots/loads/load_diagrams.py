"""Diagrams of bending moment, shear force, axial force, torsion and stress along the arm."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import NDArray

from flexarm.analysis.loads.largest_loads import ROUND_OFF, across
from flexarm.plots.drawing.style import COLOURS, INK, QUIET, new_figure, styled, tint
from flexarm.results.result import Result
from flexarm.results.schema import DATASETS

Array = NDArray[np.float64]

ROW_HEIGHT = 1.35  # inches
IN_SIGHT = 1 / 3
"""Stress, as a part of the strength, from which the strength is drawn."""
BLOCK_ROWS = 50_000
ROWS = (
    ("bending moment", "section_moment", {"about y": 1, "about z": 2}),
    ("shear force", "section_force", {"along y": 1, "along z": 2}),
    ("axial force", "section_force", {"": 0}),
    ("torsion moment", "section_moment", {"": 0}),
    ("stress", "stress_max", {"": 0}),
)
"""Diagrams: what they show, its dataset, and the components that are drawn."""


@dataclass
class LoadRange:
    """Loads at the stations of an arm: their range over time, and what they are when it bends most.

    Attributes
    ----------
    sample : int
        That with the largest bending moment.
    time : float [s]
        Its time.
    lowest, highest, worst : dict
        Dataset -> values (n_links, stations, components); those of stress have one component.
    """

    sample: int = 0
    time: float = 0.0
    lowest: dict[str, Array] = field(default_factory=dict)
    highest: dict[str, Array] = field(default_factory=dict)
    worst: dict[str, Array] = field(default_factory=dict)


def has_loads(result: Result) -> bool:
    """Return whether forces and moments of sections were recorded."""
    return "section_force" in result and result.n_samples > 0


def load_range(result: Result) -> LoadRange:
    """Find the range of the recorded loads over time, and those at the largest bending moment."""
    found, most = LoadRange(), -1.0
    names = [name for name in dict.fromkeys(row[1] for row in ROWS) if name in result]
    for first in range(0, result.n_samples, BLOCK_ROWS):
        part = slice(first, first + BLOCK_ROWS)
        block = {name: result.rows(name, part) for name in names}
        if "stress_max" in block:
            block["stress_max"] = block["stress_max"][..., None]
        bent = np.fmax.reduce(
            across(block["section_moment"]).reshape(len(block["section_moment"]), -1), axis=1
        )
        bent = np.nan_to_num(bent, nan=0.0)
        k = int(np.argmax(bent))
        if bent[k] > most:
            most, found.sample = bent[k], first + k
            found.worst = {name: values[k] for name, values in block.items()}
        for name, values in block.items():
            low, high = np.fmin.reduce(values, axis=0), np.fmax.reduce(values, axis=0)
            found.lowest[name] = np.fmin(found.lowest[name], low) if first else low
            found.highest[name] = np.fmax(found.highest[name], high) if first else high
    found.time = float(result.rows("time", slice(found.sample, found.sample + 1))[0])
    return found


def scale(values: Array, unit: str) -> tuple[float, str]:
    """Return the factor from a unit of force, moment or stress, and the unit in which values (..) read well."""
    if unit == "Pa":
        return 1e-6, "MPa"
    largest = np.nanmax(np.abs(values), initial=0.0)
    return (1e-3, f"k{unit}") if largest >= 1e4 else (1.0, unit)


@styled
def load_diagrams(result: Result) -> Figure:
    """Draw what the links carry along the arm when it bends most, over the range of the whole motion.

    Rows and components that are zero are left out; links follow each other, their joints are the upright lines.
    """
    loads, moves = load_range(result), result.n_samples > 1
    rows = [(row, shown) for row in ROWS if (shown := _shown(row, loads))] or [(ROWS[0], ROWS[0][2])]
    title = "what the links carry"
    title += f" when they bend most, t = {loads.time:.4g} s\nshaded: range over time" if moves else " at rest"
    figure = new_figure(result, title, height=0.8 + ROW_HEIGHT * len(rows))
    stacked = figure.subplots(len(rows), 1, sharex=True, squeeze=False)[:, 0].tolist()
    ends = np.cumsum([0.0, *(link.length for link in result.arm.links)])
    for axes, ((name, dataset, every), components) in zip(stacked, rows, strict=True):
        _draw(axes, result, loads, dataset, components, moves)
        factor, unit = scale(
            np.stack([loads.lowest[dataset], loads.highest[dataset]]), DATASETS[dataset].units
        )
        axes.yaxis.set_major_formatter(lambda value, _, factor=factor: f"{factor * value:.6g}")
        axes.set_ylabel(f"{name} ({unit})".replace(" moment", "\nmoment"))
        handles = {text: handle for handle, text in zip(*axes.get_legend_handles_labels(), strict=True)}
        if handles and (len(every) > 1 or "strength" in handles):
            axes.legend(handles.values(), handles.keys(), loc="best", ncols=2)
        for end in ends:
            axes.axvline(end, color=QUIET, linewidth=0.6, gid="joint")
    stacked[-1].set_xlim(0.0, max(ends[-1], 1e-9))
    stacked[-1].set_xlabel("along the arm (m)")
    for i, link in enumerate(result.arm.links):
        if link.length > 0.08 * ends[-1]:
            stacked[0].annotate(
                f"link {i + 1}", ((ends[i] + ends[i + 1]) / 2, 1.0), xycoords=("data", "axes fraction"),
                xytext=(0, 3), textcoords="offset points", ha="center", color=QUIET, fontsize=7.5,
            )  # fmt: skip
    figure.align_ylabels()
    return figure


def _shown(row: tuple[str, str, dict[str, int]], loads: LoadRange) -> dict[str, int]:
    """Components of a row that are more than round-off."""
    _, dataset, components = row
    if dataset not in loads.highest:
        return {}
    sizes = np.fmax(np.abs(loads.lowest[dataset]), np.abs(loads.highest[dataset])).reshape(
        -1, loads.highest[dataset].shape[-1]
    )
    largest = np.nanmax(sizes, initial=0.0)
    return {
        name: k for name, k in components.items() if np.nanmax(sizes[:, k], initial=0.0) > ROUND_OFF * largest
    }


def _draw(
    axes: Axes, result: Result, loads: LoadRange, dataset: str, components: dict[str, int], moves: bool
) -> None:
    """Draw components along every link; those known at its ends alone as dots."""
    stations, start = np.array(result.arm.run.load_stations), 0.0
    first = next((i for i, link in enumerate(result.arm.links) if link.length), 0)
    colours = {0: COLOURS[0], 1: COLOURS[1], 2: COLOURS[0]}
    near = dataset == "stress_max" and any(
        link.material
        and link.material.strength
        and np.nanmax(highest, initial=0.0) > IN_SIGHT * link.material.strength
        for link, highest in zip(result.arm.links, loads.highest[dataset], strict=True)
    )
    for i, link in enumerate(result.arm.links):
        place = start + stations * link.length
        start += link.length
        if link.length == 0:
            continue
        for name, k in components.items():
            values = loads.worst[dataset][i, :, k]
            colour = COLOURS[2] if dataset == "stress_max" else colours[k]
            if moves:
                low, high = loads.lowest[dataset][i, :, k], loads.highest[dataset][i, :, k]
                axes.fill_between(
                    place, low, high, color=tint(colour), alpha=0.45, linewidth=0.0, gid="range"
                )
            known = np.isfinite(values)
            axes.plot(
                place, values, color=colour, label=name if i == first else None, gid=f"link {i + 1} {name}".strip(),
                marker="" if known.all() else ".",
            )  # fmt: skip
        strength = link.material.strength if near and link.material else None
        if strength:
            axes.plot(
                place[[0, -1]], [strength] * 2, color=INK, linewidth=0.9, linestyle="--", label="strength",
                gid="strength",
            )  # fmt: skip
    if dataset != "stress_max":
        axes.axhline(0.0, color=QUIET, linewidth=0.6)
    else:
        axes.set_ylim(bottom=0.0)
