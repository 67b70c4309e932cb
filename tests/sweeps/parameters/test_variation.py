"""Arms made by replacing values are those that a file with the values would describe."""

import pytest
import yaml

import flexarm
from flexarm.errors import SpecError
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
