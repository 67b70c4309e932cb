"""Motion of arms with elastic joints: closed forms, conservation, the limit of stiff springs, what is recorded."""

from __future__ import annotations

import numpy as np
import pytest

import flexarm
from flexarm.catalogue import FORMULATIONS

INERTIA, GEAR, STIFFNESS = 2e-4, 50.0, 800.0
MOTOR = GEAR**2 * INERTIA
LENGTH, MU = 0.8, 3.0
LINK = MU * LENGTH**3 / 3
SHARP = "run: {duration: 1.0, sample: 0.01, rtol: 1e-11, atol: 1e-13}"
ELASTIC = f"stiffness: {STIFFNESS}, motor: {{inertia: {INERTIA}, gear: {GEAR}}}"


def rod(joint: str = ELASTIC, drive: str = "null", others: str = "", run: str = SHARP):
    """A rigid link on one joint, without gravity."""
    return flexarm.parse_arm(
        f"""
name: rod
gravity: [0, 0, 0]
links: [{{length: {LENGTH}, mu: {MU}}}]
joints: [{{{joint}}}]
drive: [{drive}]
{others}
{run}
"""
    )


def two_links(spring: str, others: str = "", run: str = SHARP):
    """Two flexible links that hang; the joints' springs as given."""
    return flexarm.parse_arm(
        f"""
name: two
gravity: [0, -9.81, 0]
links:
  - {{length: 1.0, mu: 5.0, EI: 1000.0, modes: {{family: clamped-free, count: 1}}}}
  - {{length: 1.0, mu: 5.0, EI: 1000.0, modes: {{family: clamped-free, count: 1}}}}
joints:
  - {{{spring}motor: {{inertia: 1e-4, gear: 100}}}}
  - {{{spring}motor: {{inertia: 1e-4, gear: 50}}}}
{others or "initial: {joints: [-90 deg, 5 deg]}"}
{run}
"""
    )


def test_relaxed_spring_without_forces_rests():
    result = flexarm.simulate(rod())
    assert not result.joint_angle.any()
    assert not result.motor_angle.any()


def test_twisted_spring_lets_both_swing():
    """The twist swings with w^2 = K (1/J_m + 1/J_l), about a centre of inertia that stays."""
    result = flexarm.simulate(rod(others="initial: {joints: [0.3], motors: [0.5]}"))
    w = np.sqrt(STIFFNESS * (1 / MOTOR + 1 / LINK))
    twist = result.motor_angle[:, 0] - result.joint_angle[:, 0]
    np.testing.assert_allclose(twist, 0.2 * np.cos(w * result.time), atol=1e-9)
    centre = (MOTOR * result.motor_angle[:, 0] + LINK * result.joint_angle[:, 0]) / (MOTOR + LINK)
    np.testing.assert_allclose(centre, (MOTOR * 0.5 + LINK * 0.3) / (MOTOR + LINK), atol=1e-12)
    np.testing.assert_allclose(result.spring_torque[:, 0], STIFFNESS * twist, atol=1e-10)
    np.testing.assert_allclose(result.energy_spring, STIFFNESS * twist**2 / 2, atol=1e-10)


def test_constant_torque_turns_both():
    """Starting together: the mean acceleration tau / (J_m + J_l) with a swing of the twist about its mean."""
    tau = 4.0
    result = flexarm.simulate(rod(drive=f"{{torque: {tau}}}"))
    w = np.sqrt(STIFFNESS * (1 / MOTOR + 1 / LINK))
    twist = tau / MOTOR / w**2 * (1 - np.cos(w * result.time))
    np.testing.assert_allclose(result.motor_angle[:, 0] - result.joint_angle[:, 0], twist, atol=1e-9)
    np.testing.assert_array_equal(result.torque[:, 0], tau)


def test_prescribed_motor_carries_the_link():
    """theta_m = A sin(W t): the link, started as it goes on, swings with A K / (K - J_l W^2)."""
    A, W = 0.2, 12.0
    amplitude = A * STIFFNESS / (STIFFNESS - LINK * W**2)
    result = flexarm.simulate(
        rod(drive=f'{{motion: "{A}*sin({W}*t)"}}', others=f"initial: {{joint_rates: [{amplitude * W}]}}")
    )
    swing = np.sin(W * result.time)
    np.testing.assert_allclose(result.joint_angle[:, 0], amplitude * swing, atol=1e-9)
    np.testing.assert_allclose(result.motor_angle[:, 0], A * swing, atol=1e-14)
    needed = -MOTOR * A * W**2 * swing + STIFFNESS * (A - amplitude) * swing
    np.testing.assert_allclose(result.torque[:, 0], needed, atol=1e-6)


def test_held_motor_holds_where_it_begins():
    result = flexarm.simulate(rod(drive="{motion: hold}", others="initial: {joints: [0.1], motors: [0.3]}"))
    np.testing.assert_allclose(result.motor_angle[:, 0], 0.3, atol=1e-14)
    w = np.sqrt(STIFFNESS / LINK)
    np.testing.assert_allclose(result.joint_angle[:, 0], 0.3 - 0.2 * np.cos(w * result.time), atol=1e-9)


def test_a_kink_of_the_motors_angle_is_an_impulse_on_the_motor_alone():
    result = flexarm.simulate(rod(drive='{motion: "0.5*max(t - 0.3, 0)"}'))
    assert result["motion_impulse"][0] == pytest.approx(MOTOR * 0.5, rel=1e-12)
    k = int(np.searchsorted(result.time, 0.3))
    assert abs(result.joint_velocity[k, 0]) < 1e-12


def test_pd_drives_measure_the_motor():
    kp, kd = 300.0, 5.0
    arm = rod(
        drive=f"{{pd: {{kp: {kp}, kd: {kd}, reference: 0.4}}}}",
        others="initial: {joints: [0.1], motors: [0.2]}",
    )
    result = flexarm.simulate(arm)
    expected = kp * (0.4 - result.motor_angle) - kd * result.motor_velocity
    np.testing.assert_allclose(result.torque, expected, atol=1e-10)


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_energy_is_kept(formulation):
    start = "initial: {joints: [-90 deg, 5 deg], motors: [-87 deg, 4 deg]}\ngeometric_stiffening: false"
    arm = two_links("stiffness: 3000, ", start, SHARP.replace("}", f", formulation: {formulation}}}"))
    result = flexarm.simulate(arm)
    assert np.ptp(result.energy_total) < 1e-9 * result.energy_kinetic.max()
    assert result.energy_spring.max() > 0.01 * result.energy_kinetic.max()


def test_what_dampers_and_friction_take_is_the_work():
    from flexarm.simulation.forces.work import work

    joint = f"{ELASTIC}, damping: 2.0, friction: {{viscous: 0.5, coulomb: 0.2, smoothing: 0.5}}"
    drive = '{pd: {kp: 300, kd: 5, reference: "0.4*sin(3*t)"}}'
    fine = SHARP.replace("0.01", "0.0005")
    result = flexarm.simulate(rod(joint, drive, "initial: {joints: [0.3], motors: [0.5]}", fine))
    left = result.energy_total - result.energy_total[0] - work(result)
    assert np.abs(left).max() < 1e-6 * result.energy_total.max()


@pytest.mark.slow
def test_stiff_springs_tend_to_the_stiff_joint():
    """Damped springs, a smooth start: the tip of first order in 1/K."""
    drive = 'drive: [{torque: "20*sin(pi*t)**4"}, null]\ninitial: {equilibrium: true, joints: [-90 deg, 0]}'
    stiff = flexarm.simulate(two_links("", drive)).tip
    errors = []
    for stiffness in (2e5, 4e5, 8e5):
        found = flexarm.simulate(two_links(f"stiffness: {stiffness}, damping: {stiffness / 2000}, ", drive))
        errors.append(np.abs(found.tip - stiff).max())
    orders = np.log2(np.array(errors[:-1]) / errors[1:])
    print(errors, orders)
    np.testing.assert_allclose(orders, 1.0, atol=0.05)


def test_files_hold_the_motors(tmp_path):
    arm = two_links("stiffness: 3000, ")
    result = flexarm.simulate(arm, output=tmp_path / "two.h5")
    assert result.motor_angle.shape == result.joint_angle.shape
    np.testing.assert_array_equal(result.theta()[:, -2:], result.motor_angle)
    np.testing.assert_array_equal(result.theta_d()[:, -2:], result.motor_velocity)
    assert flexarm.motion_equations(arm).coordinates.labels[-2:] == ("motor_1", "motor_2")


def test_arms_without_springs_record_none():
    result = flexarm.simulate(rod(f"motor: {{inertia: {INERTIA}, gear: {GEAR}}}"))
    assert not {"motor_angle", "spring_torque", "energy_spring"} & set(result)


def test_recorded_forces_balance():
    run = SHARP.replace("}", ", record: [generalised_forces, acceleration_energy]}")
    result = flexarm.simulate(two_links("stiffness: 3000, damping: 1, ", "geometric_stiffening: false", run))
    terms = sum(result[f"force_{name}"] for name in ("inertia", "gravity", "deformation", "friction"))
    np.testing.assert_allclose(terms, result["force_drive"] + result["force_load"], atol=1e-6)
    assert result["force_deformation"].shape[1] == 6


@pytest.mark.slow
def test_sweep_of_stiffness_is_what_single_runs_give():
    arm = two_links("stiffness: 3000, damping: 1, ")
    swept = flexarm.sweep(arm, {"joints[0].stiffness": [2000.0, 4000.0]}, record=["final_tip"])
    tips = np.stack([swept[f"final_tip_{axis}"] for axis in "xyz"], axis=-1)
    for stiffness, tip in zip((2000.0, 4000.0), tips, strict=True):
        alone = flexarm.simulate(arm.replace({"joints[0].stiffness": stiffness}))
        np.testing.assert_allclose(tip, alone.tip[-1], atol=1e-12)


def test_a_link_on_its_spring_strikes_a_wall():
    """Its motor held, the link falls onto a wall and bounces without loss."""
    contact = "contact: {walls: [{point: [0, -0.01, 0], normal: [0, 1, 0]}], points: [O2], restitution: 1.0}"
    arm = rod(drive="{motion: hold}", others=contact).replace("gravity[1]", -9.81)
    result = flexarm.simulate(arm)
    assert len(result["impact_time"]) > 2
    assert np.ptp(result.energy_total) < 1e-9 * result.energy_kinetic.max()


def test_a_stop_carries_the_link_and_leaves_its_spring_relaxed():
    damped = f"{ELASTIC}, damping: 20, friction: {{viscous: 5}}, limits: [-0.3, 1.0]"
    arm = rod(damped, run=SHARP.replace("1.0,", "8.0,")).replace("gravity[1]", -9.81)
    result = flexarm.simulate(arm)
    assert result.joint_angle[-1, 0] == pytest.approx(-0.3, abs=1e-9)
    assert result.motor_angle[-1, 0] == pytest.approx(-0.3, abs=1e-6)
