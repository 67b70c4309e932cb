"""`flexarm simulate` with arms that float and strike walls, and what it wrote reopened."""

import h5py
import numpy as np
import pytest

from flexarm import open_result

BALL = """\
name: ball
base: planar
links: [{length: 0.4, mu: 1.0}]
initial: {base: [0, 0.2]}
contact:
  restitution: 0.5
  walls: [{point: [0, 0], normal: [0, 1]}]
  points: all
run: {duration: 0.5, sample: 0.01}
"""


@pytest.fixture
def ball(folder):
    def write(*changes):
        text = BALL
        for old, new in changes:
            assert old in text
            text = text.replace(old, new)
        (folder / "ball.yaml").write_text(text)
        return "ball.yaml"

    return write


def test_result_holds_the_impacts(flexarm, ball):
    assert flexarm("simulate", ball()).exit_code == 0
    result = open_result("outputs/ball.h5")
    assert (result.kind, result.status) == ("flight", "complete")
    assert result.impact_time[0] == pytest.approx(np.sqrt(0.4 / 9.81), abs=1e-9)
    np.testing.assert_array_equal(result.impact_point[:2], [1, 2])
    np.testing.assert_array_equal(result.impact_number[:4], [1, 1, 2, 2])
    np.testing.assert_allclose(result.impact_velocity_after[0], -0.5 * result.impact_velocity_before[0])
    with h5py.File("outputs/ball.h5") as file:
        for name in ("impact_time", "impact_impulse", "impact_energy_lost", "contact_force", "momentum"):
            assert file[name].attrs["units"]
            assert file[name].attrs["long_name"]
        assert file["impact_time"].dims[0][0].name == "/impact"


def test_result_opens_in_xarray(flexarm, ball):
    xarray = pytest.importorskip("xarray")
    flexarm("simulate", ball())
    with xarray.open_dataset("outputs/ball.h5", engine="h5netcdf") as data:
        assert data["impact_time"].dims == ("impact",)
        assert data["contact_force"].dims == ("time", "contact_point", "wall")


def test_summary_counts_and_verbose_lists_the_impacts(flexarm, ball):
    text = flexarm("simulate", ball()).stdout
    result = open_result("outputs/ball.h5")
    touched = np.sum(result.impact_point == 2)
    assert f"{result.impact_number[-1]} impacts, the first at 0.201928 s" in text
    assert "O1, wall 1" not in text
    text = flexarm("simulate", "ball.yaml", "-v", "--overwrite").stdout
    assert "impact 1 at t = 0.201928 s" in text
    assert text.count("O2, wall 1") == touched
    assert "impulse 0.5943 N s" in text


def test_contacts_at_the_end_are_named(flexarm, ball):
    text = flexarm("simulate", ball(("duration: 0.5", "duration: 2"))).stdout
    assert "at rest on a wall at the end: O1, O2" in text


@pytest.mark.slow
def test_pictures_of_a_flight(flexarm, folder, ball):
    done = flexarm("simulate", ball(), "--plots")
    assert done.exit_code == 0, done.stderr
    names = {path.stem for path in (folder / "outputs" / "ball").iterdir()}
    assert {"stroboscope", "base", "momentum", "energy", "joints"} <= names


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (("restitution: 0.5", "restitution: 1.5"), ["ball.yaml:6", "contact.restitution", "a number <= 1"]),
        (("[0, 1]", "[0, 0]"), ["ball.yaml:7", "contact.walls[0].normal"]),
        (("points: all", "points: [O9]"), ["ball.yaml:8", "contact.points[0]", "'O9'", "O1, O2"]),
        (("base: planar", "base: fixed\njoints: [{type: fixed}]"), ["initial.base"]),
    ],
)
def test_bad_input_ends_with_code_2_and_names_the_key(flexarm, folder, ball, change, words):
    done = flexarm("simulate", ball(change))
    assert done.exit_code == 2
    assert all(word in done.stderr for word in words), done.stderr
    assert not (folder / "outputs").exists()


def test_contact_where_nothing_can_move(flexarm, ball):
    text = ball(("base: planar\n", "joints: [{type: fixed}]\n"), ("{base: [0, 0.2]}", "{}"))
    done = flexarm("simulate", text)
    assert done.exit_code == 2
    assert "contact.points" in done.stderr
    assert "no point of this arm can move" in done.stderr


@pytest.mark.parametrize(
    ("wall", "depth"),
    [
        ("{point: [0, 0.3], normal: [0, 1]}", "0.1 m inside wall 1"),
        ("{circle: {center: [0, 0], radius: 0.3, side: inside}}", "0.147214 m inside wall 1"),
        ("{circle: {center: [0, 0], radius: 0.5, side: outside}}", "0.3 m inside wall 1"),
    ],
)
def test_a_start_inside_a_wall_is_refused_with_its_depth(flexarm, ball, wall, depth):
    for command in ("simulate", "check"):
        done = flexarm(command, ball(("{point: [0, 0], normal: [0, 1]}", wall)))
        assert done.exit_code == 2
        assert depth in done.stderr


@pytest.mark.slow
def test_another_method_may_be_chosen(flexarm, ball):
    assert flexarm("simulate", ball(), "--method", "radau").exit_code == 0
    assert open_result("outputs/ball.h5").attributes["method"] == "radau"


def test_a_failing_flight_keeps_what_it_has(flexarm, ball):
    done = flexarm("simulate", ball(("sample: 0.01", "sample: 0.01, max_steps: 3")))
    assert done.exit_code == 3
    assert "limit of 3 steps" in done.stderr
    assert open_result("outputs/ball.h5").status == "incomplete"
