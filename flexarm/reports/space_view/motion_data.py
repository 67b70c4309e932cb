"""What the view in space has to know of a result: its motion at the instants that are shown, walls, impacts, paths."""

from __future__ import annotations

from itertools import accumulate
from typing import Any

import numpy as np

from flexarm.description.arm.arm import Arm
from flexarm.description.arm.walls import HalfPlane, Wall
from flexarm.errors import ResultError
from flexarm.model.coordinates import arm_coordinates
from flexarm.plots.animation.animate import automatic_magnification
from flexarm.plots.animation.interpolation import end_times, frame_times, postures
from flexarm.plots.drawing.decimation import MAX_POINTS, envelope, path
from flexarm.plots.drawing.planarity import is_spatial
from flexarm.plots.drawing.views import Rods, upright
from flexarm.plots.loads.shown_load import ShownLoad
from flexarm.reports.space_view.arm_positions import ArmPositions, arm_positions
from flexarm.reports.space_view.load_data import load_data
from flexarm.reports.space_view.packing import packed
from flexarm.results.result import Result

PLAY_SECONDS = (3.0, 20.0)
"""Playing a motion at its first speed lasts no shorter and no longer; within, it runs in real time."""
FRAMES = 60.0
"""Instants for each second of playing at that speed; the page interpolates linearly in between."""
MOST_NUMBERS = 250_000
"""Numbers that describe a motion; of an arm with many coordinates there are fewer instants."""
MOST_IMPACTS = 1000
"""Impacts that are shown; of more, some that are spread evenly."""
STRUCK = ("impact_time", "touch_time")
"""Lists of instants in which points strike walls, the first that there is."""


def motion_data(result: Result) -> dict[str, Any]:
    """Collect what the page is told about a result of one sample or more, ready for JSON.

    Raises
    ------
    ResultError
        Coordinates or positions are not finite.
    """
    arm = result.arm
    speed = play_speed(result)
    times = _instants(result, speed)
    extent = _extent(result)
    if not np.isfinite(extent).all():
        raise ResultError(f"cannot read {result.path or 'this result'}: its positions are not finite numbers")
    trace_times, trace = path(result)
    load = ShownLoad.of(result)
    data: dict[str, Any] = {
        "times": packed(times, "f8"),
        "theta": packed(postures(result, times), "f4"),
        "speed": speed,
        "magnification": automatic_magnification(result),
        "lowest": extent.min(axis=0).tolist(),
        "highest": extent.max(axis=0).tolist(),
        "planar": not is_spatial(result),
        "up": "y" if not is_spatial(result) else upright(arm.gravity),
        "gravity": list(arm.gravity),
        "walls": [_wall(wall) for wall in (arm.contact.walls if arm.contact else ())],
        "trace": {"times": packed(trace_times, "f8"), "points": packed(trace, "f4")},
        **_arm(arm, positions := arm_positions(arm, coloured=load is not None)),
    }
    if load is not None:
        data["load"] = load_data(load, positions.stations)
    if "tip_desired" in result:
        rows = _spread(result.n_samples, MAX_POINTS)
        desired = result.rows("tip_desired", rows)
        data["desired"] = {"times": packed(result.rows("time", rows), "f8"), "points": packed(desired, "f4")}
    if arm.contact is not None and any(name in result for name in STRUCK):
        data["contact"] = _contact(result, times)
    return data


def play_speed(result: Result) -> float:
    """Return how much time passes in a result for each second of playing, in round numbers."""
    first, last = end_times(result)
    shortest, longest = PLAY_SECONDS
    return float(f"{np.clip(1.0, (last - first) / longest, (last - first) / shortest):.2g}") or 1.0


def _instants(result: Result, speed: float) -> np.ndarray:
    """Instants that are shown, (k,) [s]: evenly spaced, as many as there is room for, and those of impacts."""
    first, last = end_times(result)
    if first == last:
        return np.array([first])
    most = max(2, MOST_NUMBERS // arm_coordinates(result.arm).n_theta)
    rate = min(FRAMES, (most - 1) * speed / (last - first))
    impacts = np.unique(result["impact_time"]) if "impact_time" in result else np.empty(0)
    return np.union1d(frame_times(result, speed, rate), impacts[_spread(impacts.size, most)])


def _spread(count: int, most: int) -> np.ndarray:
    """Indices of at most so many of some rows, evenly spread from the first to the last."""
    return np.unique(np.linspace(0, count - 1, min(count, most)).round().astype(int))


def _extent(result: Result) -> np.ndarray:
    """Points (k, 3) [m] between whose least and greatest coordinates everything happens."""
    _, points = envelope(result, "point_position")
    around = [points.reshape(-1, 3)]
    if result.arm.base == "fixed":
        around.append(Rods.of(result.arm).base[None])
    if "tip_desired" in result:
        around.append(result["tip_desired"])
    for wall in result.arm.contact.walls if result.arm.contact else ():
        if not isinstance(wall, HalfPlane) and wall.circle.side == "inside":
            middle = np.append(wall.circle.center[:2], around[0][:, 2].mean())
            around.append(middle + wall.circle.radius * np.array([[-1, -1, 0], [1, 1, 0]]))
    return np.concatenate(around)


def _arm(arm: Arm, positions: ArmPositions) -> dict[str, Any]:
    """The program of the positions, which coordinates are modal amplitudes, and which parts are drawn how."""
    steps, coordinates = positions.program.steps, arm_coordinates(arm)
    names = list(dict.fromkeys(name for name, _ in steps))
    constants = list(dict.fromkeys(operands[0] for name, operands in steps if name == "constant"))
    place = {value: k for k, value in enumerate(constants)}
    operands = [_operands(name, read, place) for name, read in steps]
    rods = Rods.of(arm)
    return {
        "program": {
            "names": names,
            "constants": packed(constants, "f8"),
            "steps": packed([names.index(name) for name, _ in steps], "u1"),
            "first": packed([first for first, _ in operands], "u4"),
            "second": packed([second for _, second in operands], "u4"),
            "outputs": packed([value for _, _, value in sorted(positions.program.outputs)], "u4"),
        },
        "n_theta": coordinates.n_theta,
        "modes": list(coordinates.all_modes),
        "quaternion": list(coordinates.base_theta[3:]),
        "starts": [0, *accumulate(positions.stations)],
        "flexible": [bool(link.n_modes) for link in arm.links],
        "hubs": [{"axis": list(joint.axis), "type": joint.type} for joint in arm.joints],
        "rods": {"joints": list(rods.joints), "base": rods.base.tolist()},
        "base": arm.base,
        "payload": arm.payload.mass > 0,
    }


def _operands(name: str, read: tuple, place: dict[float, int]) -> tuple[int, int]:
    """Two numbers that say what a step reads: of values, of a constant, or of theta."""
    if name == "constant":
        return place[read[0]], 0
    if name == "input":
        return read[1], 0
    return read[0], read[-1]


def _wall(wall: Wall) -> dict[str, Any]:
    if isinstance(wall, HalfPlane):
        return {"point": list(wall.point), "normal": list(wall.normal)}
    return {
        "center": list(wall.circle.center),
        "radius": wall.circle.radius,
        "inside": wall.circle.side == "inside",
    }


def _contact(result: Result, times: np.ndarray) -> dict[str, Any]:
    """Impacts, or touches, and which points are on a wall at the instants shown, (k, points) of 0 and 1."""
    struck = next(name for name in STRUCK if name in result)
    rows = _spread(result.shape(struck)[0], MOST_IMPACTS)
    sampled = result.rows("time", slice(None))
    nearest = np.clip(np.searchsorted(sampled, times, side="right") - 1, 0, sampled.size - 1)
    kept = np.unique(nearest)
    forces = result.rows("contact_force", kept)[np.searchsorted(kept, nearest)]
    return {
        "impact_times": packed(result[struck][rows], "f8"),
        "impact_points": packed(result[struck.replace("time", "point")][rows] - 1, "u4"),
        "resting": packed((forces > 0).any(axis=2), "u1"),
    }
