"""Steps of DOP853 with their dense output, compiled: several steps per call, each with its states at some nodes."""

from __future__ import annotations

from numba import carray, float64, int64, uint64  # pyright: ignore[reportPrivateImportUsage]

from flexarm.solvers.calling import DOUBLES, INTEGERS
from flexarm.solvers.compiled import RUNNING, STATUS
from flexarm.solvers.dop853 import T_OLD, H, T
from flexarm.solvers.dop853_kernel import _interpolate, _prepare_dense, _step
from flexarm.solvers.dop853_tableau import N_STAGES_DENSE

SIGNATURE = int64(
    uint64, DOUBLES, int64, float64, float64, float64, int64, int64, int64, int64,
    INTEGERS, DOUBLES, DOUBLES, DOUBLES, DOUBLES, DOUBLES, DOUBLES, float64, DOUBLES, DOUBLES, DOUBLES,
)  # fmt: skip


def advance(
    address, p, n_p, rtol, atol, max_step, max_tried, budget, n, m,
    count, clock, y, y_old, k, work, dense, horizon, fractions, times, states,
):  # fmt: skip
    """Take at most `budget` steps, none of which begins at or beyond the horizon but the first.

    Parameters
    ----------
    address, p (n_p,), rtol, atol, max_step, max_tried, count, clock, y, y_old, k, work, dense
        As of the kernel of DOP853.
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
    p, clock, count = carray(p, n_p), carray(clock, 4), carray(count, 5)
    y, y_old, work = carray(y, n), carray(y_old, n), carray(work, n)
    k, dense = carray(k, (N_STAGES_DENSE, n)), carray(dense, (7, n))
    fractions = carray(fractions, m)
    times, states = carray(times, (budget, m)), carray(states, (budget, m, n))
    count[STATUS] = RUNNING
    for step in range(budget):
        if step > 0 and clock[T] >= horizon:
            return step
        status = _step(address, p, rtol, atol, max_step, max_tried, clock, count, y, y_old, k, work)
        if status != RUNNING:
            count[STATUS] = status
            return step
        _prepare_dense(address, p, clock, count, y, y_old, k, work, dense)
        for j in range(m):
            times[step, j] = clock[T_OLD] + fractions[j] * clock[H] if fractions[j] < 1.0 else clock[T]
            _interpolate(fractions[j], y_old, dense, states[step, j])
    return budget
