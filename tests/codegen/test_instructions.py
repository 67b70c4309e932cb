"""Reading CasADi functions: every operation, sparse arguments, repeated results."""

import casadi as ca
import numpy as np
import pytest

from flexarm.codegen.counts import OperationCounts, operation_counts
from flexarm.codegen.instructions import (
    OPERATIONS,
    Program,
    eliminate_common_subexpressions,
    instructions,
    share_reciprocals,
)
from flexarm.errors import ModelError


def test_values_are_numbered_in_order_of_evaluation():
    x = ca.SX.sym("x", 2)
    program = instructions(ca.Function("f", [x], [ca.sin(x[0]) * x[1]]))
    for k, (name, operands) in enumerate(program.steps):
        assert name in OPERATIONS or name in ("input", "constant")
        if name in OPERATIONS:
            assert len(operands) == OPERATIONS[name]
            assert all(0 <= operand < k for operand in operands)
    assert [name for name, _ in program.steps].count("input") == 2
    assert program.n_operations == 2


def test_sparse_inputs_and_outputs_are_filled_up():
    x = ca.SX.sym("x", ca.Sparsity.lower(3))
    program = instructions(ca.Function("f", [x], [x.T]))
    assert sorted(element for _, element, _ in program.outputs) == list(range(9))
    read = {value: program.steps[value] for _, _, value in program.outputs}
    # entry (0, 1) of the transposed matrix is entry (1, 0) of x; entry (1, 0) is empty
    element_value = {element: read[value] for _, element, value in program.outputs}
    assert element_value[3] == ("input", (0, 1))
    assert element_value[1] == ("constant", (0.0,))


def test_matrix_functions_are_expanded():
    x = ca.MX.sym("x", 3)
    program = instructions(ca.Function("f", [x], [ca.dot(x, x)]))
    assert program.n_operations > 0
    assert all(name in OPERATIONS or name in ("input", "constant") for name, _ in program.steps)


def test_one_value_may_be_several_results():
    x = ca.SX.sym("x")
    y = ca.cos(x)
    program = instructions(ca.Function("f", [x], [ca.vertcat(y, y), y]))
    assert len({value for _, _, value in program.outputs}) == 1
    assert [(result, element) for result, element, _ in program.outputs] == [(0, 0), (0, 1), (1, 0)]


def test_unknown_operation_is_named():
    x = ca.SX.sym("x")
    with pytest.raises(ModelError, match="erfinv"):
        instructions(ca.Function("f", [x], [ca.erfinv(x)]))


def test_counts_follow_the_stated_convention():
    a, b = ca.SX.sym("a"), ca.SX.sym("b")
    f = ca.Function(
        "f", [a, b], [ca.vertcat(a * b, a * a, a + b, a - b, 2 * a, -a, a / b, 1 / b, ca.sqrt(a))]
    )
    assert operation_counts(f) == OperationCounts(products=2, sums=3, divisions=2, other=1)
    assert operation_counts(f).total == 8


def test_matrix_product_counts():
    n = 4
    A, x = ca.SX.sym("A", n, n), ca.SX.sym("x", n)
    counts = operation_counts(ca.Function("f", [A, x], [A @ x]))
    assert (counts.products, counts.sums) == (n * n, n * (n - 1))
    assert np.sum([counts.divisions, counts.other]) == 0


def test_each_value_is_computed_once():
    x, y = ca.SX.sym("x"), ca.SX.sym("y")
    program = eliminate_common_subexpressions(
        instructions(ca.Function("f", [x, y], [ca.vertcat(x * y, ca.sin(x * y), ca.sin(y * x))]))
    )
    assert [name for name, _ in program.steps] == ["input", "input", "mul", "sin"]
    assert [value for _, _, value in program.outputs] == [2, 3, 3]


def test_zeros_of_either_sign_are_not_shared():
    program = Program(
        [("constant", (0.0,)), ("constant", (-0.0,)), ("constant", (0.0,))], [(0, 0, 0), (0, 1, 1), (0, 2, 2)]
    )
    assert [value for _, _, value in eliminate_common_subexpressions(program).outputs] == [0, 1, 0]


def test_values_are_divided_by_once():
    x = ca.SX.sym("x", 4)
    f = ca.Function("f", [x], [ca.vertcat(x[0] / x[1], x[2] / x[1], 1 / x[1], x[0] / x[3])])
    program = share_reciprocals(eliminate_common_subexpressions(instructions(f)))
    names = [name for name, _ in program.steps]
    assert [names.count(name) for name in ("inv", "mul", "div")] == [1, 2, 1]
    inverse = names.index("inv")
    assert {element: value for _, element, value in program.outputs}[2] == inverse
    for name, operands in program.steps:
        assert name != "mul" or operands[1] == inverse
