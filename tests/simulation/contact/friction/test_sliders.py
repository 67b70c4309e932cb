"""A mass of two slides on a plane: uphill and back, held, torn off; all in closed form."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
import yaml

import flexarm

M_X, M = 1.5, 1.0
"""Mass that slides along the plane, and mass that presses on it [kg]: a slide along x carries one along y."""
G = 9.81
SLIDER: dict[str, Any] = {
    "name": "slider",
    "links": [
        {"length": 0, "body": {"mass": M_X - M, "inertia": 0.1}},
        {"length": 0, "body": {"mass": M, "inertia": 0.1}},
    ],
    "joints": [{"type": "prismatic", "axis": [1, 0, 0]}, {"type": "prismatic", "axis": [0, 1, 0]}],
    "contact": {"restitution": 0, "walls": [{"point": [0, 0], "normal": [0, 1]}], "points": ["O3"]},
    "run": {"duration": 1.0, "sample": 0.01, "rtol": 1e-11, "atol": 1e-13},
}
OPEN, SLIDING, STICKING = range(3)


def slider(friction, **further) -> flexarm.Arm:
    contact = SLIDER["contact"] | {"friction": friction}
    return flexarm.parse_arm(yaml.safe_dump(SLIDER | {"contact": contact} | further))


def along(result, name):
    """What a result holds of the only contact, or the place along the plane."""
    return result["point_position"][:, -1, 0] if name == "x" else result[name][:, 0, 0]


@pytest.mark.parametrize(
    "method",
    ["dop853", "radau", {"method": "rk4", "step": 1e-3}],
    ids=["dop853", "radau", "rk4"],
)
@pytest.mark.parametrize(
    ("friction", "returns"),
    [(0.3, True), pytest.param({"kinetic": 0.3, "static": 1.5}, False, marks=pytest.mark.slow)],
)
def test_slider_on_an_incline(method, friction, returns):
    """Up until v0 / (g (M_x sin + mu M cos) / M_x), then down or not: the drive along y is gravity alone."""
    angle, v0, mu = 0.5, 2.0, 0.3
    g_x, g_y = G * math.sin(angle), G * math.cos(angle)
    run = SLIDER["run"] | (method if isinstance(method, dict) else {"method": method})
    arm = slider(
        friction, gravity=[-g_x, -g_y, 0], initial={"joints": [0, 0], "joint_rates": [v0, 0]}, run=run
    )
    result = flexarm.simulate(arm)
    t = result["time"]
    up, down = g_x + mu * M * g_y / M_X, g_x - mu * M * g_y / M_X
    stop = v0 / up
    top = v0**2 / (2 * up)
    back = np.maximum(t - stop, 0) * returns
    expected = np.where(t < stop, v0 * t - up * t**2 / 2, top - down * back**2 / 2)
    np.testing.assert_allclose(along(result, "x"), expected, rtol=0, atol=1e-10)
    before, after = t < stop - 0.01, t > stop + 0.01
    states = along(result, "contact_state")
    assert set(states[before]) == {SLIDING}
    assert set(states[after]) == {SLIDING if returns else STICKING}
    np.testing.assert_allclose(along(result, "contact_force"), M * g_y, rtol=1e-12)
    T = along(result, "contact_tangential_force")
    np.testing.assert_allclose(T[before], -mu * M * g_y, rtol=1e-12)
    held = M_X * g_x
    np.testing.assert_allclose(T[after], mu * M * g_y if returns else held, rtol=1e-11)
    if not returns:  # it stays where it is
        np.testing.assert_allclose(along(result, "x")[after], top, rtol=0, atol=1e-10)
        assert np.ptp(along(result, "x")[after]) < 1e-15


def test_force_that_grows_tears_off_at_static_friction():
    """Torn off at 12 sin 3 t = 0.8 M g; then kinetic 0.5 brakes, and the slip is the integral of what is left."""
    arm = slider({"kinetic": 0.5, "static": 0.8}, gravity=[0, -10, 0], drive=[{"torque": "12*sin(3*t)"}, None],
                 run=SLIDER["run"] | {"duration": 0.6})  # fmt: skip
    result = flexarm.simulate(arm)
    t, slip = result["time"], along(result, "contact_slip")
    start = math.asin(0.8 * 10 / 12) / 3
    expected = (4 * (math.cos(3 * start) - np.cos(3 * t)) - 0.5 * 10 * (t - start)) / M_X
    np.testing.assert_allclose(slip, np.where(t < start, 0, expected), rtol=0, atol=1e-9)
    assert set(along(result, "contact_state")[t < start]) == {STICKING}


def test_energy_lost_is_the_work_of_friction():
    mu = 0.4
    arm = slider(mu, gravity=[0, -G, 0], initial={"joints": [0, 0], "joint_rates": [3.0, 0]})
    result = flexarm.simulate(arm)
    way = along(result, "x")
    np.testing.assert_allclose(result["energy_lost_friction"], mu * M * G * way, rtol=0, atol=1e-10)
    balance = result["energy_total"] + result["energy_lost_friction"]
    np.testing.assert_allclose(balance, balance[0], rtol=1e-11)


@pytest.mark.parametrize("of_wall", [False, True])
def test_friction_of_zero_is_none(of_wall):
    """As if it was not given: of all walls, or of the only one; the numbers are the same, not only close."""
    arm = slider(0.3 if of_wall else 0.0, gravity=[1, -G, 0])
    free = flexarm.simulate(arm.replace("contact.walls[0].friction", 0.0) if of_wall else arm)
    without = SLIDER | {"gravity": [1, -G, 0]}
    plain = flexarm.simulate(flexarm.parse_arm(yaml.safe_dump(without)))
    assert list(free) == list(plain)
    assert "contact_tangential_force" not in plain
    assert "energy_lost_friction" not in plain
    for name in plain:
        np.testing.assert_array_equal(free[name], plain[name])
