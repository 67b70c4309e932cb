"""`flexarm new`: every kind of starter arm runs at once, and says what else could stand there."""

import re

import pytest
from breadth import thinned

from flexarm import check_arm, load_arm, open_result, parse_arm
from flexarm.description.reading.starter import Starter, starter_text

KINDS = [[], ["--spatial"], ["--floating"], ["--spatial", "--floating"]]
COUNTS = [1, pytest.param(2, marks=pytest.mark.slow), pytest.param(6, marks=pytest.mark.slow)]


@pytest.mark.parametrize("kind", thinned(KINDS), ids=lambda kind: "".join(kind) or "plain")
@pytest.mark.parametrize("links", COUNTS)
def test_it_runs_at_once_without_warnings(flexarm, kind, links):
    assert flexarm("new", "arm", "--links", links, *kind).stdout == "arm.yaml\n"
    for command in ("check", "simulate"):
        done = flexarm(command, "arm.yaml")
        assert (done.exit_code, done.stderr) == (0, "")
    assert open_result("outputs/arm.h5").status == "complete"


@pytest.mark.slow
@pytest.mark.parametrize(
    "kind", [KINDS[0], *(pytest.param(kind, marks=pytest.mark.slow) for kind in KINDS[1:])]
)
def test_its_pictures_are_drawn(flexarm, folder, kind):
    flexarm("new", "arm", "--links", 1, *kind)
    done = flexarm("simulate", "arm.yaml", "--plots")
    assert (done.exit_code, done.stderr) == (0, "")
    assert len(list((folder / "outputs" / "arm").glob("*.png"))) > 3


@pytest.mark.parametrize("spatial", [False, True])
@pytest.mark.parametrize("floating", [False, True])
@pytest.mark.parametrize("links", [2, pytest.param(6, marks=pytest.mark.slow)])
def test_nothing_looks_wrong_in_any_of_them(spatial, floating, links):
    text = starter_text(Starter("arm", links, spatial, floating))
    arm = parse_arm(text)
    assert check_arm(arm).warnings == ()
    assert arm.base == ("fixed" if not floating else "free" if spatial else "planar")
    assert sum(link.n_modes > 0 for link in arm.links) == links
    assert (arm.contact is not None) == (floating and not spatial)
    assert max(map(len, text.splitlines())) <= 120


def test_its_modes_are_enough_for_its_slowest_vibration():
    """One mode of a driven link gives 129 Hz with the joint free; four give 89 Hz, and so do the two of the starter."""
    text = starter_text(Starter("arm", 1))
    lowest = [
        check_arm(parse_arm(text.replace("count: 2", f"count: {count}"))).free.frequencies[0]
        for count in (1, 2, 4)
    ]
    assert lowest[0] == pytest.approx(128.8, abs=0.1)
    assert lowest[2] == pytest.approx(89.0, abs=0.1)
    assert lowest[1] == pytest.approx(lowest[2], rel=0.01)


def test_its_comment_says_what_a_pd_drive_does():
    text = starter_text(Starter("arm", 1))
    assert "kp (r - q) + kd (r_d - q_d)" in text
    assert "count: 2" in text


@pytest.mark.parametrize("spatial", [False, True])
def test_what_stands_in_comments_can_be_used(spatial):
    """The stiffness instead of the material, the load, and the walls."""
    text = starter_text(Starter("arm", 1, spatial))
    numbers = re.sub(r"^    (?:material|section): .*\n", "", text, flags=re.MULTILINE)
    numbers = re.sub(r"^    #   (mu|EI|GJ)", r"    \1", numbers, flags=re.MULTILINE)
    material, own = (parse_arm(each).links[0] for each in (text, numbers))
    assert own.mu.values == pytest.approx(material.mu.values, rel=2e-3)
    assert own.EI.y.values == pytest.approx(material.EI.y.values, rel=2e-3)
    assert own.GJ.values == pytest.approx(material.GJ.values, rel=2e-3)
    walls = re.sub(r"^# (contact|loads|  )", r"\1", text, flags=re.MULTILINE)
    head, _, rest = walls.partition("\nname:")
    arm = parse_arm(f"{text[: len(head)]}\nname:{rest}")
    assert len(arm.contact.walls) == 1
    assert [load.stretch for load in arm.loads] == [None, (0.0, 1.0)]


def test_the_name_and_the_file(flexarm, folder):
    done = flexarm("new", "crane-2", "-o", "arms/big.yaml", "-q")
    assert (done.exit_code, done.stdout) == (0, "")
    assert load_arm("arms/big.yaml").name == "crane-2"
    assert "flexarm check arms/big.yaml" in (folder / "arms" / "big.yaml").read_text()


@pytest.mark.parametrize("name", ["123", "1.5", "true", "null", "1e3", "no", "0x1f", "2026-11-28"])
def test_names_that_yaml_would_read_otherwise(name):
    assert parse_arm(starter_text(Starter(name, 1))).name == name


def test_an_existing_file_is_kept(flexarm, folder):
    (folder / "mine.yaml").write_text("mine")
    done = flexarm("new", "mine")
    assert done.exit_code == 4
    assert "exists already" in done.stderr
    assert (folder / "mine.yaml").read_text() == "mine"
    assert flexarm("new", "mine", "--overwrite").exit_code == 0
    assert load_arm("mine.yaml").name == "mine"


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["my arm"], "NAME: got 'my arm', expected"),
        (["a/b"], "NAME: got 'a/b'"),
        ([""], "NAME: got ''"),
        (["-x"], "No such option"),
        (["a: b"], "NAME: got 'a: b'"),
        (["x" * 101], "at most 100 letters"),
        (["arm.yaml"], "leave out the ending"),
        (["arm", "--links", "0"], "--links"),
        (["arm", "--links", "7"], "--links"),
    ],
)
def test_bad_input_writes_nothing(flexarm, folder, arguments, complaint):
    done = flexarm("new", *arguments)
    assert (done.exit_code, done.stderr.count("\n")) == (2, 1)
    assert complaint in done.stderr
    assert [path.name for path in folder.iterdir()] == ["small.yaml"]
