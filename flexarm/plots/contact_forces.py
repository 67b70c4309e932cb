"""Forces of walls with friction on points that touch them, between the limits of sticking, and what the points do."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Patch

from flexarm.plots.drawing.decimation import MAX_POINTS, thinned
from flexarm.plots.drawing.style import COLOURS, INK, QUIET, label_time, new_figure, styled, tint
from flexarm.plots.drawing.walls import mark_impacts
from flexarm.results.result import Result
from flexarm.simulation.contact.active_contacts import SATURATED, SLIDING, STICKING

ROW_HEIGHT = 1.7  # inches
MOST_CONTACTS = 4
"""Contacts that are drawn: those with the largest forces."""
STATES = (
    (SLIDING, "slides", COLOURS[4]),
    (STICKING, "sticks", COLOURS[2]),
    (SATURATED, "at the limit", COLOURS[3]),
)
"""States of contacts, as they are recorded, their words and colours."""


def has_wall_friction(result: Result) -> bool:
    """Return whether any point has been on a wall with friction."""
    return "contact_state" in result and bool(np.any(result["contact_state"]))


@styled
def contact_forces(result: Result) -> Figure:
    """Draw one row per contact: force along the wall in the cone of friction, and bands that say slides or sticks."""
    normal = result["contact_force"]
    largest = normal.max(axis=0)
    order = np.argsort(-largest, axis=None, kind="stable")[:MOST_CONTACTS]
    chosen = sorted(divmod(int(k), normal.shape[2]) for k in order if largest.flat[k] > 0)
    title = "forces of walls on points that are on them"
    if (left := np.count_nonzero(largest) - len(chosen)) > 0:
        title += f", without {left} smaller one{'s' * (left != 1)}"
    figure = new_figure(result, title, height=0.9 + ROW_HEIGHT * len(chosen))
    stacked = figure.subplots(len(chosen), 1, squeeze=False)[:, 0].tolist()
    contact = result.arm.contact
    assert contact is not None
    names = [place.name for place in contact.places(len(result.arm.links))]
    for axes, (point, wall) in zip(stacked, chosen, strict=True):
        _draw_contact(axes, result, point, wall)
        axes.set_title(f"{names[point]}, wall {wall + 1}")
        axes.set_ylabel("force (N)")
    patches = [Patch(color=tint(colour), label=word) for _, word, colour in STATES]
    lines = stacked[0].get_legend_handles_labels()[0]
    stacked[0].legend(
        handles=[*lines, *patches], loc="upper left", bbox_to_anchor=(1.01, 1.02), borderaxespad=0
    )
    label_time(stacked, result)
    mark_impacts(stacked, result)
    figure.align_ylabels()
    return figure


def _draw_contact(axes: Axes, result: Result, point: int, wall: int) -> None:
    time, normal = result["time"], result["contact_force"][:, point, wall]
    tangential, state = (result[f"contact_{name}"][:, point, wall] for name in ("tangential_force", "state"))
    friction = result.arm.contact.frictions[wall]  # pyright: ignore[reportOptionalMemberAccess]
    limit = normal * (0.0 if friction is None else friction.at_rest)
    every = -(-time.size // MAX_POINTS)
    for k, _, colour in STATES:
        axes.fill_between(
            time[::every], 0, 1, where=state[::every] == k, color=tint(colour), alpha=0.5, linewidth=0,
            transform=axes.get_xaxis_transform(), zorder=0.5,
        )  # fmt: skip
    axes.plot(*thinned(time, normal), color=INK, label="along the normal")
    in_space = tangential.ndim == 2
    if in_space:  # its size, up to one limit
        tangential = np.linalg.norm(tangential, axis=1)
    for sign in (1,) if in_space else (1, -1):
        label = "limit of sticking" if sign > 0 else None
        axes.plot(*thinned(time, sign * limit), color=QUIET, linestyle="--", linewidth=0.8, label=label)
    axes.plot(*thinned(time, tangential), color=COLOURS[0], label="along the wall")
