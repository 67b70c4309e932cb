"""Measured orders and errors of every method on problems with exact solutions."""

import casadi as ca
import numpy as np
import pytest
from problems import T, kepler, kepler_states, problem, run

from flexarm.catalogue import METHODS
from flexarm.solvers.base import start
from flexarm.solvers.dop853 import tableau
from flexarm.solvers.dop853.layout import H_NEXT

# So loose that every step is accepted: max_step then fixes the steps of an adaptive method.
ANY_ERROR = 1e6


def fixed_step_error(method, h, samples_per_step):
    """Largest error over one turn of the orbit in steps of h."""
    fixed = kepler(step=h, max_step=h, rtol=ANY_ERROR, atol=ANY_ERROR)
    times = np.linspace(0, 6, round(6 / h) * samples_per_step + 1)
    states, integration = run(method, fixed, times)
    assert integration.failure is None
    return np.abs(states - kepler_states(times)).max()


def step_end_error(method, h):
    """Error of the method's own state where a step ends."""
    fixed = kepler(step=h, max_step=h, rtol=ANY_ERROR, atol=ANY_ERROR)
    _, integration = run(method, fixed, [6.0])
    return np.abs(integration.y - kepler_states([integration.t])[0]).max()


def orders(errors):
    return np.log2(np.array(errors[:-1]) / errors[1:])


FIXED_STEP = [name for name, method in METHODS.items() if not method.adaptive]
STIFF = [name for name, method in METHODS.items() if method.needs_jacobian]


@pytest.mark.parametrize("method", FIXED_STEP)
def test_fixed_steps_have_the_order_of_the_catalogue(method):
    measured = orders([step_end_error(method, 0.04 / 2**k) for k in range(4)])
    assert np.all(np.abs(measured - METHODS[method].order) < 0.3), measured


@pytest.mark.parametrize("method", FIXED_STEP)
def test_between_fixed_steps_the_order_is_the_same(method):
    measured = orders([fixed_step_error(method, 0.04 / 2**k, 3) for k in range(4)])
    assert np.all(np.abs(measured - METHODS[method].order) < 0.3), measured


def test_dop853_is_of_order_8():
    measured = orders([step_end_error("dop853", 0.2 / 2**k) for k in range(3)])
    assert np.all(measured > 7.5), measured


def test_dop853_between_steps_is_of_order_7():
    measured = orders([fixed_step_error("dop853", 0.2 / 2**k, 5) for k in range(3)])
    assert np.all(measured > 7), measured


def test_dop853_interpolation_is_of_order_7():
    # One step from the exact state: its error is below that of the interpolation, of order 8 in h.
    errors = []
    for h in (0.4, 0.2, 0.1):
        times = np.linspace(0, h, 50)
        one_step = kepler(rtol=ANY_ERROR, atol=ANY_ERROR, max_step=h)
        integration = start("dop853", one_step)
        integration._step_times[H_NEXT] = h
        states = integration.advance(times)
        assert integration.steps == 1
        errors.append(np.abs(states - kepler_states(times)).max())
    assert np.all(orders(errors) > 7.5), orders(errors)


def test_dop853_starts_at_rest_with_a_step_that_the_fastest_oscillation_bears():
    """Loaded oscillators in equilibrium, but for round-off: nothing happens, and the slope tells of no frequency."""
    frequencies, loads = np.array([3.0, 300.0, 30000.0]), np.array([1.0, 2.0, 3.0])
    y = ca.SX.sym("y", 6)
    places = loads / frequencies**2 * (1 + np.array([0, 1, -1]) * np.finfo(float).eps)
    at_rest = problem(y, ca.vertcat(y[3:], loads - frequencies**2 * y[:3]), [*places, 0, 0, 0])
    integration = start("dop853", at_rest)
    assert 1 < integration._step_times[H_NEXT] * frequencies[-1] < 10
    states, _ = run("dop853", at_rest, [0.0, 0.1])
    moved = (
        25 * np.sqrt(6) * (at_rest.atol + at_rest.rtol * np.abs(states[0]))
    )  # see test_static_equilibrium.py
    np.testing.assert_array_less(np.abs(states[1] - states[0]), moved)


@pytest.mark.parametrize("round_off", [1e-30, -1e-31, 1e-25, 1e-18])
def test_dop853_starts_at_rest_under_a_load_that_grows(round_off):
    """Of a mass at rest whose load is zero now: x'' = 8 (t - t_0). The slope is round-off, its rate is not."""
    y, t_0 = ca.SX.sym("y", 2), 0.613125
    grows = problem(y, ca.vertcat(y[1], 8 * (T - t_0)), [1e-16, round_off], t0=t_0)
    integration = start("dop853", grows)
    assert integration._step_times[H_NEXT] == pytest.approx(1e-4)  # the most that a start allows itself
    states = integration.advance(np.array([t_0, t_0 + 1.0]))
    assert integration.failure is None
    np.testing.assert_allclose(states[-1], [8 / 6, 4.0], rtol=grows.rtol)


def test_dop853_confirms_a_frequency_under_a_load_that_grows():
    """The same of a mass on a spring, which bounds the step, however little the round-off that it starts with."""
    y, t_0, frequency = ca.SX.sym("y", 2), 0.613125, 1e6
    grows = problem(y, ca.vertcat(y[1], 8 * (T - t_0) - frequency**2 * y[0]), [0.0, 1e-30], t0=t_0)
    assert 1 < start("dop853", grows)._step_times[H_NEXT] * frequency < 10


# What each method reaches on one orbit at rtol = 1e-9, by the nature of its error control.
REACHED = {"dop853": 1e-8, "rk4": 1e-8, "radau": 1e-8}
ANY_METHOD = 1e-3  # one that is not listed


@pytest.mark.parametrize("method", METHODS)
def test_methods_agree_with_the_exact_orbit(method):
    times = np.linspace(0, 6, 61)
    states, integration = run(method, kepler(step=2e-3), times)
    assert integration.failure is None
    assert integration.t >= 6
    assert integration.steps > 0
    assert integration.evaluations > integration.steps
    error = np.abs(states - kepler_states(times)).max()
    assert error < REACHED.get(method, ANY_METHOD), error


@pytest.mark.parametrize("method", METHODS)
def test_time_enters_the_equations(method):
    y = ca.SX.sym("y")
    states, _ = run(method, problem(y, y * ca.cos(T), [1.0], step=1e-3), np.linspace(0, 2, 9))
    np.testing.assert_allclose(states[:, 0], np.exp(np.sin(np.linspace(0, 2, 9))), rtol=1e-6)


@pytest.mark.parametrize("method", STIFF)
def test_stiff_methods_take_long_steps(method):
    # y relaxes to cos t within 1e-6 s: steps follow cos t, not the relaxation.
    y = ca.SX.sym("y")
    stiff = problem(y, -1e6 * (y - ca.cos(T)), [0.0], rtol=1e-6, atol=1e-8)
    states, integration = run(method, stiff, [5.0])
    np.testing.assert_allclose(states[0, 0], np.cos(5), atol=1e-5)
    assert integration.steps < 2000


def test_tableau_fulfils_conditions_of_order_8():
    """Hairer, Norsett, Wanner I, section II.1: trees without and with one branching."""
    A, b, c = tableau.A, tableau.A[12], tableau.C
    np.testing.assert_allclose(A.sum(axis=1), c, atol=1e-13)
    for k in range(8):
        np.testing.assert_allclose(b @ c**k, 1 / (k + 1), rtol=1e-13)
    for m in range(7):
        for k in range(7 - m):
            # sum_i b_i c_i^m sum_j a_ij c_j^k = 1 / ((k + 1) (k + m + 2))
            np.testing.assert_allclose(b @ (c**m * (A @ c**k)), 1 / ((k + 1) * (k + m + 2)), rtol=1e-11)


@pytest.mark.parametrize(("weights", "order"), [(tableau.E5, 5), (tableau.E3, 3)])
def test_tableau_estimates_errors_of_order_5_and_3(weights, order):
    np.testing.assert_allclose([weights @ tableau.C**k for k in range(order)], 0, atol=1e-13)
    assert abs(weights @ tableau.C**order) > 1e-4
