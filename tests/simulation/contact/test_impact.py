"""Impacts: published and closed-form falls, an independent rigid impact, what complementarity and energy ask for."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
import pytest
from paths import ROBOTS
from reference.active_sets import by_enumeration
from reference.falling_beam import FallingBeam
from reference.rigid_impact import rates_after

import flexarm
from flexarm.analysis.checks.validity import run_warnings
from flexarm.simulation.contact.constraints.contact_state import ContactState
from flexarm.simulation.contact.contact_law import Impulses
from flexarm.simulation.contact.impacts import resolve_impact
from flexarm.simulation.contact.newton_law import NewtonLaw

ROD = """
name: rod
base: planar
links: [{{length: 1.0, mu: 1.0}}]
initial: {{base: [0, 0.5], joints: [{angle}]}}
contact: {{restitution: {e}, walls: [{{point: [0, 0], normal: [0, 1]}}]}}
run: {{duration: {duration}, sample: 0.001, rtol: 1e-10, atol: 1e-12}}
"""


@cache
def falling_link():
    return flexarm.simulate(flexarm.load_arm(ROBOTS / "shafei_falling_link.yaml"))


@cache
def closed_form():
    beam = FallingBeam()
    return beam, beam.run(1.5)


def rod(e=1.0, duration=0.7, angle=0.0):
    return flexarm.simulate(flexarm.parse_arm(ROD.format(e=e, duration=duration, angle=angle)))


def test_times_of_case_study_1():
    """[FL17] prints 0.3194 and 0.9388 s for the two bursts."""
    times = np.unique(falling_link().impact_time)
    np.testing.assert_allclose(times[:4], [0.319275, 0.321170, 0.323237, 0.938853], rtol=0, atol=1e-6)
    np.testing.assert_allclose(times, closed_form()[0].impacts, rtol=0, atol=1e-9)


def test_the_printed_constants_of_the_mode_do_not_explain_the_printed_times(tmp_path):
    """[FL17] eq. 63 to the letter, 4.731 and 1.017: the same first impact, and no burst at 0.9388 s.

    Until the first impact the link is straight, whatever its mode: it falls 0.5 m.
    """
    eta = np.linspace(0.0, 1.0, 2001)
    phase = 4.731 * eta
    shape = np.sin(phase) - 1.017 * np.cos(phase) - np.sinh(phase) + 1.017 * np.cosh(phase)
    np.savetxt(tmp_path / "mode.csv", np.column_stack([eta, shape]), delimiter=",")
    text = (ROBOTS / "shafei_falling_link.yaml").read_text()
    exact, printed = "{family: clamped-clamped, count: 1}", "{family: table, count: 1, table: mode.csv}"
    assert exact in text
    (tmp_path / "arm.yaml").write_text(text.replace(exact, printed))
    times = np.unique(flexarm.simulate(flexarm.load_arm(tmp_path / "arm.yaml")).impact_time)
    assert times[0] == pytest.approx(np.sqrt(2 * 0.5 / 9.81), abs=1e-9)
    first_burst = times[times < 0.5]
    assert times[len(first_burst)] == pytest.approx(0.785254, abs=1e-5)
    assert np.abs(times - 0.9388).min() > 0.03


def test_the_rigid_twin_of_case_study_1_comes_back_to_where_it_fell_from():
    arm = flexarm.load_arm(ROBOTS / "shafei_falling_rigid_link.yaml")
    run = arm.run.model_copy(update={"sample": 2 * np.sqrt(2 * 0.5 / 9.81), "duration": 1.4})
    result = flexarm.simulate(arm.model_copy(update={"run": run}))
    np.testing.assert_allclose(
        np.unique(result.impact_time), np.sqrt(2 * 0.5 / 9.81) * np.array([1, 3]), rtol=1e-12
    )
    np.testing.assert_allclose(result.base_position[:-1, 1], 0.5, rtol=1e-10)


def test_case_study_2_stays_within_the_model():
    """Small deflections, and thrusts far below those under which a link buckles between its hinges."""
    result = flexarm.simulate(flexarm.load_arm(ROBOTS / "falling_two_link_in_circle.yaml"))
    assert run_warnings(result) == []
    assert len(np.unique(result.impact_time)) > 10
    assert np.abs(result.link_deflection).max() < 0.05 * 0.6
    assert np.abs(result.link_rotation).max() < 0.1


def test_apex_of_case_study_1():
    """The highest place of O_1 between the bursts; 0.465632 m, which has been quoted, is the largest of samples."""
    arm = flexarm.load_arm(ROBOTS / "shafei_falling_link.yaml")
    run = arm.run.model_copy(update={"sample": 1e-5, "duration": 0.8})
    result = flexarm.simulate(arm.model_copy(update={"run": run}))
    between = (result.time > 0.33) & (result.time < 0.8)
    apex = result.point_position[between, 0, 1].max()
    assert apex == pytest.approx(closed_form()[1][1], abs=1e-8)
    assert apex == pytest.approx(0.465632, abs=4e-6)


def test_both_ends_strike_together_and_the_link_never_turns():
    result = falling_link()
    np.testing.assert_array_equal(result.impact_point, np.tile([1, 2], 6))
    np.testing.assert_array_equal(result.impact_number, np.repeat(np.arange(1, 7), 2))
    np.testing.assert_allclose(result.impact_impulse[::2], result.impact_impulse[1::2], rtol=1e-12)
    assert np.abs(result.joint_angle).max() < 1e-12
    assert np.abs(result.base_position[:, 0]).max() < 1e-12


def test_energy_of_case_study_1():
    result = falling_link()
    assert np.abs(result.energy_total / result.energy_total[0] - 1).max() < 1e-9


def test_state_of_case_study_1_after_all_impacts():
    result, (beam, _) = falling_link(), closed_form()
    y, y_d, delta, delta_d = beam.state(1.5)
    assert result.base_position[-1, 1] == pytest.approx(y, abs=1e-8)
    assert result.mode_amplitude[-1, 0] == pytest.approx(delta, abs=1e-8)
    assert result.base_velocity[-1, 1] == pytest.approx(y_d, abs=1e-5)
    assert result.mode_velocity[-1, 0] == pytest.approx(delta_d, abs=1e-5)


@pytest.mark.parametrize("e", [1.0, 0.7, 0.3])
def test_rigid_rod_dropped_flat_returns_to_e_squared_of_its_height(e):
    fall = np.sqrt(2 * 0.5 / 9.81)
    result = rod(e, duration=fall + 1.8 * e * fall)
    after = result.time > fall
    np.testing.assert_allclose(result.impact_time, [fall, fall], atol=1e-11)
    # The samples miss the apex by half a millisecond at most.
    assert result.point_position[after, 0, 1].max() == pytest.approx(0.5 * e**2, abs=9.81 * 0.0005**2)
    np.testing.assert_allclose(result.impact_velocity_after, -e * result.impact_velocity_before)


@pytest.mark.parametrize("e", [1.0, 0.6, 0.0])
def test_energy_lost_is_the_sum_over_impacts(e):
    result = rod(e, angle=0.4)
    first = result.impact_time[0]
    before = result.energy_total[result.time < first][-1]
    lost = np.cumsum(result.impact_energy_lost)
    for k in (0, min(3, len(lost) - 1)):
        upcoming = result.impact_time[k + 1] if k + 1 < len(lost) else np.inf
        between = (result.time > result.impact_time[k]) & (result.time < upcoming)
        if between.any():
            assert before - result.energy_total[between][0] == pytest.approx(lost[k], abs=1e-9)


def just_at(arm, time):
    """The arm's last recorded state when its run ends then."""
    run = arm.run.model_copy(update={"duration": time, "sample": time})
    return flexarm.simulate(arm.model_copy(update={"run": run}))


@pytest.mark.parametrize("e", [0.5, pytest.param(1.0, marks=pytest.mark.slow)])
@pytest.mark.parametrize(
    ("angles", "struck"),
    [((-0.3, -0.8), 2), pytest.param((-0.7, 0.3), 1, marks=pytest.mark.slow), ((0.5, 0.9), 0)],
)
def test_two_rigid_links_as_two_free_rods(e, angles, struck):
    """Rates after the first impact against the laws of free rods with hinge impulses."""
    heights = np.cumsum([0, 0.6 * np.sin(angles[0]), 0.4 * np.sin(angles[1])])
    arm = flexarm.parse_arm(
        f"""
name: rods
base: planar
links: [{{length: 0.6, mu: 2}}, {{length: 0.4, mu: 3}}]
initial:
  base: [0, {0.02 - heights.min()}]
  base_rates: [0.3, -0.5]
  joints: [{angles[0]}, {angles[1] - angles[0]}]
  joint_rates: [0.7, -1.1]
contact: {{restitution: {e}, walls: [{{point: [0, 0], normal: [0, 1]}}]}}
run: {{duration: 0.2, sample: 0.01, rtol: 1e-12, atol: 1e-14}}
"""
    )
    result = flexarm.simulate(arm)
    assert result.impact_point[0] - 1 == struck
    before, after = (just_at(arm, result.impact_time[0] + shift) for shift in (-1e-9, 1e-9))
    velocity, rates, impulses = rates_after(
        np.array([0.6, 0.4]), np.array([1.2, 1.2]), np.cumsum(before.joint_angle[-1]),
        before.base_velocity[-1, :2], np.cumsum(before.joint_velocity[-1]), [struck], e,
    )  # fmt: skip
    # Within 2e-9 s the rates change by as much times some hundred m/s^2.
    assert result.impact_impulse[0] == pytest.approx(impulses[0], rel=1e-6)
    np.testing.assert_allclose(np.cumsum(after.joint_velocity[-1]), rates, atol=1e-6)
    np.testing.assert_allclose(after.base_velocity[-1, :2], velocity, atol=1e-6)
    assert np.abs(rates - np.cumsum(before.joint_velocity[-1])).max() > 0.1


@pytest.mark.parametrize("seed", range(20))
def test_several_contacts_as_by_enumeration_and_without_energy_gain(seed):
    rng = np.random.default_rng(seed)
    n, m = 5, int(rng.integers(2, 5))
    root, J, u = rng.normal(size=(n, n)), rng.normal(size=(m, n)), rng.normal(size=n)
    M = root @ root.T + np.eye(n)
    state = ContactState(np.zeros(m), J @ u, np.zeros(m), J, M)
    e = np.full(m, rng.uniform())
    impact, jump = resolve_impact(0.0, state, np.arange(m), NewtonLaw(e))
    impulses, before, after = impact.impulses, impact.before, impact.after
    if (before < 0).all():
        (expected,) = by_enumeration(state.delassus(np.arange(state.gap.size)), (1 + e) * before)
        np.testing.assert_allclose(impulses, expected, atol=1e-9)
    parting = before >= 0
    assert impulses.min() >= 0
    assert after.min() >= -1e-12  # no wall lets a point through
    assert np.abs(after[parting & (impulses > 0)]).max(initial=0) < 1e-12  # only held, not thrown
    assert (after[~parting] <= -e[~parting] * before[~parting] + 1e-9)[impulses[~parting] > 0].all()
    gain = (u + jump) @ M @ (u + jump) / 2 - u @ M @ u / 2
    assert gain <= 1e-12
    assert impact.energy_lost.sum() == pytest.approx(-gain, abs=1e-12)


def test_a_parting_point_gets_no_impulse_and_is_not_turned_back():
    """Beside one that strikes: of restitution 0.1 of itself it would be left moving into the wall."""
    M, e = np.eye(2), np.full(2, 0.1)
    for pull, impulse in ((0.02, 0.0), (0.5, 1.0)):  # at one unit impulse on the other point
        J = np.array([[1.0, 0.0], [-pull, np.sqrt(1 - pull**2)]])
        u = np.linalg.solve(J, [-1.0, 0.1])
        state = ContactState(np.zeros(2), J @ u, np.zeros(2), J, M)
        impact, _ = resolve_impact(0.0, state, np.arange(2), NewtonLaw(e))
        if impulse == 0:
            np.testing.assert_allclose(impact.impulses, [1.1, 0.0], atol=1e-12)
            np.testing.assert_allclose(impact.after, [0.1, 0.1 - 1.1 * pull], atol=1e-12)
        else:  # the other point would drive it back by 0.45 m/s: its wall holds it
            assert impact.impulses.min() > 0
            assert impact.after[1] == pytest.approx(0, abs=1e-12)


@pytest.mark.slow
def test_no_impact_of_a_tumbling_chain_leaves_a_point_moving_into_a_wall():
    result = flexarm.simulate(flexarm.load_arm(Path(__file__).parent / "parting_point.yaml"))
    assert result.status == "complete"
    assert result.impact_time.size > 16
    assert result.impact_velocity_after.min() > -1e-9
    assert np.diff(result.energy_total).max() < 1e-7


def test_walls_of_different_restitution_create_no_energy():
    """Newton's law with a different e at each contact may; the smallest one then holds for both."""
    worst = np.inf
    for seed in range(300):
        rng = np.random.default_rng(seed)
        J, u, e = rng.normal(size=(2, 3)), rng.normal(size=3), rng.uniform(size=2)
        state = ContactState(np.zeros(2), J @ u, np.zeros(2), J, np.eye(3))
        impact, _ = resolve_impact(0.0, state, np.arange(2), NewtonLaw(e))
        worst = min(worst, impact.energy_lost.sum())
    assert worst >= -1e-12


def test_a_contact_that_would_have_to_pull_is_released():
    """A falling rod that touches near its middle and at its end: the first impulse alone lifts the end faster."""
    M = np.diag([1.0, 1.0 / 12])  # height and turn of the rod about its mass centre
    J = np.array([[1.0, 0.2], [1.0, 0.5]])
    u = np.array([-1.0, 0.0])
    state = ContactState(np.zeros(2), J @ u, np.zeros(2), J, M)
    published = np.linalg.solve(state.delassus(np.arange(state.gap.size)), -2 * state.speed)
    assert published.min() < 0 < published.max()
    impact, _ = resolve_impact(0.0, state, np.arange(2), NewtonLaw(np.ones(2)))
    (expected,) = by_enumeration(state.delassus(np.arange(state.gap.size)), 2 * state.speed)
    np.testing.assert_allclose(impact.impulses, expected, atol=1e-12)
    released = int(published.argmin())
    assert impact.impulses[released] == 0
    assert impact.after[released] > -impact.before[released]


def test_a_law_that_creates_energy_is_refused():
    """Twice the impulses of an elastic impact: the points would leave three times as fast as they came."""

    class Doubled(NewtonLaw):
        def impact(self, state, contacts):
            return Impulses(2 * super().impact(state, contacts).normal)

    state = ContactState(np.zeros(2), -np.ones(2), np.zeros(2), np.eye(2), np.eye(2))
    with pytest.raises(flexarm.SolverError, match=r"the impact at t = 0\.5 s would create energy"):
        resolve_impact(0.5, state, np.arange(2), Doubled(np.ones(2)))


def test_point_mass_in_a_round_wall_keeps_its_distance():
    """A dumbbell of one heavy end, e = 1, no gravity: chords of a circle have equal length."""
    result = flexarm.simulate(
        flexarm.parse_arm(
            """
name: billiard
base: planar
gravity: [0, 0, 0]
links: [{length: 0.001, mu: 1e-6}]
joints: [{type: fixed, mass: 1.0}]
initial: {base: [0.3, 0], base_rates: [0.6, 0.8]}
contact: {walls: [{circle: {center: [0, 0], radius: 1, side: inside}}], points: O1}
run: {duration: 20, sample: 0.01, rtol: 1e-10, atol: 1e-12}
"""
        )
    )
    assert len(result.impact_time) > 8
    np.testing.assert_allclose(np.diff(result.impact_time), np.diff(result.impact_time)[0], rtol=1e-9)
    np.testing.assert_allclose(result.impact_velocity_before, result.impact_velocity_before[0], rtol=1e-9)
    assert np.linalg.norm(result.base_position, axis=1).max() < 1 + 1e-12


def test_outside_of_a_round_wall():
    result = flexarm.simulate(
        flexarm.parse_arm(
            """
name: ball
base: planar
links: [{length: 0.001, mu: 1e-6}]
joints: [{type: fixed, mass: 1.0}]
initial: {base: [0, 1.5]}
contact: {restitution: 0.5, walls: [{circle: {center: [0, 0], radius: 1, side: outside}}], points: O1}
run: {duration: 0.5, sample: 0.001}
"""
        )
    )
    assert result.impact_time[0] == pytest.approx(np.sqrt(2 * 0.5 / 9.81), abs=1e-9)
    assert result.base_position[:, 1].min() > 1 - 1e-8


def test_arm_on_a_fixed_base_strikes_a_wall():
    """A pendulum against an upright wall below its pivot: it returns with e of its rate."""
    result = flexarm.simulate(
        flexarm.parse_arm(
            """
name: pendulum
links: [{length: 1.0, mu: 1.0}]
initial: {joints: [-30 deg]}
contact: {restitution: 0.5, walls: [{point: [0, 0], normal: [1, 0]}], points: O2}
run: {duration: 0.9, sample: 0.001, rtol: 1e-11, atol: 1e-13}
"""
        )
    )
    before = np.sqrt(3 * 9.81 * (1 - 0.5))  # from energy, at the lowest place
    assert result.kind == "flight"
    assert result.impact_velocity_before[0] == pytest.approx(-before, abs=1e-9)
    assert result.impact_impulse[0] == pytest.approx(1.5 * before / 3, abs=1e-9)


DRIVEN = """
name: driven
links: [{length: 1.0, mu: 1.0}, {length: 0.5, mu: 1.0}]
drive: [{motion: "-t"}, null]
initial: {joints: [0, 90 deg]}
contact: {walls: [{point: [0, -0.5], normal: [0, 1]}]}
run: {duration: 1.0, sample: 0.01}
"""


def test_a_joint_driven_into_a_wall_ends_the_run_with_its_reason():
    result = flexarm.simulate(flexarm.parse_arm(DRIVEN))
    assert result.status == "incomplete"
    assert "driven into" in result.message
    assert "t = 0.523598" in result.message  # where the end of link 1 reaches the wall: 30 deg
    assert result.time[-1] == pytest.approx(0.52)


def test_a_start_that_nothing_can_save_is_an_error():
    text = DRIVEN.replace("-0.5]", "0]")
    with pytest.raises(flexarm.SolverError, match="driven into"):
        flexarm.simulate(flexarm.parse_arm(text))
