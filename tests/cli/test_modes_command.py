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
    assert "small: natural modes about the equilibrium, joints free" in done.stdout
    for frequency in result.natural_frequency:
        assert f"{frequency:.5g} Hz" in done.stdout
    assert {path.name for path in (folder / "outputs/small-modes").iterdir()} == {"natural-modes.png"}
    np.testing.assert_allclose(result.rest_point[0, 0], 0, atol=1e-15)
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
    assert "warning: dry friction counts as viscous" in done.stderr


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--joints", "pd"], "no joint has a PD drive"),
        (["--at", "1, 2"], "joint angles: got 2, expected 1"),
        (["--joints", "welded"], "'welded' is not one of 'free', 'locked', 'pd'"),
    ],
)
def test_bad_input_is_one_line(flexarm, folder, options, message):
    done = flexarm("modes", "small.yaml", *options)
    assert (done.exit_code, done.stderr.count("\n")) == (2, 1)
    assert message in done.stderr
    assert not list(folder.rglob("*.h5"))
