"""`segments: auto`: how far a link is expected to bend, by closed forms, and the number that follows."""

from __future__ import annotations

import numpy as np
import pytest

import flexarm
from flexarm.description.arm.expected_bending import OVERSHOOT, expected_turns
from flexarm.description.reading.segment_choice import suitable_segments

MU, EI, L, G = 2.0, 300.0, 1.5, 9.81
LINK = f"{{length: {L}, mu: {MU}, EI: {EI}, segments: auto, modes: 3}}"


def described(rest: str = "", links: str = LINK, head: str = ""):
    return flexarm.parse_arm(f"name: probe\n{head}links: [{links}]\n{rest}")


def largest_moment(rest: str = "", **options) -> float:
    """Largest static bending moment of the first link [N m], from the turn that is expected of it."""
    return expected_turns(described(rest, **options))[0] * EI / L / OVERSHOOT


HELD, DRIVEN = "joints: [{type: fixed}]\n", "gravity: [0, 0, 0]\n"


@pytest.mark.parametrize(
    ("rest", "moment"),
    [
        (HELD, MU * G * L**2 / 2),
        ("drive: [{motion: hold}]\n", MU * G * L**2 / 2),
        ("drive: [{pd: {kp: 1, kd: 1, reference: 0}}]\n", MU * G * L**2 / 2),
        (HELD + "payload: {mass: 3.0}\n", MU * G * L**2 / 2 + 3.0 * G * L),
        (HELD + "loads: [{at: {link: 1, at: 0.5}, force: [0, 4, 3]}]\n" + DRIVEN, 4.0 * L / 2),
        (HELD + "loads: [{at: tip, moment: [0, 0, '2*sin(pi*t)']}]\n" + DRIVEN, 2.0),
        ("", MU * G * L**2 / 27),  # a rod that falls from a pin
        ("drive: [{torque: '5*sin(2*pi*t)'}]\n" + DRIVEN, 5.0),
        ("drive: [{torque: {times: [0, 1], values: [-3, 2]}}]\n" + DRIVEN, 3.0),
        (HELD + "gravity: [0, 0, -9.81]\n", 0.0),  # across the plane in which the link bends
    ],
)
def test_moment_of_one_link(rest, moment):
    assert largest_moment(rest) == pytest.approx(moment, rel=2e-3, abs=1e-9)


TWO = f"{LINK}, {{length: 0.8, mu: 1.0}}"


@pytest.mark.parametrize(
    ("rest", "moment"),
    [
        ("joints: [{type: fixed}, {type: fixed}]\n", MU * G * L**2 / 2 + 0.8 * G * (L + 0.4)),
        ("joints: [{type: fixed}, {mass: 2.0}]\n", MU * G * L**2 / 2 + 2.8 * G * L),  # hangs on its end
        ("joints: [{type: fixed}, {twist: 90 deg}]\n", MU * G * L**2 / 2 + 0.8 * G * (L + 0.4)),
    ],
)
def test_moment_with_a_further_link(rest, moment):
    assert largest_moment(rest, links=TWO) == pytest.approx(moment, rel=2e-3)


def test_a_very_soft_link_gives_way_to_a_force_and_not_to_a_moment():
    force = HELD + "loads: [{at: tip, force: [0, 5000, 0]}]\n" + DRIVEN
    ratio = 5000 * L**2 / EI
    assert expected_turns(described(force))[0] == pytest.approx(OVERSHOOT * np.sqrt(2 * ratio))
    moment = HELD + "loads: [{at: tip, moment: [0, 0, 800]}]\n" + DRIVEN
    assert expected_turns(described(moment))[0] == pytest.approx(OVERSHOOT * 800 * L / EI)


def test_number_is_chosen_said_and_written_into_the_text():
    arm = described(HELD)
    turn = OVERSHOOT * MU * G * L**3 / 2 / EI
    n = int(np.ceil(turn / 0.2))
    (choice,) = arm.segment_choices
    assert (choice.link, choice.segments) == (0, n)
    assert choice.turn == pytest.approx(turn)
    assert f"link 1: segments: auto takes {n}" in str(choice)
    assert arm.links[0].segments == n
    assert f"segments: {n}, modes" in arm.text
    again = flexarm.parse_arm(arm.text)
    assert again == arm
    assert again.segment_choices == ()


def test_a_stiff_link_stays_whole():
    assert described(links=LINK.replace("EI: 300.0", "EI: 3.0e4")).links[0].segments == 1


def test_tables_and_auto_go_together(tmp_path):
    (tmp_path / "mu.csv").write_text("0, 2.0\n1.5, 2.0\n")
    text = f"name: probe\nlinks: [{LINK.replace('mu: 2.0', 'mu: {table: mu.csv}')}]\n{HELD}"
    (tmp_path / "arm.yaml").write_text(text)
    arm = flexarm.load_arm(tmp_path / "arm.yaml")
    assert arm.links[0].segments == described(HELD).links[0].segments
    assert flexarm.parse_arm(arm.text) == arm


@pytest.mark.parametrize("name", ["modes", "mode_rates"])
def test_amplitudes_need_a_number(name):
    with pytest.raises(flexarm.SpecError, match=rf"3: initial\.{name}: .*segments: auto leaves open"):
        described(f"initial: {{{name}: [0, 0, 0]}}\n")


def test_other_faults_are_reported_as_ever():
    with pytest.raises(flexarm.SpecError, match=r"2: links\[0\]\.mu: got -2"):
        described(links=LINK.replace("mu: 2.0", "mu: -2.0"))


PENDULUM = """
name: soft-pendulum
geometric_stiffening: true
links: [{{length: 1.0, mu: 10.0, EI: {EI}, segments: auto, modes: 3}}]
{rest}
run: {{duration: 1.5, sample: 0.375, rtol: 1e-8, atol: 1e-10}}
"""
EXACT = {
    20: [(0.55466, -0.83108), (-0.94737, -0.31385), (-0.98478, -0.17137), (0.26112, -0.9653)],
    10: [None, (-0.94508, -0.32465), None, (0.2866, -0.95548)],
}
"""Tip [m] after 0.375, 0.75, 1.125, 1.5 s by geometrically exact beams, 24 ANCF elements of Exudyn."""


@pytest.mark.parametrize(("stiffness", "segments"), [(20, 2), pytest.param(10, 4, marks=pytest.mark.slow)])
def test_soft_pendulums_come_out_within_a_thousandth(stiffness, segments):
    arm = flexarm.parse_arm(PENDULUM.format(EI=stiffness, rest=""))
    assert arm.links[0].segments == segments
    result = flexarm.simulate(arm)
    assert flexarm.run_warnings(result) == []
    for found, tip in zip(result.point_position[1:, -1, :2], EXACT[stiffness], strict=True):
        assert tip is None or np.linalg.norm(found - tip) < 1e-3


@pytest.mark.parametrize(
    "rest",
    [
        pytest.param(HELD + "loads: [{at: tip, force: [0, -5, 0]}]", marks=pytest.mark.slow),
        "drive: [{torque: '8*sin(9*t)'}]",
    ],
)
def test_no_warning_remains(rest):
    """A cantilever let go under weight and a load, and a motor that shakes: sampled closely."""
    text = PENDULUM.format(EI=60, rest=rest).replace(
        "1.5, sample: 0.375, rtol: 1e-8", "0.5, sample: 0.005, rtol: 1e-6"
    )
    arm = flexarm.parse_arm(text)
    print(arm.segment_choices)
    assert flexarm.run_warnings(flexarm.simulate(arm)) == []


def test_a_link_that_is_too_soft_for_any_number_of_segments_is_said_to_be():
    (choice,) = suitable_segments(
        flexarm.parse_arm("name: a\nlinks: [{length: 1.0, mu: 10.0, EI: 0.001, segments: 2, modes: 2}]\n"),
        [0],
    )
    assert choice.segments == 64
    assert "beyond the 0.2 rad that the model is meant for" in str(choice)
