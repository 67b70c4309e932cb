"""Attitude and mass centre of a satellite that carries an arm."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation
from simulated import simulated

import flexarm
from flexarm.plots.bases.attitude import attitude
from flexarm.plots.bases.floating_base import floating_base
from flexarm.plots.bases.satellite import has_satellite, satellite_motion

FLYING = """\
name: tumbling
base: free
gravity: [0, 0, 0]
links: [{length: 0.8, mu: {eta: [0, 0.8], values: [300, 100]}, rotary_inertia: [60, 40, 40]}, {length: 1, mu: 1}]
joints: [{type: fixed, angle: 30 deg, twist: 20 deg, mass: 10}, {}]
initial: {base: [0, 0, 0, 0.3, -0.2, 0.5], base_rates: [0.1, 0, 0, 0.4, 2.5, 3.0]}
run: {duration: 6.0, sample: 0.01}
"""
PLANAR = """\
name: boom
base: planar
gravity: [0, 0, 0]
links: [{length: 1.0, mu: 100.0}, {length: 3.0, mu: 1.0}]
drive: [null, {motion: "pi/2*(min(t/2, 1) - sin(2*pi*min(t/2, 1))/(2*pi))"}]
run: {duration: 3.0, sample: 0.01}
"""


@pytest.mark.slow
def test_a_satellite_is_a_rigid_first_link_that_floats():
    assert has_satellite(simulated("space_arm"))
    assert not has_satellite(simulated("flying_beam"))
    assert not has_satellite(simulated("rigid_two_link"))


def test_the_motion_of_a_tumbling_satellite():
    """Position of the mass centre by quadrature, rates by differences, whole turns counted."""
    result = flexarm.simulate(flexarm.parse_arm(FLYING))
    motion = satellite_motion(result)
    base = Rotation.from_quat(result.base_orientation, scalar_first=True)
    own = Rotation.from_rotvec([np.radians(20), 0, 0]) * Rotation.from_rotvec([0, 0, np.radians(30)])
    eta = (np.arange(4000) + 0.5) * 0.8 / 4000
    mu = 300 - 250 * eta
    x = (mu * eta).mean() * 0.8 / (mu.mean() * 0.8 + 10)
    expected = result.base_position + base.apply(own.apply([x, 0, 0]))
    np.testing.assert_allclose(motion.position, expected, atol=1e-7)
    np.testing.assert_allclose(
        np.gradient(motion.position, 0.01, axis=0)[1:-1], motion.velocity[1:-1], atol=2e-3
    )
    turned = Rotation.from_rotvec(motion.turn) * base[0]
    np.testing.assert_allclose((turned * base.inv()).magnitude(), 0, atol=1e-7)
    assert np.linalg.norm(motion.turn, axis=1).max() > 1.5 * np.pi, "beyond half a turn"
    assert np.abs(np.diff(motion.turn, axis=0)).max() < 1.0, "no jump by a whole turn"


def test_a_planar_satellite_turns_against_its_boom():
    """Its net turn stands in the title, in degrees; angular momentum is kept."""
    result = flexarm.simulate(flexarm.parse_arm(PLANAR))
    figure = attitude(result)
    turn, rate = figure.axes
    np.testing.assert_allclose(turn.lines[0].get_ydata()[-1], np.degrees(result.joint_angle[-1, 0]))
    np.testing.assert_allclose(rate.lines[0].get_ydata(), np.degrees(result.joint_velocity[:, 0]))
    assert turn.get_ylabel() == "turn about z (deg)"
    net = np.degrees(result.joint_angle[-1, 0])
    assert net < -10
    assert f"net turn \N{MINUS SIGN}{abs(net):.4g} deg" in figure.get_suptitle()
    assert np.abs(result.angular_momentum[:, 2]).max() < 1e-9


@pytest.mark.slow
def test_the_base_picture_shows_its_mass_centre():
    result = flexarm.simulate(flexarm.parse_arm(PLANAR))
    figure = floating_base(result)
    assert "mass centre of link 1" in figure.get_suptitle()
    x = figure.axes[0].lines[0].get_ydata()
    np.testing.assert_allclose(x, result.base_position[:, 0] + 0.5 * np.cos(result.joint_angle[:, 0]))
    assert "motion of O$_1$" in floating_base(simulated("flying_beam")).get_suptitle()


@pytest.mark.parametrize("name", ["space_arm"])
def test_every_axis_of_a_free_satellite_has_a_row(name):
    figure = attitude(simulated(name))
    assert len(figure.axes) == 6
    assert "net turn" in figure.get_suptitle()


def test_turns_about_one_axis_are_counted():
    """And axes about which nothing turns have no row."""
    text = FLYING.replace("base_rates: [0.1, 0, 0, 0.4, 2.5, 3.0]", "base_rates: [0, 0, 0, 0, 0, 4.0]")
    text = text.replace("0.3, -0.2, 0.5]", "0, 0, 0]")
    text = text.replace("angle: 30 deg, twist: 20 deg, mass: 10}, {}", "mass: 10}, {type: fixed}")
    result = flexarm.simulate(flexarm.parse_arm(text))
    motion = satellite_motion(result)
    figure = attitude(result)
    assert [axes.get_ylabel() for axes in figure.axes] == ["turn about z (deg)", "rate (deg/s)"]
    assert figure.get_suptitle().endswith("deg, none about x, y")
    np.testing.assert_allclose(motion.turn[:, 2], 4.0 * motion.time, atol=1e-6)
