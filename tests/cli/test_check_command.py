"""`flexarm check`."""

import paths
import pytest

ROBOTS = sorted(paths.ROBOTS.glob("*.yaml"))


@pytest.mark.parametrize("robot", ROBOTS, ids=lambda path: path.stem)
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


def test_quiet_check_only_judges(flexarm, folder):
    assert flexarm("check", "-q", "small.yaml").output == ""
    (folder / "wrong.yaml").write_text("name: wrong\nlinks: []\n")
    assert flexarm("check", "-q", "wrong.yaml").exit_code == 2
