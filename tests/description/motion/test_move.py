"""Moves of joints: from rest to rest by every time law, as a motion and as a reference."""

import casadi as ca
import numpy as np
import pytest

import flexarm
from flexarm.catalogue import TIME_LAWS
from flexarm.description.motion.move import MOST_MOVES, Move, angle_over_time, law_text
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
        np.testing.assert_allclose(at + at[::-1], 1.0, atol=1e-14)
        return
    times = np.linspace(0, 2, 41)
    found = Expression(law_text(law, "(t/2)")).at(times)
    np.testing.assert_allclose(found, [polynomial(time) for time in times], rtol=0, atol=1e-13)


@over_laws
def test_a_move_rests_before_and_after_and_its_break_points_are_known(law):
    move = Move(to=1.0, duration=0.5, start=0.25, law=law)  # pyright: ignore[reportCallIssue]
    angle = angle_over_time((move,), 0.2)
    t = ca.SX.sym("t")
    rates = ca.Function("rates", [t], [ca.vertcat(*Signals(t).with_rates(angle))])
    for time, expected in ((0.1, [0.2, 0, 0]), (0.9, [1.0, 0, 0])):
        np.testing.assert_allclose(rates(time).full().ravel(), expected, atol=1e-14)
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


SEQUENCE = """\
name: there-and-back
links: [{length: 1.0, mu: 1.0, EI: 50.0, modes: 1}]
initial: {joints: [0.2]}
drive:
  - move:
      - {to: 1.0, duration: 0.4, start: 0.1}
      - {to: -0.5, duration: 0.5, law: nonic}
      - {to: 0.3, duration: 0.5, start: 1.2, law: trapezoidal}
run: {duration: 2.0, sample: 0.02}
"""


def test_moves_follow_one_another_and_rest_in_between():
    motion = flexarm.parse_arm(SEQUENCE).drive[0].motion
    halfway = [(0.2 + 1) / 2, (1 - 0.5) / 2, (-0.5 + 0.3) / 2]  # every law is odd about its middle
    assert motion.at([0.3, 0.75, 1.45]) == pytest.approx(halfway, rel=1e-13)
    assert motion.at([0, 0.1, 0.5, 1.0, 1.1, 1.2, 1.7, 2]) == pytest.approx(
        [0.2, 0.2, 1, -0.5, -0.5, -0.5, 0.3, 0.3], rel=1e-13
    )


def test_a_sequence_follows_the_angle_and_its_numbers_are_varied():
    variation = Variation(SEQUENCE, ["drive[0].move[1].duration"])
    arms = [variation.arm(point) for point in ([0.5], [0.7])]
    assert arms[1].drive[0].motion.at([1.2]) == pytest.approx([-0.5])
    result = flexarm.simulate(arms[1])
    np.testing.assert_allclose(result.joint_angle[:, 0], arms[1].drive[0].motion.at(result.time), atol=1e-14)
    assert result.joint_angle[-1, 0] == pytest.approx(0.3)


@over_laws
def test_the_longest_sequence_is_an_expression(law):
    many = ", ".join(f"{{to: {k}, duration: 0.1, law: {law}}}" for k in range(MOST_MOVES))
    motion = (
        flexarm.parse_arm(TEXT.replace("{to: 45 deg, duration: 0.4, start: 0.1}", f"[{many}]"))
        .drive[0]
        .motion
    )
    assert motion.at([5.0]) == pytest.approx([MOST_MOVES - 1])


SEQUENCE_FAULTS = [
    ("start: 1.2", "start: 0.9", "drive[0].move[2].start", "the move before ends at 1 s"),
    ("law: nonic", "from: 0.5", "drive[0].move[1].from", "begins where the one before ends"),
    ("law: nonic", "law: nnic", "drive[0].move[1].law", "did you mean 'nonic'"),
    ("{to: -0.5, duration: 0.5, law: nonic}", "2", "drive[0].move[1]", "expected"),
]


@pytest.mark.parametrize(("old", "new", "key", "words"), SEQUENCE_FAULTS)
def test_faults_of_a_sequence_name_the_move(old, new, key, words):
    assert old in SEQUENCE
    with pytest.raises(flexarm.SpecError) as caught:
        flexarm.parse_arm(SEQUENCE.replace(old, new, 1))
    found = next(problem for problem in caught.value.problems if problem.key == key)
    assert found.line is not None
    assert words in str(found)


@pytest.mark.parametrize(
    ("moves", "words"),
    [("[]", "at least one move"), ("3", "a list of such moves"), (f"{[1] * 11}", "got 11 moves")],
)
def test_what_is_no_sequence(moves, words):
    with pytest.raises(flexarm.SpecError, match=words):
        flexarm.parse_arm(TEXT.replace("{to: 45 deg, duration: 0.4, start: 0.1}", moves))


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
