"""Touches of soft walls of a run: one record for each time that a point is in one, and a summary in sentences."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from flexarm.results.events.impacts import energy_text, has_impacts
from flexarm.results.result import Result


class TouchRecord(NamedTuple):
    """One touch: point, number of the wall from 1, times [s] and rates of the gap [m/s]; NaN while it lasts."""

    point: str
    wall: int
    begin: float
    end: float
    before: float
    after: float


def touch_records(result: Result) -> list[TouchRecord]:
    """Return the touches of soft walls in the order of time; none of an arm without."""
    if "touch_time" not in result:
        return []
    names = _points(result)
    columns = [
        result[f"touch_{name}"].tolist() for name in ("time", "end", "velocity_before", "velocity_after")
    ]
    points, walls = (result[f"touch_{name}"].astype(int).tolist() for name in ("point", "wall"))
    return [
        TouchRecord(names[point - 1], wall, *row)
        for point, wall, *row in zip(points, walls, *columns, strict=True)
    ]


def touch_summary(result: Result) -> list[str]:
    """Write how often points were in soft walls, how far, what that took, and what is in them at the end."""
    if "touch_time" not in result:
        return []
    records = touch_records(result)
    summary = f"{len(records)} touch{'es' * (len(records) != 1)} of soft walls"
    depth = result["contact_penetration"]
    if records:
        summary += f", the first at {records[0].begin:.6f} s, the last at {records[-1].begin:.6f} s"
    lost = result.rows("energy_lost_contact", slice(-1, None))[0]
    summary += f"; damping took {energy_text(lost)}"
    if "energy_lost_friction" in result and not has_impacts(result):  # else it stands beside these
        summary += f", friction {energy_text(result.rows('energy_lost_friction', slice(-1, None))[0])}"
    lines = [summary]
    if depth.any():
        sample, point, wall = np.unravel_index(np.argmax(depth), depth.shape)
        force = result["contact_force"][sample, point, wall]
        lines.append(
            f"deepest in the samples: {_points(result)[point]}, {depth[sample, point, wall]:.4g} m in wall {wall + 1} "
            f"with {force:.4g} N at {result['time'][sample]:.6g} s"
        )
    last = depth[-1].sum(axis=1) > 0
    if last.any():
        inside = ", ".join(np.array(_points(result))[last])
        lines.append(f"in a soft wall at the end: {inside}")
    return lines


def _points(result: Result) -> list[str]:
    contact = result.arm.contact
    assert contact is not None
    return [place.name for place in contact.places(len(result.arm.links))]
