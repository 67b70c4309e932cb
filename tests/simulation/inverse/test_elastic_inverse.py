"""Torques of the motors of elastic joints along inverse motions: closed form, forward runs, smoothness of the path."""

from __future__ import annotations

import numpy as np
import pytest
from breadth import thinned

import flexarm
from flexarm.errors import ModelError
from flexarm.simulation.inverse.motors.spring_twists import spring_twists

INERTIA, GEAR, STIFFNESS = 2e-4, 50.0, 800.0
MOTOR = GEAR**2 * INERTIA
LENGTH, MU = 0.8, 3.0
LINK = MU * LENGTH**3 / 3
VERIFIED = 1e-6  # m
ROUND_OFF = 1e-9  # of torques, which take four derivatives of the path


def two_links(damping: float = 0.0, EI: float | None = None, others: str = ""):
    """Two links in a vertical plane on elastic joints with friction; the second one bends if it has an EI."""
    bends = "" if EI is None else f", EI: {EI}, modes: {{family: clamped-free, count: 2}}"
    return flexarm.parse_arm(
        f"""
name: two
gravity: [0, -9.81, 0]
links:
  - {{length: 0.5, mu: 2.0}}
  - {{length: 0.5, mu: 1.0{bends}}}
joints:
  - stiffness: 2000
    damping: {damping}
    motor: {{inertia: 1e-4, gear: 100, stall_torque: 0.6, no_load_speed: 900}}
    friction: {{viscous: 0.5, coulomb: 0.3}}
  - {{stiffness: 1000, damping: {damping}, motor: {{inertia: 1e-4, gear: 50}}}}
payload: {{mass: 0.5}}
initial: {{joints: [-30 deg, 60 deg]}}
{others}
"""
    )


def line(law: str = "septic"):
    """A line upwards within a second."""
    return flexarm.parse_trajectory(
        f"duration: 1.0\nline: {{from: [0.7, -0.2], to: [0.5, 0.6], law: {law}}}\nelbow: positive\n"
    )


def test_torque_of_a_rod_in_closed_form():
    """theta_m = q + J_l q_dd / K, tau = J_m theta_m_dd + J_l q_dd."""
    arm = flexarm.parse_arm(
        f"""
name: rod
gravity: [0, 0, 0]
links: [{{length: {LENGTH}, mu: {MU}}}]
joints: [{{stiffness: {STIFFNESS}, motor: {{inertia: {INERTIA}, gear: {GEAR}}}}}]
"""
    )
    path = flexarm.parse_trajectory('space: joint\nduration: 2.0\npath: {q1: "0.3*(1 - cos(pi*t))**3"}\n')
    result = flexarm.inverse(arm, path, verify=True)
    t = np.polynomial.chebyshev.Chebyshev.interpolate(
        lambda t: 0.3 * (1 - np.cos(np.pi * t)) ** 3, 60, [0, 2]
    )
    q, q_dd, q_dddd = (t.deriv(k)(result.time) if k else t(result.time) for k in (0, 2, 4))
    largest = np.abs(result.torque).max()
    np.testing.assert_allclose(result.motor_angle[:, 0], q + LINK * q_dd / STIFFNESS, atol=1e-9)
    exact = (MOTOR + LINK) * q_dd + MOTOR * LINK / STIFFNESS * q_dddd
    off = np.abs(result.torque[:, 0] - exact).max()
    assert off < 1e-6 * largest
    # nothing holds the rod: what its torque is off, it integrates twice
    drift = LENGTH * max(off, ROUND_OFF * largest) * result.time[-1] ** 2 / 2 / (MOTOR + LINK)
    assert result.attributes["verified_error"] < drift


@pytest.mark.parametrize(
    ("EI", "damping", "law"),
    thinned(
        [
            (100.0, 200.0, "smooth"),
            (None, 0.0, "septic"),
            (None, 5.0, "septic"),
            (100.0, 0.0, "septic"),
            (8.0, 0.0, "smooth"),
            (8.0, 5.0, "septic"),
        ],
        every=6,
    ),
)
def test_forward_run_follows_the_path(EI, damping, law):
    result = flexarm.inverse(two_links(damping, EI), line(law), verify=True)
    print(EI, damping, law, result.attributes["verified_error"])
    assert result.status == "complete"
    assert not result.message
    assert result.attributes["verified_error"] < VERIFIED


@pytest.mark.slow
def test_springs_carry_the_torques_of_stiff_joints():
    """Whatever is behind them, the links take the same torques; the motors take their own inertia and friction more."""
    elastic = flexarm.inverse(two_links(), line())
    text = two_links().text.replace(
        "stiffness: 2000\n    damping: 0.0\n    motor: {inertia: 1e-4, ", "motor: {"
    )
    text = text.replace("stiffness: 1000, damping: 0.0, motor: {inertia: 1e-4, ", "motor: {")
    text = text.replace("    friction: {viscous: 0.5, coulomb: 0.3}\n", "")
    direct = flexarm.inverse(flexarm.parse_arm(text), line())
    np.testing.assert_allclose(elastic.spring_torque, direct.torque, atol=1e-7)
    np.testing.assert_allclose(
        elastic.motor_angle - elastic.joint_angle, direct.torque / [2000, 1000], atol=1e-8
    )


@pytest.mark.slow
def test_speed_and_torque_of_the_motor_count():
    """The motors' bounds are at their own speeds, and the load is bounded by their own torques."""
    result = flexarm.inverse(two_links(), line())
    fraction = 1 - result.motor_velocity[:, 0] * 100 / 900
    np.testing.assert_allclose(result.torque_upper[:, 0], np.minimum(60.0, 60 * fraction), rtol=1e-12)
    loaded = flexarm.payload(two_links(), line())
    margin = np.minimum(loaded.torque_upper - loaded.torque, loaded.torque - loaded.torque_lower)[:, 0]
    assert abs(margin.min()) < 1e-3 * 60
    assert loaded.attributes["payload_mass"] > 0.5


@pytest.mark.parametrize("law", ["quintic", pytest.param("trapezoidal", marks=pytest.mark.slow)])
def test_a_path_whose_rates_jump_asks_for_a_blow_on_the_motor(law):
    result = flexarm.inverse(two_links(), line(law), verify=False)
    assert " is elastic: where the second or third rate of its path jumps" in result.message
    assert "septic" in result.message


def test_a_motor_of_prescribed_motion_is_refused():
    arm = two_links(others="drive: [{motion: hold}, null]")
    with pytest.raises(ModelError, match="joint 1 is elastic, and its drive prescribes"):
        flexarm.inverse(arm, flexarm.parse_trajectory('space: joint\nduration: 1\npath: {q2: "t"}\n'))


@pytest.mark.parametrize("lag", [1e-7, 1e-3, 0.02, 0.3, 50.0])
def test_twists_of_damped_springs(lag):
    """phi + lag phi_d = t^2 over many intervals, from rest: t^2 - 2 lag t + 2 lag^2 (1 - exp(-t / lag))."""
    steps = np.full(100, 0.01)
    starts = np.arange(100) * 0.01
    tau = np.zeros((6, 100, 1))
    tau[3, :, 0], tau[4, :, 0], tau[5, :, 0] = 1.0, 2 * starts, starts**2
    coefficients, layers = spring_twists(tau, steps, np.array([lag]), resting=True)
    middle = 0.005
    found = np.polyval(coefficients[:, :, 0], middle) + layers[:, 0] * np.exp(-middle / lag)
    t = starts + middle
    exact = t**2 - 2 * lag * t - 2 * lag**2 * np.expm1(-t / lag)
    np.testing.assert_allclose(found, exact, atol=2e-12 * max(1.0, lag**2))
