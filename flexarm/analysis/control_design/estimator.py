"""Kalman filter of an arm's states, and the controller that feeds back what it estimates."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from flexarm.analysis.control_design.reachability import unreached_motions
from flexarm.analysis.control_design.riccati import (
    riccati_solution,
    round_off_of_gain,
    solution_in_other_units,
)
from flexarm.analysis.control_design.robustness import StateSpace
from flexarm.analysis.control_design.sampling import quadratic_integral
from flexarm.analysis.linear_models.linear_model import LinearModel
from flexarm.arguments import check_mapping, check_number
from flexarm.errors import ModelError


def estimating_controller(
    plant: StateSpace,
    stepped: StateSpace,
    K: np.ndarray,
    model: LinearModel,
    measure: tuple[str, ...],
    noise: Mapping[str, float],
    torque_noise: float,
    basis: np.ndarray,
    period: float | None,
) -> tuple[np.ndarray, StateSpace, float]:
    """Gain of the Kalman filter, the controller that feeds back its estimates, and what of the gain is round-off."""
    arm = model.point.arm
    check_mapping("noise", noise)
    if lacking := [name for name in measure if name not in noise]:
        raise ModelError(
            f"{arm.name}: noise: {', '.join(lacking)} is measured without noise",
            hint="give noise > 0 for each sensor",
        )
    for name, density in noise.items():
        check_number(f"noise[{name!r}]", density, above=0)
    check_number("torque_noise", torque_noise, above=0)
    for pole, vector in unreached_motions(plant.A.T, plant.C.T):
        where = model.states[int(np.abs(basis @ vector).argmax())]
        raise ModelError(
            f"{arm.name}: no sensor sees the motion of {where} with the pole {pole:.4g} 1/s, which does not decay by "
            "itself",
            hint="measure more, e.g. the angle of a joint",
        )
    A, B, C, D, _ = stepped
    V = np.diag([noise[name] ** 2 for name in measure])
    if period is None:
        W = torque_noise**2 * plant.B @ plant.B.T
        cross = torque_noise**2 * plant.B @ D.T
        V = V + torque_noise**2 * D @ D.T
        equation = A.T, C.T, W, V, cross, False
        P, again = riccati_solution(*equation, arm.name), solution_in_other_units(*equation)
        L = np.linalg.solve(V, C @ P + cross.T).T
        other = None if again is None else np.linalg.solve(V, C @ again + cross.T)
        off = round_off_of_gain(L.T, other, P, V)
        return L, StateSpace(A - B @ K - L @ (C - D @ K), L, -K, np.zeros((len(K), len(C)))), off
    W = quadratic_integral(plant.A.T, torque_noise**2 * plant.B @ plant.B.T, period)
    equation = A.T, C.T, W, V / period, np.zeros_like(C.T), True
    P, again = riccati_solution(*equation, arm.name), solution_in_other_units(*equation)

    def gain(P: np.ndarray) -> np.ndarray:
        return np.linalg.solve(C @ P @ C.T + V / period, C @ P).T

    M = gain(P)  # x + M (y - C x) knows the present sample
    off = round_off_of_gain(M.T, None if again is None else gain(again).T, P, V)
    # u = -K (x + M (y - C x - D u))
    inside = np.linalg.inv(np.eye(len(K)) - K @ M @ D)
    Cc, Dc = -inside @ K @ (np.eye(len(A)) - M @ C), -inside @ K @ M
    L = A @ M
    # x+ = A x + B u + L (y - C x - D u)
    return L, StateSpace(A - L @ C + (B - L @ D) @ Cc, L + (B - L @ D) @ Dc, Cc, Dc, period), off
