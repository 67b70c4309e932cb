"""One contact in space: general integration, the plane as a limit, symmetry, slip that stops and restarts."""

from __future__ import annotations

import numpy as np
import pytest
from breadth import thinned
from random_impact_problems import random_impact, violations
from reference.spatial_slip import impulses as integrated
from scipy.optimize import brentq

from flexarm.simulation.contact.impact_laws.impact_problem import ImpactProblem
from flexarm.simulation.contact.impact_laws.impulse_path import impulse_path
from flexarm.simulation.contact.impact_laws.slip_from_rest import direction_from_rest

ROUND_OFF = 1e-10
"""Integrations to 1e-13, of slip that turns by some radians."""


def problem_of(G, speeds, mu, e):
    return ImpactProblem(np.asarray(G), np.atleast_2d(speeds), np.array([mu]), np.array([e]))


def a_contact(rng):
    """Delassus matrix of a contact of a body of some shape, and speeds towards the wall."""
    J = rng.normal(size=(3, 6))
    return J @ J.T / 6, np.array([-1.0, *rng.normal(size=2)])


@pytest.mark.parametrize("seed", thinned(range(60), every=6))
def test_turning_slip_as_integrated(seed):
    rng = np.random.default_rng(seed)
    for _ in range(20):
        G, u = a_contact(rng)
        mu, e = rng.uniform(0, 1, 2)
        expected = integrated(G, u, mu, e)
        if expected is not None:
            break
    found = impulse_path(problem_of(G, u, mu, e))
    np.testing.assert_allclose(found.impulses[0], expected, atol=ROUND_OFF)
    assert found.cases == ("slide",)


@pytest.mark.parametrize("seed", range(12))
def test_straight_slip_is_the_planar_result(seed):
    """The second tangent uncoupled; then both tangents turned about the normal."""
    rng = np.random.default_rng(seed)
    J = rng.normal(size=(2, 4))
    planar, u = J @ J.T, np.array([-1.0, rng.normal()])
    mu, e, angle = *rng.uniform(0, 1, 2), rng.uniform(0, 2 * np.pi)
    expected = impulse_path(problem_of(planar, u, mu, e))
    G = np.zeros((3, 3))
    G[:2, :2], G[2, 2] = planar, 1.7
    turn = np.eye(3)
    turn[1:, 1:] = [[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]]
    found = impulse_path(problem_of(turn @ G @ turn.T, turn @ [*u, 0], mu, e))
    np.testing.assert_allclose(found.impulses[0] @ turn, [*expected.impulses[0], 0], atol=1e-11)
    assert found.cases == expected.cases


@pytest.mark.parametrize("seed", range(6))
def test_turned_and_mirrored_axes(seed):
    rng = np.random.default_rng(seed)
    G, u = a_contact(rng)
    Q = np.eye(3)
    Q[1:, 1:] = np.linalg.qr(rng.normal(size=(2, 2)))[0]
    one, other = (impulse_path(problem_of(*of, 0.4, 0.6)) for of in ((G, u), (Q @ G @ Q.T, Q @ u)))
    np.testing.assert_allclose(Q @ one.impulses[0], other.impulses[0], atol=ROUND_OFF)
    assert one.cases == other.cases


@pytest.mark.parametrize("seed", range(20))
def test_slip_from_rest_is_straight_and_grows(seed):
    """Friction along the slip that it lets grow; it sticks only where friction within the cone holds it."""
    rng = np.random.default_rng(seed)
    G, _ = a_contact(rng)
    mu = rng.uniform(0.01, 1)
    friction, sticks = direction_from_rest(G, mu)
    growth = G[1:, 0] + G[1:, 1:] @ friction
    if sticks:
        assert np.linalg.norm(friction) <= mu
        np.testing.assert_allclose(growth, 0, atol=1e-13)
    else:
        assert np.linalg.norm(friction) == pytest.approx(mu)
        np.testing.assert_allclose(growth / np.linalg.norm(growth), -friction / mu, atol=1e-10)


def test_slip_through_zero_restarts():
    """Slip straight into zero that friction cannot hold: it leaves along the only direction that persists."""
    C = np.array([[1.0, 0.3], [0.3, 2.0]])
    g, mu = np.array([0.5, 0.4]), 0.1
    G = np.block([[np.array([[1.2]]), g[None]], [g[:, None], C]])
    # slip that arrives straight has the direction a of g - mu C a = -s a
    arriving = lambda s: np.linalg.solve(mu * C - s * np.eye(2), g)  # noqa: E731
    s = brentq(lambda s: np.linalg.norm(arriving(s)) - 1, 0.4, 2.0, xtol=1e-15)
    found = impulse_path(problem_of(G, [-1.0, *(0.2 * arriving(s))], mu, 0.5))
    assert found.cases == ("reverse",)
    stop, (friction, _), P_n = 0.2 / s, direction_from_rest(G, mu), found.impulses[0, 0]
    expected = -mu * stop * arriving(s) + (P_n - stop) * friction
    np.testing.assert_allclose(found.impulses[0, 1:], expected, atol=ROUND_OFF)
    assert P_n > stop


@pytest.mark.parametrize("seed", thinned(range(100), every=10))
def test_random_contacts_gain_no_energy(seed):
    """Also with fewer ways to move than directions."""
    rng = np.random.default_rng(seed)
    for _ in range(10):
        problem = random_impact(rng, 3, k=1)
        found = impulse_path(problem)
        assert max(violations(problem, found.impulses)) < ROUND_OFF


def test_driven_in_by_slip_alone():
    """Painleve's paradox in space: the rod of the plane, its tangent turned."""
    x, y = np.cos(np.radians(63)) / 2, np.sin(np.radians(63)) / 2
    planar = np.array([[1 + 12 * x * x, -12 * x * y], [-12 * x * y, 1 + 12 * y * y]])
    turn = np.array([[1, 0, 0], [0, 0.6, -0.8], [0, 0.8, 0.6]])
    G = turn @ np.block([[planar, np.zeros((2, 1))], [np.zeros((1, 2)), np.eye(1)]]) @ turn.T
    found = impulse_path(problem_of(G, turn @ [0, -1, 0], 1.6, 0.3))
    np.testing.assert_allclose(found.impulses[0] @ turn, [0.39439578, 0.43724133, 0], atol=5e-9)
