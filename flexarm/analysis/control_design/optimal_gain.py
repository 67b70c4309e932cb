"""Gain of the feedback that costs least: LQR of continuous time, or of samples under the same cost."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from scipy.linalg import block_diag

from flexarm.analysis.control_design.reachability import MARGINAL, unreached_motions
from flexarm.analysis.control_design.riccati import (
    riccati_solution,
    round_off_of_gain,
    solution_in_other_units,
)
from flexarm.analysis.control_design.robustness import StateSpace
from flexarm.analysis.control_design.sampling import quadratic_integral, sampled
from flexarm.analysis.linear_models.linear_model import LinearModel
from flexarm.arguments import check_number
from flexarm.errors import ModelError


def optimal_gain(
    plant: StateSpace,
    model: LinearModel,
    rows: Mapping[str, np.ndarray],
    weights: Mapping[str, float],
    effort: float | Mapping[str, float],
    basis: np.ndarray,
    period: float | None,
) -> tuple[np.ndarray, float]:
    """Gain of least cost, and what of it is round-off."""
    n = len(plant.A)
    if not weights:
        raise ModelError(f"{model.point.arm.name}: a cost needs weights", hint="e.g. weights={'tip_y': 100}")
    efforts = [_effort(effort, name, model) for name in model.inputs]
    cost = np.asarray(block_diag(np.zeros((n, n)), np.diag(efforts)))
    for name, weight in weights.items():
        row = np.append(rows[name][: len(basis)] @ basis, rows[name][len(basis) :])
        cost += weight * np.outer(row, row)
    _check_weighed(plant, model, cost[:n, :n], basis)
    A, B = plant.A, plant.B
    if period is not None:
        A, B, *_ = sampled(plant, period)
        held = np.block([[plant.A, plant.B], [np.zeros((B.shape[1], len(cost)))]])
        cost = quadratic_integral(held, cost, period)
    Q, N, R = cost[:n, :n], cost[:n, n:], cost[n:, n:]
    equation = A, B, Q, R, N, period is not None
    P, again = riccati_solution(*equation, model.point.arm.name), solution_in_other_units(*equation)

    def gain(P: np.ndarray) -> np.ndarray:
        S, ahead = (R, P) if period is None else (R + B.T @ P @ B, P @ A)
        return np.linalg.solve(S, B.T @ ahead + N.T)

    K = gain(P)
    poles, vectors = np.linalg.eig(A - B @ K)
    growth = np.real(poles) if period is None else np.log(np.abs(poles)) / period
    if growth.max() > -MARGINAL * np.abs(plant.poles).max():
        raise _unweighed(model, basis @ vectors[:, growth.argmax()])
    return K, round_off_of_gain(K, None if again is None else gain(again), P, R)


def _check_weighed(plant: StateSpace, model: LinearModel, cost: np.ndarray, basis: np.ndarray) -> None:
    """Refuse a cost (n, n) that does not see a motion which does not decay by itself."""
    for _, vector in unreached_motions(plant.A.T, cost):
        raise _unweighed(model, basis @ vector)


def _unweighed(model: LinearModel, motion: np.ndarray) -> ModelError:
    where = model.states[int(np.abs(motion).argmax())]
    return ModelError(
        f"{model.point.arm.name}: no feedback of least cost is stable: the cost does not see the motion of {where}",
        hint="weigh every motion that does not decay by itself, e.g. the angles of the joints",
    )


def _effort(effort: float | Mapping[str, float], name: str, model: LinearModel) -> float:
    if isinstance(effort, Mapping):
        unknown = [given for given in effort if given not in model.inputs]
        if unknown or name not in effort:
            raise ModelError(
                f"{model.point.arm.name}: effort: expected one for each of {', '.join(model.inputs)}"
            )
        effort = effort[name]
    check_number("effort", effort, above=0)
    return float(effort)
