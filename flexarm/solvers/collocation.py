"""Two-point boundary value problems by Gauss collocation: implicit equations, some conditions at either end.

On every interval of a mesh the solution is a polynomial of degree `STAGES` that fulfils the equations at the Gauss
points. The values at the ends of the intervals have order ``2 STAGES``, the polynomial's defect in between has order
``STAGES`` [AscherMattheijRussell1995, chapter 5; HNW93, section II.7].
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import Enum
from functools import cache
from typing import NamedTuple, Protocol

import numpy as np
from numpy.polynomial import legendre, polynomial

STAGES = 4


class Tableau(NamedTuple):
    """Gauss points c (s,) on [0, 1], and the integrals A (s, s) to them and b (s,) to 1 of the Lagrange polynomials.

    ``powers`` (s, s + 1) holds the integrals' coefficients, lowest power first, and ``twice`` (s, s + 2) those of the
    integrals of the integrals.
    """

    c: np.ndarray
    A: np.ndarray
    b: np.ndarray
    powers: np.ndarray
    twice: np.ndarray


@cache
def tableau(stages: int = STAGES) -> Tableau:
    """Coefficients of Gauss collocation with so many stages, [HNW93] section II.7."""
    c = 0.5 * (1 + legendre.leggauss(stages)[0])
    powers = np.empty((stages, stages + 1))
    for j in range(stages):
        basis = polynomial.polyfromroots(np.delete(c, j)) / np.prod(c[j] - np.delete(c, j))
        powers[j] = polynomial.polyint(basis)
    A = np.array([[polynomial.polyval(x, p) for p in powers] for x in c])
    return Tableau(c, A, powers.sum(axis=1), powers, np.array([polynomial.polyint(p) for p in powers]))


class Scheme(Enum):
    """How components are integrated whose rates are other components.

    Both have the same order. The difference is in motions that are much faster than the intervals are long, with the
    exponents +z and -z: Gauss's method multiplies either by about one from interval to interval, so that oscillations
    (imaginary z) do not grow, and growing and decaying motions (real z) hardly differ; integrated twice, the
    polynomial multiplies them by 42 and 1/42, so that these are well told apart, and unresolved oscillations explode.
    """

    GAUSS = "as polynomials through the rates at the Gauss points"
    TWICE = "as the integrals of the polynomials of their rates"

    def double(self) -> np.ndarray:
        """Weights (s, s) of second rates in the values at the Gauss points."""
        c, A, _, _, twice = tableau()
        return (
            A @ A
            if self is Scheme.GAUSS
            else np.array([[polynomial.polyval(x, p) for p in twice] for x in c])
        )


class Linearisation(NamedTuple):
    """Residuals (k, e) of implicit equations, and their derivatives by states (k, e, n) and by rates (k, e, e)."""

    residual: np.ndarray
    by_state: np.ndarray
    by_rate: np.ndarray


class ImplicitEquations(Protocol):
    """Equations 0 = F(t, y, r) of a state y (n,), in which r (e,) are the rates of some of its components.

    Attributes
    ----------
    n : int
        Components of the state.
    positions, speeds : sequence of int
        Components whose rate is another component: ``y'[positions] = y[speeds]``.
    implicit : sequence of int
        The others, whose rates r the equations determine; as many as there are equations.
    """

    @property
    def n(self) -> int:
        """Components of the state."""
        ...

    @property
    def positions(self) -> Sequence[int]:
        """Components that are integrals of others."""
        ...

    @property
    def speeds(self) -> Sequence[int]:
        """These others."""
        ...

    @property
    def implicit(self) -> Sequence[int]:
        """Components whose rates the equations determine."""
        ...

    def residual(self, times: np.ndarray, states: np.ndarray, rates: np.ndarray) -> np.ndarray:
        """F (k, e) at times (k,) [s], states (k, n) and rates (k, e)."""
        ...

    def linearised(self, times: np.ndarray, states: np.ndarray, rates: np.ndarray) -> Linearisation:
        """F and its derivatives at times (k,) [s], states (k, n) and rates (k, e)."""
        ...


@dataclass(frozen=True)
class ExplicitEquations:
    """State equation y' = f(t, y) as implicit equations f(t, y) - y' = 0.

    Attributes
    ----------
    n : int
    rates, jacobians : callable
        From times (k,) and states (k, n) to f, (k, n), and to d f / d y, (k, n, n).
    """

    n: int
    rates: Callable[[np.ndarray, np.ndarray], np.ndarray]
    jacobians: Callable[[np.ndarray, np.ndarray], np.ndarray]
    positions: Sequence[int] = field(default=())
    speeds: Sequence[int] = field(default=())

    @property
    def implicit(self) -> Sequence[int]:
        """All components."""
        return range(self.n)

    def residual(self, times: np.ndarray, states: np.ndarray, rates: np.ndarray) -> np.ndarray:
        """Difference (k, n) of the state equation from rates (k, n)."""
        return self.rates(times, states) - rates

    def linearised(self, times: np.ndarray, states: np.ndarray, rates: np.ndarray) -> Linearisation:
        """The same, and its derivatives."""
        J = self.jacobians(times, states)
        return Linearisation(
            self.residual(times, states, rates), J, np.broadcast_to(-np.eye(self.n), J.shape)
        )


@dataclass(frozen=True)
class CollocationSolution:
    """Solution of a boundary value problem: a polynomial on every interval of a mesh.

    Attributes
    ----------
    mesh : (m + 1,) [s]
    states : (m + 1, n)
        At the mesh.
    slopes : (m, s, n)
        Rates at the Gauss points of each interval.
    iterations : int
        Newton corrections that it took.
    twice : (positions, speeds)
        Components that are the integrals of the polynomials of other components.
    """

    mesh: np.ndarray
    states: np.ndarray
    slopes: np.ndarray
    iterations: int
    twice: tuple[Sequence[int], Sequence[int]] = ((), ())

    def __call__(self, times: np.ndarray) -> np.ndarray:
        """States at times (k,) [s] inside the mesh: (k, n)."""
        piece, x, h = self._intervals(times)
        coefficients, slopes = tableau(self.slopes.shape[1]), self.slopes[piece]
        weights = polynomial.polyval(x, coefficients.powers.T).T
        found = self.states[piece] + h[:, None] * np.einsum("ks,ksn->kn", weights, slopes)
        positions, speeds = map(list, self.twice)
        weights = polynomial.polyval(x, coefficients.twice.T).T
        second = np.einsum("ks,ksn->kn", weights, slopes[..., speeds])
        start = self.states[piece]
        found[:, positions] = start[:, positions] + h[:, None] * (
            x[:, None] * start[:, speeds] + h[:, None] * second
        )
        return found

    def slope(self, times: np.ndarray) -> np.ndarray:
        """Rates of the polynomials at times (k,) [s]: (k, n)."""
        piece, x, _ = self._intervals(times)
        rates = np.array([polynomial.polyder(p) for p in tableau(self.slopes.shape[1]).powers])
        weights = polynomial.polyval(x, rates.T).T
        found = np.einsum("ks,ksn->kn", weights, self.slopes[piece])
        positions, speeds = map(list, self.twice)
        found[:, positions] = self(times)[:, speeds]
        return found

    def _intervals(self, times: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Number of the interval of each time, the fraction of it before that time, and its length."""
        piece = np.clip(np.searchsorted(self.mesh, times, side="right") - 1, 0, self.mesh.size - 2)
        h = np.diff(self.mesh)[piece]
        return piece, (times - self.mesh[piece]) / h, h


def gauss_times(mesh: np.ndarray, stages: int = STAGES) -> np.ndarray:
    """Times [s] of the Gauss points of all intervals of a mesh (m + 1,) [s]: (m, s)."""
    return mesh[:-1, None] + np.diff(mesh)[:, None] * tableau(stages).c
