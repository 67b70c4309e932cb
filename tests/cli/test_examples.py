"""`flexarm examples`: what is listed, what is copied, and that the copies work."""

import os
import re
import shlex
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from paths import PROJECT

from flexarm import load_arm, load_trajectory
from flexarm.shipped import shipped_arms, shipped_trajectories


def test_all_arms_and_trajectories_are_listed(flexarm):
    done = flexarm("examples")
    assert done.exit_code == 0
    listed = re.findall(r"^  (\w+)  ", done.stdout, re.MULTILINE)
    assert listed == [*shipped_arms(), *shipped_trajectories()]
    assert "A slender beam, pinned at one end" in done.stdout


NAMES_OF_BOOM = (("lattice_boom.yaml",), ("matrices", "lattice_boom.json"))


def test_a_checkout_ships_what_is_in_robots():
    assert set(shipped_arms().values()) == set((PROJECT / "robots").glob("*.yaml"))


@pytest.mark.parametrize("name", ["usoro_two_link", "usoro-two-link", "usoro_two_link.yaml"])
def test_an_arm_is_copied(flexarm, folder, name):
    done = flexarm("examples", name)
    assert (done.exit_code, done.stdout) == (0, "usoro_two_link.yaml\n")
    assert load_arm("usoro_two_link.yaml") == load_arm(shipped_arms()["usoro_two_link"])
    assert not (folder / "trajectories").exists()


def test_a_trajectory_that_the_comment_names_comes_with_it(flexarm, folder):
    done = flexarm("examples", "korayem_1994_clamped", "korayem_1994_simply_supported", "-o", "copies")
    assert done.exit_code == 0
    assert len(done.stdout.splitlines()) == 3
    assert load_trajectory("copies/trajectories/korayem_1994.yaml").duration == 3
    assert "robots/" not in (folder / "copies" / "korayem_1994_clamped.yaml").read_text()


def test_matrices_of_a_link_come_with_its_arm(flexarm):
    done = flexarm("examples", "lattice_boom", "-o", "copies")
    assert done.stdout.split() == [str(Path("copies", *name)) for name in NAMES_OF_BOOM]
    assert load_arm("copies/lattice_boom.yaml") == load_arm(shipped_arms()["lattice_boom"])


def test_commands_in_the_comment_of_a_copy_run(flexarm, folder):
    flexarm("examples", "korayem_1994_simply_supported")
    comment = (folder / "korayem_1994_simply_supported.yaml").read_text().replace("\\\n#", "")
    (command,) = re.findall(r"^#\s+(flexarm .*)$", comment, re.MULTILINE)
    assert flexarm(*shlex.split(command)[1:]).exit_code == 0


def test_a_trajectory_alone(flexarm):
    assert flexarm("examples", "circle").stdout == f"{Path('trajectories', 'circle.yaml')}\n"


def test_existing_files_are_kept(flexarm, folder):
    mine = folder / "payload_two_link.yaml"
    mine.write_text("mine")
    done = flexarm("examples", "payload_two_link")
    assert (done.exit_code, done.stdout) == (4, "")
    assert "exists already" in done.stderr
    assert mine.read_text() == "mine"
    assert not (folder / "trajectories").exists()
    assert flexarm("examples", "payload_two_link", "--overwrite").exit_code == 0
    again = flexarm("examples", "payload_two_link")
    assert again.exit_code == 0
    assert again.stdout.count("(is there already)") == 2


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("usoro_link", "did you mean 'usoro_two_link'?"),
        ("zzz", "flexarm examples lists them"),
        ("../x", "lists them"),
    ],
)
def test_unknown_names(flexarm, folder, name, hint):
    done = flexarm("examples", "circle", name)
    assert done.exit_code == 2
    assert f"no example '{name}'; " in done.stderr
    assert hint in done.stderr
    assert not (folder / "trajectories").exists()


def test_the_wheel_is_set_to_carry_them():
    settings = (PROJECT / "pyproject.toml").read_text()
    assert '[tool.hatch.build.targets.wheel.force-include]\n"robots" = "flexarm/_robots"' in settings


@pytest.mark.slow
def test_a_wheel_carries_them(tmp_path):
    """Built by pip and run from where it was unpacked."""
    command = [sys.executable, "-m", "pip", "wheel", "--no-deps", "-q", "-w", tmp_path, PROJECT]
    if subprocess.run(command, capture_output=True).returncode:
        pytest.skip("pip cannot build a wheel here")
    (wheel,) = tmp_path.glob("*.whl")
    zipfile.ZipFile(wheel).extractall(tmp_path / "installed")
    program = "from flexarm.shipped import *; print(shipped_folder()); print(*shipped_arms(), *shipped_trajectories())"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(tmp_path / "installed")},
    )  # fmt: skip
    place, names = done.stdout.splitlines()
    assert Path(place) == tmp_path / "installed" / "flexarm" / "_robots"
    assert names.split() == [*shipped_arms(), *shipped_trajectories()]
