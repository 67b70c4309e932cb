"""Controllers that are Python functions: what blocks do, with every method, with state, and their faults."""

from __future__ import annotations

import numpy as np
import pytest

import flexarm
from flexarm.errors import ModelError, SpecError

ROD = """
name: rod
gravity: [0, 0, 0]
links: [{length: 1, mu: 3}, {length: 0.5, mu: 2, EI: 20, modes: 1, damping: 0.05}]
sensors:
  q: {joint: 1, noise: 1e-3}
  v: {joint: 1, of: rate}
  tip: {position: tip, along: y}
"""
RUN = "run: {duration: 1.0, sample: 0.01, seed: 2}\n"
BLOCKS = """
controllers:
  twice: {gain: [[1, 0], [0, -2]], inputs: [q, v], period: 0.01}
  soft: {low_pass: {frequency: 20}, inputs: twice.2}
  u: {sum: [-20, 3, 0.1], inputs: [twice.1, soft, tip], period: 0.02, offset: 0.01}
drive: [{controller: u}, null]
initial: {joints: [0.3, 0]}
"""
FUNCTIONS = (
    BLOCKS
    .replace("gain: [[1, 0], [0, -2]]", "function: twice, outputs: 2")
    .replace("sum: [-20, 3, 0.1]", "function: weigh")
)  # fmt: skip


def twice(t, u):
    return [u[0], -2 * u[1]]


def weigh(t, u):
    return u @ [-20, 3, 0.1]


@pytest.mark.parametrize("method", ["dop853", "radau", "auto", "rk4, step: 0.001"])
def test_functions_do_what_blocks_do(method):
    """Two clocks, one function that follows another through a filter, and noise."""
    run = RUN.replace("seed", f"method: {method}, seed")
    blocks = flexarm.simulate(flexarm.parse_arm(ROD + BLOCKS + run))
    found = flexarm.simulate(
        flexarm.parse_arm(ROD + FUNCTIONS + run), functions={"twice": twice, "weigh": weigh}
    )
    assert np.abs(blocks.torque[:, 0]).max() > 1
    np.testing.assert_allclose(found.joint_angle, blocks.joint_angle, atol=1e-9)
    np.testing.assert_allclose(found.controller("u"), blocks.controller("u"), atol=1e-7)


def test_a_function_sees_what_another_one_has_just_computed():
    """In the order of what is read, not of the description; both at the same instant."""
    text = (
        f"{ROD.replace(', noise: 1e-3', '')}controllers:\n  last: {{function: last, inputs: first, period: 0.1}}\n"
        f"  first: {{function: first, inputs: [], period: 0.1}}\n{RUN}"
    )
    seen = []
    functions = {"first": lambda t, u: t + 1, "last": lambda t, u: seen.append((t, u[0])) or u[0] / 2}
    result = flexarm.simulate(flexarm.parse_arm(text), functions=functions)
    times, values = np.transpose(seen)
    np.testing.assert_allclose(times, 0.1 * np.arange(10), atol=1e-12)
    np.testing.assert_allclose(values, times + 1)
    np.testing.assert_allclose(result.controller("last")[1:-1:10], (1 + times) / 2, atol=1e-12)


def test_a_class_has_state_and_begins_each_run_anew():
    class Integral:
        def __init__(self):
            self.sum = 0.0

        def __call__(self, t, u):
            self.sum += 0.02 * u[0]
            return -5 * u[0] - 2 * self.sum - 3 * u[1]

    control = (
        "controllers: {pi: {function: pi, inputs: [q, v], period: 0.02}}\ndrive: [{controller: pi}, null]\n"
        "initial: {joints: [0.3, 0]}\n"
    )
    arm = flexarm.parse_arm(ROD + control + RUN)
    one, two = (flexarm.simulate(arm, functions={"pi": Integral}) for _ in range(2))
    assert one.joint_angle.tobytes() == two.joint_angle.tobytes()
    assert np.abs(one.joint_angle[-1, 0]) < 0.2


def test_between_stops():
    """Events end pieces of the run between the instants; a function there does what a block does."""
    text = (
        "name: rod\ngravity: [0, 0, 0]\nlinks: [{length: 1, mu: 3}]\njoints: [{limits: [-1, 0.2]}]\n"
        "sensors: {q: {joint: 1}}\ncontrollers: {u: {GAIN, inputs: q, period: 0.05}}\ndrive: [{controller: u}]\n"
        "initial: {joint_rates: [1.0]}\nrun: {duration: 1.0, sample: 0.01}\n"
    )
    block = flexarm.simulate(flexarm.parse_arm(text.replace("GAIN", "gain: -4")))
    found = flexarm.simulate(
        flexarm.parse_arm(text.replace("GAIN", "function: u")), functions={"u": lambda t, u: -4 * u}
    )
    assert block.joint_angle.max() == pytest.approx(0.2, abs=1e-4)
    np.testing.assert_allclose(found.joint_angle, block.joint_angle, atol=1e-9)


def test_a_stepper_calls_them_too():
    arm = flexarm.parse_arm(ROD + FUNCTIONS + RUN).with_functions({"twice": twice, "weigh": weigh})
    stepper = arm.stepper(period=0.01, inputs=["torque[2]"], outputs=["tip"])
    stepper.reset(seed=2)
    ends = [stepper.step(0.0)[0][0] for _ in range(50)]
    result = flexarm.simulate(flexarm.parse_arm(ROD + BLOCKS + RUN))
    np.testing.assert_allclose(ends, result.sensor("tip")[1:51], atol=1e-6)


CONTROL = "controllers: {f: {function: f, inputs: [q, v], period: 0.1}}\ndrive: [{controller: f}, null]\n"


def raising(t, u):
    return 1 / (t - t)


@pytest.mark.parametrize(
    ("function", "words"),
    [
        (lambda t, u: float("nan") if t > 0.25 else 0.0, "controllers.f at t = 0.3 s: the function returned nan"),
        (raising, "controllers.f at t = 0 s: the function raised ZeroDivisionError: float division by zero"),
        (lambda t, u: u, "controllers.f at t = 0 s: the function returned 2 numbers, expected 1"),
        (lambda t, u: "left", "controllers.f at t = 0 s: the function returned 'left', expected numbers"),
        (lambda t, u: None, "the function returned None, expected"),
        (3, "functions: 'f' is 3, which cannot be called"),
    ],
)  # fmt: skip
def test_faults_of_functions_are_one_line_with_name_and_time(function, words):
    with pytest.raises(ModelError) as caught:
        flexarm.simulate(flexarm.parse_arm(ROD + CONTROL + RUN), functions={"f": function})
    assert words in str(caught.value)
    assert len(str(caught.value).splitlines()) == 1


def test_what_lacks_functions_is_said(tmp_path):
    arm = flexarm.parse_arm(ROD + CONTROL + RUN)
    with pytest.raises(ModelError, match=r"rod: controllers\.f: no function 'f' is given"):
        flexarm.simulate(arm)
    with pytest.raises(ModelError, match="no controller names 'g'"):
        flexarm.simulate(arm, functions={"g": twice})
    with pytest.raises(ModelError, match="f is a Python function, of which there is no linear model"):
        flexarm.linearize(arm)
    assert flexarm.linearize(arm, opened="f").inputs == ("f",)
    with pytest.raises(SpecError, match="a function needs a period"):
        flexarm.parse_arm(ROD + CONTROL.replace(", period: 0.1", ""))
    with pytest.raises(SpecError, match="a gain has as many outputs as it has"):
        flexarm.parse_arm(ROD + CONTROL.replace("function: f", "gain: [[1, 2]], outputs: 1"))
