"""Parameters: expressions of named numbers in the place of numbers, and what is said of wrong ones."""

import itertools
import math
import re

import pytest

import flexarm
from flexarm.errors import SpecError

TEXT = """\
name: named
parameters:
  b: 0.02
  h: 2*b
  E: 70e9
  T: 2
  tilt: 45 deg
  n: 2
links:
  - {length: 50*b, mu: 2700*b*h, EI: E*b*h**3/12, modes: n, damping: [b, b/2]}
payload: {mass: T, inertia: [0, 0, b]}
initial: {joints: [tilt - pi/2]}
drive: [{torque: "5*sin(2*pi*t/T)"}]
loads: [{at: tip, force: [0, "T*t", T]}]
run: {duration: 2*T, sample: T/200}
"""
PLAIN = """\
name: named
links:
  - {length: 1.0, mu: 2.16, EI: 7466.666666666667, modes: 2, damping: [0.02, 0.01]}
payload: {mass: 2, inertia: [0, 0, 0.02]}
initial: {joints: [-45 deg]}
drive: [{torque: "5*sin(2*pi*t/2)"}]
loads: [{at: tip, force: [0, "2*t", 2]}]
run: {duration: 4, sample: 0.01}
"""


def changed(old, new):
    assert old in TEXT
    return TEXT.replace(old, new, 1)


def test_expressions_are_the_numbers_that_they_give():
    arm, plain = flexarm.parse_arm(TEXT), flexarm.parse_arm(PLAIN)
    assert arm.links[0].length == plain.links[0].length
    assert arm.links[0].EI.y.values[0] == pytest.approx(0.02 * 0.04**3 * 70e9 / 12, rel=1e-14)
    assert (arm.payload, arm.run, arm.links[0].n_modes) == (plain.payload, plain.run, 2)
    assert arm.initial.joints[0] == pytest.approx(-math.pi / 4, rel=1e-14)
    assert arm.drive[0].torque.at([0.5]) == pytest.approx(plain.drive[0].torque.at([0.5]), rel=1e-14)
    assert arm.loads[0].force[1].at([0.5]) == 1.0
    assert dict(arm.parameters)["h"] == 0.04


def test_the_text_of_an_arm_keeps_its_parameters():
    arm = flexarm.parse_arm(TEXT)
    assert arm.text == TEXT
    assert flexarm.parse_arm(arm.text) == arm


def test_numbers_may_be_expressions_without_parameters():
    text = PLAIN.replace("length: 1.0", "length: 3*0.5").replace("-45 deg", "-pi/4")
    arm = flexarm.parse_arm(text)
    assert (arm.links[0].length, arm.initial.joints[0]) == (1.5, -math.pi / 4)


def test_arms_that_differ_in_words_only_are_equal():
    assert flexarm.parse_arm(TEXT) == flexarm.parse_arm(changed("T: 2\n", "T: 1+1\n  half: T/2\n"))


def test_unused_parameters_are_named():
    arm = flexarm.parse_arm(changed("T: 2\n", "T: 2\n  old: 3\n  older: old\n"))
    assert arm.unused_parameters == ("old", "older")
    assert any("parameters old, older" in text for text in flexarm.check_arm(arm).warnings)
    assert not flexarm.parse_arm(TEXT).unused_parameters


def test_a_trajectory_has_parameters_of_its_own():
    text = (
        "parameters: {R: 0.2, T: 2}\nduration: 2*T\n"
        "path: {x: '1 + R*cos(2*pi*t/T)', y: R}\ndeviation: R/100\n"
    )
    trajectory = flexarm.parse_trajectory(text)
    assert trajectory.duration == 4.0
    assert trajectory.deviation == 0.002
    assert trajectory.path["x"].at([1.0]) == pytest.approx(0.8)
    assert trajectory.path["y"].at([1.0]) == 0.2


FAULTS = [
    ("50*b", "50*c", 10, "links[0].length", "unknown name 'c'"),
    ("50*b", "50*bb", 10, "links[0].length", "did you mean 'b'?"),
    ("50*b", "width", 10, "links[0].length", "parameters: E, T, b, h, n, tilt"),
    ("50*b", "-b", 10, "links[0].length", "got '-b' = -0.02, expected a number >= 0"),
    ("50*b", "b/(h-2*b)", 10, "links[0].length", "'b/(h-2*b) with b = 0.02, h = 0.04', which has no finite"),
    ("50*b", "50*t", 10, "links[0].length", "got '50*t', expected a number"),
    ("50*b", "T*t", 10, "links[0].length", "got 'T*t', expected a number, which does not depend on t"),
    ("50*b", "50 b", 10, "links[0].length", "got '50 b', expected a number"),
    ("modes: n", "modes: n/4", 10, "links[0].modes", "got 'n/4' = 0.5, expected a number of modes"),
    ("E*b*h**3/12", "E**5*b", 10, "links[0].EI", r"(it is 'E**5*b' = 3.3614e+52)"),
    ("tilt - pi/2", "tilt - 90 deg", 12, "initial.joints[0]", "expected a number in rad or an angle"),
    ("t/T)", "t/Q)", 13, "drive[0].torque", "unknown name 'Q'"),
    ("sin(2*pi*t/T)", "t/(T-2)", 13, "drive[0].torque", "'5*t/(T-2) with T = 2' has no finite value"),
    ("  T: 2", "  T: E/(b-b)", 6, "parameters.T", "no finite value"),
    ("  T: 2", "  T: 2*t", 6, "parameters.T", "which does not depend on t"),
    ("  T: 2", "  T: 20 mm", 6, "parameters.T", "got '20 mm', expected a number, an angle such as"),
    ("  T: 2", "  T: [2]", 6, "parameters.T", "got a list, expected a number"),
    ("  T: 2", "  T:", 6, "parameters.T", "got nothing, expected a number"),
    ("  T: 2", "  T: .inf", 6, "parameters.T", "got inf, expected a finite number"),
    ("  T: 2", "  T: 2*Q", 6, "parameters.T", "unknown name 'Q'"),
    ("  T: 2", "  T: T", 6, "parameters.T", "got 'T', which needs itself: T -> T"),
    ("  b: 0.02", "  b: h/2", 3, "parameters.b", "which needs itself: b -> h -> b"),
    ("  T: 2", "  T: 2\n  t: 1", 7, "parameters.t", "'t' means something in every expression"),
    ("  T: 2", "  T: 2\n  pi: 1", 7, "parameters.pi", "'pi' means something"),
    ("  T: 2", "  T: 2\n  sin: 1", 7, "parameters.sin", "'sin' means something"),
    ("  T: 2", "  T: 2\n  if: 1", 7, "parameters.if", "'if' cannot be a name"),
    ("  T: 2", "  T: 2\n  2x: 1", 7, "parameters.2x", "'2x' cannot be a name"),
]


@pytest.mark.parametrize(("old", "new", "line", "key", "words"), FAULTS, ids=lambda part: str(part))
def test_faults_name_line_and_key_expression_and_value(old, new, line, key, words):
    with pytest.raises(SpecError) as caught:
        flexarm.parse_arm(changed(old, new))
    found = next(problem for problem in caught.value.problems if problem.key == key)
    assert found.line == line
    assert words in str(found)


def test_long_chains_of_parameters_and_too_many_of_them():
    names = [f"p{k}" for k in range(200)]
    chain = "".join(f"  {name}: {after} + 1\n" for name, after in itertools.pairwise(names))
    arm = flexarm.parse_arm(
        f"parameters:\n{chain}  p199: 1\n" + PLAIN.replace("length: 1.0", "length: p0/200")
    )
    assert arm.links[0].length == 1.0
    more = f"parameters:\n{chain}  p199: 1\n  q: 1\n"
    with pytest.raises(SpecError, match="got 201 parameters, expected at most 200"):
        flexarm.parse_arm(more + PLAIN)


@pytest.mark.parametrize(
    "text", ["9**9**9**9", "(-1)**0.5", "1e308*10", "+".join(["1"] * 1500), "(" * 300 + "1" + ")" * 300]
)
def test_hostile_expressions_are_refused(text):
    with pytest.raises(SpecError, match=r"parameters\.a"):
        flexarm.parse_arm(f"parameters: {{a: '{text}'}}\n" + PLAIN)


def test_parameters_are_keys_and_values():
    with pytest.raises(SpecError, match=re.escape("parameters: got a list of 2, expected")):
        flexarm.parse_arm("parameters: [1, 2]\n" + PLAIN)


def test_words_of_signals_are_no_names_of_parameters():
    """`hold` beside parameters is the word, not an unknown name."""
    arm = flexarm.parse_arm(
        "name: a\nparameters: {T: 2}\nlinks: [{length: 1, mu: 1, EI: 9, modes: 1}]\ndrive: [{motion: hold}]\n"
        "run: {duration: T, sample: 0.1}\n"
    )
    assert arm.drive[0].motion == "hold"
