"""Chatter: a light part that a link presses against a stop with restitution 1, where it bounces ever more often."""

from __future__ import annotations

import numpy as np
import pytest

import flexarm
from flexarm.results.events.impacts import impact_summary
from flexarm.simulation.contact.constraints.contact_state import ContactState
from flexarm.simulation.contact.newton_law import NewtonLaw

CHATTER_TIME, LEAST_ENERGY = 1e-6, 1e-7
CHATTERING = """
name: chattering-stop
links:
- length: 0.177
  mu: 1.446
- length: 0.429
  mu: 2.25
  EI: 120.938
  modes:
    family: hinged
    count: 3
  damping: 0.05
- length: 0.309
  mu: 3.304
joints:
- friction:
    viscous: 0.1
- stiffness: 14.35
  damping: 0
  motor:
    inertia: 0.0001
    gear: 10
  limits:
    range:
    - -1.041
    - -0.616
    restitution: 1
- type: prismatic
  axis:
  - 0
  - 1
  - 0
gravity:
- 0
- -9.81
- 0
initial:
  joints:
  - -0.074
  - -0.616
  - -0.108
  joint_rates:
  - 0.423
  - 2.523
  - 0.34
run:
  duration: 0.012
  sample: 0.0001
  method: dop853
link_rotation: finite
"""


@pytest.fixture(scope="module")
def chattering():
    return flexarm.simulate(flexarm.parse_arm(CHATTERING))


@pytest.mark.slow
def test_chatter_comes_to_rest_with_the_force_that_it_had_on_average(chattering):
    """Impulses of the last 0.1 ms, over that time, are the torque of the stop that lasts from then on."""
    assert chattering.status == "complete"
    times, impulses = chattering.limit_impact_time, chattering.limit_impact_impulse
    last = times[-1]
    assert last < 0.0115
    mean = impulses[times > last - 1e-4].sum() / 1e-4
    after = chattering.limit_torque[chattering.time > last, 1]
    assert np.all(after < 0)
    assert after[0] == pytest.approx(mean, rel=0.03)


@pytest.mark.slow
def test_chatter_that_comes_to_rest_loses_hardly_any_energy(chattering):
    lost = chattering.limit_impact_energy_lost
    assert np.count_nonzero(lost > 1e-15) == 1
    assert 0 < lost.sum() < LEAST_ENERGY * chattering["energy_kinetic"].max()


@pytest.mark.slow
def test_large_impacts_are_told_apart_from_chatter(chattering):
    _, chatter, rest = impact_summary(chattering)
    large = np.abs(chattering.limit_impact_impulse) >= 0.1 * np.abs(chattering.limit_impact_impulse).max()
    assert chatter.startswith("chatter: joint 2 strikes its upper limit up to ")
    assert f"; {large.sum()} of the {large.size} impacts have more than 10%" in chatter
    assert large.sum() < 100 < 1000 < large.size
    assert "a restitution below 1" in chatter
    assert rest.startswith("at rest on a limit at the end: joint 2")


@pytest.mark.slow
def test_a_run_that_chatters_says_so_once_while_it_is_under_way(caplog):
    """At 1000 impacts, where half of them lie within one sample interval."""
    text = CHATTERING.replace("sample: 0.0001", "sample: 0.006")
    flexarm.simulate(flexarm.parse_arm(text))
    (said,) = caplog.messages
    assert " impacts by t = 0.01" in said
    assert "a restitution below 1" in said


@pytest.mark.parametrize("remedy", ["restitution: 0.9", "inertia: 0.01"])
def test_what_is_advised_helps(remedy):
    text = CHATTERING.replace("restitution: 1", remedy)
    if "inertia" in remedy:
        text = CHATTERING.replace("- stiffness: 14.35", f"- stiffness: 14.35\n  {remedy}")
    result = flexarm.simulate(flexarm.parse_arm(text))
    assert len(result.limit_impact_time) <= 60
    assert not any("chatter" in line for line in impact_summary(result))


def one_contact(speed: float, acceleration: float, kinetic_energy: float) -> ContactState:
    """A contact of unit mass that closes."""
    one = np.eye(1)
    return ContactState(np.zeros(1), np.array([-speed]), np.array([-acceleration]), one, one, kinetic_energy)


@pytest.mark.parametrize(("factor", "rebounds"), [(0.9, False), (1.1, True)])
@pytest.mark.parametrize("bound", ["time", "energy"])
@pytest.mark.parametrize("e", [1.0, 0.5])
def test_rebounds_too_short_and_too_weak_to_count(factor, rebounds, bound, e):
    """After e v, which takes 2 e v / a and holds (e v)^2 / 2; both must be below their bounds."""
    speed = 0.01 * factor
    acceleration = 2 * e * 0.01 / CHATTER_TIME * (1 if bound == "time" else 10)
    energy = (e * 0.01) ** 2 / 2 / LEAST_ENERGY * (1 if bound == "energy" else 10)
    law = NewtonLaw(np.array([e]), LEAST_ENERGY)
    (impulse,) = law.impact(one_contact(speed, acceleration, energy), np.array([0])).normal
    assert impulse == pytest.approx(speed * (1 + e if rebounds else 1))
    (impulse,) = (
        NewtonLaw(np.array([e])).impact(one_contact(speed, acceleration, energy), np.array([0])).normal
    )
    assert impulse == pytest.approx(speed * (1 + e))
