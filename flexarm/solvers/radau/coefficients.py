"""Coefficients of Radau IIA of order 5: nodes, eigenvalues and eigenvectors of its matrix, weights of its error.

All of them follow from the nodes, the zeros of M(x) = (x - c_1) (x - c_2) (x - 1) = x^3 - 9/5 x^2 + 9/10 x - 1/10
[HW96, section IV.5]. An eigenvector v_i = p(c_i) of the collocation matrix A belongs to a polynomial of degree 2 with
int_0^x p = p / mu + const M, hence p = mu^2 M' + mu M'' + M''', up to its size, and mu is an eigenvalue of A^-1.
"""

from __future__ import annotations

import math

import numpy as np

_ROOT = math.sqrt(6.0)

C = ((4.0 - _ROOT) / 10.0, (4.0 + _ROOT) / 10.0, 1.0)
"""Nodes of the stages."""

REAL = 3.0 + 3.0 ** (2 / 3) - 3.0 ** (1 / 3)
ALPHA = 3.0 - (3.0 ** (2 / 3) - 3.0 ** (1 / 3)) / 2.0
BETA = (3.0 ** (5 / 6) + 3.0 ** (7 / 6)) / 2.0
"""Eigenvalues of A^-1: REAL and ALPHA +- i BETA."""


def _eigenvector(mu: complex) -> list[complex]:
    """Eigenvector of A^-1 whose last entry is 1."""
    values = [mu**2 * (3.0 * c**2 - 3.6 * c + 0.9) + mu * (6.0 * c - 3.6) + 6.0 for c in C]
    return [value / values[-1] for value in values]


def _inverse(columns: list[np.ndarray]) -> np.ndarray:
    """Inverse of a matrix by its three columns."""
    a, b, c = columns
    rows = np.array([np.cross(b, c), np.cross(c, a), np.cross(a, b)])
    return rows / np.dot(a, rows[0])


_real, _complex = np.real(_eigenvector(REAL)), np.array(_eigenvector(complex(ALPHA, -BETA)))
_columns = [_real, np.real(_complex), np.imag(_complex)]

BASIS = tuple(tuple(map(float, row)) for row in np.array(_columns).T)
"""T, the eigenvectors in real form: T^-1 A^-1 T = [[REAL, 0, 0], [0, ALPHA, -BETA], [0, BETA, ALPHA]]."""
BASIS_INVERSE = tuple(tuple(map(float, row)) for row in _inverse(_columns))

ERROR = (-(13.0 + 7.0 * _ROOT) / 3.0, (-13.0 + 7.0 * _ROOT) / 3.0, -1.0 / 3.0)
"""Weights of the stages' increments in the estimated error, in units of 1 / h: with the slope at the start the sum
vanishes for polynomials of degree 3 [HW96, section IV.8]."""

INTERPOLATION = 0.01826
"""Maximum of |x (x - c_1) (x - c_2) (x - 1)| between 0 and 1."""
