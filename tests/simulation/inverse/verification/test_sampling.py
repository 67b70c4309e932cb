"""Samples of inverse motions: they show the peaks of all torques, or a warning says which sampling does."""

import re
from functools import cache

import numpy as np
import pytest
from breadth import thinned
from cascade_of_links import cascade
from korayem_1994 import KORAYEM, korayem_arm

import flexarm
from flexarm.simulation.inverse.methods.inverse_method import make_inverse_method
from flexarm.simulation.inverse.problem import SAMPLES, inverse_problem
from flexarm.simulation.inverse.verification.sampling import LOST, lost_peak, lost_peak_warning, resampled

TWO = """\
name: two
gravity: [0, 0, 0]
links:
  - {length: 0.6, mu: 1.0, EI: 4000.0, modes: {family: clamped-free, count: 1}}
  - {length: 0.6, mu: 0.5, EI: 4000.0, modes: {family: clamped-free, count: 1}}
"""
HOP = """\
waypoints: {times: [0, 5, 5.01, 5.02, 12], x: [0.9, 0.9, 0.9002, 0.9, 0.7], y: [0.3, 0.3, 0.3001, 0.3, 0.6], ends: rest}
elbow: positive
"""
"""A hop of 20 ms in 12 s: half of an interval between 300 samples."""


def peaks(problem, solution):
    """Largest torques of the joints at 40 times between any two points of the mesh, (joints,)."""
    mesh = solution.mesh
    inside = (np.arange(40) + 0.5) / 40
    times = (mesh[:-1, None] + np.diff(mesh)[:, None] * inside).ravel()
    return np.abs(problem.recorder(times, solution.at(times))["torque"]).max(axis=0)


@cache
def hop(method, sample=None):
    text = HOP + (f"sample: {sample}\n" if sample else "")
    problem = inverse_problem(flexarm.parse_arm(TWO), flexarm.parse_trajectory(text))
    return problem, make_inverse_method(method).solve(problem)


@pytest.mark.parametrize("method", ["stable", pytest.param("rigid", marks=pytest.mark.slow)])
def test_samples_are_added_where_they_are_not_specified(method):
    problem, solution = hop(method)
    sampled = np.abs(solution.datasets()["torque"]).max(axis=0)
    assert np.any(sampled < (1 - 5 * LOST) * peaks(problem, solution))
    finer = resampled(solution)
    times = finer.times[(finer.times >= 0) & (finer.times <= 12)]
    assert times.size > SAMPLES + 1
    np.testing.assert_allclose(np.diff(times), 12 / (times.size - 1), rtol=1e-9)  # evenly spaced
    assert np.log2((times.size - 1) / SAMPLES) % 1 == pytest.approx(0, abs=1e-12)
    sampled = np.abs(finer.datasets()["torque"]).max(axis=0)
    assert np.all(sampled > (1 - LOST) * peaks(problem, solution))
    assert lost_peak_warning(finer) == ""


@pytest.mark.slow
def test_a_warning_names_the_peak_and_a_sampling_that_shows_it():
    problem, solution = hop("stable", sample=0.04)
    assert resampled(solution) is solution  # as specified
    found = flexarm.inverse(problem.arm, problem.trajectory)
    words = (
        r"joint (\d): the torque reaches (\S+) N m at t = (\S+) s, between the samples, which show (\S+) N m at most "
        r"\(sample: (\S+) in the trajectory shows it\)"
    )
    assert found.status == "complete"
    told = re.fullmatch(words, found.message)
    assert told, found.message
    joint = int(told[1]) - 1
    torque, time, shown, sample = map(float, told.groups()[1:])
    assert abs(torque) == pytest.approx(peaks(problem, solution)[joint], rel=1e-3)
    here = solution.problem.recorder(np.array([time]), solution.at(np.array([time])))["torque"][0, joint]
    assert here == pytest.approx(torque, rel=1e-3)
    assert abs(shown) == pytest.approx(np.abs(found.torque[:, joint]).max(), rel=1e-3)
    assert abs(shown) < (1 - LOST) * abs(torque)
    better = flexarm.inverse(problem.arm, flexarm.parse_trajectory(HOP + f"sample: {sample}\n"))
    assert better.message == ""
    assert np.all(np.abs(better.torque[...]).max(axis=0) > (1 - LOST) * peaks(problem, solution))


@pytest.mark.parametrize(
    ("EI", "count", "duration", "law"),
    thinned(
        [(100, 2, 4.0, "quintic"), (30, 1, 4.0, "quintic"), (1000, 4, 8.0, "nonic"), (10, 2, 2.0, "smooth")],
        every=4,
    ),
)
def test_the_usual_samples_show_the_peaks_of_cascades(EI, count, duration, law):
    """Their stiff zeros, up to 12 000 1/s, bend a boundary layer, but no torque has its peak there."""
    problem = cascade(EI, count, duration, law)
    solution = make_inverse_method("stable").solve(problem)
    assert lost_peak(solution, problem.sample) is None
    sampled = np.abs(solution.datasets()["torque"]).max(axis=0)
    assert np.all(sampled > (1 - LOST) * peaks(problem, solution))


@pytest.mark.slow
def test_coarse_samples_of_a_published_motion_are_noticed():
    coarse = flexarm.parse_trajectory(KORAYEM.text.replace("sample: 0.01", "sample: 0.15"))
    assert flexarm.inverse(korayem_arm("clamped"), KORAYEM).message == ""
    message = flexarm.inverse(korayem_arm("clamped"), coarse).message
    assert "joint 1: the torque reaches -0.6287 N m at t = 3.38" in message


@pytest.mark.slow
def test_a_jump_is_told_apart_and_its_remedy_helps():
    """With ramps of the speed the torque jumps with the acceleration, and falls off beside the jump within 8 ms."""
    ramps = make_inverse_method("stable").solve(cascade(10, 1, 4.0, "trapezoidal"))
    usual = ramps.times.size
    assert resampled(ramps).times.size == usual  # no even sampling shows it
    assert re.fullmatch(
        r"joint \d: the torque reaches .* it jumps there with the acceleration of the path \(.* continuous\)",
        lost_peak_warning(ramps),
    )
    assert lost_peak_warning(make_inverse_method("stable").solve(cascade(10, 1, 4.0, "quintic"))) == ""


def test_a_motion_that_diverged_is_left_alone():
    found = flexarm.inverse(korayem_arm("clamped"), KORAYEM, method="causal")
    assert found.message.startswith("stopped at")
    assert "between the samples" not in found.message
