"""Elastic joints against closed forms and characteristic equations: frequencies, equilibria, linear models."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import brentq

import flexarm

EXACT = 1e-10
INERTIA, GEAR, STIFFNESS = 2e-4, 50.0, 800.0
MOTOR = GEAR**2 * INERTIA
LENGTH, MU = 0.8, 3.0
LINK = MU * LENGTH**3 / 3
"""Inertia of the rigid link about its joint [kg m^2]."""


def rod(joint: str, drive: str = "null", gravity: str = "[0, 0, 0]", others: str = ""):
    """A rigid link on one joint."""
    return flexarm.parse_arm(
        f"""
name: rod
gravity: {gravity}
links: [{{length: {LENGTH}, mu: {MU}}}]
joints: [{{{joint}}}]
drive: [{drive}]
{others}
"""
    )


ELASTIC = f"stiffness: {STIFFNESS}, motor: {{inertia: {INERTIA}, gear: {GEAR}}}"


def angular(modes) -> np.ndarray:
    return 2 * np.pi * modes.frequencies


def test_motor_and_link_swing_against_each_other():
    found = angular(flexarm.natural_modes(rod(ELASTIC)))
    assert found[0] == 0
    assert found[1] == pytest.approx(np.sqrt(STIFFNESS * (1 / MOTOR + 1 / LINK)), rel=EXACT)


def test_a_held_motor_leaves_the_link_on_its_spring():
    found = angular(flexarm.natural_modes(rod(ELASTIC), joints="locked"))
    np.testing.assert_allclose(found, [np.sqrt(STIFFNESS / LINK)], rtol=EXACT)


def test_both_frequencies_with_a_regulated_motor():
    """The PD drive is a spring from the motor to the ground; the frequencies of the chain of two in closed form."""
    kp = 300.0
    arm = rod(ELASTIC, f"{{pd: {{kp: {kp}, kd: 0, reference: 0}}}}")
    trace = (STIFFNESS + kp) / MOTOR + STIFFNESS / LINK
    root = np.sqrt(trace**2 - 4 * kp * STIFFNESS / MOTOR / LINK)
    exact = np.sqrt((trace + np.array([-1, 1]) * root) / 2)
    np.testing.assert_allclose(angular(flexarm.natural_modes(arm, joints="pd")), exact, rtol=EXACT)


def test_damper_and_friction():
    """Poles of s^2 [J_m, J_l] + s [d + c, -d; -d, d] + K [1, -1; -1, 1]: friction is on the motor's side."""
    d, c = 3.0, 1.5
    arm = rod(f"{ELASTIC}, damping: {d}, friction: {{viscous: {c}}}")
    poles = flexarm.linearize(arm).modes.poles
    M, D = np.diag([MOTOR, LINK]), np.array([[d + c, -d], [-d, d]])
    K = STIFFNESS * np.array([[1, -1], [-1, 1]])
    A = np.block([[np.zeros((2, 2)), np.eye(2)], [-np.linalg.solve(M, K), -np.linalg.solve(M, D)]])
    exact = np.linalg.eigvals(A)
    exact = exact[np.imag(exact) >= 0]
    for pole in poles:
        assert np.abs(pole - exact).min() < 1e-8 * np.abs(exact).max()


def test_a_spring_without_a_motor_draws_its_joint_to_rest():
    rest = 0.7
    arm = rod(f"stiffness: {STIFFNESS}, rest: {rest}, motor: {{stall_torque: 3}}")
    assert flexarm.static_equilibrium(arm).joint_angle[0] == pytest.approx(rest, abs=1e-12)
    np.testing.assert_allclose(angular(flexarm.natural_modes(arm)), [np.sqrt(STIFFNESS / LINK)], rtol=EXACT)


def test_a_slide_on_a_spring():
    arm = rod(f"type: prismatic, {ELASTIC}")
    found = angular(flexarm.natural_modes(arm))
    assert found[1] == pytest.approx(np.sqrt(STIFFNESS * (1 / MOTOR + 1 / (MU * LENGTH))), rel=EXACT)


def test_the_motor_that_holds_a_posture():
    q, weight = 0.4, MU * LENGTH * 9.81 * LENGTH / 2
    arm = rod(ELASTIC, gravity="[0, -9.81, 0]", others="initial: {joints: [0.4]}")
    held = flexarm.static_equilibrium(arm, hold="initial")
    needed = weight * np.cos(q)
    assert held.torque[0] == pytest.approx(needed, rel=1e-12)
    assert held.data["motor_angle"][0, 0] == pytest.approx(q + needed / STIFFNESS, rel=1e-12)
    assert held.data["spring_torque"][0, 0] == pytest.approx(needed, rel=1e-12)
    assert held.data["energy_spring"][0] == pytest.approx(needed**2 / 2 / STIFFNESS, rel=1e-12)


def test_equilibrium_under_a_torque_of_the_motor():
    """The spring carries the torque: K (theta_m - q) = tau = m g l/2 cos q."""
    tau, weight = -5.0, MU * LENGTH * 9.81 * LENGTH / 2
    arm = rod(ELASTIC, f"{{torque: {tau}}}", "[0, -9.81, 0]", "initial: {joints: [-80 deg]}")
    found = flexarm.static_equilibrium(arm)
    q = -np.arccos(tau / weight)
    assert found.joint_angle[0] == pytest.approx(q, abs=1e-10)
    assert found.data["motor_angle"][0, 0] == pytest.approx(q + tau / STIFFNESS, abs=1e-10)


def test_torques_act_on_the_motor():
    """From torque to link angle: four integrations, K / (J_m J_l s^2 (s^2 + w^2))."""
    model = flexarm.linearize(rod(ELASTIC))
    assert model.states == ("q_1", "motor_1", "q_1_d", "motor_1_d")
    np.testing.assert_allclose(model.B[:, 0], [0, 0, 0, 1 / MOTOR], rtol=1e-12)
    s = 3.0 + 20.0j
    found = (model.C @ np.linalg.solve(s * np.eye(4) - model.A, model.B))[0, 0]
    w2 = STIFFNESS * (1 / MOTOR + 1 / LINK)
    assert found == pytest.approx(STIFFNESS / (MOTOR * LINK * s**2 * (s**2 + w2)), rel=1e-10)
    assert model.zeros(["tau_1"], ["q_1"]).size == 0


EI = 60.0


def _characteristic(w: float, root_stiffness: float) -> float:
    """Determinant of a beam on a rotary spring, free at its end: w(0) = 0, EI w''(0) = k w'(0), M(l) = Q(l) = 0."""
    b = (MU * w**2 / EI) ** 0.25
    x = b * LENGTH
    s, c, sh, ch = np.sin(x), np.cos(x), np.sinh(x), np.cosh(x)
    # w = A (cos - cosh) + B sin + C sinh
    return np.linalg.det(
        [
            [-2 * EI * b, -root_stiffness, -root_stiffness],
            [-(c + ch), -s, sh],
            [s - sh, -c, ch],
        ]
    )


def _exact(guess: float, root_stiffness) -> float:
    return brentq(lambda w: _characteristic(w, root_stiffness(w)), 0.97 * guess, 1.03 * guess, xtol=1e-12)


@pytest.mark.parametrize(("joints", "motor"), [("free", True), ("locked", True), ("free", False)])
@pytest.mark.parametrize(
    ("family", "count", "tolerance"), [("clamped-free", 4, 1e-4), ("polynomial", 8, 1e-8)]
)
def test_flexible_beam_on_an_elastic_joint(joints, motor, family, count, tolerance):
    """A motor of inertia J behind a spring K acts on the root as the stiffness K w^2 J / (w^2 J - K)."""
    spring = 90.0
    joint = f"stiffness: {spring}" + f", motor: {{inertia: {INERTIA}, gear: {GEAR}}}" * motor
    arm = flexarm.parse_arm(
        f"""
name: beam
gravity: [0, 0, 0]
links:
  - {{length: {LENGTH}, mu: {MU}, EI: {EI}, modes: {{family: {family}, count: {count}}}}}
joints: [{{{joint}}}]
"""
    )
    found = angular(flexarm.natural_modes(arm, joints=joints))
    found = found[found > 0][:2]
    moves = motor and joints == "free"

    def stiffness(w: float) -> float:
        return spring * w**2 * MOTOR / (w**2 * MOTOR - spring) if moves else spring

    exact = np.array([_exact(w, stiffness) for w in found])
    print(joints, motor, found / exact - 1)
    np.testing.assert_allclose(found, exact, rtol=tolerance)


def test_stiff_springs_tend_to_the_stiff_joint():
    """The frequencies of a flexible arm with elastic joints, of first order in 1/K."""

    def frequencies(stiffness: float | None) -> np.ndarray:
        spring = "" if stiffness is None else f"stiffness: {stiffness}, "
        arm = flexarm.parse_arm(
            f"""
name: two
gravity: [0, 0, 0]
links:
  - {{length: 1.0, mu: 5.0, EI: 1000.0, modes: {{family: clamped-free, count: 2}}}}
  - {{length: 1.0, mu: 5.0, EI: 1000.0, modes: {{family: clamped-free, count: 2}}}}
joints:
  - {{{spring}motor: {{inertia: 1e-4, gear: 100}}}}
  - {{{spring}motor: {{inertia: 1e-4, gear: 50}}}}
initial: {{joints: [0, 0.5]}}
"""
        )
        return flexarm.natural_modes(arm).frequencies[2:5]

    stiff = frequencies(None)
    errors = np.array([np.abs(frequencies(K) / stiff - 1).max() for K in (1e6, 4e6, 16e6)])
    orders = np.log(errors[:-1] / errors[1:]) / np.log(4)
    print(errors, orders)
    np.testing.assert_allclose(orders, 1.0, atol=0.02)


def test_steady_rotation_of_an_elastic_joint():
    """A rigid rod that turns steadily: link and motor swing against each other as at rest."""
    found = flexarm.natural_modes(rod(ELASTIC), spin=5.0)
    np.testing.assert_allclose(angular(found), [np.sqrt(STIFFNESS / LINK)], rtol=EXACT)
