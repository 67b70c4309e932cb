"""Fused multiply-add: which product is paired with which sum, and what the machine code makes of it."""

from fractions import Fraction

import casadi as ca
import numpy as np
import pytest

from flexarm.codegen.instructions import Program, instructions
from flexarm.codegen.llvm.multiply_add import Operation, fused_operations
from flexarm.codegen.native import compile_native
from flexarm.codegen.processor import processor

INPUTS = [("input", (0, k)) for k in range(4)]  # values 0 to 3


def fused(*steps, outputs=(-1,)):
    """Operations of a program of four inputs and these steps, values 4, 5 ..; outputs by place among the steps."""
    steps = [*INPUTS, *steps]
    numbers = [value % len(steps) for value in outputs]
    return fused_operations(Program(steps, [(0, k, value) for k, value in enumerate(numbers)]))


@pytest.mark.parametrize("name", ["add", "sub"])
@pytest.mark.parametrize("operands", [(4, 2), (2, 4)])
def test_product_is_paired_with_the_sum_that_alone_reads_it(name, operands):
    assert fused(("mul", (0, 1)), (name, operands)) == [Operation(5, name, operands, 4, (0, 1, 2))]


def test_square_is_a_product_with_one_factor():
    assert fused(("sq", (0,)), ("add", (4, 2))) == [Operation(5, "add", (4, 2), 4, (0, 2))]


def test_product_of_two_readers_stays_by_itself():
    names = [(o.name, o.product) for o in fused(("mul", (0, 1)), ("add", (4, 2)), ("sub", (4, 5)))]
    assert names == [("mul", None), ("add", None), ("sub", None)]


def test_product_that_is_a_result_stays_by_itself():
    operations = fused(("mul", (0, 1)), ("add", (4, 2)), outputs=(4, 5))
    assert [o.product for o in operations] == [None, None]


def test_product_read_twice_by_one_sum_stays_by_itself():
    assert [o.product for o in fused(("mul", (0, 1)), ("add", (4, 4)))] == [None, None]


def test_of_two_products_the_first_is_paired():
    operations = fused(("mul", (0, 1)), ("mul", (2, 3)), ("add", (4, 5)))
    assert operations == [
        Operation(5, "mul", (2, 3), None, (2, 3)),
        Operation(6, "add", (4, 5), 4, (0, 1, 5)),
    ]


@pytest.mark.parametrize("name", ["mul", "div", "fmin"])
def test_only_sums_take_products(name):
    assert [o.product for o in fused(("mul", (0, 1)), (name, (4, 2)))] == [None, None]


@pytest.mark.parametrize("name", ["add", "div", "neg"])
def test_only_products_are_taken(name):
    operands = (0,) if name == "neg" else (0, 1)
    assert [o.product for o in fused((name, operands), ("add", (4, 2)))] == [None, None]


def test_every_operation_comes_once_and_after_what_it_reads():
    x = ca.SX.sym("x", 6)
    A = ca.SX.sym("A", 6, 6)
    program = instructions(ca.Function("f", [A, x], [ca.sin(A @ x) - x * (A @ (x * x))]))
    operations = fused_operations(program)
    done = {value for value, (name, _) in enumerate(program.steps) if name in ("input", "constant")}
    for operation in operations:
        assert set(operation.reads) <= done
        assert operation.value not in done
        done |= {operation.value, operation.product} - {None}
    assert len(done) == len(program.steps)
    assert len(operations) < program.n_operations


@pytest.mark.skipif(not processor().fuses, reason="the processor rounds products and sums apart")
@pytest.mark.parametrize("lanes", [1, 4])
@pytest.mark.parametrize("sign", [1, -1])
def test_pair_is_rounded_once(lanes, sign):
    t, y, p = ca.SX.sym("t"), ca.SX.sym("y", 3), ca.SX.sym("p", 0)
    f = compile_native(ca.Function("f", [t, y, p], [sign * y[2] + y[0] * y[1]]), lanes=lanes)
    together = () if lanes == 1 else (lanes,)
    for a, b in np.random.default_rng(1).uniform(1, 2, size=(100, 2)):
        c = -sign * a * b  # what is left is the rounding of the product
        exact = float(Fraction(a) * Fraction(b) + sign * Fraction(c))
        y_0 = np.multiply.outer([a, b, c], np.ones(together))
        np.testing.assert_array_equal(f(np.zeros(together), y_0, np.empty((0, *together)))[0], exact)


def test_effort_of_the_compiler_changes_no_bit():
    t, y, p = ca.SX.sym("t"), ca.SX.sym("y", 4), ca.SX.sym("p", 2)
    out = ca.vertcat(
        y[0] * y[1] + p[0], y[2] - y[1] * y[3], y[0] ** 2 - p[1], y[0] * y[1] + y[2] * y[3], ca.sin(y[0]) * t
    )
    f = ca.Function("f", [t, y, p], [out])
    quick, thorough = (compile_native(f, optimisation=level) for level in (0, 3))
    for numbers in np.random.default_rng(2).normal(size=(100, 7)):
        arguments = numbers[0], numbers[1:5], numbers[5:]
        np.testing.assert_array_equal(quick(*arguments), thorough(*arguments))
