"""`flexarm simulate`, and what it wrote reopened."""

import signal
import subprocess
import sys

import h5py
import numpy as np
import pytest

from flexarm import open_result

FLEXARM = [sys.executable, "-c", "from flexarm.cli.main import main; main()"]


def replace(folder, old, new, name="small.yaml"):
    """Change the text of a description."""
    path = folder / name
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


def test_result_is_written_where_it_belongs(flexarm, folder):
    done = flexarm("simulate", "small.yaml")
    assert (done.exit_code, done.stderr) == (0, "")
    assert "outputs/small.h5" in done.stdout
    assert sorted(path.name for path in (folder / "outputs").iterdir()) == ["small.h5"]
    result = open_result("outputs/small.h5")
    assert (result.kind, result.status, result.arm.name) == ("forward", "complete", "small")
    np.testing.assert_allclose(result.time, np.linspace(0, 0.2, 21), rtol=1e-12)
    assert result.joint_angle[0, 0] == pytest.approx(np.radians(20))
    assert result.joint_angle[-1, 0] < result.joint_angle[0, 0]


def test_summary_reports_the_numbers_of_the_file(flexarm):
    text = flexarm("simulate", "small.yaml").stdout
    result = open_result("outputs/small.h5")
    assert f"{result.attributes['steps']} steps" in text.replace(",", "")
    for coordinate in result.point_position[-1, -1, :2]:
        assert f"{coordinate:.4f}" in text
    assert "energy" in text


def test_pictures_come_along(flexarm, folder):
    done = flexarm("simulate", "small.yaml", "--plots", "-o", "study/first.h5")
    assert done.exit_code == 0, done.stderr
    pictures = list((folder / "study" / "first").iterdir())
    assert "study/first" in done.stdout
    assert len(pictures) >= 5
    assert all(path.read_bytes().startswith(b"\x89PNG") for path in pictures)


def test_ctrl_c_while_pictures_are_drawn_leaves_the_result(flexarm, folder, monkeypatch):
    def interrupt(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr("flexarm.plots.drawing.saving.save_figure", interrupt)
    done = flexarm("simulate", "small.yaml", "--plots")
    assert done.exit_code == 3
    assert done.stderr.startswith("flexarm: error: interrupted while drawing; what was computed is whole")
    assert open_result(folder / "outputs" / "small.h5").status == "complete"


def test_an_existing_result_is_kept(flexarm, folder):
    flexarm("simulate", "small.yaml")
    before = (folder / "outputs" / "small.h5").read_bytes()
    refused = flexarm("simulate", "small.yaml")
    assert refused.exit_code == 4
    assert "outputs/small.h5 exists" in refused.stderr
    assert "--overwrite" in refused.stderr
    assert (folder / "outputs" / "small.h5").read_bytes() == before
    assert flexarm("simulate", "small.yaml", "--overwrite").exit_code == 0


@pytest.mark.slow
def test_method_and_formulation_of_the_command_line_win(flexarm):
    assert flexarm("simulate", "small.yaml").exit_code == 0
    options = ("--method", "radau", "--formulation", "gibbs-appell", "-o", "other.h5")
    assert flexarm("simulate", "small.yaml", *options).exit_code == 0
    usual, other = open_result("outputs/small.h5"), open_result("other.h5")
    assert (usual.attributes["method"], usual.attributes["formulation"]) == ("dop853", "articulated")
    assert (other.attributes["method"], other.attributes["formulation"]) == ("radau", "gibbs-appell")
    np.testing.assert_allclose(other.joint_angle, usual.joint_angle, atol=1e-6)


def test_verbosely_it_is_said_which_method_took_which_steps(flexarm, folder):
    replace(folder, "EI: 50.0\n", "EI: 50.0\n    damping: {retardation: 0.1}\n")
    replace(folder, "duration: 0.2", "duration: 1, rtol: 1e-6, method: auto")
    quiet, verbose = flexarm("simulate", "small.yaml"), flexarm("simulate", "small.yaml", "-v", "--overwrite")
    methods = open_result("outputs/small.h5").attributes["methods"]
    assert methods.startswith("dop853 until ")
    assert methods in verbose.stdout
    assert methods not in quiet.stdout


@pytest.mark.parametrize(("option", "name"), [("--method", "dop583"), ("--formulation", "gibs-appell")])
def test_unknown_method_or_formulation_suggests_the_nearest(flexarm, folder, option, name):
    done = flexarm("simulate", "small.yaml", option, name)
    assert done.exit_code == 2
    assert option in done.stderr
    assert name in done.stderr
    assert {"dop583": "dop853", "gibs-appell": "gibbs-appell"}[name] in done.stderr
    assert not (folder / "outputs").exists()


def test_a_former_method_is_refused_with_what_to_write(flexarm):
    done = flexarm("simulate", "small.yaml", "--method", "lsoda")
    assert done.exit_code == 2
    assert "no method any more; write radau" in done.stderr


def test_a_typo_is_reported_with_its_line_and_the_nearest_key(flexarm, folder):
    replace(folder, "mu: 1.0", "mue: 1.0")
    replace(folder, "count: 1", "count: -1")
    done = flexarm("simulate", "small.yaml")
    assert done.exit_code == 2
    lines = done.stderr.splitlines()
    assert all(line.startswith("flexarm: error: small.yaml:") for line in lines)
    assert any("small.yaml:4:" in line and "'mu'" in line for line in lines)
    assert any("small.yaml:6:" in line and "count" in line for line in lines)
    assert not (folder / "outputs").exists()


@pytest.mark.parametrize("name", ["missing.yaml", "."])
def test_a_description_that_cannot_be_read(flexarm, folder, name):
    done = flexarm("simulate", name)
    assert done.exit_code in (2, 4)
    assert done.stderr.startswith("flexarm: error: ")
    assert done.stderr.count("\n") == 1
    assert not (folder / "outputs").exists()


def test_a_folder_that_cannot_be_written(flexarm, folder):
    (folder / "file").write_text("in the way")
    done = flexarm("simulate", "small.yaml", "-o", "file/small.h5")
    assert done.exit_code == 4
    assert "file/small.h5" in done.stderr
    assert done.stderr.count("\n") == 1


def test_quiet_writes_nothing_and_verbose_more(flexarm):
    usual = flexarm("simulate", "small.yaml").stdout
    assert flexarm("simulate", "small.yaml", "--overwrite", "-q").output == ""
    more = flexarm("simulate", "small.yaml", "--overwrite", "-v").stdout
    assert more.count("\n") > usual.count("\n")


@pytest.mark.parametrize("number", [signal.SIGINT, pytest.param(signal.SIGTERM, marks=pytest.mark.slow)])
def test_ctrl_c_keeps_what_was_computed(folder, number):
    replace(folder, "duration: 0.2, sample: 0.01", "duration: 1e6, sample: 0.1")
    command = subprocess.Popen([*FLEXARM, "simulate", "small.yaml"], stderr=subprocess.PIPE, text=True)
    while command.poll() is None and not any(part.stat().st_size for part in folder.glob("outputs/*.part")):
        with pytest.raises(subprocess.TimeoutExpired):
            command.wait(timeout=0.05)
    command.send_signal(number)
    _, stderr = command.communicate(timeout=60)
    assert command.returncode == 3, stderr
    assert "interrupted at t = " in stderr
    assert "outputs/small.h5" in stderr
    assert "Traceback" not in stderr
    assert [path.name for path in (folder / "outputs").iterdir()] == ["small.h5"]
    result = open_result(folder / "outputs" / "small.h5")
    assert result.status == "incomplete"
    assert "interrupted" in result.message
    assert 0 < result.time[-1] < 1e6


def test_xarray_opens_the_result(flexarm):
    xarray = pytest.importorskip("xarray")
    flexarm("simulate", "small.yaml")
    with xarray.open_dataset("outputs/small.h5", engine="h5netcdf") as data:
        assert data["joint_angle"].dims == ("time", "joint")
        assert data["joint_angle"].attrs["units"] == "rad"


def test_the_command_is_stored_with_the_result(flexarm):
    flexarm("simulate", "small.yaml")
    with h5py.File("outputs/small.h5") as file:
        assert "simulate" in file.attrs["command"]


def test_kinks_of_a_prescribed_angle_are_told(flexarm, folder):
    """A rod of 1/3 kg m^2 that is stopped at 0.5 rad/s: 1/6 N m s, and 1/24 J are taken from it."""
    text = "name: kink\ngravity: [0, 0, 0]\nlinks: [{length: 1, mu: 1}, {length: 0.1, mu: 1e-9}]\n"
    (folder / "kink.yaml").write_text(
        text + 'drive: [{motion: "0.5*min(t, 0.1)"}, null]\nrun: {duration: 0.2, sample: 0.1}\n'
    )
    done = flexarm("simulate", "kink.yaml", "-v")
    assert done.exit_code == 0, done.output
    assert "1 kink of prescribed angles: impulses of up to 0.167 N m s, which give -0.0417 J" in done.stdout
    assert "joint 1 at t = 0.100000 s: 0.5 to 0 rad/s at once, impulse -0.1667 N m s" in done.output
