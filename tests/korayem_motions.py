"""Arms and trajectories of the tests of inverse dynamics, computed once."""

from __future__ import annotations

from functools import cache

from paths import ROBOTS

import flexarm
from flexarm.simulation.inverse.inverse_dynamics import inverse_motion
from flexarm.simulation.inverse.problem import InverseProblem, inverse_problem
from flexarm.simulation.inverse.solution import InverseMotion

KORAYEM = flexarm.load_trajectory(ROBOTS / "trajectories" / "korayem_1994.yaml")


def korayem_arm(modes: str, count: int = 1, stiffness: float = 1.0) -> flexarm.Arm:
    """The arm of [SY94] appendix C with clamped or simply_supported modes, its EI multiplied."""
    text = (ROBOTS / f"korayem_1994_{modes}.yaml").read_text()
    text = text.replace("count: 1", f"count: {count}").replace("EI: 2.0394", f"EI: {2.0394 * stiffness!r}")
    return flexarm.parse_arm(text)


@cache
def korayem(modes: str, count: int = 1, stiffness: float = 1.0) -> InverseProblem:
    return inverse_problem(korayem_arm(modes, count, stiffness), KORAYEM)


@cache
def korayem_motion(modes: str, method: str, count: int = 1, stiffness: float = 1.0) -> InverseMotion:
    return inverse_motion(korayem(modes, count, stiffness), method)


@cache
def korayem_data(modes: str, method: str, count: int = 1, stiffness: float = 1.0):
    return korayem_motion(modes, method, count, stiffness).datasets()
