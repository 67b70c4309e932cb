"""Frequencies of small oscillations, from the public equations of motion: mass matrix and bias."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

import flexarm

STEP = 1e-5
"""Half the step of the differences; the bias is nearly quadratic in it."""


def squares(arm: flexarm.Arm, theta: np.ndarray, rates: np.ndarray, rows: Sequence[int]) -> np.ndarray:
    """Return squares of the angular frequencies of some coordinates about a steady motion, (k,) ascending [1/s^2].

    Parameters
    ----------
    theta, rates : (n_dof,) [rad or m], [rad/s or m/s]
        The steady motion; the coordinates besides `rows` follow it.
    rows : sequence of int
        Coordinates that oscillate, without damping or gyroscopic forces between them.
    """
    equations, rows = flexarm.motion_equations(arm), list(rows)
    steps = STEP * np.eye(theta.size)[rows]
    K = np.array([equations.bias(theta + h, rates) - equations.bias(theta - h, rates) for h in steps]).T[rows]
    M = equations.mass_matrix(theta)[np.ix_(rows, rows)]
    return np.sort(np.linalg.eigvals(np.linalg.solve(M, K / (2 * STEP))).real)
