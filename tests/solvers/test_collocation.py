"""Collocation of boundary value problems: coefficients, orders of convergence, the banded system, Newton's method."""

from __future__ import annotations

import casadi as ca
import numpy as np
import pytest

from flexarm.errors import SolverError
from flexarm.solvers.boundary_value_problem import Boundary, collocate
from flexarm.solvers.collocation import STAGES, ExplicitEquations, Linearisation, Scheme, gauss_times, tableau
from flexarm.solvers.condensation import CondensedSystem, StageMaps

ROUND_OFF = 1e-12
NO_CONDITIONS = lambda y: (np.empty(0), np.empty((0, y.size)))  # noqa: E731


@pytest.mark.parametrize("stages", range(1, 9))
def test_coefficients_are_those_of_casadi(stages):
    tau = ca.collocation_points(stages, "legendre")
    C, _, b = (np.array(matrix) for matrix in ca.collocation_coeff(tau))
    # CasADi differentiates the polynomial through its value at 0 and at the points; the rates integrate to it again.
    A = np.linalg.inv(C[1:]).T
    found = tableau(stages)
    np.testing.assert_allclose(found.c, tau, atol=ROUND_OFF)
    np.testing.assert_allclose(found.A, A, atol=ROUND_OFF)
    np.testing.assert_allclose(found.b, b.ravel(), atol=ROUND_OFF)


# -- Bratu's problem u'' + 2 e^u = 0, u(0) = u(1) = 0, whose solution is known in closed form ------------------


def bratu_rates(times, states):
    return np.stack([states[..., 1], -2 * np.exp(states[..., 0])], axis=-1)


def bratu_jacobians(times, states):
    zero, one = np.zeros(states.shape[:-1]), np.ones(states.shape[:-1])
    return np.stack([np.stack([zero, one], -1), np.stack([-2 * np.exp(states[..., 0]), zero], -1)], axis=-2)


def bratu_states(times):
    """The lower branch: theta = 2 cosh(theta / 4)."""
    theta = 2.0
    for _ in range(100):
        theta = 2 * np.cosh(theta / 4)
    x = (np.asarray(times) - 0.5) * theta / 2
    return np.stack([-2 * np.log(np.cosh(x) / np.cosh(theta / 4)), -theta * np.tanh(x)], axis=-1)


def first_is_zero(y):
    return y[:1], np.eye(2)[:1]


BRATU = Boundary(first_is_zero, first_is_zero)


def bratu(intervals, progress=None):
    mesh = np.linspace(0, 1, intervals + 1) ** 1.2  # intervals of different lengths
    guess = np.zeros((mesh.size, 2))
    return collocate(
        ExplicitEquations(2, bratu_rates, bratu_jacobians), BRATU, mesh, guess, progress=progress
    )


def orders(errors):
    return np.log2(np.array(errors[:-1]) / errors[1:])


def test_states_at_the_mesh_have_order_twice_the_stages():
    solutions = [bratu(m) for m in (2, 4, 8)]
    errors = [np.abs(found.states - bratu_states(found.mesh)).max() for found in solutions]
    assert np.all(orders(errors) > 2 * STAGES - 0.5), orders(errors)


def test_states_between_have_the_order_of_the_polynomial():
    times = np.linspace(0, 1, 301)
    errors = [np.abs(bratu(m)(times) - bratu_states(times)).max() for m in (4, 8, 16)]
    assert np.all(orders(errors) > STAGES + 0.5), orders(errors)


def test_slopes_between_have_the_order_of_the_stages():
    times = np.linspace(0, 1, 301)
    expected = bratu_rates(times, bratu_states(times))
    errors = [np.abs(bratu(m).slope(times) - expected).max() for m in (4, 8, 16)]
    assert np.all(orders(errors) > STAGES - 0.5), orders(errors)


def test_polynomials_join_at_the_mesh_and_fulfil_the_equations_at_the_gauss_points():
    found = bratu(5)
    np.testing.assert_allclose(found(found.mesh), found.states, atol=ROUND_OFF)
    times = gauss_times(found.mesh).ravel()
    np.testing.assert_allclose(found.slope(times), bratu_rates(times, found(times)), atol=1e-9)


def test_gauss_times_lie_inside_their_intervals():
    mesh = np.array([0.0, 1.0, 1.5, 4.0])
    times = gauss_times(mesh, 3)
    assert times.shape == (3, 3)
    assert np.all((times > mesh[:-1, None]) & (times < mesh[1:, None]))
    np.testing.assert_allclose(times.mean(axis=1), (mesh[:-1] + mesh[1:]) / 2)


# -- the banded system -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("scheme", Scheme)
@pytest.mark.parametrize("m", [1, 2, 7])
def test_condensed_system_as_by_a_dense_matrix(m, scheme):
    """Three components, of which the first is the integral of the last; all correct linear residuals are solved."""
    rng, s, n, e = np.random.default_rng(m), STAGES, 3, 2

    class Random:
        n, positions, speeds, implicit = 3, (0,), (2,), (1, 2)

    maps = StageMaps(Random(), rng.uniform(0.5, 1.0, m), scheme)
    by_state, by_rate = rng.normal(size=(m * s, e, n)), rng.normal(size=(m * s, e, e))
    for k in range(n + 1):  # conditions at the start, the others at the end
        start, end = rng.normal(size=(k, n)), rng.normal(size=(n - k, n))
        linear = Linearisation(rng.normal(size=(m * s, e)), by_state, by_rate)
        system = CondensedSystem(maps, linear, start, end, rng.uniform(0.1, 10.0, n))
        gaps, at_start, at_end = rng.normal(size=(m, n)), rng.normal(size=k), rng.normal(size=n - k)
        dY, dR = system.solve(linear.residual, gaps, at_start, at_end)
        inner = maps.states(dY, dR).reshape(-1, n)
        left = np.einsum("ken,kn->ke", by_state, inner) + np.einsum("kef,kf->ke", by_rate, dR.reshape(-1, e))
        np.testing.assert_allclose(left, -linear.residual, atol=1e-7)
        np.testing.assert_allclose(maps.gaps(dY, dR), -gaps, atol=1e-7)
        np.testing.assert_allclose(start @ dY[0], -at_start, atol=1e-7)
        np.testing.assert_allclose(end @ dY[-1], -at_end, atol=1e-7)


# -- linear problems -------------------------------------------------------------------------------------------


def linear(matrix):
    """Equations of y' = matrix y."""
    return ExplicitEquations(
        len(matrix),
        lambda times, states: states @ matrix.T,
        lambda times, states: np.broadcast_to(matrix, (*states.shape[:-1], *matrix.shape)),
    )


def test_all_conditions_at_one_end():
    matrix, first = np.array([[0.0, 1.0], [-1.0, 0.0]]), np.array([1.0, 0.0])
    fixed = lambda y: (y - first, np.eye(2))  # noqa: E731
    mesh = np.linspace(0, 3, 31)
    exact = np.stack([np.cos(mesh), -np.sin(mesh)], axis=1)
    forward = collocate(linear(matrix), Boundary(fixed, NO_CONDITIONS), mesh, np.zeros((31, 2)))
    np.testing.assert_allclose(forward.states, exact, atol=1e-11)
    backward = collocate(linear(matrix), Boundary(NO_CONDITIONS, fixed), mesh - 3, np.zeros((31, 2)))
    np.testing.assert_allclose(backward.states[::-1], exact * [1, -1], atol=1e-11)


def test_growing_and_decaying_motion_are_bounded_by_the_conditions_at_either_end():
    """Exponents of +- 2000 over the whole interval: integration in either direction would overflow."""
    rate = 2000.0
    start = lambda y: (y[:1] - 1.0, np.array([[1.0, 0.0]]))  # noqa: E731
    end = lambda y: (y[1:] - 1.0, np.array([[0.0, 1.0]]))  # noqa: E731
    mesh = np.unique(np.concatenate([np.linspace(0, 0.02, 61), np.linspace(0.98, 1, 61)]))
    found = collocate(linear(np.diag([-rate, rate])), Boundary(start, end), mesh, np.zeros((mesh.size, 2)))
    near = mesh < 0.01
    np.testing.assert_allclose(found.states[near, 0], np.exp(-rate * mesh[near]), atol=1e-8)
    assert np.abs(found.states).max() <= 1 + 1e-9


# -- Newton's method -------------------------------------------------------------------------------------------


def test_linear_problem_takes_one_correction_and_one_that_finds_nothing_left():
    mesh = np.linspace(0, 1, 5)
    fixed = lambda y: (y - 1.0, np.eye(1))  # noqa: E731
    found = collocate(linear(-np.eye(1)), Boundary(fixed, NO_CONDITIONS), mesh, np.zeros((5, 1)))
    assert found.iterations == 2


def test_corrections_are_shortened_where_full_ones_diverge():
    """arctan y = 0 from y = 10: Newton's own corrections go farther away each time."""
    end = lambda y: (np.arctan(y), np.diag(1 / (1 + y**2)))  # noqa: E731
    guess = np.full((4, 1), 10.0)
    found = collocate(linear(np.zeros((1, 1))), Boundary(NO_CONDITIONS, end), np.linspace(0, 1, 4), guess)
    np.testing.assert_allclose(found.states, 0, atol=1e-9)


def test_progress_counts_the_corrections():
    calls = []
    found = bratu(4, calls.append)
    assert calls == list(range(found.iterations))


def test_problem_without_solution_is_reported():
    end = lambda y: (y**2 + 1, np.diag(2 * y))  # noqa: E731
    with pytest.raises(SolverError, match="Newton's method stalls"):
        collocate(
            linear(np.zeros((1, 1))),
            Boundary(NO_CONDITIONS, end),
            np.linspace(0, 1, 4),
            np.full((4, 1), 0.7),
        )


def test_a_singular_matrix_is_reported():
    either = lambda y: (y**2 - 1, np.diag(2 * y))  # noqa: E731
    with pytest.raises(SolverError, match="its matrix is singular"):
        collocate(
            linear(np.zeros((1, 1))), Boundary(NO_CONDITIONS, either), np.linspace(0, 1, 4), np.zeros((4, 1))
        )


def test_equations_without_value_are_reported():
    rates = lambda times, states: np.full_like(states, np.nan)  # noqa: E731
    fixed = lambda y: (y - 1.0, np.eye(1))  # noqa: E731
    with pytest.raises(SolverError, match="Newton's method stalls"):
        collocate(
            ExplicitEquations(1, rates, linear(np.eye(1)).jacobians),
            Boundary(fixed, NO_CONDITIONS),
            np.linspace(0, 1, 3),
            np.ones((3, 1)),
        )


# -- the second scheme -----------------------------------------------------------------------------------------


class Oscillator:
    """y'' = sign k^2 (y - sin t) + forcing that makes sin t the solution; the state is [y, y']."""

    n, positions, speeds, implicit = 2, (0,), (1,), (1,)

    def __init__(self, square):
        self.square = square

    def residual(self, times, states, rates):
        return -np.sin(times)[:, None] + self.square * (states[:, :1] - np.sin(times)[:, None]) - rates

    def linearised(self, times, states, rates):
        by_state = np.tile([[[self.square, 0.0]]], (len(times), 1, 1))
        return Linearisation(self.residual(times, states, rates), by_state, -np.ones((len(times), 1, 1)))


def sine(scheme, square, intervals):
    first = lambda y: (y[:1], np.eye(2)[:1])  # noqa: E731
    last = lambda y: (y[:1] - np.sin(3.0), np.eye(2)[:1])  # noqa: E731
    mesh = np.linspace(0, 3, intervals + 1)
    return collocate(Oscillator(square), Boundary(first, last), mesh, np.zeros((mesh.size, 2)), scheme=scheme)


@pytest.mark.parametrize("scheme", Scheme)
def test_both_schemes_have_order_twice_the_stages_at_the_mesh(scheme):
    errors = [
        np.abs(sine(scheme, 4.0, m).states[:, 0] - np.sin(np.linspace(0, 3, m + 1))).max() for m in (2, 4)
    ]
    assert np.all(orders(errors) > 2 * STAGES - 0.7), errors


@pytest.mark.parametrize("scheme", Scheme)
def test_polynomials_of_both_schemes_join_and_are_derivatives_of_each_other(scheme):
    found, times = sine(scheme, 4.0, 6), np.linspace(0.01, 2.99, 77)
    np.testing.assert_allclose(found(found.mesh), found.states, atol=ROUND_OFF)
    if scheme is Scheme.TWICE:
        np.testing.assert_allclose(found.slope(times)[:, 0], found(times)[:, 1], atol=ROUND_OFF)


def test_growing_motions_far_faster_than_the_mesh_are_told_apart_by_double_integration():
    """A disturbance at one end dies out within an interval, where Gauss's method carries it through all of them."""
    first = lambda y: (y[:1] - 1.0, np.eye(2)[:1])  # noqa: E731
    last = lambda y: (y[:1] - np.sin(3.0), np.eye(2)[:1])  # noqa: E731
    mesh = np.linspace(0, 3, 31)
    errors = {}
    for scheme in Scheme:
        found = collocate(Oscillator(1e8), Boundary(first, last), mesh, np.zeros((31, 2)), scheme=scheme)
        errors[scheme] = np.abs(found.states[:, 0] - np.sin(mesh))[5:15].max()
    assert errors[Scheme.TWICE] < 1e-6 < 1e-2 < errors[Scheme.GAUSS], errors
