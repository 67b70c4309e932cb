"""Dry friction: forces of walls on points that touch them, torques of joints that stick, and what both do."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from flexarm.plots.drawing.contact_states import band_patches, draw_bands
from flexarm.plots.drawing.decimation import thinned
from flexarm.plots.drawing.style import COLOURS, INK, QUIET, label_time, new_figure, styled
from flexarm.plots.drawing.walls import mark_impacts
from flexarm.results.result import Result
from flexarm.results.schema import SIMULATED
from flexarm.results.sticking import sticks
from flexarm.simulation.contact.constraints.active_contacts import SATURATED, SLIDING, STICKING

ROW_HEIGHT = 1.7  # inches
MOST_CONTACTS = 4
"""Contacts that are drawn: those with the largest forces."""
LIMIT: dict[str, Any] = {"color": QUIET, "linestyle": "--", "linewidth": 0.8}


def has_dry_friction(result: Result) -> bool:
    """Return whether any point has been on a wall with friction, or any joint may stick, in a simulation."""
    return bool(_dry_joints(result)) or ("contact_state" in result and bool(np.any(result["contact_state"])))


def _dry_joints(result: Result) -> tuple[int, ...]:
    return result.arm.dry_joints if result.kind in SIMULATED and "friction_torque" in result else ()


@styled
def contact_forces(result: Result) -> Figure:
    """Draw one row per contact, then one per joint: friction between its limits, and bands that say slides or sticks.

    Of a contact the force along the wall is drawn in the cone of friction.
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
    states = {SLIDING, STICKING, SATURATED} if contacts else {SLIDING, STICKING}
    for axes, patches in ((stacked[0], band_patches(states)), (stacked[len(contacts) % rows], [])):
        lines = axes.get_legend_handles_labels()[0]
        if axes.get_legend() is None:
            axes.legend(
                handles=[*lines, *patches], loc="upper left", bbox_to_anchor=(1.01, 1.02), borderaxespad=0
            )
    label_time(stacked, result)
    mark_impacts(stacked, result)
    figure.align_ylabels()
    return figure


def _chosen(result: Result) -> tuple[list[tuple[int, int]], int]:
    """Points and walls of the contacts that are drawn, and the number of those that are not."""
    if "contact_state" not in result:
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
    tangential, state = (result[f"contact_{name}"][:, point, wall] for name in ("tangential_force", "state"))
    friction = contact.frictions[wall]
    limit = normal * (0.0 if friction is None else friction.at_rest)
    draw_bands(axes, time, state)
    axes.plot(*thinned(time, normal), color=INK, label="along the normal")
    in_space = tangential.ndim == 2
    if in_space:  # its size, up to one limit
        tangential = np.linalg.norm(tangential, axis=1)
    for sign in (1,) if in_space else (1, -1):
        label = "limit of sticking" if sign > 0 else None
        axes.plot(*thinned(time, sign * limit), label=label, **LIMIT)
    axes.plot(*thinned(time, tangential), color=COLOURS[0], label="along the wall")


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
