"""Contact with friction in space: slips with two components, in closed form, and as in the plane where there is one."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
import yaml
from breadth import thinned
from scipy.integrate import solve_ivp

import flexarm
from flexarm.shipped import shipped_arms

G, MU = 9.81, 0.4
FINE = {"rtol": 1e-10, "atol": 1e-12}
SLIDING, STICKING = 1, 2
PUCK: dict[str, Any] = {
    "name": "puck",
    "base": "free",
    "links": [{"length": 0.0, "body": {"mass": 2.0, "inertia": [0.1, 0.1, 0.1]}}],
    "joints": [{"type": "fixed"}],
    "contact": {"restitution": 0, "friction": MU, "walls": [{"point": [0, 0], "normal": [0, 1]}], "points": ["O1"]},
    "run": {"duration": 1.0, "sample": 0.01} | FINE,
}  # fmt: skip


def simulated(description: dict[str, Any], **further) -> flexarm.Result:
    result = flexarm.simulate(flexarm.parse_arm(yaml.safe_dump(description | further)))
    assert result.status == "complete", result.message
    return result


def on_incline(angle: float, **further) -> flexarm.Result:
    """Of a puck that slides across a plane which falls along -x; its slips are along x and z."""
    gravity = [-G * math.sin(angle), -G * math.cos(angle), 0]
    start = {"base": [0] * 6, "base_rates": [1.0, 0, 1.5, 0, 0, 0]}
    return simulated(PUCK, gravity=gravity, initial=start, **further)


def of_contact(result, name):
    return result[f"contact_{name}"][:, 0, 0]


def balance(result):
    return result["energy_total"] + result["energy_lost_friction"] + result["energy_lost_impacts"]


@pytest.mark.parametrize("angle", [0.5, 0.1])
def test_hodograph_of_a_puck_on_an_incline(angle):
    """v sin(theta) = C tan(theta / 2)^(mu cot(angle)), theta from the line of fall: from m dv/dt and m v dtheta/dt."""
    result = on_incline(angle)
    slip = of_contact(result, "slip")
    slides = (of_contact(result, "state") == SLIDING) & (np.linalg.norm(slip, axis=1) > 1e-3)
    v, theta = np.linalg.norm(slip[slides], axis=1), np.arctan2(slip[slides, 1], -slip[slides, 0])
    C = v * np.sin(theta) / np.tan(theta / 2) ** (MU / math.tan(angle))
    np.testing.assert_allclose(C, C[0], rtol=1e-7)
    N, T = of_contact(result, "force"), of_contact(result, "tangential_force")
    np.testing.assert_allclose(N, 2.0 * G * math.cos(angle), rtol=1e-10)
    np.testing.assert_allclose(
        T[slides], -MU * N[slides, None] * slip[slides] / v[:, None], rtol=0, atol=1e-9
    )
    np.testing.assert_allclose(balance(result), balance(result)[0], rtol=0, atol=1e-9)
    assert (set(of_contact(result, "state")) == {SLIDING}) == (math.tan(angle) > MU)


@pytest.mark.parametrize(
    "run",
    thinned(
        [{"method": "radau"} | FINE, {"method": "auto"} | FINE, {"method": "rk4", "step": 1e-3} | FINE],
        every=2,
    ),
    ids=lambda run: run["method"],
)
def test_slip_that_turns_and_stops_is_the_same_by_every_method(run):
    """Against a reference of its own: the puck's two equations, until the slip is 1e-6 m/s."""
    angle = 0.1
    result = on_incline(angle, run={"duration": 1.0, "sample": 0.01} | run)

    def rhs(t, y):
        u = y[2:] / np.hypot(*y[2:])
        return [
            y[2],
            y[3],
            -G * math.sin(angle) - MU * G * math.cos(angle) * u[0],
            -MU * G * math.cos(angle) * u[1],
        ]

    stops = lambda t, y: np.hypot(*y[2:]) - 1e-6  # noqa: E731
    stops.terminal = True
    reference = solve_ivp(
        rhs, (0, 1), [0, 0, 1.0, 1.5], "DOP853", rtol=1e-12, atol=1e-14, events=stops, dense_output=True
    )
    t, stop = result["time"], reference.t[-1]
    moving = t < stop
    at = result["point_position"][:, 0][:, [0, 2]]
    np.testing.assert_allclose(at[moving], reference.sol(t[moving])[:2].T, rtol=0, atol=1e-7)
    np.testing.assert_allclose(
        at[~moving], reference.y[:2, -1] * np.ones((np.sum(~moving), 1)), rtol=0, atol=1e-7
    )
    assert np.ptp(at[t > stop + 0.01], axis=0).max() < 1e-11
    assert set(of_contact(result, "state")[t > stop + 0.01]) == {STICKING}


def test_puck_is_torn_off_in_the_direction_of_the_force():
    """A force that turns and grows: held up to static 0.6, then it slides off along the force of that instant."""
    loads = [{"at": "tip", "force": ["8*t", 0, "6*t"]}]
    friction = {"static": 0.6, "kinetic": 0.4}
    contact = PUCK["contact"] | {"friction": friction}
    result = simulated(
        PUCK, gravity=[0, -10, 0], contact=contact, loads=loads, run=PUCK["run"] | {"duration": 1.5}
    )
    t, slip, off = result["time"], of_contact(result, "slip"), 0.6 * 20 / 10
    beyond = t - off
    expected = np.where(t < off, 0, (10 * (t**2 - off**2) / 2 - 0.4 * 20 * beyond) / 2)
    np.testing.assert_allclose(slip, expected[:, None] * [0.8, 0.6], rtol=0, atol=1e-9)
    held = of_contact(result, "tangential_force")[t < off]
    np.testing.assert_allclose(held, -10 * t[t < off, None] * [0.8, 0.6], rtol=0, atol=1e-9)
    assert result.attributes["steps"] < 500


def test_puck_in_a_pipe_follows_a_helix():
    """Without gravity the wall's normal force is m v^2 cos^2 / R: v = v0 / (1 + mu v0 cos^2 t / R), the pitch stays."""
    R, v0, pitch = 1.0, 2.0, 0.6
    contact = PUCK["contact"] | {"walls": [{"circle": {"center": [0, 0], "radius": R, "side": "inside"}}]}
    rates = [0, v0 * math.cos(pitch), v0 * math.sin(pitch), 0, 0, 0]
    result = simulated(
        PUCK, gravity=[0, 0, 0], contact=contact, initial={"base": [R, 0, 0, 0, 0, 0], "base_rates": rates}
    )
    t, slip = result["time"], of_contact(result, "slip")
    v = v0 / (1 + MU * v0 * math.cos(pitch) ** 2 * t / R)
    np.testing.assert_allclose(np.linalg.norm(slip, axis=1), v, rtol=1e-8)
    np.testing.assert_allclose(slip[:, 1] / v, math.sin(pitch), rtol=1e-8)
    np.testing.assert_allclose(of_contact(result, "force"), 2.0 * (v * math.cos(pitch)) ** 2 / R, rtol=1e-7)


def lifted(text: str) -> dict[str, Any]:
    """An arm of the xy plane in the xz plane."""
    arm = yaml.safe_load(text)
    arm["joints"] = [{"origin": {"rpy": ["90 deg", 0, 0]}}, {}]
    arm["gravity"] = [0, 0, -9.81]
    arm["contact"]["walls"] = [{"point": [0, 0, 0], "normal": [0, 0, 1]}]
    return arm


def test_planar_arm_lifted_to_space_gives_the_planar_numbers():
    text = shipped_arms()["wiping_arm"].read_text().replace("duration: 7.0", "duration: 0.8")
    text = text.replace("rtol: 1e-9, atol: 1e-11", "rtol: 1e-10, atol: 1e-12")
    flat, arm = flexarm.simulate(flexarm.parse_arm(text)), simulated(lifted(text))
    np.testing.assert_allclose(arm["joint_angle"], flat["joint_angle"], rtol=0, atol=1e-8)
    np.testing.assert_array_equal(arm["contact_state"], flat["contact_state"])
    assert {SLIDING, STICKING} <= set(of_contact(arm, "state"))
    along, across = of_contact(arm, "tangential_force").T
    np.testing.assert_allclose(
        along, of_contact(flat, "tangential_force"), rtol=0, atol=1e-5
    )  # accelerations of modes
    np.testing.assert_array_equal(across, 0)
    np.testing.assert_allclose(
        arm["impact_tangential_impulse"][:, 0], flat["impact_tangential_impulse"], atol=1e-8
    )


BAR = {"length": 1.0, "body": {"mass": 1.0, "center": [0.5, 0, 0], "inertia": [0.01, 0.09, 0.09]}}


@pytest.mark.parametrize(
    ("law", "e", "walls"),
    [
        ("poisson", 0.5, [[0, 1, 0]]),
        ("poisson", 0.0, [[0.2, 1, -0.3]]),
        ("newton", 0.0, [[0, 1, 0]]),
        pytest.param("poisson", 0.4, [[0.5, 1, 0], [-0.5, 1, 0.2]], marks=pytest.mark.slow),
    ],
)
def test_bar_that_is_dropped_keeps_its_balance(law, e, walls):
    """It tumbles, slides and sticks; what it loses is told, forces lie in the cones, and no end enters the floor."""
    contact = {
        "restitution": e, "friction": {"static": 0.5, "kinetic": 0.4}, "impact_law": law, "points": "all",
        "walls": [{"point": [0, -1, 0], "normal": normal} for normal in walls],
    }  # fmt: skip
    start = {"base": [0, 0, 0, 0.3, 0.5, 0.4], "base_rates": [0.5, 0, -0.7, 0.5, 1.0, -0.5]}
    result = simulated(
        PUCK | {"links": [BAR]}, contact=contact, initial=start, run={"duration": 1.5, "sample": 0.01} | FINE
    )
    np.testing.assert_allclose(balance(result), balance(result)[0], rtol=0, atol=1e-8)
    for normal in walls:
        heights = (result["point_position"] + [0, 1, 0]) @ (np.array(normal) / np.linalg.norm(normal))
        assert heights.min() > -1e-9
    N, state = result["contact_force"], result["contact_state"]
    T = np.linalg.norm(result["contact_tangential_force"], axis=-1)
    assert {SLIDING, STICKING} & set(state.ravel())
    np.testing.assert_allclose(T[state == SLIDING], 0.4 * N[state == SLIDING], rtol=1e-9, atol=1e-12)
    assert np.all(T <= 0.5 * N * (1 + 1e-9) + 1e-12)
    assert result["impact_tangential_impulse"].shape == (result["impact_impulse"].size, 2)
    sizes = np.linalg.norm(result["impact_tangential_impulse"], axis=1)
    # of coupled contacts up to what the polygon is off
    assert np.all(sizes <= 0.4 * result["impact_impulse"] * (1 + 2e-3) + 1e-12)
    assert np.all(result["impact_energy_lost"].sum() >= 0)


@pytest.mark.slow
def test_joint_that_sticks_beside_a_wall_that_rubs_in_space():
    """M theta_dd + bias = J' F + friction of the joint, on the cone and within its bound."""
    text = shipped_arms()["wiping_arm"].read_text().replace("duration: 7.0", "duration: 1.0")
    arm = lifted(text)
    arm["joints"][1] = {"friction": {"coulomb": 0.5, "smoothing": 0}}
    flat = yaml.safe_load(text)
    flat["joints"] = [{}, arm["joints"][1]]
    flat = flexarm.simulate(flexarm.parse_arm(yaml.safe_dump(flat)))
    result = simulated(arm)
    np.testing.assert_allclose(result["joint_angle"], flat["joint_angle"], rtol=0, atol=1e-6)  # rtol is 1e-9
    stuck = np.abs(flat["friction_torque"][:, 1]) < 0.49
    assert np.any(stuck & (of_contact(flat, "state") > 0))
    np.testing.assert_allclose(
        result["friction_torque"][stuck], flat["friction_torque"][stuck], rtol=0, atol=1e-4
    )


def test_result_in_space_is_read_again(tmp_path):
    result = on_incline(0.1)
    flexarm.simulate(result.arm, output=tmp_path / "puck.h5")
    again = flexarm.open_result(tmp_path / "puck.h5")
    np.testing.assert_array_equal(again["contact_slip"], result["contact_slip"])
    assert result["contact_slip"].shape == (result["time"].size, 1, 1, 2)


@pytest.mark.slow
def test_tip_of_the_polishing_arm_circles_until_it_sticks():
    """Its slip turns through more than a circle, and friction is against it all the time."""
    result = flexarm.load_arm(shipped_arms()["polishing_arm"]).replace("run.duration", 3.2)
    result = flexarm.simulate(result)
    state, normal = result["contact_state"][:, 0, 0], result["contact_force"][:, 0, 0]
    slip, force = (result[f"contact_{name}"][:, 0, 0] for name in ("slip", "tangential_force"))
    slides = state == 1
    directions = slip[slides] / np.linalg.norm(slip[slides], axis=1, keepdims=True)
    np.testing.assert_allclose(force[slides], -0.3 * normal[slides, None] * directions, rtol=0, atol=1e-9)
    turned = np.unwrap(np.arctan2(directions[:, 1], directions[:, 0]))
    assert np.ptp(turned) > 2 * np.pi
    assert state[-1] == 2
    assert np.linalg.norm(force[-1]) < 0.4 * normal[-1]
    assert result["point_position"][..., -1, 2].min() > -1e-10
