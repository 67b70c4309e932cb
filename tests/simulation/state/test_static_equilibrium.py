"""Static equilibrium: closed forms, stability, and that a run started there stays there."""

from __future__ import annotations

import numpy as np
import pytest

import flexarm
from flexarm.errors import ModelError
from flexarm.model.chain_builder import build_chain
from flexarm.simulation.state.initial_state import initial_state

CANTILEVER = """
name: cantilever
gravity: [0, 0, 0]
links: [{{length: 1.5, mu: 2, EI: 400, modes: {{family: clamped-free, count: {count}}}}}]
joints: [{{type: fixed}}]
initial: {{equilibrium: true}}
loads: [{{at: tip, force: [0, 3, 0]}}]
run: {{duration: 0.1, sample: 0.1}}
"""


@pytest.mark.slow
def test_static_tip_deflection_converges_from_below():
    """F l^3 / (3 EI); the coefficients of clamped-free modes fall like beta^-4, the error like count^-3."""
    exact = 3 * 1.5**3 / (3 * 400)
    # at rest steps grow to the limit of stability of the fastest mode, where the dense output of dop853 magnifies an
    # error up to 25 times; the tolerance bounds its root mean square over at most 16 states
    moved = 25 * np.sqrt(16) * (1e-11 + 1e-9 * exact)
    errors = []
    for count in (2, 4, 8):
        result = flexarm.simulate(flexarm.parse_arm(CANTILEVER.format(count=count)))
        errors.append(exact - result.link_deflection[0, 0, 1, 1])
        np.testing.assert_allclose(result.link_deflection[-1], result.link_deflection[0], rtol=0, atol=moved)
    orders = np.log2(np.divide(errors[:-1], errors[1:]))
    print(f"relative errors {np.divide(errors, exact)}, orders {orders}")
    assert min(errors) > 0
    assert abs(orders[-1] - 3) < 0.3, f"orders {orders}"


def test_hanging_arm_finds_the_stable_posture():
    text = """
name: hanging
links:
  - {length: 1, mu: 1, EI: 50, modes: {family: clamped-free, count: 2}}
  - {length: 1, mu: 1, EI: 50, modes: {family: clamped-free, count: 2}}
initial: {joints: [1.2, -2.0], equilibrium: true}
"""
    arm = flexarm.parse_arm(text)
    theta, theta_d, _ = initial_state(arm, build_chain(arm))
    tip = flexarm.motion_equations(arm).points(theta)[-1]
    np.testing.assert_allclose(tip, [0, -2, 0], atol=1e-9)
    np.testing.assert_array_equal(theta_d, 0)


def test_pd_drive_sags_by_the_weight_over_the_gain():
    text = """
name: sagging
gravity: [0, -10, 0]
links: [{length: 1, mu: 2}]
initial: {equilibrium: true}
drive: [{pd: {kp: 500, kd: 1, reference: "0.3"}}]
"""
    arm = flexarm.parse_arm(text)
    (q,), *_ = initial_state(arm, build_chain(arm))
    assert abs(500 * (0.3 - q) - 10 * np.cos(q)) < 1e-10


def test_upright_arm_is_refused():
    text = "name: upright\nlinks: [{length: 1, mu: 1}]\ninitial: {joints: [90 deg], equilibrium: true}\n"
    arm = flexarm.parse_arm(text)
    with pytest.raises(ModelError, match="unstable"):
        initial_state(arm, build_chain(arm))


def test_constant_torque_beyond_the_weight_has_no_equilibrium():
    text = "name: spun\nlinks: [{length: 1, mu: 1}]\ninitial: {equilibrium: true}\ndrive: [{torque: 100}]\n"
    arm = flexarm.parse_arm(text)
    with pytest.raises(ModelError, match="no static equilibrium"):
        initial_state(arm, build_chain(arm))


@pytest.mark.parametrize("start", [-80, -20, 20, 60, 89])
def test_a_pendulum_settles_below_wherever_it_starts(start):
    """From 20 degrees steps that were too long for its negative stiffness once led it to the top."""
    text = "name: pendulum\nlinks: [{length: 1, mu: 1, EI: 50, modes: {family: clamped-free, count: 1}}]\n"
    arm = flexarm.parse_arm(f"{text}initial: {{joints: [{start} deg], equilibrium: true}}\n")
    theta, *_ = initial_state(arm, build_chain(arm))
    np.testing.assert_allclose(theta, [-np.pi / 2, 0], atol=1e-9)


def test_forces_beyond_all_bounds_are_refused_in_words():
    arm = flexarm.parse_arm(
        "name: bent\nlinks: [{length: 1.0, mu: 1.0, EI: 50.0, modes: {family: clamped-free, count: 2}}]\n"
        "initial: {joints: [20 deg], modes: [1, 0]}\nrun: {duration: 0.2, sample: 0.01}\n"
    )
    arm = arm.model_copy(update={"initial": arm.initial.model_copy(update={"modes": (1e160, 0.0)})})
    with pytest.raises(ModelError, match="the forces are beyond all bounds"):
        flexarm.natural_modes(arm)
