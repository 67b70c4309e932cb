"""Gradients through kinks of prescribed motions, against closed forms and differences of runs."""

import numpy as np
import pytest
from differences_of_runs import check_against_runs, check_tip

import flexarm
from flexarm.errors import ModelError

SLIDER = """\
name: slider
gravity: [0, 0, 0]
joints: [{type: prismatic, axis: [1, 0, 0]}, {}]
links: [{length: 0.3, mu: 1}, {length: l, mu: 0.7}]
parameters: {l: 0.6, v: 0.4, t1: 0.25}
drive: [{motion: 'v*max(0, t - t1)'}, null]
initial: {joints: [0, 0.7], joint_rates: [0, 1.1]}
run: {duration: 1.0, sample: 0.01, rtol: 1e-12, atol: 1e-14}
"""


def slider_angle(t, l, v, t1, q0, r):
    """Angle of a free uniform rod whose end begins to slide along x at t1 with v: q_d jumps by 3 v sin(q)/(2 l)."""
    behind = t >= np.real(t1)
    q = q0 + r * np.where(behind, t1, t)
    return q + np.where(behind, (t - t1) * (r + 1.5 * v / l * np.sin(q)), 0)


def test_a_slide_that_begins_at_once():
    """Between its kinks a slide changes nothing for the rod: its angle is in closed form."""
    keys = ["parameters.l", "parameters.v", "parameters.t1", "initial.joints[1]", "initial.joint_rates[1]"]
    found = flexarm.gradient(flexarm.parse_arm(SLIDER), ["joint_angle[1]"], keys)
    np.testing.assert_allclose(
        found.series["joint_angle[1]"], slider_angle(found.times, *found.at), atol=1e-11
    )
    for k, key in enumerate(keys):
        moved = found.at + 1e-30j * np.eye(len(keys))[k]
        expected = slider_angle(found.times, *moved).imag / 1e-30
        # tolerances of 1e-12, of a size of 1
        np.testing.assert_allclose(found["joint_angle[1]", key], expected, atol=1e-10, err_msg=key)


@pytest.mark.slow
def test_a_slide_that_begins_within_a_short_time():
    """Of a kink that is rounded over a time the derivatives differ in proportion to it."""
    sharp, keys = "v*max(0, t - t1)", ["parameters.l", "parameters.v", "parameters.t1"]
    kink = flexarm.gradient(flexarm.parse_arm(SLIDER), ["joint_angle[1]"], keys)
    differ = []
    for s in (0.004, 0.002):
        rounded = f"v*max(0, min(t - t1 + {s}, {2 * s}))**2/{4 * s} + v*max(0, t - t1 - {s})"
        found = flexarm.gradient(flexarm.parse_arm(SLIDER.replace(sharp, rounded)), ["joint_angle[1]"], keys)
        pairs = [(kink["joint_angle[1]", key], found["joint_angle[1]", key]) for key in keys]
        differ.append([np.abs(a - b)[30:].max() for a, b in pairs])
    np.testing.assert_allclose(differ[0], 2 * np.array(differ[1]), rtol=0.02)


BEAMS = """\
name: beams
links:
  - {length: 0.7, mu: 0.9, EI: 30, modes: 2, damping: 0.02}
  - {length: 0.5, mu: 0.5, EI: 8, modes: 1, damping: 0.02}
parameters: {v: 0.6, t1: 0.1237, t2: 0.3511}
payload: {mass: 0.3, inertia: 0.01}
drive: [{motion: 'v*min(max(0, t - t1), t2)'}, null]
initial: {joints: [0, -0.4]}
run: {duration: 0.6, sample: 0.01, rtol: 1e-10, atol: 1e-13}
"""
SAMPLED = """\
sensors: {hub: {joint: 2, period: 0.01}}
controllers: {c: {pid: {kp: 3, ki: 2, kd: 0.1, derivative_filter: 20 Hz}, inputs: hub, period: 0.02}}
"""
ELASTIC = "joints: [{stiffness: 200, damping: 0.1, motor: {inertia: 0.05, gear: 1}}, {}]\n"
KEYS = ["parameters.v", "parameters.t1", "parameters.t2", "links[0].EI", "payload.mass", "links[1].length"]
ARMS = {
    "beams": BEAMS,
    "radau": BEAMS.replace("run: {", "run: {method: radau, "),
    "elastic": BEAMS.replace("drive:", ELASTIC + "drive:"),
    "space": BEAMS.replace("drive:", "joints: [{axis: [0, 0, 1]}, {axis: [0, 1, 0.2]}]\ndrive:"),
    "sampled": BEAMS.replace("drive:", SAMPLED + "drive:").replace("null]", "{controller: c}]"),
}


@pytest.mark.parametrize("name", ARMS)
def test_kinks_against_differences_of_runs(name):
    check_tip(flexarm.parse_arm(ARMS[name]), KEYS, step=1e-4, rtol=1e-7)


@pytest.mark.slow
def test_one_record_by_many_numbers():
    """The discrete adjoint leaves kinks to the variational equations."""
    keys = [*KEYS, "links[0].mu", "links[1].mu", "links[0].length", "payload.inertia", "initial.joints[1]"]
    arm = flexarm.parse_arm(BEAMS)
    alone, both = (
        flexarm.gradient(arm, of, keys) for of in (["final_tip_y"], ["final_tip_y", "final_tip_x"])
    )
    np.testing.assert_array_equal(alone.derivative[0], both.derivative[0])


@pytest.mark.slow
def test_the_time_of_a_kink_is_fitted():
    """From a free joint whose angle is measured with noise: within three standard errors."""
    true = {"links[0].EI": 30.0, "parameters.t1": 0.1237}
    arm = flexarm.parse_arm(BEAMS)
    run = flexarm.simulate(arm)
    noise = 1e-4 * np.random.default_rng(1).standard_normal(run.time.size)
    data = {"time": run.time, "q": run.joint_angle[:, 1] + noise}
    start = arm.replace({"links[0].EI": 24.0, "parameters.t1": 0.11})
    found = flexarm.identify(start, data=data, columns="time, q=joint_angle[1]", fit=list(true))
    assert np.all(np.abs(found.values - list(true.values())) < 3 * np.asarray(found.standard_errors))


WALL = "contact: {restitution: 0.6, walls: [{point: [0, -0.35], normal: [0, 1]}]}\n"


@pytest.mark.slow
def test_kinks_beside_impacts():
    check_against_runs(
        flexarm.parse_arm(BEAMS + WALL), ["parameters.t1", "parameters.v", "links[0].EI"], step=1e-5
    )


def test_a_kink_while_a_wall_is_touched():
    text = SLIDER.replace("[0, 0, 0]", "[0, -9.81, 0]").replace("0.7], joint_rates: [0, 1.1]", "-0.4]")
    wall = "contact: {restitution: 0, walls: [{point: [0, -0.3], normal: [0, 1]}]}\n"
    with pytest.raises(ModelError, match="kink while a wall or limit is touched"):
        flexarm.gradient(flexarm.parse_arm(text + wall), ["tip"], ["parameters.v"])
