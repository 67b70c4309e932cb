"""Exported steps, compiled: by rk4 the motion is that of simulate with the same step, with sensors and controllers."""

from __future__ import annotations

import numpy as np
import pytest
from breadth import thinned
from compiled_step import GCC, CompiledStep
from paths import ROBOTS

import flexarm
from flexarm.export.step.c_step import c_step

needs_gcc = pytest.mark.skipif(GCC is None, reason="no gcc here")
PERIOD, PERIODS = 2.0**-10, 100
"""Seconds, of which multiples are exact numbers: so samples of a run at instants come after these."""
SAME = 1e-12
"""Of motions of order 1 over a tenth of a second, in which round-off of sums in another order grows little."""

RULER = (ROBOTS / "lqr_arm.yaml").read_text().partition("controllers:")[0] + "initial: {joints: [0.15]}\n"
SIX = (
    "name: six\nlinks:\n"
    + 6 * "  - {length: 0.3, mu: 0.5, EI: 50, modes: {family: clamped-free, count: 2}}\n"
    + "initial: {joints: [0.3, 0.3, 0.3, 0.3, 0.3, 0.3]}\n"
)
SIGNALS = RULER + (
    "drive:\n"
    "  - torque: {times: [0, 0.029296875, 0.048828125, 1], values: [0, 0.05, -0.04, 0], interpolation: linear}\n"
    "    pd: {kp: 1, kd: 0.1, reference: {times: [0, 0.02, 0.04, 1], values: [0.15, 0.2, 0.1, 0.3]}}\n"
    'loads: [{at: tip, force: [0, "0.1*step(t - 0.0205078125) + 0.01*sin(30*t)", 0]}]\n'
)
CONTINUOUS = RULER + (
    "controllers:\n"
    '  to: {reference: "0.3*min(t/0.048828125, 1)"}\n'
    "  error: {sum: [1, -1], inputs: [to, hub]}\n"
    "  lead: {lead: {zero: 1 Hz, pole: 20 Hz}, inputs: error}\n"
    "  soft: {low_pass: {frequency: 2 Hz}, inputs: gauge}\n"
    "  torque: {sum: [2, -600], inputs: [lead, soft]}\n"
    "  safe: {limit: [-0.5, 0.5], inputs: torque}\n"
    "drive: [{controller: safe}]\n"
)
SAMPLED = RULER.replace("hub: {joint: 1}", "hub: {joint: 1, resolution: 0.001, delay: 0.00390625}") + (
    "controllers:\n"
    "  to: {reference: 0.3}\n"
    "  error: {sum: [1, -1], inputs: [to, hub], period: 0.001953125}\n"
    "  pid: {pid: {kp: 2, ki: 1, kd: 0.15, derivative_filter: 50 Hz}, inputs: error, period: 0.001953125}\n"
    "  slow: {gain: -100, inputs: gauge, period: 0.0048828125, offset: 0.0029296875}\n"
    "  torque: {sum: [1, 1], inputs: [pid, slow]}\n"
    "drive: [{controller: torque}]\n"
)
LINEAR = """
name: linear
links:
  - {length: 0.5, mu: 0.8, EI: 60, modes: {family: clamped-free, count: 2}}
  - {length: 0.4, mu: 0.5, EI: 20, modes: {family: clamped-free, count: 2}}
joints: [{}, {friction: {viscous: 0.02}}]
payload: {mass: 0.2}
drive: [{pd: {kp: 40, kd: 4, reference: 45 deg}}, null]
"""
TEXTS = {"six": SIX, "signals": SIGNALS, "continuous": CONTINUOUS, "sampled": SAMPLED}
SHIPPED = (
    "usoro_two_link",
    "servo_arm",
    "elastic_joints_two_link",
    "wrist_arm",
    "slewing_satellite",
    "space_arm",
)


def described(name):
    return TEXTS[name] if name in TEXTS else (ROBOTS / f"{name}.yaml").read_text()


def with_run(text, **run):
    """The arm with another run, which goes beyond the periods: the last instant of a run is not sampled."""
    arm = flexarm.parse_arm(text, folder=ROBOTS)
    settings = {"duration": (PERIODS + 1) * PERIOD, "sample": PERIOD, "record": ()} | run
    return arm.model_copy(update={"run": arm.run.model_copy(update=settings)})


def moved(step, folder, u=(), periods=PERIODS):
    """Outputs (periods + 1, n) of a motion, and the compiled step at its end."""
    compiled = CompiledStep(step, folder)
    compiled.init()
    rows = [compiled.outputs(u)]
    rows += [compiled.step(u) for _ in range(periods)]
    assert compiled.t == pytest.approx(periods * step.substeps.period, rel=1e-14)
    return np.array(rows), compiled


@needs_gcc
@pytest.mark.parametrize("name", [*TEXTS, *thinned(SHIPPED, every=len(SHIPPED))])
def test_rk4_is_simulate_with_the_same_step(name, tmp_path):
    arm = flexarm.parse_arm(described(name), folder=ROBOTS)
    step = c_step(arm, period=PERIOD, inputs=[], outputs=["joints", "tip"])
    got, _ = moved(step, tmp_path)
    result = flexarm.simulate(with_run(described(name), method="rk4", step=PERIOD / step.substeps.count))
    n = result.joint_angle.shape[1]
    axes = ["xyz".index(name[-1]) for name in step.outputs[n:]]
    assert np.abs(got[:, :n] - result.joint_angle[:-1]).max() <= SAME
    assert np.abs(got[:, n:] - result.tip[:-1, axes]).max() <= SAME
    assert np.ptp(got[:, n:]) > 1e-6


@needs_gcc
@pytest.mark.parametrize("name", ["continuous", "sampled"])
def test_sensors_read_what_a_run_records(name, tmp_path):
    got, _ = moved(c_step(flexarm.parse_arm(TEXTS[name]), period=PERIOD), tmp_path)
    result = flexarm.simulate(with_run(TEXTS[name], method="rk4", step=PERIOD))
    for k, (sensor, _) in enumerate(result.arm.sensors):
        wanted = result.sensor(sensor)[:-1]
        assert np.abs(got[:, k] - wanted).max() <= 1e3 * SAME * max(1.0, np.abs(wanted).max()), sensor


@needs_gcc
def test_inputs_add_to_the_drives_and_steps_are_those_of_a_stepper(tmp_path):
    arm = flexarm.parse_arm(SAMPLED)
    step = c_step(arm, period=2 * PERIOD, inputs=["torque[1]"], outputs=["hub", "bent", "tip"], substeps=10)
    compiled = CompiledStep(step, tmp_path)
    compiled.init()
    stepper = with_run(SAMPLED, duration=1.0, rtol=1e-11, atol=1e-13).stepper(
        period=2 * PERIOD, inputs=["torque[1]"], outputs=["hub", "bent", "tip"]
    )
    stepper.reset()
    for k in range(60):
        u = [0.1 * np.sin(k)]
        assert compiled.step(u) == pytest.approx(
            stepper.step(u)[0], abs=1e-8
        )  # rk4 at a hundredth of a vibration


@needs_gcc
def test_inputs_drive_joints_that_nothing_else_does(tmp_path):
    text = LINEAR.partition("drive:")[0]
    step = c_step(
        flexarm.parse_arm(text),
        inputs=["torque[2]"],
        outputs=["tip"],
        parameters=["payload.mass"],
        period=PERIOD,
    )
    got, _ = moved(step, tmp_path, [0.7])
    described = with_run(
        text + "drive: [null, {torque: 0.7}]\n", method="rk4", step=PERIOD / step.substeps.count
    )
    assert np.abs(got - flexarm.simulate(described).tip[:-1, :2]).max() <= SAME


@pytest.mark.slow
@needs_gcc
def test_numbers_left_open_are_those_of_the_description(tmp_path):
    keys = {
        "payload.mass": 0.5,
        "drive[0].pd.kp": 77.0,
        "joints[1].friction.viscous": 0.04,
        "links[1].EI": 35.0,
        "gravity[1]": -1.6,
    }
    arm = flexarm.parse_arm(LINEAR)
    step = c_step(arm, period=PERIOD, inputs=[], outputs=["tip"], parameters=list(keys))
    compiled = CompiledStep(step, tmp_path)
    compiled.p[: len(keys)] = list(keys.values())
    compiled.init()
    got = np.array([compiled.step() for _ in range(PERIODS)])
    changed = with_run(arm.replace(keys).text, method="rk4", step=PERIOD / step.substeps.count)
    assert np.abs(got - flexarm.simulate(changed).tip[1:-1, :2]).max() <= SAME
    assert np.abs(got - flexarm.simulate(with_run(LINEAR)).tip[1:-1, :2]).max() > 1e-3


@needs_gcc
def test_two_states_do_not_know_of_each_other(tmp_path):
    step = c_step(flexarm.parse_arm(SAMPLED), period=PERIOD, inputs=["torque[1]"], outputs=["tip"])
    alone, _ = moved(step, tmp_path / "alone", [0.1], periods=10)
    first, second = (CompiledStep(step, tmp_path / name) for name in ("first", "second"))
    for each in (first, second):
        each.init()
    for k in range(10):
        second.step([-0.3])
        assert (first.step([0.1]) == alone[k + 1]).all()


def test_the_file_allocates_nothing_and_has_no_variables_of_its_own():
    text = c_step(flexarm.parse_arm(SIGNALS), period=PERIOD).text
    code = text[text.index("*/") :]
    assert "malloc" not in code
    statics = [line for line in code.splitlines() if line.startswith(("static", "double", "int", "unsigned"))]
    assert all("(" in line or line.startswith("static const") for line in statics)


def test_rk4_takes_the_substeps_that_the_fastest_pole_asks_for():
    step = c_step(flexarm.parse_arm(SIX), period=PERIOD, outputs=["tip"])
    chosen = step.substeps
    pole = abs(chosen.fastest.pole)
    # undamped: on the imaginary axis rk4 is stable up to 2 sqrt(2)
    assert chosen.stable_step == pytest.approx(8**0.5 / pole, rel=1e-3)
    assert 5e3 < pole < 2e4
    assert chosen.stable_step < PERIOD
    assert chosen.step <= 0.8 * chosen.stable_step
    assert f"{chosen.count} substeps" in step.text
    assert str(chosen.fastest.part) in step.text


@pytest.mark.slow
def test_too_few_substeps_are_said():
    (note,) = c_step(flexarm.parse_arm(SIX), period=PERIOD, substeps=1).notes
    assert "unstable" in note
    assert c_step(flexarm.parse_arm(SIX), period=PERIOD, substeps=1, method="rosenbrock").notes == ()


def test_substeps_fit_the_clocks():
    chosen = c_step(flexarm.parse_arm(SAMPLED), period=4 * PERIOD).substeps
    assert chosen.count == 4
    assert sorted(chosen.instants) == [(2, 0), (5, 3)]
