"""The way into the program: quick, and quiet when it is left early."""

import io
import os
import subprocess
import sys

import h5py
import numpy as np
import pytest
from breadth import thinned
from paths import ROBOTS

LEFT_EARLY = """
import os, signal, sys

class Interrupting:
    def find_spec(self, name, *_):
        if name == MODULE:
            os.kill(os.getpid(), signal.SIGNAL)

sys.meta_path.insert(0, Interrupting())
from flexarm.cli.entry import run
sys.argv = ["flexarm", "schema"]
run()
"""

SWALLOWED = """
import os, signal, sys

class Interrupting:
    def find_spec(self, name, *_):
        if name == "flexarm.urdf.import_urdf":
            WAY

class Dying:
    def __del__(self):
        os.kill(os.getpid(), signal.SIGNAL)
        for _ in range(1000):
            pass

def fail():
    try:
        os.kill(os.getpid(), signal.SIGNAL)
        for _ in range(1000):
            pass
    except BaseException:
        raise ImportError("C extension: None not built")

sys.meta_path.insert(0, Interrupting())
from flexarm.cli.entry import run
sys.argv = ["flexarm", "import", URDF, "-o", OUTPUT]
run()
"""
"""A signal while `import` loads its modules, of which no exception, or another one, comes out."""

HELP = """
import sys
from flexarm.cli.entry import run
sys.argv = ["flexarm", "--help"]
try:
    run()
finally:
    heavy = {"numpy", "scipy", "casadi", "pydantic", "llvmlite", "numba", "matplotlib", "sympy", "h5py"}
    print("loaded:", sorted(heavy & set(sys.modules)))
"""

SIMULATE = """
import sys
from flexarm.cli.entry import run
sys.argv = ["flexarm", "simulate", ROBOT, "-o", OUTPUT, "-q", "--overwrite"]
try:
    run()
finally:
    needless = {
        "email",
        "matplotlib",
        "scipy",
        "sympy",
        "flexarm.simulation.forward.motion_with_contact",
        "flexarm.description.sweep.sweep_description",
        "flexarm.description.motion.trajectory",
    }
    print("loaded:", sorted(needless & set(sys.modules)))
"""
DERIVING = """
"casadi", "flexarm.codegen.native", "flexarm.formulations", "flexarm.links", "flexarm.model.chain",
"flexarm.simulation.forces.applied_forces", "flexarm.simulation.forward.parametric_model"
"""
ROBOT = ROBOTS / "usoro_two_link.yaml"


def python(code):
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    ("module", "number"),
    thinned(
        [(module, number) for module in ("click", "flexarm.cli.schema") for number in ("SIGINT", "SIGTERM")]
    ),
)
def test_a_signal_during_loading_is_one_line(number, module):
    done = python(LEFT_EARLY.replace("MODULE", repr(module)).replace("SIGNAL", number))
    assert done.returncode == 3
    assert done.stderr.strip() == "flexarm: error: interrupted; nothing was written"


@pytest.mark.parametrize("number", ["SIGINT", "SIGTERM"])
@pytest.mark.parametrize("way", ["Dying(); time.sleep(60)", "fail()"], ids=["destructor", "another failure"])
def test_a_signal_that_is_swallowed_while_a_command_loads_is_one_line(number, way, tmp_path):
    code = SWALLOWED.replace("WAY", f"import time; {way}").replace("SIGNAL", number)
    urdf = ROBOTS / "urdf" / "slide_arm.urdf"
    done = python(code.replace("URDF", repr(str(urdf))).replace("OUTPUT", repr(str(tmp_path / "arm.yaml"))))
    assert done.returncode == 3, done.stderr
    assert done.stderr.strip() == "flexarm: error: interrupted; nothing was written"
    assert not list(tmp_path.iterdir())


def test_help_loads_nothing_heavy():
    done = python(HELP)
    assert done.returncode == 0
    assert done.stdout.endswith("loaded: []\n")


def test_simulation_loads_nothing_that_it_does_not_need(tmp_path):
    output = tmp_path / "run.h5"
    done = python(SIMULATE.replace("ROBOT", repr(str(ROBOT))).replace("OUTPUT", repr(str(output))))
    assert done.returncode == 0
    assert done.stdout == "loaded: []\n"
    assert output.exists()


def test_second_simulation_of_an_arm_loads_nothing_that_derives(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    output = tmp_path / "run.h5"
    code = SIMULATE.replace("ROBOT", repr(str(ROBOT))).replace("OUTPUT", repr(str(output)))
    first = python(code)
    written = output.read_bytes()
    second = python(code.replace("needless = {", f"needless = {{{DERIVING},"))
    assert (first.returncode, second.returncode) == (0, 0)
    assert second.stdout == "loaded: []\n"
    with h5py.File(io.BytesIO(written)) as before, h5py.File(output) as after:
        assert before.keys() == after.keys()
        for name in before:
            np.testing.assert_array_equal(after[name][...], before[name][...], err_msg=name)


@pytest.mark.parametrize(
    ("file", "code", "redirection"),
    thinned(
        [
            (file, code, redirection)
            for file, code in ((str(ROBOT), 0), ("missing.yaml", 2))
            for redirection in (">&-", "2>&-", "> /dev/full", "2> /dev/full", "> /dev/full 2>&1", ">&- 2>&-")
        ],
        every=9,
    ),
)
def test_the_exit_code_is_the_run_s_whatever_becomes_of_its_output(redirection, file, code):
    command = f"{sys.executable} -c 'from flexarm.cli.entry import run; run()' check {file} {redirection}"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False)
    assert done.returncode == code
    assert "Error" not in done.stderr


@pytest.mark.parametrize("encoding", thinned(["ascii", "latin-1", "utf-8"]))
def test_any_terminal_shows_any_name(encoding, tmp_path):
    file = tmp_path / "arm.yaml"
    file.write_text("name: \u81c2\nlinks: [{length: 1, mu: 1}]\n", encoding="utf-8")
    command = [sys.executable, "-c", "from flexarm.cli.entry import run; run()", "check", str(file)]
    environment = {**os.environ, "PYTHONIOENCODING": encoding}
    done = subprocess.run(command, capture_output=True, check=False, env=environment)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("\u81c2".encode()) or done.stdout.startswith(b"\\u81c2: 1 link")


def test_a_pipe_or_device_is_no_description(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "pipe", "/dev/zero"):
        command = [sys.executable, "-c", "from flexarm.cli.entry import run; run()", "check", str(path)]
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
        assert done.returncode == 2
        assert (
            done.stderr
            == f"flexarm: error: {path}: is a pipe or a device, expected a file with an arm description\n"
        )


@pytest.mark.parametrize("option", ["--step", "--pre", "--post"])
@pytest.mark.parametrize("value", ["nan", "inf"])
def test_options_are_finite_numbers(flexarm, option, value):
    done = flexarm("inverse", ROBOT, "--trajectory", "missing.yaml", option, value)
    assert done.exit_code == 2
    assert len(done.stderr.splitlines()) == 1
    assert option in done.stderr
