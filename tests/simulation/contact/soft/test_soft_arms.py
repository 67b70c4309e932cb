"""Arms and soft walls: balances of energy, both kinds of walls in one arm, rest on a wall, and what reads forces."""

from __future__ import annotations

import numpy as np
import pytest
from breadth import thinned

import flexarm
from flexarm.shipped import shipped_arms, shipped_trajectories
from flexarm.simulation.forces.work import work

TIGHT = "rtol: 1e-10, atol: 1e-12"
TEXT = """
name: both
links:
  - {{length: 0.8, mu: 0.6, EI: {EI}, modes: {{family: clamped-free, count: 2}}}}
  - {{length: 0.5, mu: 0.6, EI: {EI}, modes: {{family: clamped-free, count: 1}}}}
joints: [{joints}]
payload: {{mass: 0.2}}
initial: {{joints: [30 deg, 20 deg]}}
contact:
  walls:
   - {{point: [0, 0], normal: [0, 1], restitution: 0.5, friction: {rigid}}}
   - {{circle: {{center: [0.45, 0.02], radius: 0.1, side: outside}}, stiffness: 2e4, friction: {soft}, damping: 0.3}}
  points: [O2, O3, {{link: 1, at: 0.5}}]
run: {{duration: 0.8, sample: 0.005, {settings}}}
"""
PLANE = {"EI": "300.0", "joints": "{}, {}", "rigid": 0, "soft": 0, "settings": TIGHT}
SPACE = {"EI": "{y: 300.0, z: 200.0}", "joints": "{axis: [0.1, 0, 1]}, {axis: [0.2, 0.1, 1]}"}
DRY = "{friction: {coulomb: 0.3, smoothing: 0}}, {limits: [-20 deg, 40 deg]}"


def falling(**changes):
    return flexarm.parse_arm(TEXT.format(**PLANE | changes))


@pytest.mark.parametrize(
    "changes",
    thinned(
        [
            {"soft": 0.3, "rigid": 0.2},
            {},
            {"soft": 0.3},
            {"rigid": 0.2},
            {"soft": 0.3, "rigid": 0.2, "joints": DRY},
            {"soft": 0.3, "rigid": 0.2} | SPACE,
            {"soft": 0.3} | SPACE,
        ]
    ),
)
def test_the_balance_closes_where_an_arm_falls_onto_both_kinds_of_walls(changes):
    """Within the tolerance of the run: rtol 1e-10, times 10 for a thousand steps."""
    result = flexarm.simulate(falling(**changes))
    lost = sum(
        result[f"energy_lost_{name}"]
        for name in ("contact", "impacts", "friction")
        if f"energy_lost_{name}" in result
    )
    assert np.ptp(result.energy_total + lost) < 1e-9 * result.energy_kinetic.max()
    assert result.energy_lost_contact[-1] > 0.1
    assert set(result.touch_wall) == {2}
    assert set(result.impact_wall) <= {1}
    assert not result.contact_penetration[:, :, 0].any()
    assert result.contact_force[:, :, 1].max() > 50
    if "friction" not in changes.get("joints", ""):
        assert result.impact_time.size


@pytest.mark.parametrize("method", thinned(["radau", "rk4, step: 0.0001", "auto"]))
def test_every_method_finds_the_same_motion(method):
    expected = flexarm.simulate(falling(soft=0.3, rigid=0.2))
    settings = "method: " + method if "rk4" in method else f"method: {method}, rtol: 1e-9, atol: 1e-11"
    found = flexarm.simulate(falling(soft=0.3, rigid=0.2, settings=settings))
    until = expected.time < 0.4
    np.testing.assert_allclose(found.tip[until], expected.tip[until], atol=1e-5)
    np.testing.assert_allclose(found.touch_time[0], expected.touch_time[0], atol=1e-6)


@pytest.mark.slow
def test_forces_in_the_arm_know_those_of_soft_walls():
    arm = falling(soft=0.3, settings=f"{TIGHT}, record: [loads]")
    result = flexarm.simulate(arm)
    touching = result.contact_penetration.any(axis=(1, 2))
    assert touching.any()
    bare = flexarm.simulate(falling(soft=0.3))
    scale = np.abs(result.section_moment).max()
    for link, at in (
        (1, 0.0),
        (2, 0.5),
    ):  # by equilibrium of what is beyond, from the recorded forces of walls
        recorded = result.section_moment[:, link - 1, arm.run.load_stations.index(at)]
        np.testing.assert_allclose(flexarm.section_loads(bare, link, at).moment, recorded, atol=1e-10 * scale)


def test_a_sensor_reads_the_force_of_a_soft_wall():
    text = falling().text
    sensors = "sensors: {push: {contact: O2, wall: 2}, hit: {contact: O2}}\nrun:"
    result = flexarm.simulate(flexarm.parse_arm(text.replace("run:", sensors)))
    np.testing.assert_array_equal(result.sensor_value[:, 0], result.contact_force[:, 0, 1])
    np.testing.assert_array_equal(result.sensor_value[:, 1], result.contact_force[:, 0, 0])


CUSHION = """
name: cushion
links: [{length: 1.0, mu: 1.0}]
joints: [{limits: [-60 deg, 60 deg]}]
initial: {joints: [5 deg], equilibrium: true}
contact: {stiffness: 1e5, damping: 0.2, friction: 0.3, walls: [{point: [0, 0], normal: [0, 1]}], points: O2}
run: {duration: 0.2, sample: 0.01}
"""


def test_an_arm_rests_in_a_soft_wall_and_vibrates_on_it():
    """A rod of 1 m, 1 kg: half its weight is on its end, where the wall is a spring of 3/2 k d^(1/2)."""
    force = 9.81 / 2
    depth = (force / 1e5) ** (2 / 3)
    arm = flexarm.parse_arm(CUSHION)
    rest = flexarm.static_equilibrium(arm).result()
    np.testing.assert_allclose(rest.tip[0, 1], -depth, rtol=1e-9)
    np.testing.assert_allclose(rest.contact_force, force, rtol=1e-9)
    np.testing.assert_allclose(rest.energy_contact, 1e5 * depth**2.5 / 2.5, rtol=1e-9)
    run = flexarm.simulate(arm)
    np.testing.assert_allclose(run.tip[:, 1], -depth, rtol=1e-9)
    assert np.isnan(run.touch_end).all()
    modes = flexarm.natural_modes(arm)
    stiffness = 1.5 * 1e5 * depth**0.5  # at a lever of 1 m; gravity adds m g l/2 sin: none at the horizontal
    assert modes.frequencies[0] == pytest.approx(np.sqrt(stiffness / (1 / 3)) / (2 * np.pi), rel=1e-3)
    # damping: F = k d^1.5 (1 + c d_d), so c F, against 2 zeta omega I
    zeta = 0.2 * force / (2 * np.sqrt(stiffness / 3))
    assert modes.modes.damping_ratio[0] == pytest.approx(zeta, rel=1e-3)


def test_friction_of_a_soft_wall_that_is_not_met_changes_nothing():
    """An arm that comes to rest on the limit of its joint, without friction there."""
    text = """
name: rest
links: [{length: 0.6, mu: 0.8}, {length: 0.5, mu: 0.5}]
joints: [{limits: [-0.3, 1]}, {friction: {viscous: 0.1}}]
initial: {joints: [0.1, -0.2]}
contact: {walls: [{point: [0, -3], normal: [0, 1], stiffness: 2.0e4, friction: 0.3}]}
run: {duration: 0.6, sample: 0.01, rtol: 1e-10, atol: 1e-12}
"""
    rubs, smooth = (
        flexarm.simulate(flexarm.parse_arm(one)) for one in (text, text.replace(", friction: 0.3", ""))
    )
    assert np.abs(rubs.limit_torque[-1, 0]) > 1  # it is held
    np.testing.assert_allclose(rubs.joint_angle, smooth.joint_angle, atol=1e-9)


def test_an_arm_without_losses_keeps_its_energy_on_elastic_walls():
    text = CUSHION
    for old, new in (
        ("damping: 0.2, friction: 0.3, ", ""),
        ("equilibrium: true", "joint_rates: [0]"),
        ("duration: 0.2, sample: 0.01", f"duration: 1.0, sample: 0.001, {TIGHT}"),
    ):
        text = text.replace(old, new)
    result = flexarm.simulate(flexarm.parse_arm(text))
    assert result.touch_time.size > 3
    np.testing.assert_allclose(np.ptp(result.energy_total), 0, atol=1e-9 * result.energy_kinetic.max())
    np.testing.assert_allclose(work(result), 0, atol=1e-12)


@pytest.mark.slow
def test_a_sweep_of_stiffness_is_what_single_runs_are():
    arm = flexarm.parse_arm(CUSHION.replace("equilibrium: true", "joint_rates: [0]"))
    plan = {"contact.stiffness": [2e4, 1e5], "contact.damping": [0.1, 0.5], "contact.exponent": [1.5, 2.0]}
    found = flexarm.sweep(
        arm, plan, record=["final_tip", "energy_lost_friction", "sliding_distance"], workers=1
    )
    assert found["final_tip_y"].shape == (2, 2, 2)
    for place in np.ndindex(2, 2, 2):
        values = {key: at[k] for (key, at), k in zip(plan.items(), place, strict=True)}
        single = flexarm.simulate(arm.replace(values))
        # roots and powers take the place of products where the exponent is open
        np.testing.assert_allclose(found["final_tip_y"][place], single.tip[-1, 1], rtol=1e-8)
        np.testing.assert_allclose(
            found["energy_lost_friction"][place], single.energy_lost_friction[-1], rtol=1e-8
        )


@pytest.mark.slow
def test_inverse_dynamics_keeps_out_of_soft_walls():
    text = shipped_arms()["payload_two_link"].read_text()
    trajectory = flexarm.load_trajectory(shipped_trajectories()["payload_two_link"])
    wall = "contact: {{stiffness: 1e5, friction: 0.2, walls: [{{point: [0, {}], normal: [0, 1]}}], points: O3}}\nrun:"
    bare = flexarm.inverse(flexarm.parse_arm(text), trajectory)
    beside = flexarm.inverse(flexarm.parse_arm(text.replace("run:", wall.format(-5))), trajectory)
    np.testing.assert_array_equal(beside.torque, bare.torque)
    with pytest.raises(flexarm.ModelError, match="leads O3 into wall 1"):
        flexarm.inverse(flexarm.parse_arm(text.replace("run:", wall.format(0.3))), trajectory)
