"""Pictures of arms with prismatic joints: metres and newtons in axes of their own, rods along the guides."""

import numpy as np
import pytest
from paths import ROBOTS
from simulated import simulated

import flexarm
from flexarm.errors import ResultError
from flexarm.plots.animation.film import Film
from flexarm.plots.animation.scene import Scene
from flexarm.plots.arm.stroboscope import stroboscope
from flexarm.plots.drawing.views import Rods
from flexarm.plots.histories.joints import joints
from flexarm.plots.overlay import overlays
from flexarm.plots.registry import standard_figures
from flexarm.plots.torques.generalised_forces import generalised_forces
from flexarm.plots.torques.torques import torques

SAME = 1e-12
SLIDER = """
name: slider
gravity: [0, -9.81, 0]
links: [{length: 0, body: {mass: 2}}]
joints: [{type: prismatic, origin: {xyz: [0.2, 0.1, 0]}, axis: [0.6, 0.8, 0]}]
initial: {joints: [0.5]}
drive: [{torque: 15}]
run: {duration: 0.2, sample: 0.01, record: [generalised_forces]}
"""


def test_a_row_for_each_joint_in_its_own_unit():
    result = simulated("scara", 1.2)
    figure = joints(result)
    labels = [axes.get_ylabel() for axes in figure.axes]
    assert labels == ["angle (deg)", "rate (deg/s)"] * 2 + ["position (m)", "rate (m/s)"]
    assert "joint angles and positions and rates" in figure.get_suptitle()
    drawn = [axes.lines[0].get_ydata() for axes in figure.axes]
    np.testing.assert_allclose(drawn[4], result.joint_angle[:, 2], rtol=0, atol=SAME)
    np.testing.assert_allclose(drawn[5], result.joint_velocity[:, 2], rtol=0, atol=SAME)
    np.testing.assert_allclose(drawn[0], np.degrees(result.joint_angle[:, 0]), rtol=SAME)
    assert [axes.lines[1].get_gid() for axes in figure.axes] == ["reference"] * 6
    start = result.arm.initial.joints[2]
    assert figure.axes[4].lines[1].get_ydata()[0] == pytest.approx(start, abs=SAME)


def test_short_ways_are_drawn_in_millimetres_and_none_as_constant():
    regulated = "pd: {kp: 1e6, kd: 1e4, reference: 0.05}"
    near = flexarm.parse_arm(SLIDER.replace("[0.5]", "[0.05]").replace("torque: 15", regulated))
    position, rate = joints(flexarm.simulate(near)).axes
    assert position.get_ylabel() == "position (mm)"
    assert rate.get_ylabel().startswith("rate (")
    held = flexarm.parse_arm(SLIDER.replace("torque: 15", "torque: 0").replace("-9.81", "0"))
    position, _ = joints(flexarm.simulate(held)).axes
    assert position.get_ylabel() == "position (m)"
    assert np.ptp(position.get_ylim()) == pytest.approx(1e-3, rel=0.2)


def test_forces_have_axes_apart_from_torques_with_the_motors_limits():
    result = simulated("scara")
    turning, sliding = torques(result).axes
    assert (turning.get_ylabel(), sliding.get_ylabel()) == ("torque (N m)", "force (N)")
    (line,) = [one for one in sliding.lines if one.get_gid() != "limit"]
    np.testing.assert_allclose(line.get_ydata(), result.torque[:, 2], rtol=0, atol=SAME)
    assert [text.get_text() for text in sliding.get_legend().get_texts()] == ["joint 3\nlimit 60 N"]
    assert {text.get_text() for text in turning.get_legend().get_texts()} == {
        "joint 1\nlimit 30 N m",
        "joint 2\nlimit 12 N m",
    }


def test_all_forces_share_axes_where_all_joints_slide():
    result = flexarm.simulate(flexarm.parse_arm(SLIDER))
    (axes,) = torques(result).axes
    assert axes.get_ylabel() == "force (N)"
    (row,) = generalised_forces(result).axes
    assert row.get_ylabel() == "joint 1 (N)"


def test_generalised_forces_name_the_unit_of_each_coordinate():
    run = "duration: 0.1, sample: 0.01, record: [generalised_forces]"
    text = (ROBOTS / "gantry_boom.yaml").read_text().replace("duration: 2, sample: 0.01", run)
    result = flexarm.simulate(flexarm.parse_arm(text))
    labels = [axes.get_ylabel() for axes in generalised_forces(result).axes]
    assert labels == ["joint 1 (N)", "joint 2 (N m)", "link 2, mode 1 (N)", "link 2, mode 2 (N)"]


def test_overlays_have_each_joints_unit_and_refuse_others():
    result = simulated("gantry_boom")
    figures = {name: draw() for name, draw in overlays([result, result], ["a", "b"]).items()}
    labels = [axes.get_ylabel() for axes in figures["overlay-joint-angle"].axes]
    assert labels == ["position (m)", "angle (deg)"]
    assert figures["overlay-joint-angle"].get_suptitle() == "joint positions and angles"
    labels = [axes.get_ylabel() for axes in figures["overlay-torque"].axes]
    assert labels == ["force (N)", "torque (N m)"]
    drawn = figures["overlay-joint-angle"].axes[0].lines[0].get_ydata()
    np.testing.assert_allclose(drawn, result.joint_angle[:, 0], rtol=0, atol=SAME)
    with pytest.raises(ResultError, match=r"joints 1 have different units \(a: prismatic, b: revolute\)"):
        overlays([result, simulated("usoro_two_link")], ["a", "b"])


def test_rods_lie_along_the_guides():
    """From the joint's frame to where the link is: |q| along the axis."""
    arm = flexarm.parse_arm(SLIDER)
    result = flexarm.simulate(arm)
    rods = Rods.of(arm)
    assert rods.joints == (0,)
    np.testing.assert_allclose(rods.base, [0.2, 0.1, 0.0], atol=SAME)
    scene = Scene(Film.of(result, 1.0, 25.0, 1.0), 200)
    scene.frame(3)
    rod = np.array(scene.arm_lines[0].get_data()).T
    k = int(np.argmin(np.abs(result.time - Film.of(result, 1.0, 25.0, 1.0).times[3])))
    np.testing.assert_allclose(rod[0], [0.2, 0.1], atol=SAME)
    np.testing.assert_allclose(rod[1], result.point_position[k, 0, :2], atol=1e-6)
    np.testing.assert_allclose(rod[1] - rod[0], result.joint_angle[k, 0] * np.array([0.6, 0.8]), atol=1e-6)


def test_arms_without_gaps_have_no_rods():
    assert Rods.of(flexarm.load_arm(ROBOTS / "usoro_two_link.yaml")).joints == ()
    assert Rods.of(flexarm.load_arm(ROBOTS / "scara.yaml")).joints == (2,)
    placed = SLIDER.replace("type: prismatic, ", "").replace(
        "[{length: 0, body: {mass: 2}}]", "[{length: 1, mu: 1}]"
    )
    assert Rods.of(flexarm.parse_arm(placed.replace("axis: [0.6, 0.8, 0]", "axis: [0, 0, 1]"))).joints == ()


def test_the_base_stands_where_the_guide_begins():
    result = flexarm.simulate(flexarm.parse_arm(SLIDER))
    (base,) = [line for line in stroboscope(result).axes[0].lines if line.get_marker() == "s"]
    np.testing.assert_allclose(np.ravel(base.get_data()), [0.2, 0.1], atol=SAME)


@pytest.mark.parametrize("text", [SLIDER, SLIDER.replace("mass: 2", "mass: 2, center: [0, 0, 0.1]")])
def test_every_picture_of_an_arm_without_length_is_drawn(text):
    result = flexarm.simulate(flexarm.parse_arm(text))
    drawn = {name: draw() for name, draw in standard_figures(result).items()}
    assert {"stroboscope", "joints", "tip", "energy", "torques", "generalised-forces"} <= drawn.keys()
