"""Samples of a linear system whose inputs are held in between, and integrals over a period."""

from __future__ import annotations

import numpy as np
from scipy.linalg import expm

from flexarm.analysis.control_design.robustness import StateSpace
from flexarm.analysis.linear_models.held_inputs import held_inputs

LONGEST = 1.0
"""Period, over the norm of the matrix, whose integral is found at once; longer ones by doubling, without overflow."""


def sampled(plant: StateSpace, period: float) -> StateSpace:
    """Exact model of the samples of a plant whose inputs are held in between."""
    return StateSpace(*held_inputs(plant.A, plant.B, period), plant.C, plant.D, period)


def quadratic_integral(F: np.ndarray, W: np.ndarray, period: float) -> np.ndarray:
    """Integral ``int exp(F' t) W exp(F t) dt`` over a period [s], by Van Loan's exponential."""
    n = len(F)
    doublings = max(0, int(np.ceil(np.log2(np.linalg.norm(F, 2) * period / LONGEST))))
    E = expm(np.block([[-F.T, W], [np.zeros_like(F), F]]) * (period / 2**doublings))
    step, whole = E[n:, n:], E[n:, n:].T @ E[:n, n:]
    for _ in range(doublings):
        whole, step = whole + step.T @ whole @ step, step @ step
    return (whole + whole.T) / 2
