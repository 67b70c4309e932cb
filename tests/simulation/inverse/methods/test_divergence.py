"""Divergence of causal motions: the zero that the message names is the rate at which a disturbance grows."""

import re
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from breadth import thinned
from paths import ROBOTS

import flexarm
from flexarm.simulation.inverse.methods.causal_inversion import internal_dynamics_problem
from flexarm.simulation.inverse.methods.inverse_method import make_inverse_method
from flexarm.simulation.inverse.problem import inverse_problem
from flexarm.solvers.solve import solve

NAMED = r"fastest zero (\S+?)( \+- (\S+?)i)? 1/s: what is off grows tenfold every (\S+) s"
DISTURBANCE, SMALL = 1e-9, 1e-3
"""Disturbance at first, and up to which it is followed, of the amplitudes of modes that take 1 J each."""


def one_link(count):
    arm = flexarm.parse_arm(
        "name: one\ngravity: [0, 0, 0]\njoints: [{inertia: 0.05}]\npayload: {mass: 0.1}\nlinks:\n"
        f"  - {{length: 1.0, mu: 1.0, EI: 20.0, modes: {{family: clamped-free, count: {count}}}}}\n"
    )
    return inverse_problem(arm, flexarm.parse_trajectory("duration: 1.0\npath: {y: 1e-3*sin(pi*t)**6}\n"))


def shipped(arm, trajectory):
    return inverse_problem(
        flexarm.load_arm(ROBOTS / f"{arm}.yaml"),
        flexarm.load_trajectory(ROBOTS / "trajectories" / f"{trajectory}.yaml"),
    )


CASES = {
    "one mode": lambda: one_link(1),
    "two modes": lambda: one_link(2),
    "pair of complex zeros": lambda: one_link(3),
    "four modes": lambda: one_link(4),
    "two links under gravity": lambda: shipped("payload_two_link", "payload_two_link"),
    "in space": lambda: shipped("spatial_six_joint", "circle"),
}


@cache
def problem(name):
    return CASES[name]()


def at_rest(problem):
    """The same arm and task, resting where the trajectory begins."""
    where = ", ".join(
        f"{name}: {value!r}" for name, value in zip(problem.task.names, first(problem), strict=True)
    )
    near = [float(problem.start[row]) for row in problem.kinematics.joints]
    return inverse_problem(
        problem.arm, flexarm.parse_trajectory(f"duration: 1.0\npath: {{{where}}}\nnear: {near}\n")
    )


def first(problem):
    return [float(value) for value in problem.reference([0.0]).p[0]]


def growth(problem, frequency, rate):
    """Rate at which a disturbance of an arm whose task is at rest grows, once its fastest part has outgrown the others.

    The difference of two motions that are integrated forward, in amplitudes that take the same energy; over half a
    period of the zero's oscillation, after which a single pair of complex zeros has the same direction again.
    """
    dynamics, linear = problem.dynamics, problem.zero_dynamics.linear
    modes, rates = dynamics.undriven_rows, dynamics.rate_rows
    begin = problem.zero_dynamics.state
    disturbed = begin.copy()
    disturbed[rates] += DISTURBANCE * linear.amplitude * linear.frequency
    last = np.log(SMALL / DISTURBANCE) / rate
    times = np.linspace(0.0, last, 2001)
    motions = []
    for y in (begin, disturbed):
        ivp = replace(internal_dynamics_problem(problem, y), rtol=1e-10, atol=1e-15, max_steps=100_000)
        states, integration = solve("dop853", ivp, times)
        assert integration.failure is None
        motions.append(states)
    off = (motions[1] - motions[0])[:, [*modes, *rates]]
    off /= np.concatenate([linear.amplitude, linear.amplitude * linear.frequency])
    size = np.linalg.norm(off, axis=1)
    period = np.pi / frequency if frequency else 0.3 * last
    end = size.size - 1
    start = end - max(1, round(period / times[1]))
    return np.log(size[end] / size[start]) / (times[end] - times[start])


@pytest.mark.parametrize("name", thinned(CASES, every=2))
def test_a_disturbance_grows_at_the_rate_of_the_zero_that_is_named(name):
    solution = make_inverse_method("causal").solve(problem(name))
    told = re.search(NAMED, solution.message)
    assert told, solution.message
    rate, frequency, tenfold = float(told[1]), float(told[3] or 0.0), float(told[4])
    assert tenfold == pytest.approx(np.log(10) / rate, rel=0.05)
    measured = growth(at_rest(problem(name)), frequency, rate)
    assert measured == pytest.approx(rate, rel=0.05), f"{measured:.4g} 1/s measured, {rate} named"


def test_complex_zeros_are_named_with_their_frequency():
    message = make_inverse_method("causal").solve(problem("pair of complex zeros")).message
    told = re.search(NAMED, message)
    fastest = problem("pair of complex zeros").zero_dynamics.unstable_zeros[-1]
    assert float(told[3]) == pytest.approx(abs(fastest.imag), rel=1e-2)


@pytest.mark.slow
def test_all_methods_share_problem_and_result():
    """Of pinned links, along whose path all three methods go: the same datasets of the same problem, and attributes."""
    arm, task = (
        flexarm.load_arm(ROBOTS / "korayem_1994_simply_supported.yaml"),
        flexarm.load_trajectory(ROBOTS / "trajectories" / "korayem_1994.yaml"),
    )
    found = {name: flexarm.inverse(arm, task, method=name) for name in ("stable", "causal", "rigid")}
    datasets = {name: set(result) for name, result in found.items()}
    assert datasets["stable"] == datasets["causal"] == datasets["rigid"]
    common = set.intersection(*(set(result.attributes) for result in found.values()))
    assert {"verified_error", "solve_seconds", "task", "duration", "trajectory", "method"} <= common
