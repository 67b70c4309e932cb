"""Moves of joints: from rest to rest by every time law, as a motion and as a reference."""

import casadi as ca
import numpy as np
import pytest

import flexarm
from flexarm.catalogue import TIME_LAWS
from flexarm.description.motion.move import Move, law_text
from flexarm.description.values.break_points import break_points
from flexarm.description.values.expression import Expression
from flexarm.simulation.forces.time_functions import Signals
from flexarm.simulation.forward.parametric_model import ParametricModel
from flexarm.simulation.inverse.task.path_primitives import time_law
from flexarm.sweeps.parameters.variation import Variation

over_laws = pytest.mark.parametrize("law", TIME_LAWS)

TEXT = """\
name: moved
links:
  - {length: 1.0, mu: 1.0, EI: 50.0, modes: 2}
  - {length: 0.8, mu: 1.0}
initial: {joints: [10 deg, 0.2]}
drive:
  - {move: {to: 45 deg, duration: 0.4, start: 0.1}}
  - {pd: {kp: 50, kd: 5, move: {to: -30 deg, duration: 0.5, law: septic, from: 0.1}}}
run: {duration: 0.8, sample: 0.02}
"""


def test_published_polynomials():
    x = np.linspace(0, 1, 11)
    for law, powers in (("quintic", [6, -15, 10, 0, 0, 0]), ("septic", [-20, 70, -84, 35, 0, 0, 0, 0])):
        text = law_text(law, "min(max(t, 0), 1)")
        np.testing.assert_allclose(Expression(text).at(x), np.polyval(powers, x), rtol=0, atol=1e-14)


@over_laws
def test_laws_are_those_of_trajectories(law):
    polynomial = time_law(law, 2.0)
    if polynomial is None:  # the smooth step, an odd function about its middle
        at = Expression(law_text(law, "t")).at(np.array([0.0, 0.25, 0.5, 0.75, 1.0]))
        np.testing.assert_allclose(at + at[::-1], 1.0, atol=1e-15)
        return
    times = np.linspace(0, 2, 41)
    found = Expression(law_text(law, "(t/2)")).at(times)
    np.testing.assert_allclose(found, [polynomial(time) for time in times], rtol=0, atol=1e-13)


@over_laws
def test_a_move_rests_before_and_after_and_its_break_points_are_known(law):
    angle = Move(to=1.0, duration=0.5, start=0.25, law=law).angle(0.2)  # pyright: ignore[reportCallIssue]
    t = ca.SX.sym("t")
    rates = ca.Function("rates", [t], [ca.vertcat(*Signals(t).with_rates(angle))])
    for time, expected in ((0.1, [0.2, 0, 0]), (0.9, [1.0, 0, 0])):
        np.testing.assert_allclose(rates(time).full().ravel(), expected, atol=1e-15)
    speed = rates(0.5).full()[1, 0]
    assert speed > (1.0 - 0.2) / 0.5
    assert {0.25, 0.75} <= set(break_points(angle, 1.0).times.round(12))


def test_moves_become_the_motion_and_the_reference_of_their_drives():
    arm = flexarm.parse_arm(TEXT)
    (first, second) = arm.drive
    assert first.motion.at([0.0, 0.1, 0.5, 0.8]) == pytest.approx(np.radians([10, 10, 45, 45]), rel=1e-14)
    assert second.pd.reference.at([0.0, 0.5]) == pytest.approx([0.1, -np.pi / 6], rel=1e-14)


def test_a_move_is_the_motion_that_an_expression_types_out():
    moved = flexarm.simulate(flexarm.parse_arm(TEXT))
    x = "min(max((t - 0.1)/0.4, 0), 1)"
    y = "min(t/0.5, 1)"
    typed = TEXT.replace(
        "move: {to: 45 deg, duration: 0.4, start: 0.1}",
        f'motion: "pi/18 + 7*pi/36*{x}**3*(10 - 15*{x} + 6*{x}**2)"',
    ).replace(
        "move: {to: -30 deg, duration: 0.5, law: septic, from: 0.1}",
        f'reference: "0.1 - (pi/6 + 0.1)*{y}**4*(35 - 84*{y} + 70*{y}**2 - 20*{y}**3)"',
    )
    assert typed.count("move") == 1  # the arm's name
    result = flexarm.simulate(flexarm.parse_arm(typed))
    np.testing.assert_allclose(moved.joint_angle, result.joint_angle, rtol=0, atol=1e-10)
    np.testing.assert_allclose(moved.torque, result.torque, rtol=0, atol=1e-6)


def test_a_move_begins_at_the_angle_that_is_typed_where_an_equilibrium_is_asked_for():
    arm = flexarm.parse_arm(TEXT.replace("0.2]}", "0.2], equilibrium: true}"))
    result = flexarm.simulate(arm)
    assert result.joint_angle[0, 0] == pytest.approx(np.radians(10), rel=1e-14)
    assert abs(result.joint_velocity[0]).max() < 1e-12


def test_numbers_of_moves_are_varied_and_stay_open():
    variation = Variation(TEXT, ["drive[0].move.to", "drive[1].pd.move.duration"])
    arms = [variation.arm(point) for point in ([0.5, 0.3], [1.0, 0.6])]
    assert arms[1].drive[0].motion.at([0.8]) == pytest.approx([1.0])
    assert ParametricModel(arms).state_equation.n_parameters


FAULTS = [
    ("to: 45 deg, ", "", "drive[0].move.to", "missing"),
    ("start: 0.1", "strt: 0.1", "drive[0].move.strt", "did you mean 'start'"),
    ("duration: 0.4", "duration: 0", "drive[0].move.duration", "a number > 0"),
    ("start: 0.1", "start: -1", "drive[0].move.start", "a number >= 0"),
    ("law: septic", "law: septc", "drive[1].pd.move.law", "did you mean 'septic'"),
    ("from: 0.1", "from: 45 dg", "drive[1].pd.move.from", 'an angle such as "30 deg"'),
    ("from: 0.1}", "from: 0.1}, reference: 2", "drive[1].pd.move", "besides reference"),
    ("{move: {to: 45", "{torque: 2, move: {to: 45", "drive[0]", "torque and move"),
]


@pytest.mark.parametrize(("old", "new", "key", "words"), FAULTS)
def test_faults_name_the_key(old, new, key, words):
    assert old in TEXT
    with pytest.raises(flexarm.SpecError) as caught:
        flexarm.parse_arm(TEXT.replace(old, new, 1))
    found = next(problem for problem in caught.value.problems if problem.key == key)
    assert found.line is not None
    assert words in str(found)
