"""Sampled sensors and controllers: exact discrete closed loops, recursions written out, noise, delays, instants."""

from __future__ import annotations

import numpy as np
import pytest
from breadth import thinned
from scipy.linalg import expm
from scipy.signal import cont2discrete
from test_continuous_controllers import NAMES, RULER, SENSORS, gains, linear_model, rows

import flexarm
from flexarm.description.arm.control.controller import Controller
from flexarm.simulation.controllers.discrete import discrete_block

T = 1e-3
START = 1e-4
"""Angle [rad] from which the ruler starts; what is not linear is of third order in it."""
TOLERANCE = 1e-10


@pytest.mark.parametrize(
    ("delay", "method"), [(0, "dop853"), (1, "dop853"), (2, "dop853"), (0, "radau"), (1, "auto")]
)
def test_ruler_moves_as_the_exact_discrete_closed_loop(delay, method):
    """x_k+1 = e^(A T) x_k + int e^(A s) ds B u_k, u_k = -K x_k-delay: the regulator of the ruler at 1 kHz."""
    model, K = linear_model(), gains()
    on_sensors = (-K @ np.linalg.inv(rows(*NAMES)))[0].tolist()
    late = f", delay: {delay * T}}}" if delay else "}"
    sensors = SENSORS.partition("  felt")[0].replace("}\n", f"{late}\n")
    arm = flexarm.parse_arm(
        f"{RULER}{sensors}controllers: {{lqr: {{gain: [{on_sensors}], inputs: [{', '.join(NAMES)}], period: {T}}}}}\n"
        f"drive: [{{controller: lqr}}]\ninitial: {{joints: [{START}]}}\n"
        f"run: {{duration: 0.2, sample: {T}, rtol: 1e-10, atol: 1e-14, method: {method}}}\n"
    )
    result = flexarm.simulate(arm)
    exponential = expm(np.block([[model.A, model.B], [np.zeros((1, 7))]]) * T)
    A, B = exponential[:6, :6], exponential[:6, 6:]
    states = [START * np.eye(6)[0]]
    for k in range(200):
        states.append(A @ states[k] - B @ K @ states[max(k - delay, 0)])
    error = np.abs(result.joint_angle[:, 0] - np.array(states)[:, 0]).max()
    print(f"{error:.1e}")
    assert error < TOLERANCE
    torque = [float((-K @ states[max(k - delay, 0)])[0]) for k in range(200)]
    np.testing.assert_allclose(result.torque[:-1, 0], torque, atol=TOLERANCE)


ROD = "name: rod\ngravity: [0, 0, 0]\nlinks: [{length: 1, mu: 3}]\n"
"""Inertia 1 kg m^2 about its joint: q_k+1 = q_k + T v_k + T^2/2 u_k, v_k+1 = v_k + T u_k."""
LOOP = """
sensors:
  q: {joint: 1, noise: 0.002, delay: 0.02, resolution: 0.001, bias: 0.01}
controllers:
  r: {reference: 0.5}
  e: {sum: [1, -1], inputs: [r, q], period: 0.01}
  pid: {pid: {kp: 20, ki: 5, kd: 6, derivative_filter: 20}, inputs: e, period: 0.01}
  notch: {notch: {frequency: 12, width: 0.4, depth: 0.2}, inputs: pid, period: 0.01}
  u: {limit: [-4, 4], inputs: notch, period: 0.01}
drive: [{controller: u}]
run: {duration: 1.0, sample: 0.01}
"""


def recursion(A, B, C, D, u):
    """Outputs of a discrete system for signals u (k,)."""
    x, found = np.zeros(len(A)), []
    for value in u:
        found.append((C @ x + D[:, 0] * value)[0])
        x = A @ x + B[:, 0] * value
    return np.array(found)


def bilinear(numerator, denominator, T):
    from scipy.signal import tf2ss

    return cont2discrete(tf2ss(numerator, denominator), T, method="bilinear")[:4]


def test_a_loop_written_out():
    """Readings from the motion, torques from the readings, motion from the torques; kinds by SciPy's transform."""
    result, T, w = flexarm.simulate(flexarm.parse_arm(ROD + LOOP)), 0.01, 2 * np.pi
    q, read, u = result.joint_angle[:, 0], result.sensor("q"), result.torque[:, 0]
    late = np.concatenate([q[:1], q[:1], q[:-2]])[:-1]  # the run ends before the last instant
    off = read[:-1] - late - 0.01
    np.testing.assert_allclose(read / 0.001, np.round(read / 0.001), atol=1e-9)
    assert 0.0014 < off.std() < 0.0028  # 100 samples: 7 %, and the resolution
    e = 0.5 - read
    f = 20 * w
    pid = recursion(*bilinear([20 + 6 * f, 20 * f + 5, 5 * f], [1, f, 0], T), e)
    n = 12 * w
    notch = recursion(*bilinear([1, 0.16 * n, n**2], [1, 0.8 * n, n**2], T), pid)
    np.testing.assert_allclose(result.controller("pid")[:-1], pid[:-1], atol=1e-7)
    np.testing.assert_allclose(u[:-1], np.clip(notch, -4, 4)[:-1], atol=1e-7)
    v = np.concatenate([[0], np.cumsum(T * u[:-1])])
    np.testing.assert_allclose(np.diff(q), T * v[:-1] + T**2 / 2 * u[:-1], atol=1e-9)
    assert np.abs(u).max() == 4


@pytest.mark.parametrize(
    ("keys", "continuous"),
    [
        ({"low_pass": {"frequency": 5}}, ([10 * np.pi], [1, 10 * np.pi])),
        ({"low_pass": {"frequency": "30 rad/s", "order": 2, "damping": 0.5}}, ([900], [1, 30, 900])),
        ({"lead": {"zero": 1, "pole": 10}}, ([10, 20 * np.pi], [1, 20 * np.pi])),
        ({"pid": {"kp": 2, "ki": 3}}, ([2, 3], [1, 0])),
    ],
)
def test_filters_are_made_discrete_by_the_bilinear_transform(keys, continuous):
    import casadi as ca

    block = discrete_block(Controller.model_validate({**keys, "inputs": "a", "period": 0.02}))
    x, u = ca.SX.sym("x", block.n_states), ca.SX.sym("u")
    f = ca.Function("step", [x, u], [block.rate(x, u), block.output(x, u)])
    signal, state, found = np.random.default_rng(1).normal(size=50), np.zeros(block.n_states), []
    for value in signal:
        state, output = (each.full().ravel() for each in f(state, value))
        found.append(output[0])
    np.testing.assert_allclose(found, recursion(*bilinear(*continuous, 0.02), signal), rtol=1e-9, atol=1e-12)


def test_state_space_matrices_are_those_of_a_recursion():
    """And a delay is a shift by periods, a rate limit a step of at most rate times period."""
    A, B, C, D = (
        np.array([[0.5, 0.2], [0, -0.3]]),
        np.array([[1.0], [2.0]]),
        np.array([[1.0, 1.0]]),
        np.eye(1),
    )
    arm = flexarm.parse_arm(
        f"{ROD}controllers:\n  r: {{reference: sin(7*t)}}\n"
        f"  c: {{state_space: {{A: {A.tolist()}, B: {B.tolist()}, C: {C.tolist()}, D: 1}}, inputs: r, period: 0.05}}\n"
        "  late: {delay: {time: 0.15}, inputs: c, period: 0.05}\n"
        "  slow: {rate_limit: {rate: 3}, inputs: c, period: 0.05}\n"
        "run: {duration: 1.0, sample: 0.05}\n"
    )
    result = flexarm.simulate(arm)
    expected = recursion(A, B, C, D, np.sin(7 * result.time))[:-1]
    np.testing.assert_allclose(result.controller("c")[:-1], expected, rtol=1e-12, atol=1e-14)
    np.testing.assert_allclose(result.controller("late")[3:-1], expected[:-3], rtol=1e-12, atol=1e-14)
    assert not result.controller("late")[:3].any()
    y, slow = 0.0, []
    for value in expected:
        y += np.clip(value - y, -0.15, 0.15)
        slow.append(y)
    np.testing.assert_allclose(result.controller("slow")[:-1], slow, rtol=1e-12, atol=1e-14)


def test_values_are_held_from_instant_to_instant():
    """Two clocks, one with an offset, and a sensor with a period of its own that a continuous controller reads."""
    arm = flexarm.parse_arm(
        f"{ROD}initial: {{joint_rates: [1]}}\nsensors: {{q: {{joint: 1, period: 0.04}}}}\n"
        "controllers:\n  r: {reference: t}\n  a: {gain: 1, inputs: r, period: 0.03, offset: 0.01}\n"
        "  b: {gain: 1, inputs: r, period: 0.02}\n  c: {sum: [1, 1], inputs: [a, q]}\n"
        "  d: {reference: t, period: 0.02}\n"
        "run: {duration: 0.2, sample: 0.004}\n"
    )
    result = flexarm.simulate(arm)
    t = result.time[:-1]
    clocks = (0.03, 0.01), (0.02, 0), (0.04, 0)
    counts = ((t - offset) / period for period, offset in clocks)
    inside = [np.abs(count - np.round(count)) > 0.01 for count in counts]
    a = np.where(t < 0.01, 0, 0.01 + 0.03 * np.floor((t - 0.01) / 0.03))
    np.testing.assert_allclose(result.controller("a")[:-1][inside[0]], a[inside[0]], atol=1e-12)
    b = 0.02 * np.floor(t / 0.02)
    np.testing.assert_allclose(result.controller("b")[:-1][inside[1]], b[inside[1]], atol=1e-12)
    np.testing.assert_array_equal(result.controller("d"), result.controller("b"))
    q = 0.04 * np.floor(t / 0.04)
    np.testing.assert_allclose(result.sensor("q")[:-1][inside[2]], q[inside[2]], atol=1e-9)
    both = result.controller("a") + result.sensor("q")
    np.testing.assert_allclose(result.controller("c"), both, atol=1e-12)


def test_an_acceleration_is_that_of_just_before():
    """u_k = 1 - a(t_k-)/2 on an inertia of 1 kg m^2 at a radius of 1 m: a_k = u_k, so that u goes to 2/3."""
    arm = flexarm.parse_arm(
        f"{ROD}sensors: {{a: {{acceleration: tip, along: y, frame: link}}}}\n"
        "controllers:\n  r: {reference: 1}\n  u: {sum: [1, -0.5], inputs: [r, a], period: 0.01}\n"
        "drive: [{controller: u}]\nrun: {duration: 0.1, sample: 0.01}\n"
    )
    u = [1.0]
    for _ in range(9):
        u.append(1 - u[-1] / 2)
    np.testing.assert_allclose(flexarm.simulate(arm).torque[:-1, 0], u, rtol=1e-9)


def test_noise_is_that_of_its_seed():
    text = ROD + LOOP
    first, again = (flexarm.simulate(flexarm.parse_arm(text)) for _ in range(2))
    np.testing.assert_array_equal(first["sensor_reading"], again["sensor_reading"])
    np.testing.assert_array_equal(first["joint_angle"], again["joint_angle"])
    other = flexarm.simulate(flexarm.parse_arm(text.replace("sample: 0.01}", "sample: 0.01, seed: 7}")))
    assert np.abs(other.sensor("q") - first.sensor("q")).max() > 1e-3
    more = text.replace("sensors:\n", "sensors:\n  first: {joint: 1, of: rate, noise: 0.1, period: 0.01}\n")
    with_another = flexarm.simulate(flexarm.parse_arm(more))
    np.testing.assert_allclose(with_another.sensor("q"), first.sensor("q"), atol=1e-12)
    white = with_another.sensor("first") - with_another.joint_velocity[:, 0]
    assert abs(np.corrcoef(white[1:-1], white[2:])[0, 1]) < 0.3  # three standard deviations of 100 samples


@pytest.mark.slow
def test_sweeps_give_the_same_bits_with_any_number_of_workers():
    arm = flexarm.parse_arm(ROD + LOOP)
    vary = {"links[0].mu": [2.5, 3.0, 3.5], "controllers.pid.pid.kp": [15.0, 20.0]}
    one, two = (flexarm.sweep(arm, vary, series=["q", "torque"], workers=n) for n in (1, 2))
    for name in ("q", "torque"):
        np.testing.assert_array_equal(one[name], two[name])
    np.testing.assert_allclose(one["torque"][1, 1], flexarm.simulate(arm).torque, atol=1e-9)
    periods = flexarm.sweep(arm, {"run.seed": [0, 1]}, series=["q"], workers=1)
    assert np.abs(np.diff(periods["q"], axis=0)).max() > 1e-3


@pytest.mark.parametrize("method", ["dop853", "rk4, step: 0.0005", "radau"])
def test_between_stops(method):
    """A sampled PD that drives a joint against its stop and away from it does what one written out does."""
    text = (
        "name: rod\ngravity: [0, 0, 0]\nlinks: [{length: 1, mu: 3}]\njoints: [{limits: [-1, 0.2]}]\n"
        "sensors: {q: {joint: 1}, v: {joint: 1, of: rate}}\n"
        "controllers:\n  r: {reference: 0.5 - step(t - 1)}\n"
        "  u: {sum: [40, -40, -8], inputs: [r, q, v], period: 0.02}\ndrive: [{controller: u}]\n"
        f"run: {{duration: 2.0, sample: 0.02, method: {method}}}\n"
    )
    result = flexarm.simulate(flexarm.parse_arm(text))
    assert result.status == "complete"
    q, v, r = result.joint_angle[:-1, 0], result.joint_velocity[:-1, 0], 0.5 - (result.time[:-1] >= 1 - 1e-9)
    expected = 40 * r - 40 * q - 8 * v
    free = result.limit_torque[:-1, 0] == 0
    np.testing.assert_allclose(result.torque[:-1, 0][free], expected[free], atol=2e-6)
    assert result.limit_impact_time.size
    assert (result.limit_torque < 0).any()
    assert abs(result.joint_angle[-1, 0] + 0.5) < 0.02


@pytest.mark.parametrize("method", thinned(["dop853", "radau", "rk4, step: 0.01"], every=5))
@pytest.mark.parametrize("kind", ["gain: -1", "function: f"])
@pytest.mark.parametrize("more", ["", "joints: [{limits: [-3, 3]}]\n"])
@pytest.mark.parametrize("period", [1.0, 7.0])
def test_the_instant_of_the_start_is_one(method, kind, more, period):
    """Also in a run that has no other: the torque -q_0 is held, so that q = q_0 (1 - t^2/2)."""
    arm = flexarm.parse_arm(
        f"{ROD}{more}initial: {{joints: [0.5]}}\nsensors: {{q: {{joint: 1}}}}\n"
        f"controllers: {{u: {{{kind}, inputs: q, period: {period}}}}}\ndrive: [{{controller: u}}]\n"
        f"run: {{duration: 1.0, sample: 0.1, method: {method}}}\n"
    )
    functions = {"f": lambda t, u: -u[0]} if "function" in kind else None
    result = flexarm.simulate(arm, functions=functions)
    np.testing.assert_allclose(result.joint_angle[:, 0], 0.5 * (1 - result.time**2 / 2), atol=TOLERANCE)
    np.testing.assert_allclose(result.torque[:, 0], -0.5, atol=TOLERANCE)
