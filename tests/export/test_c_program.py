"""Programs as C text, compiled: the numbers are CasADi's, however long the functions may be."""

import ctypes
import subprocess

import casadi as ca
import numpy as np
import pytest
from compiled_step import FLAGS, GCC

from flexarm.codegen.instructions import OPERATIONS
from flexarm.export import c_program
from flexarm.export.c_program import CFunction, number_text

pytestmark = pytest.mark.skipif(GCC is None, reason="no gcc here")
X = ca.SX.sym("x", 6)


def evaluated(f, x, folder):
    """Results of f, compiled as a function of x."""
    n = f.numel_out(0)
    function = CFunction("f", {"x": "const double *x", "out": "double *restrict out"})
    text = function.text(f, [lambda k: f"x[{k}]"], [lambda k: f"out[{k}]"])
    call = (
        "void call(const double *x, double *out);\nvoid call(const double *x, double *out) { f(x, out); }\n"
    )
    (folder / "f.c").write_text(f"#include <math.h>\n{text}{call}")
    command = [GCC, *FLAGS, "-D_XOPEN_SOURCE=600", "-O1", "-shared", "-fPIC", "f.c", "-o", "f.so", "-lm"]
    subprocess.run(command, cwd=folder, check=True)
    out = np.full(n, np.nan)
    ctypes.CDLL(str(folder / "f.so")).call(*(ctypes.c_void_p(each.ctypes.data) for each in (x, out)))
    return out, text


def all_operations():
    """Every operation that programs have, of arguments within its range, and of signs, zeros and truth."""
    a, b = 0.3 + 0.4 * X[0] ** 2, 0.2 + 0.3 * ca.fabs(X[1])
    makers = {name: getattr(ca, "OP_" + name.upper()) for name in OPERATIONS}
    beyond = {"acosh": 1 + a}
    values = [
        ca.SX.unary(code, beyond.get(name, a)) if OPERATIONS[name] == 1 else ca.SX.binary(code, a, b)
        for name, code in makers.items()
        if name != "constpow"
    ]
    signs = [
        ca.sign(X[2]),
        ca.sign(0 * X[2]),
        ca.if_else(X[2] > X[3], X[4], -X[5]),
        ca.fabs(a) ** 2.5,
        X[2] ** 0.3,
    ]
    return ca.Function("f", [X], [ca.vertcat(*values, *signs, 1.5, 0 * X[0], X[1])])


@pytest.mark.parametrize("statements", [1000, 7])
def test_every_operation_is_casadis(statements, tmp_path, monkeypatch):
    monkeypatch.setattr(c_program, "STATEMENTS", statements)
    f, x = all_operations(), np.array([0.3, -0.4, 0.5, -0.6, 0.7, 0.8])
    got, text = evaluated(f, x, tmp_path)
    assert text.count("static void") == (1 if statements == 1000 else text.count("  f_") + 1)
    assert got == pytest.approx(f(x).full().ravel(), rel=1e-14, nan_ok=True)


def test_values_that_cross_functions_survive(tmp_path, monkeypatch):
    monkeypatch.setattr(c_program, "STATEMENTS", 5)
    values, rng = [X[k] for k in range(6)], np.random.default_rng(0)
    for _ in range(300):
        i, j = rng.integers(len(values), size=2)
        values.append(ca.sin(values[i]) + values[j] * rng.normal() * 0.5)
    f = ca.Function("f", [X], [ca.vertcat(*values[::7])])
    x = rng.normal(size=6)
    got, text = evaluated(f, x, tmp_path)
    assert "work[" in text
    assert got == pytest.approx(f(x).full().ravel(), rel=1e-12)


def test_a_program_without_operations(tmp_path):
    f = ca.Function("f", [X], [ca.vertcat(X[3], 2.0)])
    assert evaluated(f, np.arange(6.0), tmp_path)[0].tolist() == [3.0, 2.0]


def test_numbers_are_written_exactly():
    for value in (0.1, -1 / 3, 1e-320, 1.7e308, 5.0):
        assert float(number_text(value).strip("()")) == value
    assert number_text(-0.0) == "(-0.0)"
    assert number_text(np.inf) == "HUGE_VAL"
