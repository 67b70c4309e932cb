"""Forces of walls that rub or are soft on points that touch them, torques of joints that stick, and what both do."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from flexarm.plots.drawing.contact_states import band_patches, draw_bands
from flexarm.plots.drawing.decimation import thinned
from flexarm.plots.drawing.style import COLOURS, INK, QUIET, label_time, new_figure, styled
from flexarm.plots.drawing.walls import mark_impacts
from flexarm.results.events.sticking import sticks
from flexarm.results.result import Result
from flexarm.results.schema import SIMULATED
from flexarm.simulation.contact.constraints.active_contacts import SATURATED, SLIDING, STICKING

ROW_HEIGHT = 1.7  # inches
MOST_CONTACTS = 4
"""Contacts that are drawn: those with the largest forces."""
TOUCHING = ("contact_state", "contact_penetration")
"""Datasets of contacts that are drawn."""
LIMIT: dict[str, Any] = {"color": QUIET, "linestyle": "--", "linewidth": 0.8}


def has_forces(result: Result) -> bool:
    """Return whether any point has been on a wall that rubs, or in a soft one, or any joint may stick."""
    touching = any(name in result and bool(np.any(result[name])) for name in TOUCHING)
    return bool(_dry_joints(result)) or touching


def _dry_joints(result: Result) -> tuple[int, ...]:
    return result.arm.dry_joints if result.kind in SIMULATED and "friction_torque" in result else ()


@styled
def contact_forces(result: Result) -> Figure:
    """Draw one row per contact, then one per joint: friction between its limits, and bands that say slides or sticks.

    Of a contact the force along the wall is drawn in the cone of friction, and of one in a soft wall its depth.
    """
    contacts, left = _chosen(result)
    joints = _dry_joints(result)
    parts = ["forces of walls on points that are on them"] * bool(contacts)
    parts += ["dry friction of joints"] * bool(joints)
    title = "; ".join(parts)
    if left > 0:
        title += f", without {left} smaller one{'s' * (left != 1)}"
    rows = len(contacts) + len(joints)
    figure = new_figure(result, title, height=0.9 + ROW_HEIGHT * rows)
    stacked = figure.subplots(rows, 1, squeeze=False)[:, 0].tolist()
    for axes, (point, wall) in zip(stacked, contacts, strict=False):
        _draw_contact(axes, result, point, wall)
    for axes, joint in zip(stacked[len(contacts) :], joints, strict=True):
        _draw_joint(axes, result, joint)
    rigid = [wall for _, wall in contacts if _is_rigid(result, wall)]
    states = {SLIDING} if contacts and not rigid and not joints else {SLIDING, STICKING}
    states |= {SATURATED} if rigid else set()
    right = 1.01 if len(rigid) == len(contacts) else 1.09  # of the scale of depths
    for axes, patches in ((stacked[0], band_patches(states)), (stacked[len(contacts) % rows], [])):
        lines = axes.get_legend_handles_labels()[0]
        if axes.get_legend() is None:
            axes.legend(
                handles=[*lines, *patches], loc="upper left", bbox_to_anchor=(right, 1.02), borderaxespad=0
            )
    label_time(stacked, result)
    mark_impacts(stacked, result)
    figure.align_ylabels()
    return figure


def _chosen(result: Result) -> tuple[list[tuple[int, int]], int]:
    """Points and walls of the contacts that are drawn, and the number of those that are not."""
    if not any(name in result for name in TOUCHING):
        return [], 0
    normal = result["contact_force"]
    largest = normal.max(axis=0)
    order = np.argsort(-largest, axis=None, kind="stable")[:MOST_CONTACTS]
    chosen = sorted(divmod(int(k), normal.shape[2]) for k in order if largest.flat[k] > 0)
    return chosen, int(np.count_nonzero(largest)) - len(chosen)


def _draw_contact(axes: Axes, result: Result, point: int, wall: int) -> None:
    contact = result.arm.contact
    assert contact is not None
    axes.set_title(f"{contact.places(len(result.arm.links))[point].name}, wall {wall + 1}")
    axes.set_ylabel("force (N)")
    time, normal = result["time"], result["contact_force"][:, point, wall]
    axes.plot(*thinned(time, normal), color=INK, label="along the normal")
    if not _is_rigid(result, wall):
        _draw_depth(axes, time, result["contact_penetration"][:, point, wall])
    if "contact_state" not in result:
        return
    tangential, state = (result[f"contact_{name}"][:, point, wall] for name in ("tangential_force", "state"))
    friction = contact.frictions[wall]
    limit = normal * (0.0 if friction is None else friction.at_rest)
    draw_bands(axes, time, state)
    in_space = tangential.ndim == 2
    if in_space:  # its size, up to one limit
        tangential = np.linalg.norm(tangential, axis=1)
    for sign in (1,) if in_space else (1, -1):
        label = "limit of sticking" if sign > 0 else None
        axes.plot(*thinned(time, sign * limit), label=label, **LIMIT)
    axes.plot(*thinned(time, tangential), color=COLOURS[0], label="along the wall")


def _is_rigid(result: Result, wall: int) -> bool:
    return result.arm.contact is not None and wall in result.arm.contact.rigid


def _draw_depth(axes: Axes, time: np.ndarray, depth: np.ndarray) -> None:
    """Draw the depth (k,) [m] in a soft wall on a scale of its own."""
    beside = axes.twinx()
    beside.plot(*thinned(time, 1e3 * depth), color=COLOURS[1], linewidth=0.9, linestyle=":")
    beside.set_ylabel("depth (mm)", color=COLOURS[1])
    beside.set_ylim(bottom=0.0)
    axes.plot([], [], color=COLOURS[1], linewidth=0.9, linestyle=":", label="depth in the wall")


def _draw_joint(axes: Axes, result: Result, joint: int) -> None:
    own = result.arm.joints[joint]
    axes.set_title(f"joint {joint + 1}")
    axes.set_ylabel(f"{own.kind.force} ({own.kind.force_unit})")
    time = result["time"]
    draw_bands(axes, time, np.where(sticks(result, joint), STICKING, SLIDING))
    for sign in (1, -1):
        label = "limit of sticking" if sign > 0 else None
        axes.axhline(sign * own.friction.at_rest, label=label, **LIMIT)
    axes.plot(*thinned(time, result["friction_torque"][:, joint]), color=COLOURS[0], label="of dry friction")
