"""`flexarm modes`, and what it wrote reopened."""

import numpy as np
import pytest

from flexarm import open_result

RIGID = "name: bar\ngravity: [0, 0, 0]\nlinks: [{length: 1, mu: 1}]\n"


def test_table_result_and_picture(flexarm, folder):
    done = flexarm("modes", "small.yaml", "--at", "equilibrium", "--plots")
    assert (done.exit_code, done.stderr) == (0, "")
    result = open_result("outputs/small-modes.h5")
    assert (result.kind, result.attributes["joints"], result.attributes["stability"]) == (
        "modes",
        "free",
        "stable",
    )
    assert "small: natural modes about the equilibrium; joint 1 free\n" in done.stdout
    for frequency in result.natural_frequency:
        assert f"{frequency:.5g} Hz" in done.stdout
    assert {path.name for path in (folder / "outputs/small-modes").iterdir()} == {"natural-modes.png"}
    np.testing.assert_allclose(result.rest_point[0, 0], 0, atol=1e-14)
    assert result.shape("shape_point") == (2, 1, 21, 3)
    again = flexarm("plot", "outputs/small-modes.h5", "-o", "again")
    assert again.stdout == "again/natural-modes.png\n"


def test_xarray_opens_the_result(flexarm):
    xarray = pytest.importorskip("xarray")
    pytest.importorskip("h5netcdf")
    assert flexarm("modes", "small.yaml", "-q").exit_code == 0
    with xarray.open_dataset("outputs/small-modes.h5", engine="h5netcdf") as data:
        assert data.natural_frequency.dims == ("natural_mode",)
        assert data.shape_joint_angle.sel(part="real").dims == ("natural_mode", "joint")
        assert data.natural_frequency.units == "Hz"
        assert float(data.shape_station[-1]) == 1.0


def test_posture_and_locked_joints(flexarm):
    done = flexarm("modes", "small.yaml", "--at", "-90 deg", "--joints", "locked", "-o", "hanging.h5")
    assert done.exit_code == 0
    result = open_result("hanging.h5")
    np.testing.assert_allclose(result.joint_angle, [[-np.pi / 2]])
    assert len(result.natural_frequency) == 1
    assert flexarm("modes", "small.yaml", "-o", "hanging.h5").exit_code == 4


def test_a_held_joint_is_named(flexarm):
    done = flexarm("modes", "small.yaml", "--hold", "1")
    assert "small: natural modes about the initial posture; joint 1 held\n" in done.stdout
    result = open_result("outputs/small-modes.h5")
    assert (result.attributes["held_joints"], len(result.natural_frequency)) == ("1", 1)


def test_rigid_motions_and_unstable_modes_are_named(flexarm, folder):
    (folder / "bar.yaml").write_text(RIGID)
    done = flexarm("modes", "bar.yaml", "--plots")
    assert (done.exit_code, done.stderr) == (0, "")
    assert "1 rigid-body motion, 0 Hz: q_1" in done.stdout
    assert not (folder / "outputs/bar-modes").exists()
    (folder / "bar.yaml").write_text(RIGID.replace("gravity: [0, 0, 0]\n", ""))
    done = flexarm("modes", "bar.yaml", "--at", "90 deg", "--overwrite")
    assert f"unstable, grows with {np.sqrt(1.5 * 9.81):.4g}/s" in done.stdout


def test_what_is_left_out_is_reported(flexarm, folder):
    (folder / "bar.yaml").write_text(RIGID + "joints: [{friction: {coulomb: 0.1}}]\n")
    done = flexarm("modes", "bar.yaml")
    assert "warning: dry friction is linearised as viscous" in done.stderr


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--joints", "pd"], "no joint has a PD drive"),
        (["--at", "1, 2"], "joint angles: got 2, expected 1"),
        (["--hold", "2"], "joint 2 is none of the arm's (joints that can be held: 1)"),
        (["--hold", "30 deg"], "got '30 deg', expected numbers of joints such as 1,3; --at takes a posture"),
        (["--hold", "1", "--joints", "locked"], "leave out --joints or --hold"),
        (["--joints", "welded"], "'welded' is not one of 'free', 'locked', 'pd'"),
    ],
)
def test_bad_input_is_one_line(flexarm, folder, options, message):
    done = flexarm("modes", "small.yaml", *options)
    assert (done.exit_code, done.stderr.count("\n")) == (2, 1)
    assert message in done.stderr
    assert not list(folder.rglob("*.h5"))


BLADE = """\
name: blade
gravity: [0, 0, 0]
links: [{length: 1, mu: 1, EI: 1, modes: {family: clamped-free, count: 2}}]
"""


@pytest.mark.slow
def test_campbell_diagram(flexarm, folder):
    (folder / "blade.yaml").write_text(BLADE)
    done = flexarm("modes", "blade.yaml", "--spin", "0:8:5 rad/s", "--plots")
    assert (done.exit_code, done.stderr) == (0, "")
    result = open_result("outputs/blade-modes.h5")
    np.testing.assert_allclose(result.campbell_rate, [0, 2, 4, 6, 8])
    assert result.shape("campbell_pole") == (5, 2, 2)
    assert "joint 1 turning steadily at 0 to 8 rad/s\n" in done.stdout
    for frequency in result.campbell_pole[..., 1].ravel() / (2 * np.pi):
        assert f"{frequency:.5g}" in done.stdout
    assert "1 x the rate meets a frequency near 3.8" in done.stdout
    assert "2 x the rate meets a frequency near 1.8" in done.stdout
    pictures = {path.name for path in (folder / "outputs/blade-modes").iterdir()}
    assert pictures == {"natural-modes.png", "campbell.png"}
    report = flexarm("report", "outputs/blade-modes.h5", "-o", "blade.html")
    assert report.exit_code == 0
    assert "5 rates, 0 to 8 rad/s; no motion grows" in (folder / "blade.html").read_text()


def test_one_rate_lists_modes_and_stiffening_left_out_is_reported(flexarm, folder):
    (folder / "blade.yaml").write_text(f"geometric_stiffening: false\n{BLADE}")
    done = flexarm("modes", "blade.yaml", "--spin", "4 rad/s")
    assert done.exit_code == 0
    assert "about the initial posture, joint 1 turning steadily at 4 rad/s" in done.stdout
    assert f"unstable, grows with {np.sqrt(16 - 3.5160153**2):.4g}/s" in done.stdout
    assert done.stderr.count("\n") == 1
    assert "warning: geometric_stiffening: false leaves out" in done.stderr
    assert "campbell_rate" not in open_result("outputs/blade-modes.h5")


def test_unstable_rates_are_named(flexarm, folder):
    (folder / "blade.yaml").write_text(f"geometric_stiffening: false\n{BLADE}")
    done = flexarm("modes", "blade.yaml", "--spin", "0:6:7", "--count", "1")
    assert "unstable from 4 to 6 rad/s: delta_1_1 grows with up to 4.862/s" in done.stdout
    assert "1 more mode up to" in done.stdout


def test_an_arm_that_turns_is_told_that_its_modes_are_those_at_standstill(flexarm, folder):
    (folder / "blade.yaml").write_text(BLADE + "drive: [{motion: '6*t'}]\n")
    done = flexarm("modes", "blade.yaml")
    assert "these are the modes at standstill" in done.stdout
    assert '--spin "6 rad/s"' in done.stdout
    done = flexarm("modes", "blade.yaml", "--spin", "6 rad/s", "--overwrite")
    assert (done.exit_code, "standstill" in done.stdout) == (0, False)


@pytest.mark.parametrize("command", ["modes", "linearize"])
@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--spin", "6 rpm"], "got '6 rpm' as rates of a steady rotation (--spin takes"),
        (["--spin", "0:40"], "START:STOP:COUNT"),
        (["--spin", ""], "--spin takes"),
        (["--spin", "6"], "gravity (0, -9.81, 0) is not along that axis"),
        (["--spin", "6", "--joint", "2"], "got joint 2 as the one that turns, expected 1"),
        (["--spin", "6", "--joint", "0"], "0 is not in the range"),
        (["--joint", "1"], "--spin says how fast it turns"),
    ],
)
def test_bad_rotations_are_one_line(flexarm, folder, command, options, message):
    done = flexarm(command, "small.yaml", *options)
    assert (done.exit_code, done.stderr.count("\n"), done.stdout) == (2, 1, "")
    assert message in done.stderr
    assert not list(folder.rglob("*.h5")) + list(folder.rglob("*.npz"))
