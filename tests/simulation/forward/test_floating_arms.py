"""Arms that float: conserved momentum and energy, and what is recorded of the base."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from breadth import thinned
from paths import ROBOTS
from scipy.spatial.transform import Rotation

import flexarm
from flexarm.catalogue import FORMULATIONS

STIFFENING = [name for name, entry in FORMULATIONS.items() if entry.can.free_base and entry.can.stiffening]

PLANAR = """
name: thrown
base: planar
links:
  - {{length: 1.0, mu: 2, EI: 80, modes: {{family: clamped-free, count: 2}}}}
  - {{length: 0.8, mu: 1, EI: 40, modes: {{family: clamped-free, count: 1}}}}
payload: {{mass: 0.4, inertia: 0.02}}
initial:
  base: [0.3, -0.2]
  base_rates: [1.0, 4.0]
  joints: [0.4, -0.9]
  joint_rates: [3.0, -2.0]
  modes: [0.02, 0, 0.01]
drive: [null, {{torque: "0.5*sin(5*t)"}}]
run: {{duration: 0.8, sample: 0.01, rtol: 1e-11, atol: 1e-13, formulation: {formulation}}}
"""

SPATIAL = """
name: satellite
gravity: {gravity}
base: free
links:
  - {{length: 0.5, mu: 40, rotary_inertia: [1, 0.8, 0.6]}}
  - length: 1.2
    mu: 3
    EI: {{y: 300, z: 200}}
    modes: [{{family: clamped-free, count: 1, direction: y}}, {{family: clamped-free, count: 1, direction: z}}]
  - {{length: 1.0, mu: 2, EI: 200, modes: {{family: clamped-free, count: 1}}}}
joints: [{{type: fixed}}, {{twist: 90 deg, offset: 0.1, motor: {{inertia: 1e-4, gear: 50}}}}, {{twist: 30 deg}}]
initial:
  base: [0.1, 0.2, 0.3, 10 deg, -20 deg, 30 deg]
  base_rates: [0.1, 0.2, -0.3, 5 deg/s, 0.4, -0.2]
  joints: [0.3, 0.5]
drive: [null, {drive}, {{pd: {{kp: 20, kd: 2, reference: "0.5+0.5*sin(t)"}}}}]
run: {{duration: 2.0, sample: 0.02, rtol: 1e-11, atol: 1e-13, formulation: {formulation}}}
"""


@cache
def planar(formulation="articulated"):
    return flexarm.simulate(flexarm.parse_arm(PLANAR.format(formulation=formulation)))


@cache
def spatial(formulation="articulated", gravity="[0, 0, 0]", drive="{torque: '2*sin(3*t)'}"):
    text = SPATIAL.format(formulation=formulation, gravity=gravity, drive=drive)
    return flexarm.simulate(flexarm.parse_arm(text))


@pytest.mark.parametrize("formulation", thinned(STIFFENING, every=2))
def test_spatial_arm_with_driven_joints_keeps_its_momenta(formulation):
    result = spatial(formulation)
    assert result.kind == "flight"
    assert np.abs(result.joint_velocity[:, 1:]).max() > 0.5
    for name in ("momentum", "angular_momentum"):
        moment = result[name]
        # "Exact" is round-off of some thousand steps.
        np.testing.assert_allclose(
            moment, np.tile(moment[0], (len(moment), 1)), atol=1e-9 * np.abs(moment).max()
        )
    assert np.ptp(result.momentum, axis=0).max() < 1e-12 * np.abs(result.momentum).max()


def test_prescribed_joints_keep_them_too():
    result = spatial(drive="{motion: '0.3 + 0.5*sin(2*t)'}")
    assert np.ptp(result.angular_momentum, axis=0).max() < 1e-9 * np.abs(result.angular_momentum).max()


def test_gravity_changes_momentum_alone():
    result = spatial(gravity="[1, -2, 3]")
    mass = 0.5 * 40 + 1.2 * 3 + 2
    expected = result.momentum[0] + mass * result.time[:, None] * [1, -2, 3]
    np.testing.assert_allclose(result.momentum, expected, rtol=1e-12)
    assert np.ptp(result.angular_momentum, axis=0).max() < 1e-9 * np.abs(result.angular_momentum).max()


def test_mass_centre_of_a_thrown_arm_moves_on_a_parabola():
    result = planar()
    mass, t = 2 + 0.8 + 0.4, result.time[:, None]
    expected = result.mass_centre[0] + result.momentum[0] / mass * t + np.array([0, -9.81 / 2, 0]) * t**2
    np.testing.assert_allclose(result.mass_centre, expected, atol=1e-11)


def test_free_joints_keep_energy_and_angular_momentum():
    text = PLANAR.format(formulation="articulated").replace('drive: [null, {torque: "0.5*sin(5*t)"}]\n', "")
    result = flexarm.simulate(flexarm.parse_arm(text))
    assert np.ptp(result.energy_total) < 1e-9 * result.energy_kinetic.max()
    assert np.ptp(result.angular_momentum[:, 2]) < 1e-9 * np.abs(result.angular_momentum[:, 2]).max()


@pytest.mark.parametrize("results", [planar, spatial])
def test_formulations_agree(results):
    one, other = (results(formulation) for formulation in STIFFENING)
    for name in ("base_position", "joint_angle", "mode_amplitude", "angular_momentum"):
        np.testing.assert_allclose(one[name], other[name], atol=1e-8 * np.abs(other[name]).max())


def test_start_and_datasets_of_a_planar_base():
    result = planar()
    np.testing.assert_allclose(result.base_position[0], [0.3, -0.2, 0])
    np.testing.assert_allclose(result.base_velocity[0], [1, 4, 0])
    np.testing.assert_allclose(result.base_position, result.point_position[:, 0], atol=1e-14)
    np.testing.assert_allclose(result.base_velocity, result.point_velocity[:, 0], atol=1e-14)
    assert "base_orientation" not in result


def test_start_and_datasets_of_a_free_base():
    result = spatial()
    turn = Rotation.from_rotvec(np.deg2rad([10, -20, 30]))
    np.testing.assert_allclose(result.base_position[0], [0.1, 0.2, 0.3])
    np.testing.assert_allclose(result.base_velocity[0], [0.1, 0.2, -0.3])
    np.testing.assert_allclose(result.base_angular_velocity[0], [np.deg2rad(5), 0.4, -0.2])
    np.testing.assert_allclose(result.base_orientation[0], turn.as_quat(scalar_first=True))
    # Link 1 lies along x of the base's frame.
    first_link = result.point_position[0, 1] - [0.1, 0.2, 0.3]
    np.testing.assert_allclose(
        first_link, turn.apply([0.5, -0.1, 0]), atol=1e-12
    )  # and the offset of joint 2
    np.testing.assert_allclose(np.linalg.norm(result.base_orientation, axis=1), 1, atol=1e-14)
    # the angular velocity is that of the recorded attitude
    attitude = Rotation.from_quat(result.base_orientation, scalar_first=True)
    middle = (attitude[2:] * attitude[:-2].inv()).as_rotvec() / 0.04
    np.testing.assert_allclose(middle, result.base_angular_velocity[1:-1], atol=5e-3)


@pytest.mark.parametrize("results", [planar, spatial])
def test_coordinates_of_a_result_give_its_points(results):
    result = results()
    equations = flexarm.motion_equations(result.arm)
    for theta, points in zip(result.theta(slice(None, None, 20)), result.point_position[::20], strict=True):
        np.testing.assert_allclose(equations.points(theta), points, atol=1e-12)


def test_space_arm_of_the_robots():
    arm = flexarm.load_arm(ROBOTS / "space_arm.yaml")
    arm = arm.model_copy(update={"run": arm.run.model_copy(update={"duration": 1.0})})
    result = flexarm.simulate(arm)
    for name in ("momentum", "angular_momentum"):
        assert np.ptp(result[name], axis=0).max() < 1e-9 * np.abs(result[name]).max()
    assert Rotation.from_quat(result.base_orientation[-1], scalar_first=True).magnitude() > 1e-3


def test_results_of_free_flight_are_kept_by_files(tmp_path):
    result = spatial()
    result.save(tmp_path / "satellite.h5")
    again = flexarm.open_result(tmp_path / "satellite.h5")
    for name in result:
        np.testing.assert_array_equal(again[name], result[name])
