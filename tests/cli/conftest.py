"""Run commands in a folder of their own, with a small arm in it."""

from contextlib import chdir
from pathlib import Path

import pytest
from click.testing import CliRunner
from paths import ROBOTS

from flexarm.cli.main import main

SMALL_ARM = """\
name: small
links:
  - length: 1.0
    mu: 1.0
    EI: 50.0
    modes: {family: clamped-free, count: 1}
initial: {joints: [20 deg]}
run: {duration: 0.2, sample: 0.01}
"""


@pytest.fixture
def folder(tmp_path, monkeypatch) -> Path:
    """An empty working folder with the arm small.yaml."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "small.yaml").write_text(SMALL_ARM)
    return tmp_path


@pytest.fixture
def flexarm(folder, monkeypatch):
    """The command, as a function of its arguments; an internal error of flexarm is raised."""
    monkeypatch.setenv("FLEXARM_DEBUG", "1")

    def run(*arguments):
        result = CliRunner().invoke(main, [str(argument) for argument in arguments], prog_name="flexarm")
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        return result

    return run


@pytest.fixture(scope="session")
def small_result(tmp_path_factory) -> bytes:
    """The file of a result of small.yaml, simulated once."""
    folder = tmp_path_factory.mktemp("small")
    (folder / "small.yaml").write_text(SMALL_ARM)
    with chdir(folder):
        done = CliRunner().invoke(
            main, ["simulate", "small.yaml", "-o", "study/small.h5"], prog_name="flexarm"
        )
    assert done.exit_code == 0, done.output
    return (folder / "study" / "small.h5").read_bytes()


@pytest.fixture
def result(folder, small_result) -> str:
    """Where the result of small.yaml is: study/small.h5."""
    (folder / "study").mkdir()
    (folder / "study" / "small.h5").write_bytes(small_result)
    return "study/small.h5"


@pytest.fixture
def robots_beside(folder) -> Path:
    """The project's robots/ in the working folder."""
    (folder / "robots").symlink_to(ROBOTS)
    return folder / "robots"
