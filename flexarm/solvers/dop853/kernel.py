"""The steps of DOP853, compiled: integrations are a handful of arrays that any number of calls carry on.

Everything here runs without Python. As many integrations of the same equations as there are lanes go on side by side,
each with steps of its own: the lanes are the last axis of every array, and arrays of states (n, lanes) are flat here.
In every lane the last step went from (t_old, y_old) to (t, y) with the slopes k, which the dense output needs. A lane
that has nothing to do takes steps of length zero.
"""

from __future__ import annotations

import math

from numba import carray, int64, uint64  # pyright: ignore[reportPrivateImportUsage]

from flexarm.solvers.compiled.native_calls import DOUBLES, INTEGERS
from flexarm.solvers.compiled.time_slices import RUNNING, STATUS, STEPS
from flexarm.solvers.dop853.dense_output import fill
from flexarm.solvers.dop853.first_step import begin
from flexarm.solvers.dop853.layout import (
    ACTIVE,
    BEGAN,
    CLOCK_ROWS,
    COUNT_ROWS,
    DENSE_ROWS,
    FILLED,
    LIMIT_ROWS,
    WORK_ROWS,
)
from flexarm.solvers.dop853.steps import try_steps
from flexarm.solvers.dop853.tableau import N_STAGES_DENSE

SIGNATURE = int64(
    uint64, DOUBLES, int64, int64, int64, int64,
    INTEGERS, DOUBLES, DOUBLES, DOUBLES, DOUBLES, DOUBLES, DOUBLES, DOUBLES, DOUBLES, DOUBLES, DOUBLES,
)  # fmt: skip


def kernel(lanes):
    """Write the kernel for a number of lanes, which the compiler then knows."""

    def advance(
        address, p, n_p, budget, n, m,
        count, clock, limits, tolerances, y, y_old, k, work, dense, times, states,
    ):  # fmt: skip
        """Step until every sample is filled in, some lane has taken `budget` steps, or something is wrong.

        Parameters
        ----------
        address, p (n_p, lanes), limits (2, lanes), tolerances (2, n, lanes)
            Right-hand side, longest steps and numbers of steps that may be tried in the whole integrations, and the
            error that a step may make.
        budget : int
            Steps this call may take. Where it ends has no influence on the results.
        n, m : int
            Number of states and of samples.
        count, clock, y, y_old, k (N_STAGES_DENSE, n, lanes), work (WORK_ROWS, ..), dense (DENSE_ROWS, ..)
            The integrations, changed in place. count[STATUS] tells how they stand: STARTING from y at clock[T], until
            the next call. count[FILLED] tells how many of the states have been filled in.
        times : (m, lanes) [s]
            NaN where a lane has fewer samples than others.
        states : (m, n, lanes)
            Filled with the states at `times`, as far as the call gets.

        Returns
        -------
        int
            How many states are filled in, in the first lane.
        """
        size = n * lanes
        p, clock = carray(p, n_p * lanes), carray(clock, (CLOCK_ROWS, lanes))
        count = carray(count, (COUNT_ROWS, lanes))
        limits, tolerances = carray(limits, (LIMIT_ROWS, lanes)), carray(tolerances, (2, size))
        work = carray(work, (WORK_ROWS, size))
        y, y_old = carray(y, size), carray(y_old, size)
        k, dense = carray(k, (N_STAGES_DENSE, size)), carray(dense, (DENSE_ROWS, size))
        times, states = carray(times, (m, lanes)), carray(states, (m, size))
        for lane in range(lanes):
            count[BEGAN, lane] = count[STEPS, lane]
        begin(address, p, limits, tolerances, clock, count, y, y_old, k, work, dense)
        while True:
            fill(address, p, clock, count, y, y_old, k, work, dense, times, states)
            going = 0
            for lane in range(lanes):
                sample = count[FILLED, lane]
                waits = sample == m or math.isnan(times[sample, lane]) or count[STATUS, lane] != RUNNING
                count[ACTIVE, lane] = not waits
                going += not waits
                if not waits and count[STEPS, lane] - count[BEGAN, lane] >= budget:
                    return count[FILLED, 0]
            if not going:
                return count[FILLED, 0]
            try_steps(address, p, limits, tolerances, clock, count, y, y_old, k, work)

    return advance


advance = kernel(lanes=1)
