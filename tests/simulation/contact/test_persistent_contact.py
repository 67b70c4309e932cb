"""Contacts that last: rest, sliding, release, and chains that come to rest."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from paths import ROBOTS

import flexarm

FLOOR = "walls: [{point: [0, 0], normal: [0, 1]}]"


def simulate(text):
    return flexarm.simulate(flexarm.parse_arm(text))


@cache
def chain():
    """The falling chain of the robots, for 10 s."""
    arm = flexarm.load_arm(ROBOTS / "falling_chain.yaml")
    return flexarm.simulate(
        arm.model_copy(update={"run": arm.run.model_copy(update={"duration": 10.0, "sample": 0.01})})
    )


def test_chain_comes_to_rest():
    result = chain()
    assert result.status == "complete"
    end = result.time > 2.0
    assert result.energy_kinetic[end].max() < 1e-15
    assert np.abs(result.energy_gravity[end]).max() < 1e-9
    weights = 0.2 * 9.81 * np.array([0.5, 1, 1, 1, 1, 0.5])
    np.testing.assert_allclose(
        result.contact_force[end][:, :, 0], np.tile(weights, (end.sum(), 1)), rtol=1e-9
    )


def test_drift_of_a_chain_at_rest():
    result = chain()
    end = result.time > 2.0
    assert np.abs(result.point_position[end][:, :, 1]).max() < 1e-9


def test_rest_from_the_start_is_allowed():
    result = simulate(
        f"""
name: lying
base: planar
links: [{{length: 1, mu: 2, EI: 50, modes: {{family: clamped-clamped, count: 1}}}}]
contact: {{restitution: 1, {FLOOR}}}
run: {{duration: 1, sample: 0.01}}
"""
    )
    assert len(result.impact_time) == 0
    assert np.abs(result.point_position[:, :, 1]).max() < 1e-9
    # The released link swings about its sag, and with it the floor's force about half its weight.
    forces = result.contact_force[:, :, 0]
    np.testing.assert_allclose(forces[:, 0], forces[:, 1], rtol=1e-9)
    assert forces[:, 0].min() < 9.81 < forces[:, 0].max()
    assert np.ptp(result.energy_total) < 1e-9


@cache
def sliding():
    """Two hinged rods, one end on a smooth floor, swinging for 10 s; the joint in the middle is high above it."""
    return simulate(
        f"""
name: sliding
base: planar
links: [{{length: 1, mu: 2}}, {{length: 0.7, mu: 1}}]
initial: {{base: [0, 0], joints: [90 deg, 170 deg], joint_rates: [0.0, 0.5], base_rates: [0.2, 0]}}
drive: [{{pd: {{kp: 60, kd: 0, reference: 1.7}}}}, null]
contact: {{restitution: 0, {FLOOR}, points: O1}}
run: {{duration: 10, sample: 0.01, rtol: 1e-9, atol: 1e-11}}
"""
    )


def test_drift_while_sliding_for_ten_seconds():
    result = sliding()
    active = result.contact_force[:, 0, 0] > 0
    assert active.mean() > 0.9
    assert np.abs(result.point_position[active, 0, 1]).max() < 1e-9
    assert np.abs(result.point_velocity[active, 0, 1]).max() < 1e-8
    assert np.abs(result.joint_velocity).max() > 1


def test_a_smooth_floor_keeps_horizontal_momentum():
    result = sliding()
    assert np.ptp(result.momentum[:, 0]) < 1e-8 * np.abs(result.momentum[:, 0]).max()  # rtol, over 10 s


def test_active_contact_does_no_work():
    result = simulate(
        f"""
name: toppling
base: planar
links: [{{length: 1, mu: 1}}]
initial: {{base: [0, 0], joints: [80 deg]}}
contact: {{restitution: 1, {FLOOR}}}
run: {{duration: 0.5, sample: 0.001, rtol: 1e-11, atol: 1e-13}}
"""
    )
    assert np.all(result.contact_force[1:200, 0, 0] > 0)
    assert np.ptp(result.energy_total) < 1e-9
    # A rod that slides on a smooth floor: the mass centre falls straight down.
    assert np.ptp(result.mass_centre[:, 0]) < 1e-10
    # and in the beginning N = m g / (1 + 3 cos^2 q)
    expected = 9.81 / (1 + 3 * np.cos(np.radians(80)) ** 2)
    assert result.contact_force[0, 0, 0] == pytest.approx(expected, rel=1e-9)


def test_a_point_leaves_when_the_wall_would_have_to_pull():
    """A rod on the floor, lifted at its end by a force 8 t: the far end keeps half the weight, the near one leaves
    when the force is half the weight."""
    result = simulate(
        f"""
name: lifted
base: planar
links: [{{length: 1, mu: 1}}]
loads: [{{at: tip, force: [0, "8*t", 0]}}]
contact: {{restitution: 0, {FLOOR}}}
run: {{duration: 0.8, sample: 0.001, rtol: 1e-10, atol: 1e-12}}
"""
    )
    leaves = 9.81 / 2 / 8
    force = result.contact_force[:, :, 0]
    np.testing.assert_allclose(
        force[result.time < leaves, 1], 9.81 / 2 - 8 * result.time[result.time < leaves], atol=1e-8
    )
    assert not force[result.time > leaves, 1].any()
    assert result.point_position[-1, 1, 1] > 1e-4
    assert np.abs(result.point_position[:, 0, 1]).max() < 1e-9
    assert np.all(result.joint_acceleration[(result.time > leaves + 0.01), 0] > 0)


RELEASED = """
name: released
parameters: {f: 8.0}
gravity: [0, -9.81, 0]
links: [{length: 1, mu: 1}]
run: {duration: 0.8, sample: 0.1, rtol: 1e-10, atol: 1e-12}
"""
LIFTED = f"""{RELEASED}
base: planar
loads: [{{at: tip, force: [0, "f*t", 0]}}]
"""
ROUGH = FLOOR.replace("}", ", friction: 0.3}")
RELEASES = {
    "smooth": f"{LIFTED}contact: {{restitution: 0, {FLOOR}, points: all}}",
    "rough": f"{LIFTED}contact: {{restitution: 0, {ROUGH}, points: all}}",
    "rough in space": f"""{LIFTED.replace("planar", "{type: free, mass: 0.01, inertia: [0.01, 0.01, 0.01]}")}
joints: [{{type: fixed}}]
contact: {{restitution: 0, walls: [{{point: [0, 0, 0], normal: [0, 1, 0], friction: 0.3}}], points: all}}
""",
    "stop": RELEASED.replace("-9.81", "0")
    + """
joints: [{limits: {range: [0, 1], restitution: 0}}]
drive: [{torque: "f*(t - 0.3)"}]
""",
}


@pytest.mark.slow
@pytest.mark.parametrize("release", RELEASES)
def test_a_release_does_not_depend_on_round_off(release):
    """At a release the force and the acceleration of the gap vanish, and of an arm at rest all rates, but for
    round-off: 50 arms, whose loads differ in the last bits, are released at one time and move alike."""
    loads = (8.0 + np.arange(-25, 25) * np.spacing(8.0)).tolist()
    found = flexarm.sweep(
        flexarm.parse_arm(RELEASES[release]), {"parameters.f": loads}, record=["final_tip"], workers=1
    )
    assert not found.failed.any(), found
    for axis in "xy":
        assert np.ptp(found[f"final_tip_{axis}"]) < 1e-8  # of rtol and of events that are found to 1e-13 s
    assert np.hypot(found["final_tip_x"] - 1, found["final_tip_y"]).min() > 1e-4  # it has moved


@pytest.mark.parametrize("e", [0.0, 0.5, 0.9])
def test_bounces_of_a_ball_die_out_when_they_should(e):
    """Fall, then bounces of length 2 e^k t_1: the sum of a geometric series."""
    result = simulate(
        f"""
name: ball
base: planar
links: [{{length: 0.001, mu: 1e-6}}]
joints: [{{type: fixed, mass: 1.0}}]
initial: {{base: [0, 0.1]}}
contact: {{restitution: {e}, {FLOOR}, points: O1}}
run: {{duration: 3.0, sample: 0.001, rtol: 1e-10, atol: 1e-12}}
"""
    )
    fall = np.sqrt(2 * 0.1 / 9.81)
    last_bounce = fall * (1 + 2 * e / (1 - e))
    active = result.contact_force[:, 0, 0] > 0
    assert result.time[active][0] == pytest.approx(last_bounce, abs=0.0011)
    assert np.all(active[result.time > last_bounce + 0.001])
    mass = 1 + 1e-9
    np.testing.assert_allclose(result.contact_force[active, 0, 0], mass * 9.81, rtol=1e-9)
    np.testing.assert_allclose(result.impact_velocity_after, -e * result.impact_velocity_before, atol=1e-12)


def test_corner_of_two_walls():
    """A heavy end that slides down a slope comes to rest in the corner of two walls: both push."""
    result = simulate(
        """
name: corner
base: planar
links: [{length: 0.001, mu: 1e-6}]
joints: [{type: fixed, mass: 1.0}]
initial: {base: [0.5, 0.5]}
contact:
  restitution: 0.2
  walls: [{point: [0, 0], normal: [-1, 1]}, {point: [0, 0], normal: [1, 1]}]
  points: O1
run: {duration: 3.0, sample: 0.01}
"""
    )
    np.testing.assert_allclose(result.base_position[-1, :2], 0, atol=1e-9)
    np.testing.assert_allclose(result.contact_force[-1, 0], 9.81 / np.sqrt(2), rtol=1e-6)


def test_redundant_points_of_a_rigid_link():
    """Three points of one rigid link on a floor: their forces are not unique, their sum is the weight."""
    result = simulate(
        f"""
name: plank
base: planar
links: [{{length: 1, mu: 1}}]
initial: {{base: [0, 0.01]}}
contact: {{restitution: 0, {FLOOR}, points: [all, {{link: 1, at: 0.5}}]}}
run: {{duration: 1, sample: 0.01}}
"""
    )
    assert result.status == "complete"
    late = result.time > 0.1
    np.testing.assert_allclose(result.contact_force[late].sum(axis=(1, 2)), 9.81, rtol=1e-9)
    assert np.abs(result.point_position[late][:, :, 1]).max() < 1e-9


def test_prescribed_joint_on_a_base_in_contact():
    """A link swung by a given motion on one that rests: the floor bears the mass centre's acceleration."""
    result = simulate(
        f"""
name: waving
base: planar
links: [{{length: 1, mu: 4}}, {{length: 0.5, mu: 1}}]
initial: {{joints: [0, 90 deg]}}
drive: [null, {{motion: "pi/2 + 0.2*sin(3*t)"}}]
contact: {{restitution: 0, {FLOOR}, points: [O1, O2]}}
run: {{duration: 2, sample: 0.001, rtol: 1e-10, atol: 1e-12}}
"""
    )
    momentum_rate = np.gradient(result.momentum[:, 1], result.time)[5:-5]
    pushed = result.contact_force[5:-5].sum(axis=(1, 2)) - 4.5 * 9.81
    np.testing.assert_allclose(momentum_rate, pushed, atol=1e-4 * 4.5 * 9.81)
