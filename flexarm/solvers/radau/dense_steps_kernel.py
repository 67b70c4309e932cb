"""Steps of Radau IIA with their dense output, compiled: several steps per call, each with its states at some nodes."""

from __future__ import annotations

from flexarm.codegen.kernels.language import array
from flexarm.solvers.compiled.status import RUNNING, STATUS, STEPS
from flexarm.solvers.radau.dense_output import interpolate
from flexarm.solvers.radau.layout import (
    COUNTER_ENTRIES,
    END,
    INDEX_ROWS,
    LIMIT_ENTRIES,
    MATRIX_ROWS,
    T_OLD,
    TIME_ENTRIES,
    VECTOR_ROWS,
    H,
    T,
)
from flexarm.solvers.radau.steps import UNROLLED, try_step

__all__ = ["UNROLLED", "take_steps"]


def take_steps(
    addresses, p, n_p, jacobian_p, n_jacobian_p, step_budget, n, m,
    counters, stage_time, step_times, limits, vectors, matrices, indices, intervals, n_intervals,
    times, states, horizon, fractions,
):  # fmt: skip
    """Take at most `step_budget` steps, none of which begins at or beyond the horizon, or the end, but the first.

    Parameters
    ----------
    addresses, p, n_p, jacobian_p, n_jacobian_p, counters, .., indices, intervals, n_intervals
        As of the kernel of Radau IIA, after its first step is found.
    n, m : int
        Number of states and of nodes in each step.
    times : (step_budget, m) [s]
    states : (step_budget, m, n)
        Filled for every step taken.
    horizon : float [s]
    fractions : (m,)
        Places of the nodes in a step, from 0 to 1.

    Returns
    -------
    int
        How many steps were taken.
    """
    addresses, p, jacobian_p = array(addresses, 2), array(p, n_p), array(jacobian_p, n_jacobian_p)
    counters, stage_time = array(counters, COUNTER_ENTRIES), array(stage_time, 1)
    step_times, limits = array(step_times, TIME_ENTRIES), array(limits, LIMIT_ENTRIES)
    vectors, matrices = array(vectors, VECTOR_ROWS, n), array(matrices, MATRIX_ROWS, n, n)
    indices, fractions = array(indices, INDEX_ROWS, n), array(fractions, m)
    times, states = array(times, step_budget, m), array(states, step_budget, m, n)
    for step in range(step_budget):
        if step > 0 and step_times[T] >= min(horizon, limits[END]):
            return step
        steps = counters[STEPS]
        while counters[STEPS] == steps:
            if counters[STATUS] == RUNNING:
                try_step(
                    addresses,
                    p,
                    jacobian_p,
                    stage_time,
                    limits,
                    step_times,
                    counters,
                    vectors,
                    matrices,
                    indices,
                )
            if counters[STATUS] != RUNNING:
                return step
        for j in range(m):
            if fractions[j] == 1.0:
                times[step, j] = step_times[T]
            elif fractions[j] == 0.0:
                times[step, j] = step_times[T_OLD]
            else:
                times[step, j] = step_times[T_OLD] + fractions[j] * step_times[H]
            interpolate(fractions[j] - 1.0, vectors, states[step, j])
    return step_budget
