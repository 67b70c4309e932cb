"""Limits of joints: bounces, rest and release against closed forms; momentum and energy through impacts."""

from __future__ import annotations

import numpy as np
import pytest
from breadth import thinned
from evaluated_events import evaluated
from limited_arms import limited_arm
from paths import ROBOTS
from reference import stopped_rod

import flexarm
from flexarm.catalogue import METHODS
from flexarm.formulations.motion_equations import MotionEquations
from flexarm.model.chain_builder import build_chain
from flexarm.results.events.impacts import impact_records, impact_summary
from flexarm.simulation.contact import event_driven
from flexarm.simulation.contact.constraints.active_contacts import ActiveContacts
from flexarm.simulation.contact.constraints.contacts import Contacts
from flexarm.simulation.forward.parametric_model import ParametricModel

TOLERANCES = {"rk4": "step: 1e-3", "radau": "rtol: 1e-9, atol: 1e-12"}
TIGHT = "run: {duration: 5, sample: 0.01, rtol: 1e-12, atol: 1e-14}"


def simulated(text: str) -> flexarm.Result:
    result = flexarm.simulate(flexarm.parse_arm(text))
    assert result.status == "complete", result.message
    return result


def rod(limits: str, rest: str = "", run: str = TIGHT, joint: str = "") -> str:
    """A rod of 2 m and 3 kg: 4 kg m^2 about its end, and half of m g l is 29.43 N m."""
    return f"""
name: rod
links: [{{length: 2, mu: 1.5}}]
joints: [{{limits: {limits}{joint}}}]
{rest}
{run}
"""


def check_bounces(result: flexarm.Result, times, rates, e: float, side: int, inertia: float, tolerance=1e-8):
    n = len(times)
    np.testing.assert_allclose(result.limit_impact_time[:n], times, rtol=0, atol=tolerance)
    np.testing.assert_allclose(result.limit_impact_velocity_before[:n], side * rates, rtol=0, atol=tolerance)
    np.testing.assert_allclose(
        result.limit_impact_velocity_after[:n], -side * e * rates, rtol=0, atol=tolerance
    )
    impulse = -side * (1 + e) * inertia * rates
    np.testing.assert_allclose(result.limit_impact_impulse[:n], impulse, rtol=0, atol=tolerance * inertia)
    lost = (1 - e**2) * inertia * rates**2 / 2
    np.testing.assert_allclose(result.limit_impact_energy_lost[:n], lost, rtol=1e-7, atol=1e-12)
    assert set(result.limit_impact_side[:n]) == {side}


@pytest.mark.parametrize("side", [1, -1])
def test_bounces_of_a_rod_that_a_torque_pushes(side):
    limits = "{range: [-0.5, 0.5], restitution: 0.6}"
    result = simulated(rod(limits, f"gravity: [0, 0, 0]\ndrive: [{{torque: {4 * side}}}]"))
    check_bounces(result, *stopped_rod.pushed(1.0, 0.5, 0.6, 8), 0.6, side, 4.0)


@pytest.mark.parametrize("method", thinned(METHODS, every=len(METHODS), keep=("radau",)))
def test_bounces_with_every_method(method):
    """Motion of constant acceleration between bounces, which every method finds to its tolerance."""
    run = f"run: {{method: {method}, duration: 4, sample: 0.1, {TOLERANCES.get(method, 'rtol: 1e-10, atol: 1e-13')}}}"
    limits = "{range: [-.inf, 0.5], restitution: 0.5}"
    result = simulated(rod(limits, "gravity: [0, 0, 0]\ndrive: [{torque: 4}]", run))
    check_bounces(result, *stopped_rod.pushed(1.0, 0.5, 0.5, 6), 0.5, 1, 4.0, 1e-6)
    assert result.joint_angle.max() < 0.5 + 1e-9


def test_the_inertia_of_the_motor_strikes_too():
    limits, motor = "{range: [-.inf, 0.5], restitution: 0.6}", ", motor: {inertia: 1e-4, gear: 100}"
    result = simulated(rod(limits, "gravity: [0, 0, 0]\ndrive: [{torque: 4}]", joint=motor))
    check_bounces(result, *stopped_rod.pushed(0.8, 0.5, 0.6, 6), 0.6, 1, 5.0)


def test_bounces_of_a_falling_rod():
    """From the horizontal onto a stop 60 degrees below it: elliptic integrals."""
    result = simulated(rod("{range: [-60 deg, 1], restitution: 0.7}"))
    expected = stopped_rod.fallen(np.pi / 2, np.pi / 6, 2.0, 9.81, 0.7, 8)
    check_bounces(result, *expected, 0.7, -1, 4.0)


def test_a_rod_between_two_stops():
    """No force: it goes to and fro, slower by e at every stop."""
    limits, initial = "{range: [-0.2, 0.3], restitution: 0.9}", "initial: {joint_rates: [2]}"
    result = simulated(rod(limits, f"gravity: [0, 0, 0]\n{initial}"))
    rates = 2 * 0.9 ** np.arange(9)
    times = np.cumsum([0.15, *(0.5 / rates[1:])])
    np.testing.assert_allclose(result.limit_impact_time[:9], times, rtol=0, atol=1e-10)
    np.testing.assert_array_equal(result.limit_impact_side[:9], [1, -1] * 4 + [1])
    np.testing.assert_allclose(np.abs(result.limit_impact_velocity_before[:9]), rates, rtol=1e-10)


@pytest.mark.parametrize(("side", "angle"), [(-1, -np.pi / 3), (1, 4 * np.pi / 3)])
def test_rest_on_a_stop_takes_the_static_torque(side, angle):
    limits = f"[{angle}, 10]" if side < 0 else f"[-10, {angle}]"
    result = simulated(rod(limits, f"initial: {{joints: [{angle - 0.5 * side}]}}"))
    np.testing.assert_allclose(result.joint_angle[-1], angle, rtol=0, atol=1e-12)
    np.testing.assert_allclose(result.limit_torque[-1, 0], 29.43 * np.cos(angle), rtol=1e-10)
    assert result.torque[-1, 0] == 0.0
    np.testing.assert_allclose(result.joint_acceleration[-1], 0.0, atol=1e-12)


def test_a_pd_drive_presses_on_the_stop():
    drive = "drive: [{pd: {kp: 200, kd: 40, reference: 1.0}}]"
    result = simulated(rod("[-1, 0.25]", drive))
    pressed = 200 * 0.75
    np.testing.assert_allclose(result.torque[-1, 0], pressed, rtol=1e-10)
    np.testing.assert_allclose(result.limit_torque[-1, 0], 29.43 * np.cos(0.25) - pressed, rtol=1e-10)


def test_release_when_the_drive_reverses():
    """A torque 4 (1 - t) presses until t = 1 s, then the rod parts from the stop: q = q_max - (t - 1)^3 / 6."""
    start = "gravity: [0, 0, 0]\ninitial: {joints: [0.5]}\ndrive: [{torque: 4*(1 - t)}]"
    result = simulated(rod("[-.inf, 0.5]", start))
    t = result.time
    np.testing.assert_allclose(result.limit_torque[:, 0], -4 * np.maximum(1 - t, 0), rtol=0, atol=1e-8)
    expected = 0.5 - np.maximum(t - 1, 0) ** 3 / 6
    np.testing.assert_allclose(result.joint_angle[:, 0], expected, rtol=0, atol=1e-9)
    assert result.limit_impact_time.size == 0


def test_a_start_on_the_limit_with_a_rate_into_it():
    initial = "gravity: [0, 0, 0]\ninitial: {joints: [0.5], joint_rates: [2]}"
    elastic = simulated(rod("{range: [-9, 0.5], restitution: 0.5}", initial))
    assert elastic.limit_impact_time.tolist() == [0.0]
    np.testing.assert_allclose(elastic.joint_angle[-1, 0], 0.5 - 5.0, rtol=1e-12)
    stopped = simulated(rod("[-9, 0.5]", initial))
    np.testing.assert_allclose(stopped.joint_angle[:, 0], 0.5, rtol=0, atol=1e-14)


def test_a_carriage_between_buffers():
    """A prismatic joint: gaps in m, impulses in N s, the weight on the lower buffer as its force in N."""
    text = """
name: lift
links: [{length: 0.5, mu: 4}]
joints:
  - type: prismatic
    origin: {xyz: [0, 0, 0], rpy: [0, 0, 0]}
    axis: [0, 1, 0]
    limits: {range: [-0.3, 1], restitution: 0.5}
run: {duration: 2, sample: 0.01, rtol: 1e-12, atol: 1e-14}
"""
    result = simulated(text)
    times, speeds = stopped_rod.pushed(9.81, 0.3, 0.5, 8)
    check_bounces(result, times, speeds, 0.5, -1, 2.0)
    np.testing.assert_allclose(result.limit_torque[-1, 0], 2 * 9.81, rtol=1e-10)
    record = impact_records(result)[0]
    assert (record.what, record.against, record.rate_unit, record.impulse_unit) == (
        "joint 1",
        "lower limit",
        "m/s",
        "N s",
    )
    assert impact_summary(result)[1] == "at rest on a limit at the end: joint 1 (19.62 N)"
    with pytest.raises(
        flexarm.SpecError, match=r"exclude the start: joint 1 at 0 m, beyond its limits, 0\.1 to 1 m"
    ):
        flexarm.parse_arm(text.replace("-0.3", "0.1"))


def test_two_limits_at_once():
    """M (v+ - v-) = P with v+ = -e v- at both joints, whose impulses both push."""
    arm = flexarm.parse_arm(
        """
name: folded
gravity: [0, 0, 0]
links: [{length: 1, mu: 1}, {length: 0.8, mu: 2}]
joints: [{limits: {range: [0, 2], restitution: 0.5}}, {limits: {range: [-0.4, 2], restitution: 0.8}}]
initial: {joints: [0, -0.4], joint_rates: [-1, -2]}
run: {duration: 0.2, sample: 0.01}
"""
    )
    result = flexarm.simulate(arm)
    M = MotionEquations(build_chain(arm), "articulated").mass_matrix(np.array([0, -0.4]))
    assert result.limit_impact_number[:2].tolist() == [1, 1]
    assert result.limit_impact_joint[:2].tolist() == [1, 2]
    np.testing.assert_allclose(result.limit_impact_velocity_after[:2], [0.5, 1.6], rtol=1e-12)
    np.testing.assert_allclose(result.limit_impact_impulse[:2], M @ [1.5, 3.6], rtol=1e-12)


def test_a_wall_and_a_limit():
    """A rod without forces, to and fro between a wall and the stop of its joint."""
    contact = "contact: {restitution: 0.5, walls: [{point: [0, 0], normal: [0, 1]}], points: O2}"
    rest = f"gravity: [0, 0, 0]\ninitial: {{joints: [0.2], joint_rates: [1]}}\n{contact}"
    result = simulated(rod("{range: [-9, 0.6], restitution: 0.8}", rest))
    np.testing.assert_allclose(result.limit_impact_time[0], 0.4, atol=1e-12)
    np.testing.assert_allclose(result.impact_time[0], 0.4 + 0.6 / 0.8, atol=1e-10)
    np.testing.assert_allclose(result.limit_impact_time[1], 0.4 + 0.6 / 0.8 + 0.6 / 0.4, atol=1e-10)
    assert result.impact_number[0] == 2
    assert result.limit_impact_number[:2].tolist() == [1, 3]
    assert result.kind == "flight"


@pytest.mark.parametrize(
    "base",
    [
        pytest.param("{type: planar, mass: 20, inertia: 3, attachment: [0.3, 0, 0]}", marks=pytest.mark.slow),
        "{type: free, mass: 20, inertia: [2, 4, 3]}",
    ],
)
def test_stops_keep_the_momentum_of_a_floating_arm(base):
    free = "free" in base
    result = simulated(
        f"""
name: floating
gravity: [0, 0, 0]
base: {base}
links: [{{length: 1, mu: 1, EI: 200, modes: {{family: craig-bampton, count: 2}}}}, {{length: 0.8, mu: 2}}]
joints:
  - {{limits: {{range: [-0.5, 0.6], restitution: 0.7}}}}
  - {{twist: {"30 deg" if free else 0}, limits: [-0.9, 0.4]}}
initial: {{joint_rates: [1.3, -1.5], base_rates: [{"0.1, 0.2, -0.1, 0.3, -0.2, 0.1" if free else "0.1, 0.2, 0.3"}]}}
run: {{duration: 2, sample: 0.01, rtol: 1e-12, atol: 1e-14}}
"""
    )
    assert set(result.limit_impact_joint) == {1, 2}
    assert np.abs(result.momentum - result.momentum[0]).max() < 1e-10
    assert np.abs(result.angular_momentum - result.angular_momentum[0]).max() < 1e-10


FLEXIBLE = """
name: flexible
links:
  - {{length: 1, mu: 1, EI: 60, modes: {{family: craig-bampton, count: 2}}{first}}}
  - {{length: 0.8, mu: 0.6, EI: 30, modes: {{family: clamped-free, count: 2}}}}
joints:
  - {{limits: {{range: [-0.8, 0.6], restitution: {e}}}, motor: {{inertia: 1e-5, gear: 100}}}}
  - {{limits: {{range: [-0.7, 0.7], restitution: {e}}}, motor: {{inertia: 1e-5, gear: 60}}}}
run: {{duration: 1.5, sample: 0.002, rtol: 1e-11, atol: 1e-13}}
"""


@pytest.mark.parametrize("first", ["", pytest.param(", segments: 2", marks=pytest.mark.slow)])
def test_elastic_stops_keep_the_energy_of_a_flexible_arm(first):
    result = simulated(FLEXIBLE.format(e=1, first=first))
    assert set(result.limit_impact_joint) == {1, 2}
    assert np.ptp(result.energy_total) < 1e-8 * result.energy_kinetic.max()
    assert np.abs(result.limit_impact_energy_lost).max() < 1e-12


@pytest.mark.parametrize("e", [0.0, 0.4])
def test_the_energy_of_a_flexible_arm_never_grows(e):
    result = simulated(FLEXIBLE.format(e=e, first=""))
    drops = np.diff(result.energy_total)
    assert drops.max() < 1e-9
    assert result.limit_impact_energy_lost.min() > -1e-14
    total = result.energy_total[0] - result.energy_total[-1]
    np.testing.assert_allclose(result.limit_impact_energy_lost.sum(), total, rtol=1e-8)


@pytest.mark.parametrize("formulation", thinned(["gibbs-appell", "lagrangian", "elastodynamics"]))
def test_every_formulation_strikes_alike(formulation):
    text = "geometric_stiffening: false\n" + FLEXIBLE.format(e=0.4, first="").replace("1.5,", "0.6,")
    expected = simulated(text)
    found = simulated(text.replace("run: {", f"run: {{formulation: {formulation}, "))
    np.testing.assert_allclose(found.limit_impact_time[0], expected.limit_impact_time[0], rtol=0, atol=1e-9)
    np.testing.assert_allclose(found.limit_impact_impulse[0], expected.limit_impact_impulse[0], rtol=1e-7)


def test_a_limited_joint_beyond_a_prescribed_one():
    """Joint 1 turns at w = 2 rad/s; link 2 is held on its lower limit by m_2 l_1 (l_2 / 2) w^2 sin q."""
    result = simulated(
        """
name: spun
gravity: [0, 0, 0]
links: [{length: 1, mu: 1}, {length: 0.8, mu: 2}]
joints: [{limits: [-1, 6.5]}, {limits: [0.3, 2]}]
initial: {joints: [0, 0.3]}
drive: [{motion: 2*t}, null]
run: {duration: 3, sample: 0.01}
"""
    )
    held = 1.6 * 1 * 0.4 * 2**2 * np.sin(0.3)
    np.testing.assert_allclose(result.limit_torque[1:, 1], held, rtol=1e-8)
    np.testing.assert_array_equal(result.limit_torque[:, 0], 0.0)


def test_a_kink_of_a_prescribed_motion_opens_a_stop():
    """Joint 1 stops, or starts, at 1 s: link 2 parts from its limit, or strikes it, M_22 dq_2_d = -M_21 dq_1_d."""
    text = """
name: kinked
gravity: [0, 0, 0]
links: [{length: 1, mu: 1}, {length: 0.8, mu: 2}]
joints: [{}, {limits: [0.3, 2]}]
initial: {joints: [0, 0.3]}
drive: [{motion: "%s"}, null]
run: {duration: 1.2, sample: 0.01}
"""
    arm = flexarm.parse_arm(text % "min(t, 1)")
    M = MotionEquations(build_chain(arm), "articulated").mass_matrix(np.array([1.0, 0.3]))
    parted = flexarm.simulate(arm)
    assert parted.limit_torque[parted.time > 1.001, 1].max() == 0.0
    after = parted.joint_velocity[parted.time > 1.0001][0, 1]
    np.testing.assert_allclose(after, M[1, 0] / M[1, 1], rtol=1e-3)
    thrown = simulated(text % "max(t, 1)")
    np.testing.assert_allclose(thrown.limit_impact_time[0], 1.0, atol=1e-9)
    np.testing.assert_allclose(thrown.limit_impact_velocity_before[0], -M[1, 0] / M[1, 1], rtol=1e-9)


@pytest.mark.parametrize("seed", thinned(range(12), every=12))
def test_random_arms_stay_within_their_limits_and_gain_no_energy(seed):
    result = simulated(limited_arm(seed))
    for k, joint in enumerate(result.arm.joints):
        assert max(map(joint.limits.beyond, result.joint_angle[:, k])) < 1e-9
        side = np.where(result.joint_angle[:, k] > np.mean(joint.limits.range), 1, -1)
        assert np.all(side * result.limit_torque[:, k] <= 0)
    assert np.diff(result.energy_total).max() < 1e-9 * result.energy_kinetic.max()


def test_limits_cost_no_gaps_of_walls():
    model = ParametricModel([arm := flexarm.parse_arm(rod("[-1, 1]"))])
    assert model.contacts.gaps.numel_out() == 0
    contacts = Contacts(model.contacts, np.empty(0), arm)
    functions, _ = contacts.event_functions(ActiveContacts.frictionless(np.empty(0, dtype=np.intp)))
    assert not functions.natives
    values = evaluated(functions, np.zeros(1), np.array([[0.2, 3.0]]))
    np.testing.assert_allclose(values, [[1.2, 0.8, 3.0, -3.0]])


def test_limits_share_the_equations_of_a_sweep():
    arms = [flexarm.parse_arm(rod(f"[-1, {high}]")) for high in (0.5, 0.7)]
    model = ParametricModel(arms)
    assert all(model.instance(arm).parameters.size == 0 for arm in arms)


def test_the_shipped_arm_rests_on_its_shoulder():
    """Of the whole arm at rest but the elbow, which its PD drive holds: the static torque about the shoulder."""
    arm = flexarm.load_arm(ROBOTS / "limited_two_link.yaml")
    result = flexarm.simulate(arm.replace("run.duration", 1.99))
    x = result.point_position[-1, :, 0]
    straight = 9.81 * (0.48 * (x[0] + x[1]) / 2 + 0.25 * (x[1] + x[2]) / 2 + 0.2 * x[2])
    np.testing.assert_allclose(result.limit_torque[-1, 0], straight, rtol=2e-3)


@pytest.mark.parametrize("method", thinned(["dop853", "radau"], every=2))
def test_a_table_drives_a_joint_onto_its_stop_and_a_tip_onto_a_wall(method):
    """The same torque as an expression of t, with which the impacts and the forces have to agree."""
    text = """
name: tabled
links: [{length: 1, mu: 1}, {length: 1, mu: 1}]
joints: [{limits: {range: [-0.3, 1], restitution: 0.3}}, {limits: [-1, 1]}]
contact: {restitution: 0.5, walls: [{point: [0, -1], normal: [0, 1]}], points: O3}
drive: [{torque: %s}, {pd: {kp: 10, kd: 1, reference: %s}}]
run: {duration: 1.5, sample: 0.01, method: %s}
"""
    table = "{times: [0, 2], values: [0, -8], interpolation: linear}"
    by_table = simulated(text % (table, table, method))
    by_expression = simulated(text % ("-4*t", "-4*t", method))
    np.testing.assert_allclose(by_table.limit_impact_time, by_expression.limit_impact_time, rtol=1e-6)
    np.testing.assert_allclose(by_table.limit_torque, by_expression.limit_torque, atol=1e-5)
    np.testing.assert_allclose(by_table.contact_force, by_expression.contact_force, atol=1e-5)
    assert by_table.limit_impact_time.size


def test_bounces_without_end_end_in_words_and_keep_what_was_computed(monkeypatch):
    """A joint almost without inertia, pressed on a stop that takes no energy, bounces some 1e5 times a second."""
    monkeypatch.setattr(event_driven, "MOST_EVENTS", 200)
    result = flexarm.simulate(
        flexarm.parse_arm(
            """
name: light
gravity: [0, 0, 0]
links: [{length: 1, mu: 0.2, EI: 500, modes: {family: clamped-free, count: 1}}, {length: 0.02, mu: 0.001}]
joints: [{}, {limits: {range: [-0.1, 0.1], restitution: 1}}]
drive: [null, {torque: 20}]
run: {duration: 1, sample: 0.0005}
"""
        )
    )
    assert result.status != "complete"
    assert "more than 200 impacts and releases" in result.message
    assert 2 < result.n_samples < 20
    assert 190 < result.limit_impact_time.size <= 201


ELASTIC_ROD = """
name: elastic
gravity: [0, 0, 0]
links: [{length: 1, mu: 3}]
joints: [{stiffness: 400, motor: {inertia: 1e-4, gear: 100}, limits: {range: [-1, 0.05], restitution: 0.5}}]
"""
"""1 kg m^2 on 400 N m/rad: 20 rad/s while the motor is held."""


def test_a_link_on_the_spring_of_a_held_motor_strikes_its_stop():
    """q = v/w sin(w t); after the impact the rate is half as large."""
    result = simulated(
        f"{ELASTIC_ROD}initial: {{joint_rates: [2], motor_rates: [0]}}\ndrive: [{{motion: hold}}]\n"
        "run: {duration: 0.1, sample: 0.001, rtol: 1e-12, atol: 1e-14}"
    )
    rate = np.sqrt(2**2 - (20 * 0.05) ** 2)
    np.testing.assert_allclose(result.limit_impact_time, [np.arcsin(0.5) / 20], rtol=0, atol=1e-10)
    np.testing.assert_allclose(result.limit_impact_velocity_before, [rate], rtol=1e-9)
    np.testing.assert_allclose(result.limit_impact_velocity_after, [-rate / 2], rtol=1e-9)


def test_a_prescribed_motor_goes_on_while_its_link_rests_on_the_stop():
    """The stop takes what the spring presses with, K (motor - limit); the motor's torque is that of its spring."""
    result = simulated(
        f"{ELASTIC_ROD}initial: {{joints: [0]}}\ndrive: [{{move: {{to: 0.2, duration: 0.5}}}}]\n"
        "run: {duration: 3, sample: 0.01}"
    )
    assert result.joint_angle.max() < 0.05 + 1e-9
    np.testing.assert_allclose(result.motor_angle[-1], 0.2, atol=1e-12)
    np.testing.assert_allclose(result.limit_torque[-1], -400 * 0.15, rtol=1e-9)
    np.testing.assert_allclose(result.torque[-1], 400 * 0.15, rtol=1e-9)


def test_a_start_beyond_the_limits_of_a_prescribed_elastic_joint_is_refused():
    with pytest.raises(flexarm.SpecError, match="exclude the start"):
        flexarm.parse_arm(f"{ELASTIC_ROD}initial: {{joints: [0.1]}}\ndrive: [{{motion: hold}}]")
