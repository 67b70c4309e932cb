"""Touches of soft walls: when a point enters one and leaves it, and how fast; the list of all of a run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from flexarm.simulation.contact.constraints.soft_touch import SoftTouch

TOUCH_REMEDY = "a wall so stiff beside the weight on it is better rigid, without stiffness, or softer"


class Touch(NamedTuple):
    """One touch: contact of a point and a soft wall, times [s], and rates of the gap [m/s]; NaN while it lasts."""

    contact: int
    begin: float
    before: float
    end: float = np.nan
    after: float = np.nan


@dataclass
class TouchList:
    """Touches of a run, in the order in which they begin."""

    touches: list[Touch] = field(default_factory=list)
    _present: dict[int, int] = field(default_factory=dict)

    def follow(self, t: float, soft: SoftTouch) -> None:
        """Take note of the points that are in soft walls from the time t [s] on."""
        for k in np.flatnonzero(soft.inside != np.isin(np.arange(soft.n), list(self._present))).tolist():
            if soft.inside[k]:
                self._present[k] = len(self.touches)
                self.touches.append(Touch(k, t, float(soft.rates[k])))
            else:
                place = self._present.pop(k)
                self.touches[place] = self.touches[place]._replace(end=t, after=float(soft.rates[k]))


def touch_datasets(touches: Sequence[Touch], walls: Sequence[int], duration: float) -> dict[str, np.ndarray]:
    """Datasets (k,) of touches that begin before the end of a run [s]; `walls` are numbers of soft walls, from 0."""
    found = [each for each in touches if each.begin <= duration]
    lasting = np.array([not each.end <= duration for each in found], dtype=bool)
    contacts = np.array([each.contact for each in found], dtype=np.intp)
    columns = np.array([each[1:] for each in found], dtype=float).reshape(-1, 4)
    columns[lasting, 2:] = np.nan
    return {
        "touch_time": columns[:, 0],
        "touch_end": columns[:, 2],
        "touch_point": contacts // len(walls) + 1,
        "touch_wall": np.array(walls)[contacts % len(walls)] + 1,
        "touch_velocity_before": columns[:, 1],
        "touch_velocity_after": columns[:, 3],
    }
