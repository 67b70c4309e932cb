"""`flexarm sweep`, and what it wrote reopened."""

import os
import signal
import subprocess
import sys

import numpy as np
import pytest

from flexarm import open_sweep

FLEXARM = [sys.executable, "-c", "from flexarm.cli.main import main; main()"]
SWEEP = """\
arm: small.yaml
vary: {payload.mass: "0:1:3"}
record: final_tip
"""


def test_a_grid_becomes_one_file_and_a_picture(flexarm, folder):
    done = flexarm("sweep", "small.yaml", "--vary", "payload.mass=0:1:3", "--workers", 1, "--plots", "-v")
    assert (done.exit_code, done.stderr) == (0, "")
    assert "small: 3 runs, 1 key varied" in done.stdout
    assert "outputs/small-sweep.h5" in done.stdout
    result = open_sweep("outputs/small-sweep.h5")
    assert result.coordinates["payload.mass"].values.tolist() == [0.0, 0.5, 1.0]
    assert (
        f"final_tip_x: {result['final_tip_x'].min():.6g} to {result['final_tip_x'].max():.6g} m"
        in done.stdout
    )
    assert (folder / "outputs" / "small-sweep" / "curves.png").read_bytes().startswith(b"\x89PNG")
    assert "sweep small.yaml" in result.attributes["command"]
    assert not list(folder.rglob("*.part*"))


@pytest.mark.slow
def test_a_file_is_equivalent_to_the_options(flexarm, folder):
    (folder / "three_masses.yaml").write_text(SWEEP)
    assert flexarm("sweep", "three_masses.yaml", "--workers", 1).exit_code == 0
    options = ("--vary", "payload.mass=0:1:3", "--record", "final_tip", "--workers", 1, "-o", "typed.h5")
    assert flexarm("sweep", "small.yaml", *options).exit_code == 0
    from_file, typed = open_sweep("outputs/three-masses.h5"), open_sweep("typed.h5")
    assert list(from_file) == list(typed)
    for name in ("final_tip_x", "final_tip_y", "status"):
        np.testing.assert_array_equal(from_file[name], typed[name])


def test_faults_of_a_sweep_file_have_their_lines(flexarm, folder):
    (folder / "sweep.yaml").write_text(SWEEP.replace("payload.mass", "payload.mas"))
    done = flexarm("sweep", "sweep.yaml")
    assert done.exit_code == 2
    assert done.stderr.startswith("flexarm: error: sweep.yaml:2: vary: unknown key 'payload.mas'")
    (folder / "sweep.yaml").write_text(SWEEP.replace("final_tip", "final_top"))
    done = flexarm("sweep", "sweep.yaml")
    assert done.stderr.startswith("flexarm: error: sweep.yaml:3: record: unknown record 'final_top'")
    (folder / "sweep.yaml").write_text(SWEEP.replace("small.yaml", "other.yaml"))
    assert "other.yaml: no such file" in flexarm("sweep", "sweep.yaml").stderr
    assert not (folder / "outputs").exists()


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ((), "--vary KEY=VALUES"),
        (("--vary", "payload.mass"), "expected KEY=VALUES"),
        (("--vary", "payload.mass=1", "--vary", "payload.mass=2"), "twice"),
        (("--vary", "payload.mass=1", "--seed", 3), "go with --sample"),
        (("--vary", "payload.mass=1", "--workers", 2, "--scheduler", "tcp://x:1"), "--workers"),
        (("--vary", "payload.mas=1"), "did you mean 'payload.mass'?"),
        (("--vary", "payload.mass=0:1"), "START:STOP:COUNT"),
        (("--vary", "payload.mass=0:1", "--sample", 3, "--method", "sobol"), "2 or 4"),
        (("--vary", "payload.mass=-1,1"), "at payload.mass = -1"),
        (("--vary", "payload.mass=1", "--record", "tips"), "record: "),
    ],
)
def test_what_is_wrong_is_one_line(flexarm, folder, options, words):
    done = flexarm("sweep", "small.yaml", *options)
    assert done.exit_code == 2
    assert words in done.stderr
    assert done.stderr.count("\n") == 1
    assert not (folder / "outputs").exists()


def test_options_do_not_mix_with_a_file(flexarm, folder):
    (folder / "sweep.yaml").write_text(SWEEP)
    done = flexarm("sweep", "sweep.yaml", "--record", "steps")
    assert done.exit_code == 2
    assert "write record into it" in done.stderr


@pytest.mark.slow
def test_failed_runs_are_reported_with_their_reasons(flexarm):
    done = flexarm("sweep", "small.yaml", "--vary", "run.max_steps=1,2,1000", "--workers", 1)
    assert done.exit_code == 0
    assert "1 run failed: stopped at t = " in done.stderr
    assert (
        flexarm("sweep", "small.yaml", "-V", "run.max_steps=1", "--workers", 1, "-o", "all.h5").exit_code == 3
    )


def test_ctrl_c_and_resume(folder):
    """Both as typed: the signal goes to the whole group of processes, as from a terminal."""
    text = (folder / "small.yaml").read_text()
    (folder / "small.yaml").write_text(text.replace("duration: 0.2", "duration: 120.0"))
    command = [*FLEXARM, "sweep", "small.yaml", "--vary", "payload.mass=0:1:6", "--workers", "1"]
    yielding = ["nice", "-n", "10", *command]  # to this process, which has to send the signal in time
    process = subprocess.Popen(yielding, stderr=subprocess.PIPE, text=True, start_new_session=True)
    parts = folder / "outputs" / "small-sweep.h5.parts"
    while process.poll() is None and not parts.exists():
        with pytest.raises(subprocess.TimeoutExpired):
            process.wait(timeout=0.01)
    os.killpg(process.pid, signal.SIGINT)
    _, stderr = process.communicate(timeout=120)
    assert process.returncode == 3, stderr
    assert "interrupted after " in stderr
    assert "Traceback" not in stderr
    assert stderr.count("\n") == 1
    done = subprocess.run([*command, "--resume"], capture_output=True, text=True)
    assert done.returncode == 0
    assert ("nothing to resume" in done.stderr) == ("nothing had been computed" in stderr)
    assert done.stderr.count("\n") == done.stderr.count("nothing to resume")
    assert not parts.exists()
    assert open_sweep(folder / "outputs" / "small-sweep.h5").failed.sum() == 0


@pytest.mark.slow
def test_resuming_without_anything_to_resume_is_reported(flexarm):
    command = (
        "sweep",
        "small.yaml",
        "--vary",
        "payload.mass=0,1",
        "--workers",
        1,
        "--resume",
        "-o",
        "masses.h5",
    )
    done = flexarm(*command)
    assert done.exit_code == 0
    assert done.stderr.startswith("flexarm: there is nothing to resume in ")
    assert done.stderr.endswith("masses.h5.parts: starting with the first point\n")
    assert done.stderr.count("\n") == 1
    assert flexarm(*command, "--overwrite", "-q").stderr == ""


TIP = "space: joint\nduration: 0.5\nline: {from: [0 deg], to: [30 deg], law: septic}\n"


@pytest.mark.slow
def test_inverse_runs_by_options_and_by_a_file(flexarm, folder):
    (folder / "beam.yaml").write_text("name: beam\nlinks: [{length: 1.0, mu: 1.0, EI: 100.0}]\n")
    (folder / "turn.yaml").write_text(TIP)
    typed = flexarm(
        "sweep", "beam.yaml", "--trajectory", "turn.yaml", "--vary", "payload.mass=0,1", "--record", "max_torque",
        "-v",
    )  # fmt: skip
    assert (typed.exit_code, typed.stderr) == (0, "")
    assert "max_torque: " in typed.stdout
    entries = "arm: beam.yaml\ntrajectory: turn.yaml\ninverse_method: rigid\nvary: {payload.mass: [0, 1]}\n"
    (folder / "turns.yaml").write_text(entries)
    assert flexarm("sweep", "turns.yaml").exit_code == 0
    alone = flexarm("sweep", "beam.yaml", "--vary", "payload.mass=0,1", "--inverse-method", "rigid")
    assert alone.exit_code == 2
    assert "--inverse-method goes with --trajectory" in alone.stderr
