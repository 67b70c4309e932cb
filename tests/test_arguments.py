"""Arguments of the public functions are checked with the words of the command line, before anything is computed."""

import math

import pytest
from paths import ROBOTS

import flexarm
from flexarm.arguments import check_name, check_number

NAN = math.nan


@pytest.fixture(scope="module")
def arm():
    return flexarm.load_arm(ROBOTS / "usoro_two_link.yaml")


@pytest.fixture(scope="module")
def trajectory():
    return flexarm.load_trajectory(ROBOTS / "trajectories" / "payload_two_link.yaml")


WRONG = {
    "limit": lambda arm, _: [flexarm.converge(arm, limit=value) for value in (NAN,)],
    "limit, a word": lambda arm, _: flexarm.converge(arm, limit="x"),
    "limit, negative": lambda arm, _: flexarm.converge(arm, limit=-1),
    "joints": lambda arm, _: flexarm.natural_modes(arm, joints="loked"),
    "joint": lambda arm, _: flexarm.natural_modes(arm, spin=1.0, joint="x"),
    "joint, but no spin": lambda arm, _: flexarm.linearize(arm, joint=1),
    "posture": lambda arm, _: flexarm.natural_modes(arm, at=1),
    "method": lambda arm, trajectory: flexarm.inverse(arm, trajectory, method="x"),
    "step": lambda arm, trajectory: flexarm.inverse(arm, trajectory, step=NAN),
    "step, a word": lambda arm, trajectory: flexarm.inverse(arm, trajectory, step="x"),
    "pre": lambda arm, trajectory: flexarm.inverse(arm, trajectory, pre=math.inf),
    "post": lambda arm, trajectory: flexarm.inverse(arm, trajectory, post=-1.0),
    "workers": lambda arm, _: flexarm.sweep(arm, {"payload.mass": "0:1:3"}, workers=0),
    "workers, a fraction": lambda arm, _: flexarm.sweep(arm, {"payload.mass": "0:1:3"}, workers=1.5),
    "formulation": lambda arm, _: flexarm.motion_equations(arm, "x"),
    "link_rotation": lambda arm, _: flexarm.motion_equations(arm, link_rotation="x"),
    "outputs": lambda arm, _: flexarm.linearize(arm, outputs=3),
    "outputs, a word": lambda arm, _: flexarm.linearize(arm, outputs="tip"),
    "outputs, a number": lambda arm, _: flexarm.linearize(arm, outputs=[3]),
    "hold": lambda arm, _: flexarm.natural_modes(arm, hold=3),
    "hold, a word": lambda arm, _: flexarm.natural_modes(arm, hold=["x"]),
    "vary": lambda arm, _: flexarm.sweep(arm, "payload.mass"),
    "record": lambda arm, _: flexarm.sweep(arm, {"payload.mass": "0:1:3"}, record="steps"),
    "series": lambda arm, _: flexarm.sweep(arm, {"payload.mass": "0:1:3"}, series=3),
    "changes": lambda arm, _: flexarm.replace(arm, {3: 1.0}),
    "payload.mass": lambda arm, _: flexarm.replace(arm, {"payload.mass": None}),
    "mass": lambda arm, trajectory: flexarm.payload(arm, trajectory, mass="x"),
    "mass, negative": lambda arm, trajectory: flexarm.payload(arm, trajectory, mass=-1),
    "deviation": lambda arm, trajectory: flexarm.payload(arm, trajectory, deviation="x"),
    "deviation, negative": lambda arm, trajectory: flexarm.payload(arm, trajectory, deviation=-1.0),
    "inertia_per_mass": lambda arm, trajectory: flexarm.payload(arm, trajectory, inertia_per_mass=(1, 2, 3)),
    "names": lambda *_: flexarm.validate(["x"]),
    "names, a word": lambda *_: flexarm.validate("cantilever-static"),
    "names, a number": lambda *_: flexarm.validate(3),
    "text": lambda *_: flexarm.parse_arm(None),
    "text, of a trajectory": lambda *_: flexarm.parse_trajectory(3),
    "path": lambda *_: flexarm.load_arm(3),
    "path, of a trajectory": lambda *_: flexarm.load_trajectory(None),
    "path, of a result": lambda *_: flexarm.open_result([]),
    "path, of a sweep": lambda *_: flexarm.open_sweep(3),
    "path, of an output": lambda arm, _: flexarm.simulate(arm, output=3),
}


ARMS = (
    "simulate", "converge", "check_arm", "linearize", "motion_equations", "natural_modes", "static_equilibrium",
    "campbell", "Stepper", "replace", "sweep", "inverse", "payload", "operational_space",
)  # fmt: skip
RESULTS = ("plot", "animate", "report", "run_warnings")
FURTHER = {"campbell": ["0:1:3"], "replace": [{}], "sweep": [{}], "animate": ["x.gif"], "report": ["x.html"]}


@pytest.mark.parametrize("wrong", [None, 3, "arm.yaml", {"links": []}, [1.0] * 1000])
@pytest.mark.parametrize("name", ARMS + RESULTS)
def test_an_object_of_another_kind_is_told(name, wrong, trajectory):
    further = FURTHER.get(name, [trajectory] if name in ARMS[-3:] else [])
    expected = "arm: got .*, expected an arm" if name in ARMS else "result: got .*, expected a result"
    with pytest.raises(flexarm.ModelError, match=expected) as caught:
        getattr(flexarm, name)(wrong, *further)
    assert len(str(caught.value)) < 200


@pytest.mark.parametrize("name", ARMS[-3:])
def test_an_arm_is_no_trajectory(name, arm):
    with pytest.raises(flexarm.ModelError, match=r"trajectory: got .*, expected a trajectory"):
        getattr(flexarm, name)(arm, arm)


@pytest.mark.parametrize("case", WRONG)
def test_wrong_arguments_are_told(arm, trajectory, case):
    with pytest.raises(flexarm.ModelError, match=f"{case.partition(',')[0]}.*, expected |; ") as caught:
        WRONG[case](arm, trajectory)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("value", [True, "1", None, [1.0], NAN, math.inf, 1j, 0.0])
def test_what_is_no_positive_number(value):
    with pytest.raises(flexarm.ModelError, match=r"n: got .*, expected a finite number above 0"):
        check_number("n", value, above=0)


def test_what_is_right_passes():
    check_number("n", 3, least=3, whole=True)
    check_number("n", 0.5, above=0)
    check_name("n", "a", ["a", "b"])


@pytest.mark.parametrize("wrong", ["page.txt", "page"])
def test_a_page_has_its_ending(tmp_path, wrong):
    with pytest.raises(flexarm.ResultError, match=r"a page ends in .html or .htm, got"):
        flexarm.report(None, tmp_path / wrong)
    assert not list(tmp_path.iterdir())
