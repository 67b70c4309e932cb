"""Many walls: equations that do not grow with them, groups that give the same contacts, a polygon for a circle."""

from __future__ import annotations

import numpy as np
import pytest
from breadth import thinned
from evaluated_events import evaluated

import flexarm
from flexarm.simulation.contact.constraints.active_contacts import ActiveContacts
from flexarm.simulation.contact.constraints.contacts import Contacts
from flexarm.simulation.contact.equations import contact_dynamics
from flexarm.simulation.forward.parametric_model import ParametricModel
from flexarm.simulation.forward.prepare import prepare_run


def boxed(n, duration=0.5, e=0.6):
    """Two links in a polygon of n sides about a circle of radius 1.2 m."""
    angles = 2 * np.pi * (np.arange(n) + 0.5) / n
    walls = "\n".join(
        f"    - {{point: [{-1.2 * np.cos(a)}, {-1.2 * np.sin(a)}], normal: [{np.cos(a)}, {np.sin(a)}]}}"
        for a in angles
    )
    return flexarm.parse_arm(
        f"""
name: boxed
base: planar
links:
- {{length: 0.5, mu: 1, EI: 100, modes: {{family: clamped-free, count: 1}}}}
- {{length: 0.4, mu: 1}}
initial: {{base_rates: [2, 0.7], joints: [0.3, 0.4], joint_rates: [1, 2]}}
contact:
  restitution: {e}
  walls:
{walls}
run: {{duration: {duration}, sample: 0.01}}
"""
    )


def equations(arm):
    return ParametricModel([arm]).contacts


@pytest.mark.slow
def test_equations_do_not_grow_with_walls():
    few, many = equations(boxed(200)), equations(boxed(1000))
    assert few.constrained_rhs.n_instructions() == many.constrained_rhs.n_instructions()
    assert many.gaps.n_instructions() < 1.3 * few.gaps.n_instructions()
    assert many.n_points * many.n_walls <= contact_dynamics.CONTACTS_TOGETHER


@pytest.mark.parametrize("together", thinned([12, 1, 9, 1000]))
def test_groups_of_walls_give_the_contacts_of_all(monkeypatch, together):
    arm, rng = boxed(7), np.random.default_rng(1)
    model = ParametricModel([arm])
    y = rng.normal(size=model.state_equation.layout.size) / 5
    states, times = np.stack([y, 1.1 * y]), np.zeros(2)
    expected = Contacts(model.contacts, np.empty(0), arm)
    monkeypatch.setattr(contact_dynamics, "CONTACTS_TOGETHER", together)
    found = Contacts(equations(arm), np.empty(0), arm)
    assert found.n == expected.n == 21
    for active in ([], [2, 8, 13]):
        one, other = (
            each.event_functions(ActiveContacts.frictionless(np.array(active, dtype=np.intp)))[0]
            for each in (found, expected)
        )
        values = evaluated(one, times, states)
        np.testing.assert_allclose(values, evaluated(other, times, states), rtol=1e-12, atol=1e-12)
        np.testing.assert_array_equal(one.has_rate, ~np.isnan(values[0, found.n :]))
        assert np.flatnonzero(~one.has_rate).tolist() == active
    for name in ("gap", "speed", "free_gap_acceleration", "J", "M"):
        np.testing.assert_allclose(
            getattr(found.state(0.0, y), name), getattr(expected.state(0.0, y), name), rtol=1e-12, atol=1e-12
        )


@pytest.mark.slow
def test_a_polygon_of_many_sides_is_a_circle():
    polygon = boxed(720, duration=0.43)
    circle = flexarm.parse_arm(
        polygon.text[: polygon.text.index("  walls:")]
        + "  walls: [{circle: {center: [0, 0], radius: 1.2, side: inside}}]\n"
        + polygon.text[polygon.text.index("run:") :]
    )
    many, one = flexarm.simulate(polygon), flexarm.simulate(circle)
    assert many.impact_time.size == one.impact_time.size == 2
    np.testing.assert_allclose(many.impact_time, one.impact_time, atol=5e-6)
    np.testing.assert_allclose(many.point_position[-1], one.point_position[-1], atol=1e-3)


def test_a_point_that_would_rest_on_more_walls_than_have_normals_is_said():
    arm = boxed(8)
    run = prepare_run(arm)
    contacts = run.integration._contacts
    with pytest.raises(flexarm.SolverError, match="more than 3 walls"):
        contacts.held.constrained(run.integration._free, ActiveContacts.frictionless(np.arange(4)))
