"""Exponential dichotomy of the zero dynamics: which parts of a motion grow, and which do not.

The rows span the left invariant subspaces of both kinds of eigenvalues: [Coppel1978], [AscherMattheijRussell1995]
section 3.4.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from scipy.linalg import eig, ordqz

from flexarm.simulation.inverse.zeros.linear_zero_dynamics import LinearZeroDynamics

NEAR = 1e-6
"""Distance of two zeros, of their size, that count as one."""


class Dichotomy(NamedTuple):
    """Rows of the conditions for a bounded motion at its start and at its end.

    Attributes
    ----------
    start : (k_s, 2 m)
        Rows that pick what must vanish at the start out of [delta / amplitude, delta_d / (amplitude frequency)],
        deflections counted from equilibrium: the part that does not grow.
    end : (k_e, 2 m)
        Rows that pick the rate of what must vanish at the end out of [delta_d / (amplitude frequency), f / force],
        where f are the forces on the modal amplitudes: of the part that grows.
    free : int
        How many of the last rows of both belong to free oscillations, one for each pair of zeros.
    oscillations : (2 free, 2 m), (2 free, 2 m)
        Rows that pick the whole of the free oscillations, as at the start and as at the end.
    """

    start: np.ndarray
    end: np.ndarray
    free: int
    oscillations: tuple[np.ndarray, np.ndarray]

    def freed(self, more: int) -> Dichotomy:
        """With so many more free conditions at the end, or fewer: where motions change their kind on the way.

        Every row that is independent of the others serves for a free condition.
        """
        if more <= 0:
            return self._replace(end=self.end[: len(self.end) + more], free=self.free + more)
        others = np.linalg.svd(self.end)[2][len(self.end) :]
        return self._replace(end=np.concatenate([self.end, others[:more]]), free=self.free + more)


def dichotomy(linear: LinearZeroDynamics, fast: float) -> Dichotomy:
    """Rows of the conditions for a bounded motion.

    Parameters
    ----------
    linear : LinearZeroDynamics
    fast : float [1/s]
        Size of the zeros of oscillations from which on these are free: whether they grow or decay does not count,
        one condition at either end stands for the two at one of them.
    """
    m = len(linear.K)
    none = np.empty((0, 2 * m))
    if not m:
        return Dichotomy(none, none, 0, (none, none))
    pairs = linear.oscillations[np.abs(linear.oscillations) > fast]
    of_pairs = [_nearness(pair) for pair in pairs]

    def slow(zeros: np.ndarray) -> np.ndarray:
        return (
            ~np.any([is_pair(zeros) for is_pair in of_pairs], axis=0)
            if of_pairs
            else np.full(zeros.shape, True)
        )

    _, count, _, left = _ordered(linear, lambda zeros: ~linear.grows(zeros) & slow(zeros))
    start = [left[:, :count].T]
    _, count, right, _ = _ordered(linear, lambda zeros: linear.grows(zeros) & slow(zeros))
    end, whole = [right[:, :count].T], ([none], [none])
    for is_pair in of_pairs:
        _, count, right, left = _ordered(linear, is_pair)
        at_start, rates = left[:, :count].T, right[:, :count].T
        start.append(_without(at_start, slice(m, None)))
        end.append(_without(rates, slice(None, m)))
        whole[0].append(at_start)
        whole[1].append(np.linalg.solve((at_start @ linear.pencil()[0].T @ rates.T).T, rates))
    if not sum(map(len, end)):
        return Dichotomy(np.eye(2 * m), none, 0, (none, none))
    oscillations = np.concatenate(whole[0]), np.concatenate(whole[1])
    return Dichotomy(np.concatenate(start), np.concatenate(end), len(pairs), oscillations)


def _ordered(
    linear: LinearZeroDynamics, selected: Callable[[np.ndarray], np.ndarray]
) -> tuple[np.ndarray, int, np.ndarray, np.ndarray]:
    """Eigenvalues of the scaled pencil, those selected first, how many these are, and its Schur vectors.

    With E z' = A z of the scaled state z, rows W with W A = L W E are the left deflating subspace of some
    eigenvalues: (W E) z is the part of a state that belongs to them, and W A z its rate.
    """
    A, E = linear.pencil()
    try:
        *_, alpha, beta, left, right = ordqz(
            A.T,
            E.T,
            sort=lambda alpha, beta: selected(linear.finite(alpha, beta)),  # type: ignore[arg-type]
            output="real",
        )
    except ValueError:  # too ill conditioned to be reordered
        return _by_eigenvectors(linear, selected)
    zeros = linear.finite(alpha, beta)
    return zeros, int(selected(zeros).sum()), right, left


def _by_eigenvectors(
    linear: LinearZeroDynamics, selected: Callable[[np.ndarray], np.ndarray]
) -> tuple[np.ndarray, int, np.ndarray, np.ndarray]:
    """The same from the left eigenvectors, without an order of those that are not selected."""
    A, E = linear.pencil()
    (alpha, beta), vectors = eig(A, E, left=True, right=False, homogeneous_eigvals=True)  # type: ignore[misc]
    zeros = linear.finite(alpha, beta)
    chosen = selected(zeros)
    W = np.concatenate([np.real(vectors[:, chosen]), np.imag(vectors[:, chosen])], axis=1)
    right = np.linalg.svd(W, full_matrices=False)[0][:, : chosen.sum()]
    return zeros, int(chosen.sum()), right, np.linalg.qr(E.T @ right)[0]


def _nearness(pair: complex) -> Callable[[np.ndarray], np.ndarray]:
    """True for those of some zeros that are one of a conjugate pair."""
    return lambda zeros: np.minimum(np.abs(zeros - pair), np.abs(zeros - pair.conjugate())) < NEAR * abs(pair)


def _without(rows: np.ndarray, columns: slice) -> np.ndarray:
    """Half as many orthonormal rows from the span of rows (2 k, n), those that have least in some of the columns."""
    combinations = np.linalg.svd(rows[:, columns])[0]
    return combinations[:, len(rows) // 2 :].T @ rows
