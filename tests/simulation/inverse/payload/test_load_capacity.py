"""Load carrying capacity: loads known in closed form, both kinds of bounds, and what is reported of them."""

import numpy as np
import pytest
from breadth import thinned
from paths import ROBOTS

import flexarm
from flexarm.errors import ModelError, SpecError
from flexarm.reports.key_numbers import bound_text
from flexarm.simulation.forces.motor_limits import available_torque

G, L, MU, EI = 9.81, 0.8, 1.2, 60.0
ACCURACY = 1e-4  # relative, as promised
HELD = "space: joint\nduration: 0.2\nsample: 0.01\npath: {q1: 0}\n"


def held_link(stall=None, payload="", gear=50.0):
    """A link held level; quadratic, cubic and quartic shapes hold the exact deflection under load and weight.

    The closed forms are those of the linear beam, whose tip does not come nearer as it sinks.
    """
    motor = (
        "" if stall is None else f"joints: [{{motor: {{gear: {gear}, stall_torque: {stall / gear!r}}}}}]\n"
    )
    link = f"{{length: {L}, mu: {MU}, EI: {EI}, modes: {{family: polynomial, count: 3}}}}"
    return flexarm.parse_arm(f"name: held\ngeometric_stiffening: false\nlinks: [{link}]\n{motor}{payload}")


def facts_of(result):
    names = ("payload_mass", "active_bound", "active_joint", "active_time", "active_margin")
    return [result.attributes[name] for name in names]


@pytest.mark.slow
def test_a_held_link_carries_what_its_motor_can_hold():
    stall = 30.0
    result = flexarm.payload(held_link(stall), flexarm.parse_trajectory(HELD))
    mass, what, joint, _, margin = facts_of(result)
    assert mass == pytest.approx((stall / G - MU * L**2 / 2) / L, rel=ACCURACY)
    assert (what, joint) == ("torque", 1)
    assert 0 <= margin < 1e-4
    np.testing.assert_allclose(result.torque[:, 0], stall, rtol=ACCURACY)


@pytest.mark.slow
def test_a_held_link_carries_what_bends_it_by_the_allowed_deviation():
    allowed = 0.06
    result = flexarm.payload(held_link(), flexarm.parse_trajectory(HELD), deviation=allowed)
    mass, what, joint, _, _ = facts_of(result)
    own = MU * G * L**4 / (8 * EI)
    assert mass == pytest.approx((allowed - own) * 3 * EI / (G * L**3), rel=ACCURACY)
    assert (what, joint) == ("deviation", 0)
    np.testing.assert_allclose(result.tip_error, allowed, rtol=ACCURACY)


def test_a_load_that_bends_the_link_into_a_wall_is_refused():
    """The wall is 3 cm below the tip, where the load that is allowed to bend the link by 6 cm would bring it."""
    wall = "contact: {walls: [{point: [0, -0.03], normal: [0, 1]}], points: O2}\n"
    with pytest.raises(ModelError, match=r"leads O2 into wall 1 at t = 0 s, 0\.03 m deep"):
        flexarm.payload(held_link(payload=wall), flexarm.parse_trajectory(HELD), deviation=0.06)


@pytest.mark.slow
def test_the_tighter_bound_counts():
    trajectory = flexarm.parse_trajectory(HELD + "deviation: 0.06\n")
    by_torque = facts_of(flexarm.payload(held_link(15.0), trajectory))
    by_deviation = facts_of(flexarm.payload(held_link(60.0), trajectory))
    assert (by_torque[1], by_deviation[1]) == ("torque", "deviation")
    assert by_torque[0] < by_deviation[0]


def test_a_load_has_the_shape_of_the_arm_payload():
    """Mass centre half a length beyond the tip: its lever is longer by that."""
    stall, beyond = 30.0, 0.4
    arm = held_link(stall, payload=f"payload: {{mass: 1.0, offset: [{beyond}, 0, 0]}}\n")
    carried = flexarm.payload(arm, flexarm.parse_trajectory(HELD), mass=2.0)
    slope = carried.link_rotation[0, 0, 1, 2]
    tilted = G * (MU * L**2 / 2 + 2.0 * (L + beyond * np.cos(slope)))
    assert carried.torque[0, 0] == pytest.approx(tilted, rel=1e-6)


MOVED = "space: joint\nduration: 0.5\nsample: 0.01\nline: {from: [0], to: [1.0]}\n"


@pytest.mark.slow
def test_inertia_goes_with_the_mass():
    arm = held_link(200.0, payload="payload: {mass: 2.0, inertia: [0, 0, 0.3]}\n")
    trajectory = flexarm.parse_trajectory(MOVED)
    own, point = (
        flexarm.payload(arm, trajectory, mass=1.0, **options)
        for options in ({}, {"inertia_per_mass": (0.0,) * 6})
    )
    given = flexarm.payload(arm, trajectory, mass=1.0, inertia_per_mass=(0, 0, 0.15, 0, 0, 0))
    np.testing.assert_array_equal(own.torque, given.torque)
    assert np.abs(own.torque - point.torque).max() > 0.1


@pytest.mark.slow
def test_the_largest_load_with_inertia_in_closed_form():
    """A rigid link without gravity: (mu L^3/3 + m (L^2 + k^2)) q_dd <= tau, k the radius of gyration."""
    stall, gyration = 20.0, 0.3
    inertia = 2.0 * gyration**2
    arm = flexarm.parse_arm(
        f"name: turned\ngravity: [0, 0, 0]\nlinks: [{{length: {L}, mu: {MU}}}]\n"
        f"joints: [{{motor: {{stall_torque: {stall}}}}}]\npayload: {{mass: 2.0, inertia: [0, 0, {inertia}]}}\n"
    )
    trajectory = flexarm.parse_trajectory("space: joint\nduration: 1.0\npath: {q1: 2*t**2}\n")
    mass, *_ = facts_of(flexarm.payload(arm, trajectory))
    assert mass == pytest.approx((stall / 4.0 - MU * L**3 / 3) / (L**2 + gyration**2), rel=ACCURACY)


def test_inertia_without_mass_has_no_radius_of_gyration():
    arm = held_link(20.0, payload="payload: {inertia: [0, 0, 0.3]}\n")
    with pytest.raises(ModelError, match=r"inertia without a mass.*\(give payload.mass too\)"):
        flexarm.payload(arm, flexarm.parse_trajectory(HELD))


@pytest.fixture(scope="module")
def example():
    return (
        flexarm.load_arm(ROBOTS / "payload_two_link.yaml"),
        flexarm.load_trajectory(ROBOTS / "trajectories" / "payload_two_link.yaml"),
    )


@pytest.mark.slow
@pytest.mark.parametrize(("deviation", "bound"), thinned([(0.010, ("torque", 1)), (0.003, ("deviation", 0))]))
def test_each_bound_is_active_once_and_confirmed_on_both_sides(example, deviation, bound):
    """At 0.999 of the mass every bound is kept, at 1.001 the active one is violated."""
    result = flexarm.payload(*example, deviation=deviation)
    mass, what, joint, time, margin = facts_of(result)
    assert (what, joint) == bound
    assert 0 < time < 1
    assert 0 <= margin < 1e-4
    below, above = (
        flexarm.payload(*example, mass=factor * mass, deviation=deviation) for factor in (0.999, 1.001)
    )
    assert below.attributes["active_margin"] > 0
    assert above.attributes["active_margin"] < 0
    assert (above.attributes["active_bound"], above.attributes["active_joint"]) == bound
    inside = (above.torque <= above.torque_upper) & (above.torque >= above.torque_lower)
    assert inside.all() == (what == "deviation")
    assert (above.tip_error.max() <= deviation) == (what == "torque")


@pytest.mark.slow
def test_joints_follow_the_rigid_arm_and_forces_balance(example):
    arm, trajectory = example
    carried = flexarm.payload(arm, trajectory, mass=1.0)
    rigid = flexarm.inverse(arm, trajectory, method="rigid")
    np.testing.assert_allclose(carried.joint_angle, rigid.joint_angle, atol=1e-8)
    loaded = arm.model_copy(update={"payload": arm.payload.model_copy(update={"mass": 1.0})})
    equations = flexarm.motion_equations(loaded, formulation="gibbs-appell")
    joints, modes = list(equations.coordinates.moving_joints), list(equations.coordinates.all_modes)
    for k in range(0, carried.n_samples, 23):
        vectors = np.zeros((3, equations.n_dof))
        for row, rates in zip(vectors, ("angle", "velocity", "acceleration"), strict=True):
            row[joints] = carried[f"joint_{rates}"][k]
            row[modes] = carried[f"mode_{rates.replace('angle', 'amplitude')}"][k]
        forces = equations.inverse_dynamics(*vectors)
        np.testing.assert_allclose(forces[joints], carried.torque[k], atol=1e-9)
        np.testing.assert_allclose(forces[modes], 0, atol=1e-8)


def test_an_arm_that_violates_a_bound_without_load_is_reported():
    result = flexarm.payload(held_link(3.0), flexarm.parse_trajectory(HELD))
    assert result.attributes["payload_mass"] == 0
    assert result.message.startswith(
        "the arm without load violates a bound already: torque of joint 1 at t = "
    )


def test_without_bounds_there_is_no_largest_load():
    with pytest.raises(ModelError, match=r"nothing bounds the load .*stall_torque.*deviation"):
        flexarm.payload(held_link(), flexarm.parse_trajectory(HELD))


@pytest.mark.slow
def test_a_bound_that_no_load_reaches_is_reported():
    """A rigid link is not bent by any weight, and its motor has no limit."""
    arm = flexarm.parse_arm("name: rigid\nlinks: [{length: 0.5, mu: 1.0}]\n")
    with pytest.raises(ModelError, match=r"no load up to .* kg reaches a bound"):
        flexarm.payload(arm, flexarm.parse_trajectory(HELD), deviation=0.01)


def test_speed_torque_lines():
    """At the joint: 20 N m at rest, 0 at 8 rad/s in the direction of motion, never more than 20 N m against it."""
    arm = flexarm.parse_arm(
        "name: m\nlinks: [{length: 1.0, mu: 1.0}, {length: 1.0, mu: 1.0}]\n"
        "joints: [{motor: {gear: 50, stall_torque: 0.4, no_load_speed: 400}}, {motor: {gear: 50}}]\n"
    )
    speed = np.array([[0.0, 9.0], [4.0, 9.0], [-4.0, 9.0], [8.0, 9.0], [-10.0, 9.0]])
    upper, lower = available_torque(arm, speed)
    np.testing.assert_allclose(upper[:, 0], [20, 10, 20, 0, 20])
    np.testing.assert_allclose(lower[:, 0], [-20, -20, -10, -20, 5])
    assert np.all(np.isinf(upper[:, 1]))
    assert np.all(np.isinf(lower[:, 1]))


def test_a_motor_with_a_speed_has_a_torque():
    text = "name: m\nlinks: [{length: 1.0, mu: 1.0}]\njoints: [{motor: {no_load_speed: 400}}]\n"
    with pytest.raises(
        SpecError, match=r"joints\[0\].motor.stall_torque: missing \(a motor with a no_load_speed"
    ):
        flexarm.parse_arm(text)


TUBE = "{shape: tube, diameter: 0.03, thickness: 0.002}"


def held_tube():
    link = f"{{length: {L}, material: {{E: 7e10, rho: 2700, nu: 0.33}}, section: {TUBE}}}"
    return flexarm.parse_arm(f"name: tube\nlinks: [{link}]\nrun: {{duration: 1, sample: 0.1, stations: 3}}\n")


@pytest.mark.slow
def test_a_held_tube_carries_what_stresses_it_as_much_as_allowed():
    """At the root (m g L + w L^2 / 2) / W bends it; there shear stress is largest where bending stress is zero."""
    allowed, arm = 60e6, held_tube()
    section = arm.links[0].section
    result = flexarm.payload(arm, flexarm.parse_trajectory(HELD), max_stress=allowed)
    moment = allowed * section.second_moment_z / 0.015
    weight = 2700 * section.area * G
    assert result.attributes["payload_mass"] == pytest.approx(
        (moment - weight * L**2 / 2) / (G * L), rel=ACCURACY
    )
    assert (result.attributes["active_bound"], result.attributes["active_link"]) == ("stress", 1)
    assert bound_text(result) == "stress of link 1"
    np.testing.assert_allclose(result["stress_max"][:, 0, 0], allowed, rtol=ACCURACY)


def test_stress_needs_a_section():
    with pytest.raises(flexarm.ModelError, match="link 1 has no section, which its stress needs"):
        flexarm.payload(held_link(), flexarm.parse_trajectory(HELD), max_stress=1e8)


def test_an_inverse_run_warns_of_more_stress_than_allowed():
    arm, trajectory = held_tube(), flexarm.parse_trajectory(HELD)
    quiet = flexarm.inverse(arm, trajectory, max_stress=60e6, verify=False)
    stress = quiet["stress_max"].max()
    assert "stress" not in quiet.message
    found = flexarm.inverse(arm, trajectory, max_stress=stress / 2, verify=False)
    assert f"link 1: its stress reaches {stress / 1e6:.4g} MPa at 0 of its length" in found.message
    assert f"more than the allowed {stress / 2e6:.4g} MPa" in found.message
