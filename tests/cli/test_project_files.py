"""The files around the package: Makefile, README, the arms of robots/."""

import os
import re
import shlex
import subprocess
from importlib.util import find_spec

import pytest
from paths import PROJECT

from flexarm import load_arm
from flexarm.validation.registry import CASES

ROBOTS = sorted((PROJECT / "robots").glob("*.yaml"))
README = (PROJECT / "README.md").read_text()


def make(*arguments):
    """Output of make, which must not notice that it may be make that runs these tests."""
    outside = {name: value for name, value in os.environ.items() if name not in ("MAKEFLAGS", "MAKELEVEL")}
    command = ["make", *arguments]
    return subprocess.run(
        command, cwd=PROJECT, env=outside, capture_output=True, text=True, check=True
    ).stdout


def blocks(language):
    """Code blocks of the README in one language."""
    return re.findall(rf"^```{language}\n(.*?)^```", README, re.MULTILINE | re.DOTALL)


def test_make_lists_every_target_and_does_nothing():
    phony = re.search(r"^\.PHONY: (.*)$", (PROJECT / "Makefile").read_text(), re.MULTILINE).group(1).split()
    lines = make().splitlines()
    assert [line.split()[1] for line in lines] == phony
    assert all(len(line.split()) > 3 for line in lines)


@pytest.mark.parametrize("robot", ROBOTS, ids=lambda path: path.stem)
def test_name_of_the_arm_follows_from_its_file(robot):
    """The Makefile relies on it."""
    assert load_arm(robot).name == robot.stem.replace("_", "-")


def test_make_runs_covers_every_robot():
    plan = make("--dry-run", "--always-make", "runs")
    inverse = set()
    for robot in ROBOTS:
        result = f"outputs/{robot.stem.replace('_', '-')}.h5"
        if re.search(r"^#   flexarm (inverse|payload) ", robot.read_text(), re.MULTILINE):
            inverse.add(robot.stem)
            assert f"flexarm simulate robots/{robot.name}" not in plan
            assert re.search(rf"' robots/{robot.name}\)\".* -o {result} --plots", plan)
        else:
            assert f"flexarm simulate robots/{robot.name} -o {result}" in plan
    assert inverse >= {"korayem_1994_clamped", "payload_two_link", "spatial_six_joint"}


def test_make_runs_an_arm_for_inverse_runs_as_its_comment_says():
    """The command goes on after a backslash at the end of a line."""
    arm = PROJECT / "robots" / "korayem_1994_pinned_as_published.yaml"
    (line,) = re.findall(
        rf"^command=.*{arm.name}.*$", make("--dry-run", "--always-make", "runs"), re.MULTILINE
    )
    found = subprocess.run(
        ["sh", "-c", line.partition("; PATH=")[0] + '; echo "$command"'],
        cwd=PROJECT,
        capture_output=True,
        text=True,
    )
    assert found.stdout.split() == [
        *("flexarm", "inverse", "robots/korayem_1994_pinned_as_published.yaml", "--method", "causal"),
        *("--trajectory", "robots/trajectories/korayem_1994.yaml"),
    ]


def test_every_source_file_makes_results_stale():
    variables = make("--print-data-base", "--dry-run", "help")
    sources = re.search(r"^PACKAGE := (.*)$", variables, re.MULTILINE).group(1).split()
    assert set(sources) == {str(path.relative_to(PROJECT)) for path in PROJECT.glob("flexarm/**/*.py")}


@pytest.mark.parametrize("robot", ROBOTS, ids=lambda path: path.stem)
def test_robots_begin_with_what_they_show(robot):
    comment = re.match(r"((#.*\n)+)name:", robot.read_text())
    assert comment
    assert len(comment.group(1).splitlines()) >= 3


@pytest.mark.parametrize("count", [5, pytest.param(None, marks=pytest.mark.slow)])
def test_commands_of_the_readme_run(flexarm, robots_beside, count):
    commands = [line for block in blocks("sh") for line in block.splitlines() if line.startswith("flexarm ")]
    assert len(commands) > 5
    for line in commands[:count]:
        if line.startswith("flexarm import") and find_spec("yourdfpy") is None:
            continue
        done = flexarm(*shlex.split(line, comments=True)[1:])
        assert done.exit_code == 0, f"{line}: {done.stderr}"


def test_targets_of_the_readme_exist():
    listed = {line.split()[1] for line in make().splitlines()}
    named = set(re.findall(r"\bmake ([a-z-]+)\b", " ".join(blocks("sh"))))
    assert {"run", "test"} <= named <= listed


def test_python_of_the_readme_runs(robots_beside):
    for program in blocks("python"):
        exec(compile(program, "README.md", "exec"), {})


def test_yaml_of_the_readme_is_an_arm(folder):
    for number, text in enumerate(blocks("yaml")):
        path = folder / f"{number}.yaml"
        path.write_text(text)
        assert load_arm(path).links


def test_film_of_the_readme_is_small_and_its_description_a_shipped_arm():
    films = re.findall(r"\]\((docs/.*?\.gif)\)", README)
    assert films
    for film in films:
        assert (PROJECT / film).stat().st_size < 1_000_000
    assert (PROJECT / "robots" / "whip.yaml").read_text().endswith(blocks("yaml")[0])


@pytest.mark.parametrize("page", ["README.md", "docs/validation.md"])
def test_pages_name_tests_that_exist(page):
    named = re.findall(r"`(tests/[\w/]+\.py)(?:::(\w+))?`", (PROJECT / page).read_text())
    assert named
    for path, test in named:
        wanted = "def " if path.startswith("tests/reference/") else f"def {test or 'test_'}"
        assert wanted in (PROJECT / path).read_text(), (path, test)


def rows(text):
    """Rows of the tables of speed."""
    return re.findall(r"^\| .*`benchmarks/\w+\.py` \|$", text, re.MULTILINE)


def test_speed_of_the_readme_is_part_of_the_whole_table():
    everything = rows((PROJECT / "docs" / "speed.md").read_text())
    assert len(everything) > len(rows(README)) >= 5
    assert set(rows(README)) < set(everything)
    for script in re.findall(r"`(benchmarks/\w+\.py)`", "".join(everything)):
        assert (PROJECT / script).exists(), script


def test_readme_counts_the_cases_of_validation():
    assert f"{len(CASES)} cases" in README


def test_readme_is_short():
    assert len(README.splitlines()) < 130
