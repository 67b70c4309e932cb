"""Input shapers whose modes the arm gives, and the vibration that they leave in motion."""

import json
import logging

import numpy as np
import pytest

import flexarm
from flexarm.errors import ModelError
from flexarm.simulation.state.tuned_shapers import modes_at_end, tuned_shapers

SLEW = """\
name: slew
gravity: [0, 0, 0]
links: [{length: 0.45, mu: 0.13333333333333333, EI: 0.2494, modes: {family: clamped-free, count: MODES}}]
payload: {mass: 0.05}
drive:
  - DRIVE
run: {duration: 3, sample: 0.005, rtol: 1.0e-9, atol: 1.0e-12}
"""
MOVE = "move: {to: 0.1, duration: 0.25}"


def slew(drive, modes=3):
    return flexarm.parse_arm(SLEW.replace("DRIVE", drive).replace("MODES", f"{modes}"))


def residual(arm):
    """Amplitude [m] of the tip's motion across the link after it has arrived."""
    result = flexarm.simulate(arm)
    across = np.array([-np.sin(0.1), np.cos(0.1), 0.0])
    return np.ptp(result.tip[result.time > 1.5] @ across) / 2


def cantilever_frequency(modes):
    """Lowest frequency [Hz] by Rayleigh and Ritz with polynomials, independent of the package."""
    length, mu, EI, mass = 0.45, 0.13333333333333333, 0.2494, 0.05
    powers = np.arange(2, modes + 2)
    total = powers[:, None] + powers
    K = EI / length**3 * np.outer(powers * (powers - 1), powers * (powers - 1)) / (total - 3)
    M = mu * length / (total + 1) + mass
    return np.sqrt(np.linalg.eigvals(np.linalg.solve(M, K)).real.min()) / (2 * np.pi)


# Percentages of the vibration without a shaper: published curves of each shaper at its frequency and 10 % beside it.
PUBLISHED = {
    "zv": (0.06, 14.3, 17.3),
    "zvd": (0.03, 2.0, 3.0),
    "ei": (5.0, 2.9, 1.9),
    "2hump-ei": (0.03, 3.6, 4.2),
}


@pytest.mark.slow
def test_shapers_leave_what_their_curves_say():
    unshaped = residual(slew(f"{{{MOVE}}}"))
    assert unshaped == pytest.approx(0.0403, abs=5e-5)
    auto = tuned_shapers(slew(f"{{{MOVE}, shaper: {{type: zv, frequency: auto}}}}"))
    frequency = auto.drive[0].shaper.frequency[0]
    for kind, expected in PUBLISHED.items():
        for off, percent in zip((1.0, 1.1, 0.9), expected, strict=True):
            arm = slew(f"{{{MOVE}, shaper: {{type: {kind}, frequency: {off * frequency!r}}}}}")
            assert 100 * residual(arm) / unshaped == pytest.approx(percent, abs=0.1), (kind, off)


def test_the_mode_is_that_of_the_arm_as_it_is_driven():
    held = modes_at_end(slew(f"{{{MOVE}}}", 6))
    assert held[0].frequency == pytest.approx(cantilever_frequency(8), rel=1e-4)  # 6 clamped-free modes
    assert held[0].damping == 0
    driven = modes_at_end(slew("pd: {kp: 2, kd: 0.25, move: {to: 0.1, duration: 0.25}}"))
    assert driven[0].frequency < 0.9 * held[0].frequency  # its joint yields
    natural = flexarm.natural_modes(slew("pd: {kp: 2, kd: 0.25, reference: 0.1}"), joints="pd")
    lightly = natural.modes.damping_ratio <= 0.5
    assert driven[0].frequency == pytest.approx(natural.modes.natural_frequency[lightly][0], rel=1e-9)
    assert driven[0].damping == pytest.approx(natural.modes.damping_ratio[lightly][0], rel=1e-7)


def test_springs_of_elastic_joints_take_part():
    text = SLEW.replace("MODES", "2") + "joints: [{stiffness: 5, motor: {inertia: 1.0e-3}}]\n"
    pd = "{pd: {kp: 2, kd: 0.05, WHERE}}"
    found = modes_at_end(flexarm.parse_arm(text.replace("DRIVE", pd.replace("WHERE", MOVE))))
    still = text.replace("DRIVE", pd.replace("WHERE", "reference: 0.1"))
    natural = flexarm.natural_modes(flexarm.parse_arm(still), joints="pd").modes
    lightly = natural.damping_ratio <= 0.5
    assert [mode.frequency for mode in found] == pytest.approx(natural.natural_frequency[lightly], rel=1e-9)


def test_gravity_counts_where_the_motion_ends():
    text = SLEW.replace("gravity: [0, 0, 0]\n", "").replace("MODES", "2")
    drive = "{move: {to: 90 deg, duration: 0.25, from: -90 deg}}"
    up = modes_at_end(flexarm.parse_arm(text.replace("DRIVE", drive)))[0].frequency
    down = modes_at_end(
        flexarm.parse_arm(text.replace("DRIVE", drive.replace("90", "-90").replace("--", "")))
    )
    assert up < 0.99 * down[0].frequency  # weight softens a mast and stiffens what hangs


def test_a_run_says_what_it_took_and_its_result_knows(tmp_path, caplog):
    arm = slew(f"{{{MOVE}, shaper: {{type: zvd, frequency: auto}}}}", 2)
    with caplog.at_level(logging.INFO):
        result = flexarm.simulate(arm, output=tmp_path / "slew.h5")
    assert "joint 1: zvd shaper at 1.8" in caplog.text
    assert "ends 0.555 s later" in caplog.text
    ((mode,),) = json.loads(result.attributes["shaped_modes"])
    read = flexarm.open_result(tmp_path / "slew.h5").arm
    assert read.drive[0].shaper.frequency == (mode[0],)
    np.testing.assert_allclose(read.drive[0].motion.at(result.time), result.joint_angle[:, 0], atol=1e-14)


@pytest.mark.slow
def test_runs_of_a_sweep_take_the_modes_of_their_own_arms():
    arm = slew(f"{{{MOVE}, shaper: {{type: zv, frequency: auto}}}}", 2)
    swept = flexarm.sweep(arm, vary={"payload.mass": [0.02, 0.1]}, record=["final_tip_y"], workers=1)
    for mass, found in zip((0.02, 0.1), swept["final_tip_y"], strict=True):
        alone = flexarm.simulate(arm.replace("payload.mass", mass))
        assert found == pytest.approx(alone.tip[-1, 1], rel=1e-9)


@pytest.mark.slow
def test_an_inverse_run_shapes_prescribed_motions_too():
    text = """\
name: shoulder
gravity: [0, 0, 0]
links: [{length: 0.5, mu: 0.2, EI: 2, modes: 1}, {length: 0.4, mu: 0.2}]
drive: [{move: {to: 0.3, duration: 0.5}, shaper: {type: zv, frequency: auto}}, null]
"""
    arm = flexarm.parse_arm(text)
    trajectory = flexarm.parse_trajectory("{space: joint, duration: 1.0, path: {q2: 0.2*t**3}}")
    result = flexarm.inverse(arm, trajectory)
    motion = tuned_shapers(arm).drive[0].motion
    inside = (result.time >= 0) & (result.time <= 1)
    np.testing.assert_allclose(result.joint_angle[inside, 0], motion.at(result.time[inside]), atol=1e-9)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            SLEW.replace("EI: 0.2494, modes: {family: clamped-free, count: MODES}", "rigid: true"),
            "nothing vibrates",
        ),
        (SLEW.replace("gravity: [0, 0, 0]\n", "").replace("MODES", "1"), "no modes"),
    ],
)
def test_an_arm_without_a_mode_to_find_is_told_so(text, said):
    drive = f"{{{MOVE}, shaper: {{type: zv, frequency: auto}}}}"
    if said == "no modes":  # a pole that falls over where it ends
        drive = (
            "{pd: {kp: 0.001, kd: 0.1, move: {to: 90 deg, duration: 1}, shaper: {type: zv, frequency: auto}}}"
        )
    arm = flexarm.parse_arm(text.replace(", rigid: true", "").replace("DRIVE", drive))
    with pytest.raises(ModelError, match=said):
        flexarm.simulate(arm)
