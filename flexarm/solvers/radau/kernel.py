"""The kernel of Radau IIA: an integration is a handful of arrays that any number of calls carry on, without Python."""

from __future__ import annotations

from flexarm.codegen.kernels.language import array
from flexarm.solvers.compiled.status import RUNNING, STATUS, STEPS
from flexarm.solvers.intervals import INTERVAL_ROWS
from flexarm.solvers.radau.break_points import cross_break_point
from flexarm.solvers.radau.dense_output import fill_samples
from flexarm.solvers.radau.first_step import first_step
from flexarm.solvers.radau.layout import (
    COUNTER_ENTRIES,
    END,
    FILLED,
    INDEX_ROWS,
    LIMIT_ENTRIES,
    MATRIX_ROWS,
    TIME_ENTRIES,
    VECTOR_ROWS,
    T,
)
from flexarm.solvers.radau.steps import UNROLLED, try_step

__all__ = ["UNROLLED", "advance"]


def advance(
    addresses, p, n_p, jacobian_p, n_jacobian_p, step_budget, n, m,
    counters, stage_time, step_times, limits, vectors, matrices, indices, intervals, n_intervals, times, states,
):  # fmt: skip
    """Step until every sample is filled in, all intervals end, `step_budget` steps are taken, or something is wrong.

    Parameters
    ----------
    addresses : (2,)
        Of the right-hand side and of its Jacobian, column by column.
    p (n_p,), jacobian_p (n_jacobian_p,)
        What these read as their parameters.
    step_budget : int
        Steps this call may take. Where it ends has no influence on the results.
    n, m : int
        Number of states and of samples.
    counters, stage_time (1,), step_times, limits, vectors (.., n), matrices (.., n, n), indices (.., n)
        The integration, changed in place, see :mod:`flexarm.solvers.radau.layout`. counters[STATUS] is its status:
        STARTING from y at step_times[T] until the next call. counters[FILLED] is the number of states filled in.
    intervals : (INTERVAL_ROWS, n_intervals) [s]
        From one to the next the integration goes on, where samples are left.
    times : (m,) [s]
    states : (m, n)
        Filled with the states at `times`, as far as the call gets.

    Returns
    -------
    int
        How many states are filled in.
    """
    addresses, p, jacobian_p = array(addresses, 2), array(p, n_p), array(jacobian_p, n_jacobian_p)
    counters, stage_time = array(counters, COUNTER_ENTRIES), array(stage_time, 1)
    step_times, limits = array(step_times, TIME_ENTRIES), array(limits, LIMIT_ENTRIES)
    vectors, matrices = array(vectors, VECTOR_ROWS, n), array(matrices, MATRIX_ROWS, n, n)
    indices, intervals = array(indices, INDEX_ROWS, n), array(intervals, INTERVAL_ROWS, n_intervals)
    times, states = array(times, m), array(states, m, n)
    first_step(addresses, p, stage_time, limits, step_times, counters, vectors)
    counters[FILLED] = 0
    last = counters[STEPS] + step_budget
    while True:
        fill_samples(step_times, counters, vectors, times, states)
        if counters[FILLED] == m or counters[STATUS] != RUNNING:
            return counters[FILLED]
        if step_times[T] >= limits[END]:
            if not cross_break_point(
                addresses, p, stage_time, limits, intervals, step_times, counters, vectors
            ):
                return counters[FILLED]
        elif counters[STEPS] >= last:
            return counters[FILLED]
        else:
            try_step(
                addresses, p, jacobian_p, stage_time, limits, step_times, counters, vectors, matrices, indices
            )
