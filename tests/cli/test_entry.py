"""The way into the program: quick, and quiet when it is left early."""

import subprocess
import sys

from paths import ROBOTS

LEFT_EARLY = """
import sys

class Interrupting:
    def find_spec(self, name, *_):
        if name == "click":
            raise KeyboardInterrupt

sys.meta_path.insert(0, Interrupting())
from flexarm.cli.entry import run
run()
"""

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
sys.argv = ["flexarm", "simulate", ROBOT, "-o", OUTPUT, "-q"]
try:
    run()
finally:
    needless = {
        "matplotlib",
        "flexarm.simulation.forward.motion_with_contact",
        "flexarm.description.sweep.sweep_description",
        "flexarm.description.motion.trajectory",
    }
    print("loaded:", sorted(needless & set(sys.modules)))
"""
ROBOT = ROBOTS / "usoro_two_link.yaml"


def python(code):
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)


def test_ctrl_c_during_loading_is_one_line():
    done = python(LEFT_EARLY)
    assert done.returncode == 3
    assert done.stderr == "flexarm: error: interrupted; nothing was written\n"


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
