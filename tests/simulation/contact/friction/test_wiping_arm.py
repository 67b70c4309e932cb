"""An arm that wipes a table: forces from its equations of motion, the same by every method, and in sweeps."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

import flexarm
from flexarm.description.arm.joint.motor import Friction
from flexarm.shipped import shipped_arms

MU, MU_STATIC = 0.3, 0.4
SLIDING, STICKING = 1, 2


@cache
def wiping(settings="rtol: 1e-10, atol: 1e-12", duration=3.5, EI=20.0):
    text = shipped_arms()["wiping_arm"].read_text().replace("rtol: 1e-9, atol: 1e-11", settings)
    arm = flexarm.parse_arm(text).replace("run.duration", duration).replace("links[1].EI", EI)
    return flexarm.simulate(arm)


def of_tip(result, name):
    return result[name][:, 0, 0]


def jacobian(equations, theta):
    """Of the tip in the plane, (2, n), by central differences."""
    h, n = 1e-5, theta.size
    steps = [
        equations.points(theta + h * e)[-1, :2] - equations.points(theta - h * e)[-1, :2] for e in np.eye(n)
    ]
    return np.stack(steps, axis=1) / (2 * h)


@pytest.mark.parametrize("EI", [20.0, pytest.param(200.0, marks=pytest.mark.slow)])
def test_forces_are_what_is_missing_in_the_equations_of_motion(EI):
    """M theta_dd + bias - torques = J^T F at times in all states; in sliding F lies on the cone, at rest inside it."""
    result = wiping(EI=EI)
    equations = flexarm.motion_equations(result.arm)
    N, T, state = (of_tip(result, f"contact_{name}") for name in ("force", "tangential_force", "state"))
    assert {SLIDING, STICKING} <= set(state)
    for k in range(0, result["time"].size, 7):
        theta, theta_d, theta_dd = result.theta()[k], result.theta_d()[k], result.theta_dd()[k]
        torques = np.append(result["torque"][k], np.zeros(theta.size - 2))
        missing = equations.mass_matrix(theta) @ theta_dd + equations.bias(theta, theta_d) - torques
        J = jacobian(equations, theta)
        np.testing.assert_allclose(
            missing, J.T @ [T[k], N[k]], rtol=0, atol=1e-7
        )  # round-off of J, of forces
    slides, sticks = state == SLIDING, state == STICKING
    np.testing.assert_allclose(
        T[slides], -MU * N[slides] * np.sign(of_tip(result, "contact_slip"))[slides], rtol=1e-9
    )
    assert np.all(np.abs(T[sticks]) <= MU_STATIC * N[sticks] * (1 + 1e-9))
    np.testing.assert_allclose(of_tip(result, "contact_slip")[sticks], 0, atol=1e-11)
    assert np.abs(result["point_position"][:, -1, 1][state > 0]).max() < 1e-10


@pytest.mark.slow
def test_joints_that_stick_beside_walls_that_rub():
    """Table, drives and friction of both joints together are what is missing, on the cone and within bounds."""
    text = (
        shipped_arms()["wiping_arm"]
        .read_text()
        .replace("rtol: 1e-9, atol: 1e-11", "rtol: 1e-10, atol: 1e-12")
    )
    arm = flexarm.parse_arm(text).replace("run.duration", 2.0)
    dry = Friction(coulomb=0.5, smoothing=0)
    arm = arm.model_copy(update={"joints": tuple(j.model_copy(update={"friction": dry}) for j in arm.joints)})
    result = flexarm.simulate(arm)
    assert result.status == "complete"
    equations = flexarm.motion_equations(arm)
    N, T, state = (of_tip(result, f"contact_{name}") for name in ("force", "tangential_force", "state"))
    rubbing = result["friction_torque"]
    assert SLIDING in set(state)
    assert np.any(
        (np.abs(rubbing) < 0.49) & (state > 0)[:, None]
    )  # a joint sticks while the tip is on the table
    for k in range(0, result["time"].size, 7):
        theta, theta_d, theta_dd = result.theta()[k], result.theta_d()[k], result.theta_dd()[k]
        torques = np.append(result["torque"][k] + rubbing[k], np.zeros(theta.size - 2))
        missing = equations.mass_matrix(theta) @ theta_dd + equations.bias(theta, theta_d) - torques
        np.testing.assert_allclose(missing, jacobian(equations, theta).T @ [T[k], N[k]], rtol=0, atol=1e-7)
    slides = state == SLIDING
    np.testing.assert_allclose(np.abs(T[slides]), MU * N[slides], rtol=1e-9)
    assert np.all(np.abs(rubbing) <= 0.5 * (1 + 1e-9))


@pytest.mark.parametrize(
    "settings",
    [
        "method: radau, rtol: 1e-9, atol: 1e-11",
        pytest.param("method: rk4, step: 1e-4", marks=pytest.mark.slow),
        pytest.param("method: auto, rtol: 1e-9, atol: 1e-11", marks=pytest.mark.slow),
    ],
)
def test_every_method_wipes_alike(settings):
    result, expected = wiping(settings, duration=1.2), wiping(duration=1.2)
    np.testing.assert_allclose(
        result["point_position"], expected["point_position"], rtol=0, atol=1e-6
    )  # rk4: h^4
    np.testing.assert_array_equal(
        of_tip(result, "contact_state")[::7], of_tip(expected, "contact_state")[::7]
    )


@pytest.mark.slow
def test_sweep_over_friction_starts_at_none():
    """Runs of one model, that of friction 0 among them, are those of single arms; sliding costs what it says."""
    text = shipped_arms()["wiping_arm"].read_text().replace("{static: 0.4, kinetic: 0.3}", "0.2")
    arm = flexarm.parse_arm(text).replace("run.duration", 1.0)
    found = flexarm.sweep(
        arm,
        {"contact.friction": [0.0, 0.4]},
        record=["sliding_distance", "energy_lost_friction", "final_tip_x"],
        workers=1,
    )
    for k, mu in enumerate((0.0, 0.4)):
        alone = flexarm.simulate(arm.replace("contact.friction", mu))
        lost = alone["energy_lost_friction"][-1] if mu else 0.0
        assert found["energy_lost_friction"][k] == pytest.approx(lost, abs=1e-7)
        assert found["final_tip_x"][k] == pytest.approx(alone["point_position"][-1, -1, 0], abs=1e-7)
    assert found["energy_lost_friction"][1] > 0.05
    assert found["sliding_distance"][1] < found["sliding_distance"][0]


@pytest.mark.slow
def test_sweep_without_friction_has_no_measures_of_it():
    """Friction is 0 in all runs, so that nothing of it is computed, and a measure of it is absent, not a failure."""
    text = shipped_arms()["wiping_arm"].read_text().replace("{static: 0.4, kinetic: 0.3}", "0.2")
    plain = flexarm.sweep(
        flexarm.parse_arm(text).replace("run.duration", 0.1),
        {"contact.friction": [0.0], "links[0].mu": [1.0, 1.1]},
        record=["sliding_distance", "final_tip_x"],
        workers=1,
    )
    assert not plain.failed.any()
    assert np.isnan(plain["sliding_distance"]).all()


@pytest.mark.slow
def test_a_friction_of_0_may_be_varied():
    """The description says 0, of which a single run has no friction; beside more it slides as with hardly any."""
    text = shipped_arms()["wiping_arm"].read_text().replace("{static: 0.4, kinetic: 0.3}", "0")
    arm = flexarm.parse_arm(text).replace("run.duration", 0.5)
    found, hardly = (
        flexarm.sweep(arm, {"contact.friction": [least, 0.3]}, record=["sliding_distance"], workers=1)
        for least in (0.0, 1e-12)
    )
    assert not found.failed.any()
    assert found["sliding_distance"] == pytest.approx(hardly["sliding_distance"], rel=1e-6)
    assert 0 < found["sliding_distance"][1] < found["sliding_distance"][0]
