"""Linear systems of collocation: rates at the Gauss points eliminated interval by interval, a band of the states left.

Parameter condensation, [AscherMattheijRussell1995] chapter 7. The factors are kept, so that further right-hand sides
of the same matrix cost little.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.linalg import lapack

from flexarm.solvers.collocation import ImplicitEquations, Linearisation, Scheme, tableau


class SingularSystemError(ArithmeticError):
    """The linear system of an interval (its number is given), or that of the states at the mesh (none), is singular."""

    def __init__(self, interval: int | None = None):
        super().__init__("singular")
        self.interval = interval


CHUNK = 8
"""Intervals whose matrices are built and inverted at once: so many fit into the cache of a processor."""


@dataclass(frozen=True)
class StageMaps:
    """Linear maps of the collocation polynomials of some equations on a mesh of m intervals.

    Attributes
    ----------
    equations : ImplicitEquations
    h : (m,) [s]
        Lengths of the intervals.
    scheme : Scheme
    """

    equations: ImplicitEquations
    h: np.ndarray
    scheme: Scheme

    def states(self, Y: np.ndarray, R: np.ndarray) -> np.ndarray:
        """States (m, s, n) at the Gauss points from those at the mesh, Y (m + 1, n), and rates R (m, s, e) there."""
        equations, h, A = self.equations, self.h[:, None, None], tableau().A
        inner = np.repeat(Y[:-1, None, :], R.shape[1], axis=1)
        inner[..., equations.implicit] += h * np.einsum("sj,ijn->isn", A, R)
        second = np.einsum("sj,ijn->isn", self.scheme.double(), R[..., self.of_speeds])
        inner[..., equations.positions] += h * (
            tableau().c[:, None] * Y[:-1, None, equations.speeds] + h * second
        )
        return inner

    @property
    def of_speeds(self) -> list[int]:
        """Where the rates of the speeds are among those of the implicit components."""
        return [list(self.equations.implicit).index(k) for k in self.equations.speeds]

    def slopes(self, Y: np.ndarray, R: np.ndarray) -> np.ndarray:
        """Rates (m, s, n) of all components at the Gauss points."""
        equations, h = self.equations, self.h[:, None, None]
        slopes = np.empty((*R.shape[:2], equations.n))
        slopes[..., equations.implicit] = R
        moved = np.einsum("sj,ijn->isn", tableau().A, R[..., self.of_speeds])
        slopes[..., equations.positions] = Y[:-1, None, equations.speeds] + h * moved
        return slopes

    def gaps(self, Y: np.ndarray, R: np.ndarray) -> np.ndarray:
        """How far the states at the mesh are from the ends of the polynomials, (m, n)."""
        reached = np.einsum("s,isn->in", tableau().b, self.slopes(Y, R))
        return np.diff(Y, axis=0) - self.h[:, None] * reached


class CondensedSystem:
    """Factors of the Newton matrix of a collocation.

    Parameters
    ----------
    maps : StageMaps
    linear : Linearisation
        At all Gauss points, (m s, ..).
    start, end : (k, n), (n - k, n)
        Derivatives of the conditions at both ends by the state there.
    scale : (n,)
        Size of the components, by which the pivots are chosen.
    """

    def __init__(
        self, maps: StageMaps, linear: Linearisation, start: np.ndarray, end: np.ndarray, scale: np.ndarray
    ):
        self.maps, self.scale = maps, scale
        equations, h = maps.equations, maps.h
        _, A, b, *_ = tableau()
        m, s, n, e = h.size, A.shape[0], equations.n, len(equations.implicit)
        self._shape, self._k = (m, s, n, e), len(start)
        by_state = linear.by_state.reshape(m, s, e, n)
        by_rate = linear.by_rate.reshape(m, s, e, e)
        self._inverse, self._by_start = np.empty((m, s * e, s * e)), np.empty((m, s, e, n))
        for k in range(0, m, CHUNK):
            self._eliminate_rates(slice(k, min(k + CHUNK, m)), by_state, by_rate)
        self._b2 = b @ A
        positions, speeds = list(equations.positions), list(equations.speeds)
        Phi = np.zeros((m, n, n))
        Phi[:, np.arange(n), np.arange(n)] = 1.0
        Phi[:, positions, speeds] += h[:, None]
        Phi += self._ends(self._by_start)
        self._factorise(Phi, start, end)

    def _eliminate_rates(self, chunk: slice, by_state: np.ndarray, by_rate: np.ndarray) -> None:
        """Invert the matrices of the rates in some intervals, and find how the rates depend on the states before."""
        equations, h = self.maps.equations, self.maps.h[chunk]
        _, A, *_ = tableau()
        (_, s, n, e), m = self._shape, h.size
        by_state, by_rate = by_state[chunk], by_rate[chunk]
        # state at a Gauss point: y + h c y[speeds] in the positions, h A r in the implicit, h^2 A^2 r, or its
        # like, in the positions
        positions, speeds, implicit = map(list, (equations.positions, equations.speeds, equations.implicit))
        of_speeds = self.maps.of_speeds
        first = by_state[..., implicit]
        matrix = h[:, None, None, None, None] * A[:, None, :, None] * first[:, :, :, None, :]
        twice = by_state[..., positions]
        second = (
            h[:, None, None, None, None] ** 2
            * self.maps.scheme.double()[:, None, :, None]
            * twice[:, :, :, None, :]
        )
        matrix[..., of_speeds] += second
        for j in range(s):
            matrix[:, j, :, j, :] += by_rate[:, j]
        start_columns = by_state.copy()
        start_columns[..., speeds] += h[:, None, None, None] * tableau().c[:, None, None] * twice
        matrix = matrix.reshape(m, s * e, s * e)
        try:
            self._inverse[chunk] = _inverses(matrix, np.tile(self.scale[implicit], s))
        except SingularSystemError as singular:
            raise SingularSystemError(chunk.start + (singular.interval or 0)) from None
        rates = -(self._inverse[chunk] @ start_columns.reshape(m, s * e, n))
        self._by_start[chunk] = rates.reshape(m, s, e, n)

    def solve(
        self, residual: np.ndarray, gaps: np.ndarray, start: np.ndarray, end: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """Newton correction: dY (m + 1, n) and dR (m, s, e).

        Parameters
        ----------
        residual : (m s, e)
            Of the equations at the Gauss points.
        gaps : (m, n)
            Of the states at the mesh.
        start, end : (k,), (n - k,)
            Values of the conditions.
        """
        m, s, n, e = self._shape
        own = -(self._inverse @ residual.reshape(m, s * e, 1)).reshape(m, s, e)
        right = np.empty((m + 1) * n)
        k = self._k
        right[:k] = -start
        right[k : k + m * n] = -((self._ends(own[..., None])[..., 0] - gaps) / self.scale).ravel()
        right[k + m * n :] = -end
        right[:k] /= self._start_size
        right[k + m * n :] /= self._end_size
        right_start = right[:k].copy()
        found = lapack.dgbtrs(*self._band, self._lower, self._upper, right, self._pivots)[0]  # type: ignore[attr-defined]
        dY = found.reshape(m + 1, n) * self.scale
        if k == n:  # the start is given: without the round-off of what follows it
            dY[0] = self.scale * np.linalg.solve(self._start, right_start)
        return dY, own + np.einsum("isen,in->ise", self._by_start, dY[:-1])

    def _ends(self, of_rates: np.ndarray) -> np.ndarray:
        """What rates at the Gauss points (m, s, e, c) do to the state at the end of their interval: (m, n, c)."""
        equations, h = self.maps.equations, self.maps.h[:, None, None]
        implicit = list(equations.implicit)
        result = np.zeros((len(h), equations.n, of_rates.shape[-1]))
        result[:, implicit] = h * np.einsum("s,isec->iec", tableau().b, of_rates)
        twice = np.einsum("s,isec->iec", self._b2, of_rates[:, :, self.maps.of_speeds])
        result[:, list(equations.positions)] += h**2 * twice
        return result

    def _factorise(self, Phi: np.ndarray, start: np.ndarray, end: np.ndarray) -> None:
        """Factorise dY_{i+1} = Phi_i dY_i + g_i with start and end conditions as a band, in scaled components."""
        m, n = Phi.shape[:2]
        k = self._k
        scaled = Phi * self.scale / self.scale[:, None]
        start, self._start_size = _equilibrated(start * self.scale)
        end, self._end_size = _equilibrated(end * self.scale)
        self._start = start
        lower, upper = k + n - 1, max(2 * n - 1 - k, n - 1)
        band = np.zeros((2 * lower + upper + 1, (m + 1) * n))

        def put(rows: np.ndarray, columns: np.ndarray, values: np.ndarray) -> None:
            rows, columns = np.broadcast_arrays(rows, columns)
            band[lower + upper + rows - columns, columns] = values

        inside = np.arange(n)
        put(np.arange(k)[:, None], inside[None, :], start)
        rows = k + n * np.arange(m)[:, None, None] + inside[None, :, None]
        put(rows, n * np.arange(m)[:, None, None] + inside[None, None, :], scaled)
        put(rows[..., 0], n * (1 + np.arange(m))[:, None] + inside[None, :], np.array(-1.0))
        put(k + m * n + np.arange(n - k)[:, None], m * n + inside[None, :], end)
        if not np.isfinite(band).all():
            raise SingularSystemError
        factors, self._pivots, info = lapack.dgbtrf(band, lower, upper, overwrite_ab=True)  # type: ignore[attr-defined]
        if info != 0:
            raise SingularSystemError
        self._band, self._lower, self._upper = (factors,), lower, upper


def _equilibrated(rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Rows divided by their largest entries, and these."""
    size = np.abs(rows).max(axis=1, initial=0.0)
    size[size == 0] = 1.0
    return rows / size[:, None], size


def _inverses(matrices: np.ndarray, scale: np.ndarray) -> np.ndarray:
    """Inverses (m, k, k) of the matrices of the intervals, whose unknowns have sizes (k,)."""
    if not np.isfinite(matrices).all():
        raise SingularSystemError(int(np.argmin(np.isfinite(matrices).all(axis=(1, 2)))))
    scaled = matrices * scale
    rows = np.abs(scaled).max(axis=2, keepdims=True)
    try:
        return scale[:, None] * np.linalg.inv(scaled / rows) / rows.transpose(0, 2, 1)
    except np.linalg.LinAlgError:
        signs = np.linalg.slogdet(scaled / rows)[0]
        raise SingularSystemError(int(np.argmin(np.abs(signs)))) from None
