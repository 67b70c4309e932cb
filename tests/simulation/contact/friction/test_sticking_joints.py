"""Joints with dry friction: where they stick, when they break away, and what else moves meanwhile, in closed form."""

from __future__ import annotations

import math
from functools import cache
from typing import Any

import numpy as np
import pytest
import yaml
from breadth import thinned
from reference.sticking_rod import rest_of

import flexarm
from flexarm.simulation.forces.work import work

FINE = {"rtol": 1e-11, "atol": 1e-13}
FRICTION = 1.0
ROD: dict[str, Any] = {
    "name": "rod",
    "links": [{"length": 1.0, "mu": 1.0}],
    "joints": [{"friction": {"coulomb": FRICTION, "smoothing": 0}}],
    "initial": {"joints": ["-30 deg"]},
    "run": {"duration": 3.0, "sample": 0.01} | FINE,
}


def simulated(description: dict[str, Any], **further) -> flexarm.Result:
    result = flexarm.simulate(flexarm.parse_arm(yaml.safe_dump(description | further)))
    assert result.status == "complete", result.message
    return result


def balance(result) -> np.ndarray:
    """What should be constant of an arm that nothing drives."""
    lost = [result[name] for name in ("energy_lost_friction", "energy_lost_impacts") if name in result]
    return result["energy_total"] + sum(lost)


@cache
def rest():
    return rest_of(1.0, 1.0, FRICTION, math.radians(-30))


def test_reference_is_the_published_one():
    assert rest().angle == pytest.approx(-1.4051472795, abs=1e-10)
    assert rest().time == pytest.approx(1.7023692, abs=1e-7)


@pytest.mark.parametrize(
    "run",
    [
        {"method": "dop853"} | FINE,
        {"method": "radau"} | FINE,
        {"method": "rk4", "step": 1e-3},
        pytest.param({"method": "auto"} | FINE, marks=pytest.mark.slow),
    ],
    ids=lambda run: run["method"],
)
def test_rod_comes_to_rest(run):
    result = simulated(ROD, run={"duration": 3.0, "sample": 0.01} | run)
    q, stuck = result["joint_angle"][:, 0], result["time"] > rest().time
    np.testing.assert_allclose(q[stuck], rest().angle, rtol=0, atol=1e-9)
    assert np.ptp(q[stuck]) < 1e-12
    np.testing.assert_allclose(result["joint_velocity"][stuck, 0], 0, atol=1e-12)
    weight = 9.81 / 2 * math.cos(rest().angle)
    np.testing.assert_allclose(result["friction_torque"][stuck, 0], weight, rtol=1e-9)
    moves = ~stuck & (result["time"] > 0)
    opposed = -FRICTION * np.sign(result["joint_velocity"][moves, 0])
    np.testing.assert_allclose(result["friction_torque"][moves, 0], opposed, rtol=1e-14)
    np.testing.assert_allclose(balance(result), balance(result)[0], rtol=0, atol=1e-9)


def test_flexible_rod_takes_as_many_steps_as_without_friction():
    """Friction makes events, not a stiff system: smoothed at 0.01 rad/s, it takes six times the steps."""
    flexible = {"length": 1.0, "mu": 1.0, "EI": 50.0, "modes": {"family": "clamped-free", "count": 2}}
    dry, free = (simulated(ROD, links=[flexible], joints=[joint]) for joint in (ROD["joints"][0], {}))
    assert dry.attributes["steps"] < 1.5 * free.attributes["steps"]
    np.testing.assert_allclose(balance(dry), balance(dry)[0], rtol=0, atol=1e-8)  # rtol over some 1000 steps


SLIDER = {
    "name": "slider",
    "gravity": [0, 0, 0],
    "links": [{"length": 0.0, "body": {"mass": 2.0, "inertia": 0.1}}],
    "joints": [{"type": "prismatic", "axis": [1, 0, 0]}],
    "run": {"duration": 0.6, "sample": 0.01} | FINE,
}


def slider(**friction) -> list[dict[str, Any]]:
    return [SLIDER["joints"][0] | {"friction": friction | {"smoothing": 0}}]


def test_joint_breaks_away_at_static_friction():
    """Torn off at 12 sin 3 t = 8; then coulomb 5 and viscous 0.5 brake: the exact solution of a linear equation."""
    joints = slider(coulomb=5.0, static=8.0, viscous=0.5)
    result = simulated(SLIDER, joints=joints, drive=[{"torque": "12*sin(3*t)"}])
    t, rate = result["time"], result["joint_velocity"][:, 0]
    start, m, b, w = math.asin(8 / 12) / 3, 2.0, 0.5, 3.0

    def forced(t):
        """Particular solution of m v_d + b v = 12 sin w t - 5."""
        return 12 * (b * np.sin(w * t) - m * w * np.cos(w * t)) / (b**2 + (m * w) ** 2) - 5 / b

    expected = forced(t) - forced(start) * np.exp(-b / m * (t - start))
    np.testing.assert_allclose(rate, np.where(t < start, 0, expected), rtol=0, atol=1e-9)
    np.testing.assert_allclose(
        result["friction_torque"][:, 0], np.where(t < start, -12 * np.sin(3 * t), -5.0), atol=1e-9
    )
    events = result.attributes["steps"]
    assert events < 100


def test_step_of_a_drive_tears_the_joint_off():
    """Held by 3 N of 4, torn off by a jump to 6 N at 0.2 s, and held again soon after the jump back at 0.4 s."""
    drive = [{"torque": "3 + 1.5*(1 + sign(t - 0.2)) - 2.5*(1 + sign(t - 0.4))"}]
    result = simulated(SLIDER, joints=slider(coulomb=4.0), drive=drive)
    t, rate = result["time"], result["joint_velocity"][:, 0]
    stop = 0.4 + 0.2 * (6 - 4) / (4 - 1)  # m v = (6 - 4) 0.2, then (4 - 1) brake
    expected = np.select([t < 0.2, t < 0.4, t < stop], [0, (t - 0.2) * 2 / 2, 0.2 - (t - 0.4) * 3 / 2], 0)
    np.testing.assert_allclose(rate, expected, rtol=0, atol=1e-10)
    np.testing.assert_allclose(result["friction_torque"][t > stop + 0.01, 0], -1.0, rtol=1e-12)


def test_joint_that_an_impact_moves_slides_on():
    """A mass of 1 kg strikes the end of its way on one of 2 kg that sticks: the torque of friction has no impulse.

    The speed of both is that of the momentum, 1 m/s; then the friction of the base joint, 6 N, brakes 3 kg.
    """
    arm = {
        "name": "train",
        "gravity": [0, 0, 0],
        "links": [
            {"length": 0.0, "body": {"mass": mass, "inertia": 0.1}} for mass in (2.0, 1.0)
        ],
        "joints": [
            {"type": "prismatic", "axis": [1, 0, 0], "friction": {"coulomb": 6.0, "smoothing": 0}},
            {"type": "prismatic", "axis": [1, 0, 0], "limits": [-1.0, 0.3]},
        ],
        "initial": {"joints": [0, 0], "joint_rates": [0, 3.0]},
        "run": {"duration": 1.0, "sample": 0.01} | FINE,
    }  # fmt: skip
    result = simulated(arm)
    t, rate = result["time"], result["joint_velocity"]
    struck, stop = 0.1, 0.1 + 1.0 / (6.0 / 3.0)
    np.testing.assert_allclose(rate[t < struck, 0], 0, atol=1e-12)
    np.testing.assert_allclose(rate[(t > struck) & (t < stop), 0], 1.0 - 2.0 * (t[(t > struck) & (t < stop)] - struck),
                               atol=1e-9)  # fmt: skip
    np.testing.assert_allclose(rate[t > stop, 0], 0, atol=1e-12)
    np.testing.assert_allclose(balance(result), balance(result)[0], rtol=0, atol=1e-9)
    assert result["energy_lost_impacts"][-1] == pytest.approx(9 / 2 - 3 / 2, abs=1e-9)


def test_motor_that_sticks_lets_the_link_swing_on_its_spring():
    """Of an elastic joint the motor rubs: held, the link vibrates at sqrt(K / J) about it."""
    K, start = 40.0, 0.02
    joint = {"stiffness": K, "motor": {"inertia": 0.01}, "friction": {"coulomb": 1.0, "smoothing": 0}}
    arm = ROD | {"gravity": [0, 0, 0], "joints": [joint], "initial": {"joints": [start], "motors": [0.0]}}
    result = simulated(arm, run={"duration": 1.0, "sample": 0.01} | FINE)
    expected = start * np.cos(math.sqrt(K * 3) * result["time"])
    np.testing.assert_allclose(result["joint_angle"][:, 0], expected, rtol=0, atol=1e-10)
    np.testing.assert_allclose(result["motor_angle"][:, 0], 0, atol=1e-15)
    np.testing.assert_allclose(result["friction_torque"][:, 0], -K * expected, rtol=0, atol=1e-8)


@pytest.mark.parametrize("formulation", thinned(["articulated", "lagrangian"], every=2))
def test_forces_are_what_is_missing_in_the_equations_of_motion(formulation):
    """Two links that fall under dry friction of both joints: M theta_dd + bias = friction, at all times."""
    links = [
        {"length": 0.6, "mu": 1.0},
        {"length": 0.5, "mu": 0.8, "EI": 20.0, "modes": {"family": "clamped-free", "count": 1}},
    ]
    joints = [{"friction": {"coulomb": c, "static": 1.4 * c, "smoothing": 0}} for c in (1.0, 0.3)]
    arm = ROD | {"links": links, "joints": joints, "initial": {"joints": [0.3, -0.9]}}
    run = {"duration": 2.5, "sample": 0.01, "formulation": formulation} | FINE
    result = simulated(arm, geometric_stiffening=False, run=run)
    equations = flexarm.motion_equations(result.arm)
    rates, torques = result["joint_velocity"], result["friction_torque"]
    stuck = np.abs(rates) < 1e-10
    for k in range(0, result["time"].size, 5):
        theta, theta_d, theta_dd = result.theta()[k], result.theta_d()[k], result.theta_dd()[k]
        missing = equations.mass_matrix(theta) @ theta_dd + equations.bias(theta, theta_d)
        np.testing.assert_allclose(
            missing, [*torques[k], 0.0], rtol=0, atol=1e-9
        )  # round-off of forces of 10 N m
    assert 0 < stuck[:, 0].sum() < stuck[:, 0].size
    limits = np.where(stuck, 1.4, 1.0) * np.array([1.0, 0.3])
    assert np.all(np.abs(torques) <= limits * (1 + 1e-9))
    slides = ~stuck
    np.testing.assert_allclose(torques[slides], (-np.sign(rates) * np.array([1.0, 0.3]))[slides], rtol=1e-12)
    np.testing.assert_allclose(balance(result), balance(result)[0], rtol=0, atol=1e-8)
    np.testing.assert_allclose(work(result), result["energy_total"] - result["energy_total"][0], atol=1e-8)


@pytest.mark.slow
def test_sweep_over_friction():
    """Runs of one model, as friction is no part of the equations, are those of single arms; the first never sticks."""
    arm = flexarm.parse_arm(yaml.safe_dump(ROD))
    found = flexarm.sweep(
        arm, {"joints[0].friction.coulomb": [0.0, 0.5, 1.0]}, record=["final_tip_x", "energy_lost"], workers=1
    )
    for k, coulomb in enumerate((0.0, 0.5, 1.0)):
        alone = flexarm.simulate(arm.replace("joints[0].friction.coulomb", coulomb))
        assert found["final_tip_x"][k] == pytest.approx(alone["point_position"][-1, -1, 0], abs=1e-9)
    lost = flexarm.sweep(
        arm, {"joints[0].friction.coulomb": [1.0, 2.0]}, record=["energy_lost_friction"], workers=1
    )
    assert lost["energy_lost_friction"][0] == pytest.approx(found["energy_lost"][2], abs=1e-9)


def test_rates_without_smoothing_are_its_limit():
    """Smoothed friction tends to dry friction with the speed of smoothing, until the joint would stick."""
    until = {"duration": 1.0, "sample": 0.1} | FINE

    def reached(smoothing):
        joints = [{"friction": {"coulomb": FRICTION, "smoothing": smoothing}}]
        return simulated(ROD, run=until, joints=joints)["joint_angle"][-1, 0]

    errors = [abs(reached(smoothing) - reached(0)) for smoothing in (2e-2, 1e-2)]
    assert errors[1] < 0.6 * errors[0]
