"""Commands on arms whose joints have limits: check, simulate, plot, report, sweep, animate; what they say and write."""

from pathlib import Path

import h5py
import numpy as np
import pytest

from flexarm import load_arm, open_result, open_sweep, simulate
from flexarm.plots.histories.joints import joints

LID = """\
name: lid
links: [{length: 0.5, mu: 2.0}]
joints: [{limits: {range: [-30 deg, .inf], restitution: 0.4}}]
initial: {joints: [60 deg]}
run: {duration: 1.0, sample: 0.01}
"""


@pytest.fixture
def lid(folder):
    (folder / "lid.yaml").write_text(LID)
    return "lid.yaml"


def test_check_names_the_limits(flexarm, lid):
    text = flexarm("check", lid).stdout
    assert "limits" in text
    assert "at least -0.523599 rad, restitution 0.4" in text
    assert "limits" not in flexarm("check", "small.yaml").stdout


def test_the_result_and_the_summary(flexarm, lid):
    run = flexarm("simulate", lid)
    result = open_result("outputs/lid.h5")
    assert (result.kind, result.status) == ("forward", "complete")
    number, first, last = result.limit_impact_number[-1], *result.limit_impact_time[[0, -1]]
    assert f"{number} impacts, the first at {first:.6f} s, the last at {last:.6f} s" in run.stdout
    assert "at rest on a limit at the end: joint 1 (2.124 N m)" in run.stdout
    with h5py.File("outputs/lid.h5") as file:
        assert file["limit_torque"].attrs["units"] == "N m"
        assert file["limit_impact_impulse"].attrs["units"] == "N m s"
        assert file["limit_impact_time"].dims[0][0].name == "/limit_impact"
    before, after = result.limit_impact_velocity_before[0], result.limit_impact_velocity_after[0]
    impulse = result.limit_impact_impulse[0]
    verbose = flexarm("simulate", "-v", "--overwrite", lid).stdout
    assert f"joint 1, lower limit: {before:.4g} to {after:.4g} rad/s, impulse {impulse:.4g} N m s" in verbose


@pytest.mark.slow
def test_pictures_and_the_report(flexarm, lid):
    flexarm("simulate", lid)
    result = open_result("outputs/lid.h5")
    axes = joints(result).axes[0]
    (limit,) = [line for line in axes.lines if line.get_gid() == "limit"]
    np.testing.assert_allclose(limit.get_ydata(), -30.0)
    assert axes.get_title(loc="left") == "joint 1, limits at least \N{MINUS SIGN}30 deg"
    assert any(artist.get_gid() == "impacts" for artist in axes.collections)
    assert flexarm("report", "outputs/lid.h5", "-o", "lid.html").exit_code == 0
    page = Path("lid.html").read_text()
    assert "lower limit" in page
    assert "joint 1" in page
    assert flexarm("plot", "outputs/lid.h5", "-o", "pictures").exit_code == 0


@pytest.mark.slow
def test_sweeps_over_limits(flexarm, lid):
    keys = (
        "--vary",
        "joints[0].limits.range[0]=-60 deg:-30 deg:4",
        "--vary",
        "joints[0].limits.restitution=0,1",
    )
    records = ("--record", "first_impact", "--record", "energy_lost")
    assert flexarm("sweep", lid, *keys, *records, "-o", "sweep.h5").exit_code == 0
    found = open_sweep("sweep.h5")
    arm = load_arm("lid.yaml")
    last = simulate(arm.replace("joints[0].limits.restitution", 0))
    np.testing.assert_allclose(found["first_impact"][-1], last.limit_impact_time[0], rtol=1e-12)
    assert np.all(np.diff(found["first_impact"][:, 0]) < 0)
    np.testing.assert_allclose(
        found["energy_lost"][-1, 0], last.energy_total[0] - last.energy_total[-1], rtol=1e-9
    )
    assert np.abs(found["energy_lost"][:, 1]).max() < 1e-6


@pytest.mark.slow
def test_a_short_form_is_swept_too(flexarm, folder):
    (folder / "short.yaml").write_text(
        LID.replace("{range: [-30 deg, .inf], restitution: 0.4}", "[-30 deg, 2]")
    )
    run = flexarm("sweep", "short.yaml", "--vary", "joints[0].limits[0]=-30 deg,-20 deg", "-o", "sweep.h5")
    assert run.exit_code == 0
    wrong = flexarm("sweep", "short.yaml", "--vary", "joints[0].limits[0]=3,-0.2", "-o", "other.h5")
    assert wrong.exit_code == 2
    assert "the lower limit first" in wrong.stderr


def test_a_posture_on_a_limit_gets_a_warning(flexarm, lid):
    run = flexarm("modes", lid, "--at", "-30 deg")
    assert run.exit_code == 0
    assert "joint 1 is on a limit: its stop is left out" in run.stderr
    beyond = flexarm("modes", lid, "--at", "-31 deg", "--overwrite")
    assert beyond.exit_code == 2
    assert "beyond its limits, at least -0.523599 rad" in beyond.stderr
