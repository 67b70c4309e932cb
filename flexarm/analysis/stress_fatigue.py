"""Fatigue of an arm over a motion: where its links suffer most, and from which cycles of normal stress."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from flexarm.analysis.fatigue import StressCycles, WoehlerLine, rainflow_cycles
from flexarm.analysis.section_loads import section_loads
from flexarm.arguments import check_object
from flexarm.description.arm.arm import Arm
from flexarm.errors import ModelError
from flexarm.links.section_stress import known_section, normal_stress, outer_points
from flexarm.links.shape_functions import Array
from flexarm.results.result import Result


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
        As of :func:`~flexarm.links.section_stress.section_stress`.
    line : WoehlerLine

    Raises
    ------
    ModelError
        The section of a link is not known.

    Notes
    -----
    In each section the outer point whose normal stress has the largest range is looked at; shear stress is left out.
    """
    found = []
    for column, link in enumerate(links):
        section = known_section(arm.links[link], link + 1)
        for k, at in enumerate(stations):
            here = section.at(at)
            points = outer_points(here)
            stress = normal_stress(here, points, force[:, column, k], moment[:, column, k])
            worst = int(np.argmax(np.ptp(stress, axis=0)))
            y, z = points[worst].tolist()
            cycles = rainflow_cycles(stress[:, worst])
            found.append(Fatigue(link + 1, at, y, z, line, stress[:, worst], cycles))
    return max(found, key=lambda one: one.damage)


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
