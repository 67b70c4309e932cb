"""A ball on soft walls against closed forms, against an integration of its own, and in the limit of rigid walls."""

from __future__ import annotations

import numpy as np
import pytest
from breadth import thinned
from scipy.integrate import solve_ivp
from scipy.special import beta
from soft_balls import MASS, TIGHT, ball, spatial_ball

import flexarm
from flexarm.description.arm.hunt_crossley import damping_of_restitution

HERTZ = 2.9432752
"""Duration of an impact of Hertz's in its largest depth over the approach speed: 2 B(2/5, 1/2) / (5/2)."""
OWED = 1e-8
"""What the tolerance of a run owes: rtol 1e-10 times about 100, as rebounds follow from a few hundred steps at most."""


def law(depth, rate, k, p, c):
    """Force [N] of Hunt and Crossley."""
    return k * max(depth, 0.0) ** p * max(1 + c * rate, 0.0)


@pytest.mark.parametrize(
    ("exponent", "stiffness"), thinned([(1.5, 1e6), (1.0, 1e5), (2.0, 1e7), (2.7, 1e7), (1.25, 1e5)])
)
def test_an_elastic_impact_is_that_of_its_closed_form(exponent, stiffness):
    p, speed = exponent, 1.0
    depth = ((p + 1) * MASS * speed**2 / (2 * stiffness)) ** (1 / (p + 1))
    duration = 2 * depth / speed * beta(1 / (p + 1), 0.5) / (p + 1)
    middle = 0.05 / speed + duration / 2  # a sample there: the largest depth
    arm = ball(f"stiffness: {stiffness}, exponent: {p}", duration=2 * middle, sample=middle)
    result = flexarm.simulate(arm)
    assert result.touch_time.size == 1
    np.testing.assert_allclose(result.touch_time, 0.05, rtol=OWED)
    np.testing.assert_allclose(result.touch_end - result.touch_time, duration, rtol=OWED)
    np.testing.assert_allclose(result.touch_velocity_before, -speed, rtol=OWED)
    np.testing.assert_allclose(result.touch_velocity_after, speed, rtol=OWED)
    np.testing.assert_allclose(result.contact_penetration[1], depth, rtol=OWED)
    np.testing.assert_allclose(result.contact_force[1], stiffness * depth**p, rtol=OWED)
    np.testing.assert_allclose(result.energy_contact[1], MASS * speed**2 / 2, rtol=OWED)
    if p == 1.5:
        assert duration * speed / depth == pytest.approx(HERTZ, rel=1e-7)
        assert duration == pytest.approx(
            HERTZ * (25 * MASS**2 / (16 * stiffness**2 * speed)) ** 0.2, rel=1e-7
        )


@pytest.mark.parametrize("e", thinned([0.5, 0.99, 0.1, 0.8, 0.3]))
@pytest.mark.parametrize("exponent", thinned([1.5, 1.0, 2.2]))
def test_a_restitution_is_kept_at_its_approach_speed(e, exponent):
    speed = 2.0
    arm = ball(
        f"stiffness: 1e6, exponent: {exponent}, restitution: {e}, approach_speed: {speed}",
        velocity=f"0, {-speed}",
    )
    result = flexarm.simulate(arm)
    np.testing.assert_allclose(result.touch_velocity_after, e * speed, rtol=OWED)
    lost = MASS * speed**2 / 2 * (1 - e**2)
    np.testing.assert_allclose(result.energy_lost_contact[-1], lost, rtol=OWED)


@pytest.mark.parametrize("e", [0.01, 0.1, 0.3, 0.5, 0.7, 0.9, 0.99, 0.9999, 1 - 1e-9])
def test_the_damping_of_a_restitution_gives_it_back(e):
    """By quadrature of v / (1 + x v) up to the approach speed 1, and down to the rebound."""
    x = damping_of_restitution(e, 1.0)
    nodes, weights = np.polynomial.legendre.leggauss(400)

    def way(end):
        v = end * (1 + nodes) / 2
        return end / 2 * (weights @ (v / (1 + x * v)))

    if e >= 0.3:  # the integrand has a pole next to the rebound: 1 - e x = 1e-42 for 0.01
        assert way(1.0) == pytest.approx(way(-e), rel=1e-9)
    assert x == pytest.approx(1 / e, rel=0.3) if e <= 0.1 else x < 1 / e
    # the formula of Hunt and Crossley is the tangent at e = 1, where differences of numbers near 1 have their round-off
    assert x > 1.5 * (1 - e) - 10 * np.finfo(float).eps
    assert damping_of_restitution(e, 4.0) == pytest.approx(x / 4)
    if e > 0.99:
        assert x == pytest.approx(1.5 * (1 - e), rel=2 * (1 - e) + 1e-6)


def bouncing(friction, smoothing, duration, k=2e5, c=0.4, v0=(0.7, 0.0)):
    """Positions and velocities (k, 4) of a ball that falls from 0.05 m and rubs, by an integration of its own."""

    def f(t, y):
        push = law(-y[1], -y[3], k, 1.5, c)
        along = -friction * push * np.tanh(y[2] / smoothing)
        return [y[2], y[3], along / MASS, push / MASS - 9.81]

    times = np.linspace(0, duration, 61)
    solved = solve_ivp(f, (0, duration), [0, 0.05, *v0], t_eval=times, rtol=1e-11, atol=1e-13, max_step=2e-4)
    return solved.y.T


@pytest.mark.parametrize("method", thinned(["dop853", "radau", "rk4, step: 0.00002", "auto"]))
def test_bounces_are_those_of_an_independent_integration(method):
    expected = bouncing(0.3, 0.05, 0.6)
    arm = ball(
        "stiffness: 2e5, damping: 0.4, friction: {kinetic: 0.3, smoothing: 0.05}", gravity="0, -9.81",
        velocity="0.7, 0", duration=0.6, sample=0.01, settings=f"{TIGHT}, method: {method}",
    )  # fmt: skip
    result = flexarm.simulate(arm)
    assert result.touch_time.size >= 3
    tolerance = 1e-6 if "rk4" in method else 1e-8  # errors of fixed steps on the bend of the force
    found = np.hstack([result.base_position[:, :2], result.base_velocity[:, :2]])
    np.testing.assert_allclose(found, expected, atol=tolerance)
    balance = result.energy_total + result.energy_lost_contact + result.energy_lost_friction
    assert np.ptp(balance) <= (1e-6 if "rk4" in method else 1e-9) * result.energy_kinetic.max()


def test_a_ball_in_space_moves_as_in_the_plane_that_it_is_turned_into():
    turn = np.deg2rad(30)
    along = np.array([np.cos(turn), 0, np.sin(turn)])
    material = "stiffness: 2e5, damping: 0.4, friction: {kinetic: 0.3, smoothing: 0.05}"
    flat = flexarm.simulate(ball(material, gravity="0, -9.81", velocity="0.7, 0", duration=0.4))
    v = 0.7 * along
    turned = flexarm.simulate(
        spatial_ball(material, gravity="0, -9.81, 0", velocity=f"{v[0]}, 0, {v[2]}, 0, 0, 0", duration=0.4)
    )
    np.testing.assert_allclose(turned.base_position @ along, flat.base_position[:, 0], atol=OWED)
    np.testing.assert_allclose(turned.base_position[:, 1], flat.base_position[:, 1], atol=OWED)
    slip = turned.contact_slip[:, 0, 0]
    flat_slip = flat.contact_slip[:, 0, 0]
    assert slip.shape == (flat_slip.size, 2)
    np.testing.assert_allclose(np.linalg.norm(slip, axis=1), np.abs(flat_slip), atol=1e-7)


def test_a_sliding_block_rubs_with_mu_n_and_stops_where_it_should():
    depth = (MASS * 9.81 / 1e6) ** (2 / 3)
    arm = ball(
        "stiffness: 1e6, friction: {kinetic: 0.2, smoothing: 1e-4}", gravity="0, -9.81", position=f"0, {-depth}",
        velocity="1, 0", duration=1.0,
    )  # fmt: skip
    result = flexarm.simulate(arm)
    force, along = result.contact_force[:, 0, 0], result.contact_tangential_force[:, 0, 0]
    np.testing.assert_allclose(force, MASS * 9.81, rtol=OWED)
    np.testing.assert_allclose(along[:50], -0.2 * MASS * 9.81, rtol=OWED)
    # a slip below the smoothing w lasts: v = w e^(-mu g t / w) then, about w^2 / (mu g) more of the way
    assert result.base_position[-1, 0] == pytest.approx(1 / (2 * 0.2 * 9.81), abs=1e-7)
    np.testing.assert_allclose(result.energy_lost_friction[-1], MASS / 2, rtol=1e-6)


@pytest.mark.parametrize("e", thinned([1.0, 0.6]))
def test_a_wall_that_stiffens_becomes_rigid(e):
    """A contact lasts k^(-2/5), so the delay of a bounce falls by 10^(-2/5) for ten times the stiffness."""
    changes = {"gravity": "0, -9.81", "velocity": "0.3, 0", "duration": 0.15, "sample": 0.15}  # one bounce
    rigid = flexarm.simulate(ball(f"restitution: {e}", **changes)).base_position[-1, 1]
    speed = np.sqrt(2 * 9.81 * 0.05)
    errors = []
    for stiffness in (1e8, 1e10, 1e12):
        soft = ball(f"stiffness: {stiffness}, restitution: {e}, approach_speed: {speed}", **changes)
        errors.append(abs(flexarm.simulate(soft).base_position[-1, 1] - rigid))
    assert errors[-1] < 1e-4  # 33 us later, at 1 m/s
    np.testing.assert_allclose(np.divide(errors[:-1], errors[1:]), 100**0.4, rtol=0.1)


def test_no_step_jumps_over_a_contact_that_is_brief():
    """Of 12 microseconds, between samples of 0.1 s."""
    result = flexarm.simulate(ball("stiffness: 1e13", duration=0.2, sample=0.1))
    assert result.touch_time.size == 1
    assert result.touch_end[0] - result.touch_time[0] < 3e-5
    np.testing.assert_allclose(result.base_velocity[-1, 1], 1.0, rtol=OWED)


def test_a_wall_does_not_pull_a_point_that_outruns_it():
    depth = (100 / 1e5) ** (2 / 3)
    text = ball(
        "stiffness: 1e5, damping: 20", position=f"0, {-depth}", velocity="0, 0", duration=0.2, sample=5e-4
    ).text
    loads = 'loads: [{at: tip, force: [0, "-100 + 4000*step(t - 0.15)", 0]}]\nrun:'
    result = flexarm.simulate(flexarm.parse_arm(text.replace("run:", loads)))
    force, inside = result.contact_force[:, 0, 0], result.contact_penetration[:, 0, 0] > 0
    np.testing.assert_allclose(force[:299], 100, rtol=OWED)
    outrun = inside & (result.time > 0.15) & (force == 0)
    assert outrun.sum() > 3
    assert force.min() == 0
    t = result.touch_end[0] - 0.15
    # once it is outrun the ball flies freely: what the wall stored is lost
    gained = 3900 * (result.base_position[-1, 1] + depth)
    taken = result.energy_lost_contact[-1]
    stored = 1e5 * depth**2.5 / 2.5
    np.testing.assert_allclose(result.energy_kinetic[-1], gained + stored - taken, rtol=1e-7)
    assert 0 < t < 0.01


def test_a_ball_in_a_soft_pipe_keeps_its_energy_and_goes_round():
    """Inside of a circle of 1 m it rolls without friction at the depth at which the wall bends its path."""
    k, v, R = 1e5, 3.0, 1.0
    depth = np.roots([k, 0, 0])[0].real
    for _ in range(60):  # k d^1.5 = m v^2 / (R + d)
        depth = (MASS * v**2 / (k * (R + depth))) ** (2 / 3)
    wall = "circle: {center: [0, 0], radius: 1.0, side: inside}"
    arm = ball(
        f"stiffness: {k}", wall, position=f"{R + depth}, 0", velocity=f"0, {v}", duration=1.0, sample=0.1
    )
    result = flexarm.simulate(arm)
    np.testing.assert_allclose(np.hypot(*result.base_position[:, :2].T), R + depth, rtol=OWED)
    np.testing.assert_allclose(result.contact_force[:, 0, 0], MASS * v**2 / (R + depth), rtol=1e-6)
    np.testing.assert_allclose(result.contact_penetration[:, 0, 0], depth, rtol=1e-7)
