"""Arms with continuous controllers: closed loops of the linear model, drives that do the same, limits, sweeps."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from breadth import thinned
from paths import ROBOTS
from scipy.linalg import block_diag, expm, solve_continuous_are

import flexarm

RULER = (ROBOTS / "lqr_arm.yaml").read_text().partition("sensors:")[0]
NAMES = ("q", "bent", "root", "q_d", "tip_d", "middle_d")
SENSORS = """
sensors:
  q: {joint: 1}
  bent: {deflection: {link: 1, at: 1}}
  root: {curvature: {link: 1, at: 0}}
  q_d: {joint: 1, of: rate}
  tip_d: {velocity: tip, along: y, frame: link}
  middle_d: {velocity: {link: 1, at: 0.5}, along: y, frame: link}
  felt: {acceleration: tip, along: y, frame: link}
"""
RUN = "run: {duration: 0.5, sample: 0.005, rtol: 1e-10, atol: 1e-14}\n"
SMALL = 1e-5
"""Angle [rad] from which the arm starts: what is not linear is of second order in it."""
LINEAR = 1e-4
"""Difference to the linear model, of the largest value: far above SMALL, far below what a wrong gain leaves."""


@cache
def linear_model():
    return flexarm.linearize(flexarm.parse_arm(RULER + SENSORS), outputs=["tip", *NAMES, "felt"])


def gains():
    """LQR with weight 400 on tip_y, 20 on q, 0.2 on its rate, effort 4: K on the states of the linear model."""
    model = linear_model()
    tip = model.C[model.outputs.index("tip_y")]
    Q = 400 * np.outer(tip, tip) + np.diag([20, 0, 0, 0.2, 0, 0])
    P = solve_continuous_are(model.A, model.B, Q, np.array([[4.0]]))
    return model.B.T @ P / 4


def rows(*names):
    model = linear_model()
    return np.array([model.C[model.outputs.index(name)] for name in names])


def simulated(control, more=RUN):
    start = f"initial: {{joints: [{SMALL}]}}\n" if "initial" not in more else ""
    return flexarm.simulate(flexarm.parse_arm(f"{RULER}{SENSORS}{control}{start}{more}"))


def test_gains_of_a_linear_quadratic_regulator():
    """The published numbers of this arm; they fix its masses, modes and damping."""
    expected = [5.0249, 3.5424, 3.6707, 0.6861, 1.8583, -1.3318]
    np.testing.assert_allclose(gains()[0], expected, atol=6e-5)


def test_regulated_arm_moves_as_its_closed_loop_says():
    """Gains on six sensors that together know the state: from rest it moves as exp((A - B K) t) says."""
    model, K = linear_model(), gains()
    on_sensors = (-K @ np.linalg.inv(rows(*NAMES)))[0].tolist()
    result = simulated(
        f"controllers: {{lqr: {{gain: [{on_sensors}], inputs: [{', '.join(NAMES)}]}}}}\n"
        "drive: [{controller: lqr}]\n"
    )
    start = SMALL * np.eye(6)[0]
    states = np.array([expm((model.A - model.B @ K) * t) @ start for t in result.time])
    error = np.abs(result.joint_angle[:, 0] - states[:, 0]).max() / SMALL
    print(f"{error:.1e}")
    assert error < LINEAR
    np.testing.assert_allclose(result.controller("lqr"), result.torque[:, 0], rtol=1e-12)
    np.testing.assert_array_equal(result["torque_controller"], result["torque"])
    torque = -states @ K[0]
    assert np.abs(result.torque[:, 0] - torque).max() < LINEAR * np.abs(torque).max()


@pytest.mark.slow
def test_filters_and_accelerations_close_their_loops():
    """Two controllers, one after the other, one of which reads an acceleration: the loop put together by hand."""
    model, w = linear_model(), 2 * np.pi * 20
    result = simulated(
        "controllers:\n"
        "  slow: {low_pass: {frequency: 20 Hz, order: 2}, inputs: felt}\n"
        "  all: {sum: [-0.01, -3, -0.2], inputs: [slow, q, q_d]}\n"
        "drive: [{controller: all}]\n"
    )
    k = model.outputs.index("felt")
    Af, Bf = np.array([[0, w], [-w, -np.sqrt(2) * w]]), np.array([[0], [w]])
    u = np.concatenate([-3 * rows("q") - 0.2 * rows("q_d"), [[-0.01, 0]]], axis=1)  # of [x, filter]
    A = block_diag(model.A, Af)
    A[6:, :6] = Bf @ model.C[k : k + 1]
    A += np.concatenate([model.B, Bf @ model.D[k : k + 1]]) @ u
    states = np.array([expm(A * t) @ (SMALL * np.eye(8)[0]) for t in result.time])
    assert np.abs(result.joint_angle[:, 0] - states[:, 0]).max() < LINEAR * SMALL
    slow = states[:, 6]
    assert np.abs(result.controller("slow") - slow).max() < LINEAR * np.abs(slow).max()


PD = "{pd: {kp: 30, kd: 4, reference: 0.3*sin(3*t)}}"
GAINS = """
sensors: {q: {joint: 1}, q_d: {joint: 1, of: rate}}
controllers:
  r: {reference: 0.3*sin(3*t)}
  r_d: {reference: 0.9*cos(3*t)}
  pd: {gain: [30, 4, -30, -4], inputs: [r, r_d, q, q_d]}
"""
TWO_LINKS = """\
name: two
links: [{length: 1.0, mu: 2.0, EI: 200, modes: 1}, {length: 0.7, mu: 1.0}]
"""


def both_ways(text, tolerance):
    """An arm with a PD drive, and with the same as blocks, moves alike."""
    drive = flexarm.simulate(flexarm.parse_arm(f"{text}drive: [{PD}, null]\n"))
    blocks = flexarm.simulate(flexarm.parse_arm(f"{text}{GAINS}drive: [{{controller: pd}}, null]\n"))
    assert drive.status == blocks.status == "complete"
    np.testing.assert_allclose(blocks.joint_angle, drive.joint_angle, atol=tolerance)
    np.testing.assert_allclose(blocks.torque, drive.torque, atol=100 * tolerance)
    return blocks


@pytest.mark.parametrize(
    "formulation", thinned(["articulated", "gibbs-appell", "lagrangian", "elastodynamics"], every=2)
)
def test_blocks_do_what_a_drive_does_in_every_formulation(formulation):
    run = f"run: {{duration: 0.3, sample: 0.05, formulation: {formulation}}}\ngeometric_stiffening: false\n"
    both_ways(TWO_LINKS + run, 1e-9)


@pytest.mark.parametrize("method", ["rk4, step: 0.0005", "radau", "auto"])
def test_by_every_method(method):
    both_ways(f"{TWO_LINKS}run: {{duration: 0.3, sample: 0.05, method: {method}}}\n", 1e-8)


def test_with_walls_and_stops():
    walls = (
        "contact: {restitution: 0.5, walls: [{point: [0, -0.9], normal: [0, 1]}]}\n"
        "joints: [{}, {limits: [-0.6, 0.6]}]\nrun: {duration: 1.0, sample: 0.02}\n"
    )
    result = both_ways(TWO_LINKS + walls, 1e-6)
    assert result.impact_time.size
    assert result.limit_impact_time.size


def test_an_arm_that_floats_may_have_controllers():
    text = (
        "name: floating\nbase: planar\ngravity: [0, 0, 0]\n"
        "links: [{length: 1.0, mu: 20.0}, {length: 0.7, mu: 1.0, EI: 20, modes: 1}]\n"
        "sensors: {q: {joint: 2}, q_d: {joint: 2, of: rate}}\n"
    )
    pd = flexarm.parse_arm(f"{text}drive: [null, {{pd: {{kp: 3, kd: 0.5, reference: 1}}}}]\n")
    blocks = flexarm.parse_arm(
        f"{text}controllers: {{one: {{reference: 1}}, u: {{sum: [3, -3, -0.5], inputs: [one, q, q_d]}}}}\n"
        "drive: [null, {controller: u}]\n"
    )
    found = [flexarm.simulate(arm) for arm in (pd, blocks)]
    np.testing.assert_allclose(found[0].joint_angle, found[1].joint_angle, atol=1e-9)
    np.testing.assert_allclose(found[1].momentum, 0, atol=1e-9)


def test_integral_part_is_that_of_a_drive():
    pid = "{pd: {kp: 30, kd: 4, ki: 20, reference: 0.4}, saturate: false}"
    text = f"{TWO_LINKS}run: {{duration: 0.5, sample: 0.05}}\n"
    drive = flexarm.simulate(flexarm.parse_arm(f"{text}drive: [{pid}, null]\n"))
    blocks = (
        "sensors: {q: {joint: 1}, q_d: {joint: 1, of: rate}}\n"
        "controllers:\n  r: {reference: 0.4}\n  e: {sum: [1, -1], inputs: [r, q]}\n"
        "  pi: {pid: {kp: 30, ki: 20}, inputs: e}\n  u: {sum: [1, -4], inputs: [pi, q_d]}\n"
        "drive: [{controller: u}, null]\n"
    )
    result = flexarm.simulate(flexarm.parse_arm(text + blocks))
    np.testing.assert_allclose(result.joint_angle, drive.joint_angle, atol=1e-9)


def test_torques_add_up_within_the_limits_of_the_motor():
    text = (
        "name: rod\nlinks: [{length: 1, mu: 3}]\njoints: [{motor: {gear: 10, stall_torque: 0.5}}]\n"
        "controllers: {u: {reference: 4*t}}\n"
        "drive: [{torque: 2, gravity_compensation: true, controller: u, saturate: true}]\n"
    )
    result = flexarm.simulate(flexarm.parse_arm(text))
    weight = 3 * 9.81 * 0.5 * np.cos(result.joint_angle[:, 0])
    demand = 2 + weight + 4 * result.time
    np.testing.assert_allclose(result.torque[:, 0], np.clip(demand, -5, 5), rtol=1e-9)
    np.testing.assert_allclose(result["torque_controller"][:, 0], 4 * result.time, rtol=1e-12, atol=1e-15)


def test_several_outputs_drive_several_joints():
    text = (
        f"{TWO_LINKS}sensors: {{a: {{joint: 1}}, b: {{joint: 2}}}}\n"
        "controllers: {k: {gain: [[-9, 1], [2, -4]], inputs: [a, b]}}\n"
        "drive: [{controller: k.1}, {controller: k.2}]\n"
    )
    result = flexarm.simulate(flexarm.parse_arm(text))
    np.testing.assert_allclose(result.torque, result.joint_angle @ [[-9, 2], [1, -4]], rtol=1e-12)
    with pytest.raises(flexarm.FlexarmError, match=r"no controller 'k' \(.*k.1"):
        result.controller("k")


def test_a_rate_limit_follows_no_faster():
    """A reference that jumps by 1: the output goes along a line of the rate, then approaches it."""
    text = (
        "name: rod\ngravity: [0, 0, 0]\nlinks: [{length: 1, mu: 3}]\ncontrollers:\n  r: {reference: step(t - 0.2)}\n"
        "  u: {rate_limit: {rate: 2, frequency: 50}, inputs: r}\ndrive: [{controller: u}]\n"
    )
    result = flexarm.simulate(flexarm.parse_arm(text))
    w = 2 * np.pi * 50
    bend = 0.2 + (1 - 2 / w) / 2  # from where on the rate is w (1 - y) < 2
    line = np.clip(2 * (result.time - 0.2), 0, None)
    near = 1 - 2 / w * np.exp(-w * np.clip(result.time - bend, 0, None))
    np.testing.assert_allclose(result.controller("u"), np.where(result.time < bend, line, near), atol=1e-8)


@pytest.mark.slow
def test_sweeps_vary_gains_and_filters():
    text = (
        f"{TWO_LINKS}run: {{duration: 0.3, sample: 0.05}}\nsensors: {{q: {{joint: 1}}}}\ncontrollers:\n"
        "  f: {low_pass: {frequency: 5}, inputs: q}\n  u: {gain: -30, inputs: f}\ndrive: [{controller: u}, null]\n"
    )
    arm = flexarm.parse_arm(text)
    vary = {"controllers.f.low_pass.frequency": [2.0, 5.0], "controllers.u.gain": [-30.0, -20.0]}
    sweep = flexarm.sweep(arm, vary, series=["u", "joint_angle"], workers=1)
    for i, frequency in enumerate((2, 5)):
        for j, gain in enumerate((-30, -20)):
            one = text.replace("frequency: 5", f"frequency: {frequency}").replace(
                "gain: -30", f"gain: {gain}"
            )
            single = flexarm.simulate(flexarm.parse_arm(one))
            np.testing.assert_allclose(sweep["joint_angle"][i, j], single.joint_angle, atol=1e-9)
            np.testing.assert_allclose(sweep["u"][i, j], single.controller("u"), atol=1e-7)
