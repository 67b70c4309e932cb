"""`flexarm check`."""

import paths
import pytest
from breadth import thinned

ROBOTS = sorted(paths.ROBOTS.glob("*.yaml"))


@pytest.mark.parametrize("robot", thinned(ROBOTS, every=12), ids=lambda path: path.stem)
def test_every_robot_of_the_project_is_in_order(flexarm, robot):
    done = flexarm("check", robot)
    assert (done.exit_code, done.stderr) == (0, "")


def test_the_first_cantilever_frequency_is_shown(flexarm, robots_beside):
    text = flexarm("check", "robots/single_link_cantilever.yaml").stdout
    assert "5.595" in text or "5.596" in text  # 1.8751^2 sqrt(100) / (2 pi) Hz


def test_suspicious_numbers_are_warned_about(flexarm, folder):
    path = folder / "small.yaml"
    path.write_text(path.read_text().replace("EI: 50.0", "EI: 5e-4"))
    done = flexarm("check", "small.yaml")
    assert done.exit_code == 0
    assert "flexarm: warning: " in done.stderr


FIXED = "joints: [{type: fixed}]"
GIVEN = 'drive: [{motion: "0.3*sin(t)"}]'


@pytest.mark.parametrize(
    ("rest", "said"), [(FIXED, "nothing can move: every joint is fixed"), (GIVEN, "nothing moves freely: ")]
)
def test_an_arm_that_cannot_move_has_masses_all_the_same(flexarm, folder, rest, said):
    (folder / "still.yaml").write_text(f"name: still\nlinks: [{{length: 1.0, mu: 2.0}}]\n{rest}\n")
    done = flexarm("check", "still.yaml")
    assert done.exit_code == 0
    assert "mass" in done.stdout
    assert "2 kg" in done.stdout
    assert done.stderr.startswith(f"flexarm: warning: {said}")


@pytest.mark.parametrize(
    "command",
    ["simulate", "modes", "linearize", "equilibrium", "converge", "compare", "equations", "export --to c"],
)
def test_commands_say_in_one_line_that_nothing_can_move(flexarm, folder, command):
    (folder / "still.yaml").write_text(f"name: still\nlinks: [{{length: 1.0, mu: 2.0}}]\n{FIXED}\n")
    done = flexarm(*command.split(), "still.yaml")
    assert done.exit_code in (2, 3)
    assert "nothing can move" in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_a_damping_ratio_that_may_be_a_percentage_is_warned_about(flexarm, folder):
    path = folder / "damped.yaml"
    path.write_text("name: damped\nlinks: [{length: 1.0, mu: 1.0, EI: 100, modes: 1, damping: 2}]\n")
    assert "its damping ratio is 2, with which nothing vibrates; 2 % is 0.02" in flexarm("check", path).stderr


def test_quiet_check_only_judges(flexarm, folder):
    assert flexarm("check", "-q", "small.yaml").output == ""
    (folder / "wrong.yaml").write_text("name: wrong\nlinks: []\n")
    assert flexarm("check", "-q", "wrong.yaml").exit_code == 2
