"""Piecewise polynomials in time: in machine code, in Python, against NumPy and SciPy."""

import casadi as ca
import numpy as np
import pytest
from scipy.interpolate import CubicSpline

from flexarm.codegen.native import compile_native
from flexarm.codegen.piecewise_polynomial import PiecewisePolynomial

RNG = np.random.default_rng(5)
TIMES = np.cumsum(RNG.uniform(0.05, 0.3, 30))
VALUES = RNG.normal(size=30)
# Between breaks, at every break, and beyond both ends.
SAMPLES = np.concatenate([RNG.uniform(TIMES[0], TIMES[-1], 300), TIMES, [TIMES[0] - 1, TIMES[-1] + 1]])
ROUND_OFF = 1e-13


def native_values(polynomials, times):
    t, y, p, u = ca.SX.sym("t"), ca.SX.sym("y", 1), ca.SX.sym("p", 0), ca.SX.sym("u", len(polynomials))
    compiled = compile_native(ca.Function("f", [t, y, p, u], [u]), polynomials)
    return compiled.map(times, np.zeros((len(times), 1))).T


def test_linear_joins_the_points():
    polynomial = PiecewisePolynomial.linear(TIMES, VALUES)
    expected = np.interp(SAMPLES, TIMES, VALUES)
    np.testing.assert_allclose(polynomial(SAMPLES), expected, atol=ROUND_OFF)
    np.testing.assert_allclose(native_values([polynomial], SAMPLES)[0], expected, atol=ROUND_OFF)


def test_cubic_is_the_spline():
    polynomial = PiecewisePolynomial.cubic(TIMES, VALUES)
    expected = CubicSpline(TIMES, VALUES)(np.clip(SAMPLES, TIMES[0], TIMES[-1]))
    np.testing.assert_allclose(polynomial(SAMPLES), expected, atol=ROUND_OFF)
    np.testing.assert_allclose(native_values([polynomial], SAMPLES)[0], expected, atol=ROUND_OFF)


def test_several_polynomials_keep_their_places():
    polynomials = [
        PiecewisePolynomial.linear([0, 1], [0, 1]),
        PiecewisePolynomial([0, 1, 2], [[1.0, 2.0]]),
        PiecewisePolynomial.cubic(TIMES, VALUES),
        PiecewisePolynomial([0.0, 2.0], [[1.0], [0.0], [0.0], [0.0], [3.0]]),
    ]
    times = np.array([0.0, 0.25, 0.999, 1.0, 1.5, 2.0])
    for native, polynomial in zip(native_values(polynomials, times), polynomials, strict=True):
        np.testing.assert_allclose(native, polynomial(times), atol=ROUND_OFF)
    np.testing.assert_array_equal(native_values(polynomials, times)[1], [1, 1, 1, 2, 2, 2])


@pytest.mark.parametrize("n_breaks", range(2, 12))
def test_search_finds_every_piece(n_breaks):
    breaks = np.arange(n_breaks, dtype=float)
    polynomial = PiecewisePolynomial(breaks, [np.arange(n_breaks - 1) + 0.0])
    np.testing.assert_array_equal(native_values([polynomial], breaks[:-1] + 0.5)[0], breaks[:-1])


@pytest.mark.parametrize(
    ("breaks", "coefficients", "message"),
    [([0.0], [[]], "breaks"), ([0.0, 0.0], [[1.0]], "breaks"), ([0.0, 1.0], [[1.0, 2.0]], "coefficients")],
)
def test_malformed_tables_are_refused(breaks, coefficients, message):
    with pytest.raises(ValueError, match=message):
        PiecewisePolynomial(breaks, coefficients)
