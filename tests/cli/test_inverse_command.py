"""`flexarm inverse`, and what it wrote reopened."""

import signal
import subprocess
import sys
from itertools import pairwise

import numpy as np
import pytest
from breadth import thinned
from paths import ROBOTS

from flexarm import open_result, parse_trajectory
from flexarm.catalogue import INVERSE_METHODS

FLEXARM = [sys.executable, "-c", "from flexarm.cli.main import main; main()"]
LINE = "duration: 0.5\nline: {from: [0.9, 0.3], to: [0.7, 0.6]}\nsample: 0.01\nelbow: positive\n"
TWO = """\
name: two
gravity: [0, 0, 0]
links:
  - {length: 0.6, mu: 1.0, EI: 80.0, modes: {family: clamped-free, count: 1}}
  - {length: 0.6, mu: 0.5, EI: 80.0, modes: {family: clamped-free, count: 1}}
"""


@pytest.fixture
def arm(folder):
    (folder / "two.yaml").write_text(TWO)
    (folder / "line.yaml").write_text(LINE)
    return folder


def inverse(flexarm, *options, trajectory="line.yaml"):
    return flexarm("inverse", "two.yaml", "--trajectory", trajectory, *options)


@pytest.mark.slow
def test_the_result_is_written_and_describes_itself(flexarm, arm):
    done = inverse(flexarm)
    assert (done.exit_code, done.stderr) == (0, "")
    assert "outputs/two-inverse.h5" in done.stdout
    assert "simulated under these torques" in done.stdout
    result = open_result("outputs/two-inverse.h5")
    assert (result.kind, result.status, result.arm.name) == ("inverse", "complete", "two")
    assert parse_trajectory(result.attributes["trajectory"]) == parse_trajectory(LINE)
    facts = result.attributes
    assert facts["command"].startswith("flexarm inverse two.yaml --trajectory line.yaml")
    assert (facts["method"], facts["task"], facts["duration"]) == ("stable", "x, y", 0.5)
    assert facts["verified_error"] < 1e-6
    assert facts["residual"] < 1e-3
    inside = (result.time >= 0) & (result.time <= 0.5)
    assert result.time[0] == pytest.approx(-facts["pre"])
    assert result.time[-1] == pytest.approx(0.5 + facts["post"])
    assert result.tip_error[inside].max() < 1e-6
    np.testing.assert_allclose(result.tip_desired[inside][0], [0.9, 0.3, 0], atol=1e-12)
    assert result.singular_value.min() > 0.1
    assert result.rigid_torque.shape == result.torque.shape


@pytest.mark.parametrize("method", thinned(INVERSE_METHODS))
def test_every_method_by_its_name(flexarm, arm, method):
    stiff = TWO.replace("clamped-free", "pinned-pinned")
    (arm / "two.yaml").write_text(stiff)
    done = inverse(flexarm, "--method", method, "-q")
    assert (done.exit_code, done.stdout, done.stderr) == (0, "", "")
    assert open_result("outputs/two-inverse.h5").attributes["method"] == method


def test_a_causal_motion_that_diverges_keeps_what_it_has(flexarm, arm):
    done = inverse(flexarm, "--method", "causal")
    assert done.exit_code == 3
    assert "non-minimum-phase" in done.stderr
    assert "method stable" in done.stderr
    result = open_result("outputs/two-inverse.h5")
    assert (result.status, result.message[:7]) == ("incomplete", "stopped")
    assert 0 < result.time[-1] < 0.5


@pytest.mark.slow
def test_it_is_verified_by_default_and_not_on_request(flexarm, arm):
    assert "simulated under these torques, the tip stays within" in inverse(flexarm).stdout
    done = inverse(flexarm, "--no-verify", "--overwrite")
    assert (done.exit_code, done.stderr, "simulated" in done.stdout) == (0, "", False)


@pytest.mark.slow
def test_a_verification_that_is_too_costly_is_left_out_with_one_line(flexarm, arm, monkeypatch):
    monkeypatch.setattr("flexarm.simulation.inverse.verification.verification.CHEAP", 0.0)
    monkeypatch.setattr("flexarm.simulation.inverse.verification.open_loop.SECONDS", 1.0)
    done = inverse(flexarm)
    assert done.exit_code == 0
    assert done.stderr.startswith("flexarm: warning: not verified: simulating the motion would take about ")
    assert done.stderr.endswith("s (ask for it with --verify)\n")
    assert "simulated" not in done.stdout
    assert "simulated under these torques" in inverse(flexarm, "--verify", "--overwrite").stdout


@pytest.mark.slow
def test_an_arm_held_upright_is_verified_in_pieces_and_says_so(flexarm, arm):
    (arm / "two.yaml").write_text(TWO.replace("[0, 0, 0]", "[0, -9.81, 0]"))
    (arm / "up.yaml").write_text(
        "duration: 6\nline: {from: [-0.3, 0.8], to: [0.3, 0.8], law: nonic}\nelbow: positive\n"
    )
    done = inverse(flexarm, trajectory="up.yaml")
    assert (done.exit_code, done.stderr) == (0, "")
    assert " pieces, as errors of any size grow fast here, the tip stays within" in done.stdout


def test_a_peak_between_the_samples_is_one_line(flexarm, arm):
    (arm / "coarse.yaml").write_text(LINE.replace("sample: 0.01", "sample: 0.21"))
    done = inverse(flexarm, trajectory="coarse.yaml")
    assert done.exit_code == 0
    assert done.stderr.startswith("flexarm: warning: joint 2: the torque reaches ")
    assert done.stderr.count("\n") == 1


@pytest.mark.slow
def test_progress_moves_forward_to_the_end(arm):
    import flexarm

    reports = []
    fine = flexarm.parse_trajectory(LINE.replace("sample: 0.01", "sample: 1e-5"))
    flexarm.inverse(flexarm.load_arm("two.yaml"), fine, progress=lambda fraction, t: reports.append(fraction))
    assert reports[-1] == 1.0
    assert all(a <= b for a, b in pairwise(reports))
    assert sum(fraction < 0.6 for fraction in reports) > 2
    assert sum(0.8 <= fraction < 1.0 for fraction in reports) > 1


@pytest.mark.slow
@pytest.mark.parametrize(
    ("seconds", "number"),
    thinned(
        [(seconds, number) for seconds in (2.0, 4.0) for number in (signal.SIGINT, signal.SIGTERM)], every=4
    ),
)
def test_a_signal_ends_a_long_inversion_at_once(folder, seconds, number):
    """A quarter of a million samples, which are not waited for, and of which nothing is kept."""
    text = (ROBOTS / "trajectories" / "payload_two_link.yaml").read_text()
    (folder / "fine.yaml").write_text(text.replace("sample: 0.005", "sample: 4.0e-6"))
    command = [*FLEXARM, "inverse", str(ROBOTS / "payload_two_link.yaml"), "--trajectory", "fine.yaml"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        with pytest.raises(subprocess.TimeoutExpired):
            process.wait(timeout=seconds)
        process.send_signal(number)
        _, stderr = process.communicate(timeout=10)
    assert (process.returncode, stderr.strip()) == (3, "flexarm: error: interrupted; nothing was written")
    assert not list(folder.glob("outputs/*"))


@pytest.mark.slow
def test_pictures_come_along(flexarm, arm):
    done = inverse(flexarm, "--plots", "-o", "study/first.h5")
    assert done.exit_code == 0, done.stderr
    names = {path.name for path in (arm / "study" / "first").iterdir()}
    assert {"path.png", "against-rigid.png", "deflection.png", "torques.png"} <= names


@pytest.mark.slow
def test_several_results_are_overlaid(flexarm, arm):
    assert inverse(flexarm, "-o", "clamped.h5").exit_code == 0
    (arm / "two.yaml").write_text(TWO.replace("clamped-free", "pinned-pinned"))
    assert inverse(flexarm, "-o", "pinned.h5").exit_code == 0
    done = flexarm("plot", "clamped.h5", "pinned.h5", "-o", "pictures")
    assert done.exit_code == 0, done.stderr
    overlays = sorted(path.name for path in (arm / "pictures").glob("*.png"))
    assert overlays == [
        "overlay-end-deflection.png",
        "overlay-joint-angle.png",
        "overlay-link-deflection.png",
        "overlay-tip.png",
        "overlay-torque.png",
    ]


def test_an_existing_result_is_kept(flexarm, arm):
    (arm / "old.h5").write_text("old")
    refused = inverse(flexarm, "-o", "old.h5")
    assert (refused.exit_code, (arm / "old.h5").read_text()) == (4, "old")


def test_a_motion_that_diverges_stays_beside_a_complete_result_and_is_the_one_reported(flexarm, arm):
    assert inverse(flexarm).exit_code == 0
    done = inverse(flexarm, "--method", "causal", "--overwrite")
    assert (done.exit_code, "method causal" in done.stdout) == (3, True)
    assert "is kept in outputs/two-inverse.incomplete.h5, marked incomplete" in done.stderr
    assert open_result("outputs/two-inverse.h5").attributes["method"] == "stable"


@pytest.mark.slow
def test_operational_space_on_request(flexarm, arm):
    assert inverse(flexarm, "--operational-space", "--method", "rigid").exit_code == 0
    result = open_result("outputs/two-inverse.h5")
    assert result.cartesian_inertia.shape == (51, 2, 2)
    assert result.jacobian_modes_rate.shape == (51, 2, 2)


BAD = [
    ("duration: 1\nline: {from: [0.9, 0.3], to: [1.4, 0.3]}\n", "task.yaml: out of reach at t = 0."),
    ('duration: 1\npath: {x: "1.2 - (t - 0.5)**2", y: 0}\n', "singular stretch at t = 0."),
    ("duration: 1\npath: {x: 0.9, y: 0.3, yaw: 0.1*t}\n", "got 3 task rows (x, y, yaw), expected at most 2"),
    ("table: course.csv\n", "course.csv:4: table: got 0.5 after 0.5"),
    ("duration: 1\npath: {x: 0.9, y: step(t - 0.5)}\n", "the path jumps by 1 at t = 0.5 s in y"),
    ("duration: 1\npath: {x: 0.9, y: 3*tt}\n", "task.yaml:2: path.y: unknown name 'tt'"),
]


@pytest.mark.parametrize(("trajectory", "words"), BAD, ids=[words[:30] for _, words in BAD])
def test_bad_input_is_one_line_and_nothing_is_written(flexarm, arm, trajectory, words):
    (arm / "course.csv").write_text("t, x, y\n0, 0.9, 0.3\n0.5, 0.8, 0.3\n0.5, 0.7, 0.3\n")
    (arm / "task.yaml").write_text(trajectory)
    done = inverse(flexarm, trajectory="task.yaml")
    assert done.exit_code == 2
    assert words in done.stderr
    assert done.stderr.count("\n") == 1
    assert not (arm / "outputs").exists()


def test_nan_in_a_csv_is_reported_with_its_line(flexarm, arm):
    (arm / "course.csv").write_text("t, x, y\n0, 0.9, 0.3\n0.5, nan, 0.3\n1, 0.7, 0.3\n")
    (arm / "task.yaml").write_text("table: course.csv\n")
    done = inverse(flexarm, trajectory="task.yaml")
    assert (done.exit_code, "course.csv:3: table: got 0.5, nan, 0.3" in done.stderr) == (2, True)


def test_a_rigid_motion_that_is_not_found_names_no_option_of_another_method(flexarm, arm):
    (arm / "two.yaml").write_text(TWO + "run: {duration: 1, sample: 0.1, max_steps: 20}\n")
    (arm / "task.yaml").write_text("duration: 1\nline: {from: [0.9], to: [0.7]}\nnear: [-20 deg, 80 deg]\n")
    done = inverse(flexarm, "--method", "rigid", trajectory="task.yaml")
    assert (done.exit_code, done.stderr.count("\n")) == (3, 1)
    assert "joint rates of least norm" in done.stderr
    assert "--step" not in done.stderr


@pytest.mark.parametrize("option", ["--pre", "--post", "--step"])
@pytest.mark.parametrize("method", ["causal", "rigid"])
def test_options_of_another_method_are_refused(flexarm, arm, method, option):
    done = inverse(flexarm, "--method", method, option, "1")
    assert (done.exit_code, f"{option} belongs to --method stable" in done.stderr) == (2, True)


def test_options_that_do_not_go_together(flexarm, arm):
    done = inverse(flexarm, "--method", "causal", "--pre", "1")
    assert (done.exit_code, "--pre belongs to --method stable" in done.stderr) == (2, True)
    assert flexarm("inverse", "two.yaml").exit_code == 2
    assert inverse(flexarm, "--method", "stabel").exit_code == 2
