"""Marks of points on walls in an animation: where they are in every frame, and whether they slide or stick."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.lines import Line2D

from flexarm.description.arm.walls import ContactPoint
from flexarm.plots.drawing.contact_states import STATES
from flexarm.plots.drawing.views import move_line
from flexarm.results.result import Result
from flexarm.simulation.contact.constraints.active_contacts import OPEN, SLIDING

MARK: dict[str, Any] = {
    "marker": "o",
    "markersize": 9.0,
    "markeredgewidth": 0.0,
    "linestyle": "",
    "zorder": 3.8,
}
"""Discs beneath the arm, of which its dots leave the rims in sight."""


@dataclass(frozen=True)
class ContactMarks:
    """Points that may touch walls, in the frames of a film.

    Attributes
    ----------
    points : (k, m, 3) [m]
        On the drawn arms.
    states : (k, m) int
        As they are recorded; of a wall without friction, on which nothing is held, sliding.
    """

    points: np.ndarray
    states: np.ndarray

    @classmethod
    def of(cls, result: Result, times: np.ndarray, arms: np.ndarray) -> ContactMarks:
        """Find them for the times (k,) [s] and drawn arms (k, n_links, stations, 3) [m] of the frames."""
        contact = result.arm.contact
        if contact is None or "contact_force" not in result:
            return cls(np.empty((len(times), 0, 3)), np.empty((len(times), 0), dtype=int))
        sampled = result.rows("time", slice(None))
        before = np.maximum(np.searchsorted(sampled, times, side="right") - 1, 0)
        rows, at = np.unique(before, return_inverse=True)
        forces = result.rows("contact_force", rows)
        states = np.where(forces > 0, SLIDING, OPEN)
        if "contact_state" in result:
            states = result.rows("contact_state", rows).astype(int)
        largest = np.argmax(forces, axis=2)[:, :, None]
        states = np.take_along_axis(states, largest, axis=2)[:, :, 0]
        places = contact.places(len(result.arm.links))
        points = np.stack([_on_links(arms, place) for place in places], axis=1)
        return cls(points, states[at])

    @property
    def shown(self) -> tuple[tuple[int, str, str], ...]:
        """Those of the states that occur, with their words and colours."""
        return tuple(row for row in STATES if np.any(self.states == row[0]))

    def legend(self) -> list[Line2D]:
        """Entries of a legend."""
        return [Line2D([], [], color=colour, label=word, **MARK) for _, word, colour in self.shown]

    def draw(self, axes: Axes, view: list[int]) -> list[Line2D]:
        """Draw the first frame's, one line of discs for every state that occurs."""
        nowhere = np.full((1, 3), np.nan)
        lines = [axes.plot(*nowhere[:, view].T, color=colour, **MARK)[0] for *_, colour in self.shown]
        self.move(lines, 0, view)
        return lines

    def move(self, lines: list[Line2D], k: int, view: list[int]) -> None:
        """Put the drawn discs where those of frame k are."""
        for line, (state, *_) in zip(lines, self.shown, strict=True):
            here = (self.states[k] == state)[:, None]
            move_line(line, np.where(here, self.points[k], np.nan), view)


def _on_links(arms: np.ndarray, place: ContactPoint) -> np.ndarray:
    """Place on the drawn links of arms (k, n_links, stations, 3) [m], (k, 3) [m]."""
    link = arms[:, place.link]
    station = (place.at or 0.0) * (link.shape[1] - 1)
    first = min(int(station), link.shape[1] - 2)
    return link[:, first] + (station - first) * (link[:, first + 1] - link[:, first])
