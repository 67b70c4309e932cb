"""One contact in the plane against the impulse diagram, and Painleve's impact without collision."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from reference.impulse_diagram import Rod, impact

from flexarm.errors import SolverError
from flexarm.simulation.contact.impact_laws.impact_problem import ImpactProblem
from flexarm.simulation.contact.impact_laws.impulse_path import impulse_path
from flexarm.simulation.contact.impact_laws.newton import newton
from flexarm.simulation.contact.impact_laws.poisson import poisson
from flexarm.simulation.contact.impact_laws.two_phases import two_phases

ROUND_OFF = 1e-12
"""Impulses of order one from a few operations on a matrix whose condition is below 1e2."""


def resolve(G, u_n, u_t, mu, e, law=poisson):
    return law(np.asarray(G), np.array([[u_n, u_t]]), np.array([mu]), np.array([e]))


@pytest.mark.parametrize("degrees", range(10, 90, 10))
def test_rod_let_fall_as_in_the_impulse_diagram(degrees):
    """Slip before the impact to both sides, and none; friction and restitution from none to all."""
    cases = set()
    for mu, e, slip in product(np.linspace(0, 1, 6), (0, 0.3, 0.7, 1), (-2.1, -0.45, 0, 0.1, 0.83)):
        rod = Rod(1.3, 0.8, np.radians(degrees))
        *expected, case = impact(rod, slip, -2.0, mu, e)
        found = resolve(rod.delassus, -2.0, slip, mu, e)
        np.testing.assert_allclose(found.impulses[0, ::-1], expected, rtol=0, atol=ROUND_OFF)
        assert found.cases == (case,), (mu, e, slip)
        cases.add(case)
    assert {"slide", "stick"} <= cases


def test_painleve_rod():
    """Standing on its lower end at 63 degrees and sliding: slip stops, and the rod is thrown up."""
    rod = Rod(1.0, 1.0, np.radians(63))
    found = resolve(rod.delassus, 0.0, -1.0, 1.6, 0.3)
    np.testing.assert_allclose(found.impulses, [[0.39439578, 0.43724133]], atol=5e-9)
    np.testing.assert_allclose(found.impulses[0, ::-1], impact(rod, -1.0, 0.0, 1.6, 0.3)[:2], atol=ROUND_OFF)
    after = np.array([0, -1]) + rod.delassus @ found.impulses[0]
    np.testing.assert_allclose(after, [0.10765592, 0], atol=5e-9)
    assert found.cases == ("stick",)


def test_contact_at_rest_is_no_impact_without_the_paradox():
    """Less friction, slip to the other side, no slip, or a contact that parts."""
    G = Rod(1.0, 1.0, np.radians(63)).delassus
    for u_n, u_t, mu in ((0, -1, 1.2), (0, 1, 1.6), (0, 0, 1.6), (1e-9, -1, 1.6)):
        found = resolve(G, u_n, u_t, mu, 0.3)
        assert found.cases == ("open",)
        np.testing.assert_array_equal(found.impulses, 0)


def test_mirror_image():
    """The rod that leans to the other side."""
    G = Rod(1.0, 1.0, 0.6).delassus
    mirror = np.diag([1.0, -1.0])
    for slip, mu in product((-1.0, 0.0, 0.4), (0.1, 0.5, 1.0)):
        one = resolve(G, -1.5, slip, mu, 0.4)
        other = resolve(mirror @ G @ mirror, -1.5, -slip, mu, 0.4)
        np.testing.assert_allclose(one.impulses @ mirror, other.impulses, atol=ROUND_OFF)
        assert one.cases == other.cases


def test_without_friction_it_is_newtons_law():
    """Poisson's and Newton's coefficients then mean the same; small friction comes close to it."""
    G = Rod(1.0, 1.0, 0.6).delassus
    expected = [[(1 + 0.4) * 1.5 / G[0, 0], 0]]
    for law in (poisson, newton):
        np.testing.assert_allclose(resolve(G, -1.5, 0.3, 0.0, 0.4, law).impulses, expected, atol=ROUND_OFF)
        np.testing.assert_allclose(resolve(G, -1.5, 0.3, 1e-9, 0.4, law).impulses, expected, atol=1e-8)


def test_directions_in_which_nothing_moves():
    """No tangent, as at a stop: a row of zeros; or no way to move at all, which is refused."""
    found = resolve([[2.0, 0.0], [0.0, 0.0]], -1.0, 0.0, 0.5, 0.5)
    np.testing.assert_allclose(found.impulses, [[0.75, 0]], atol=ROUND_OFF)
    for law in (poisson, newton):
        with pytest.raises(SolverError, match="driven into"):
            resolve(np.zeros((2, 2)), -1.0, 0.0, 0.5, 0.5, law)


def test_one_way_to_move():
    """A slider on an inclined rail: where friction can hold the impulse it jams, else it comes back with e."""
    for slope, case, back in ((2.0, "stick", 0.0), (0.4, "reverse", None)):
        J = np.array([1.0, slope])
        found = resolve(np.outer(J, J), *-J, 0.8, 0.5)
        after = -J + np.outer(J, J) @ found.impulses[0]
        assert found.cases == (case,)
        assert after[1] == pytest.approx(slope * after[0], abs=ROUND_OFF)
        # one impulse stops it, with friction upwards; e of that one acts back, with friction downwards
        expected = 0.5 / (1 + 0.8 * slope) * (1 - 0.8 * slope) if back is None else back
        assert after[0] == pytest.approx(expected, abs=ROUND_OFF)


def from_path_to_phases(degrees, mu, e, slip):
    """Largest difference [m/s] of the speeds after both laws, of a rod that falls with 2 m/s."""
    G = Rod(1.0, 1.0, np.radians(degrees)).delassus
    problem = ImpactProblem(G, np.array([[-2.0, slip]]), np.array([mu]), np.array([e]))
    path, phases = impulse_path(problem).impulses, two_phases(problem).impulses
    return np.abs(problem.speeds_after(path) - problem.speeds_after(phases)).max()


def test_where_the_two_phases_are_farthest_from_the_path():
    """The statement of two_phases; nearby the difference is smaller, friction and angle being those of its maximum."""
    farthest = np.array([64.645, 0.16416, 0.0, 0.8747])
    assert from_path_to_phases(*farthest) == pytest.approx(0.489, abs=1e-3)
    for step in ([2, 0, 0, 0], [0, 0.01, 0, 0], [0, 0, 0, 0.05]):
        for sign in (-1, 1):
            assert from_path_to_phases(*(farthest + sign * np.array(step))) < 0.4892


@pytest.mark.slow
def test_how_often_the_two_phases_differ_from_the_path():
    """The statement of two_phases: one fall of seven, where slip stops or reverses."""
    rng = np.random.default_rng(29)
    falls = [(rng.uniform(10, 80), *rng.uniform(0, 1, 2), rng.uniform(-3.5, 3.5)) for _ in range(5_000)]
    differences = np.array([from_path_to_phases(*fall) for fall in falls])
    # the fraction of 5 000 falls is known to 0.005
    assert np.mean(differences > 1e-9) == pytest.approx(1 / 7, abs=0.015)
    assert 0.4 < differences.max() < 0.49
