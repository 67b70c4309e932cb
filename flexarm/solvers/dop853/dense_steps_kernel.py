"""Steps of DOP853 with their dense output, compiled: several steps per call, each with its states at some nodes."""

from __future__ import annotations

from flexarm.codegen.kernels.language import array
from flexarm.solvers.compiled.status import RUNNING, STATUS, STEPS
from flexarm.solvers.dop853.dense_output import interpolate, prepare_dense
from flexarm.solvers.dop853.layout import (
    ACTIVE,
    COUNTER_ROWS,
    END,
    LIMIT_ROWS,
    STEP_TIME_ROWS,
    T_OLD,
    WORK_ROWS,
    H,
    T,
)
from flexarm.solvers.dop853.steps import try_steps
from flexarm.solvers.dop853.tableau import N_STAGES_DENSE


def take_steps(
    address, p, n_p, step_budget, n, m,
    counters, step_times, limits, tolerances, y, y_old, k, work, dense, intervals, n_intervals,
    times, states, horizon, fractions,
):  # fmt: skip
    """Take at most `step_budget` steps, none of which begins at or beyond the horizon, or the end, but the first.

    Parameters
    ----------
    address, p, n_p, counters, step_times, limits, tolerances, y, y_old, k, work, dense, intervals, n_intervals
        As of the kernel of DOP853, with one lane.
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
    p, step_times = array(p, n_p), array(step_times, STEP_TIME_ROWS, 1)
    counters = array(counters, COUNTER_ROWS, 1)
    limits, tolerances = array(limits, LIMIT_ROWS, 1), array(tolerances, 2, n)
    work = array(work, WORK_ROWS, n)
    y, y_old = array(y, n), array(y_old, n)
    k, dense = array(k, N_STAGES_DENSE, n), array(dense, 7, n)
    fractions = array(fractions, m)
    times, states = array(times, step_budget, m), array(states, step_budget, m, n)
    for step in range(step_budget):
        if step > 0 and step_times[T, 0] >= min(horizon, limits[END, 0]):
            return step
        counters[ACTIVE, 0] = 1
        steps = counters[STEPS, 0]
        while counters[STEPS, 0] == steps:
            try_steps(address, p, limits, tolerances, step_times, counters, y, y_old, k, work)
            if counters[STATUS, 0] != RUNNING:
                return step
        prepare_dense(address, p, step_times, counters, y, y_old, k, work, dense)
        for j in range(m):
            if fractions[j] == 1.0:
                times[step, j] = step_times[T, 0]
            else:
                times[step, j] = step_times[T_OLD, 0] + fractions[j] * step_times[H, 0]
            interpolate(fractions[j], 0, 1, y_old, dense, states[step, j])
    return step_budget
