"""Thresholds of contacts that last: numbers on both sides of each, so that a factor of ten is seen.

The numbers stand here once more: a test that read them from the package would follow a wrong one.
"""

from __future__ import annotations

import numpy as np
import pytest

import flexarm
from flexarm.errors import ModelError
from flexarm.simulation.contact.constraints.active_contacts import ActiveContacts
from flexarm.simulation.contact.constraints.active_set import has_drifted, persistent_contacts
from flexarm.simulation.contact.constraints.contact_state import ContactState
from flexarm.simulation.contact.newton_law import NewtonLaw

RESTING_SPEED, RESTING_TIME, RESTING_SPEED_LIMIT = 1e-6, 1e-7, 1e-4
PROJECTION_TOLERANCE, RELEASE_ACCELERATION, CONTACT_GAP = 1e-11, 1e-9, 1e-10
BELOW, ABOVE = 0.5, 2.0
BOTH = np.arange(2)

BALL = """
name: ball
base: planar
gravity: [0, {gravity}, 0]
links: [{{length: 0.001, mu: 1e-6}}]
joints: [{{type: fixed, mass: 1.0}}]
initial: {{base: [0, {height}], base_rates: [0, {speed}]}}
contact: {{restitution: 0.5, walls: [{{point: [0, 0], normal: [0, 1]}}], points: O1}}
run: {{duration: {duration}, sample: {duration}, rtol: 1e-10, atol: 1e-15}}
"""

ROD = """
name: rod
base: planar
links: [{{length: 1.0, mu: 1.0}}]
initial: {{base: [0, {height}], joints: [{angle}]}}
contact: {{walls: [{{point: [0, 0], normal: [0, 1]}}]}}
run: {{duration: 0.4, sample: 0.01}}
"""


def simulate(text, **numbers):
    return flexarm.simulate(flexarm.parse_arm(text.format(**numbers)))


def contacts(gap=(0.0, 0.0), speed=(0.0, 0.0), acceleration=(0.0, 0.0)) -> ContactState:
    """Two points of unit mass, each with its own wall."""
    return ContactState(*(np.array(values) for values in (gap, speed, acceleration)), np.eye(2), np.eye(2))


@pytest.mark.parametrize(
    ("acceleration", "threshold"),
    [
        (9.81, RESTING_SPEED),
        (1e3, RESTING_TIME * 1e3 / 2),  # a rebound with v lasts 2 v / a
        (1e5, RESTING_SPEED_LIMIT),
    ],
    ids=["speed", "time", "speed limit"],
)
def test_contact_is_persistent_below_a_speed(acceleration, threshold):
    speed = threshold * np.array([BELOW, ABOVE])
    state = contacts(speed=speed, acceleration=(-acceleration, -acceleration))
    assert persistent_contacts(state, BOTH).tolist() == [0]


@pytest.mark.parametrize(
    ("gravity", "threshold"),
    [(0.1, RESTING_SPEED), (1e3, RESTING_TIME * 1e3 / 2), (1e5, RESTING_SPEED_LIMIT)],
    ids=["speed", "time", "speed limit"],
)
def test_ball_stops_bouncing_at_that_speed(gravity, threshold):
    """Each bounce has half the speed of the one before: the last one begins below the threshold, no other one does."""
    height = 1e-4 if gravity < 1 else 1e-3
    fall = np.sqrt(2 * height / gravity)
    after = simulate(BALL, gravity=-gravity, height=height, speed=0, duration=5 * fall).impact_velocity_after
    assert threshold / 2 < after[-1] <= threshold < after[-2]


def test_slow_approach_is_stopped_without_an_impact():
    slow, fast = (
        simulate(BALL, gravity=-9.81, height=0, speed=-factor * RESTING_SPEED, duration=0.01)
        for factor in (BELOW, ABOVE)
    )
    assert len(slow.impact_time) == 0
    assert len(fast.impact_time) > 0
    assert abs(slow.base_velocity[-1, 1]) < 1e-12


def test_drift_is_projected_beyond_the_tolerance():
    for factor, drifted in ((BELOW, False), (ABOVE, True)):
        off = (0.0, factor * PROJECTION_TOLERANCE)
        assert has_drifted(contacts(gap=off), ActiveContacts.frictionless(BOTH)) is drifted
        assert has_drifted(contacts(speed=off), ActiveContacts.frictionless(BOTH)) is drifted


def test_drift_in_a_bowl_is_projected_at_the_tolerance():
    """A ball that swings in a bowl for a minute: round-off and truncation let its distance from the wall grow."""
    result = flexarm.simulate(
        flexarm.parse_arm(
            """
name: bowl
base: planar
links: [{length: 0.001, mu: 1e-6}]
joints: [{type: fixed, mass: 1.0}]
initial: {base: [0.8, -0.6]}
contact: {restitution: 0, walls: [{circle: {center: [0, 0], radius: 1, side: inside}}], points: O1}
run: {duration: 60, sample: 0.01, rtol: 1e-12, atol: 1e-14}
"""
        )
    )
    gap = np.abs(np.hypot(*result.base_position[:, :2].T) - 1)
    assert np.all(result.contact_force > 0)
    assert PROJECTION_TOLERANCE < gap.max() < ABOVE * PROJECTION_TOLERANCE


def test_contact_is_active_above_an_acceleration():
    for factor, active in ((BELOW, [0]), (ABOVE, [0, 1])):
        state = contacts(acceleration=(-9.81, -factor * RELEASE_ACCELERATION * 9.81))
        assert NewtonLaw(np.ones(2)).active(state, BOTH).contacts.tolist() == active


def test_contacts_within_a_gap_are_simultaneous():
    """A rod that falls all but flat: the gap of its second end when the first one strikes is its angle times 1 m."""
    for factor, points in ((BELOW, [1, 2]), (ABOVE, [1])):
        result = simulate(ROD, height=0.5, angle=factor * CONTACT_GAP)
        assert result.impact_point[result.impact_number == 1].tolist() == points


def test_start_within_a_gap_is_outside():
    simulate(ROD, height=-BELOW * CONTACT_GAP, angle=0)
    with pytest.raises(ModelError, match="inside wall 1"):
        simulate(ROD, height=-ABOVE * CONTACT_GAP, angle=0)
