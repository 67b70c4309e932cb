"""Radau IIA of order 5: its coefficients, order, stability, dense output, and what it does where a step fails."""

import casadi as ca
import numpy as np
import pytest
from problems import T, failure, kepler, kepler_states, problem, run

from flexarm.solvers.base import start
from flexarm.solvers.radau import coefficients
from flexarm.solvers.radau.layout import ELIMINATED, H_NEXT, NEWTON_TOLERANCE

ANY_ERROR = 1e6
"""Tolerances so loose that every step is accepted."""
CONVERGED = 1e-12
"""Correction that ends Newton's iteration where errors of the method itself are measured."""


def fixed_steps(chosen, h, end):
    """An integration in steps of h, with Newton's iteration down to CONVERGED; samples at `end`."""
    integration = start("radau", chosen(max_step=h, rtol=ANY_ERROR, atol=ANY_ERROR))
    integration._step_times[H_NEXT] = h
    integration._limits[NEWTON_TOLERANCE] = CONVERGED / ANY_ERROR
    return integration, np.concatenate(list(integration.pieces(np.atleast_1d(end))))


def orders(errors):
    return np.log2(np.array(errors[:-1]) / errors[1:])


# -- coefficients --------------------------------------------------------------------------------------------


def test_basis_turns_the_collocation_matrix_into_blocks():
    c = np.array(coefficients.C)
    powers = np.vander(c, 3, increasing=True)
    A = (c[:, None] ** [1, 2, 3] / [1, 2, 3]) @ np.linalg.inv(powers)  # of polynomials to their integrals
    blocks = np.array(coefficients.BASIS_INVERSE) @ np.linalg.inv(A) @ np.array(coefficients.BASIS)
    real, alpha, beta = coefficients.REAL, coefficients.ALPHA, coefficients.BETA
    np.testing.assert_allclose(blocks, [[real, 0, 0], [0, alpha, -beta], [0, beta, alpha]], atol=1e-13)


def test_error_vanishes_for_polynomials_of_degree_3():
    sums = [np.dot(coefficients.ERROR, np.power(coefficients.C, k)) for k in range(1, 5)]
    np.testing.assert_allclose(sums[:3], [-1, 0, 0], atol=1e-13)  # beside the slope of 1 of y = t
    assert abs(sums[3]) > 0.01


def test_interpolation_is_the_largest_product_of_distances():
    x = np.linspace(0, 1, 10001)
    product = np.abs(np.prod([x - node for node in (0.0, *coefficients.C)], axis=0))
    assert product.max() == pytest.approx(coefficients.INTERPOLATION, rel=1e-3)


# -- order, stability ----------------------------------------------------------------------------------------


def test_fixed_steps_are_of_order_5():
    errors = []
    for h in (0.1, 0.05, 0.025):
        integration, _ = fixed_steps(kepler, h, 2.0)
        assert integration.t == pytest.approx(2.0, abs=2 * h)
        errors.append(np.abs(integration.y - kepler_states([integration.t])[0]).max())
    assert np.all(np.abs(orders(errors) - 5) < 0.3), orders(errors)


def test_dense_output_is_of_order_3():
    """One step from the exact state: the error of a cubic through values is of order 4 in its length."""
    errors = []
    for h in (0.1, 0.05, 0.025):
        times = np.linspace(0, h, 50)
        integration, states = fixed_steps(kepler, h, times)
        assert integration.steps == 1
        errors.append(np.abs(states - kepler_states(times)).max())
    assert np.all(np.abs(orders(errors) - 4) < 0.3), orders(errors)


def rotation(a, b):
    """y' = (a + i b) y in real numbers."""
    y = ca.SX.sym("y", 2)
    return lambda **options: problem(
        y, ca.vertcat(a * y[0] - b * y[1], b * y[0] + a * y[1]), [1, 0], **options
    )


@pytest.mark.parametrize("z", [-0.3, -1 + 2j, 0.5j, 30j, 1e4j, -1e3 + 1e3j, -1e8])
def test_a_step_multiplies_by_the_stability_function(z):
    """That of Radau IIA [HW96, table IV.5.6], which is at most 1 in the left half plane and vanishes far away."""
    h = 0.5
    integration, _ = fixed_steps(rotation(np.real(z) / h, np.imag(z) / h), h, h)
    expected = (1 + 2 * z / 5 + z**2 / 20) / (1 - 3 * z / 5 + 3 * z**2 / 20 - z**3 / 60)
    assert integration.steps == 1
    assert abs(complex(*integration.y) - expected) < 1e-13
    assert abs(complex(*integration.y)) <= 1


@pytest.mark.parametrize("stiffness", [1e2, 1e5, 1e8, 1e11])
def test_stiffness_takes_no_steps(stiffness):
    """The problem of Prothero and Robinson, y' = -k (y - cos t) - sin t from y = 1: y = cos t, whatever k."""
    y = ca.SX.sym("y")
    stiff = problem(y, -stiffness * (y - ca.cos(T)) - ca.sin(T), [1.0], rtol=1e-6, atol=1e-8)
    times = np.linspace(0, 10, 201)
    states, integration = run("radau", stiff, times)
    np.testing.assert_allclose(
        states[:, 0], np.cos(times), rtol=0, atol=1e-5
    )  # of a hundred steps to 1e-6, at most
    assert integration.steps < 200


@pytest.mark.parametrize("rtol", [1e-4, 1e-6, 1e-8])
def test_stiff_and_not_linear(rtol):
    """The problem of Kaps, whose solution exp(-2 t), exp(-t) does not depend on its stiffness [HW96, section IV.15]."""
    y, epsilon = ca.SX.sym("y", 2), 1e-8
    y_d = ca.vertcat(-(1 / epsilon + 2) * y[0] + y[1] ** 2 / epsilon, y[0] - y[1] - y[1] ** 2)
    times = np.linspace(0, 2, 21)
    states, _ = run("radau", problem(y, y_d, [1, 1], rtol=rtol, atol=rtol), times)
    np.testing.assert_allclose(states, np.exp(-np.outer(times, [2, 1])), rtol=0, atol=10 * rtol)


# -- elimination of q' = v -----------------------------------------------------------------------------------


def chain_of_springs(coupling):
    """Three masses with springs and dampers, of which nothing is eliminated where q' = v + coupling q."""
    y = ca.SX.sym("y", 6)
    q, v = y[:3], y[3:]
    force = -1e4 * q + 1e3 * ca.vertcat(q[1], q[0] + q[2], q[1]) - 30 * v - 100 * q**3
    y_d = ca.vertcat(v + coupling * ca.vertcat(q[2], q[0], q[1]), force)
    return lambda **options: problem(y, y_d, [0.1, 0, -0.2, 0, 1, 0], **options)


def test_with_and_without_elimination_the_states_are_the_same():
    times = np.linspace(0, 0.3, 7)
    reduced, states = fixed_steps(chain_of_springs(0.0), 0.004, times)
    whole, expected = fixed_steps(chain_of_springs(1e-300), 0.004, times)
    assert (reduced._counters[ELIMINATED], whole._counters[ELIMINATED]) == (3, 0)
    np.testing.assert_allclose(states, expected, rtol=0, atol=1e-11)  # round-off in rates of up to 20 m/s


# -- steps that fail -----------------------------------------------------------------------------------------


def test_a_step_into_the_undefined_is_tried_again_shorter():
    y = ca.SX.sym("y")
    integration = start("radau", problem(y, -1e3 * (y - 1e-3) + 0 * ca.log(y), [1.0]))
    integration._step_times[H_NEXT] = 1.0  # whose first stage is below zero
    states = np.concatenate(list(integration.pieces([1e-3, 0.1])))
    assert integration.failure is None
    assert integration.rejected > 0
    np.testing.assert_allclose(states[:, 0], 1e-3 + 0.999 * np.exp([-1.0, -100.0]), rtol=0, atol=1e-7)


def test_a_singular_matrix_shortens_the_step():
    y, h = ca.SX.sym("y"), 0.125
    integration = start("radau", problem(y, coefficients.REAL / h * y, [1.0], rtol=1e-6))
    integration._step_times[H_NEXT] = h
    (states,) = integration.pieces([0.01])
    assert integration.rejected > 0
    np.testing.assert_allclose(states[0, 0], np.exp(coefficients.REAL / h * 0.01), rtol=1e-5)


def test_a_jacobian_that_is_not_finite_is_named():
    y = ca.SX.sym("y")
    _, failed = failure("radau", problem(y, ca.sqrt(y), [0.0]), 1.0)
    assert failed.time == 0
    assert "derivatives have no finite value" in failed.reason


def test_a_step_that_falls_to_nothing_is_told_with_its_cause():
    y = ca.SX.sym("y")
    _, failed = failure("radau", problem(y, y**2, [1.0]), 2.0)
    assert "no step from here succeeds, however short: " in failed.reason
    assert "method: dop853" in failed.remedy
    assert "radau" not in failed.remedy


def test_too_many_steps_recommend_another_method():
    _, failed = failure("radau", kepler(max_steps=5), 100.0)
    assert "dop853" in failed.remedy


def test_nothing_moves():
    y = ca.SX.sym("y", 2)
    states, integration = run("radau", problem(y, ca.SX.zeros(2), [1.0, -2.0]), [0.0, 1e6])
    np.testing.assert_array_equal(states, [[1.0, -2.0]] * 2)
    assert integration.steps < 100
