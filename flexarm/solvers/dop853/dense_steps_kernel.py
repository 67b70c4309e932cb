"""Steps of DOP853 with their dense output, compiled: several steps per call, each with its states at some nodes."""

from __future__ import annotations

from numba import carray, float64, int64, uint64  # pyright: ignore[reportPrivateImportUsage]

from flexarm.solvers.compiled.native_calls import DOUBLES, INTEGERS
from flexarm.solvers.compiled.time_slices import RUNNING, STATUS, STEPS
from flexarm.solvers.dop853.dense_output import interpolate, prepare_dense
from flexarm.solvers.dop853.layout import ACTIVE, CLOCK_ROWS, COUNT_ROWS, LIMIT_ROWS, T_OLD, WORK_ROWS, H, T
from flexarm.solvers.dop853.steps import try_steps
from flexarm.solvers.dop853.tableau import N_STAGES_DENSE

SIGNATURE = int64(
    uint64, DOUBLES, int64, int64, int64, int64,
    INTEGERS, DOUBLES, DOUBLES, DOUBLES, DOUBLES, DOUBLES, DOUBLES, DOUBLES, DOUBLES,
    float64, DOUBLES, DOUBLES, DOUBLES,
)  # fmt: skip


def advance(
    address, p, n_p, budget, n, m,
    count, clock, limits, tolerances, y, y_old, k, work, dense, horizon, fractions, times, states,
):  # fmt: skip
    """Take at most `budget` steps, none of which begins at or beyond the horizon but the first.

    Parameters
    ----------
    address, p, n_p, count, clock, limits, tolerances, y, y_old, k, work, dense
        As of the kernel of DOP853, with one lane.
    n, m : int
        Number of states and of nodes in each step.
    horizon : float [s]
    fractions : (m,)
        Where the nodes are, from 0 to 1.
    times : (budget, m) [s]
    states : (budget, m, n)
        Filled for every step taken.

    Returns
    -------
    int
        How many steps were taken.
    """
    p, clock, count = carray(p, n_p), carray(clock, (CLOCK_ROWS, 1)), carray(count, (COUNT_ROWS, 1))
    limits, tolerances = carray(limits, (LIMIT_ROWS, 1)), carray(tolerances, (2, n))
    work = carray(work, (WORK_ROWS, n))
    y, y_old = carray(y, n), carray(y_old, n)
    k, dense = carray(k, (N_STAGES_DENSE, n)), carray(dense, (7, n))
    fractions = carray(fractions, m)
    times, states = carray(times, (budget, m)), carray(states, (budget, m, n))
    for step in range(budget):
        if step > 0 and clock[T, 0] >= horizon:
            return step
        count[ACTIVE, 0] = 1
        before = count[STEPS, 0]
        while count[STEPS, 0] == before:
            try_steps(address, p, limits, tolerances, clock, count, y, y_old, k, work)
            if count[STATUS, 0] != RUNNING:
                return step
        prepare_dense(address, p, clock, count, y, y_old, k, work, dense)
        for j in range(m):
            whole = fractions[j] == 1.0
            times[step, j] = clock[T, 0] if whole else clock[T_OLD, 0] + fractions[j] * clock[H, 0]
            interpolate(fractions[j], 0, 1, y_old, dense, states[step, j])
    return budget
