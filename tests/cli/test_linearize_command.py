"""`flexarm linearize`, and what it wrote reopened."""

import shutil

import numpy as np
import pytest
from paths import ROBOTS
from scipy.io import loadmat


def test_both_files(flexarm, folder):
    done = flexarm(
        "linearize", "small.yaml", "-o", "a.npz", "-o", "a.mat", "--observe", "joints", "--observe", "tip"
    )
    assert (done.exit_code, done.stderr) == (0, "")
    with np.load("a.npz") as arrays:
        assert arrays["A"].shape == (4, 4)
        np.testing.assert_array_equal(arrays["C"], loadmat("a.mat")["C"])
    assert "4 states, 1 input, 3 outputs" in done.stdout
    assert "zeros of tau_1 -> tip_y; 1 non-minimum-phase zero" in done.stdout
    assert done.stdout.endswith("a.npz\na.mat\n")


def test_default_file_serves_python_control_as_the_help_says(flexarm):
    control = pytest.importorskip("control")
    assert flexarm("linearize", "small.yaml", "-q").exit_code == 0
    with np.load("outputs/small-linear.npz") as data:
        system = control.ss(*(data[name] for name in "ABCD"))
    assert (system.nstates, system.ninputs, system.noutputs) == (4, 1, 3)


def test_channel_and_posture(flexarm):
    done = flexarm("linearize", "small.yaml", "--at", "equilibrium", "--channel", "tau_1:tip_x")
    assert done.exit_code == 0
    assert "about the equilibrium" in done.stdout
    assert done.stdout.count("zeros of") == 1


@pytest.mark.parametrize(
    ("options", "code", "message"),
    [
        (["--observe", "tips"], 2, "did you mean 'tip'?"),
        (["--channel", "tau_1"], 2, "expected INPUTS:OUTPUTS"),
        (["--channel", "tau_2:q_1"], 2, "no input 'tau_2'; there are tau_1"),
        (["--channel", "tau_1:q_1,tip_x"], 2, "as many outputs as inputs"),
        (["-o", "a.csv"], 4, "ends in .npz, .mat or .h5"),
        (["-o", "small.yaml.npz", "-o", "exists.mat"], 4, "exists already"),
    ],
)
def test_bad_input_is_one_line(flexarm, folder, options, code, message):
    (folder / "exists.mat").touch()
    done = flexarm("linearize", "small.yaml", *options)
    assert (done.exit_code, done.stderr.count("\n"), done.stdout) == (code, 1, "")
    assert message in done.stderr
    assert not list(folder.rglob("*.npz"))


def test_steady_rotation(flexarm, folder):
    text = (
        (folder / "small.yaml")
        .read_text()
        .replace("links:", "gravity: [0, 0, 0]\ngeometric_stiffening: true\nlinks:", 1)
    )
    (folder / "small.yaml").write_text(text)
    done = flexarm("linearize", "small.yaml", "--spin", "180 deg/s")
    assert (done.exit_code, done.stderr) == (0, "")
    assert "joint 1 turning steadily at 3.14159 rad/s: 4 states, 1 input" in done.stdout
    with np.load("outputs/small-linear.npz") as arrays:
        np.testing.assert_allclose(arrays["theta_d"], [np.pi, 0])
    done = flexarm("linearize", "small.yaml", "--spin", "1,2", "--overwrite")
    assert (done.exit_code, done.stderr.count("\n")) == (2, 1)
    assert "expected one" in done.stderr


def test_references_as_inputs(flexarm, folder):
    (folder / "bar.yaml").write_text(
        "name: bar\nlinks: [{length: 1, mu: 3}]\ndrive: [{pd: {kp: 40, kd: 3, reference: 0}}]\n"
    )
    done = flexarm("linearize", "bar.yaml", "--input", "reference", "--channel", "r_1:q_1", "-v")
    assert (done.exit_code, done.stderr) == (0, "")
    assert "joint 1 follows its PD drive" in done.stdout
    assert "zeros of r_1 -> q_1\n  -13.333" in done.stdout


def test_voltages_as_inputs(flexarm, folder):
    (folder / "motor.yaml").write_text(
        "name: motor\nlinks: [{length: 1, mu: 3}]\ndrive: [{voltage: 6}]\n"
        "joints: [{motor: {resistance: 2, torque_constant: 0.5, gear: 4}}]\n"
    )
    done = flexarm("linearize", "motor.yaml", "--channel", "tau_1:q_1", "-o", "torque.npz")
    assert "joint 1 is fed by a voltage: --input voltage takes it as the input" in done.stdout
    done = flexarm("linearize", "motor.yaml", "--input", "voltage", "--channel", "u_1:q_1")
    assert (done.exit_code, done.stderr) == (0, "")
    assert "joint 1 is fed" not in done.stdout
    with np.load("outputs/motor-linear.npz") as arrays:
        np.testing.assert_allclose(arrays["B"], [[0], [1]])  # 4 * 0.5 / 2 N m/V on 1 kg m^2
    refused = flexarm("linearize", "motor.yaml", "--input", "reference", "-o", "other.npz")
    assert "(joint 1 is fed by a voltage: --input voltage takes it as the input)" in refused.stderr


def test_loops_of_controllers(flexarm, folder):
    """Closed, open at one, and of samples; a sampled controller says what period it needs."""
    shutil.copy(ROBOTS / "lqr_arm.yaml", folder)
    done = flexarm("linearize", "lqr_arm.yaml", "--observe", "tip", "-o", "closed.npz")
    assert (done.exit_code, done.stderr) == (0, "")
    assert "with lqr, its loop closed: --open all leaves controllers away" in done.stdout
    assert "-2.8912 +- 115.3" in done.stdout
    done = flexarm("linearize", "lqr_arm.yaml", "--open", "lqr", "--period", "0.01", "-o", "open.npz")
    assert "6 states, 1 input, 6 outputs" in done.stdout
    assert ", open at lqr" in done.stdout
    assert np.load(folder / "open.npz")["period"] == 0.01
    text = (folder / "lqr_arm.yaml").read_text()
    (folder / "sampled.yaml").write_text(
        text.replace("middle_speed]\n", "middle_speed]\n    period: 0.001\n")
    )
    done = flexarm("linearize", "sampled.yaml")
    assert done.exit_code == 2
    assert "lqr is sampled every 0.001 s, but the model has no period" in done.stderr
