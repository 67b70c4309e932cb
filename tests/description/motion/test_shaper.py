"""Input shapers: their impulses against the residual vibration that defines them, and what is refused."""

import itertools
from fractions import Fraction

import casadi as ca
import numpy as np
import pytest

import flexarm
from flexarm.analysis.checks.drive_warnings import drive_warnings
from flexarm.description.motion.move import Move, angle_over_time, timed
from flexarm.description.motion.shaper import SHAPERS, Shaper
from flexarm.description.values.break_points import break_points, first_jump
from flexarm.description.values.expression import Expression
from flexarm.errors import SpecError
from flexarm.simulation.forces.time_functions import Signals

TEXT = """\
name: shaped
links: [{length: 1.0, mu: 1.0, EI: 50.0, modes: 1}]
drive:
  - {move: {to: 0.5, duration: 0.4, start: 0.1}, shaper: {type: zv, frequency: 2 Hz}}
run: {duration: 2.0, sample: 0.02}
"""


def residual(impulses, frequency, damping):
    """Vibration after the last impulse over that of one impulse, by the formula of theory."""
    amplitudes, times = np.array(impulses).T
    w, damped = 2 * np.pi * frequency, np.sqrt(1 - damping**2)
    phasors = amplitudes * np.exp((damping + 1j * damped) * w * times)
    return np.exp(-damping * w * times[-1]) * abs(phasors.sum())


@pytest.mark.parametrize(("kind", "damping"), [*itertools.product(SHAPERS, (0.0, 0.1))])
def test_the_shaped_mode_keeps_no_more_than_the_tolerance(kind, damping):
    shaper = Shaper(type=kind, frequency=[1.8], damping=[damping])
    amplitudes = [amplitude for amplitude, _ in shaper.impulses]
    assert sum(amplitudes) == pytest.approx(1, abs=1e-15)
    assert min(amplitudes) > 0
    left = residual(shaper.impulses, 1.8, damping)
    if kind in ("ei", "3hump-ei"):  # the middle of their bands is where they leave most
        assert left == pytest.approx(0.05, abs=1e-14) if not damping else 0.02 < left < 0.05
    else:
        assert left < 1e-15


@pytest.mark.parametrize(
    ("kind", "tolerance"), [*itertools.product(("ei", "2hump-ei", "3hump-ei"), (0.02, 0.1))]
)
def test_humps_reach_the_tolerance_and_not_more(kind, tolerance):
    shaper = Shaper(type=kind, frequency=[1.0], tolerance=tolerance)
    band = np.linspace(0.4, 1.6, 6001)
    left = np.array([residual(shaper.impulses, f, 0.0) for f in band])
    humps = left[1:-1][(left[1:-1] > left[:-2]) & (left[1:-1] > left[2:])]
    assert humps.size == {"ei": 1, "2hump-ei": 2, "3hump-ei": 3}[kind]
    assert humps == pytest.approx(tolerance, rel=1e-4)  # the grid's: half a step beside a maximum


def test_insensitivity_to_the_frequency_grows_with_the_order():
    for kind, order in (("zv", 1), ("zvd", 2), ("zvdd", 3)):
        impulses = Shaper(type=kind, frequency=[1.0]).impulses
        near, far = (residual(impulses, 1 + step, 0.0) for step in (1e-3, 2e-3))
        assert np.log2(far / near) == pytest.approx(order, abs=1e-2)


def test_two_modes_are_shaped_at_once():
    impulses = Shaper(type="zv", frequency=[1.0, "3.3 Hz"], damping=[0.01, 0.02]).impulses
    assert len(impulses) == 4
    assert residual(impulses, 1.0, 0.01) < 1e-15
    assert residual(impulses, 3.3, 0.02) < 1e-15


def test_the_motion_is_a_sum_of_delayed_copies_with_their_break_points():
    arm = flexarm.parse_arm(TEXT)
    motion, plain = arm.drive[0].motion, angle_over_time(arm.drive[0].move, 0.0)
    times = np.linspace(0, 2, 101)
    expected = (plain.at(times) + plain.at(np.maximum(times - 0.25, 0))) / 2
    np.testing.assert_allclose(motion.at(times), expected, rtol=0, atol=1e-15)
    assert {0.1, 0.35, 0.5, 0.75} <= set(break_points(motion, 2.0).times.round(12))
    result = flexarm.simulate(arm)
    np.testing.assert_allclose(result.joint_angle[:, 0], motion.at(result.time), rtol=0, atol=1e-14)


def test_a_reference_begins_its_copies_at_its_first_value():
    reference = Shaper(type="zv", frequency=[1.0]).shaped(Expression("2 + sin(t)"))
    assert reference.at([0.0, 0.4, 1.0]) == pytest.approx(
        [2, 2 + np.sin(0.4) / 2, 2 + (np.sin(1) + np.sin(0.5)) / 2], rel=1e-15
    )
    assert 0.5 in break_points(reference, 2.0).times
    assert first_jump(reference, 2.0) is None


@pytest.mark.parametrize(
    ("limits", "duration"),
    [
        ({"speed": 1.0, "acceleration": 4.0}, 0.8 / 1 + 1 / 4),
        ({"speed": 3.0, "acceleration": 4.0}, 2 * np.sqrt(0.8 / 4)),
        ({"speed": 1.0, "acceleration": 4.0, "jerk": 40.0}, 0.8 + 1 / 4 + 4 / 40),
        ({"speed": 9.0, "acceleration": 90.0, "jerk": 40.0}, 4 * (0.8 / 80) ** (1 / 3)),
    ],
)
def test_moves_keep_to_their_limits_and_use_them(limits, duration):
    (move,) = timed((Move(to=1.0, **limits),), 0.2)  # pyright: ignore[reportCallIssue]
    assert move.duration == pytest.approx(duration, rel=1e-14)
    t = ca.SX.sym("t")
    angle, *rates = Signals(t).with_rates(angle_over_time((move,), 0.2))
    motion = ca.Function("motion", [t], [ca.vertcat(angle, *rates, ca.jacobian(rates[-1], t))])
    q, *rates = motion.map(4001)(np.linspace(0.0, duration, 4001)).full()
    assert q[[0, -1]] == pytest.approx([0.2, 1.0], abs=1e-15)
    used = [np.abs(rate).max() / limits[name] for rate, name in zip(rates, limits, strict=False)]
    assert max(used) == pytest.approx(1, rel=1e-12)
    assert used[-1] == pytest.approx(1, rel=1e-12)  # the last one is used from the start


def s_curve(x, gain, build):
    """Fraction of the way of an s-curve in rational numbers, from which no digits are lost."""
    x, r, j = map(Fraction, (x, gain, build))

    def gained(y):
        cubes = [max(y - delay, Fraction(0)) ** 3 for delay in (Fraction(0), j, r - j, r)]
        return cubes[0] - cubes[1] - cubes[2] + cubes[3]

    first, second = (gained(min(y, Fraction(1, 2))) for y in (x, 1 - x))
    return float(Fraction(1, 2) + (first - second) / (6 * j * (r - j) * (1 - r)))


@pytest.mark.parametrize("jerk", [4e1, 4e4, 4e8])
def test_an_s_curve_keeps_its_digits_however_short_the_jerk_is(jerk):
    (move,) = timed((Move(to=1.0, speed=1.0, acceleration=4.0, jerk=jerk),), 0.0)  # pyright: ignore[reportCallIssue]
    angle = angle_over_time((move,), 0.0)
    values = dict(angle.parameters)
    t = np.linspace(0, move.duration, 201)
    exact = [s_curve(min(each / values["T1"], 1.0), values["r1"], values["j1"]) for each in t]
    np.testing.assert_allclose(angle.at(t), exact, atol=4e-16)


def test_a_shaped_motion_that_ends_after_the_run_is_said(caplog):
    text = TEXT.replace("frequency: 2 Hz", "frequency: 0.4")
    arm = flexarm.parse_arm(text.replace("duration: 2.0", "duration: 1.0"))
    said = "its shaped motion ends at 1.75 s, after the run: raise run.duration"
    assert any(said in each for each in drive_warnings(arm))
    flexarm.simulate(arm)
    assert said in caplog.text


def test_moves_with_limits_follow_one_another():
    sequence = "move: [{to: 1.0, speed: 2, acceleration: 10}, {to: 0.2, duration: 0.3}]"
    arm = flexarm.parse_arm(
        TEXT.replace(
            "move: {to: 0.5, duration: 0.4, start: 0.1}, shaper: {type: zv, frequency: 2 Hz}", sequence
        )
    )
    first, second = arm.drive[0].move
    assert (first.law, first.duration, second.start) == (
        "trapezoidal",
        pytest.approx(0.7),
        pytest.approx(0.7),
    )
    assert arm.drive[0].motion.at([0.35, 0.7, 1.0, 1.5]) == pytest.approx([0.5, 1.0, 0.2, 0.2], rel=1e-14)


MOVE = "{to: 0.5, duration: 0.4, start: 0.1}"
SHAPER = "{type: zv, frequency: 2 Hz}"
FAULTS = [
    (SHAPER, "{type: zw, frequency: 2}", "drive[0].shaper.type", "expected one of zv"),
    (SHAPER, "{type: zv, frequency: 0}", "drive[0].shaper.frequency", "> 0"),
    (SHAPER, "{type: zv, frequency: fast}", "drive[0].shaper.frequency", "expected auto"),
    (SHAPER, "{type: zv, frequency: [1, 2, 3, 4, 5]}", "drive[0].shaper.frequency", "at most 4"),
    (SHAPER, "{type: zv, frequency: 2, damping: 1}", "drive[0].shaper.damping", "< 1"),
    (SHAPER, "{type: zv, frequency: auto, damping: 0.1}", "drive[0].shaper", "no frequency"),
    (SHAPER, "{type: zv, frequency: [1, 2, 3], damping: [0.1, 0.1]}", "drive[0].shaper", "2 damping ratios for 3"),
    (SHAPER, "{type: zv, frequency: 2, tolerance: 0.1}", "drive[0].shaper", "type: ei"),
    (f"move: {MOVE}", "motion: hold", "drive[0].shaper", "stays"),
    (f"move: {MOVE}", "motion: 0.5", "drive[0].shaper", "stays"),
    (f"move: {MOVE}", "motion: {times: [0, 1, 2], values: [0, 1, 1]}", "drive[0].shaper", "table"),
    (f"move: {MOVE}", "torque: 1", "drive[0].shaper", "neither motion nor move"),
    (MOVE, "{to: 0.5, speed: 1}", "drive[0].move.acceleration", "beside speed"),
    (MOVE, "{to: 0.5, duration: 1, speed: 1, acceleration: 1}", "drive[0].move.duration", "remove one"),
    (MOVE, "{to: 0.5, law: quintic, speed: 1, acceleration: 1}", "drive[0].move.law", "trapezoidal or s-curve"),
    (MOVE, "{to: 0.5, law: s-curve, speed: 1, acceleration: 1}", "drive[0].move.jerk", "missing"),
    (MOVE, "{to: 0.5, law: trapezoidal, speed: 1, acceleration: 1, jerk: 1}", "drive[0].move.jerk", "s-curve"),
    (MOVE, "[{to: 0.5, speed: 1, acceleration: 1}, {to: 0, duration: 0.1, start: 0.5}]", "drive[0].move[1].start",
     "ends at 1.4"),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new", "key", "said"), FAULTS)
def test_what_is_refused(old, new, key, said):
    with pytest.raises(SpecError) as error:
        flexarm.parse_arm(TEXT.replace(old, new))
    assert any(problem.key == key and said in f"{problem}" for problem in error.value.problems), str(
        error.value
    )
