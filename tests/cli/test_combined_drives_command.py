"""Commands on arms with combined drives: what they say, and what is refused in one line."""

from click.testing import CliRunner
from paths import ROBOTS

from flexarm.cli.main import main


def run(*arguments):
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


def test_the_summary_tells_parts_and_limits(tmp_path):
    found = run("simulate", ROBOTS / "servo_arm.yaml", "-o", tmp_path / "servo.h5")
    assert found.exit_code == 0
    first, second = (line for line in found.output.splitlines() if line.startswith("joint"))
    assert first.startswith("joint 1: torque up to ")
    assert "proportional" in first
    assert "integral" in first
    assert "gravity compensation" in first
    assert "% of the samples" in first
    assert second.endswith("never at its limit")


def test_check_tells_what_drives_each_joint():
    output = run("check", ROBOTS / "servo_arm.yaml").output
    assert "PID, kp 120, kd 40, ki 90, move to" in output
    assert "gravity compensation; within its motor's limits" in output


def test_check_warns_of_a_fixed_step_at_a_limit(tmp_path):
    text = (ROBOTS / "servo_arm.yaml").read_text()
    (tmp_path / "arm.yaml").write_text(
        text.replace("sample: 0.004", "sample: 0.004, method: rk4, step: 1e-3")
    )
    output = run("check", tmp_path / "arm.yaml").output
    assert "rk4 is of second order in a step in which a motor comes to its limit" in output


def test_modes_name_what_moves_a_joint(tmp_path):
    output = run("modes", ROBOTS / "dc_motor_link.yaml", "--joints", "pd", "-o", tmp_path / "modes.h5").output
    assert "joint 1 moves under its own drive" in output


def test_a_result_that_is_none_is_one_line(tmp_path):
    (tmp_path / "arm.yaml").write_text(
        "name: one\nlinks: [{length: 1, mu: 1}]\ndrive: [{pd: {kp: 1, kd: 1, reference: {result: no.h5}}}]\n"
    )
    found = run("simulate", tmp_path / "arm.yaml", "-o", tmp_path / "out.h5")
    assert found.exit_code == 2
    assert len(found.output.splitlines()) == 1
    assert "no.h5" in found.output
    assert not (tmp_path / "out.h5").exists()
