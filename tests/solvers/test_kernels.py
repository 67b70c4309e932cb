"""Kernels as object code: called without their translator, compiled anew when a source changes."""

import ctypes
import re
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from breadth import thinned

from flexarm.codegen.native_function import target_machine
from flexarm.simulation.state.recorded_stress import STRESS_SIGNATURE
from flexarm.solvers.compiled import kernel_code, sources
from flexarm.solvers.compiled.kernel_code import Kernel
from flexarm.solvers.compiled.signature import Signature
from flexarm.solvers.dop853 import adjoint, to_events
from flexarm.solvers.dop853 import method as dop853
from flexarm.solvers.events import dense_steps, location
from flexarm.solvers.radau import dense_steps as radau_dense_steps
from flexarm.solvers.radau import method as radau
from flexarm.solvers.rk4 import dense_steps as rk4_dense_steps
from flexarm.solvers.rk4 import method as rk4

KERNELS = {
    "solvers.dop853.kernels.kernel.advance": dop853.SIGNATURE,
    "solvers.dop853.kernels.kernel.advance_lanes": dop853.SIGNATURE,
    "solvers.dop853.kernels.kernel.advance_watching": dop853.SIGNATURE,
    "solvers.dop853.kernels.adjoint_kernel.advance_logged": adjoint.LoggedDop853.signature,
    "solvers.dop853.kernels.adjoint_kernel.sweep_back": adjoint.BACK_SIGNATURE,
    "solvers.dop853.kernels.events_kernel.advance_to_event": to_events.EVENTS_SIGNATURE,
    "solvers.dop853.kernels.events_kernel.advance_to_event_watching": to_events.EVENTS_SIGNATURE,
    "solvers.events.steps_kernel.search_steps": location.SEARCH_SIGNATURE,
    "solvers.events.steps_kernel.states_at": dense_steps.STATES_SIGNATURE,
    "solvers.rk4.kernel.advance": rk4.SIGNATURE,
    "solvers.rk4.dense_steps_kernel.take_steps": rk4_dense_steps.DENSE_SIGNATURE,
    "solvers.radau.kernel.advance": radau.SIGNATURE,
    "solvers.radau.dense_steps_kernel.take_steps": radau_dense_steps.DENSE_SIGNATURE,
    "simulation.state.stress_kernel.largest_stress": STRESS_SIGNATURE,
}
METHODS = ("dop853", "rk4", "radau", "auto")
TESTS = Path(__file__).parent

every_kernel = pytest.mark.parametrize("name", thinned(KERNELS))


def test_the_next_process_needs_no_translator():
    for name, signature in KERNELS.items():
        kernel_code.load_kernel(name, signature)  # whose object code is in the cache from here on
    code = WITHOUT_TRANSLATOR.format(folder=str(TESTS), methods=METHODS)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    expected = [f"{method} 2" for method in METHODS] + ["dense steps 3"] * 2 + ["lanes 5"]
    assert done.stdout.splitlines() == expected, done.stderr


WITHOUT_TRANSLATOR = """
import sys
sys.modules["flexarm.codegen.kernels.translation"] = None  # importing it fails
sys.path.insert(0, {folder!r})
from problems import kepler, run
from test_lanes import LANES, ORBIT, TIMES, problem, together
from flexarm.codegen.native import compile_native
from flexarm.solvers.events.dense_integration import start_stepping
for method in {methods!r}:
    print(method, len(run(method, kepler(), [0.0, 1.0])[0]))
for method in ("rk4", "radau"):
    print("dense steps", len(start_stepping(method, kepler()).take_steps(3, 9.0).times))
print("lanes", len(together([problem(compile_native(ORBIT, lanes=LANES))], [TIMES[:5]])[0][0]))
"""


# -- what object code depends on -----------------------------------------------------------------------------


@pytest.fixture
def tree(tmp_path, monkeypatch):
    """A copy of the solvers that may be changed."""
    for part in ("solvers", "codegen", "simulation/state"):
        shutil.copytree(sources.ROOT / "flexarm" / part, tmp_path / "flexarm" / part)
    monkeypatch.setattr(sources, "ROOT", tmp_path)
    return tmp_path / "flexarm"


def content(name):
    return kernel_code._content(name, KERNELS[name])


@every_kernel
def test_content_is_that_of_the_kernel(name, monkeypatch):
    assert content(name) == content(name)
    assert all(content(other) != content(name) for other in KERNELS if other != name)
    before = content(name)
    monkeypatch.setattr(kernel_code, "TRANSLATOR", "flexarm.codegen.kernels.values")
    assert content(name) != before


@every_kernel
def test_content_contains_every_module_that_python_imports_with_the_kernel(name):
    module = "flexarm." + name.rpartition(".")[0]
    code = f"""
import sys, flexarm.solvers
before = set(sys.modules)
import {module}
for name in set(sys.modules) - before:
    if name.startswith("flexarm."):
        print(sys.modules[name].__file__)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    imported = {Path(line) for line in done.stdout.splitlines() if not line.endswith("__init__.py")}
    assert imported
    assert imported <= set(sources.source_files(module))


@every_kernel
def test_content_does_not_depend_on_other_sources(name, tree):
    before = content(name)
    for path in (
        "base.py",
        "solve.py",
        "compiled/time_slices.py",
        "dop853/method.py",
        "rk4/method.py",
        "radau/method.py",
    ):
        (tree / "solvers" / path).write_text("changed = True\n")
    assert content(name) == before


HELPER = {
    "beside the kernel": ("solvers/rk4/helper.py", "from flexarm.solvers.rk4.helper import f"),
    "in another folder": ("elsewhere/helper.py", "from flexarm.elsewhere.helper import f"),
    "as a module": ("elsewhere/helper.py", "import flexarm.elsewhere.helper as helper"),
    "from its folder": ("elsewhere/helper.py", "from flexarm.elsewhere import (\n    other,\n    helper,\n)"),
    "from a package": ("elsewhere/helper/__init__.py", "from flexarm.elsewhere.helper import f"),
    "relative": ("solvers/helper.py", "from ..helper import f"),
    "in a function": ("solvers/helper.py", "def g():\n    from flexarm.solvers import helper"),
}


@pytest.mark.parametrize("how", HELPER)
def test_helper_under_any_name_changes_the_content(how, tree):
    path, statement = HELPER[how]
    kernel, helper = tree / "solvers" / "rk4" / "kernel.py", tree / path
    kernel.write_text(f"{kernel.read_text()}\n{statement}\n")
    helper.parent.mkdir(parents=True, exist_ok=True)
    helper.write_text("def f(): return 1\n")
    before = content("solvers.rk4.kernel.advance")
    helper.write_text("def f(): return 2\n")
    assert content("solvers.rk4.kernel.advance") != before


def test_helper_of_a_helper_changes_the_content(tree):
    names = ("first", "second", "third")
    for name, following in zip(names, (*names[1:], "first"), strict=True):  # a circle does no harm
        (tree / f"{name}.py").write_text(f"from flexarm.{following} import f\n")
    kernel = tree / "solvers" / "rk4" / "kernel.py"
    kernel.write_text(f"{kernel.read_text()}\nfrom flexarm.first import f\n")
    before = content("solvers.rk4.kernel.advance")
    with (tree / "third.py").open("a") as file:
        file.write("changed = True\n")
    assert content("solvers.rk4.kernel.advance") != before


# -- signatures ----------------------------------------------------------------------------------------------


def test_signature_gives_names_types_and_places():
    signature = Signature("uint64 address, int64 n, float64 h, float64* y, int64* counters")
    assert signature.places == {"address": 0, "n": 1, "h": 2, "y": 3, "counters": 4}
    assert signature.types["y"] == "float64*"
    sizes = [re.search("c_(.*)", kind.__name__)[1] for kind in signature.ctypes()._argtypes_]
    assert sizes == ["ulong", "long", "double", "void_p", "void_p"]


def test_parameters_of_another_order_are_refused():
    names = rk4.SIGNATURE.text.replace("float64 t0, float64 h", "float64 h, float64 t0")
    with pytest.raises(TypeError, match=r"rk4\.kernel\.advance: expected the parameters .*'h', 't0'"):
        kernel_code.compile_kernel(
            "solvers.rk4.kernel.advance", Signature(names), target_machine(optimisation=2)
        )


def test_missing_and_unknown_arguments_are_refused():
    kernel = Kernel("solvers.rk4.kernel.advance", rk4.SIGNATURE, y=np.zeros(2))
    with pytest.raises(ctypes.ArgumentError):
        kernel(n=2)
    with pytest.raises(KeyError, match="budget"):
        kernel(budget=2)
