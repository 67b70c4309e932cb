"""Parameter hoisting: what depends on parameters alone, and the part that reads the state."""

import casadi as ca
import numpy as np
import pytest

from flexarm.codegen.instructions import instructions
from flexarm.codegen.parameter_hoisting import ParametricFunction, hoist_parameters

T, Y, P = ca.SX.sym("t"), ca.SX.sym("y", 2), ca.SX.sym("p", 3)
NONE = ca.SX(0, 1)


def function(*out: ca.SX) -> ca.Function:
    return ca.Function("f", [T, Y, P, NONE], [ca.cse(ca.densify(ca.vertcat(*out)))])


MIXED = function(P[1] ** 2 * ca.sin(P[2]) * Y[0] + T * P[0], P[0] * Y[1] / (P[1] + 3), P[2], 7, P[1] * P[2])


def test_invariant_values_are_precomputed_and_missing_in_the_state_part():
    hoisted = hoist_parameters(MIXED, 2)
    state_part = instructions(hoisted.state_part)
    assert not any(name in ("sin", "sq") for name, _ in state_part.steps)
    assert state_part.n_operations < instructions(MIXED).n_operations
    # p_0, which varies, stays an input of the state part
    assert hoisted.state_part.numel_in(2) == 1 + hoisted.precompute.numel_out(0)


@pytest.mark.parametrize("n_parameters", [0, 1, 2, 3])
def test_both_parts_together_are_the_function(n_parameters):
    rng = np.random.default_rng(3)
    compiled = ParametricFunction(MIXED, n_parameters)
    for _ in range(5):
        t, y, p = rng.normal(), rng.normal(size=2), rng.normal(size=3)
        f, h = compiled.at(p[3 - n_parameters :])
        found = f(t, y, np.concatenate([p[: 3 - n_parameters], h]))
        np.testing.assert_allclose(found, MIXED(t, y, p, []).full().ravel(), rtol=1e-14)


def test_constants_are_not_precomputed():
    """A constant belongs to both parts: it is no value of each set of parameters."""
    hoisted = hoist_parameters(function(2 * Y[0] + P[0] * 0, P[0] + 1), 3)
    assert hoisted.precompute.numel_out(0) == 1


def test_a_single_parameter_is_all_there_is():
    q = ca.SX.sym("q")
    f = ca.Function("f", [T, Y, q, NONE], [ca.vertcat(ca.sin(q) * Y[0], Y[1])])
    at = ParametricFunction(f, 1).at(np.array([0.5]))
    np.testing.assert_allclose(at(0.0, np.array([2.0, 3.0])), [2 * np.sin(0.5), 3.0], rtol=1e-14)
