"""`flexarm payload`, and what it wrote reopened."""

import pytest

from flexarm import open_result

ARM = """\
name: lifter
links:
  - {length: 0.6, mu: 1.0, EI: 200.0, modes: {family: clamped-free, count: 1}, damping: 0.02}
joints:
  - {motor: {gear: 50, stall_torque: 0.6, no_load_speed: 500}}
"""
LIFT = "space: joint\nduration: 1.0\nsample: 0.01\nline: {from: [-30 deg], to: [60 deg]}\ndeviation: 0.05\n"


@pytest.fixture
def arm(folder):
    (folder / "lifter.yaml").write_text(ARM)
    (folder / "lift.yaml").write_text(LIFT)
    return folder


def payload(flexarm, *options):
    return flexarm("payload", "lifter.yaml", "--trajectory", "lift.yaml", *options)


def test_the_largest_load_is_reported_and_written(flexarm, arm):
    done = payload(flexarm, "--plots")
    assert (done.exit_code, done.stderr) == (0, "")
    result = open_result("outputs/lifter-payload.h5")
    facts = result.attributes
    assert (result.kind, facts["active_bound"], facts["active_joint"]) == ("payload", "torque", 1)
    assert f"largest load {facts['payload_mass']:.5g} kg" in done.stdout
    assert "torque of joint 1 at t = " in done.stdout
    names = {path.name for path in (arm / "outputs" / "lifter-payload").iterdir()}
    assert {"bounds.png", "path.png"} <= names


@pytest.mark.slow
def test_a_tighter_deviation_bounds_the_load(flexarm, arm):
    assert payload(flexarm, "--deviation", "0.005", "-o", "tight.h5").exit_code == 0
    facts = open_result("tight.h5").attributes
    assert (facts["active_bound"], facts["active_joint"], facts["deviation"]) == ("deviation", 0, 0.005)


def test_stress_needs_a_section(flexarm, arm):
    done = payload(flexarm, "--max-stress", "1e8")
    assert done.exit_code == 2
    assert "link 1 has no section, which its stress needs" in done.stderr
    assert payload(flexarm, "--max-stress", "0").exit_code == 2


def test_a_given_load_is_carried(flexarm, arm):
    done = payload(flexarm, "--mass", "0.25")
    assert done.exit_code == 0
    assert "load 0.25 kg" in done.stdout
    assert "largest" not in done.stdout


def test_an_arm_too_weak_for_itself_is_warned_of(flexarm, arm):
    (arm / "lifter.yaml").write_text(ARM.replace("stall_torque: 0.6", "stall_torque: 0.02"))
    done = payload(flexarm)
    assert done.exit_code == 0
    assert "flexarm: warning: the arm without load violates a bound already" in done.stderr
    assert open_result("outputs/lifter-payload.h5").attributes["payload_mass"] == 0


def test_nothing_to_bound_the_load_is_bad_input(flexarm, arm):
    (arm / "lifter.yaml").write_text(ARM[: ARM.index("joints:")])
    (arm / "lift.yaml").write_text(LIFT.replace("deviation: 0.05\n", ""))
    done = payload(flexarm)
    assert (done.exit_code, done.stderr.count("\n")) == (2, 1)
    assert "nothing bounds the load" in done.stderr
