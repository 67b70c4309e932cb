"""Numbers of the matrices of [NA04] at one posture, as text or JSON."""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import combinations

import numpy as np

from flexarm.analysis.operating_points.operating_point import OperatingPoint, operating_point
from flexarm.analysis.operating_points.posture import Posture
from flexarm.description.arm.arm import Arm
from flexarm.formulations.motion_equations import MotionEquations
from flexarm.simulation.inverse.task.operational_space import OperationalSpace
from flexarm.simulation.inverse.task.task import Task
from flexarm.simulation.state.initial_state import initial_state

SINGULAR = 1e-12
"""Singular value of the tip's Jacobian, of the largest, below which the tip does not move that way."""

ROUND_OFF = 1e-14
"""Part of the largest entry below which an entry is printed as 0."""

MEANINGS = {
    "M": "inertia matrix",
    "B": "Coriolis matrix, of the products of two rates",
    "C": "centrifugal matrix, of the squares of rates",
    "D": "pseudo-inertia matrix of the acceleration energy, at the initial rates",
    "M_X": "inertia felt at the tip [kg]",
}


def matrices_as(kind: str, arm: Arm, at: Posture, digits: int) -> str:
    """M, B, C, D and M_X of an arm in a posture, its links bent by their weight; `kind` is text or json.

    Raises
    ------
    ModelError
        The posture has no equilibrium, or [NA04] knows no such arm.
    """
    point = operating_point(arm, at)
    _, theta_d, _ = initial_state(arm, point.chain)
    equations = MotionEquations(point.chain, arm.run.formulation)
    matrices = equations.matrices(point.theta, theta_d)._asdict()
    labels = equations.coordinates.labels
    rates = [f"{label}_d" for label in labels]
    pairs = [f"{one} {other}" for one, other in combinations(rates, 2)]
    columns = {"M": labels, "B": pairs, "C": [f"{rate}^2" for rate in rates], "D": labels}
    rows = dict.fromkeys(columns, labels)
    axes = _moving_axes(arm, point)
    if axes:
        space = OperationalSpace(arm, point.chain, Task(axes, "tip"))
        matrices["M_X"] = space.cartesian_inertia(point.theta)
        rows["M_X"] = columns["M_X"] = axes
    if kind == "json":
        data = {
            "arm": arm.name,
            "theta": dict(zip(labels, point.theta.tolist(), strict=True)),
            "theta_d": dict(zip(rates, theta_d.tolist(), strict=True)),
            "matrices": {
                name: {
                    "meaning": MEANINGS[name],
                    "rows": rows[name],
                    "columns": columns[name],
                    "values": value.tolist(),
                }
                for name, value in matrices.items()
            },
        }
        return json.dumps(data, indent=2) + "\n"
    state = ", ".join(
        f"{label} = {value:.{digits}g}" for label, value in zip(labels, point.theta, strict=True)
    )
    lines = [f"{arm.name} at {state}"]
    for name, value in matrices.items():
        lines += ["", f"{name}, {MEANINGS[name]}", *_table(value, rows[name], columns[name], digits)]
    return "\n".join(lines) + "\n"


def _moving_axes(arm: Arm, point: OperatingPoint) -> tuple[str, ...]:
    """Axes along which the coordinates move the tip; none where these motions are not independent."""
    J = np.concatenate(
        OperationalSpace(arm, point.chain, Task(("x", "y", "z"), "tip")).jacobians(point.theta), axis=1
    )
    moves = [axis for axis in range(3) if np.abs(J[axis]).max() > SINGULAR * np.abs(J).max()]
    sizes = np.linalg.svd(J[moves], compute_uv=False)
    return tuple("xyz"[axis] for axis in moves) if sizes.min() > SINGULAR * sizes.max() else ()


def _table(values: np.ndarray, rows: Sequence[str], columns: Sequence[str], digits: int) -> list[str]:
    """Lines of a matrix with names of its rows and columns."""
    least = ROUND_OFF * np.abs(values).max(initial=0.0)
    texts = [[f"{value if abs(value) > least else 0:.{digits}g}" for value in row] for row in values]
    widths = [max(map(len, column)) for column in zip(columns, *texts, strict=True)]
    first = max(map(len, rows))
    lines = ["  ".join([" " * first, *(name.rjust(w) for name, w in zip(columns, widths, strict=True))])]
    for name, row in zip(rows, texts, strict=True):
        lines.append(
            "  ".join([name.ljust(first), *(text.rjust(w) for text, w in zip(row, widths, strict=True))])
        )
    return lines
