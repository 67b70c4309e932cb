"""Keys of joints: their units follow from the joint's type; numbers of its place and of bodies are varied."""

import numpy as np
import pytest
from paths import ROBOTS

import flexarm
from flexarm.errors import SpecError
from flexarm.sweeps.measures.inverse_measures import inverse_measures
from flexarm.sweeps.measures.recorded_quantities import quantity
from flexarm.sweeps.measures.scalar_measures import default_measures
from flexarm.sweeps.parameters.keys import meaning
from flexarm.sweeps.parameters.variation import Variation

TEXT = """
name: lift
gravity: [0, 0, -9.81]
links: [{length: 0, body: {mass: 4}}, {length: 0.5, mu: 1}, {length: 0.3, mu: 1}]
joints:
  - type: prismatic
    origin: {xyz: [0, 0, 0.5]}
    axis: [0, 0, 1]
    limits: {range: [-.inf, 2]}
    friction: {viscous: 1}
    motor: {gear: 50}
  - {type: fixed, angle: 0.3}
  - {friction: {viscous: 1}, motor: {gear: 50}}
initial: {joints: [0.2, 10 deg], joint_rates: [0, 0]}
drive: [{pd: {kp: 1000, kd: 100, reference: 0.2}}, null, {pd: {kp: 10, kd: 1, move: {to: 0, duration: 0.1}}}]
run: {duration: 0.1, sample: 0.05}
"""
UNITS = {
    "initial.joints[0]": "m",
    "initial.joints[1]": "rad",
    "initial.joint_rates[0]": "m/s",
    "joints[0].friction.viscous": "N s/m",
    "joints[2].friction.viscous": "N m s/rad",
    "joints[0].friction.coulomb": "N",
    "joints[0].motor.gear": "rad/m",
    "joints[2].motor.gear": "1",
    "joints[0].limits.range[1]": "m",
    "drive[0].pd.kp": "N/m",
    "drive[2].pd.kp": "N m/rad",
    "drive[2].pd.kd": "N m s/rad",
    "drive[0].pd.kd": "N s/m",
    "drive[2].pd.move.to": "rad",
    "joints[0].origin.xyz[2]": "m",
    "links[0].body.mass": "kg",
    "payload.mass": "kg",
}


@pytest.mark.parametrize("key", UNITS)
def test_units_of_keys(key):
    variation = Variation(TEXT, [key])
    ((slot,),) = variation.slots
    assert meaning(variation.data, variation.base, slot)[1] == UNITS[key]


def test_a_list_with_the_fixed_joints_counts_them():
    variation = Variation(
        TEXT.replace("[0.2, 10 deg]", "[0.2, 0.3, 10 deg]"), ["initial.joints[1]", "initial.joints[0]"]
    )
    units = [meaning(variation.data, variation.base, slots[0])[1] for slots in variation.slots]
    assert units == ["rad", "m"]


@pytest.mark.parametrize(
    ("key", "value", "height"),
    [
        ("joints[0].origin.xyz[2]", 0.9, 0.9 + 0.2),
        ("initial.joints[0]", 0.4, 0.5 + 0.4),
        ("joints[0].axis[2]", -3.0, 0.5 - 0.2),
    ],
)
def test_the_place_of_a_joint_is_varied(key, value, height):
    """Height of the tip of the arm, which is level."""
    arm = flexarm.parse_arm(TEXT).replace(key, value)
    assert flexarm.check_arm(arm).tip[2] == pytest.approx(height, abs=1e-14)


@pytest.mark.slow
def test_bodies_and_axes_in_a_sweep():
    arm = flexarm.parse_arm(TEXT)
    found = flexarm.sweep(
        arm, {"links[0].body.mass": [2.0, 4.0], "joints[0].axis[0]": [0.0, 1.0]}, record=["final_tip"]
    )
    assert found["final_tip_z"].shape == (2, 2)
    assert np.isfinite(found["final_tip_z"]).all()
    weights = [
        flexarm.static_equilibrium(arm.replace("links[0].body.mass", m), hold="initial").torque[0]
        for m in (2, 4)
    ]
    np.testing.assert_allclose(np.diff(weights), 2 * 9.81, rtol=1e-12)


def test_an_axis_of_length_0_is_named():
    with pytest.raises(SpecError, match="axis: got a vector of length 0"):
        flexarm.parse_arm(TEXT).replace("joints[0].axis[2]", 0.0)


@pytest.mark.parametrize("key", ["initial.joints[0]", "initial.joint_rates[0]", "drive[0].pd.reference"])
def test_angles_where_a_joint_slides(key):
    unit = "deg/s" if "rates" in key else "deg"
    with pytest.raises(SpecError, match="got an angle, expected a number in m"):
        flexarm.parse_arm(TEXT).replace(key, f"10 {unit}")


@pytest.mark.parametrize(("kind", "unit"), [("revolute", "rad"), ("prismatic", "m")])
def test_limits_have_their_joints_unit(kind, unit):
    text = f"name: a\nlinks: [{{length: 1, mu: 1}}]\njoints: [{{type: {kind}, limits: [-1, 1]}}]"
    variation = Variation(text, ["joints[0].limits[1]"])
    ((slot,),) = variation.slots
    assert meaning(variation.data, variation.base, slot)[1] == unit


def test_motors_have_their_joints_unit():
    spring = "stiffness: 9, motor: {inertia: 1, gear: 1}"
    text = f"""
name: a
links: [{{length: 1, mu: 1}}, {{length: 1, mu: 1}}, {{length: 1, mu: 1}}]
joints: [{{}}, {{type: prismatic, {spring}}}, {{{spring}}}]
initial: {{joints: [0, 0, 0], motors: [0, 0], motor_rates: [0, 0]}}
"""
    for key, unit in (("motors[0]", "m"), ("motors[1]", "rad"), ("motor_rates[0]", "m/s")):
        variation = Variation(text, [f"initial.{key}"])
        ((slot,),) = variation.slots
        assert meaning(variation.data, variation.base, slot)[1] == unit


def test_repetitions_are_no_key():
    arm = flexarm.parse_arm("name: a\nlinks: [{repeat: 2, length: 1, mu: 1}]")
    with pytest.raises(SpecError, match=r"unknown key 'links\[0\].repeat'"):
        flexarm.sweep(arm, {"links[0].repeat": [1, 2]})


def test_quantities_have_their_joints_unit():
    arm = flexarm.parse_arm(TEXT)
    assert [quantity(f"joint_angle[{i}]", arm).units for i in (0, 1, 2, -1, -3)] == [
        "m",
        "rad",
        "rad",
        "rad",
        "m",
    ]
    assert quantity("torque[0]", arm).units == "N"
    assert quantity("torque", arm).units == "N, N m, N m"
    assert quantity("tip", arm).units == "m"


@pytest.mark.slow
def test_forces_and_torques_are_recorded_apart():
    arm = flexarm.parse_arm(TEXT)
    run = flexarm.simulate(arm)
    found = flexarm.sweep(arm, {"payload.mass": [0.0]}, record=["max_torque", "max_force"])
    assert found["max_force"][0] == pytest.approx(np.abs(run.torque[:, 0]).max(), rel=1e-9)
    assert found["max_torque"][0] == pytest.approx(np.abs(run.torque[:, 1:]).max(), rel=1e-9)
    assert {"max_torque", "max_force"} <= set(default_measures(arm))
    assert "max_force" not in default_measures(flexarm.load_arm(ROBOTS / "usoro_two_link.yaml"))


def test_the_height_of_the_tip_is_recorded_where_it_can_change():
    turning = flexarm.load_arm(ROBOTS / "usoro_two_link.yaml")
    assert "final_tip_z" not in default_measures(turning)
    assert "final_tip_z" in default_measures(flexarm.parse_arm(TEXT))
    level = TEXT.replace("xyz: [0, 0, 0.5]", "xyz: [0, 0.5, 0]").replace("axis: [0, 0, 1]", "axis: [1, 0, 0]")
    assert "final_tip_z" not in default_measures(flexarm.parse_arm(level))


def test_records_of_inverse_runs():
    measures = inverse_measures(flexarm.parse_arm(TEXT))
    units = {name: one.units for name, one in measures.items()}
    assert (units["max_force"], units["max_rigid_force"], units["force_difference"]) == ("N", "N", "N")
    assert (units["max_torque"], units["max_torque[0]"], units["max_torque[2]"]) == ("N m", "N", "N m")
    sliding = flexarm.parse_arm(
        "name: a\nlinks: [{length: 0, body: {mass: 1}}]\njoints: [{type: prismatic}]\n"
    )
    assert "max_torque" not in inverse_measures(sliding)
