"""What is said of touches of soft walls, and files that hold them."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from click.testing import CliRunner

import flexarm
from flexarm.cli.main import main
from flexarm.results.events.impacts import has_impacts, impact_summary
from flexarm.results.events.touches import touch_records, touch_summary

TEXT = """
name: rod
links: [{length: 1, mu: 1}]
initial: {joints: [20 deg]}
contact:
  points: O2
  walls:
    - {point: [0, -9], normal: [0, 1]}
    - {point: [0, 0], normal: [0, 1], stiffness: 1e4, damping: 0.3, friction: 0.2}
run: {duration: 1.5, sample: 0.005}
"""

SOFT = TEXT.replace("    - {point: [0, -9], normal: [0, 1]}\n", "")
"""Without the rigid wall."""


def test_a_file_has_all_touches_and_the_command_says_them(tmp_path):
    arm, out = tmp_path / "rod.yaml", tmp_path / "rod.h5"
    arm.write_text(TEXT)
    said = CliRunner().invoke(main, ["simulate", str(arm), "-v", "-o", str(out)]).output
    result = flexarm.open_result(out)
    records = touch_records(result)
    assert len(records) > 2
    for record in records:
        assert (record.point, record.wall) == ("O2", 2)
        assert record.before < 0
        assert f"O2 in wall 2 from {record.begin:.6f}" in said
    for before, after in pairwise(records):
        assert before.begin < before.end < after.begin
        assert 0 < before.after < -before.before
    number, deepest, *_ = touch_summary(result)
    assert number.startswith(f"{len(records)} touches of soft walls, the first at {records[0].begin:.6f} s")
    assert f"damping took {result.energy_lost_contact[-1]:.3g} J" in number
    assert f"{result.contact_penetration.max():.4g} m in wall 2" in deepest
    assert number in said
    assert deepest in said
    assert "0 impacts" in said
    assert ("in a soft wall at the end: O2" in said) == bool(result.contact_force[-1].any())
    assert "at rest on a wall" not in said


def test_depth_and_force_belong_together():
    result = flexarm.simulate(flexarm.parse_arm(TEXT))
    depth, rate = result.contact_penetration[:, 0, 1], -result.point_velocity[:, -1, 1]
    expected = 1e4 * depth**1.5 * np.maximum(1 + 0.3 * rate, 0)
    np.testing.assert_allclose(result.contact_force[:, 0, 1], expected, rtol=1e-9)
    along = -0.2 * expected * np.tanh(result.point_velocity[:, -1, 0] / 0.01)
    np.testing.assert_allclose(result.contact_tangential_force[:, 0, 1], along, atol=1e-9 * expected.max())
    np.testing.assert_array_equal(result.contact_state[:, 0, 1], expected > 0)
    assert not result.contact_force[:, 0, 0].any()


@pytest.mark.parametrize("limits", ["", "joints: [{limits: [-2, 2]}]\n"])
def test_what_friction_took_is_said_once(limits):
    """Beside the impacts, where limits of joints let there be any, or beside the touches."""
    result = flexarm.simulate(flexarm.parse_arm(f"{SOFT}{limits}"))
    lines = [*(impact_summary(result) if has_impacts(result) else []), *touch_summary(result)]
    assert sum("sliding took" in line or "friction" in line for line in lines) == 1


def test_what_round_off_takes_is_nothing():
    result = flexarm.simulate(flexarm.parse_arm(SOFT.replace("[20 deg]", "[0], equilibrium: true")))
    assert result.energy_lost_contact[-1] < 1e-20
    assert "damping took 0 J" in touch_summary(result)[0]
