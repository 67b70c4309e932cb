"""`segments: auto` in motion: trial runs that ask for more segments than statics does, or for fewer."""

from __future__ import annotations

import logging

import numpy as np
import pytest
from breadth import thinned

import flexarm
from flexarm.description.reading.loader import with_segments
from flexarm.errors import ModelError
from flexarm.simulation.forward.segments import segments_in_motion as choice
from flexarm.simulation.forward.segments import trial_run
from flexarm.simulation.forward.segments.segments_in_motion import segments_in_motion

SWUNG = """
name: swung
gravity: [0, 0, 0]
links: [{length: 1.0, mu: 1.0, EI: 20.0, segments: auto, modes: 2, damping: [0.01, 0.02]}]
drive: [{move: {to: 60 deg, duration: 0.4}}]
run: {duration: 0.4, sample: 0.02, rtol: 1.0e-4, atol: 1.0e-6}
"""
"""Without weight, loads and torques statics sees no reason to bend."""


def numbers(arm) -> list[int]:
    return [link.segments for link in arm.links]


@pytest.fixture(scope="module")
def arm():
    return flexarm.parse_arm(SWUNG)


@pytest.fixture(scope="module")
def result(arm):
    return flexarm.simulate(arm)


@pytest.mark.slow
def test_the_motion_asks_for_more_than_statics(arm, result):
    assert numbers(arm) == [1]
    (taken,) = numbers(result.arm)
    assert taken > 1
    assert flexarm.run_warnings(result) == []
    assert "turns by" in "".join(flexarm.run_warnings(flexarm.simulate(flexarm.parse_arm(arm.text))))


@pytest.mark.slow
def test_the_result_repeats_itself(result):
    (taken,) = numbers(result.arm)
    assert result.attributes["chosen_segments"] == f"link 1: {taken}"
    again = flexarm.simulate(result.arm)
    np.testing.assert_array_equal(again.point_position, result.point_position)
    assert "chosen_segments" not in again.attributes


def test_numbers_that_are_given_stay(caplog):
    given = flexarm.parse_arm(SWUNG.replace("auto", "1"))
    with caplog.at_level(logging.INFO, "flexarm"):
        assert segments_in_motion(given).arm is given
    assert caplog.text == ""


@pytest.mark.slow
def test_one_line_says_what_was_taken(arm, result, caplog):
    with caplog.at_level(logging.INFO, "flexarm"):
        suited = segments_in_motion(arm).arm
    (record,) = caplog.records
    (taken,) = numbers(suited)
    assert numbers(suited) == numbers(result.arm)
    assert record.message.startswith(
        f"segments: auto takes {taken} instead of 1, as its links bend in motion (2 trial"
    )


def test_enough_segments_take_one_trial_whose_equations_serve_the_run(caplog):
    slow = flexarm.parse_arm(SWUNG.replace("60 deg", "1 deg"))
    with caplog.at_level(logging.INFO, "flexarm"):
        suited = segments_in_motion(slow)
    assert suited.arm is slow
    assert suited.model is not None
    assert caplog.text == ""


def test_what_was_changed_after_reading_stays_changed(arm):
    run = arm.run.model_copy(update={"sample": 0.1})
    initial = arm.initial.model_copy(update={"joint_rates": (0.25,)})
    changed = with_segments(arm.model_copy(update={"run": run, "initial": initial}), {0: 3})
    assert (changed.run.sample, changed.initial.joint_rates) == (0.1, (0.25,))
    assert changed.links == flexarm.parse_arm(SWUNG.replace("auto", "3")).links
    assert len(changed.initial.modes) == 6


def test_links_that_were_changed_after_reading_keep_their_numbers(arm):
    softer = arm.links[0].model_copy(update={"length": 1.1})
    changed = arm.model_copy(update={"links": (softer,)})
    assert segments_in_motion(changed).arm is changed


def test_a_slow_motion_asks_for_fewer_than_statics():
    """A couple that grows within a second bends the link half as far as one that is applied at once."""
    text = SWUNG.replace("drive: [{move: {to: 60 deg, duration: 0.4}}]", "joints: [{type: fixed}]")
    text = text.replace("0.4, sample", "1.0, sample") + "loads: [{at: tip, moment: [0, 0, '24*t']}]\n"
    first = flexarm.parse_arm(text)
    assert numbers(first) == [12]
    (taken,) = numbers(segments_in_motion(first).arm)
    assert taken in (6, 7)  # 24/20 rad in segments of 0.2, and a vibration


def test_numbers_without_memory_leave_the_first_ones(arm, monkeypatch, caplog):
    def short(*_):
        raise ModelError("needs 99 GB of memory")

    monkeypatch.setattr(choice, "check_derivation", short)
    with caplog.at_level(logging.INFO, "flexarm"):
        assert segments_in_motion(arm).arm is arm
    assert "segments: auto stays at 1" in caplog.text
    assert "needs 99 GB of memory" in caplog.text


def test_a_trial_is_bounded_and_counts_as_far_as_it_came(arm, monkeypatch, caplog):
    monkeypatch.setattr(trial_run, "OPERATIONS", 1e5)
    with caplog.at_level(logging.INFO, "flexarm"):
        segments_in_motion(arm)
    assert "up to t = " in caplog.text


THREE = """
name: soft-three-links
gravity: [0, -9.81, 0]
links:
- {length: 0.6657673546172698, mu: 0.6210100757665143, segments: auto, EI: 13.315377001014367, modes: 3}
- {length: 1.0608921256444779, mu: 1.3554919557360567, segments: auto, EI: 24.621230281485797, modes: 3}
- {length: 0.9075134252450574, mu: 1.5066809682293258, segments: auto, EI: 4.167034231480135, modes: 3}
initial:
  joints: [0.5575364396262605, -0.32255804317299896, -0.2976223967450612]
  joint_rates: [0.7834221408903144, 0.17032587978181613, -0.057380669636337256]
drive: [{torque: 4.5122143500412184*sin(5.1004410957281818*t+1.2918840612425333)}, null, null]
run: {duration: 1.0, sample: 0.05, rtol: 1.0e-7, atol: 1.0e-9}
"""
RODS = {5: (2.35275, 0.8343), 10: (1.99955, 0.46129), 20: (-0.31043, -2.28812)}
"""Tip [m] at samples, by fine chains of rods, to 3e-4 m."""


@pytest.mark.slow
def test_three_soft_links_that_a_torque_shakes_follow_fine_chains_of_rods():
    arm = flexarm.parse_arm(THREE)
    assert numbers(arm) == [3, 1, 1]
    result = flexarm.simulate(arm)
    assert flexarm.run_warnings(result) == []
    for sample, tip in RODS.items():
        error = np.linalg.norm(result.point_position[sample, -1, :2] - tip)
        print(f"t = {result.time[sample]:g} s: {error:.1e} m")
        assert error < 3e-4


@pytest.mark.parametrize(
    "obstacle",
    thinned(
        [
            "contact: {walls: [{point: [0, 0.5], normal: [0, -1]}], points: O2}",
            "contact: {friction: 0.3, walls: [{point: [0, 0.5], normal: [0, -1]}], points: O2}",
            "contact: {stiffness: 1.0e+5, damping: 0.5, walls: [{point: [0, 0.5], normal: [0, -1]}], points: O2}",
        ]
    ),
)
def test_trials_of_motions_with_walls(obstacle):
    """Beside the states of such a run stand the forces of its contacts, which are no coordinates."""
    arm = flexarm.parse_arm(f"{SWUNG}{obstacle}\n")
    (taken,) = numbers(segments_in_motion(arm).arm)
    assert taken > 1
