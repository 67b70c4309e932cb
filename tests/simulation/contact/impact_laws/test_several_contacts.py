"""Several contacts at once: random ones, groups, redundant ones, Kane's double pendulum, cones and polygons."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from breadth import thinned
from random_impact_problems import arguments, random_impact, violations
from reference.impulse_diagram import Rod

from flexarm.errors import SolverError
from flexarm.simulation.contact.impact_laws.coupled_groups import coupled_groups
from flexarm.simulation.contact.impact_laws.friction_cones import cone_impulses
from flexarm.simulation.contact.impact_laws.friction_polygons import ConePolygons, polygon_impulses
from flexarm.simulation.contact.impact_laws.impact_problem import ImpactProblem
from flexarm.simulation.contact.impact_laws.newton import newton
from flexarm.simulation.contact.impact_laws.poisson import poisson
from flexarm.simulation.contact.impact_laws.two_phases import two_phases
from flexarm.solvers.linear_complementarity import solve_lcp

ROUND_OFF = 1e-8
"""Speeds and impulses, relative to the largest: u times the condition of a basis, some 1e6."""
GAIN = 1e-10
"""Energy, in units of the largest that an impulse adds or takes; it is of second order in round-off."""


@pytest.mark.parametrize("d", [2, 3])
@pytest.mark.parametrize("seed", thinned(range(40), every=4))
def test_random_impacts(d, seed):
    """All are solved: no energy is gained, nothing enters or pulls, friction stays in its cone."""
    rng = np.random.default_rng(seed)
    for _ in range(15 if d == 2 else 5):
        problem = random_impact(rng, d)
        energy, *others = violations(problem, poisson(*arguments(problem)).impulses)
        assert energy < GAIN
        assert max(others) < ROUND_OFF


def test_almost_wedged():
    """Impulses 2e4 times the speeds, in equal inertia, found over another covering vector of Lemke's method."""
    problem = random_impact(np.random.default_rng(75169), 2)
    impulses = poisson(*arguments(problem)).impulses
    scaled, scale = problem.unit_inertia()
    assert np.abs(impulses / scale).max() > 1e4 * np.abs(scaled.speeds).max()
    assert max(violations(problem, impulses)) < ROUND_OFF


@pytest.mark.parametrize("seed", thinned(range(40), every=8))
def test_all_or_nothing_restored(seed):
    """Coefficients of 0 and 1 by turns: the impact may end without motion, and unequal ones may create energy."""
    rng = np.random.default_rng(seed)
    for _ in range(20):
        problem = random_impact(rng, 2)
        problem = replace(problem, restitution=np.round(problem.restitution))
        energy, *others = violations(problem, poisson(*arguments(problem)).impulses)
        assert energy < GAIN
        assert max(others) < ROUND_OFF


def test_unequal_restitution_that_would_create_energy():
    """The smallest coefficient of those that push holds for all then."""
    J = np.array([[2.0, -2, 1], [0, -1, 1], [1, 0, -2], [-2, 1, 2]])
    speeds, e = np.array([[0.0, 3], [-6, 7]]), np.array([1.0, 0])
    problem = ImpactProblem(J @ J.T, speeds, np.array([0.2, 1]), e)
    scaled = problem.unit_inertia()[0]
    compression = cone_impulses(scaled, np.zeros(2))
    after = np.round(scaled.speeds_after(compression), 12)
    phases = compression + cone_impulses(replace(scaled, speeds=after), e * compression[:, 0])
    assert scaled.energy_gain(phases) > 0.1 * scaled.energy_scale(phases)
    equal = two_phases(replace(problem, restitution=np.zeros(2)))
    np.testing.assert_allclose(two_phases(problem).impulses, equal.impulses, atol=1e-10)
    assert problem.energy_gain(equal.impulses) < 0


def test_painleves_rod_on_two_points():
    """Approach at 1e-9 of the slip into the phases: the impact without collision, shared by two points in one place."""
    rod = Rod(1.0, 1.0, np.radians(63))
    G, speeds = np.tile(rod.delassus, (2, 2)), np.array([[-1e-9, -1.0], [-1e-9, -1.0]])
    found = poisson(G, speeds, np.full(2, 1.6), np.full(2, 0.3))
    np.testing.assert_allclose(found.impulses.sum(axis=0), [0.39439578, 0.43724133], atol=1e-8)
    assert "stick" in found.cases


@pytest.mark.parametrize("d", [2, 3])
def test_friction_opposes_slip(d):
    """Compression: contacts that slide have all the friction of their cones, against the slip."""
    rng = np.random.default_rng(d)
    sliding = 0
    for _ in range(20):
        problem = random_impact(rng, d, uneven=False)
        P = cone_impulses(problem.unit_inertia()[0], np.zeros(len(problem.speeds)))
        scaled = problem.unit_inertia()[0]
        slip = scaled.speeds_after(P)[:, 1:]
        speed = np.linalg.norm(slip, axis=1)
        for i in np.flatnonzero(speed > 1e-6 * np.abs(scaled.speeds).max()):
            expected = -scaled.friction[i] * P[i, 0] * slip[i] / speed[i]
            np.testing.assert_allclose(P[i, 1:], expected, atol=ROUND_OFF * max(1, np.abs(P).max()))
            sliding += 1
    assert sliding > 20


def test_groups_do_not_know_of_each_other():
    """Two bodies: as each alone, also where one is a single contact and the other are two that are coupled."""
    rng = np.random.default_rng(5)
    one, two = random_impact(rng, 2, k=1), random_impact(rng, 2, k=2)
    G = np.zeros((6, 6))
    first, others = [2, 3], [0, 1, 4, 5]
    G[np.ix_(first, first)], G[np.ix_(others, others)] = one.G, two.G
    order = [1, 0, 2]
    both = [
        np.concatenate([getattr(p, name) for p in (one, two)])[order]
        for name in ("speeds", "friction", "restitution")
    ]
    assert [list(group) for group in coupled_groups(G, 2)] == [[0, 2], [1]]
    found = poisson(G, *both)
    alone = [poisson(*arguments(problem)) for problem in (one, two)]
    np.testing.assert_allclose(
        found.impulses, np.concatenate([each.impulses for each in alone])[order], atol=1e-12
    )
    assert found.cases == tuple(np.concatenate([each.cases for each in alone])[order])


def test_one_contact_that_slides_on_is_the_same_in_two_phases():
    """Where slip does not stop, the phases know all there is to know."""
    rng = np.random.default_rng(0)
    compared = 0
    while compared < 10:
        problem = random_impact(rng, 2, k=1)
        path = poisson(*arguments(problem))
        if path.cases == ("slide",):
            np.testing.assert_allclose(two_phases(problem).impulses, path.impulses, rtol=1e-9, atol=1e-12)
            compared += 1


@pytest.mark.parametrize("d", [2, 3])
def test_two_points_in_one_place(d):
    """Redundant contacts: what the body does is what it does on one."""
    rng = np.random.default_rng(d)
    one = random_impact(rng, d, k=1, uneven=False)
    twice = ImpactProblem(np.tile(one.G, (2, 2)), *(np.concatenate([a, a]) for a in arguments(one)[1:]))
    single, double = two_phases(one), two_phases(twice)
    np.testing.assert_allclose(double.impulses.sum(axis=0), single.impulses[0], atol=1e-10)


def test_without_friction_the_frictionless_problem():
    """With one e for all, Poisson's law in two phases and Newton's law are the symmetric complementarity problem."""
    rng = np.random.default_rng(7)
    J = rng.normal(size=(4, 9))
    G, speeds = J @ J.T, -np.abs(rng.normal(size=(2, 2)))
    zero, e = np.zeros(2), np.full(2, 0.4)
    rows = np.ix_([0, 2], [0, 2])
    expected = solve_lcp(G[rows], 1.4 * speeds[:, 0])
    np.testing.assert_allclose(newton(G, speeds, zero, e).impulses[:, 0], expected, atol=1e-12)
    if expected.min() > 0:
        np.testing.assert_allclose(poisson(G, speeds, zero, e).impulses[:, 0], expected, atol=1e-12)


def test_units_do_not_matter():
    """Lengths in another unit for each contact."""
    problem = random_impact(np.random.default_rng(4), 2, k=3, uneven=False)
    unit = np.repeat([1e-3, 1.0, 1e3], 2)
    scaled = (unit[:, None] * problem.G * unit, unit.reshape(3, 2) * problem.speeds)
    found = poisson(*scaled, problem.friction, problem.restitution)
    expected = poisson(*arguments(problem)).impulses
    np.testing.assert_allclose(unit.reshape(3, 2) * found.impulses, expected, rtol=1e-9, atol=1e-12)


def test_wedge_that_closes():
    """Two walls that both come closer, whatever moves."""
    G = np.kron(np.array([[1.0, -1.0], [-1.0, 1.0]]), np.diag([1.0, 0.0]))
    with pytest.raises(SolverError, match="wedged"):
        poisson(G, np.array([[-1.0, 0], [-1.0, 0]]), np.zeros(2), np.zeros(2))


def double_pendulum():
    """Kane & Levinson's: two rods of 1 m and 1 kg at 20 and 30 degrees, whose end strikes a floor."""
    q, rates = np.radians([20, 30]), np.array([-0.1, -0.2])
    c = np.cos(q[1] - q[0]) / 2
    M = np.array([[4 / 3, c], [c, 1 / 3]])
    J = np.array([np.sin(q), np.cos(q)])
    return J @ np.linalg.solve(M, J.T), (J @ rates)[None], rates @ M @ rates / 2


@pytest.mark.parametrize(("e", "mu"), [(0.5, 0.5), (0.5, 1.0), (0.7, 0.25), (0.7, 0.5), (1.0, 1.0)])
def test_kanes_double_pendulum(e, mu):
    """Newton's law would create energy, and says what does not; Poisson's law loses some."""
    G, speeds, energy = double_pendulum()
    with pytest.raises(SolverError, match="impact_law: poisson") as failure:
        newton(G, speeds, np.array([mu]), np.array([e]))
    assert "\n" not in str(failure.value)
    problem = ImpactProblem(G, speeds, np.array([mu]), np.array([e]))
    assert -energy < problem.energy_gain(poisson(*arguments(problem)).impulses) < -0.1 * energy


def test_newtons_law_leaves_with_e_times_the_speed():
    """By hand, at Kane's double pendulum with little friction: the normal speed is reversed."""
    G, speeds, _ = double_pendulum()
    problem = ImpactProblem(G, speeds, np.array([0.05]), np.array([0.5]))
    after = problem.speeds_after(newton(*arguments(problem)).impulses)
    assert after[0, 0] == pytest.approx(-0.5 * speeds[0, 0])


@pytest.mark.parametrize("d", [2, 3])
def test_newtons_law_at_random_impacts(d):
    """Refused where it would create energy, or has no solution; else what pushes leaves with e times its speed."""
    rng = np.random.default_rng(d)
    refused = 0
    for _ in range(30):
        problem = random_impact(rng, d, uneven=False)
        try:
            impulses = newton(*arguments(problem)).impulses
        except SolverError:
            refused += 1
            continue
        energy, *others = violations(problem, impulses)
        assert energy < GAIN
        assert max(others) < ROUND_OFF
        came, left = problem.speeds[:, 0], problem.speeds_after(impulses)[:, 0]
        slack = left + problem.restitution * np.minimum(came, 0)
        np.testing.assert_allclose(slack * impulses[:, 0], 0, atol=ROUND_OFF * np.abs(impulses).max())
    assert 0 < refused < 20


@pytest.mark.parametrize("seed", range(4))
def test_fine_polygons_come_to_the_cones(seed):
    """Friction of a polygon is at most half the angle between corners from that of the cone."""
    rng = np.random.default_rng(seed)
    J = rng.normal(size=(6, 9))
    speeds = rng.normal(size=(2, 3)) - [2.0, 0, 0]
    problem = ImpactProblem(J @ J.T, speeds, np.full(2, 0.4), np.zeros(2))
    scaled, none = problem.unit_inertia()[0], np.zeros(2)
    expected = cone_impulses(scaled, none)
    towards = rng.normal(size=(2, 2))
    for sides in (12, 96):
        found = polygon_impulses(scaled, none, ConePolygons.of(scaled.friction, towards, sides))
        assert np.abs(found - expected).max() <= 4 * np.pi / sides * np.abs(expected).max()
