"""Functions with their derivatives in many directions against CasADi's derivatives, one direction at a time."""

import casadi as ca
import numpy as np
import pytest
from breadth import thinned

from flexarm.codegen.directional_function import DirectionalFunction
from flexarm.codegen.parameter_hoisting import ParametricFunction
from flexarm.codegen.piecewise_polynomial import PiecewisePolynomial

N_Y, N_V, N_P = 3, 2, 4
T, Y, U = ca.SX.sym("t"), ca.SX.sym("y", N_Y), ca.SX.sym("u", 1)
TABLE = PiecewisePolynomial.cubic(np.linspace(0, 1, 6), np.array([0.3, 0.1, -0.4, 0.2, 0.5, 0.1]))
COUNTS = (0, 1, 2, 3, 4, 5, 9)
ROUND_OFF = 1e-13
"""Some hundred operations on terms of order 1."""


def function(n_v, n_p):
    """Function of everything that equations of motion have, with kinks and a divisor that several terms share."""
    p = ca.SX.sym("p", n_v + n_p)
    first, last = (p[0], p[-1]) if p.numel() else (ca.SX(0.7), ca.SX(0.9))
    a = ca.sin(Y[0] * last) / (2 + Y[1] ** 2) + T * first
    b = ca.if_else(Y[2] > 0, ca.exp(Y[2] * first), 1 + Y[2]) + ca.fabs(Y[1]) * ca.cos(T * Y[0])
    chain = sum((ca.sin(k * a) * ca.sqrt(1 + b**2) / (2 + Y[1] ** 2) for k in range(12)), U[0] * Y[0])
    return ca.Function("f", [T, Y, p, U], [ca.vertcat(a, Y[2], 3.0, chain, ca.sumsqr(p) * last)])


def point(f, count, seed=0):
    """Values (t, y, v and p), and as many directions of each."""
    rng = np.random.default_rng(seed)
    n_p = f.numel_in(2)
    return [(rng.uniform(-1, 1), rng.normal(size=N_Y), rng.normal(size=n_p)) for _ in range(count + 1)]


def arguments(compiled, points, n_v, in_time):
    """Arguments of the machine code at some values and in some directions."""
    own = [part for _, _, p in points for part in p[:n_v]]
    times = [t for t, _, _ in points[1:]] if in_time else []
    f, h = compiled.at(np.concatenate([p[n_v:] for _, _, p in points]))
    return f, points[0][0], np.concatenate([y for _, y, _ in points]), np.concatenate([own, times, h])


@pytest.mark.parametrize("in_time", thinned([True, False], every=2))
@pytest.mark.parametrize(("n_v", "n_p"), [(N_V, N_P), (0, N_P), (N_V, 0), (0, 0)])
@pytest.mark.parametrize("count", COUNTS)
def test_derivatives_in_any_number_of_directions(count, n_v, n_p, in_time):
    f = function(n_v, n_p)
    t, y, p, u = f.sx_in()
    out = f(t, y, p, u)
    by = ca.Function("by", [t, y, p, u], [ca.jacobian(out, x) for x in (t, y, p, u)])
    points = point(f, count)
    (t_0, y_0, p_0), *directions = points
    table = float(TABLE(np.array([t_0]))[0])
    by_t, by_y, by_p, by_u = (each.full() for each in by(t_0, y_0, p_0, table))
    by_t += by_u * TABLE.derivative()(t_0)  # along the time tables go on
    expected = [f(t_0, y_0, p_0, table).full().ravel()]
    for t_k, y_k, p_k in directions:
        expected.append(by_y @ y_k + by_p @ p_k + (by_t[:, 0] * t_k if in_time else 0))
    compiled = DirectionalFunction(f, count, n_p, (TABLE,), in_time=in_time)
    g, *found = arguments(compiled, points, n_v, in_time)
    np.testing.assert_allclose(g(*found), np.concatenate(expected), rtol=ROUND_OFF, atol=ROUND_OFF)


def test_values_are_those_of_the_function_alone():
    f = function(0, N_P)
    points = point(f, 3)
    g, *found = arguments(DirectionalFunction(f, 3, N_P, (TABLE,)), points, 0, False)
    alone, h = ParametricFunction(f, N_P, (TABLE,)).at(points[0][2])
    np.testing.assert_allclose(g(*found)[:5], alone(points[0][0], points[0][1], h), rtol=ROUND_OFF)


def test_a_direction_does_not_depend_on_those_beside_it():
    f = function(N_V, N_P)
    points = point(f, 6)
    g, *found = arguments(DirectionalFunction(f, 6, N_P, (TABLE,)), points, N_V, False)
    together = g(*found).reshape(7, -1)
    for order in ([6, 2], [1, 5, 3], [4, 3, 2, 1, 6]):
        some = [points[0], *(points[k] for k in order)]
        g, *found = arguments(DirectionalFunction(f, len(order), N_P, (TABLE,)), some, N_V, False)
        np.testing.assert_array_equal(g(*found).reshape(len(order) + 1, -1), together[[0, *order]])


def test_the_program_is_as_long_for_many_directions_as_for_two():
    f = function(N_V, N_P)
    few, many = (DirectionalFunction(f, count, N_P, (TABLE,)) for count in (2, 40))
    parameters = [np.zeros(N_P * (1 + count)) for count in (2, 40)]
    lengths = [one.at(own).f.instructions for one, own in zip((few, many), parameters, strict=True)]
    assert lengths[0] == lengths[1]


def test_time_beside_a_single_number():
    """d(p t^2)/dt = 2 p t, along a direction of 0.5, where p is all that the function reads."""
    p, none = ca.SX.sym("p"), ca.SX.sym("u", 0)
    f = ca.Function("f", [T, Y, p, none], [p * T**2])
    g, h = DirectionalFunction(f, 1, 1, in_time=True).at(np.array([3.0, 0.0]))
    np.testing.assert_allclose(g(0.7, np.zeros(2 * N_Y), np.append(0.5, h)), [3 * 0.49, 2.1], rtol=ROUND_OFF)
