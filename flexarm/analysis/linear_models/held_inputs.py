"""Samples of a linear system whose inputs are held in between."""

from __future__ import annotations

import numpy as np
from scipy.linalg import expm


def held_inputs(A: np.ndarray, B: np.ndarray, period: float) -> tuple[np.ndarray, np.ndarray]:
    """Matrices of x_k+1 = A_d x_k + B_d u_k, exactly those of x' = A x + B u with u held over a period [s].

    They are blocks of the exponential of [[A, B], [0, 0]] times the period.
    """
    n, m = B.shape
    steps = expm(np.block([[A, B], [np.zeros((m, n + m))]]) * period)
    return steps[:n, :n], steps[:n, n:]
