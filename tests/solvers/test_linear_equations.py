"""The linear equations of Radau IIA against those of NumPy, with and without states that are eliminated."""

import numpy as np
import pytest
from llvmlite import binding as llvm

from flexarm.codegen.kernels.language import array
from flexarm.codegen.kernels.translation import KERNEL, translate
from flexarm.codegen.native import target_machine
from flexarm.codegen.object_cache import load_object
from flexarm.solvers.compiled.signature import Signature
from flexarm.solvers.radau.layout import (
    COUNTER_ENTRIES,
    ELIMINATED,
    INDEX_ROWS,
    JACOBIAN,
    MATRIX_ROWS,
    R1,
    R2,
    R3,
    VECTOR_ROWS,
)
from flexarm.solvers.radau.linear_algebra.linear_equations import (
    factorise_pair,
    factorise_real,
    reduce_jacobian,
    solve_pair,
    solve_real,
)

SIGNATURE = Signature(
    "int64 n, float64 real, float64 re, float64 im, int64* counters, float64* vectors, float64* matrices,"
    "int64* indices"
)
REAL, PAIR = 40.0, 30.0 + 35.0j
UNFIT, SINGULAR, SOLVED = range(3)


def solve(n, real, re, im, counters, vectors, matrices, indices):
    counters, indices = array(counters, COUNTER_ENTRIES), array(indices, INDEX_ROWS, n)
    vectors, matrices = array(vectors, VECTOR_ROWS, n), array(matrices, MATRIX_ROWS, n, n)
    if not reduce_jacobian(counters, vectors, matrices, indices):
        return UNFIT
    if not factorise_real(real, counters, vectors, matrices, indices):
        return SINGULAR
    if not factorise_pair(re, im, counters, vectors, matrices, indices):
        return SINGULAR
    solve_real(real, vectors[R1], counters, vectors, matrices, indices)
    solve_pair(re, im, vectors[R2], vectors[R3], counters, vectors, matrices, indices)
    return SOLVED


@pytest.fixture(scope="module")
def solved():
    """From a Jacobian and right-hand sides to how it ended, solutions, and the number of eliminated states."""
    machine = target_machine(optimisation=2)
    module = llvm.parse_assembly(translate(solve, SIGNATURE.types, lanes=4))
    engine = load_object(machine.emit_object(module), machine)
    native = SIGNATURE.ctypes()(engine.get_function_address(KERNEL))

    def result(J, r, s, real=REAL, pair=PAIR):
        n = len(J)
        counters, indices = np.zeros(COUNTER_ENTRIES, np.int64), np.zeros((INDEX_ROWS, n), np.int64)
        vectors, matrices = np.zeros((VECTOR_ROWS, n)), np.zeros((MATRIX_ROWS, n, n))
        matrices[JACOBIAN], vectors[R1], vectors[R2], vectors[R3] = J.T, r, s.real, s.imag
        arrays = (each.ctypes.data for each in (counters, vectors, matrices, indices))
        end = native(n, real, pair.real, pair.imag, *arrays)
        return end, vectors[R1], vectors[R2] + 1j * vectors[R3], counters[ELIMINATED]

    yield result
    del engine  # which holds the machine code


def second_order(n, seed):
    """Of q' = v, v' = f(q, v), after which a state follows that nothing of this form."""
    J = np.random.default_rng(seed).normal(scale=30.0, size=(2 * n + 1, 2 * n + 1))
    J[:n] = 0.0
    J[:n, n : 2 * n] = np.eye(n)
    return J, n


def mixed(n, seed):
    """Single entries of any size, anywhere: also on the diagonal, in a circle, twice in a column, and empty rows."""
    rng = np.random.default_rng(seed)
    J = rng.normal(scale=30.0, size=(n, n))
    for i in rng.choice(n, n // 2, replace=False):
        J[i] = 0.0
        J[i, rng.integers(n)] = rng.normal(scale=20.0)
    J[rng.integers(n)] = 0.0
    return J, None


JACOBIANS = {
    **{f"full, {n}": (np.random.default_rng(n).normal(scale=30.0, size=(n, n)), 0) for n in (1, 2, 3, 8, 33)},
    **{f"second order, {n}": second_order(n, n) for n in (1, 2, 7, 20)},
    **{f"mixed {seed}": mixed(n, seed) for seed, n in enumerate((2, 5, 6, 9, 16, 31))},
    "an oscillator": (np.array([[0.0, 1.0], [-9.0, 0.0]]), 1),
    "a circle of three": (np.roll(np.diag([2.0, 3.0, 4.0]), 1, axis=1), 1),
    "nothing": (np.zeros((3, 3)), 0),
    "exchanges": (REAL * (np.eye(3) - np.roll(np.eye(3), 1, axis=0) - 1e-9 * np.ones((3, 3))), 0),
}


@pytest.mark.parametrize("name", JACOBIANS)
def test_solutions_are_those_of_the_whole_equations(name, solved):
    J, eliminated = JACOBIANS[name]
    n, rng = len(J), np.random.default_rng(1)
    r, s = rng.normal(size=n), rng.normal(size=n) + 1j * rng.normal(size=n)
    end, x, z, count = solved(J, r, s)
    assert end == SOLVED
    assert eliminated is None or count == eliminated
    for found, gamma, right in ((x, REAL, r), (z, PAIR, s)):
        matrix = gamma * np.eye(n) - J
        expected = np.linalg.solve(matrix, right)
        tolerance = 100 * n * np.finfo(float).eps * np.linalg.cond(matrix)
        assert np.abs(found - expected).max() <= tolerance * np.abs(expected).max()


def test_a_singular_matrix_is_told(solved):
    J = np.diag([1.0, REAL, 2.0])
    J[0, 1] = J[2, 1] = 5.0
    assert solved(J, np.ones(3), np.ones(3))[0] == SINGULAR


@pytest.mark.parametrize("value", [np.inf, np.nan])
def test_a_jacobian_that_is_not_finite_is_told(value, solved):
    J = np.eye(3)
    J[1, 2] = value
    assert solved(J, np.ones(3), np.ones(3))[0] == UNFIT
