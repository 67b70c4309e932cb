"""Motions of joints that slide against closed forms: free, driven, prescribed, against walls, floating, inverse."""

from __future__ import annotations

import numpy as np
import pytest

import flexarm
from flexarm.errors import ModelError, SpecError

CART = """
name: cart
gravity: [0, -9.81, 0]
links: [{length: 0, body: {mass: 2.0}}, {length: 0.5, mu: 1.0}]
joints: [{type: prismatic, axis: [1, 0, 0]}, {}]
initial: {joints: [0.1, 0.4]}
run: {duration: 2, sample: 0.01, rtol: 1e-11, atol: 1e-13}
"""
BLOCK = """
name: block
gravity: [0, -9.81, 0]
links: [{{length: 0, body: {{mass: 2.0}}}}]
joints: [{{type: prismatic, axis: {axis}, {joint}}}]
initial: {{joints: [{q}], joint_rates: [{rate}]}}
drive: [{drive}]
{more}
run: {{duration: 1, sample: 0.01, rtol: 1e-11, atol: 1e-13}}
"""
GANTRY = """
name: gantry
gravity: [0, 0, -9.81]
links: [{length: 0, body: {mass: 5}}, {length: 0, body: {mass: 3}}, {length: 0.4, mu: 0.5, MODES}]
joints:
  - {type: prismatic, axis: [1, 0, 0]}
  - {type: prismatic, axis: [0, 1, 0]}
  - {type: prismatic, axis: [0, 0, 1], friction: {viscous: 2}, motor: {inertia: 1e-5, gear: 200}}
"""
LINE = "duration: 1\nsample: 0.01\nline: {from: [0.5, 0.1, 0.2], to: [0.9, 0.4, -0.3], law: nonic}\n"


def block(axis="[1, 0, 0]", joint="", q=0.0, rate=0.0, drive="null", more=""):
    return flexarm.simulate(
        flexarm.parse_arm(BLOCK.format(axis=axis, joint=joint, q=q, rate=rate, drive=drive, more=more))
    )


def test_energy_and_the_momentum_along_the_rail_are_kept():
    """Nothing pushes the cart along its rail: m_total x_centre_d stays what it was, zero."""
    result = flexarm.simulate(flexarm.parse_arm(CART))
    x, phi = result.joint_angle.T
    centre = (2.0 * x + 0.5 * (x + 0.25 * np.cos(phi))) / 2.5
    np.testing.assert_allclose(centre, centre[0], atol=1e-9)
    np.testing.assert_allclose(result.energy_total, result.energy_total[0], atol=1e-8)


def test_viscous_friction_brakes_exponentially():
    result = block(joint="friction: {viscous: 3.0}", rate=1.5)
    np.testing.assert_allclose(result.joint_velocity[:, 0], 1.5 * np.exp(-1.5 * result.time), atol=1e-9)


def test_a_force_moves_the_block_and_the_rotor():
    """gear [rad/m]: the rotor adds gear^2 inertia to the mass."""
    result = block(joint="motor: {inertia: 1e-4, gear: 100}", drive="{torque: 6.0}")
    np.testing.assert_allclose(result.joint_angle[:, 0], result.time**2, atol=1e-9)


def test_a_pd_drive_is_a_spring_and_a_damper():
    result = block(drive="{pd: {kp: 200, kd: 0, reference: 0.3}}")
    expected = 0.3 * (1 - np.cos(10 * result.time))
    np.testing.assert_allclose(result.joint_angle[:, 0], expected, atol=1e-8)


def test_a_prescribed_slide_takes_its_force():
    """A lift that carries a block on a rail: the force lifts both."""
    text = """
name: lift
gravity: [0, -9.81, 0]
links: [{length: 0, body: {mass: 2}}, {length: 0, body: {mass: 1}}]
joints: [{type: prismatic, axis: [0, 1, 0]}, {type: prismatic, axis: [1, 0, 0]}]
drive: [{motion: "0.2*sin(3*t)"}, {torque: 1.0}]
run: {duration: 1, sample: 0.01}
"""
    result = flexarm.simulate(flexarm.parse_arm(text))
    np.testing.assert_allclose(result.torque[:, 0], 3 * (9.81 - 0.2 * 9 * np.sin(3 * result.time)), atol=1e-9)
    np.testing.assert_allclose(result.joint_angle[:, 1], result.time**2 / 2, atol=1e-9)


def test_a_block_falls_on_the_floor():
    """From 0.5 m with e = 0.5: it strikes after sqrt(2 h / g), and then rises to a quarter of the height."""
    wall = "contact: {restitution: 0.5, walls: [{point: [0, 0], normal: [0, 1]}]}"
    result = block(axis="[0, 1, 0]", q=0.5, more=wall)
    first = np.sqrt(1.0 / 9.81)
    second = first * (1 + 2 * 0.5)
    np.testing.assert_allclose(np.unique(result.impact_time)[:2], [first, second], atol=1e-9)


def test_a_slide_on_a_floating_body_keeps_the_momentum():
    text = """
name: thruster
gravity: [0, 0, 0]
base: {type: free, mass: 8, inertia: [0.5, 0.6, 0.7, 0, 0.1, 0], attachment: [0.2, 0.1, 0.3]}
links: [{length: 0, body: {mass: 2, center: [0, 0.1, 0], inertia: [0.02, 0.03, 0.04]}}, {length: 0.6, mu: 1}]
joints: [{type: prismatic, origin: {rpy: [30 deg, 0, 20 deg]}, axis: [1, 1, 0]}, {axis: [0, 1, 0]}]
drive: [{torque: "3*sin(5*t)"}, {torque: "0.1*cos(4*t)"}]
initial: {base_rates: [0.1, 0.2, 0, 0.3, 0, 0.1]}
run: {duration: 2, sample: 0.02, rtol: 1e-10, atol: 1e-12}
"""
    result = flexarm.simulate(flexarm.parse_arm(text))
    for name in ("momentum", "angular_momentum"):
        values = result[name]
        np.testing.assert_allclose(values, np.broadcast_to(values[0], values.shape), atol=1e-8)


@pytest.mark.parametrize("task", ["tip", "joint"])
def test_inverse_dynamics_of_a_rigid_gantry(task):
    """Forces are those of Newton: what each axis carries times its acceleration, weight, friction and rotor."""
    arm = flexarm.parse_arm(GANTRY.replace(", MODES", ""))
    shift = np.array([0.4, 0, 0]) if task == "tip" else np.zeros(3)
    result = flexarm.inverse(
        arm, flexarm.parse_trajectory(LINE if task == "tip" else f"space: joint\n{LINE}"), verify=True
    )
    assert result.attributes["verified_error"] < 1e-7
    inside = (result.time >= 0) & (result.time <= 1)
    s = result.time[inside]
    law = np.polynomial.Polynomial([0, 0, 0, 0, 0, 126, -420, 540, -315, 70])
    step = np.array([0.4, 0.3, -0.5])
    q = np.array([0.5, 0.1, 0.2]) - shift + law(s)[:, None] * step
    np.testing.assert_allclose(result.joint_angle[inside], q, atol=1e-8)
    a, v = law.deriv(2)(s)[:, None] * step, law.deriv()(s)[:, None] * step
    rotor = 200**2 * 1e-5
    expected = a * [8.2, 3.2, 0.2 + rotor] + [0, 0, 0.2 * 9.81] + v * [0, 0, 2.0]
    np.testing.assert_allclose(result.torque[inside], expected, atol=1e-6)


def test_inverse_dynamics_of_a_gantry_with_a_flexible_beam():
    """The tip of the beam, whose clamp slides up and down, is led along a line; the forces found bring it there."""
    mode = "{{family: pinned-pinned, count: 1, direction: {}}}"
    modes = f"EI: {{y: 8, z: 8}}, modes: [{mode.format('y')}, {mode.format('z')}]"
    arm = flexarm.parse_arm(GANTRY.replace("MODES", modes))
    result = flexarm.inverse(arm, flexarm.parse_trajectory(LINE), verify=True)
    assert result.attributes["verified_error"] < 1e-6


def test_what_slides_is_given_in_metres():
    with pytest.raises(
        SpecError, match=r"initial.joints\[0\]: got an angle, expected a number in m: joint 1 slides"
    ):
        flexarm.parse_arm(CART.replace("[0.1, 0.4]", "[10 deg, 0.4]"))
    with pytest.raises(ModelError, match="expected a number of metres"):
        flexarm.natural_modes(flexarm.parse_arm(CART), at="30 deg, 0.1")


def test_a_joint_that_slides_does_not_turn_steadily():
    with pytest.raises(ModelError, match="joint 1 is prismatic, expected 2"):
        flexarm.natural_modes(flexarm.parse_arm(CART), spin=3.0, joint=1)


def test_a_joint_that_moves_no_mass_is_named():
    with pytest.raises(ModelError, match="nothing with inertia moves along q_3"):
        flexarm.simulate(
            flexarm.parse_arm(
                CART.replace("{length: 0.5, mu: 1.0}", "{length: 0.5, mu: 1.0}, {length: 0}")
                .replace(
                    "joints: [{type: prismatic, axis: [1, 0, 0]}, {}]", "joints: [{type: prismatic}, {}, {}]"
                )
                .replace("[0.1, 0.4]", "[0.1, 0.4, 0]")
            )
        )


@pytest.mark.parametrize("base", ["planar", "free"])
def test_a_first_joint_that_slides_needs_a_body_to_slide_on(base):
    with pytest.raises(SpecError, match="joint 1 slides, but link 1 moves with the floating base already"):
        flexarm.parse_arm(f"{CART}base: {base}\n")
