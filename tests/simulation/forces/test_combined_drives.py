"""Drives whose parts add up, against closed forms of a rigid link that turns about its end without gravity."""

import numpy as np
import pytest
from breadth import thinned
from scipy.integrate import cumulative_simpson

import flexarm
from flexarm.results.schema import TORQUE_PARTS
from flexarm.simulation.forward.batch import Batch, BatchItem
from flexarm.simulation.forward.free_motion import initial_state_of
from flexarm.simulation.forward.parametric_model import ParametricModel
from flexarm.solvers.dop853.layout import LANES

LENGTH, MU = 1.2, 2.5
J = MU * LENGTH**3 / 3
KP, KD, KI, R = 40.0, 9.0, 25.0, 0.7
LINEAR, LOOSE = 1e-8, 1e-5


def rod(drive, run="rtol: 1e-11, atol: 1e-13", more=""):
    return f"""
name: rod
gravity: [0, 0, 0]
links: [{{length: {LENGTH}, mu: {MU}}}]
initial: {{joints: [0.2], joint_rates: [-0.5]}}
drive: [{drive}]
run: {{duration: 3, sample: 0.02, {run}}}
{more}"""


def third_order(t, coefficients, start):
    """Free response of an equation of third order (highest coefficient first) from its first three derivatives."""
    roots = np.roots(coefficients)
    weights = np.linalg.solve(np.vander(roots, increasing=True).T, start)
    return np.real(np.exp(np.outer(t, roots)) @ weights)


@pytest.mark.parametrize("run", ["rtol: 1e-11, atol: 1e-13", "method: rk4, step: 5e-4",
                                 "method: radau, rtol: 1e-10, atol: 1e-12"])  # fmt: skip
def test_pid_on_a_rigid_link_is_linear_of_third_order(run):
    """J q_dd = kp e - kd q_d + ki int e: of e = q - r all three derivatives are known at the start."""
    result = flexarm.simulate(
        flexarm.parse_arm(rod(f"{{pd: {{kp: {KP}, kd: {KD}, ki: {KI}, reference: {R}}}}}", run))
    )
    e, e_d = 0.2 - R, -0.5
    exact = third_order(result.time, [J, KD, KP, KI], [e, e_d, -(KP * e + KD * e_d) / J])
    np.testing.assert_allclose(result.joint_angle[:, 0] - R, exact, atol=LINEAR)


def test_a_torque_adds_to_the_controller():
    """A constant disturbance: the integral part takes its place, ki int e -> -torque."""
    drive = f"{{torque: 3, pd: {{kp: {KP}, kd: {KD}, ki: {KI}, reference: {R}}}}}"
    result = flexarm.simulate(
        flexarm.parse_arm(rod(drive).replace("duration: 3, sample: 0.02", "duration: 20, sample: 0.005"))
    )
    e, e_d = 0.2 - R, -0.5
    exact = third_order(result.time, [J, KD, KP, KI], [e, e_d, (3 - KP * e - KD * e_d) / J])
    np.testing.assert_allclose(result.joint_angle[:, 0] - R, exact, atol=LINEAR)
    assert result.torque_integral[-1, 0] == pytest.approx(-3, abs=1e-4)
    parts = sum(result[f"torque_{name}"] for name in TORQUE_PARTS if f"torque_{name}" in result)
    np.testing.assert_allclose(result.torque, parts, atol=1e-12)
    integral = cumulative_simpson(R - result.joint_angle[:, 0], x=result.time, initial=0)
    np.testing.assert_allclose(result.torque_integral[:, 0], KI * integral, atol=1e-5)


def test_a_plain_drive_records_no_parts():
    for drive in ("{torque: 1}", "{pd: {kp: 1, kd: 1, reference: 0}}"):
        assert "torque_proportional" not in flexarm.simulate(flexarm.parse_arm(rod(drive)))


def test_a_reference_by_table_is_its_expression():
    times = np.linspace(0, 3, 61)
    table = f"{{times: {times.tolist()}, values: {np.sin(times).tolist()}}}"
    drive = "{{pd: {{kp: 40, kd: 9, reference: {}}}}}"
    found, exact = (
        flexarm.simulate(flexarm.parse_arm(rod(drive.format(each)))) for each in (table, "sin(t)")
    )
    np.testing.assert_allclose(found.joint_angle, exact.joint_angle, atol=1e-6)


SPATIAL = """
name: spatial
links: [{length: 0.6, mu: 2}, {length: 0.5, mu: 1.5}, {length: 0.4, mu: 1}]
joints: [{twist: 90 deg, offset: 0.1, mass: 0.4}, {twist: 40 deg, mass: 0.3}, {twist: -70 deg}]
payload: {mass: 0.8, offset: [0.05, 0.1, -0.2]}
"""


@pytest.mark.parametrize("seed", thinned(range(4), every=4))
def test_gravity_compensation_holds_a_rigid_arm_at_any_angle(seed):
    angles = np.random.default_rng(seed).uniform(-np.pi, np.pi, 3).tolist()
    text = (
        SPATIAL
        + f"initial: {{joints: {angles}}}\ndrive: [{', '.join(['{gravity_compensation: true}'] * 3)}]\n"
    )
    result = flexarm.simulate(flexarm.parse_arm(text + "run: {duration: 1, sample: 0.1}"))
    np.testing.assert_allclose(result.joint_angle, [angles] * 11, atol=1e-10)
    held = flexarm.static_equilibrium(flexarm.parse_arm(text), hold=angles)
    np.testing.assert_allclose(result.torque[0], held.torque, atol=1e-10)
    assert np.abs(held.torque).max() > 1  # N m


def test_gravity_compensation_of_one_joint_alone():
    """Joint 2 at rest under its own part of the weight, joint 1 locked."""
    text = """
name: one
links: [{length: 0.6, mu: 2}, {length: 0.5, mu: 1.5}]
joints: [{type: fixed, angle: 0.4}, {}]
initial: {joints: [0.4, 0.3]}
drive: [null, {gravity_compensation: true}]
run: {duration: 1, sample: 0.1}
"""
    result = flexarm.simulate(flexarm.parse_arm(text))
    np.testing.assert_allclose(result.joint_angle[:, 1], 0.3, atol=1e-12)
    np.testing.assert_allclose(result.torque[:, 1], 1.5 * 9.81 * 0.5**2 / 2 * np.cos(0.7), rtol=1e-12)


def test_instances_side_by_side_as_alone():
    """Gains, limits and motors are numbers of one model, in lanes as alone."""
    text = rod(
        "{pd: {kp: %s, kd: 9, ki: %s, reference: 0.7}, torque: sin(5*t), saturate: true}",
        more="joints: [{motor: {stall_torque: %s, no_load_speed: 3}}]",
    )
    arms = [flexarm.parse_arm(text % values) for values in ((40, 25, 8), (60, 0, 6), (20, 30, 12))[:LANES]]
    model = ParametricModel(arms)
    items = [BatchItem(each, initial_state_of(model, each)) for each in map(model.instance, arms)]
    (block,) = Batch(model, items).blocks()
    for arm, found in zip(arms, block, strict=True):
        expected = flexarm.simulate(arm)
        assert np.abs(expected.torque_limit).max() > 1
        for name in ("joint_angle", "torque", "torque_integral", "torque_limit"):
            np.testing.assert_allclose(found[name], expected[name], atol=1e-7)


WALL = "contact: {points: [O2], restitution: 0.5, walls: [{point: [0, 0.6], normal: [0, -1]}]}"


@pytest.mark.parametrize("method", ["dop853", "radau"])
def test_the_integral_goes_on_through_impacts_and_while_a_wall_holds_the_arm(method):
    """The reference lies beyond a wall, onto which the arm falls, bounces, and presses ever harder."""
    drive = "{pd: {kp: 40, kd: 2, ki: 25, reference: 1.2}}"
    text = rod(drive, f"method: {method}, rtol: 1e-9, atol: 1e-11", WALL).replace(
        "sample: 0.02", "sample: 0.0005"
    )
    result = flexarm.simulate(flexarm.parse_arm(text))
    assert len(result.impact_time) > 2
    at_wall = np.arcsin(0.5)
    np.testing.assert_allclose(result.joint_angle[-1, 0], at_wall, atol=1e-9)
    integral = cumulative_simpson(1.2 - result.joint_angle[:, 0], x=result.time, initial=0)
    np.testing.assert_allclose(result.torque_integral[:, 0], 25 * integral, atol=LOOSE)
    np.testing.assert_allclose(
        np.gradient(result.torque_integral[-99:, 0], result.time[-99:]), 25 * (1.2 - at_wall)
    )
    load = result.torque[-1, 0] / (LENGTH * np.cos(at_wall))
    assert result.contact_force[-1].sum() == pytest.approx(load, rel=1e-9)


def test_the_integral_goes_on_at_a_joint_limit():
    """The same with a stop of the joint: the rod bounces, comes to rest at the stop, and presses ever harder."""
    drive = "{pd: {kp: 40, kd: 2, ki: 25, reference: 1.2}}"
    stop = "joints: [{limits: {range: [-1, 0.5], restitution: 0.5}}]"
    text = rod(drive, "rtol: 1e-9, atol: 1e-11", stop).replace("sample: 0.02", "sample: 0.0005")
    result = flexarm.simulate(flexarm.parse_arm(text))
    np.testing.assert_allclose(result.joint_angle[-1, 0], 0.5, atol=1e-9)
    np.testing.assert_allclose(result.joint_velocity[-1, 0], 0, atol=1e-9)
    integral = cumulative_simpson(1.2 - result.joint_angle[:, 0], x=result.time, initial=0)
    np.testing.assert_allclose(result.torque_integral[:, 0], 25 * integral, atol=LOOSE)


def test_an_equilibrium_with_an_integral_part_is_at_the_reference():
    text = """
name: held
links: [{length: 1, mu: 2}, {length: 0.8, mu: 1, EI: 20, modes: 2}]
initial: {joints: [-1.2, 0.3], equilibrium: true}
joints: [{motor: {gear: 50, stall_torque: %s}}, {}]
drive:
  - {pd: {kp: 100, kd: 20, ki: 80, reference: 0.4}, gravity_compensation: true, saturate: true}
  - {pd: {kp: 30, kd: 6, reference: 0.3}}
run: {duration: 1, sample: 0.01}
"""
    arm = flexarm.parse_arm(text % 1.0)
    result, found = flexarm.simulate(arm), flexarm.static_equilibrium(arm)
    assert result.joint_angle[0, 0] == found.joint_angle[0] == 0.4
    np.testing.assert_allclose(result.joint_angle, [result.joint_angle[0]] * 101, atol=1e-9)
    np.testing.assert_allclose(result.torque[-1], found.torque, atol=1e-7)
    for compute in (flexarm.simulate, flexarm.static_equilibrium):
        with pytest.raises(flexarm.ModelError, match=r"reference of joint 1: it needs .* N m .* gives 5 N m"):
            compute(flexarm.parse_arm(text % 0.1))


SLIDE = """
name: slide
gravity: [0, -9.81, 0]
links: [{length: 0.4, mu: 5}]
joints: [{type: prismatic, axis: [0, 1, 0], motor: {gear: 50, stall_torque: 1.0}}]
initial: {joints: [0.1]}
drive: [{pd: {kp: 60, kd: 12, ki: 30, reference: 0.35}, gravity_compensation: true, saturate: true}]
run: {duration: 3, sample: 0.02, rtol: 1e-11, atol: 1e-13}
"""


def test_a_joint_that_slides_takes_the_same_drives():
    """A mass of 2 kg on a vertical guide: forces, and gains in N/m, N s/m, N/(m s)."""
    result = flexarm.simulate(flexarm.parse_arm(SLIDE))
    exact = third_order(result.time, [2, 12, 60, 30], [-0.25, 0, 0.25 * 60 / 2])
    np.testing.assert_allclose(result.joint_angle[:, 0] - 0.35, exact, atol=LINEAR)
    np.testing.assert_allclose(result.torque_gravity_compensation, 2 * 9.81, rtol=1e-12)
    assert [axes.get_ylabel() for axes in flexarm.plot(result, "torques").axes] == ["force (N)"]
