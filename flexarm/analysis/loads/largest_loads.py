"""Largest loads of a run: what joints transmit, forces, moments and stress in links, with place and time."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from flexarm.analysis.loads.largest_stress import largest_stresses
from flexarm.results.result import Result

Array = NDArray[np.float64]

ROUND_OFF = 1e-9
"""Load in links, as a part of the largest of its unit, that is no more than round-off."""
SIDES = "<<<<>"
"""Sides to which the columns of the table are set."""
ROWS = 50_000
"""Samples read at once."""


def _size(vectors: Array) -> Array:
    return np.sqrt(np.einsum("...k,...k->...", vectors, vectors))


def _along(vectors: Array) -> Array:
    return vectors[..., 0]


def across(vectors: Array) -> Array:
    """Size of the components across the link: shear force (..) [N], or bending moment [N m]."""
    return np.hypot(vectors[..., 1], vectors[..., 2])


JOINT_LOADS: dict[str, tuple[str, Callable[[Array], Array]]] = {
    "force": ("joint_force", _size),
    "moment": ("joint_moment", _size),
}
JOINT_IMPULSES = {
    "impulse": ("joint_impulse", "N s"),
    "impulse of the moment": ("joint_impulse_moment", "N m s"),
}
"""Impulse in an impact -> dataset that has its vectors, and unit."""
LINK_LOADS: dict[str, tuple[str, Callable[[Array], Array]]] = {
    "bending moment": ("section_moment", across),
    "shear force": ("section_force", across),
    "axial force": ("section_force", _along),
    "torsion": ("section_moment", _along),
}
"""Load -> dataset that has its vectors, and what is taken of these."""


@dataclass(frozen=True)
class LargestLoad:
    """Largest load of a joint or link over a run.

    Attributes
    ----------
    part : str
        ``joint 1`` or ``link 1``.
    load : str
        A key of `JOINT_LOADS`, `JOINT_IMPULSES` or `LINK_LOADS`, or ``stress``.
    value : float [N, N m, N s, N m s or Pa]
        With its sign where it has one: an axial force is positive where the link is pulled.
    unit : str
    time : float [s]
    at : float or None [1]
        Station of a link, as a fraction of its length.
    safety : float or None [1]
        Of a stress, if the strength is known.
    """

    part: str
    load: str
    value: float
    unit: str
    time: float
    at: float | None = None
    safety: float | None = None

    @property
    def text(self) -> str:
        """The value with its unit, and the safety."""
        factor, unit = (1e-6, "MPa") if self.unit == "Pa" else (1.0, self.unit)
        safety = "" if self.safety is None else f", safety {self.safety:.3g}"
        return f"{factor * self.value:.4g} {unit}{safety}"


def largest_loads(result: Result) -> list[LargestLoad]:
    """Largest loads of all joints, then of all links; none where they were not recorded.

    Of links those that are zero are left out, and what is not known.
    """
    if "section_force" not in result or not result.n_samples:
        return []
    joints = [
        found
        for name, (dataset, of) in JOINT_LOADS.items()
        for found in _largest(result, "joint", name, dataset, of)
    ]
    joints += _largest_impulses(result)
    links = [
        found
        for name, (dataset, of) in LINK_LOADS.items()
        for found in _largest(result, "link", name, dataset, of)
    ]
    links = _without_round_off(links)
    links += [
        LargestLoad(f"link {one.link}", "stress", one.stress, "Pa", one.time, one.at, one.safety)
        for one in largest_stresses(result)
    ]
    return [*_by_part(joints), *_by_part(links)]


def load_rows(result: Result) -> list[tuple[str, ...]]:
    """Table of the largest loads, its heading first, with times of a motion; empty where none were recorded."""
    found = largest_loads(result)
    if not found:
        return []
    moves = result.n_samples > 1
    rows = [("", "load", "largest", "at", *["time"] * moves)]
    for last, one in zip([None, *found], found, strict=False):
        part = "" if last is not None and last.part == one.part else one.part
        place = "" if one.at is None else f"{one.at:.4g} of its length"
        rows.append((part, one.load, one.text, place, *[f"{one.time:.4g} s"] * moves))
    return rows


def _largest(
    result: Result, part: str, load: str, dataset: str, of: Callable[[Array], Array]
) -> Iterable[LargestLoad]:
    """Largest load of each joint or link, those of which nothing is known left out."""
    stations = result.arm.run.load_stations
    best: dict[int, LargestLoad] = {}
    for first in range(0, result.n_samples, ROWS):
        rows = slice(first, first + ROWS)
        times, values = result.rows("time", rows), of(result.rows(dataset, rows))
        sizes = np.where(np.isfinite(values), np.abs(values), -1.0)
        for i in range(values.shape[1]):
            sample, *station = map(int, np.unravel_index(np.argmax(sizes[:, i]), sizes[:, i].shape))
            value = float(values[sample, i, *station])
            if not np.isfinite(value) or (i in best and abs(value) <= abs(best[i].value)):
                continue
            at = stations[station[0]] if station else None
            unit = "N" if dataset.endswith("force") else "N m"
            best[i] = LargestLoad(f"{part} {i + 1}", load, value, unit, float(times[sample]), at)
    return best.values()


def _largest_impulses(result: Result) -> list[LargestLoad]:
    """Largest impulses of the joints in impacts, without round-off."""
    if "joint_impulse" not in result or not result["joint_impulse_time"].size:
        return []
    times, found = result["joint_impulse_time"], []
    least = ROUND_OFF * float(np.nanmax(_size(result["joint_impulse"]), initial=0.0))
    reach = {"N s": 1.0, "N m s": sum(link.length for link in result.arm.links)}
    for load, (dataset, unit) in JOINT_IMPULSES.items():
        sizes = np.nan_to_num(_size(result[dataset]))
        for i, row in enumerate(sizes.argmax(axis=0).tolist()):
            if sizes[row, i] > least * reach[unit]:
                found.append(
                    LargestLoad(f"joint {i + 1}", load, float(sizes[row, i]), unit, float(times[row]))
                )
    return found


def _without_round_off(loads: list[LargestLoad]) -> list[LargestLoad]:
    largest: dict[str, float] = {}
    for one in loads:
        largest[one.unit] = max(largest.get(one.unit, 0.0), abs(one.value))
    return [one for one in loads if abs(one.value) > ROUND_OFF * largest[one.unit]]


def _by_part(loads: list[LargestLoad]) -> list[LargestLoad]:
    return sorted(loads, key=lambda one: int(one.part.split()[1]))
