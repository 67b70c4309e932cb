"""Linear models with controllers: closed and opened loops, samples, disturbances, a base that moves."""

from __future__ import annotations

import numpy as np
import pytest
from paths import ROBOTS

import flexarm
from flexarm.analysis.linear_models.transmission_zeros import matrix_zeros
from flexarm.errors import ModelError

RULER = (ROBOTS / "lqr_arm.yaml").read_text().partition("sensors:")[0]
SENSORS = "sensors:\n  hub: {joint: 1}\n  root: {curvature: {link: 1, at: 0}}\n  rate: {joint: 1, of: rate}\n"
T = 1e-3
SMALL = 1e-5
"""Angle [rad] from which the arm starts: what is not linear is of second order in it."""
LINEAR = 1e-4
"""Difference to the linear model, of the largest value: far above SMALL, far below what a wrong entry leaves."""
WEIGHTS = {"tip_y": 400, "q_1": 20, "q_1_d": 0.2}


@pytest.fixture(scope="module")
def lqr_arm():
    return flexarm.load_arm(ROBOTS / "lqr_arm.yaml")


def test_the_closed_loop_of_the_shipped_regulator(lqr_arm):
    """Published poles of this arm; its gains have 6 digits."""
    model = flexarm.linearize(lqr_arm)
    expected = [-100.92, -14.179, -6.3255 + 13.508j, -2.8912 + 115.33j]
    found = model.poles[np.imag(model.poles) >= 0]
    np.testing.assert_allclose(sorted(found, key=np.real), expected, rtol=1e-4)
    assert model.controllers == ("lqr",)


def test_opened_it_is_what_the_regulator_sees(lqr_arm):
    """Its output is the torque, so the model is that of the arm alone; what it would compute may be observed."""
    plant = flexarm.linearize(lqr_arm, opened="lqr")
    alone = flexarm.linearize(lqr_arm, opened="all", outputs=plant.outputs)
    for name in "ABCD":
        np.testing.assert_allclose(getattr(plant, name), getattr(alone, name), atol=1e-9)
    assert (plant.inputs, alone.inputs) == (("lqr",), ("tau_1",))
    gain = np.array(dict(lqr_arm.controllers)["lqr"].gain)
    loop = flexarm.linearize(lqr_arm, opened="lqr", outputs=["lqr"])
    np.testing.assert_allclose(loop.C, gain @ plant.C, atol=1e-9)


@pytest.mark.parametrize("period", [None, T])
def test_poles_are_those_of_the_design(tmp_path, period):
    sensors = SENSORS.partition("  rate")[0]
    design = flexarm.design(
        flexarm.parse_arm(RULER + sensors), "lqg", weights=WEIGHTS, effort=4, measure=["hub", "root"],
        noise={"hub": 1e-5, "root": 1e-3}, torque_noise=1e-3, period=period,
    )  # fmt: skip
    design.save(tmp_path / "lqg.npz")
    sampled = f", period: {period}" if period else ""
    arm = flexarm.parse_arm(
        f"{RULER}{sensors}controllers: {{lqg: {{inputs: [hub, root], state_space: lqg.npz{sampled}}}}}\n"
        "drive: [{controller: lqg}]\n",
        folder=tmp_path,
    )
    model = flexarm.linearize(arm, period=period)
    z = [np.poly(np.exp(poles * T)) for poles in (model.poles, design.poles)]
    np.testing.assert_allclose(*z, atol=1e-7)
    if period:
        with pytest.raises(ModelError, match=r"lqg is sampled every 0\.001 s, but the model has no period"):
            flexarm.linearize(arm)


CASCADE = """
sensors:
  hub: {joint: 1, delay: 0.002}
  rate: {joint: 1, of: rate}
  root: {curvature: {link: 1, at: 0}}
controllers:
  to: {reference: 0}
  error: {sum: [1, -1], inputs: [to, hub], period: 0.001}
  outer: {pid: {kp: 6, ki: 2, kd: 0.1, derivative_filter: 40}, inputs: error, period: 0.001}
  soft: {low_pass: {frequency: 30}, inputs: root}
  smooth: {low_pass: {frequency: 200}, inputs: outer}
  inner: {sum: [0.3, -0.3, 0.02], inputs: [smooth, rate, soft]}
  late: {delay: {time: 0.003}, inputs: inner, period: 0.001}
  safe: {limit: [-1, 1], inputs: late}
drive: [{controller: safe}]
"""
"""Continuous blocks that read sampled ones and the other way round, and two delays."""


def test_samples_of_a_simulated_loop():
    """From rest beside the operating point, controllers and all: x_k+1 = A x_k, y_k = C x_k."""
    run = f"initial: {{joints: [{SMALL}]}}\nrun: {{duration: 0.3, sample: 0.001, rtol: 1e-10, atol: 1e-14}}\n"
    model = flexarm.linearize(
        flexarm.parse_arm(RULER + CASCADE), period=T, outputs=["joints", "root", "safe"]
    )
    result = flexarm.simulate(flexarm.parse_arm(RULER + CASCADE + run))
    x = np.zeros(len(model.states))
    x[[model.states.index(name) for name in ("q_1", "hub.x1", "hub.x2")]] = (
        SMALL  # before the delay has passed
    )
    found = []
    for _ in range(300):
        found.append(model.C @ x)
        x = model.A @ x
    measured = [result.joint_angle[:, 0], result.sensor("root", exact=True), result.controller("safe")]
    for own, expected in zip(np.array(found).T, measured, strict=True):
        assert np.abs(own - expected[:-1]).max() < LINEAR * np.abs(expected).max()


def test_an_inner_loop_stays_closed_while_an_outer_one_is_open():
    """Opened at the sampled outer controller: from its output to the hub, by hand."""
    continuous = (
        CASCADE.replace(", period: 0.001", "")
        .replace(", delay: 0.002", "")
        .replace("0.003", "0.003, order: 2")
    )
    arm = flexarm.parse_arm(RULER + continuous)
    found = flexarm.frequency_response(
        arm, opened="outer", outputs=["hub", "outer"], frequencies=[0.5, 3.0, 20.0]
    )
    plant = flexarm.frequency_response(
        arm, opened="all", outputs=["hub", "rate", "root"], frequencies=found.frequencies
    )
    for k, s in enumerate(2j * np.pi * found.frequencies):
        hub, rate, root = plant.response[k, :, 0]
        a, delay = 0.003 * s, 1 / (1 + s / (2 * np.pi * 30))
        pade = (1 - a / 2 + a**2 / 12) / (1 + a / 2 + a**2 / 12)
        smooth = 0.3 / (1 + s / (2 * np.pi * 200))
        torque = pade * smooth / (1 - pade * (-0.3 * rate + 0.02 * delay * root))
        w = 2 * np.pi * 40
        np.testing.assert_allclose(found.response[k, 0, 0], hub * torque, rtol=1e-9)
        loop = -(6 + 2 / s + 0.1 * s * w / (s + w)) * hub * torque
        np.testing.assert_allclose(found.response[k, 1, 0], loop, rtol=1e-9)


def test_a_measured_pd_is_its_filter_or_with_pd_its_joint():
    text = f"{RULER}drive: [{{pd: {{kp: 2, kd: 0.25, reference: 0, derivative_filter: 2000}}}}]\n"
    filtered, exact = (flexarm.linearize(flexarm.parse_arm(text), joints=joints) for joints in ("free", "pd"))
    assert (filtered.controllers, exact.controllers) == (("pd_1_reference", "pd_1_error", "pd_1"), ())
    slow = [np.sort_complex(model.poles[np.abs(model.poles) < 200]) for model in (filtered, exact)]
    np.testing.assert_allclose(*slow, rtol=0.02)


def test_a_response_of_samples(lqr_arm):
    """C (e^(j w T) - A)^-1 B + D, up to half the rate of the samples."""
    found = flexarm.frequency_response(lqr_arm, opened="all", outputs=["hub"], period=0.01, first=1)
    assert found.frequencies[-1] <= 50
    model = flexarm.linearize(lqr_arm, opened="all", outputs=["hub"]).sampled(0.01)
    k = found.frequencies.size // 2
    z = np.exp(2j * np.pi * found.frequencies[k] * 0.01)
    expected = model.C @ np.linalg.solve(z * np.eye(6) - model.A, model.B) + model.D
    np.testing.assert_allclose(found.response[k], expected, rtol=1e-12)
    with pytest.raises(
        ModelError, match=r"got 60 Hz, but samples of 0\.01 s have them up to half their rate, 50 Hz"
    ):
        flexarm.frequency_response(lqr_arm, opened="all", period=0.01, first=1, last=60)


def test_zeros_of_matrices_are_those_of_the_motion():
    arm = flexarm.load_arm(ROBOTS / "usoro_two_link.yaml")
    model = flexarm.linearize(arm, at=["0 deg", "60 deg"])
    for outputs in (["tip_x", "tip_y"], ["q_1", "q_2"]):
        rows = [model.outputs.index(name) for name in outputs]
        found = matrix_zeros(model.A, model.B, model.C[rows], model.D[rows])
        expected = model.zeros(["tau_1", "tau_2"], outputs)
        np.testing.assert_allclose(
            np.poly(found), np.poly(expected), rtol=1e-6, atol=1e-6 * abs(np.poly(expected)[-1])
        )


def test_samples_have_poles_and_zeros_of_their_own(lqr_arm):
    """Poles are those of the continuous time; of a double integrator the zero of samples is z = -1."""
    model = flexarm.linearize(lqr_arm, opened="all", outputs=["hub"])
    np.testing.assert_allclose(model.sampled(T).poles.real.min(), model.poles.real.min(), rtol=1e-6)
    rod = flexarm.linearize(flexarm.parse_arm("name: rod\ngravity: [0, 0, 0]\nlinks: [{length: 1, mu: 3}]\n"))
    (zero,) = rod.sampled(0.1).zeros(["tau_1"], ["q_1"])
    np.testing.assert_allclose(np.exp(zero * 0.1), -1, atol=1e-9)


def test_disturbances_are_forces_and_torques():
    arm = flexarm.parse_arm(
        f"{RULER}disturbances:\n  ripple: {{torque: 1, noise: 1, period: 0.001}}\n"
        "  breeze: {force: {link: 1, at: 0.7}, along: y, signal: sin(t)}\n"
    )
    model = flexarm.linearize(arm, inputs=["ripple", "breeze", "torque", "force@1:0.7:y"])
    np.testing.assert_allclose(model.B[:, :2], model.B[:, 2:], rtol=1e-12, atol=1e-12)
    assert model.inputs[:2] == ("ripple", "breeze")
    assert model.input_units == ("N m", "N", "N m", "N")
    assert model.zeros(["ripple"], ["q_1"]) is not None


def test_a_base_that_accelerates_bends_a_cantilever():
    """As its weight would: mu a L^4/(8 EI) against the acceleration, to the truncation of 4 modes."""
    arm = flexarm.load_arm(ROBOTS / "single_link_cantilever.yaml")
    model = flexarm.linearize(arm, inputs="base:y", outputs=["deflection@1:1"])
    n = len(model.motion.rows)
    static = (model.positions @ np.linalg.solve(model.motion.K, model.forces))[0, 0]
    np.testing.assert_allclose(static, -1 / 800, rtol=1e-3)  # of mu = 1, L = 1, EI = 100
    assert (model.inputs, model.input_units, n) == (("base_y",), ("m/s^2",), 4)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"opened": ["all", "lqr"]}, "no controller of the arm (it goes with no other name)"),
        ({"opened": "lqg"}, "opened: got 'lqg', which is no controller of the arm"),
        ({"inputs": "base:w"}, "input 'base:w': got the axis 'w'"),
        ({"inputs": "ripple"}, "got 'ripple', expected torque, reference, voltage, force@LINK:AT:AXIS, base:AXIS or a"),
        ({"outputs": ["lqg"]}, "unknown output 'lqg'"),
        ({"period": -1.0}, "period: got -1"),
    ],
)  # fmt: skip
def test_what_there_is_not_is_refused_in_one_line(lqr_arm, options, words):
    with pytest.raises((ModelError, ValueError)) as caught:
        flexarm.linearize(lqr_arm, **options)
    assert words in str(caught.value)
    assert len(str(caught.value).splitlines()) == 1


@pytest.mark.parametrize(
    ("control", "words"),
    [
        ("a: {gain: -1, inputs: hub, period: 0.001}, b: {gain: 1, inputs: a, period: 0.002}",
         "a and b are sampled at different instants"),
        ("a: {gain: -1, inputs: hub, period: 0.001, offset: 0.0005}, b: {gain: 1, inputs: a}", "a has an offset"),
        ("b: {gain: -1, inputs: felt, period: 0.001}", "felt follows torques at once"),
    ],
)  # fmt: skip
def test_loops_that_no_model_of_samples_has(control, words):
    sensors = f"{SENSORS}  felt: {{acceleration: tip, along: y}}\n"
    arm = flexarm.parse_arm(f"{RULER}{sensors}controllers: {{{control}}}\ndrive: [{{controller: b}}]\n")
    with pytest.raises(ModelError, match=words):
        flexarm.linearize(arm, period=T)


def test_only_the_arm_alone_is_simulated(lqr_arm):
    with pytest.raises(
        ModelError, match="responses with controllers, samples or a base that moves are not simulated"
    ):
        flexarm.frequency_response(lqr_arm).simulate(amplitude=1e-3)


def test_a_disturbance_is_simulated_alone():
    """A sine on the disturbance, the others silent: the nonlinear arm answers as its linear model."""
    arm = flexarm.parse_arm(
        f"{RULER}disturbances:\n  ripple: {{torque: 1, noise: 1, period: 0.001}}\n"
        "  breeze: {force: tip, along: y, signal: 0}\ndrive: [{pd: {kp: 2, kd: 0.25, reference: 0}}]\n"
    )
    for name in ("ripple", "breeze"):
        found = flexarm.frequency_response(
            arm, inputs=[name], outputs=["joints"], joints="pd", first=1, last=2
        )
        simulation = found.simulate(amplitude=1e-4, lines=2).simulation
        assert simulation is not None
        linear = flexarm.frequency_response(
            arm, inputs=[name], outputs=["joints"], joints="pd", frequencies=simulation.frequencies
        )
        np.testing.assert_allclose(simulation.response, linear.response, rtol=1e-4)


@pytest.mark.parametrize("period", [None, T])
def test_zeros_at_the_origin_are_zero(lqr_arm, period):
    """A joint that turns freely bends nothing at rest: both zeros of its deflection at 0, but for round-off."""
    model = flexarm.linearize(lqr_arm, opened="lqr")
    zeros = (model if period is None else model.sampled(period)).zeros(["lqr"], ["bent"])
    assert zeros is not None
    assert np.count_nonzero(zeros == 0) == 2


def test_results_and_pictures_have_the_poles_of_the_closed_loop(lqr_arm):
    found = flexarm.frequency_response(lqr_arm, outputs=["hub"], first=0.5, last=50)
    result = found.result()
    np.testing.assert_array_equal(result["model_pole"][:, 0], found.model.poles.real)
    drawn = next(
        line
        for axes in flexarm.plot(result, "frequency-response").axes
        for line in axes.lines
        if line.get_gid() == "poles"
    )
    upper = found.model.poles[
        (np.imag(found.model.poles) >= 0) & (np.abs(found.model.poles) < 2 * np.pi * 75)
    ]
    np.testing.assert_allclose(np.sort(drawn.get_xdata()), np.sort(upper.real))
    assert "model_pole" not in flexarm.frequency_response(lqr_arm, opened="all").result()
