"""Arms made by replacing values are those that a file with the values would describe."""

import pytest
import yaml

import flexarm
from flexarm.errors import SpecError
from flexarm.simulation.forward.parametric_model import ParametricModel
from flexarm.sweeps.parameters.keys import KeyFault
from flexarm.sweeps.parameters.variation import Variation

ARM = """
name: varied
links:
  - {length: 1.0, mu: 2.0, EI: 800.0, damping: 0.01, modes: {family: clamped-free, count: 2}}
  - {length: 0.8, mu: {eta: [0, 0.8], values: [1.0, 0.5]}, EI: 300.0, modes: {family: polynomial, count: 1}}
  - {length: 0.5, mu: 1.0}
joints: [{friction: {viscous: 0.3}}, {motor: {inertia: 1.0e-4, gear: 50}}, {type: fixed, angle: 30 deg}]
payload: {mass: 0.5, inertia: 0.01}
initial: {joints: [10 deg, -0.4], modes: [0.01, 0.0, 0.0]}
drive: [{torque: 1.5}, null, null]
loads: [{at: tip, force: [1.0, 2.0, 0.0]}]
run: {duration: 0.3, sample: 0.01}
"""

CHANGES = {
    "links[0].EI": 700.0,
    "links[1].length": 0.8,
    "links[2].mu": 3.0,
    "joints[1].motor.gear": 20.0,
    "joints[2].angle": 0.1,
    "payload.mass": 0.25,
    "initial.modes[0]": 0.02,
    "gravity[0]": 1.0,
    "loads[0].force[1]": -1.0,
    "run.duration": 0.2,
}


def described(key: str, value: float) -> flexarm.Arm:
    """The arm as a file with the value at the key describes it."""
    data = yaml.safe_load(ARM)
    data["gravity"] = [0.0, -9.81, 0.0]
    *path, last = key.replace("[", ".").replace("]", "").split(".")
    parts = [int(part) if part.isdigit() else part for part in path]
    at = data
    for part in parts:
        at = at[part]
    at[int(last) if last.isdigit() else last] = value
    return flexarm.parse_arm(yaml.safe_dump(data))


@pytest.mark.parametrize("key", CHANGES)
def test_a_varied_arm_is_the_one_that_a_file_describes(key):
    assert Variation(ARM, [key]).arm([CHANGES[key]]) == described(key, CHANGES[key])


def test_arms_do_not_depend_on_those_made_before():
    variation = Variation(ARM, ["payload.mass", "links[0].EI"])
    first, other = variation.arm([0.1, 500.0]), variation.arm([0.2, 600.0])
    assert variation.arm([0.1, 500.0]) == first != other


def test_what_parts_demand_of_one_another_is_still_checked():
    with pytest.raises(SpecError, match=r"initial\.modes"):
        Variation(ARM, ["links[0].modes.count"]).arm([3])
    with pytest.raises(SpecError, match=r"payload\.mass"):
        Variation(ARM, ["payload.mass"]).arm([-1.0])


NAMED = """
name: named
parameters: {T: 0.4, EI: 200*T, l: 0.8, spare: 1, n: 2}
links:
  - {length: l, mu: 1.0, EI: EI, modes: n}
  - {length: l/2, mu: 1.0}
drive: [{torque: "2*sin(2*pi*t/T)"}, {pd: {kp: 5, kd: 1, reference: l}}]
run: {duration: 2*T, sample: 0.01}
"""


@pytest.mark.parametrize("values", [{"T": 0.3}, {"T": 0.5, "l": 0.6}, {"EI": 50.0}, {"n": 1.0}])
def test_a_varied_parameter_changes_all_that_depends_on_it(values):
    data = yaml.safe_load(NAMED)
    data["parameters"] |= values
    keys = [f"parameters.{name}" for name in values]
    assert Variation(NAMED, keys).arm(list(values.values())) == flexarm.parse_arm(yaml.safe_dump(data))


def test_arms_with_other_parameters_do_not_depend_on_those_made_before():
    variation = Variation(NAMED, ["parameters.T", "parameters.l"])
    first, other = variation.arm([0.3, 0.7]), variation.arm([0.5, 0.6])
    assert variation.arm([0.3, 0.7]) == first != other
    assert variation.arm([0.5, 0.7]).links != first.links


def test_parameters_inside_expressions_of_time_stay_numbers_of_one_model():
    variation = Variation(NAMED, ["parameters.T", "parameters.l"])
    model = ParametricModel([variation.arm(point) for point in ([0.3, 0.7], [0.5, 0.6])])
    assert model.state_equation.n_parameters


def test_a_key_may_replace_an_expression():
    arm = Variation(NAMED, ["links[0].length", "parameters.l"]).arm([0.5, 0.6])
    assert [link.length for link in arm.links] == [0.5, 0.3]


def test_keys_that_nothing_depends_on_are_refused():
    with pytest.raises(KeyFault, match=r"nothing depends on 'parameters\.spare'"):
        Variation(NAMED, ["parameters.spare"])
    with pytest.raises(KeyFault, match=r"unknown key 'parameters\.tau'"):
        Variation(NAMED, ["parameters.tau"])
    with pytest.raises(KeyFault, match=r"nothing depends on 'parameters\.EI'"):
        Variation(NAMED, ["links[0].EI", "parameters.EI"])


def test_what_is_wrong_with_a_value_names_the_point_and_the_expression():
    with pytest.raises(SpecError, match=r"parameters\.T = -1: run\.duration: got '2\*T' = -2, expected"):
        Variation(NAMED, ["parameters.T"]).arm([-1.0])


def test_values_may_be_expressions():
    texts = {"drive[0].torque": ("3*t/T", "2.5"), "links[0].EI": ("EI", "160")}
    variation = Variation(NAMED, ["drive[0].torque", "links[0].EI", "parameters.T"], texts)
    arms = [variation.arm(point) for point in ([1.0, 1.0, 0.4], [2.0, 2.0, 0.4], [1.0, 1.0, 0.2])]
    for arm, torque, stiffness in zip(arms, [3.0 / 0.4, 2.5, 3.0 / 0.2], [80.0, 160.0, 40.0], strict=True):
        assert (arm.drive[0].torque if arm is arms[1] else arm.drive[0].torque.at(1.0)) == pytest.approx(
            torque
        )
        assert arm.links[0].EI.y.values[0] == pytest.approx(stiffness)
