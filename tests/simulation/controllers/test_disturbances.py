"""Disturbances: what loads and drives do alike, and the covariance that Lyapunov's equation gives."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.linalg import expm, solve_discrete_lyapunov

import flexarm

ARM = """\
name: two
links: [{length: 1.0, mu: 2.0, EI: 200, modes: 1}, {length: 0.7, mu: 1.0}]
run: {duration: 0.5, sample: 0.05}
"""


def test_signals_are_loads_and_torques():
    load = flexarm.simulate(
        flexarm.parse_arm(
            f"{ARM}loads: [{{at: {{link: 1, at: 0.5}}, force: [0, 3*sin(5*t), 0]}}]\ndrive: [null, {{torque: 2*t}}]\n"
        )
    )
    disturbed = flexarm.simulate(
        flexarm.parse_arm(
            f"{ARM}disturbances:\n  push: {{force: {{link: 1, at: 0.5}}, along: y, signal: 3*sin(5*t)}}\n"
            "  twist: {torque: 2, signal: 2*t}\n"
        )
    )
    np.testing.assert_allclose(disturbed.joint_angle, load.joint_angle, atol=1e-9)
    assert not disturbed.torque.any()


def test_a_period_holds_the_signal():
    """A force on the tip of a rod without gravity, held for 0.1 s each: the rate grows by its impulses."""
    arm = flexarm.parse_arm(
        "name: rod\ngravity: [0, 0, 0]\nlinks: [{length: 1, mu: 3}]\n"
        "disturbances: {push: {torque: 1, signal: t, period: 0.1}}\nrun: {duration: 1.0, sample: 0.1}\n"
    )
    rates = np.append(0, np.cumsum(0.1 * np.arange(10) * 0.1))
    np.testing.assert_allclose(flexarm.simulate(arm).joint_velocity[:, 0], rates, atol=1e-9)


@pytest.mark.parametrize("duration", [100, pytest.param(2000, marks=pytest.mark.slow)])
def test_covariance_under_noise(duration):
    """Torque noise, measured with noise by a sampled PD: P = A P A^T + Q, of one seed.

    Poles of some 10/s leave ten independent samples a second, or more, so that a variance is within
    3 sqrt(2/(10 duration)) of its expectation.
    """
    T, w, v = 0.01, 0.5, 2e-4
    arm = flexarm.parse_arm(
        "name: rod\ngravity: [0, 0, 0]\nlinks: [{length: 1, mu: 3}]\n"
        f"sensors: {{q: {{joint: 1, noise: {v}}}}}\ndisturbances: {{shake: {{torque: 1, noise: {w}, period: {T}}}}}\n"
        "controllers:\n  u: {state_space: {A: 0, B: 1, C: 2000, D: -2220}, inputs: q, period: 0.01}\n"
        f"drive: [{{controller: u}}]\nrun: {{duration: {duration}, sample: {T}, seed: 3}}\n"
    )
    result = flexarm.simulate(arm)
    exponential = expm(np.array([[0, 1, 0], [0, 0, 1], [0, 0, 0]]) * T)
    Ad, Bd = exponential[:2, :2], exponential[:2, 2:]
    C = np.array([[1.0, 0.0]])
    A = np.block([[Ad - 2220 * Bd @ C, 2000 * Bd], [C, np.zeros((1, 1))]])
    of_v, of_w = np.vstack([-2220 * Bd, [[1.0]]]), np.vstack([Bd, [[0.0]]])
    assert np.abs(np.linalg.eigvals(A)).max() < 0.95
    P = solve_discrete_lyapunov(A, v**2 * of_v @ of_v.T + w**2 * of_w @ of_w.T)
    settled = slice(200, -1)
    for found, expected in (
        (result.joint_angle[settled, 0].var(), P[0, 0]),
        (result.joint_velocity[settled, 0].var(), P[1, 1]),
    ):
        print(f"{found / expected - 1:.3f}")
        assert abs(found / expected - 1) < 3 * np.sqrt(2 / (10 * duration))
