"""Static equilibrium and holding torques: closed forms, residuals, stability, and that a simulation stays there."""

from __future__ import annotations

import numpy as np
import pytest
from breadth import thinned
from paths import ROBOTS

import flexarm
from flexarm.description.motion.drive import Drive
from flexarm.errors import ModelError

ARMS = (
    "flexible_pendulum",
    "payload_two_link",
    "single_link_cantilever",
    "spatial_six_joint",
    "spatial_three_link",
)
RESIDUAL = 1e-10
g = 9.81


@pytest.mark.parametrize(
    ("name", "hold"), thinned([*((name, None) for name in ARMS), ("payload_two_link", "initial")])
)
def test_residual(name, hold):
    found = flexarm.static_equilibrium(flexarm.load_arm(ROBOTS / f"{name}.yaml"), hold=hold)
    print(f"{name}: {found.residual:.1e}, relative {found.relative_residual:.1e}")
    assert found.residual < RESIDUAL
    assert found.relative_residual < RESIDUAL


def test_torques_that_hold_a_rigid_arm():
    """Two bars: tau_2 = m_2 g c_2 cos(q_1 + q_2), tau_1 = tau_2 + (m_1 / 2 + m_2 + m) g l_1 cos q_1, payload in c_2."""
    arm = flexarm.parse_arm(
        "name: bars\nlinks: [{length: 1.2, mu: 2}, {length: 0.8, mu: 1}]\npayload: {mass: 0.5}\n"
    )
    found = flexarm.static_equilibrium(arm, hold="30 deg, 45 deg")
    second = (0.8 * 0.4 + 0.5 * 0.8) * g * np.cos(np.radians(75))
    first = second + (2.4 / 2 + 0.8 + 0.5) * g * 1.2 * np.cos(np.radians(30))
    np.testing.assert_allclose(found.torque, [first, second], rtol=1e-13)
    np.testing.assert_array_equal(found.tip_deflection, 0)


def test_cantilever_under_its_weight():
    """Linear beam: tip mu g l^4 / (8 EI), moment mu g l^2 / 2 at the root; eight clamped-free modes, within 1e-5."""
    arm = flexarm.parse_arm(
        "name: shelf\ngeometric_stiffening: false\n"
        "links: [{length: 2, mu: 3, EI: 900, modes: {family: clamped-free, count: 8}}]\n"
        "joints: [{type: fixed}]\n"
    )
    found = flexarm.static_equilibrium(arm)
    np.testing.assert_allclose(found.end_deflection, [[0, -3 * g * 2**4 / (8 * 900), 0]], rtol=1e-5)
    np.testing.assert_allclose(found.tip_deflection, found.end_deflection[0])
    np.testing.assert_allclose(found.torque, 3 * g * 2**2 / 2, rtol=1e-12)
    assert found.stability == "stable"


@pytest.mark.parametrize(
    ("gravity", "posture", "stability"),
    [([0, -g, 0], -90, "stable"), ([0, -g, 0], 90, "unstable"), ([0, 0, -g], 10, "indifferent")],
)
def test_stability_of_a_bar(gravity, posture, stability):
    arm = flexarm.parse_arm(
        f"name: bar\ngravity: {gravity}\nlinks: [{{length: 1, mu: 1}}]\ninitial: {{joints: [{posture} deg]}}\n"
    )
    assert flexarm.static_equilibrium(arm).stability == stability


def test_drives_that_give_the_holding_torques_hold_the_arm():
    """Round trip: the torques of a posture as drives have their equilibrium there, and a run from it stays."""
    arm = flexarm.load_arm(ROBOTS / "payload_two_link.yaml")
    held = flexarm.static_equilibrium(arm, hold="-60 deg, -15 deg")
    modes = tuple(held.theta[list(held.point.chain.coordinates.all_modes)])
    driven = arm.model_copy(
        update={
            "drive": tuple(Drive(torque=float(torque)) for torque in held.torque),
            "initial": arm.initial.model_copy(update={"joints": tuple(held.joint_angle), "modes": modes}),
            "run": arm.run.model_copy(update={"duration": 0.5}),
        }
    )
    nearby = arm.initial.model_copy(update={"joints": (-1.0, -0.3)})
    settled = flexarm.static_equilibrium(driven.model_copy(update={"initial": nearby}))
    assert settled.stability == "stable"
    np.testing.assert_allclose(settled.theta, held.theta, atol=1e-10)
    np.testing.assert_allclose(settled.torque, held.torque, rtol=1e-9)
    result = flexarm.simulate(driven)
    assert np.abs(result.theta() - held.theta).max() < 1e-8


def test_no_equilibrium():
    with pytest.raises(ModelError, match="no static equilibrium"):
        flexarm.static_equilibrium(
            flexarm.parse_arm("name: spun\nlinks: [{length: 1, mu: 1}]\ndrive: [{torque: 100}]\n")
        )
    pushed = "name: pushed\nbase: planar\nlinks: [{length: 1, mu: 1}]\nloads: [{at: tip, force: [1, 0, 0]}]\n"
    with pytest.raises(ModelError, match="accelerate the arm as a whole"):
        flexarm.static_equilibrium(flexarm.parse_arm(pushed))


def test_result_of_its_kind(tmp_path):
    found = flexarm.static_equilibrium(flexarm.load_arm(ROBOTS / "space_arm.yaml"), hold="initial")
    found.result("by hand").save(tmp_path / "held.h5")
    result = flexarm.open_result(tmp_path / "held.h5")
    assert (result.kind, result.n_samples, result.attributes["stability"]) == (
        "equilibrium",
        1,
        "indifferent",
    )
    np.testing.assert_allclose(result.theta()[0], found.theta, atol=1e-14)
    np.testing.assert_array_equal(result.torque[0], found.torque)
