"""Machine code for this processor and for the plainest of its kind, side by side in one cache."""

import os
import subprocess
import sys

import casadi as ca
import numpy as np
import pytest
from llvmlite import binding as llvm

from flexarm.codegen.native import compile_native
from flexarm.codegen.processor import SETTING, processor
from flexarm.errors import SpecError

# 1 + 2 u + u^2 less its rounded value: only a fused product and sum sees u^2
CODE = """
import casadi as ca
from flexarm.codegen import object_cache
from flexarm.codegen.native import compile_native
from flexarm.codegen.processor import processor
from flexarm.solvers.compiled.kernel_code import load_kernel
from flexarm.solvers.rk4 import method as rk4
u = 2.0**-30
t, y, p = ca.SX.sym("t"), ca.SX.sym("y", 3), ca.SX.sym("p", 0)
f = compile_native(ca.Function("f", [t, y, p], [y[2] + y[0] * y[1]]))
load_kernel("solvers.rk4.kernel.advance", rk4.SIGNATURE)
print(processor().lanes, processor().fuses, f(0.0, [1 + u, 1 + u, -1 - 2 * u])[0] == u * u)
"""


@pytest.fixture
def setting(monkeypatch):
    """Sets what the environment asks for."""

    def asks_for(value):
        processor.cache_clear()
        monkeypatch.setenv(SETTING, value)

    yield asks_for
    processor.cache_clear()


@pytest.mark.slow
def test_processors_that_share_a_home_have_code_of_their_own(tmp_path):
    """As two machines do: the second start of each finds what its first has left, and nothing of the other."""
    printed, files = [], []
    for wanted in ("generic", "native", "generic", "native"):
        environment = {**os.environ, SETTING: wanted, "XDG_CACHE_HOME": str(tmp_path)}
        done = subprocess.run(
            [sys.executable, "-c", CODE], env=environment, capture_output=True, text=True, check=True
        )
        printed.append(done.stdout.split())
        files.append({path.name for path in tmp_path.rglob("*.o")})
    features = llvm.get_host_cpu_features()
    fuses = str(features.get("fma", False) or llvm.get_default_triple().startswith(("aarch64", "arm64")))
    assert printed[1] == ["4" if features.get("avx") else "2", fuses, fuses]
    assert fuses == "False" or printed[0] == ["2", "False", "False"]
    assert printed[2:] == printed[:2]
    assert [len(names) for names in files] == [2, 4, 4, 4]


def test_lanes_of_any_width_compute_the_same_bits():
    t, y, p = ca.SX.sym("t"), ca.SX.sym("y", 2), ca.SX.sym("p", 0)
    f = ca.Function("f", [t, y, p], [ca.sin(y[0] * y[1]) + y[0] / (1 + y[1] ** 2)])
    states = np.random.default_rng(0).normal(size=(2, 8))
    found = []
    for lanes in (2, 4, 8):
        g = compile_native(f, lanes=lanes)
        parts = [np.ascontiguousarray(states[:, k : k + lanes]) for k in range(0, 8, lanes)]
        found.append(np.concatenate([g(np.zeros(lanes), part, np.empty((0, lanes)))[0] for part in parts]))
    np.testing.assert_array_equal(found[0], found[1])
    np.testing.assert_array_equal(found[0], found[2])


def test_a_processor_that_there_is_not_is_refused(setting):
    setting("pentium")
    with pytest.raises(SpecError, match="FLEXARM_PROCESSOR: expected native or generic, got 'pentium'"):
        processor()


@pytest.mark.parametrize(("features", "lanes"), [({"avx": True}, 4), ({"sse2": True, "avx": False}, 2)])
def test_lanes_fill_a_register(setting, monkeypatch, features, lanes):
    class Features(dict):
        def flatten(self):
            return ""

    monkeypatch.setattr(llvm, "get_host_cpu_features", lambda: Features(features))
    setting("native")
    assert processor().lanes == lanes
