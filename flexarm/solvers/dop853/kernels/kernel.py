"""The kernels of DOP853: integrations are a handful of arrays that any number of calls carry on.

Everything here runs without Python. As many integrations of the same equations as there are lanes go on side by side,
each with steps of its own: the lanes are the last axis of every array, and arrays of states (n, lanes) are flat here.
In every lane the last step went from (t_old, y_old) to (t, y) with the slopes k, which the dense output needs. A lane
that has nothing to do takes steps of length zero.
"""

from __future__ import annotations

from flexarm.codegen.kernels.language import array
from flexarm.solvers.compiled.status import STEPS
from flexarm.solvers.dop853.kernels.break_points import Jumps, cross_break_points
from flexarm.solvers.dop853.kernels.dense_output import fill_samples, waits_for_samples
from flexarm.solvers.dop853.kernels.first_step import first_step
from flexarm.solvers.dop853.kernels.steps import try_steps
from flexarm.solvers.dop853.kernels.stiffness import ENOUGH, watch_stability
from flexarm.solvers.dop853.layout import (
    ACTIVE,
    BOUNDED_STEPS,
    COUNTER_ROWS,
    DENSE_ROWS,
    END,
    FILLED,
    LANES,
    LIMIT_ROWS,
    STEP_TIME_ROWS,
    STEPS_BEFORE_CALL,
    WORK_ROWS,
    T,
)
from flexarm.solvers.dop853.tableau import N_STAGES_DENSE
from flexarm.solvers.intervals import INTERVAL_ROWS


def _kernel(lanes, watches=False):
    """Kernel for a number of lanes, which the compiler then knows, and whether it ends where equations are stiff."""

    def advance(
        address, p, n_p, step_budget, n, m,
        counters, step_times, limits, tolerances, y, y_old, k, work, dense, intervals, n_intervals,
        jump_address, jump_p, n_jump_p, jump_rows, n_jumps, n_row, jump_state, times, states,
    ):  # fmt: skip
        """Step until every lane has its samples or is at its end, some has taken `step_budget` steps, or fails.

        One that watches has one lane, and also ends after samples that are left once the equations are found stiff.

        Parameters
        ----------
        address, p (n_p, lanes), limits (LIMIT_ROWS, lanes), tolerances (2, n, lanes)
            Right-hand side, limits of the steps, and error bounds of a step.
        step_budget : int
            Steps this call may take. Where it ends has no influence on the results.
        n, m : int
            Number of states and of samples.
        counters, step_times, y, y_old, k (N_STAGES_DENSE, n, lanes), work (WORK_ROWS, ..), dense (DENSE_ROWS, ..)
            The integrations, changed in place. counters[STATUS] is their status: STARTING from y at step_times[T] until
            the next call. counters[FILLED] is the number of states that have been filled in.
        intervals : (INTERVAL_ROWS, n_intervals, lanes) [s]
            From one to the next the integrations go on, where samples are left.
        jump_address, jump_p (n_jump_p,), jump_rows (n_jumps, n_row), jump_state (n + n_row,)
            Of one lane: jumps of the state between them, none if n_row is 0, see `break_points`.
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
        p, step_times = array(p, n_p * lanes), array(step_times, STEP_TIME_ROWS, lanes)
        counters = array(counters, COUNTER_ROWS, lanes)
        limits, tolerances = array(limits, LIMIT_ROWS, lanes), array(tolerances, 2, size)
        work = array(work, WORK_ROWS, size)
        y, y_old = array(y, size), array(y_old, size)
        k, dense = array(k, N_STAGES_DENSE, size), array(dense, DENSE_ROWS, size)
        intervals = array(intervals, INTERVAL_ROWS, n_intervals, lanes)
        times, states = array(times, m, lanes), array(states, m, size)
        jumps = Jumps(
            jump_address,
            array(jump_p, n_jump_p),
            array(jump_rows, n_jumps, n_row),
            array(jump_state, n + n_row),
        )
        for lane in range(lanes):
            counters[STEPS_BEFORE_CALL, lane] = counters[STEPS, lane]
        first_step(address, p, limits, tolerances, step_times, counters, y, y_old, k, work, dense)
        while True:
            fill_samples(address, p, step_times, counters, y, y_old, k, work, dense, times, states)
            for lane in range(lanes):  # before break points: the last step's slopes are no more after one
                taken = counters[STEPS, lane] - counters[STEPS_BEFORE_CALL, lane]
                if taken >= step_budget and waits_for_samples(lane, counters, times):
                    return counters[FILLED, 0]
            if watches and counters[BOUNDED_STEPS, 0] >= ENOUGH and waits_for_samples(0, counters, times):
                return counters[FILLED, 0]
            cross_break_points(
                address, p, limits, intervals, step_times, counters, y, y_old, k, work, dense, times, jumps
            )
            n_active = 0
            for lane in range(lanes):
                goes_on = step_times[T, lane] < limits[END, lane] and waits_for_samples(lane, counters, times)
                counters[ACTIVE, lane] = goes_on
                n_active += goes_on
            if not n_active:
                return counters[FILLED, 0]
            before = counters[STEPS, 0]
            try_steps(address, p, limits, tolerances, step_times, counters, y, y_old, k, work)
            if watches and counters[STEPS, 0] > before:
                watch_stability(limits, counters, k, work)

    return advance


advance, advance_lanes, advance_watching = _kernel(lanes=1), _kernel(LANES), _kernel(lanes=1, watches=True)
