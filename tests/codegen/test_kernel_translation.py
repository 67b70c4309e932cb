"""Kernels mean what Python means by the same text, and what cannot be translated is refused where it stands."""

import ctypes
import math
from typing import NamedTuple

import numpy as np
import pytest
from llvmlite import binding as llvm

from flexarm.codegen.kernels.expressions import KernelError
from flexarm.codegen.kernels.language import array, call, compiled, registers, tail
from flexarm.codegen.kernels.translation import KERNEL, translate
from flexarm.codegen.native_function import target_machine
from flexarm.codegen.object_cache import load_object

TABLE = np.array([[1.5, -2.0], [0.25, 8.0], [3.0, 5.0]])
PAIRS = ((0, 0.5), (2, -3.0))
WIDTHS = (1, 2, 4, 8)


def run(function, types, *values, lanes=4):
    """Compile a kernel and call it; arrays are changed in place."""
    names = function.__code__.co_varnames[: function.__code__.co_argcount]
    module = llvm.parse_assembly(translate(function, dict(zip(names, types, strict=True)), lanes))
    module.verify()
    machine = target_machine(optimisation=2)
    engine = load_object(machine.emit_object(module), machine)
    kinds = [
        ctypes.c_void_p if kind.endswith("*") else ctypes.c_double if kind == "float64" else ctypes.c_int64
        for kind in types
    ]
    native = ctypes.CFUNCTYPE(ctypes.c_int64, *kinds)(engine.get_function_address(KERNEL))
    return native(*(value.ctypes.data if isinstance(value, np.ndarray) else value for value in values))


# -- integers ------------------------------------------------------------------------------------------------


def integers(a, b, out, n):
    out = array(out, n)
    out[0] = a + b
    out[1] = a - 2 * b
    out[2] = a // b
    out[3] = a % b
    out[4] = -a
    out[5] = a < b <= 7
    out[6] = not (a == b and b > 0) or a < 0
    out[7] = abs(a) ** 3
    out[-1] = min(a, b, 3) - max(b, a)
    return a != b


@pytest.mark.parametrize(("a", "b"), [(7, 3), (-7, 3), (7, -3), (-7, -3), (6, 3), (0, 5)])
def test_integers_round_down_as_in_python(a, b):
    out = np.zeros(9, dtype=np.int64)
    assert run(integers, ["int64", "int64", "int64*", "int64"], a, b, out, 9) == 1
    expected = [a + b, a - 2 * b, a // b, a % b, -a, a < b <= 7, not (a == b and b > 0) or a < 0, abs(a) ** 3]
    assert out.tolist() == [*map(int, expected), min(a, b, 3) - max(b, a)]


# -- floats --------------------------------------------------------------------------------------------------


def floats(x, y, out):
    out = array(out, 12)
    out[0], out[1] = x / y, x**0.3
    out[2] = math.sqrt(abs(x)) - x**2 * y
    out[3] = min(x, y)
    out[4] = max(x, y)
    out[5] = math.isfinite(x)
    out[6] = math.isnan(x)
    out[7] = x if x > y else y
    out[8] = 7 / 2 + math.pi
    out[9] = x == y or x > 1.0
    out[10] = float(3) * x
    out[11] = -x
    return int(y)


@pytest.mark.parametrize("x", [2.5, 0.7, math.inf, math.nan])
def test_floats(x):
    y, out = 1.25, np.zeros(12)
    assert run(floats, ["float64", "float64", "float64*"], x, y, out) == 1
    expected = [
        x / y, x**0.3, math.sqrt(abs(x)) - x**2 * y, min(x, y), max(x, y), math.isfinite(x), math.isnan(x),
        x if x > y else y, 3.5 + math.pi, x == y or x > 1.0, 3.0 * x, -x,
    ]  # fmt: skip
    np.testing.assert_allclose(out, np.array(expected, dtype=float), rtol=1e-15)


# -- control flow --------------------------------------------------------------------------------------------


@compiled
def first_above(values, limit):
    """Several returns, one of them in a loop."""
    for i in range(values.size):
        if values[i] > limit:
            return i
    return -1


@compiled
def clipped(value, limit):
    if value > limit:
        value = limit
    return value


def control(n, values, out, limit):
    values, out = array(values, n), array(out, 8)
    out[0] = first_above(values, limit)
    out[1] = first_above(values, math.inf)
    total = 0
    for i in range(n - 1, -1, -2):
        total = 10 * total + i
    out[2] = total
    k = 0
    while True:
        k += 1
        if k % 2:
            continue
        if k * k > n:
            break
    out[3] = k
    i = 0
    while i < n and values[i] < limit:  # beyond the end nothing is read
        i += 1
    out[4] = i
    for j in range(1, n, 3):
        out[5] += clipped(j, 4)
    first, second = 1, 2
    first, second = second, first
    out[6] = 10 * first + second
    if limit > 0.0:
        sign = 1
    elif limit == 0.0:
        sign = 0
    else:
        sign = -1
    out[7] = sign
    return 0


def test_loops_branches_and_returns():
    values, out = np.arange(6.0), np.zeros(8, dtype=np.int64)
    run(control, ["int64", "float64*", "int64*", "float64"], 6, values, out, 2.5)
    assert out.tolist() == [3, -1, 531, 4, 3, 5, 21, 1]
    out[:] = 0
    run(control, ["int64", "float64*", "int64*", "float64"], 6, values, out, 9.0)
    assert out.tolist() == [-1, -1, 531, 4, 6, 5, 21, 1]


# -- arrays --------------------------------------------------------------------------------------------------


def matrices(n, m, a, out):
    a, out = array(a, n, m), array(out, 8)
    row = a[1]
    out[0], out[1], out[2] = row.size, a.size, a.shape[1]
    out[3] = row[2] + a[0, -1]
    a[1, 0] += 5.0
    out[4] = row[0]
    for i in range(TABLE.shape[0]):
        out[5] += TABLE[i, 1]
    out[6] = TABLE[2][0]
    for place, weight in PAIRS:
        out[7] += weight * a[0, place]
    return 0


def test_arrays_rows_and_tables():
    a, out = np.arange(6.0).reshape(2, 3), np.zeros(8)
    run(matrices, ["int64", "int64", "float64*", "float64*"], 2, 3, a, out)
    assert out.tolist() == [3, 6, 3, 5 + 2, 8, 11, 3, 0 * 0.5 - 3 * 2]
    assert a[1, 0] == 8


class Parts(NamedTuple):
    first: object
    rest: object


@compiled
def parts_of(x, k):
    return Parts(array(x, k), tail(x, k))


def bundles(n, k, x, out):
    parts, out = parts_of(array(x, n), k), array(out, 4)
    out[0], out[1], out[2] = parts.first.size, parts.rest.size, parts.rest[0]
    matrix = array(parts.rest, 2, 2)
    out[3] = matrix[1, 0]
    for part in parts:
        part[0] = -1.0
    return 0


def test_arrays_that_belong_together():
    x, out = np.arange(7.0), np.zeros(4)
    run(bundles, ["int64", "int64", "float64*", "float64*"], 7, 3, x, out)
    assert out.tolist() == [3, 4, 3, 5]
    assert x.tolist() == [-1, 1, 2, -1, 4, 5, 6]


# -- registers -----------------------------------------------------------------------------------------------


@compiled
def weighted(weights, x, i):
    total = -0.0
    for j, weight in weights:
        total = total + weight * x[j, i]
    return total


def sums(n, x, scale, out):
    x, out = array(x, 3, n), array(out, 2, n)
    for i in registers(n):
        total = weighted(PAIRS, x, i) * scale
        out[0, i] = total / 3 + max(x[1, i], 0.1)
        out[1, i] = math.sqrt(abs(x[0, i])) if x[1, i] > 0.0 and x[2, i] > 0.0 else x[2, i]
    return 0


def test_registers_of_any_width_compute_the_same_bits():
    n, found = 13, []
    x = np.random.default_rng(0).normal(size=(3, n))
    for lanes in WIDTHS:
        found.append(np.zeros((2, n)))
        run(sums, ["int64", "float64*", "float64", "float64*"], n, x, 0.7, found[-1], lanes=lanes)
        np.testing.assert_array_equal(found[0], found[-1])
    expected = (0.5 * x[0] - 3.0 * x[2]) * 0.7 / 3 + np.maximum(x[1], 0.1)
    np.testing.assert_allclose(found[0][0], expected, rtol=1e-15, atol=1e-15)
    chosen = np.where((x[1] > 0) & (x[2] > 0), np.sqrt(np.abs(x[0])), x[2])
    np.testing.assert_array_equal(found[0][1], chosen)


def from_the_middle(start, n, x, out):
    x, out = array(x, n), array(out, n)
    for i in registers(start, n):
        out[i] = 2.0 * x[i]
    return 0


@pytest.mark.parametrize("start", [0, 1, 5, 13, 15])
@pytest.mark.parametrize("lanes", WIDTHS)
def test_registers_from_the_middle_on(start, lanes):
    x, out = np.arange(13.0), np.zeros(13)
    run(from_the_middle, ["int64", "int64", "float64*", "float64*"], start, 13, x, out, lanes=lanes)
    np.testing.assert_array_equal(out, np.where(np.arange(13) < start, 0, 2 * x))


# -- calls ---------------------------------------------------------------------------------------------------


def calling(address, x, out):
    x, out = array(x, 2, 3), array(out, 3)
    call(address, x[1], out)
    return 0


def test_native_functions_are_called_by_their_address():
    @ctypes.CFUNCTYPE(None, ctypes.POINTER(ctypes.c_double), ctypes.POINTER(ctypes.c_double))
    def double(x, out):
        for i in range(3):
            out[i] = 2 * x[i]

    x, out = np.arange(6.0), np.zeros(3)
    run(calling, ["uint64", "float64*", "float64*"], ctypes.cast(double, ctypes.c_void_p).value, x, out)
    assert out.tolist() == [6, 8, 10]


def factory(power):
    def kernel(out):
        out = array(out, 1)
        out[0] = 2.0**power
        return power

    return kernel


def test_names_of_enclosing_functions_are_known():
    out = np.zeros(1)
    assert run(factory(3), ["float64*"], out) == 3
    assert out[0] == 8


# -- what is refused -----------------------------------------------------------------------------------------


def with_statement(n):
    with n:
        return 0


def changes_kind(n):
    k = 0
    k = 0.5 * n
    return int(k)


def register_as_number(n, x):
    x = array(x, n)
    for i in registers(n):
        x[i] = i
    return 0


def register_in_front(n, x):
    x = array(x, n, n)
    for i in registers(n):
        x[i, 0] = 1.0
    return 0


def sum_in_registers(n, x):
    x, total = array(x, n), 0.0
    for i in registers(n):
        total += x[i]
    return int(total)


def wrong_count(n, x):
    return first_above(array(x, n))


def array_in_a_branch(n, x):
    x = array(x, 2, n)
    row = x[0]
    if n > 3:
        row = x[1]
    return int(row[0])


def unknown(n):
    return n + nowhere  # noqa: F821  # pyright: ignore[reportUndefinedVariable]


def other_function(n):
    return int(math.erf(n))


REFUSED = {
    with_statement: "a statement that kernels do not have",
    changes_kind: "an integer before, now a float",
    register_as_number: "stands for several elements",
    register_in_front: "indexes the last axis alone",
    sum_in_registers: "one number before, now one in each lane",
    wrong_count: "expected 2 arguments, got 1",
    array_in_a_branch: "another meaning outside",
    unknown: "nowhere has no value here",
    other_function: "a function that kernels do not have",
}


@pytest.mark.parametrize("function", REFUSED, ids=lambda each: each.__name__)
def test_what_cannot_be_translated_is_refused_where_it_stands(function):
    names = function.__code__.co_varnames[: function.__code__.co_argcount]
    types = {name: "int64" if name == "n" else "float64*" for name in names}
    with pytest.raises(KernelError, match=REFUSED[function]) as error:
        translate(function, types, 4)
    line = int(str(error.value).partition(":")[2].partition(":")[0])
    first = function.__code__.co_firstlineno
    assert __file__ in str(error.value)
    assert first < line <= first + 5


@pytest.mark.parametrize("name", [array, lambda x: tail(x, 1), call, registers, lambda x: first_above(x, 1)])
def test_without_compilation_it_has_no_meaning(name):
    with pytest.raises(TypeError, match="a meaning in compiled kernels only"):
        name(None)
