"""Expressions of t: the same values as Python's own, in any arithmetic, and nothing else gets through."""

import math
import re

import casadi as ca
import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from pydantic_core import PydanticCustomError

from flexarm.description.values.expression import FUNCTIONS, Expression

PYTHON = {
    **{name: getattr(math, name) for name in FUNCTIONS if hasattr(math, name)},
    "abs": abs,
    "min": min,
    "max": max,
    "sign": lambda x: (x > 0) - (x < 0),
    "step": lambda x: 1.0 if x >= 0 else 0.0,
}
CASADI = {
    **{name: getattr(ca, name) for name in FUNCTIONS if hasattr(ca, name)},
    "asin": ca.asin, "acos": ca.acos, "atan": ca.atan, "atan2": ca.atan2, "abs": ca.fabs,
    "min": ca.fmin, "max": ca.fmax, "step": lambda x: ca.if_else(x >= 0, 1, 0),
}  # fmt: skip

ROUND_OFF = 1e-12  # two arithmetics round differently; relative to the larger of the value and 1


def _combined(parts):
    unary = [name for name, (least, _) in FUNCTIONS.items() if least == 1]
    binary = [name for name, (least, _) in FUNCTIONS.items() if least == 2]
    return st.one_of(
        st.builds("({} {} {})".format, parts, st.sampled_from(["+", "-", "*", "/"]), parts),
        st.builds("{} {} {}".format, parts, st.sampled_from("+-*"), parts),
        st.builds("({})**{}".format, parts, st.integers(0, 3)),
        st.builds("-{}".format, parts),
        st.builds("{}({})".format, st.sampled_from(unary), parts),
        st.builds("{}({}, {})".format, st.sampled_from(binary), parts, parts),
    )


atoms = st.one_of(st.just("t"), st.just("pi"), st.floats(0, 10).map(repr), st.integers(0, 99).map(str))
texts = st.recursive(atoms, _combined, max_leaves=12)


def python_value(text, t):
    """The value by Python itself; skips what has none or is chopped beyond comparison."""
    try:
        value = eval(text, {"__builtins__": {}}, {**PYTHON, "pi": math.pi, "t": t})
    except (ArithmeticError, ValueError):
        assume(False)
    assume(isinstance(value, int | float) and abs(value) < 1e6)
    return value


@given(text=texts, t=st.floats(-5, 5))
def test_values_are_those_of_python(text, t):
    value = python_value(text, t)
    assert Expression(text).evaluate(t, PYTHON) == pytest.approx(value, rel=ROUND_OFF, abs=ROUND_OFF)


@pytest.mark.parametrize(
    "text",
    [
        "5*sin(2*pi*t)",
        "-t**2 + 2**-t",
        "min(t, 1.5, 0.3*t + 1)/max(1, t)",
        "step(t - 1) - step(t - 2) + sign(t - 1)*abs(t - 1.5)",
        "atan2(sin(t), cos(t)) + atan(t) + asin(t/4) + acos(t/4)",
        "exp(-t)*cosh(t) + sinh(t)*tanh(t) + log(1 + t) + sqrt(t) + tan(t/4)",
        "3",
    ],
)
def test_floats_arrays_and_symbols_give_the_same_values(text):
    times = np.array([0.0, 0.5, 1.0, 1.5, 2.0, 3.0])
    expected = [Expression(text).evaluate(t, PYTHON) for t in times.tolist()]
    t = ca.SX.sym("t")
    symbolic = ca.Function("f", [t], [ca.SX(Expression(text).evaluate(t, CASADI))])
    tolerance = {"rtol": ROUND_OFF, "atol": ROUND_OFF}
    np.testing.assert_allclose(Expression(text).at(times), expected, **tolerance)
    np.testing.assert_allclose(symbolic(times[None]).full()[0], expected, **tolerance)


def test_the_functions_of_the_list_are_all_evaluated_by_numpy():
    for name, (count, _) in FUNCTIONS.items():
        value = Expression(f"{name}({', '.join(['0.5', 't'][:count])})").at(np.array([0.25]))
        assert np.isfinite(value).all(), name


@pytest.mark.parametrize("text", ["1/0 + 0*t", "(-8)**(1/3)", "sqrt(-1)", "9.0**9.0**9.0", "log(0*t)"])
def test_what_has_no_finite_value_is_nan_or_infinite(text):
    assert not np.isfinite(Expression(text).at(np.array([1.0]))).any()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("2*x", "unknown name 'x'"),
        ("sine(t)", "unknown function 'sine'.*did you mean 'sin'"),
        ("T", "unknown name 'T'"),
        ("sin", "without its argument"),
        ("sin(t, 1)", "got 2 arguments for 'sin', expected 1"),
        ("min(t)", "got 1 arguments for 'min', expected at least 2"),
        ("t^2", r"powers are written with \*\*"),
        ("2t", "products need"),
        ("sin(t", "near"),
        ("", "expected an expression"),
        ("t if t > 1 else 0", "not allowed"),
        ("t > 1", "'t > 1', which is not allowed"),
        ("t.real", "'t.real', which is not allowed"),
        ("t[0]", "not allowed"),
        ("[t for t in t]", "not allowed"),
        ("(lambda: t)()", "not allowed"),
        ("'a'*3", "not allowed"),
        ("True", "not allowed"),
        ("1j*t", "not allowed"),
        ("t // 2", "not allowed"),
        ("not t", "not allowed"),
        ("sin(x=t)", "not allowed"),
        ("sin(*t)", "not allowed"),
        ("__import__('os').system('ls')", "not allowed"),
        ("import os", "expected an expression"),
        ("t\nt", "expected an expression"),
        ("1e999*t", "too large"),
        ("9" * 400, "too large"),
        ("t" + "+t" * 2000, "4001 characters"),
        ("t" + "+t" * 500, "nested more than"),
        ("-" * 1500 + "t", "nested more than|expected an expression"),
        ("(" * 500 + "t" + ")" * 500, "expected an expression"),
    ],
    ids=lambda value: value[:30],
)
def test_everything_else_is_refused(text, words):
    with pytest.raises(PydanticCustomError) as caught:
        Expression(text)
    message, hint = caught.value.context["message"], caught.value.context["hint"]
    assert re.search(words, f"{message} ({hint})")


def test_towers_of_powers_end_at_once_without_a_value():
    assert np.isnan(Expression("9**9**9**9**9").at(np.array([1.0]))).all()


def test_expressions_are_values():
    assert Expression("2*t") == Expression("2*t") != Expression("3*t")
    assert hash(Expression("2*t")) == hash(Expression("2*t"))
