"""Riccati equations of optimal feedback and of estimators."""

from __future__ import annotations

import numpy as np
from scipy.linalg import solve_continuous_are

from flexarm.errors import ModelError

CONVERGED = 1e-14
"""Change of the solution, of its size, after which it stands."""
OTHER_UNIT = 3.0
"""Unit of the last state, over that of the first, when a solution is found once more."""
MOST_DOUBLINGS = 60
"""Doublings of the horizon, beyond which a motion does not decay."""


def riccati_solution(
    A: np.ndarray,
    B: np.ndarray,
    Q: np.ndarray,
    R: np.ndarray,
    S: np.ndarray,
    sampled: bool,
    name: str,
) -> np.ndarray:
    """Stabilising solution P (n, n) of ``A' P + P A - (P B + S) R^-1 (B' P + S') + Q = 0``, or of that of samples.

    Parameters
    ----------
    A, B, Q, R, S : (n, n), (n, m), (n, n), (m, m), (n, m)
    sampled : bool
        True for ``A' P A - P - (A' P B + S) (R + B' P B)^-1 (B' P A + S') + Q = 0``.
    name : str
        Of the arm, for messages.

    Raises
    ------
    ModelError
        There is none to the precision of numbers.
    """
    try:
        return (_of_samples if sampled else _of_rates)(A, B, Q, R, S)
    except (np.linalg.LinAlgError, ValueError):
        raise ModelError(
            f"{name}: the Riccati equation has no solution to the precision of numbers",
            hint="choose weights, or noises, of more similar effect",
        ) from None


def solution_in_other_units(
    A: np.ndarray, B: np.ndarray, Q: np.ndarray, R: np.ndarray, S: np.ndarray, sampled: bool
) -> np.ndarray | None:
    """The same solution from states in other units: what differs is round-off; None if that leaves no solution.

    The units are no powers of 2, so that every number is rounded anew.
    """
    unit = np.geomspace(1.0, OTHER_UNIT, len(A))
    try:
        P = (_of_samples if sampled else _of_rates)(
            A * unit / unit[:, None], B / unit[:, None], Q * np.outer(unit, unit), R, S * unit[:, None]
        )
    except (np.linalg.LinAlgError, ValueError):
        return None
    return P / np.outer(unit, unit)


def round_off_of_gain(gain: np.ndarray, other: np.ndarray | None, P: np.ndarray, R: np.ndarray) -> float:
    """Largest difference of two gains (m, n) of a solution P (n, n) and weights R (m, m), over the largest entry.

    Each state is in its own unit, in which P has 1 on the diagonal, and each input in that in which R has. Infinite
    without another gain.
    """
    if other is None:
        return np.inf
    unit = np.sqrt(np.outer(np.diag(R), 1 / np.maximum(np.diag(P), np.finfo(float).tiny)))
    return float(np.abs((gain - other) * unit).max() / np.abs(gain * unit).max())


def _of_rates(A: np.ndarray, B: np.ndarray, Q: np.ndarray, R: np.ndarray, S: np.ndarray) -> np.ndarray:
    """Solution of continuous time, by a Schur form.

    Sensors measure strains and metres: inputs are taken in units in which the diagonal of R is 1, and P in one in which
    Q and B R^-1 B' are of the same size.
    """
    unit = np.sqrt(np.diag(R))
    B, R, S = B / unit, R / np.outer(unit, unit), S / unit
    size = np.sqrt(np.linalg.norm(Q, 2) / np.linalg.norm(B @ B.T, 2)) or 1.0
    return solve_continuous_are(A, B, Q / size, R / size, s=S / size) * size


def _of_samples(A: np.ndarray, B: np.ndarray, Q: np.ndarray, R: np.ndarray, S: np.ndarray) -> np.ndarray:
    """Solution of samples: the cost of a horizon that doubles until it stands [ChuFanLinWang2004].

    Poles of short periods all lie beside 1, where a Schur form cannot be put into order.
    """
    A, G, H = A - B @ np.linalg.solve(R, S.T), B @ np.linalg.solve(R, B.T), Q - S @ np.linalg.solve(R, S.T)
    for _ in range(MOST_DOUBLINGS):
        both = np.linalg.solve(np.eye(len(A)) + G @ H, np.hstack([A, G]))
        onwards, reach = np.split(both, 2, axis=1)
        more, reach = A.T @ H @ onwards, A @ reach @ A.T
        A, G, H = A @ onwards, G + (reach + reach.T) / 2, H + (more + more.T) / 2
        if not np.isfinite(H).all():
            break
        if np.abs(more).max() <= CONVERGED * np.abs(H).max():
            return H
    raise np.linalg.LinAlgError
