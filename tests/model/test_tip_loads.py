"""What the end of a link carries, as `tip: auto` finds it."""

import pytest

import flexarm
from flexarm.model.joint import JointModel
from flexarm.model.tip_loads import with_tip_loads

ANGLED = """
name: angled
links:
  - length: 1.0
    mu: 2.0
    EI: {y: 100.0, z: 100.0}
    modes:
      - {family: clamped-loaded, count: 1, tip: auto}
      - {family: clamped-loaded, count: 1, tip: auto, direction: z}
  - {length: 0.5, mu: 3.0}
joints: [{type: fixed}, {type: fixed, angle: 90 deg}]
"""


def test_a_slender_link_at_a_right_angle_has_no_inertia_about_its_own_axis():
    """Nor 1e-33 kg m^2 of round-off, which no description could give."""
    arm = flexarm.parse_arm(ANGLED)
    in_plane, out_of_plane = with_tip_loads(arm, [JointModel(), JointModel()], 0).modes
    assert in_plane.tip.mass == pytest.approx(1.5)
    assert in_plane.tip.inertia == pytest.approx(3.0 * 0.5**3 / 3)
    assert out_of_plane.tip.inertia == 0.0
    assert in_plane.tip.first_moment == 0.0
    assert flexarm.natural_modes(arm).modes.natural_frequency[0] > 0
