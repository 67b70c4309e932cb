"""Postures between samples: exact where the motion is simple, never across an impact, within what was recorded."""

import numpy as np
import pytest
from paths import ROBOTS

from flexarm import Result, load_arm
from flexarm.plots.animation.interpolation import frame_times, postures
from flexarm.results.schema import DATASETS

ROUND_OFF = 1e-12


def moving(name, times, **arrays):
    """A result of one of the shipped arms in which nothing moves but what is given."""
    arm = load_arm(ROBOTS / f"{name}.yaml")
    n, modes = len(arm.links), sum(link.n_modes for link in arm.links)
    sizes = {"joint": n, "mode": modes, "axis": 3, "quaternion": 4}
    names = [f"{kind}_{what}" for kind in ("joint", "mode") for what in ("angle", "amplitude", "velocity")]
    names += [name for name in DATASETS if name.startswith("base_")]
    shapes = {name: [sizes[dim] for dim in DATASETS[name].dims[1:]] for name in names if name in DATASETS}
    still = {name: np.zeros((len(times), *shape)) for name, shape in shapes.items()}
    return Result({**still, "time": times, **arrays}, {"robot": arm.text, "kind": "flight"})


def pendulum(times, angle, rate):
    """A rigid arm whose first joint moves as told."""
    zeros = np.zeros(len(times))
    angles, rates = np.stack([angle, zeros], axis=1), np.stack([rate, zeros], axis=1)
    return moving("rigid_two_link", times, joint_angle=angles, joint_velocity=rates)


def falling(times, height, rate, impacts):
    """A link that keeps its attitude, with its base at a height that changes as told."""
    zeros = np.zeros(len(times))
    return moving(
        "shafei_falling_link",
        times,
        base_position=np.stack([zeros, height, zeros], axis=1),
        base_velocity=np.stack([zeros, rate, zeros], axis=1),
        impact_time=np.array(impacts),
    )


def test_samples_are_met():
    rng, t = np.random.default_rng(5), np.linspace(0, 1, 40)
    modes = {name: rng.normal(size=(40, 10)) for name in ("mode_amplitude", "mode_velocity")}
    result = moving("spatial_three_link", t, joint_angle=rng.normal(size=(40, 3)), **modes)
    np.testing.assert_allclose(postures(result, t), result.theta(), atol=ROUND_OFF)


def test_a_swing_between_samples_is_accurate_to_fourth_order():
    omega, h = 3.0, 0.05
    t = h * np.arange(21)
    found = postures(pendulum(t, np.sin(omega * t), omega * np.cos(omega * t)), np.linspace(0, 1, 173))
    error = np.abs(found[:, 0] - np.sin(omega * np.linspace(0, 1, 173))).max()
    assert error < 1.01 * (omega * h) ** 4 / 384  # Hermite's remainder


def test_a_vibration_between_samples_stays_within_its_amplitude():
    omega = 1e4
    t = 0.01 * np.arange(28)
    result = pendulum(t, np.sin(omega * t), omega * np.cos(omega * t))
    assert np.abs(postures(result, np.linspace(0, 0.27, 500))[:, 0]).max() <= 1.0


@pytest.mark.parametrize("impact", [0.123, 0.1499, 0.2, 0.2000001])
def test_a_bounce_between_samples_has_its_corner(impact):
    """Speed 2 m/s downward and 1 m/s upward; a sample at the instant of the impact may hold either of them."""
    t = 0.05 * np.arange(9)
    height = lambda t: np.where(t < impact, 2 * (impact - t), t - impact)  # noqa: E731
    for side in (np.less, np.less_equal):
        result = falling(t, height(t), np.where(side(t, impact), -2.0, 1.0), [impact])
        times = np.sort(np.append(np.linspace(0, 0.4, 333), impact))
        np.testing.assert_allclose(postures(result, times)[:, -1], height(times), atol=ROUND_OFF)


def test_several_impacts_between_two_samples():
    t = np.array([0.0, 0.1, 0.2, 0.3])
    result = falling(
        t, np.array([0.13, 0.03, 0.02, 0.12]), np.array([-1.0, -1.0, 1.0, 1.0]), [0.13, 0.15, 0.18]
    )
    found = postures(result, np.array([0.12, 0.13, 0.155, 0.18, 0.19]))[:, -1]
    np.testing.assert_allclose(found, [0.01, 0.0, 0.0, 0.0, 0.01], atol=ROUND_OFF)


def test_a_free_base_turns_evenly_and_stays_a_rotation():
    t, rate = 0.1 * np.arange(4), 2.0
    turn = lambda t: np.stack([np.cos(rate * t / 2), 0 * t, 0 * t, np.sin(rate * t / 2)], axis=1)  # noqa: E731
    times = np.linspace(0, 0.3, 41)
    found = postures(moving("space_arm", t, base_orientation=turn(t)), times)[:, -4:]
    np.testing.assert_allclose(np.linalg.norm(found, axis=1), 1.0, atol=ROUND_OFF)
    # evenly along the chord of an arc a = 0.1, and not along the arc: at most a^3 / (36 sqrt 3) away
    np.testing.assert_allclose(found, turn(times), atol=1.01e-3 / (36 * np.sqrt(3)))


def test_frames_are_even_and_end_with_the_run():
    result = moving("rigid_two_link", 0.005 * np.arange(15))
    np.testing.assert_allclose(frame_times(result, 0.5, 25), [0, 0.02, 0.04, 0.06, 0.07])
    np.testing.assert_allclose(frame_times(result, 0.25, 25), 0.01 * np.arange(8))


def test_a_single_sample():
    result = moving("usoro_two_link", np.array([0.5]))
    times = frame_times(result, 1.0, 25)
    np.testing.assert_array_equal(times, [0.5])
    np.testing.assert_array_equal(postures(result, times), result.theta())
