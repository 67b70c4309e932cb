"""Measures of what joints transmit and links carry: largest reaction, moment, force, stress."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from flexarm.analysis.loads.largest_loads import JOINT_LOADS, LINK_LOADS
from flexarm.description.arm.arm import Arm
from flexarm.results.schema import DATASETS
from flexarm.sweeps.parameters.keys import KeyFault

Array = NDArray[np.float64]

STRESS = "max_stress"
LOAD_MEASURES: dict[str, tuple[str, str, str, Callable[[Array], Array]]] = {
    "max_reaction": ("joint", "reaction force", *JOINT_LOADS["force"]),
    "max_reaction_moment": ("joint", "reaction moment", *JOINT_LOADS["moment"]),
    "max_moment": ("link", "bending moment", *LINK_LOADS["bending moment"]),
    "max_shear_force": ("link", "shear force", *LINK_LOADS["shear force"]),
    "max_axial_force": ("link", "axial force", *LINK_LOADS["axial force"]),
    "max_torsion": ("link", "torsion moment", *LINK_LOADS["torsion"]),
    STRESS: ("link", "von Mises stress", "stress_max", np.asarray),
}
"""Measure -> what it is of, what it is, the dataset that it is made of, and what is taken of that."""
_NAME = re.compile(r"(\w+)(?::\s*(\d+)|\[(-?\d+)\])?")


@dataclass(frozen=True)
class LoadMeasure:
    """How a largest load is taken.

    Attributes
    ----------
    dataset : str
    units, meaning : str
    column : callable
        From samples of the dataset (k, ..) to the largest size in each of them (k,), of what is known.
    """

    dataset: str
    units: str
    meaning: str
    column: Callable[[Array], Array]


def is_load_measure(name: str) -> bool:
    """Return whether runs have to record their loads for a measure."""
    match = _NAME.fullmatch(name)
    return match is not None and match[1] in LOAD_MEASURES


def load_measure(name: str, arm: Arm) -> LoadMeasure:
    """Read the name of a measure: ``max_stress`` is of all links, ``max_stress:2`` and ``max_stress[1]`` are of one.

    Numbers after a colon count from 1, those in brackets from 0.

    Raises
    ------
    KeyFault
        There is no such joint or link, or its stress cannot be known.
    """
    match = _NAME.fullmatch(name)
    assert match is not None
    what, meaning, dataset, of = LOAD_MEASURES[match[1]]
    count = len(arm.links)
    part: int | None = None
    if match[2] or match[3]:
        part = int(match[2]) - 1 if match[2] else int(match[3])
        if not (0 if match[2] else -count) <= part < count:
            counted = (
                f"{what}s are counted from 1 to {count} after a colon, from 0 to {count - 1} in brackets"
            )
            raise KeyFault(f"{name!r}: there is no such {what}", counted)
        part %= count
    if match[1] == STRESS:
        _check_section(name, arm, part)
    whose = f"{what}s" if part is None else f"{what} {part + 1}"
    return LoadMeasure(
        dataset, DATASETS[dataset].units, f"largest {meaning} of {whose}", partial(_largest, part, of)
    )


def _check_section(name: str, arm: Arm, part: int | None) -> None:
    asked = arm.links if part is None else arm.links[part : part + 1]
    if all(link.section is None for link in asked):
        which = "no link" if part is None else f"link {part + 1}"
        lacks = "has a section" if part is None else "has no section"
        raise KeyFault(f"{name!r}: {which} {lacks}, which stress needs", "give material and section")


def _largest(part: int | None, of: Callable[[Array], Array], values: Array) -> Array:
    sizes = np.abs(of(values if part is None else values[:, part]))
    return np.fmax.reduce(sizes.reshape(len(sizes), -1), axis=1)
