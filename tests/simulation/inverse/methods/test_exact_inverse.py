"""Stable inversion of one link in small motion against the exact non-causal inverse, in the frequency domain."""

from functools import cache

import numpy as np
import pytest
from breadth import thinned
from reference.frequency_domain import SmallMotion

import flexarm
from flexarm.simulation.inverse.methods.stable_inversion import StableInversion
from flexarm.simulation.inverse.problem import inverse_problem

EXACT = 1e-6
"""Relative to the largest value; the motion is of third order in an amplitude of 1e-4, so its linear part says all."""
SPAN, COUNT = 8.0, 2**15
"""Period of the exact inverse [s], in which the slowest zero (16 1/s) decays by 20 powers of ten; its samples."""
AMPLITUDE = 1e-4  # m
CASES = {
    "one mode": (SmallMotion(1.0, 1.0, 20.0, "clamped-free", 1, 0.05, 0.1, 1e-3), 6, None),
    "two modes": (SmallMotion(1.0, 1.0, 20.0, "clamped-free", 2, 0.05, 0.1, 1e-3), 6, None),
    "four modes": (SmallMotion(1.0, 1.0, 20.0, "clamped-free", 4, 0.05, 0.1, 1e-3), 6, None),
    "no hub, no payload": (SmallMotion(1.0, 1.0, 20.0, "clamped-free", 3), 6, None),
    "stiff": (SmallMotion(0.7, 1.3, 200.0, "clamped-free", 3, 0.05, 0.1, 1e-3), 6, None),
    "soft": (SmallMotion(1.0, 1.0, 2.0, "clamped-free", 2, 0.05, 0.1, 1e-3), 8, None),
    "polynomial": (SmallMotion(1.0, 1.0, 20.0, "polynomial", 2, 0.05, 0.1, 1e-3), 6, None),
    "fourth rate jumps": (SmallMotion(1.0, 1.0, 20.0, "clamped-free", 2, 0.05, 0.1, 1e-3), 4, 0.01),
}
"""Link, power of the sine along which its tip swings, longest interval of the mesh [s]."""


@cache
def deviations(name, amplitude=AMPLITUDE):
    """Errors of torque and deflections, of their largest values, with pre- and post-actuation."""
    link, power, step = CASES[name]
    J = link.tip_inertia
    arm = flexarm.parse_arm(
        f"""
name: one
gravity: [0, 0, 0]
links:
  - {{length: {link.length}, mu: {link.mu}, EI: {link.EI}, modes: {{family: {link.family}, count: {link.count}}}}}
joints: [{{inertia: {link.hub}}}]
payload: {{mass: {link.payload}, inertia: [{J}, {J}, {J}]}}
"""
    )
    trajectory = flexarm.parse_trajectory(f"duration: 1.0\npath: {{y: {amplitude}*sin(pi*t)**{power}}}\n")
    problem = inverse_problem(arm, trajectory)
    solution = StableInversion(step=step).solve(problem)

    def y_dd(times):
        swings = amplitude * np.pi**2 * power * np.sin(np.pi * times) ** (power - 2)
        swings *= (power - 1) * np.cos(np.pi * times) ** 2 - np.sin(np.pi * times) ** 2
        return np.where((times > 0) & (times < 1), swings, 0.0)

    times, torque, amplitudes = link.inverse(y_dd, SPAN, COUNT)
    inside = (times >= solution.times[0]) & (times <= solution.times[-1])
    motion = solution.at(times[inside])
    recorded = problem.recorder(times[inside], motion)
    errors = [
        np.abs(found - exact[inside]).max() / np.abs(exact).max()
        for found, exact in ((recorded["torque"][:, 0], torque), (motion[0][:, 1:], amplitudes))
    ]
    return np.array(errors)


@pytest.mark.parametrize("name", thinned(CASES, every=6))
def test_torque_and_deflections_are_those_of_the_exact_inverse(name):
    errors = deviations(name)
    print(f"{name}: relative errors of torque and deflections {errors}")
    assert np.all(errors < EXACT), f"relative errors of torque and deflections {errors}"


@pytest.mark.slow
def test_what_differs_at_larger_amplitudes_is_of_third_order():
    errors = np.array([deviations("one mode", amplitude) for amplitude in (0.002, 0.004, 0.008)])
    orders = 1 + np.log2(errors[1:] / errors[:-1])
    assert np.all((orders > 2.9) & (orders < 3.1)), f"errors {errors}, orders {orders}"


def test_the_exact_inverse_needs_no_longer_period_nor_more_samples():
    link = CASES["two modes"][0]

    def y_dd(times):
        return np.where(np.abs(times) < 0.5, np.cos(np.pi * times) ** 6, 0.0)

    times, *usual = link.inverse(y_dd, SPAN, COUNT)
    more_times, *longer = link.inverse(y_dd, 2 * SPAN, 4 * COUNT)
    np.testing.assert_allclose(more_times[COUNT:-COUNT:2], times, atol=1e-12)
    for a, b in zip(usual, longer, strict=True):
        np.testing.assert_allclose(b[COUNT:-COUNT:2], a, atol=1e-9 * np.abs(a).max())
