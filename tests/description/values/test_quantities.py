"""Numbers, angles and inertias as typed become SI numbers."""

import math

import numpy as np
import pytest
from description.arm_texts import changed
from hypothesis import given
from hypothesis import strategies as st

from flexarm.description import parse_arm
from flexarm.description.values.expression import Expression
from flexarm.errors import SpecError

numbers = st.floats(-1e6, 1e6)


def started_at(angle, rate="0"):
    text = changed(("[-90 deg]", f"[{angle}], joint_rates: [{rate}]"))
    return parse_arm(text).initial


@given(numbers)
def test_an_angle_in_degrees_is_that_angle_in_radians(value):
    assert started_at(f"{value!r} deg").joints[0] == math.radians(value)
    assert started_at(f"{value!r} rad").joints[0] == value
    assert started_at(repr(value)).joints[0] == value


@given(numbers)
def test_a_rate_in_degrees_is_that_rate_in_radians(value):
    assert started_at("0", f"{value!r} deg/s").joint_rates[0] == math.radians(value)
    assert started_at("0", f"{value!r}").joint_rates[0] == value


@pytest.mark.parametrize("text", ["30deg", "30 DEG", "deg", "30 deg/s", "1 2 deg", "pi/0", "1e400 deg"])
def test_what_is_no_angle_is_refused(text):
    if text == "30deg":
        assert started_at(text).joints[0] == math.radians(30)
        return
    with pytest.raises(SpecError, match=r"initial\.joints\[0\]"):
        started_at(text)


@pytest.mark.parametrize(
    ("typed", "inertia"),
    [
        ("2", (0, 0, 2, 0, 0, 0)),
        ("[1, 2, 3]", (1, 2, 3, 0, 0, 0)),
        ("[1, 2, 3, 0.1, 0.2, 0.3]", (1, 2, 3, 0.1, 0.2, 0.3)),
    ],
)
def test_payload_inertia_is_typed_in_three_ways(typed, inertia):
    assert parse_arm(changed(("{mass: 1.0}", f"{{inertia: {typed}}}"))).payload.inertia == inertia


def test_a_number_for_a_hub_s_inertia_is_about_z():
    assert parse_arm(changed(("  - {}", "  - {inertia: 2}"))).joints[0].inertia == (0, 0, 2)


@pytest.mark.parametrize(
    ("typed", "torque"),
    [("3", 3.0), ("'3'", 3.0), ("1e-2", 0.01), ("3*t", Expression("3*t")), ("3 + 1", Expression("3 + 1"))],
)
def test_a_torque_is_a_number_or_an_expression(typed, torque):
    arm = parse_arm(changed(("[null, null]", f"[{{torque: {typed}}}, null]")))
    assert arm.drive[0].torque == torque
    assert type(arm.drive[0].torque) is type(torque)


@pytest.mark.parametrize(("typed", "value"), [("30 deg", math.radians(30)), ("-0.5", -0.5), ("t/4", 0.5)])
def test_a_pd_reference_is_an_expression(typed, value):
    pd = f"[{{pd: {{kp: 1, kd: 2, reference: {typed}}}}}, null]"
    reference = parse_arm(changed(("[null, null]", pd))).drive[0].pd.reference
    assert reference.at(np.array([2.0])) == value


def test_whole_numbers_may_be_typed_with_an_exponent():
    arm = parse_arm(changed(("sample: 0.01", "sample: 0.01, max_steps: 1e6")))
    assert arm.run.max_steps == 1_000_000
    assert type(arm.run.max_steps) is int
