"""The case of Korayem, Yao and Basu (1994) [SY94]: arm, trajectory and solutions, computed once for all tests."""

from __future__ import annotations

from functools import cache

from paths import ROBOTS

import flexarm
from flexarm.simulation.inverse.methods.inverse_method import make_inverse_method
from flexarm.simulation.inverse.problem import InverseProblem, inverse_problem
from flexarm.simulation.inverse.solution import Solution

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
def korayem_solution(modes: str, method: str, count: int = 1, stiffness: float = 1.0) -> Solution:
    return make_inverse_method(method).solve(korayem(modes, count, stiffness))


@cache
def korayem_data(modes: str, method: str, count: int = 1, stiffness: float = 1.0):
    return korayem_solution(modes, method, count, stiffness).datasets()
