"""The linear complementarity problem: forces of several contacts, of which some are active."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from flexarm.errors import SolverError
from flexarm.solvers.equal_inertia import ROUND_OFF, unit_inertia
from flexarm.solvers.lemke import lemke


def solve_lcp(A: NDArray[np.float64], b: NDArray[np.float64]) -> NDArray[np.float64]:
    """Solve the linear complementarity problem w = A F + b, F >= 0, w >= 0, F . w = 0.

    Parameters
    ----------
    A : (m, m)
        Symmetric and positive semidefinite: velocity [m/s] that a unit impulse [N s] at one contact gives to another,
        or acceleration [m/s^2] that a unit force [N] gives.
    b : (m,) [m/s or m/s^2]
        Velocities or accelerations without contact.

    Returns
    -------
    (m,) [N s or N]
        Impulses or forces; of redundant contacts some remain zero.

    Raises
    ------
    SolverError
        There is no solution: something that no force can move is driven into a wall.

    Notes
    -----
    These are the Kuhn-Tucker conditions of a quadratic programme [CottlePangStone1992, section 1.2]: the forces
    minimise F . A F / 2 + b . F over F >= 0. An active-set method solves it, that of [LawsonHanson1974, chapter 23]:
    the most violated contact joins, forces that would pull leave; each set is better than the last, so none comes
    twice. Where redundant contacts of very different weight hide that in round-off, Lemke's method has the last word.
    """
    if b.size == 1 and A[0, 0] > 0:
        return np.maximum(-b / A[0], 0.0)
    scale = unit_inertia(A)
    A, b = scale[:, None] * A * scale, np.where(scale > 0, scale, 1.0) * b
    tolerance = ROUND_OFF * np.abs(b).max(initial=0.0)
    F, active = np.zeros(b.size), np.zeros(b.size, dtype=bool)
    for _ in range(10 + 10 * b.size):
        w = A @ F + b
        violated = np.where(active, 0.0, w)
        worst = int(violated.argmin()) if b.size else 0
        if b.size == 0 or violated[worst] >= -tolerance:
            return scale * F
        if scale[worst] == 0:
            break
        active[worst] = True
        _solve_active(A, b, F, active)
    result = lemke(A, b)
    if result.solved:
        return scale * result.z
    raise SolverError(
        "no forces of the walls keep the arm outside: it is driven into them, or wedged between them"
    )


def _solve_active(
    A: NDArray[np.float64], b: NDArray[np.float64], F: NDArray[np.float64], active: NDArray[np.bool_]
) -> None:
    """Move F to the solution of the active set's equations; contacts that would pull leave the set on the way."""
    while active.any():
        rows = np.flatnonzero(active)
        goal = np.linalg.lstsq(A[np.ix_(rows, rows)], -b[rows], rcond=None)[0]
        if np.all(goal > 0):
            F[rows] = goal
            return
        pulls = goal <= 0
        share = np.min(F[rows][pulls] / np.maximum(F[rows][pulls] - goal[pulls], 1e-300))
        F[rows] += share * (goal - F[rows])
        leaving = rows[pulls & (F[rows] <= 1e-15 * F.max())]
        leaving = leaving if leaving.size else rows[[int(np.argmin(F[rows]))]]
        F[leaving], active[leaving] = 0.0, False
