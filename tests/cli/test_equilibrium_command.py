"""`flexarm equilibrium`, and what it wrote reopened."""

import numpy as np
import pytest

from flexarm import open_result


def test_equilibrium_under_the_own_drives(flexarm, folder):
    done = flexarm("equilibrium", "small.yaml", "--plots")
    assert (done.exit_code, done.stderr) == (0, "")
    result = open_result("outputs/small-equilibrium.h5")
    assert (result.kind, result.attributes["stability"], result.attributes["held"]) == (
        "equilibrium",
        "stable",
        0,
    )
    assert result.attributes["relative_residual"] < 1e-10
    np.testing.assert_allclose(result.joint_angle, [[-np.pi / 2]], atol=1e-9)
    assert "stable: slowest natural frequency" in done.stdout
    assert "-90 deg" in done.stdout
    assert {path.name for path in (folder / "outputs/small-equilibrium").iterdir()} == {
        "equilibrium.png",
        "loads.png",
    }


def test_the_arm_is_held(flexarm):
    """Torque mu g l^2 / 2 cos(q), but for the weight's lever, which the deflection shortens by its square."""
    done = flexarm("equilibrium", "small.yaml", "--hold", "30 deg", "-o", "held.h5")
    assert done.exit_code == 0
    result = open_result("held.h5")
    np.testing.assert_allclose(result.torque, [[9.81 / 2 * np.cos(np.radians(30))]], rtol=0.02)
    assert result.tip_deflection[0, 1] < 0
    assert f"{result.torque[0, 0]:.6g} N m" in done.stdout
    assert "joints held by constant torques" in done.stdout


@pytest.mark.slow
def test_xarray_opens_the_result(flexarm):
    xarray = pytest.importorskip("xarray")
    pytest.importorskip("h5netcdf")
    assert flexarm("equilibrium", "small.yaml", "-q").exit_code == 0
    with xarray.open_dataset("outputs/small-equilibrium.h5", engine="h5netcdf") as data:
        assert data.tip_deflection.dims == ("time", "axis")
        assert data.attrs["kind"] == "equilibrium"


def test_no_equilibrium_is_one_line(flexarm, folder):
    text = (folder / "small.yaml").read_text()
    (folder / "small.yaml").write_text(text + "drive: [{torque: 100}]\n")
    done = flexarm("equilibrium", "small.yaml")
    assert (done.exit_code, done.stderr.count("\n")) == (2, 1)
    assert "no static equilibrium found" in done.stderr
    assert not list(folder.rglob("*.h5"))
