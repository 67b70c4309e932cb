"""Stress in the sections of an arm, from the forces and moments that a run has recorded."""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy

import numpy as np

from flexarm.description.arm.arm import Arm
from flexarm.links.stress.section_stress import AROUND, known_section
from flexarm.links.stress.stress_influence import stress_influence
from flexarm.results.schema import STRESS
from flexarm.simulation.state.stress_kernel import LOADS, ROWS
from flexarm.solvers.compiled.kernel_code import Kernel
from flexarm.solvers.compiled.signature import Signature

STRESS_SOURCES = frozenset(("section_force", "section_moment"))
"""Datasets that stress is made of."""
STRESS_SIGNATURE = Signature(
    "int64 m, int64 n_sections, int64 n_places, int64 n_coefficients, int64 n_angles, int64 force_stride, "
    "int64 moment_stride, int64* sections, float64* coefficients, float64* angles, float64* force, float64* moment, "
    "float64* loads, float64* found, float64* stress"
)
_QUADRANT = 2 * np.pi / AROUND * np.arange(1, AROUND // 4)
ANGLES = np.stack([np.cos(_QUADRANT), np.sin(_QUADRANT)], axis=-1)
"""Points around a round section between those on its axes, in one quadrant: cosine and sine."""


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


class StressRecorder:
    """Adds the largest von Mises stress of each section to datasets of a run of an arm.

    It is NaN in links whose section is not known; without recorded forces, or any known section, nothing is added.

    Attributes
    ----------
    coefficients : (n,) [1/m^2, 1/m^3]
        Stress of unit loads, of all sections one after the other.
    """

    def __init__(self, arm: Arm):
        stations = arm.run.load_stations
        self._shape = (len(arm.links), len(stations))
        places, coefficients, first = [], [], 0
        for i, link in enumerate(arm.links):
            if link.section is None:
                continue
            for k, xi in enumerate(stations):
                if k == 0 or link.section.is_tapered:
                    coefficients.append(stress_influence(link.section.at(xi)))
                    first = sum(map(np.size, coefficients[:-1]))
                points = len(coefficients[-1]) if coefficients[-1].ndim == 2 else 0
                places.append((i * len(stations) + k, first, points))
        self._sections = np.array(places, dtype=np.int64)
        self.coefficients = np.concatenate([*map(np.ravel, coefficients), np.empty(0)])
        self._work = np.empty((LOADS + 1, ROWS))

    def with_coefficients(self, coefficients: np.ndarray) -> StressRecorder:
        """Return the same recorder with other coefficients (n,)."""
        found = copy(self)
        found.coefficients = coefficients
        return found

    def __call__(self, data: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
        """Return the datasets (k, ..), and `stress_max`."""
        if "section_force" not in data or not len(self._sections):
            return {**data}
        m, n_places = len(data["section_force"]), self._shape[0] * self._shape[1]
        force, moment = (_rows(data[name], 3 * n_places) for name in ("section_force", "section_moment"))
        stress = np.full((m, *self._shape), np.nan)
        Kernel("simulation.state.stress_kernel.largest_stress", STRESS_SIGNATURE)(
            m=m, n_sections=len(self._sections), n_places=n_places,
            n_coefficients=self.coefficients.size, n_angles=len(ANGLES),
            force_stride=force.strides[0] // force.itemsize, moment_stride=moment.strides[0] // moment.itemsize,
            sections=self._sections, coefficients=self.coefficients, angles=ANGLES,
            force=force, moment=moment, loads=self._work, found=self._work[LOADS], stress=stress,
        )  # fmt: skip
        return {**data, STRESS: stress}


def _rows(values: np.ndarray, n: int) -> np.ndarray:
    """Values (m, ..) as rows (m, n), in each of which they are one after the other."""
    rows = values.reshape(len(values), n)
    return rows if rows.strides[1] == rows.itemsize else rows.copy()
