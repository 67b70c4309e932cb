"""DOP853 period by period: what it remembers from one to the next, numbers that change, failures."""

from itertools import pairwise

import casadi as ca
import numpy as np
import pytest
from problems import kepler, kepler_states, problem

from flexarm.codegen.native import compile_native
from flexarm.solvers.base import InitialValueProblem
from flexarm.solvers.dop853.periods import UNKNOWN_PACE, Dop853Periods


def moved(periods, times):
    states = []
    for t, end in pairwise(times):
        assert periods.advance(float(t), float(end)) is None
        states.append(periods.y.copy())
    return np.array(states)


def test_it_moves_as_the_exact_solution_and_goes_on_with_its_step():
    """Kepler's problem over a turn in 7 and in 700 periods, within 1000 tolerances: errors grow with the time."""
    evaluated = {}
    for n in (7, 700):
        times = np.linspace(0, 6, n + 1)
        periods, steps = Dop853Periods(kepler(rtol=1e-10, atol=1e-12)), 0
        assert periods.pace == UNKNOWN_PACE
        states = []
        for t, end in pairwise(times):
            states += [*moved(periods, [t, end])]
            steps += periods.steps
        np.testing.assert_allclose(states, kepler_states(times[1:]), atol=1e-7)
        evaluated[n] = steps
    assert evaluated[700] < 700 + 20  # one for each, but for the first: no search, no start with a short step


def test_the_same_pace_gives_the_same_bits():
    times = np.linspace(0, 3, 31)
    whole = Dop853Periods(kepler())
    moved(whole, times[:11])
    y, pace = whole.y.copy(), whole.pace
    other = Dop853Periods(kepler())
    other.y[:], other.pace = y, pace
    assert (moved(other, times[10:]) == moved(whole, times[10:])).all()


def test_numbers_of_the_equations_change_in_between():
    """y' = p, whose integral is exact."""
    t, y, p = ca.SX.sym("t"), ca.SX.sym("y", 1), ca.SX.sym("p", 1)
    rhs = compile_native(ca.Function("f", [t, y, p, ca.SX(0, 1)], [p]))
    periods = Dop853Periods(InitialValueProblem(rhs, 0.0, np.array([1.0]), np.array([2.0])))
    for k, number in enumerate((2.0, -3.0, 5.0)):
        periods.p[0] = number
        assert periods.advance(0.5 * k, 0.5 * (k + 1)) is None
    assert periods.y[0] == pytest.approx(3.0, rel=1e-14)


def test_failures():
    y = ca.SX.sym("y", 1)
    failure = Dop853Periods(problem(y, y**2, [1.0])).advance(0.0, 2.0)
    assert failure is not None
    assert failure.time == pytest.approx(1.0)
    failure = Dop853Periods(kepler(max_steps=10)).advance(0.0, 6.0)
    assert failure is not None
    assert "the limit of 10 steps" in str(failure)
