"""Stress in the sections of an arm, from the forces and moments that a run has recorded."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from flexarm.description.arm.arm import Arm
from flexarm.links.section_stress import known_section, section_stress

STRESS_SOURCES = frozenset(("section_force", "section_moment"))
"""Datasets that stress is made of."""
ROWS = 512
"""Samples at once: those of all points of a section stay in the processor's cache."""


def recording_loads(arm: Arm) -> Arm:
    """Return the arm with runs that record what joints transmit and links carry."""
    if "loads" in arm.run.record:
        return arm
    run = arm.run.model_copy(update={"record": (*arm.run.record, "loads")})
    return arm.model_copy(update={"run": run})


def with_known_stress(arm: Arm) -> Arm:
    """Return the arm with runs that record loads and stress.

    Raises
    ------
    ModelError
        No link has a section.
    """
    if all(link.section is None for link in arm.links):
        known_section(arm.links[0], 1)
    return recording_loads(arm)


def place_of_largest(stress: np.ndarray) -> tuple[int, int, int]:
    """Sample, link and station, from 0, of the largest of known stresses (k, n_links, n_stations)."""
    sample, link, station = np.unravel_index(np.nan_to_num(stress, nan=-1.0).argmax(), stress.shape)
    return int(sample), int(link), int(station)


def with_stress(arm: Arm, data: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Add the largest von Mises stress of each section to datasets of a run, (k, ..).

    It is NaN in links whose section is not known; without recorded forces, or any known section, nothing is added.
    """
    if "section_force" not in data or all(link.section is None for link in arm.links):
        return {**data}
    force, moment = data["section_force"], data["section_moment"]
    stress = np.full(force.shape[:-1], np.nan)
    for i, link in enumerate(arm.links):
        if link.section is None:
            continue
        for k, xi in enumerate(arm.run.load_stations):
            section = link.section.at(xi)
            for first in range(0, len(stress), ROWS):
                rows = np.s_[first : first + ROWS, i, k]
                stress[rows] = section_stress(section, force[rows], moment[rows]).largest
    return {**data, "stress_max": stress}
