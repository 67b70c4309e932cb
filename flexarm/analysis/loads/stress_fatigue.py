"""Fatigue of an arm over a motion: where its links suffer most, and from which cycles of normal stress."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from flexarm.analysis.loads.fatigue import StressCycles, WoehlerLine, rainflow_cycles
from flexarm.analysis.loads.section_loads import section_loads
from flexarm.arguments import check_object
from flexarm.description.arm.arm import Arm
from flexarm.errors import ModelError
from flexarm.links.shapes.shape_functions import Array
from flexarm.links.stress.section_stress import known_section, normal_stress, outer_points
from flexarm.results.result import Result

ROUND_OFF = 1e-9
"""Part of a bound that sums of many terms may be off."""


@dataclass(frozen=True, eq=False)
class Fatigue:
    """Fatigue at the point of an arm that suffers most.

    Attributes
    ----------
    link : int
        From 1.
    at : float [1]
        Station, as a fraction of the link's length.
    y, z : float [m]
        Point of the section.
    line : WoehlerLine
    stress : (k,) [Pa]
        Normal stress there over time.
    cycles : StressCycles
    """

    link: int
    at: float
    y: float
    z: float
    line: WoehlerLine
    stress: Array
    cycles: StressCycles

    @property
    def damage(self) -> float:
        """Damage of the motion [1]; after 1 / damage of them fatigue is expected."""
        return self.cycles.damage(self.line)

    @property
    def equivalent_range(self) -> float:
        """Constant range [Pa] of which as many cycles do the same damage."""
        return self.cycles.equivalent_range(self.line.slope)


def fatigue_of_loads(
    arm: Arm, links: Sequence[int], stations: Sequence[float], force: Array, moment: Array, line: WoehlerLine
) -> Fatigue:
    """Find the point that suffers most of the sections of an arm.

    Parameters
    ----------
    links : sequence of int
        Links whose loads are given, from 0.
    stations : sequence of float [1]
        Their stations.
    force, moment : (k, n_links, n_stations, 3) [N, N m]
        As of :func:`~flexarm.links.stress.section_stress.section_stress`.
    line : WoehlerLine

    Raises
    ------
    ModelError
        The section of a link is not known.

    Notes
    -----
    All outer points of all sections are compared by their damage; shear stress is left out. Cycles are counted at those
    alone whose damage can be the largest. A cycle of range r takes 2 r of the way that a stress goes up and down, and
    half a cycle r. As the damage of a cycle grows at least as its range, that of a stress with the way L and the
    largest range R is at most L / (2 R) times that of a cycle of R.
    """
    candidates = []
    for column, link in enumerate(links):
        section = known_section(arm.links[link], link + 1)
        for k, at in enumerate(stations):
            here = section.at(at)
            points = outer_points(here)
            bounds = damage_bounds(
                normal_stress(here, points, force[:, column, k], moment[:, column, k]), line
            )
            candidates += [
                (bound, column, k, point) for bound, point in zip(bounds.tolist(), points, strict=True)
            ]
    worst: Fatigue | None = None
    for bound, column, k, point in sorted(candidates, key=lambda one: -one[0]):
        if worst is not None and bound <= worst.damage:
            break
        here = known_section(arm.links[links[column]], links[column] + 1).at(stations[k])
        stress = normal_stress(here, point[None], force[:, column, k], moment[:, column, k])[:, 0]
        y, z = point.tolist()
        found = Fatigue(links[column] + 1, stations[k], y, z, line, stress, rainflow_cycles(stress))
        if worst is None or found.damage > worst.damage:
            worst = found
    assert worst is not None
    return worst


def damage_bounds(stress: Array, line: WoehlerLine) -> Array:
    """Damage [1] that the cycles of p stresses, (k, p) [Pa], do at most; (p,)."""
    ranges, ways = np.ptp(stress, axis=0), np.abs(np.diff(stress, axis=0)).sum(axis=0)
    cycles = ways / (2 * np.where(ranges > 0, ranges, 1.0)) if line.slope >= 1 else (len(stress) - 1) / 2
    with np.errstate(divide="ignore"):
        return (1 + ROUND_OFF) * cycles / line.cycles_to_failure(ranges)


def fatigue(result: Result, line: WoehlerLine) -> Fatigue:
    """Find where an arm suffers most from the cycles of a motion, at the stations of its run.

    Parameters
    ----------
    result : Result
        Of a motion; forces and moments are those recorded, or computed.
    line : WoehlerLine

    Raises
    ------
    ModelError
        No section of the arm is known, or the result is of an arm at rest.

    Examples
    --------
    >>> import flexarm
    >>> result = flexarm.simulate(flexarm.load_arm("robots/crane_boom.yaml"))
    >>> worst = flexarm.fatigue(result, flexarm.WoehlerLine(range=71e6))
    >>> worst.link, worst.at
    (1, 0.0)
    """
    check_object("result", result, Result)
    arm = result.arm
    if result.n_samples < 2:
        raise ModelError(f"{arm.name}: the result is of an arm at rest: there are no cycles in it")
    links = [i for i, link in enumerate(arm.links) if link.section is not None]
    if not links:
        known_section(arm.links[0], 1)
    stations = arm.run.load_stations
    loads = [[section_loads(result, i + 1, at) for at in stations] for i in links]
    force, moment = (
        np.stack([np.stack([one[part] for one in row], axis=1) for row in loads], axis=1) for part in (0, 1)
    )
    return fatigue_of_loads(arm, links, stations, force, moment, line)
