"""Stability limit of the methods of fixed step, against what their steps do."""

from __future__ import annotations

import casadi as ca
import numpy as np
import pytest
from problems import problem, run

from flexarm.catalogue import METHODS
from flexarm.solvers.stability import linearised_eigenvalues, longest_stable_step

EIGENVALUES = [100j, -100.0, -60 + 80j, -10 + 99j, -95 + 31j]


def rotating(value: complex, **options):
    """y' = value y as two real equations, beside a slow vibration."""
    a, b = np.real(value), np.imag(value)
    A = np.array([[a, -b, 0, 0], [b, a, 0, 0], [0, 0, 0, 1], [0, 0, -1, 0]])
    y = ca.SX.sym("y", 4)
    return problem(y, ca.DM(A) @ y, [1.0, 0.5, 0.1, 0.2], **options)


@pytest.mark.parametrize("value", EIGENVALUES)
@pytest.mark.parametrize("method", [name for name, method in METHODS.items() if not method.adaptive])
def test_steps_grow_beyond_the_limit_only(method, value):
    start = rotating(value)
    found = linearised_eigenvalues(start.rhs, 0.0, start.y0, start.p)
    assert np.abs(found - value).min() < 1e-5
    limit = longest_stable_step(method, found)
    sizes = []
    for factor in (0.98, 1.02):
        steps = 4000 * factor * limit
        states, _ = run(method, rotating(value, step=factor * limit), [0.0, steps])
        sizes.append(np.hypot(*states[1, :2]) / np.hypot(*states[0, :2]))
    assert sizes[0] < 1 < 1e3 < sizes[1]


def test_growth_by_itself_is_none_of_the_method():
    assert longest_stable_step("rk4", [5.0, 0.0]) == np.inf
    assert longest_stable_step("rk4", [5 + 100j]) == longest_stable_step("rk4", [100j])
    assert longest_stable_step("rk4", [100j]) == pytest.approx(
        np.sqrt(8) / 100, rel=2e-3
    )  # |R|^2 = 1 at z^2 = -8
    assert longest_stable_step("rk4", []) == np.inf
    assert longest_stable_step("dop853", [-1e9]) == np.inf


def test_equations_without_finite_slopes_have_no_eigenvalues():
    y = ca.SX.sym("y", 1)
    start = problem(y, ca.sqrt(-1 - y), [0.0])
    assert not linearised_eigenvalues(start.rhs, 0.0, start.y0, start.p).size
