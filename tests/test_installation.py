"""What others install: source archive and wheel are built, and the wheel works where there is no checkout."""

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from paths import PROJECT

import flexarm

pytestmark = pytest.mark.slow

UV = Path(sys.executable).with_name("uv")
LARGEST_WHEEL = 2.5e6  # bytes
ELSEWHERE = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "VIRTUAL_ENV")}


def run(*command, cwd):
    """Run a program away from the checkout and return what it prints."""
    done = subprocess.run(
        list(map(str, command)), cwd=cwd, env=ELSEWHERE, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """Folder with the source archive and the wheel."""
    if not UV.exists():
        pytest.skip("uv is not installed")
    folder = tmp_path_factory.mktemp("dist")
    done = subprocess.run(
        [UV, "build", "--quiet", "-o", folder, PROJECT], capture_output=True, text=True, check=False
    )
    if "Failed to fetch" in done.stderr or "error sending request" in done.stderr:
        pytest.skip("packages cannot be fetched")
    assert done.returncode == 0, done.stderr
    return folder


@pytest.fixture(scope="module")
def program(built, tmp_path_factory):
    """The command of a wheel that is installed in an environment of its own."""
    folder = tmp_path_factory.mktemp("environment")
    run(UV, "venv", "--quiet", "--python", sys.executable, folder / "venv", cwd=folder)
    (wheel,) = built.glob("*.whl")
    python = folder / "venv" / "bin" / "python"
    run(UV, "pip", "install", "--quiet", "--python", python, wheel, cwd=folder)
    return python.with_name("flexarm")


def test_archives_carry_the_version_and_what_belongs_to_them(built):
    (wheel,), (source,) = built.glob("*.whl"), built.glob("*.tar.gz")
    assert wheel.name == f"flexarm-{flexarm.__version__}-py3-none-any.whl"
    assert source.name == f"flexarm-{flexarm.__version__}.tar.gz"
    assert wheel.stat().st_size < LARGEST_WHEEL
    carried = set(zipfile.ZipFile(wheel).namelist())
    assert {
        "flexarm/__init__.pyi",
        "flexarm/_robots/whip.yaml",
        "flexarm/_robots/trajectories/korayem_1994.yaml",
    } <= carried
    assert not [name for name in carried if name.startswith("tests/")]


def test_archives_are_such_that_an_index_takes_them(built):
    run(UV, "tool", "run", "twine", "check", "--strict", *built.glob("flexarm-*"), cwd=built)


def test_the_commands_work_where_there_is_no_checkout(program, tmp_path):
    assert run(program, "--version", cwd=tmp_path) == f"flexarm {flexarm.__version__}\n"
    assert "whip" in run(program, "examples", cwd=tmp_path)
    run(program, "examples", "whip", "korayem_1994_clamped", cwd=tmp_path)
    run(program, "simulate", "whip.yaml", "-o", "whip.h5", cwd=tmp_path)
    run(
        program,
        "inverse",
        "korayem_1994_clamped.yaml",
        "--trajectory",
        "trajectories/korayem_1994.yaml",
        "-o",
        "inverse.h5",
        cwd=tmp_path,
    )
    run(program, "plot", "whip.h5", "-o", "pictures", cwd=tmp_path)
    run(program, "report", "whip.h5", "-o", "whip.html", cwd=tmp_path)
    run(program, "validate", "--case", "cantilever-static", cwd=tmp_path)
    for name in ("whip.h5", "inverse.h5", "pictures/stroboscope.png", "whip.html"):
        assert (tmp_path / name).stat().st_size > 1000
