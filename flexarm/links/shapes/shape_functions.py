"""Shape functions of a link: waves of a uniform beam, and piecewise polynomials.

Both kinds are called alike, ``shapes(xi, derivative)``, with xi = eta / l in [0, 1], and know their own exact
derivatives with respect to xi. A set holds the first ``count`` shapes of one family in one direction.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

if TYPE_CHECKING:
    from scipy.interpolate import PPoly

Array = NDArray[np.float64]


class Shapes(Protocol):
    """Shape functions: ``count`` functions of xi with exact derivatives up to the second at least."""

    @property
    def count(self) -> int:
        """Number of shapes."""
        ...

    @property
    def breakpoints(self) -> Array:
        """Stations in [0, 1] between which every shape is smooth, (b,) [1]."""
        ...

    def __call__(self, xi: ArrayLike, derivative: int = 0) -> Array:
        """Evaluate d^n phi / d xi^n; (..., count) [1] for xi [1] of shape (...)."""
        ...

    def scaled(self, factors: ArrayLike) -> Shapes:
        """Multiply each shape by its own number, factors : (count,) [1]."""
        ...


def wave_basis(beta: ArrayLike, xi: ArrayLike, derivative: int = 0) -> Array:
    """Evaluate the wave basis: the four solutions of phi'''' = beta^4 phi that stay within [-1, 1] along the link.

    They are cos(beta xi), sin(beta xi), exp(-beta xi) and exp(-beta (1 - xi)). cosh and sinh would reach e^60
    at the twentieth mode, and their difference would carry no digit; in this basis nothing cancels.

    Parameters
    ----------
    beta : (m,) [1]
        Wave numbers beta l.
    xi : (...) [1]
        Stations in [0, 1].
    derivative : int
        n of d^n / d xi^n.

    Returns
    -------
    (..., m, 4) [1]
        The derivatives divided by beta^n.
    """
    beta = np.asarray(beta, dtype=float)
    xi = np.asarray(xi, dtype=float)[..., None]
    cos, sin = np.cos(beta * xi), np.sin(beta * xi)
    cos_n, sin_n = ((cos, sin), (-sin, cos), (-cos, -sin), (sin, -cos))[derivative % 4]
    return np.stack(
        [cos_n, sin_n, (-1) ** derivative * np.exp(-beta * xi), np.exp(-beta * (1 - xi))], axis=-1
    )


@dataclass(frozen=True, eq=False)
class WaveShapes:
    """Shapes phi = c . wave_basis(beta, xi) + slope xi.

    Attributes
    ----------
    beta : (m,) [1]
        Wave numbers beta l, ascending.
    coefficients : (m, 4) [1]
        Weights of cos, sin, exp(-beta xi), exp(-beta (1 - xi)).
    slope : (m,) [1]
        Weight of xi.
    breakpoints : (2,) [1]
        Both ends: the shapes are smooth all along.
    """

    beta: Array
    coefficients: Array
    slope: Array
    breakpoints: Array = field(default_factory=lambda: np.array([0.0, 1.0]))

    @property
    def count(self) -> int:
        """Number of shapes."""
        return len(self.beta)

    def __call__(self, xi: ArrayLike, derivative: int = 0) -> Array:
        """Evaluate d^n phi / d xi^n; (..., m) [1] for xi [1] of shape (...)."""
        waves = np.einsum("...mc,mc->...m", wave_basis(self.beta, xi, derivative), self.coefficients)
        waves *= self.beta**derivative
        if derivative == 0:
            return waves + np.asarray(xi, dtype=float)[..., None] * self.slope
        return waves + self.slope if derivative == 1 else waves

    def scaled(self, factors: ArrayLike) -> WaveShapes:
        """Multiply each shape by its own number, factors : (m,) [1]."""
        factors = np.asarray(factors, dtype=float)
        coefficients = self.coefficients * factors[:, None]
        return replace(self, coefficients=coefficients, slope=self.slope * factors)


def sines(beta: Array, slope: float = 0.0) -> WaveShapes:
    """Build shapes sin(beta xi) + slope beta xi, from wave numbers beta l : (m,) [1]."""
    coefficients = np.zeros((len(beta), 4))
    coefficients[:, 1] = 1.0
    return WaveShapes(beta, coefficients, slope * beta)


@dataclass(frozen=True, eq=False)
class PolynomialShapes:
    """Shapes that are polynomials between breakpoints.

    Attributes
    ----------
    pieces : PPoly
        SciPy's piecewise polynomial over [0, 1] with values of shape (m,).
    """

    pieces: PPoly

    @property
    def count(self) -> int:
        """Number of shapes."""
        return self.pieces.c.shape[2]

    @property
    def breakpoints(self) -> Array:
        """Stations where a derivative may jump, (b,) [1]."""
        return self.pieces.x

    def __call__(self, xi: ArrayLike, derivative: int = 0) -> Array:
        """Evaluate d^n phi / d xi^n; (..., m) [1] for xi [1] of shape (...)."""
        return self.pieces(np.asarray(xi, dtype=float), nu=derivative)

    def scaled(self, factors: ArrayLike) -> PolynomialShapes:
        """Multiply each shape by its own number, factors : (m,) [1]."""
        from scipy.interpolate import PPoly  # slow to import, rarely needed

        return PolynomialShapes(PPoly(self.pieces.c * np.asarray(factors, dtype=float), self.pieces.x))


@dataclass(frozen=True, eq=False)
class LegendreShapes:
    """Mode shapes that are sums of Legendre polynomials P_n(2 xi - 1), well conditioned at any degree.

    Attributes
    ----------
    coefficients : (n, m)
        Weight of each polynomial in each shape.
    """

    coefficients: Array
    breakpoints: Array = field(default_factory=lambda: np.array([0.0, 1.0]))

    @classmethod
    def from_derivative(cls, derivative: Array, order: int) -> LegendreShapes:
        """Integrate a derivative of this order, (n, m) [1], from the start, where all lower ones vanish."""
        integral = np.polynomial.legendre.legint(derivative, order, lbnd=-1, scl=0.5)
        return cls(np.asarray(integral, dtype=float))

    @property
    def count(self) -> int:
        """Number of shapes."""
        return self.coefficients.shape[1]

    def __call__(self, xi: ArrayLike, derivative: int = 0) -> Array:
        """Evaluate d^n phi / d xi^n; (..., m)."""
        c = np.polynomial.legendre.legder(self.coefficients, derivative, scl=2.0)
        values = np.polynomial.legendre.legval(2 * np.asarray(xi, dtype=float) - 1, c)
        return np.moveaxis(np.asarray(values, dtype=float), 0, -1)

    def scaled(self, factors: ArrayLike) -> LegendreShapes:
        """Multiply each shape by its own number, factors : (m,)."""
        return LegendreShapes(self.coefficients * np.asarray(factors, dtype=float))


@dataclass(frozen=True, eq=False)
class JoinedShapes:
    """Mode shapes of two sets, the first set before the second."""

    first: Shapes
    second: Shapes

    @property
    def count(self) -> int:
        """Number of shapes."""
        return self.first.count + self.second.count

    @property
    def breakpoints(self) -> Array:
        """(b,) [1] stations between which every shape is smooth."""
        return np.concatenate([self.first.breakpoints, self.second.breakpoints])

    def __call__(self, xi: ArrayLike, derivative: int = 0) -> Array:
        """Evaluate d^n phi / d xi^n; (..., m)."""
        return np.concatenate([self.first(xi, derivative), self.second(xi, derivative)], axis=-1)

    def scaled(self, factors: ArrayLike) -> JoinedShapes:
        """Multiply each shape by its own number, factors : (m,)."""
        factors = np.asarray(factors, dtype=float)
        n = self.first.count
        return JoinedShapes(self.first.scaled(factors[:n]), self.second.scaled(factors[n:]))
