"""Drives at the limits of their motors: closed forms, what the integrators make of the kinks, and no wind-up."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

import flexarm

LENGTH, MU = 1.0, 3.0
J = MU * LENGTH**3 / 3
GEAR, STALL, NO_LOAD = 20.0, 0.2, 50.0
K1 = GEAR * STALL
K2 = K1 * GEAR / NO_LOAD
EXACT = 1e-9


def rod(gains, limits, reference=2.0, run="rtol: 1e-12, atol: 1e-14", duration=4):
    return flexarm.parse_arm(f"""
name: limited
gravity: [0, 0, 0]
links: [{{length: {LENGTH}, mu: {MU}}}]
joints: [{{motor: {{gear: {GEAR}, stall_torque: {STALL}{limits}}}}}]
drive: [{{pd: {{{gains}, reference: {reference}}}, saturate: true}}]
run: {{duration: {duration}, sample: 0.05, {run}}}
""")


def second_order(t, kp, kd, q, q_d, r):
    """Response of J q_dd = kp (r - q) - kd q_d from q, q_d at t = 0."""
    roots = np.roots([J, kd, kp]).astype(complex)
    weights = np.linalg.solve(np.vander(roots, increasing=True).T, [q - r, q_d])
    return r + np.real(np.exp(np.outer(t, roots)) @ weights)


KP, KD, R = 6.0, 8.0, 2.0


def test_at_the_limit_and_then_linear():
    """The motor gives k1 until the demand kp (r - q) - kd q_d has come down to it, at t1."""
    result = flexarm.simulate(rod(f"kp: {KP}, kd: {KD}", ""))
    angle, rate = lambda t: K1 * t**2 / (2 * J), lambda t: K1 * t / J
    t1 = brentq(lambda t: KP * (R - angle(t)) - KD * rate(t) - K1, 0, 2, xtol=1e-15)
    t = result.time
    after = second_order(np.maximum(t - t1, 0), KP, KD, angle(t1), rate(t1), R)
    np.testing.assert_allclose(result.joint_angle[:, 0], np.where(t < t1, angle(t), after), atol=EXACT)
    limited = result.torque_limit[:, 0]
    assert (limited[t < t1] < 0).all()
    np.testing.assert_allclose(limited[t > t1], 0, atol=1e-12)
    np.testing.assert_allclose(result.torque[t < t1], K1, rtol=1e-14)


def test_along_the_speed_torque_line_and_then_linear():
    """Full voltage is an exponential approach of the no-load speed: J q_dd = k1 - k2 q_d."""
    kp, kd = 6.0, 4.0
    result = flexarm.simulate(rod(f"kp: {kp}, kd: {kd}", f", no_load_speed: {NO_LOAD}"))
    tau, fastest = J / K2, K1 / K2
    rate = lambda t: fastest * (1 - np.exp(-t / tau))  # noqa: E731
    angle = lambda t: fastest * (t - tau * (1 - np.exp(-t / tau)))  # noqa: E731
    t1 = brentq(lambda t: kp * (R - angle(t)) - kd * rate(t) - (K1 - K2 * rate(t)), 0, 3, xtol=1e-15)
    t, early = result.time, result.time < t1
    np.testing.assert_allclose(result.joint_angle[early, 0], angle(t[early]), atol=EXACT)
    after = second_order(t - t1, kp, kd, angle(t1), rate(t1), R)
    linear = ~early & (np.abs(result.torque_limit[:, 0]) < 1e-12)
    assert early.sum() > 10
    assert linear[np.flatnonzero(~early)[:20]].all()
    np.testing.assert_allclose(result.joint_angle[linear, 0], after[linear], atol=EXACT)


def pid(t, y, anti_windup):
    q, z, q_d = y
    demand = 10 * (2.0 - q) - 4 * q_d + 8 * z
    torque = np.clip(demand, -K1, K1)
    return [q_d, 2.0 - q + anti_windup * (torque - demand) / 10, torque / J]


def test_the_integral_does_not_wind_up():
    """Against the same equations by SciPy; with an integral that goes on at the limit it overshoots by more."""
    found = flexarm.simulate(rod("kp: 10, kd: 4, ki: 8", "", duration=10)).joint_angle[:, 0]
    t = np.linspace(0, 10, 201)
    with_it, without = (
        solve_ivp(pid, (0, 10), [0.0, 0, 0], "DOP853", t, args=(on,), rtol=1e-12, atol=1e-14).y[0]
        for on in (1, 0)
    )
    np.testing.assert_allclose(found, with_it, atol=1e-8)
    assert without.max() - 2 > 1.0  # rad
    assert found.max() - 2 < 0.6 * (without.max() - 2)


TWO = """
name: two
links: [{length: 1, mu: 2}, {length: 0.8, mu: 1}]
joints:
  - {motor: {gear: 50, stall_torque: 0.5, no_load_speed: 150}}
  - {motor: {gear: 20, stall_torque: 0.25, no_load_speed: 100}}
initial: {joints: [-1.2, 0.3]}
drive:
  - {pd: {kp: 100, kd: 20, ki: 80, move: {to: 20 deg, duration: 1}}, gravity_compensation: true, saturate: true}
  - {pd: {kp: 30, kd: 6, ki: 40, reference: 0.5}, torque: 0.3*sin(3*t), saturate: true}
run: {duration: 3, sample: 0.05, %s}
"""


@pytest.fixture(scope="module")
def finest():
    return simulated("rtol: 1e-13, atol: 1e-15")


def simulated(run):
    return flexarm.simulate(flexarm.parse_arm(TWO % run)).joint_angle


@pytest.mark.parametrize("method", ["dop853", "radau"])
@pytest.mark.parametrize("rtol", [1e-6, 1e-8, 1e-10])
def test_the_error_stays_within_the_tolerance_at_the_kinks(finest, method, rtol):
    found = simulated(f"method: {method}, rtol: {rtol}, atol: {rtol / 100}")
    np.testing.assert_allclose(found, finest, atol=rtol)


def test_a_fixed_step_is_of_second_order_there(finest):
    errors = [np.abs(simulated(f"method: rk4, step: {step}") - finest).max() for step in (4e-3, 1e-3, 2.5e-4)]
    orders = np.log2(np.array(errors[:-1]) / errors[1:]) / 2
    assert ((orders > 1.5) & (orders < 3.5)).all(), orders


def test_bounds_stay_within_the_stall_torque_at_any_speed():
    """Beyond twice the no-load speed both bounds are the braking stall torque, never beyond it."""
    from flexarm.simulation.forces.motor_limits import available_torque

    arm = rod("kp: 1, kd: 1", f", no_load_speed: {NO_LOAD}")
    rates = np.linspace(-3, 3, 13)[:, None] * NO_LOAD / GEAR
    upper, lower = available_torque(arm, rates)
    np.testing.assert_allclose(upper[:, 0], np.clip(K1 * (1 - np.linspace(-3, 3, 13)), -K1, K1), atol=1e-14)
    np.testing.assert_allclose(lower, -upper[::-1], atol=1e-14)
