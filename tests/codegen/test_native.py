"""Machine code gives what CasADi's own interpreter gives."""

import ctypes
import math

import casadi as ca
import numpy as np
import pytest
from breadth import thinned

from flexarm.codegen.instructions import OPERATIONS, instructions
from flexarm.codegen.llvm.entry_points import entry_text
from flexarm.codegen.llvm.function_bodies import program_text
from flexarm.codegen.llvm.operations import value_type
from flexarm.codegen.llvm.sample_loops import map_text
from flexarm.codegen.native import compile_native, compile_text, state_jacobian
from flexarm.codegen.native_function import NativeFunction, Program
from flexarm.codegen.piecewise_polynomial import PiecewisePolynomial

ULP = np.finfo(float).eps
# Both call the same C library; intrinsics may round the last bits differently.
FEW_ULP = 4 * ULP
# A long chain of operations with fused products: rounding differs and adds up.
LONG_CHAIN = 1e-11

T, Y, P = ca.SX.sym("t"), ca.SX.sym("y", 3), ca.SX.sym("p", 2)

SPECIAL = [0.0, -0.0, 0.3, -0.3, 1.0, -1.0, 2.5, -2.5, 1e-320, 1e300, math.inf, -math.inf, math.nan]

UNARY = {
    **{
        name: getattr(ca, name)
        for name in ("sqrt", "sin", "cos", "tan", "exp", "log", "sinh", "cosh", "tanh")
    },
    **{
        name: getattr(ca, name)
        for name in ("asinh", "acosh", "atanh", "floor", "ceil", "fabs", "sign", "erf")
    },
    **{name: getattr(ca, name) for name in ("asin", "acos", "atan", "expm1", "log1p")},
    "neg": lambda x: -x,
    "sq": lambda x: x * x,
    "twice": lambda x: 2 * x,
    "inv": lambda x: 1 / x,
    "not": ca.logic_not,
}
BINARY = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "div": lambda a, b: a / b,
    "pow": lambda a, b: a**b,
    "constpow": lambda a, b: ca.constpow(a, 2.3),
    "lt": lambda a, b: a < b,
    "le": lambda a, b: a <= b,
    "eq": lambda a, b: a == b,
    "ne": lambda a, b: a != b,
    "and": ca.logic_and,
    "or": ca.logic_or,
    "if_else_zero": lambda a, b: ca.if_else(a, b, 0),
    **{
        name: getattr(ca, name)
        for name in ("fmin", "fmax", "fmod", "remainder", "copysign", "atan2", "hypot")
    },
}


def function(expression):
    return ca.Function("f", [T, Y, P], [expression])


def interpreted(f, t, y, p):
    return np.asarray(f(t, y, p)).ravel(order="F")


def chain(length):
    """Long straight code whose values stay near 1 and live long: every 7th value returns much later."""
    values = [ca.sin(Y[0]), ca.cos(Y[1]), Y[2], P[0], P[1], T]
    for k in range(length):
        a, b = values[-1], values[-2 - (k * k) % (len(values) - 1)]
        values.append(ca.cos(a) * b + 0.1 * a if k % 7 else a / (2 + b * b) + values[k // 7])
    return ca.vertcat(values[-1], values[-1], values[len(values) // 2], 7.25, Y[1])


def test_every_operation_is_covered():
    assert set(UNARY) | set(BINARY) == set(OPERATIONS)


@pytest.mark.parametrize("name", UNARY)
def test_unary_operation(name):
    f = function(UNARY[name](Y[0]))
    assert name in [step for step, _ in instructions(f).steps]
    compiled = compile_native(f)
    for a in SPECIAL:
        y = [a, 0.0, 0.0]
        np.testing.assert_allclose(
            compiled(0.0, y, [0, 0]), interpreted(f, 0, y, [0, 0]), rtol=FEW_ULP, atol=0
        )


@pytest.mark.parametrize("name", BINARY)
def test_binary_operation(name):
    f = function(BINARY[name](Y[0], Y[1]))
    assert name in [step for step, _ in instructions(f).steps]
    compiled = compile_native(f)
    for a in SPECIAL:
        for b in SPECIAL:
            y = [a, b, 0.0]
            got, expected = compiled(0.0, y, [0, 0]), interpreted(f, 0, y, [0, 0])
            np.testing.assert_allclose(got, expected, rtol=FEW_ULP, atol=0, err_msg=f"{name}({a}, {b})")


@pytest.mark.parametrize("name", thinned([*UNARY, *BINARY]))
def test_lanes_do_what_a_single_one_does(name):
    f = function(UNARY[name](Y[0]) if name in UNARY else BINARY[name](Y[0], Y[1]))
    alone, together = compile_native(f), compile_native(f, lanes=4)
    operands = np.array([[a, b, 0.0] for a in SPECIAL for b in SPECIAL])
    for k in range(len(operands) - 3):  # each of them in every lane
        y = operands[k : k + 4]
        expected = [alone(0.0, one, [0, 0])[0] for one in y]
        found = together(np.zeros(4), y.T, np.zeros((2, 4)))
        np.testing.assert_allclose(found[0], expected, rtol=FEW_ULP, atol=0, err_msg=f"{name}({y})")


@pytest.mark.parametrize("lanes", [2, 4, 8])
def test_no_lane_knows_of_the_others(lanes):
    times, values = np.array([0.0, 0.3, 1.0]), np.array([1.0, -2.0, 0.5])
    u = ca.SX.sym("u")
    f = ca.Function("f", [T, Y, P, u], [ca.vertcat(chain(300), u * P[0])])
    polynomials = [PiecewisePolynomial.linear(times, values)]
    together = compile_native(f, polynomials, lanes)
    rng = np.random.default_rng(lanes)
    t, y, p = (rng.normal(size=(*shape, 5, lanes)) for shape in ((), (3,), (2,)))
    found = np.array([together(t[k], y[:, k], p[:, k]) for k in range(5)])
    shuffled = rng.permutation(lanes)
    again = [together(t[k, shuffled], y[:, k, shuffled], p[:, k, shuffled]) for k in range(5)]
    np.testing.assert_array_equal(again, found[..., shuffled])  # to the last bit
    alone = compile_native(f, polynomials)
    expected = [[alone(t[k, j], y[:, k, j], p[:, k, j]) for j in range(lanes)] for k in range(5)]
    np.testing.assert_allclose(found, np.swapaxes(expected, 1, 2), rtol=LONG_CHAIN)
    y_0, p_0 = np.ascontiguousarray(np.moveaxis(y, 0, 1)), p[:, 0]
    mapped = [together(t[k], y[:, k], p_0) for k in range(5)]
    np.testing.assert_array_equal(together.map_lanes(t, y_0, p_0), mapped)


def test_constants_are_exact():
    numbers = [0.1, -1 / 3, 1e-310, 1.7976931348623157e308, math.pi, math.inf, -math.inf, math.nan, -0.0]
    f = function(ca.vertcat(*numbers))
    found = [compile_native(f)(0.0, [0, 0, 0], [0, 0])]
    found += list(compile_native(f, lanes=4)(np.zeros(4), np.zeros((3, 4)), np.zeros((2, 4))).T)
    for got in found:
        np.testing.assert_array_equal(got, numbers)
        np.testing.assert_array_equal(np.signbit(got[:-2]), np.signbit(numbers[:-2]))


@pytest.mark.parametrize("length", [1, 50, pytest.param(5000, marks=pytest.mark.slow)])
def test_pieces_pass_their_values_on(length):
    f = function(chain(length))
    compiled = compile_native(f)
    rng = np.random.default_rng(length)
    for _ in range(3):
        t, y, p = rng.normal(), rng.normal(size=3), rng.normal(size=2)
        np.testing.assert_allclose(compiled(t, y, p), interpreted(f, t, y, p), rtol=LONG_CHAIN)


@pytest.mark.parametrize("piece_length", [1, 2, 3, 17, 10_000])
def test_results_do_not_depend_on_the_cut(piece_length):
    f = function(chain(60))
    pieces, n_work = program_text(instructions(f), piece_length=piece_length)
    assert (len(pieces) == 1) == (piece_length == 10_000)
    parts = [
        value_type(1).declarations(OPERATIONS),
        *pieces,
        entry_text(len(pieces), n_work, []),
        map_text(3, 2, 5),
    ]
    key, code = compile_text("\n".join(parts))
    compiled = NativeFunction(Program(key, 3, 2, (5, 1), 0), code)
    y, p = [0.3, -0.4, 0.5], [0.6, 0.7]
    np.testing.assert_array_equal(compiled(0.2, y, p), compile_native(f)(0.2, y, p))  # to the last bit
    np.testing.assert_allclose(compiled(0.2, y, p), interpreted(f, 0.2, y, p), rtol=LONG_CHAIN)


def test_places_in_the_work_array_are_reused():
    program = instructions(function(chain(2000)))
    _, n_work = program_text(program, piece_length=20)
    stored = sum(name in OPERATIONS for name, _ in program.steps)
    assert n_work < stored / 3


def test_matrix_result_is_column_major():
    f = function(ca.horzcat(Y, 2 * Y))
    compiled = compile_native(f)
    assert compiled.shape == (3, 2)
    assert compiled.n_out == 6
    np.testing.assert_array_equal(compiled(0, [1, 2, 3], [0, 0]), [[1, 2], [2, 4], [3, 6]])


def test_empty_parameters_and_time():
    f = ca.Function("f", [T, Y, ca.SX.sym("p", 0)], [Y * T])
    np.testing.assert_array_equal(compile_native(f)(2.0, [1, 2, 3]), [2, 4, 6])


def test_map_equals_single_calls():
    compiled = compile_native(function(chain(100)))
    rng = np.random.default_rng(1)
    times, states, p = rng.normal(size=20), rng.normal(size=(20, 3)), rng.normal(size=2)
    rows = [compiled(t, y, p) for t, y in zip(times, states, strict=True)]
    np.testing.assert_array_equal(compiled.map(times, states, p), rows)
    assert compiled.map([], np.empty((0, 3)), p).shape == (0, 5)


@pytest.mark.parametrize("lanes", [2, 4, 8])
def test_samples_in_lanes_equal_rows_of_lanes(lanes):
    times, values = np.array([0.0, 0.3, 1.0]), np.array([1.0, -2.0, 0.5])
    u = ca.SX.sym("u")
    f = ca.Function("f", [T, Y, P, u], [ca.vertcat(chain(30), u * P[0], 2.0, 0)])
    together = compile_native(f, [PiecewisePolynomial.linear(times, values)], lanes)
    rng = np.random.default_rng(lanes)
    p = rng.normal(size=2)
    for count in (0, 1, lanes - 1, lanes, 3 * lanes + 1):
        t, y = rng.normal(size=count), rng.normal(size=(count, 3))
        one_by_one = [
            together(np.full(lanes, t[k]), np.outer(y[k], np.ones(lanes)), np.outer(p, np.ones(lanes)))[:, 0]
            for k in range(count)
        ]
        np.testing.assert_array_equal(together.map(t, y, p), np.reshape(one_by_one, (count, 8)))


def test_address_is_callable_from_c():
    compiled = compile_native(function(Y * T + P[0]))
    call = ctypes.CFUNCTYPE(None, *[ctypes.c_void_p] * 4)(compiled.address)
    t, y, p, out = np.array(2.0), np.array([1.0, 2.0, 3.0]), np.array([10.0, 0.0]), np.zeros(3)
    call(t.ctypes.data, y.ctypes.data, p.ctypes.data, out.ctypes.data)
    np.testing.assert_array_equal(out, [12, 14, 16])


def test_code_stays_while_something_uses_it():
    compiled = [compile_native(function(Y * k)) for k in range(20)]
    for k, f in enumerate(compiled):
        np.testing.assert_array_equal(f(0, [1, 1, 1], [0, 0]), [k, k, k])


@pytest.mark.parametrize(
    ("y", "p", "message"),
    [([1, 2], [0, 0], r"y: expected shape \(3,\)"), ([1, 2, 3], [], r"p: expected shape \(2,\)")],
)
def test_wrong_sizes_are_refused(y, p, message):
    with pytest.raises(ValueError, match=message):
        compile_native(function(Y))(0.0, y, p)


def test_wrong_inputs_are_refused():
    with pytest.raises(ValueError, match=r"expected inputs \(t, y, p\)"):
        compile_native(ca.Function("f", [Y], [Y]))
    u = ca.SX.sym("u", 2)
    with pytest.raises(ValueError, match="expected 2 piecewise polynomials, got 0"):
        compile_native(ca.Function("f", [T, Y, P, u], [u]))


def test_state_jacobian_is_exact():
    u = ca.SX.sym("u")
    expression = ca.vertcat(ca.sin(Y[0]) * Y[1] + u, Y[2] ** 3 * P[0])
    f = ca.Function("f", [T, Y, P, u], [expression])
    jacobian = compile_native(state_jacobian(f), [PiecewisePolynomial.linear([0, 1], [0, 1])])
    a, b, c = 0.3, -0.7, 1.2
    expected = [[math.cos(a) * b, math.sin(a), 0], [0, 0, 3 * c**2 * 5]]
    np.testing.assert_allclose(jacobian(0.5, [a, b, c], [5, 0]), expected, rtol=FEW_ULP)


def test_a_function_on_memory_that_changes_in_place():
    native = compile_native(ca.Function("f", [T, Y, P, ca.SX(0, 1)], [ca.vertcat(T + Y[0] * P[1], Y[2])]))
    t, y, p = np.zeros(1), np.array([1.0, 2.0, 3.0]), np.array([4.0, 5.0])
    evaluate = native.on(t, y, p)
    first = evaluate()
    t[0], y[0], p[1] = 0.5, 2.0, 7.0
    np.testing.assert_array_equal(evaluate(), native(0.5, y, p))
    np.testing.assert_array_equal(first, [5.0, 3.0])
    with pytest.raises(ValueError, match="contiguous"):
        native.on(t, [1.0, 2.0, 3.0], p)
