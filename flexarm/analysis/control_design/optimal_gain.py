"""Gain of the feedback that costs least: LQR of continuous time, or of samples under the same cost."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from scipy.linalg import block_diag, expm, solve_continuous_are, solve_discrete_are

from flexarm.analysis.control_design.reachability import MARGINAL
from flexarm.analysis.control_design.robustness import StateSpace
from flexarm.analysis.linear_models.linear_model import LinearModel
from flexarm.arguments import check_number
from flexarm.errors import ModelError


def sampled(plant: StateSpace, period: float) -> StateSpace:
    """Exact model of the samples of a plant whose inputs are held in between."""
    n, m = plant.B.shape
    steps = expm(np.block([[plant.A, plant.B], [np.zeros((m, n + m))]]) * period)
    return StateSpace(steps[:n, :n], steps[:n, n:], plant.C, plant.D, period)


def optimal_gain(
    plant: StateSpace,
    model: LinearModel,
    rows: Mapping[str, np.ndarray],
    weights: Mapping[str, float],
    effort: float | Mapping[str, float],
    basis: np.ndarray,
    period: float | None,
) -> np.ndarray:
    """Gain of least cost."""
    n = len(plant.A)
    if not weights:
        raise ModelError(f"{model.point.arm.name}: a cost needs weights", hint="e.g. weights={'tip_y': 100}")
    efforts = [_effort(effort, name, model) for name in model.inputs]
    cost = np.asarray(block_diag(np.zeros((n, n)), np.diag(efforts)))
    for name, weight in weights.items():
        row = np.append(rows[name][: len(basis)] @ basis, rows[name][len(basis) :])
        cost += weight * np.outer(row, row)
    A, B = plant.A, plant.B
    if period is not None:
        A, B, *_ = sampled(plant, period)
        cost = _sampled_cost(plant, cost, period)
    Q, N, R = cost[:n, :n], cost[:n, n:], cost[n:, n:]
    try:
        if period is None:
            P = solve_continuous_are(A, B, Q, R, s=N)
            K = np.linalg.solve(R, B.T @ P + N.T)
        else:
            P = solve_discrete_are(A, B, Q, R, s=N)
            K = np.linalg.solve(R + B.T @ P @ B, B.T @ P @ A + N.T)
    except np.linalg.LinAlgError:
        K = np.zeros((B.shape[1], n))
    poles, vectors = np.linalg.eig(A - B @ K)
    growth = np.real(poles) if period is None else np.log(np.abs(poles)) / period
    if growth.max() > -MARGINAL * np.abs(plant.poles).max():
        where = model.states[int(np.abs(basis @ vectors[:, growth.argmax()]).argmax())]
        raise ModelError(
            f"{model.point.arm.name}: no feedback of least cost is stable: the cost does not see the motion of {where}",
            hint="weigh every motion that does not decay by itself, e.g. the angles of the joints",
        )
    return K


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


def _sampled_cost(plant: StateSpace, cost: np.ndarray, period: float) -> np.ndarray:
    """Cost of a period whose input is held, by Van Loan's exponential."""
    n, m = plant.B.shape
    F = np.block([[plant.A, plant.B], [np.zeros((m, n + m))]])
    E = expm(np.block([[-F.T, cost], [np.zeros_like(F), F]]) * period)
    k = n + m
    whole = E[k:, k:].T @ E[:k, k:]
    return (whole + whole.T) / 2
