"""Scalar measures of an inverse run: torques, their difference from those of the rigid arm, errors of the tip."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from flexarm.description.arm.arm import Arm
from flexarm.hints import did_you_mean
from flexarm.results.result import Result
from flexarm.sweeps.measures.load_measures import LOAD_MEASURES, is_load_measure, load_measure
from flexarm.sweeps.measures.scalar_measures import ScalarMeasure
from flexarm.sweeps.parameters.keys import KeyFault

VERIFIED = "verified_error"
"""Measure for which the torques are simulated."""


def _torque(result: Result) -> np.ndarray:
    return result["torque"]


def _rigid_torque(result: Result) -> np.ndarray:
    return result["rigid_torque"]


def _difference(result: Result) -> np.ndarray:
    return result["torque"] - result["rigid_torque"]


_TORQUES: dict[str, tuple[str, Callable[[Result], np.ndarray]]] = {
    "max_torque": ("largest joint torque", _torque),
    "max_rigid_torque": ("largest joint torque of the rigid arm", _rigid_torque),
    "torque_difference": ("largest difference from the rigid arm's torque", _difference),
}
"""Measure of joint torques (k, n_joints): its meaning, and the torques. Joints that slide have the same of forces."""

_NUMBERS: tuple[tuple[str, str, str, Callable[[Result], float]], ...] = (
    (
        "max_tip_deflection", "m", "largest deflection at the end of the last link",
        lambda result: np.linalg.norm(result["link_deflection"][:, -1, -1], axis=-1).max(),
    ),
    ("tip_error", "m", "largest distance of the tip from its path", lambda result: result["tip_error"].max()),
    (
        VERIFIED, "m", "largest distance of the tip, simulated under these torques",
        lambda result: result.attributes.get(VERIFIED, np.nan),
    ),
    ("steps", "1", "steps of the method", lambda result: result.attributes["steps"]),
    ("seconds", "s", "time of the computation", lambda result: result.attributes["solve_seconds"]),
)  # fmt: skip


def inverse_measures(arm: Arm) -> dict[str, ScalarMeasure]:
    """Measures of inverse runs of an arm, by name; those of a single joint have its index, from 0, in brackets.

    Largest values are those of the whole motion, pre- and post-actuation included.
    """
    found = []
    for kind in {joint.kind.force: joint.kind for joint in arm.joints}.values():
        those = [i for i, joint in enumerate(arm.joints) if joint.kind.force == kind.force]
        for name, (meaning, of) in _TORQUES.items():
            own = name.replace("torque", kind.force), kind.force_unit, meaning.replace("torque", kind.force)
            found.append(_measure(*own, _largest(of, those)))
    found += [_measure(*entry) for entry in _NUMBERS]
    for name, (meaning, of) in _TORQUES.items():
        for i, joint in enumerate(arm.joints):
            own = f"{meaning.replace('torque', joint.kind.force)}, joint {i + 1}"
            found.append(_measure(f"{name}[{i}]", joint.kind.force_unit, own, _largest(of, [i])))
    return {measure.name: measure for measure in found}


def inverse_measure(name: str, arm: Arm) -> ScalarMeasure:
    """Look a measure up.

    Raises
    ------
    KeyFault
        Inverse runs have no such measure.
    """
    if is_load_measure(name):
        load = load_measure(name, arm)
        return _measure(
            name, load.units, load.meaning, lambda result: load.column(result[load.dataset]).max()
        )
    known = inverse_measures(arm)
    if name not in known:
        names = [*known, *LOAD_MEASURES]
        hint = did_you_mean(name, names, f"known: {', '.join(names)}")
        raise KeyFault(f"unknown record {name!r} of inverse runs", hint)
    return known[name]


def _largest(of: Callable[[Result], np.ndarray], joints: list[int]) -> Callable[[Result], float]:
    return lambda result: np.abs(of(result)[:, joints]).max()


def _measure(name: str, units: str, long_name: str, number: Callable[[Result], float]) -> ScalarMeasure:
    return ScalarMeasure(name, units, long_name, lambda times, column, result: number(result))
