"""Two equal links and a heavy hub between them, whose reaction bends the first link: a badly scaled cascade."""

from __future__ import annotations

import flexarm
from flexarm.simulation.inverse.problem import InverseProblem, inverse_problem


def cascade(EI: float, count: int, duration: float, law: str) -> InverseProblem:
    """The arm with links of a stiffness [N m^2] and a number of modes, its tip along a line by a time law."""
    link = (
        f"{{length: 0.5, mu: 1.0, EI: {EI}, damping: 0.01, modes: {{family: clamped-free, count: {count}}}}}"
    )
    arm = flexarm.parse_arm(
        f"name: cascade\ngravity: [0, 0, 0]\ngeometric_stiffening: false\nlinks: [{link}, {link}]\n"
        "joints: [{}, {mass: 1.0, inertia: 0.1}]\npayload: {mass: 0.1, inertia: [5.0e-4, 5.0e-4, 5.0e-4]}\n"
    )
    line = f"line: {{from: [0.8, 0.2], to: [0.3, 0.6], law: {law}}}"
    return inverse_problem(arm, flexarm.parse_trajectory(f"duration: {duration}\n{line}\nelbow: positive\n"))
