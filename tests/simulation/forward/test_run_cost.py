"""Runs that take long say so: how long, which motion of the arm is the fastest, and what would help."""

from __future__ import annotations

import logging

import numpy as np
import pytest
from paths import ROBOTS

import flexarm
from flexarm.simulation.forward.cost import cost_watcher
from flexarm.simulation.forward.cost.cost_note import cost_note, fastest_of
from flexarm.simulation.forward.cost.run_cost import RunCost, run_cost
from flexarm.simulation.forward.prepare import prepare_run

LINK = "length: 1, mu: 2, EI: 500, modes: 2"


def arm_of(links, joints, run=""):
    """Arm of these links and joints that hangs out horizontally, and is let go for a second."""
    links = "".join(f"  - {{{link}}}\n" for link in links)
    return flexarm.parse_arm(
        f"name: arm\nlinks:\n{links}joints: [{joints}]\nrun: {{duration: 1, sample: 0.01{run}}}\n"
    )


TORSION = (
    "length: 1, mu: 2, EI: {y: 500, z: 500}, GJ: 4000, rotary_inertia: [1e-3, 0, 0], "
    "modes: [{family: clamped-free, count: 1, direction: z}, {family: fixed-free, count: 1, direction: torsion}]"
)
STIFF_LINK = "length: 0.4, mu: 2, EI: 500, modes: 2"
RIGID = "length: 1, mu: 2"
MOTOR = "{stiffness: 4e6, motor: {inertia: 1e-4, gear: 10}}"
BRAKED = "{friction: {viscous: 1e5}}"
PARTS = {
    "y bending of link 2": ([LINK, STIFF_LINK], "{}, {}"),
    "torsion deformation of link 1": ([TORSION, LINK], "{}, {}"),
    "the motor of joint 2": ([RIGID, RIGID], "{}, " + MOTOR),
    "joint 1": ([RIGID, RIGID], BRAKED + ", {}"),
}


@pytest.mark.parametrize("part", PARTS)
def test_the_fastest_motion_has_the_highest_frequency_and_is_that_of_its_part(part):
    """The frequency is that of check, from stiffness and mass matrix; a brake settles within inertia / friction."""
    arm = arm_of(*PARTS[part])
    fastest = fastest_of(prepare_run(arm))
    assert fastest is not None
    assert str(fastest.part) == part
    if part == "joint 1":
        assert not fastest.vibrates
        assert fastest.is_stiff
    else:
        highest = 2 * np.pi * flexarm.check_arm(arm).arm_frequencies[-1]
        assert abs(fastest.pole) == pytest.approx(highest, rel=1e-5)
        assert fastest.vibrates
        assert not fastest.is_stiff


REMEDIES = {
    # arm, its method and rtol, angle of its fastest motion in a step -> what the sentence offers
    "accuracy": (PARTS["y bending of link 2"], "", 0.4, "rtol: 1e-06 or fewer modes of link 2"),
    "stability": (PARTS["y bending of link 2"], "", 5.0, "fewer modes of link 2"),
    "torsion": (PARTS["torsion deformation of link 1"], ", rtol: 1e-6", 5.0,
                "no torsion modes of link 1 or fewer modes of link 1"),
    "spring": (PARTS["the motor of joint 2"], ", rtol: 1e-6", 5.0, "less stiffness, gain or friction at joint 2"),
    "stiff": (PARTS["joint 1"], ", rtol: 1e-6", 5.0, "method: radau or less stiffness, gain or friction at joint 1"),
    "implicit": (PARTS["y bending of link 2"], ", method: radau, rtol: 1e-6", 1.0,
                 "method: dop853 or fewer modes of link 2"),
    "fixed": (PARTS["y bending of link 2"], ", method: rk4, step: 1e-5", 0.1, "run.step up to "),
}  # fmt: skip


@pytest.mark.parametrize("why", REMEDIES)
def test_the_sentence_says_what_would_help(why):
    (links, joints), run, angle, remedy = REMEDIES[why]
    prepared = prepare_run(arm_of(links, joints, run))
    steps = abs(fastest_of(prepared).pole) * 1.0 / angle
    note = cost_note(prepared, RunCost(seconds=200.0, steps=steps))
    assert note.startswith("this run takes about 3 min: ")
    assert f"whose fastest part is {fastest_of(prepared)}" in note
    assert note.partition("; what would help: ")[2].startswith(remedy)


def test_many_samples_are_a_reason_of_their_own():
    run = prepare_run(arm_of([LINK], "{}"))
    note = cost_note(run, RunCost(7200.0, 1e4, recording=0.8))
    assert (
        note == "this run takes about 2 h, mostly to record 101 samples; what would help: a larger run.sample"
    )


@pytest.mark.slow
def test_only_a_long_run_is_announced_and_once(monkeypatch, caplog):
    caplog.set_level(logging.INFO, "flexarm")
    arm = flexarm.load_arm(ROBOTS / "soft_pendulum.yaml")
    flexarm.simulate(arm)
    assert "this run takes" not in caplog.text
    monkeypatch.setattr(cost_watcher, "NOTEWORTHY", 0.0)
    monkeypatch.setattr(cost_watcher, "TRIAL", 0.0)
    seen = []
    flexarm.simulate(arm, progress=lambda fraction, t: seen.append(fraction))
    assert caplog.text.count("this run takes") == 1
    assert "y bending of link 1, a vibration of" in caplog.text
    assert seen[-1] == 1.0


TRIAL = 0.05  # s
SOFT = (
    "length: 1, mu: 2, EI: {y: 20, z: 30}, GJ: 15, rotary_inertia: [1e-3, 0, 0], segments: 8, "
    "modes: [{family: craig-bampton, count: 2, direction: y}, {family: craig-bampton, count: 2, direction: z}]"
)
LONG = {
    "planar": lambda: arm_of([LINK, LINK], "{}, {}", ", rtol: 1e-6"),
    "spatial, 8 segments": lambda: arm_of([SOFT], "{}", ", rtol: 1e-6"),
    "elastic joints": lambda: arm_of(*PARTS["the motor of joint 2"]),
    "stops": lambda: flexarm.load_arm(ROBOTS / "limited_two_link.yaml"),
    "driven": lambda: flexarm.load_arm(ROBOTS / "space_arm.yaml"),
    "implicit": lambda: arm_of([LINK], "{}", ", method: radau, rtol: 1e-6"),
    "damped": lambda: arm_of([f"{LINK}, damping: 0.3"], "{}", ", method: radau"),
}


@pytest.mark.slow
@pytest.mark.parametrize("which", LONG)
def test_the_cost_is_right_within_a_factor_of_three(which):
    """Steps, which do not depend on what else the machine does, from a part of the run."""
    run = prepare_run(LONG[which]())
    expected = run_cost(run, TRIAL)
    whole = prepare_run(LONG[which]())
    for _ in whole.blocks():
        pass
    taken = whole.integration.steps + whole.integration.rejected
    assert taken / 3 < expected.steps < 3 * taken, (expected, taken)


FEWER = "length: 0.4, mu: 2, EI: 500, modes: 1"
CURES = {
    # what the sentence offers, for which arm -> the arm that takes the advice
    "rtol: 1e-06": (lambda: arm_of([LINK, STIFF_LINK], "{}, {}"),
                    lambda: arm_of([LINK, STIFF_LINK], "{}, {}", ", rtol: 1e-6")),
    "fewer modes of link 2": (lambda: arm_of([LINK, STIFF_LINK], "{}, {}"), lambda: arm_of([LINK, FEWER], "{}, {}")),
    "method: radau": (lambda: arm_of(*PARTS["joint 1"], ", rtol: 1e-6"),
                      lambda: arm_of(*PARTS["joint 1"], ", rtol: 1e-6, method: radau")),
    "method: dop853": (lambda: arm_of([LINK], "{}", ", rtol: 1e-6, method: radau"),
                       lambda: arm_of([LINK], "{}", ", rtol: 1e-6")),
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("remedy", CURES)
def test_what_the_sentence_offers_helps(remedy):
    """A third fewer evaluations at least."""
    before, after = (make() for make in CURES[remedy])
    run = prepare_run(before)
    assert remedy in cost_note(run, run_cost(run, TRIAL))
    slow, quick = (flexarm.simulate(arm).attributes["evaluations"] for arm in (before, after))
    assert quick < 2 / 3 * slow


def test_a_run_that_ends_within_the_trial_costs_what_it_took():
    arm = arm_of([LINK], "{}", ", rtol: 1e-4")
    whole = prepare_run(arm)
    for _ in whole.blocks():
        pass
    assert (
        run_cost(prepare_run(arm), trial=60.0).steps == whole.integration.steps + whole.integration.rejected
    )
