"""What the end of a link carries, as `tip: auto` finds it."""

import pytest

import flexarm
from flexarm.model.parts.joint import JointModel
from flexarm.model.parts.tip_loads import with_tip_loads

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


def test_what_slides_outboard_is_where_its_slide_has_it():
    """A block of 2 kg, 0.5 m up the slide at the end of a beam: it turns with the end about z and about y."""
    text = """
name: slide
links:
  - length: 1
    mu: 1
    EI: {y: 50, z: 50}
    modes: [&set {family: clamped-loaded, count: 1, tip: auto}, {<<: *set, direction: z}]
  - {length: 0, body: {mass: 2, inertia: [0.1, 0.2, 0.25]}}
joints: [{}, {type: prismatic, origin: {xyz: [0.1, 0, 0]}, axis: [0, 0, 1]}]
initial: {joints: [0.3, 0.5]}
"""
    arm = flexarm.parse_arm(text)
    joints = [JointModel.of(joint) for joint in arm.joints]
    y, z = (modes.tip for modes in with_tip_loads(arm, joints, 0).modes)
    assert (y.mass, y.first_moment) == pytest.approx((2.0, 0.2))
    assert (y.inertia, z.inertia) == pytest.approx((0.25 + 2 * 0.1**2, 0.2 + 2 * (0.1**2 + 0.5**2)))
