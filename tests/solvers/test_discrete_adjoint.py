"""The discrete adjoint of DOP853 against the derivatives of what its steps compute."""

from dataclasses import replace

import casadi as ca
import numpy as np
import pytest

from flexarm.codegen.adjoint_function import AdjointFunction
from flexarm.codegen.parameter_hoisting import ParametricFunction
from flexarm.codegen.piecewise_polynomial import PiecewisePolynomial
from flexarm.solvers.base import InitialValueProblem, start
from flexarm.solvers.dop853 import adjoint as module
from flexarm.solvers.dop853.adjoint import LoggedDop853
from flexarm.solvers.dop853.tableau import DENSE_WEIGHTS, N_STAGES_DENSE, A, C
from flexarm.solvers.intervals import Intervals

T, Y, P, U = ca.SX.sym("t"), ca.SX.sym("y", 2), ca.SX.sym("p", 3), ca.SX.sym("u", 1)
OSCILLATOR = ca.Function(
    "f", [T, Y, P, U], [ca.vertcat(Y[1], -P[0] * ca.sin(Y[0]) - P[1] * P[2] * Y[1] + P[2] * ca.cos(T) + U[0])]
)
TABLE = PiecewisePolynomial.cubic(np.linspace(0, 6, 8), np.array([0.1, 0.4, -0.2, 0.3, 0.0, 0.1, 0.2, -0.1]))
VALUES, START = np.array([4.0, 0.3, 0.7]), np.array([0.4, -0.2])
TIMES = np.array([0.0, 1e-4, 0.77, 0.78, 2.3, 2.3005, 4.999, 5.0])
"""Samples, several of them in one step, at the start and at the end."""
SEEDS = np.random.default_rng(2).normal(size=(TIMES.size, 2))


def solved(rtol, breaks=()):
    """Integration with its log, and the states at the samples."""
    f, h = ParametricFunction(OSCILLATOR, 3, (TABLE,)).at(VALUES)
    problem = InitialValueProblem(f, 0.0, START, h, rtol=rtol, atol=rtol)
    if breaks:
        intervals = Intervals.around(np.array(breaks), 0.0, 5.0)
        problem = replace(problem, intervals=intervals).from_interval(0, START)
    integration = LoggedDop853(problem)
    return integration, np.concatenate(list(integration.pieces(TIMES)))


def repeated(starts, times, p, y):
    """States at samples of the same steps for other numbers: [HNW93] sections II.5 and II.6."""
    found, last = np.empty((times.size, 2)), len(starts) - 1
    steps = np.minimum(np.searchsorted(starts.sum(axis=1), times), last)
    for step, (begin, h) in enumerate(starts):
        k = np.zeros((N_STAGES_DENSE, 2))
        for s in range(N_STAGES_DENSE):
            t = begin + C[s] * h
            k[s] = OSCILLATOR(t, y + h * A[s] @ k, p, TABLE(np.array([t]))[0]).full().ravel()
        end = y + h * A[12] @ k
        d = [end - y, h * k[0] - (end - y), 2 * (end - y) - h * (k[12] + k[0])]
        d += [h * sum(weight * k[j] for j, weight in row) for row in DENSE_WEIGHTS]
        for j in np.flatnonzero(steps == step):
            x = (times[j] - begin) / h
            inner = d[3] + x * (d[4] + (1 - x) * (d[5] + x * d[6]))
            found[j] = y + x * (d[0] + (1 - x) * (d[1] + x * (d[2] + (1 - x) * inner)))
        y = end
    return found


def difference(function, at, step=1e-2):
    """Derivatives of a function by each number, by differences of sixth order."""
    stencil = {-3: -1 / 60, -2: 3 / 20, -1: -3 / 4, 1: 3 / 4, 2: -3 / 20, 3: 1 / 60}
    moved = step * np.eye(at.size)
    return np.array([sum(w * function(at + k * one) for k, w in stencil.items()) / step for one in moved])


@pytest.mark.parametrize("breaks", [(), (1.3, 2.3)])
def test_derivatives_of_states_at_many_times(breaks):
    adjoint = AdjointFunction(OSCILLATOR, (TABLE,), 1)
    integration, states = solved(1e-8, breaks)
    times, starts = integration.problem.within(TIMES), integration.log[0]
    np.testing.assert_allclose(repeated(starts, times, VALUES, START), states, rtol=1e-12, atol=1e-14)
    by_y, by_h = integration.back(adjoint.at(VALUES), times, SEEDS)
    by_p = adjoint.changes(VALUES, np.eye(3)) @ by_h
    expected = difference(lambda p: np.sum(SEEDS * repeated(starts, times, p, START)), VALUES)
    np.testing.assert_allclose(by_p, expected, rtol=1e-10, atol=1e-10)
    expected = difference(lambda y0: np.sum(SEEDS * repeated(starts, times, VALUES, y0)), START)
    np.testing.assert_allclose(by_y, expected, rtol=1e-10, atol=1e-10)


def test_the_steps_are_those_of_the_integration_without_a_log():
    logged, found = solved(1e-6)
    plain = start("dop853", logged.problem)
    states = np.concatenate(list(plain.pieces(TIMES)))
    np.testing.assert_array_equal(found, states)
    assert (plain.steps, plain.evaluations) == (logged.steps, logged.evaluations)


def test_products_with_jacobians():
    t, y, w = 0.3, np.array([0.2, -0.5]), np.array([0.7, -1.1])
    adjoint = AdjointFunction(OSCILLATOR, (TABLE,), 1)
    by_y, by_h = adjoint.at(VALUES).at(t, y, w)
    jacobians = ca.Function("J", [T, Y, P, U], [ca.jacobian(OSCILLATOR(T, Y, P, U), x) for x in (Y, P)])
    J_y, J_p = (each.full() for each in jacobians(t, y, VALUES, TABLE(np.array([t]))[0]))
    np.testing.assert_allclose(by_y, w @ J_y, rtol=1e-13)
    np.testing.assert_allclose(adjoint.changes(VALUES, np.eye(3)) @ by_h, w @ J_p, rtol=1e-13)


def test_a_log_that_is_too_long_is_given_up(monkeypatch):
    monkeypatch.setattr(module, "MOST_MEMORY", 100.0)
    integration, states = solved(1e-8)
    assert not integration.log_is_complete
    np.testing.assert_allclose(states[0], START)
