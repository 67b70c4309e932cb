"""Poles and shapes of M x_dd + D x_d + K x = 0, rigid-body motions, instabilities and integral parts included."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.linalg import eig, eigh, qr

RIGID = 1e-12
"""Square of a natural frequency, of a typical one, below which nothing holds a motion but round-off."""
UNSTABLE = 1e-10
"""Real part of a pole, of the largest pole's size, from which on it counts as unstable."""


@dataclass(frozen=True)
class Eigenmodes:
    """Natural modes, rigid-body motions first, then by natural frequency.

    Attributes
    ----------
    poles : (k,) complex [1/s]
        One for each mode: the one with positive imaginary part of a pair, a real one by itself, 0 for a
        rigid-body motion.
    shapes : (n, k) complex
        Columns x with x^H M x = 1, turned so that the real part is the motion at its largest.
    n_rigid : int
        How many are rigid-body motions: x with K x = 0.
    n_coasting : int
        How many of these go on without friction: their pole at 0 is a double one.
    """

    poles: np.ndarray
    shapes: np.ndarray
    n_rigid: int
    n_coasting: int

    @classmethod
    def none(cls) -> Eigenmodes:
        """Of what cannot move."""
        return cls(np.empty(0, dtype=complex), np.empty((0, 0), dtype=complex), 0, 0)

    @property
    def all_poles(self) -> np.ndarray:
        """Poles with their conjugates and with all those at 0, (states,) complex [1/s]."""
        pairs = self.poles[np.imag(self.poles) > 0].conj()
        return np.concatenate([np.zeros(self.n_coasting), self.poles, pairs])

    @property
    def natural_frequency(self) -> np.ndarray:
        """|pole| / (2 pi), (k,) [Hz]."""
        return np.abs(self.poles) / (2 * np.pi)

    @property
    def damping_ratio(self) -> np.ndarray:
        """-Re(pole) / |pole|, (k,); 1 for a real stable pole, negative for an unstable one, NaN for rigid motions."""
        size = np.abs(self.poles)
        return np.divide(-np.real(self.poles), size, out=np.full(size.size, np.nan), where=size > 0) + 0.0

    @property
    def unstable(self) -> np.ndarray:
        """Modes that grow, (k,) of bool."""
        return growing(self.poles)

    @property
    def stability(self) -> str:
        """``unstable``; ``indifferent`` where some motion is held by nothing; else ``stable``."""
        if self.unstable.any():
            return "unstable"
        return "indifferent" if self.n_rigid else "stable"


def growing(poles: np.ndarray) -> np.ndarray:
    """Which motions grow, (..., k) of bool, of poles (..., k) complex [1/s]; NaN where there is none."""
    size = np.abs(poles)
    largest = np.max(size, axis=-1, keepdims=True, initial=0.0, where=np.isfinite(size))
    return np.real(poles) > UNSTABLE * largest


def eigenmodes(
    M: np.ndarray,
    D: np.ndarray,
    K: np.ndarray,
    typical: float,
    leading: np.ndarray,
    integral_gains: np.ndarray | None = None,
) -> Eigenmodes:
    """Eigenmodes of the eigenvalue problem (s^2 M + s D + K + diag(ki)/s) x = 0.

    Parameters
    ----------
    M, D, K : (n, n)
        M symmetric positive definite.
    typical : float [1/s^2]
        Square of a typical natural frequency, to distinguish slow motions from rigid ones; 0: that of the fastest.
    leading : (n,) of bool
        Coordinates whose motions can be rigid: joints and base.
    integral_gains : (n,), optional
        ki, each other than 0 of a coordinate on which K acts too.

    Notes
    -----
    In the modes z of (K, M) without damping, x = V z, the state [w z, z_d] with w = sqrt|diag V^T K V| has a
    skew-symmetric matrix where there is no damping: natural frequencies then come out to round-off of the highest one,
    purely imaginary. V^T K V is formed anew, which makes the slow frequencies of stiff arms accurate: its
    diagonal is made of Rayleigh quotients. The position of a rigid-body motion, a double pole at zero, is no
    state: its Jordan block would come out as a slow growth. Integrals of coordinates are further states.
    """
    _, V = eigh((K + K.T) / 2, M)
    Kz, Dz = V.T @ K @ V, V.T @ D @ V
    squares = np.abs(np.diag(Kz))
    typical = typical or squares.max(initial=0.0)
    rigid = squares <= RIGID * typical
    gains = np.zeros(len(M)) if integral_gains is None else integral_gains
    integrated = gains != 0
    Iz = V.T[:, integrated] * gains[integrated]
    poles, z = _poles(Kz, Dz, np.sqrt(squares), ~rigid, V[integrated], Iz)
    # A rigid motion without friction has a second pole at zero, that of its speed.
    n_rigid = int(rigid.sum())
    friction = Dz[np.ix_(rigid, rigid)]
    coasting = n_rigid - int(np.linalg.matrix_rank(friction, tol=RIGID * np.sqrt(typical))) if n_rigid else 0
    moving = np.sort(np.argsort(np.abs(poles))[coasting:])
    upper = moving[np.imag(poles[moving]) >= 0]
    order = upper[np.lexsort((-np.real(poles[upper]), np.abs(poles[upper])))]
    shapes = np.hstack([_plain(V[:, rigid], leading), V @ z[:, order]])
    return Eigenmodes(
        np.concatenate([np.zeros(n_rigid), poles[order]]),
        np.stack([_normalised(x, M) for x in shapes.T], axis=1),
        n_rigid,
        coasting,
    )


def _poles(
    Kz: np.ndarray, Dz: np.ndarray, w: np.ndarray, elastic: np.ndarray, Vi: np.ndarray, Iz: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Eigenvalues of the state [w z[elastic], z_d, s = int Vi z dt] with forces -Iz s, and z (n, ..) up to a factor."""
    n, m = len(Kz), int(elastic.sum())
    A = np.zeros((m + n + len(Vi), m + n + len(Vi)))
    A[np.arange(m), m + np.flatnonzero(elastic)] = w[elastic]
    A[m : m + n, :m] = -Kz[:, elastic] / w[elastic]
    A[m : m + n, m : m + n] = -Dz
    A[m : m + n, m + n :] = -Iz
    A[m + n :, :m] = Vi[:, elastic] / w[elastic]
    poles, states = eig(A)  # pyright: ignore[reportAssignmentType]
    return poles, states[m : m + n]  # z_d = pole z


def _plain(N: np.ndarray, leading: np.ndarray) -> np.ndarray:
    """The same motions (n, r), so combined that each moves one coordinate that the others do not move.

    There are more of them than coordinates to tell them apart where vibrations are so slow that they count as rigid,
    such as those of a link with deflections out of all proportion; these stay as they are.
    """
    candidates = np.flatnonzero(leading)
    if not 0 < N.shape[1] <= candidates.size:
        return N
    *_, ranked = qr(N[candidates].T, pivoting=True, mode="economic")
    pivots = candidates[np.sort(ranked[: N.shape[1]])]
    return N @ np.linalg.inv(N[pivots])


def _normalised(x: np.ndarray, M: np.ndarray) -> np.ndarray:
    x = x * np.exp(-0.5j * np.angle(x @ M @ x))
    x /= np.sqrt(np.real(x.conj() @ M @ x))
    weights = np.real(x) * np.sqrt(np.diag(M))
    return x if weights[np.abs(weights).argmax()] > 0 else -x
