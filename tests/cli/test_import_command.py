"""`flexarm import`: what it writes, and one line for whatever is wrong with a URDF file."""

import sys

import pytest
from paths import ROBOTS
from urdf.small_robots import SKEW, changed

from flexarm import load_arm

pytest.importorskip("yourdfpy", reason="yourdfpy is not installed")

SLIDE_ARM = ROBOTS / "urdf" / "slide_arm.urdf"


def test_it_writes_an_arm_that_other_commands_take(flexarm, folder):
    done = flexarm("import", SLIDE_ARM, "--tip", "grip", "-o", "arm.yaml")
    assert (done.exit_code, done.stderr) == (0, "")
    assert done.stdout.splitlines()[0] == "3 joints from rail to grip"
    assert done.stdout.splitlines()[-1] == "arm.yaml"
    for command in ("check", "simulate"):
        done = flexarm(command, "arm.yaml")
        assert (done.exit_code, done.stderr) == (0, "")


def test_links_are_made_flexible(flexarm, folder):
    done = flexarm("import", SLIDE_ARM, "--flexible", "forearm", "--EI", "2000,500", "-o", "soft.yaml", "-q")
    assert (done.exit_code, done.output) == (0, "")
    link = load_arm("soft.yaml").links[2]
    assert (link.n_modes, link.EI.y.values[0], link.EI.z.values[0]) == (4, 2000, 500)


def test_nothing_is_overwritten_unless_asked_for(flexarm, folder):
    (folder / "slide_arm.yaml").write_text("mine")
    done = flexarm("import", SLIDE_ARM)
    assert done.exit_code == 4
    assert "exists" in done.stderr
    assert (folder / "slide_arm.yaml").read_text() == "mine"
    assert flexarm("import", SLIDE_ARM, "--overwrite").exit_code == 0
    assert load_arm("slide_arm.yaml").name == "slide_arm"


def test_names_stay_on_their_lines(flexarm, folder):
    (folder / "robot.urdf").write_text(changed(('name="c"', 'name="c&#10;gravity: 3"')))
    done = flexarm("import", "robot.urdf", "--tip", "tool", "-o", "arm.yaml")
    assert (done.exit_code, done.stderr) == (0, "")
    assert not any(line.startswith("gravity: 3") for line in done.stdout.splitlines())
    assert load_arm("arm.yaml").gravity == (0, 0, -9.81)


def test_limits_without_a_range_are_left_out_in_words(flexarm, folder):
    (folder / "robot.urdf").write_text(changed(('lower="0.5" upper="1.5"', 'lower="0.5" upper="0.5"')))
    done = flexarm("import", "robot.urdf", "-o", "arm.yaml")
    assert "joint b has no limits here, since lower and upper are both 0.5" in done.stdout
    assert load_arm("arm.yaml").joints[1].limits is None


INERTIA = 'ixx="0.3" iyy="0.25" izz="0.2"'
WRONG = {
    "no XML": ("<robot", "robot.urdf:1: not valid XML"),
    "nothing": ("", "not valid XML"),
    "another format": ("<sdf><model/></sdf>", "expected <robot>"),
    "no links": ("<robot name='a'/>", "has no links"),
    "binary": ("\0\1", "not a text file"),
    "an entity bomb": (
        '<?xml version="1.0"?>\n<!DOCTYPE r [<!ENTITY a "aa"><!ENTITY b "&a;&a;">]>\n<robot name="&b;"/>',
        "robot.urdf:2: got <!DOCTYPE",
    ),
    "xacro": (
        '<robot name="a" xmlns:xacro="http://ros.org/wiki/xacro">\n<xacro:include filename="b"/></robot>',
        "robot.urdf:2: is a xacro file",
    ),
    "xacro without its name space": (
        "<robot>\n<xacro:include filename='b'/></robot>",
        "xacro FILE > robot.urdf",
    ),
    "an expression": (changed(('xyz="0.1 0.2 0.5"', 'xyz="0 0 ${h}"')), "run xacro first"),
    "two numbers": (
        changed(('xyz="0.1 0.2 0.5"', 'xyz="0 1"')),
        "joint a origin: got xyz = '0 1', expected 3 numbers",
    ),
    "not finite": (changed(('value="2"', 'value="nan"')), "robot.urdf:4: link one mass: got value = 'nan'"),
    "out of all proportion": (
        changed(('value="2"', 'value="1e300"')),
        "robot.urdf:4: link one mass: got value = '1e300', expected a number of at most 1e+09",
    ),
    "a negative effort": (
        changed(('effort="0"', 'effort="-3"')),
        "joint b limit: got effort = -3, expected a number >= 0",
    ),
    "no mass": (changed(('<mass value="2"/>', "")), "robot.urdf:4: link one inertial: has no mass"),
    "no value of a mass": (changed(('value="2"', "")), "link one mass: has no value"),
    "a negative mass": (changed(('value="2"', 'value="-2"')), "got the mass -2 kg"),
    "an inertia without a mass": (changed(('value="2"', 'value="0"')), "has an inertia, but no mass"),
    "half an inertia": (changed((' iyy="0.25"', "")), "link one inertia: has no iyy"),
    "a negative inertia": (changed((INERTIA, 'ixx="-0.3" iyy="0.25" izz="0.2"')), "one of them negative"),
    "an inertia of no body": (
        changed((INERTIA, 'ixx="3" iyy="0.25" izz="0.2"')),
        "exceeds the sum of the others",
    ),
    "an axis of length 0": (changed(("1 2 2", "0 0 0")), "joint a axis: got a vector of length 0"),
    "an empty range": (
        changed(('lower="0.5"', 'lower="1.6"')),
        "joint b limit: got lower = 1.6 and upper = 1.5",
    ),
    "negative friction": (changed(('friction="2"', 'friction="-2"')), "got friction = -2"),
    "a floating joint": (changed(("continuous", "floating")), "joint a: is floating, which is in the chain"),
    "a planar joint": (changed(("continuous", "planar")), "joint a: is planar, which is in the chain"),
    "an unknown type": (changed(("continuous", "continous")), "did you mean 'continuous'"),
    "a mimic joint": (
        changed(('<axis xyz="0 0 3"/>', '<axis xyz="0 0 3"/><mimic joint="a"/>')),
        "joint c mimic: follows joint a (mimic), which is in the chain to the tip (--tip names another link",
    ),
    "no parent": (changed(('<parent link="ring"/>', "")), "joint c: has no parent link"),
    "an unknown link": (changed(('<parent link="ring"/>', '<parent link="rings"/>')), "did you mean 'ring'"),
    "a link twice": (
        changed(('<link name="ring"/>', '<link name="ring"/><link name="two"/>')),
        "got the name 'two' twice",
    ),
    "a joint without a name": (changed(('name="c"', "")), "joint: has no name"),
    "a closed loop": (
        changed(
            (
                "</robot>",
                '<joint name="d" type="fixed"><parent link="one"/><child link="tool"/></joint></robot>',
            )
        ),
        "joint d: ends at link tool, as joint hold does: a closed loop",
    ),
    "a circle": (
        changed(('<parent link="one"/>', '<parent link="tool"/>')),
        "hangs on itself",
    ),
    "only a circle": (
        changed(('<parent link="world"/>', '<parent link="tool"/>'), ('<link name="world"/>', "")),
        "hangs on itself",
    ),
    "several roots": (
        changed(('<link name="ring"/>', '<link name="ring"/><link name="other"/>')),
        "got 2 links without",
    ),
    "nothing that moves": (
        "<robot><link name='a'/><link name='b'/>"
        "<joint name='j' type='fixed'><parent link='a'/><child link='b'/></joint></robot>",
        "no joint between it and the root a moves",
    ),
    "a last link without mass": (
        "<robot><link name='a'/><link name='b'/>\n"
        "<joint name='j' type='continuous'><parent link='a'/><child link='b'/></joint></robot>",
        "robot.urdf:1: link b: neither it nor what it carries has mass, so that joint j moves nothing",
    ),
    "very deep": ("<robot>" + "<link>" * 100_000, "not valid XML"),
    "very large": ("<robot>" + " " * 17_000_000 + "</robot>", "more than 16 MB"),
}


@pytest.mark.parametrize(("text", "words"), WRONG.values(), ids=WRONG)
def test_what_is_wrong_is_said_in_one_line(flexarm, folder, text, words):
    (folder / "robot.urdf").write_text(text)
    done = flexarm("import", "robot.urdf", "-o", "arm.yaml")
    assert done.exit_code == 2
    assert words in done.stderr
    assert done.stderr.count("\n") == 1, done.stderr
    assert done.stderr.startswith("flexarm: error: robot.urdf")
    assert not (folder / "arm.yaml").exists()


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--EI", "x"], "expected a number [N m^2], or two"),
        (["--EI", "100"], "of which there is none (--flexible names one)"),
        (["--flexible", "three"], "needs either EI, or material and section (--EI, --material, --section)"),
        (["-o", "arm.txt"], "arm.txt"),
        (["--tip", "tol"], "did you mean 'tool'"),
        (["--flexible", "one", "--material", "{E: 1", "--section", "{}"], "not valid YAML"),
    ],
)
def test_what_is_wrong_with_an_option_is_said_in_one_line(flexarm, folder, options, words):
    (folder / "robot.urdf").write_text(SKEW)
    done = flexarm("import", "robot.urdf", "-o", "arm.yaml", *options)
    assert done.exit_code in (2, 4)
    assert words in done.stderr
    assert done.stderr.count("\n") == 1
    assert sorted(path.name for path in folder.iterdir()) == ["robot.urdf", "small.yaml"]


def test_no_such_file(flexarm, folder):
    done = flexarm("import", "robot.urdf")
    assert (done.exit_code, done.stderr) == (2, "flexarm: error: robot.urdf: no such file\n")


def test_without_the_package_it_says_what_to_install(flexarm, folder, monkeypatch):
    monkeypatch.setitem(sys.modules, "yourdfpy", None)
    done = flexarm("import", SLIDE_ARM)
    assert done.exit_code == 4
    assert done.stderr == (
        "flexarm: error: URDF files are read by yourdfpy, which is not installed (pip install 'flexarm[urdf]')\n"
    )
