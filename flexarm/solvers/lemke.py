"""Lemke's method: linear complementarity problems whose matrix is neither symmetric nor semidefinite."""

from __future__ import annotations

from enum import Enum, auto
from itertools import product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from flexarm.solvers.equal_inertia import ROUND_OFF, unit_inertia

SMALLEST_PIVOT = 1e-11
"""Entry of the entering column that is round-off, in units of the largest one of the scaled matrix."""
TIES = (1e-12, 1e-10, 1e-8)
"""Differences that count as ties in the ratio test; the next one is tried where round-off has hidden a tie."""
SPREADS = (0.0, 1.0, 3.0)
"""Of the covering vectors, between 1 and 1 more; the next one is tried as it leads over other bases."""
RESIDUAL = 1e-9
"""Violation of the conditions accepted of a solution, in units of its largest term."""


class Termination(Enum):
    """How Lemke's method ended."""

    SOLUTION = auto()
    RAY = auto()
    """A ray of solutions of the augmented problem: of a copositive matrix, as friction has it, there is no solution."""
    ROUND_OFF = auto()
    """Too many pivots, or a result that violates the conditions: the problem is too badly conditioned."""


class LemkeResult(NamedTuple):
    """Outcome of Lemke's method.

    Attributes
    ----------
    z : (m,)
        The solution; zeros unless there is one.
    termination : Termination
    """

    z: NDArray[np.float64]
    termination: Termination

    @property
    def solved(self) -> bool:
        """True if z is a solution."""
        return self.termination is Termination.SOLUTION


def lemke(A: NDArray[np.float64], b: NDArray[np.float64], terms: float = 0.0) -> LemkeResult:
    """Solve the linear complementarity problem w = A z + b, z >= 0, w >= 0, z . w = 0 by Lemke's method.

    Parameters
    ----------
    A : (m, m)
        Any; entries may have units, as long as one unit for each unknown makes all of them consistent.
    b : (m,)
    terms : float
        Size of the terms whose sum b is, where these cancel: what is round-off in b is measured by it.

    Notes
    -----
    [CottlePangStone1992, section 4.4], on a dense tableau. Ties of the ratio test, which are the rule with redundant
    contacts, are broken lexicographically (section 4.9 there), so that no basis comes twice. Unknowns are scaled so
    that the positive entries of the diagonal are one: then a light and a heavy part weigh alike. The last basis is
    solved once more from A and b, which removes the round-off of the pivots; what then meets the conditions is a
    solution, also where the covering variable is still in the basis, at round-off. If nothing does, another covering
    vector leads over other bases: small pivots, of contacts that are almost wedged, make rays where there are none.

    The method finds a solution of a copositive A if z . b >= 0 for every z >= 0 with A z >= 0 and z . A z = 0
    (theorem 4.4.13 there).
    """
    m = b.size
    largest = np.abs(b).max(initial=terms)
    if m == 0 or b.min() >= -ROUND_OFF * largest:
        return LemkeResult(np.zeros(m), Termination.SOLUTION)
    scale = unit_inertia(A)
    scale[scale == 0] = 1.0
    A, b = scale[:, None] * A * scale, scale * b
    b = b / (size := np.abs(b).max())
    termination = Termination.ROUND_OFF
    uneven = np.arange(1, m + 1) * (np.sqrt(5) - 1) / 2 % 1
    for spread, tie in product(SPREADS, TIES):
        basis, termination = _pivots(A, b, 1 + spread * uneven, tie)
        z = _basic_solution(A, b, basis)
        if _is_solution(A, b, z):
            return LemkeResult(size * scale * z, Termination.SOLUTION)
    return LemkeResult(np.zeros(m), termination)


def _pivots(
    A: NDArray[np.float64], b: NDArray[np.float64], cover: NDArray[np.float64], tie: float
) -> tuple[NDArray[np.intp], Termination]:
    """Last basis (m,), where j < m is w_j, m + j is z_j and 2 m the covering variable, and how the method ended."""
    m = b.size
    covering = 2 * m
    # columns: w, z, the covering variable, right side; those of w are the inverse of the basis
    tableau = np.hstack([np.eye(m), -A, -cover[:, None], b[:, None]])
    basis = np.arange(m)
    # least entry of b / cover, the last one of equal ones: the lexicographic minimum of the rows of (b, I) / cover
    least = b / cover
    entering, row = covering, int(np.flatnonzero(least <= least.min() + tie)[-1])
    for _ in range(100 + 50 * m):
        leaving = int(basis[row])
        tableau[row] /= tableau[row, entering]
        column = tableau[:, entering].copy()
        column[row] = 0.0
        tableau -= column[:, None] * tableau[row]
        basis[row] = entering
        if leaving == covering:
            return basis, Termination.SOLUTION
        entering = leaving + m if leaving < m else leaving - m
        row = _leaving_row(tableau, basis, entering, tie)
        if row < 0:
            return basis, Termination.RAY
    return basis, Termination.ROUND_OFF


def _leaving_row(tableau: NDArray[np.float64], basis: NDArray[np.intp], entering: int, tie: float) -> int:
    """Row of the lexicographic ratio test, that of the covering variable where it is among the first; -1 on a ray."""
    column = tableau[:, entering]
    rows = np.flatnonzero(column > SMALLEST_PIVOT * max(1.0, np.abs(column).max()))
    if rows.size == 0:
        return -1
    m = basis.size
    for key in (-1, *range(m)):
        ratios = tableau[rows, key] / column[rows]
        least = ratios.min()
        rows = rows[ratios <= least + tie * max(1.0, abs(least))]
        if key == -1 and np.any(covering := basis[rows] == 2 * m):
            return int(rows[covering][0])
        if rows.size == 1:
            break
    return int(rows[0])


def _basic_solution(
    A: NDArray[np.float64], b: NDArray[np.float64], basis: NDArray[np.intp]
) -> NDArray[np.float64]:
    """Solution z (m,) that belongs to a complementary basis (m,)."""
    m = b.size
    positive = np.flatnonzero(np.isin(np.arange(m, 2 * m), basis))
    z = np.zeros(m)
    if positive.size:
        block = A[np.ix_(positive, positive)]
        z[positive] = np.maximum(np.linalg.lstsq(block, -b[positive], rcond=None)[0], 0.0)
    return z


def _is_solution(A: NDArray[np.float64], b: NDArray[np.float64], z: NDArray[np.float64]) -> bool:
    """True if z (m,) meets the conditions up to round-off."""
    w = A @ z + b
    terms = np.maximum(np.abs(A) @ z + np.abs(b), 1.0)
    return bool(np.all(w >= -RESIDUAL * terms) and np.all(z * w <= RESIDUAL * terms * np.maximum(z, 1.0)))
