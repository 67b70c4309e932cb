"""The discrete adjoint of DOP853, compiled: steps with a log, and the sweep back over them.

What a step does is a composition of stages, so products with its Jacobian come from the stages in the reverse order:
with w_s = h (sum_j a_js v_j + sum_samples b_s(x) v), v_s = w_s^T df/dy at stage s, and v_12 has besides what the number
changes by the state at the end of the step; the sum of all v is that by the state at its start [GriewankWalther2008,
chapter 3].
"""

from __future__ import annotations

from flexarm.codegen.kernels.language import array, call, compiled, registers, tail
from flexarm.solvers.compiled.status import STEPS
from flexarm.solvers.dop853.kernels.break_points import Jumps, cross_break_points
from flexarm.solvers.dop853.kernels.dense_output import fill_samples, waits_for_samples
from flexarm.solvers.dop853.kernels.first_step import first_step
from flexarm.solvers.dop853.kernels.steps import try_steps
from flexarm.solvers.dop853.layout import (
    ACTIVE,
    COUNTER_ROWS,
    DENSE_ROWS,
    END,
    FILLED,
    LIMIT_ROWS,
    STEP_TIME_ROWS,
    T_OLD,
    WORK_ROWS,
    H,
    T,
)
from flexarm.solvers.dop853.tableau import N_STAGES, N_STAGES_DENSE
from flexarm.solvers.intervals import INTERVAL_ROWS

LAST = N_STAGES - 1
"""Stage whose state is the end of the step."""


def advance_logged(
    address, p, n_p, step_budget, n, m,
    counters, step_times, limits, tolerances, y, y_old, k, work, dense, intervals, n_intervals,
    jump_address, jump_p, n_jump_p, jump_rows, n_jumps, n_row, jump_state, times, states,
    log_times, log_states,
):  # fmt: skip
    """Step as the kernel of DOP853 with one lane does, and note where the steps begin.

    Parameters
    ----------
    address, .., states
        As there.
    log_times : (step_budget, 2) [s]
        Start and length of each step of this call.
    log_states : (step_budget, n)
        State at its start.
    """
    p, step_times = array(p, n_p), array(step_times, STEP_TIME_ROWS, 1)
    counters = array(counters, COUNTER_ROWS, 1)
    limits, tolerances = array(limits, LIMIT_ROWS, 1), array(tolerances, 2, n)
    work = array(work, WORK_ROWS, n)
    y, y_old = array(y, n), array(y_old, n)
    k, dense = array(k, N_STAGES_DENSE, n), array(dense, DENSE_ROWS, n)
    intervals = array(intervals, INTERVAL_ROWS, n_intervals, 1)
    times, states = array(times, m, 1), array(states, m, n)
    log_times, log_states = array(log_times, step_budget, 2), array(log_states, step_budget, n)
    jumps = Jumps(
        jump_address, array(jump_p, n_jump_p), array(jump_rows, n_jumps, n_row), array(jump_state, n + n_row)
    )
    first = counters[STEPS, 0]
    first_step(address, p, limits, tolerances, step_times, counters, y, y_old, k, work, dense)
    while True:
        fill_samples(address, p, step_times, counters, y, y_old, k, work, dense, times, states)
        taken = counters[STEPS, 0] - first
        if taken >= step_budget or not waits_for_samples(0, counters, times):
            return counters[FILLED, 0]
        cross_break_points(
            address, p, limits, intervals, step_times, counters, y, y_old, k, work, dense, times, jumps
        )
        if step_times[T, 0] >= limits[END, 0] or not waits_for_samples(0, counters, times):
            return counters[FILLED, 0]
        counters[ACTIVE, 0] = 1
        try_steps(address, p, limits, tolerances, step_times, counters, y, y_old, k, work)
        if counters[STEPS, 0] - first > taken:
            log_times[taken, 0], log_times[taken, 1] = step_times[T_OLD, 0], step_times[H, 0]
            for i in registers(n):
                log_states[taken, i] = y_old[i]


def sweep_back(
    address, back_address, p, n, n_c, n_h, n_steps, n_samples, a, c, log_times, log_states,
    sample_steps, weights, seeds, by_y, by_h, values, v, work, time, out,
):  # fmt: skip
    """Go back over logged steps.

    Parameters
    ----------
    address, back_address : int
        (t, y, p) -> [f; c] and (t, w, c) -> [w^T df/dy; w^T df/dp].
    n, n_c, n_h, n_steps, n_samples : int
        Numbers of states, of what the products read, of parameters p, of steps and of samples.
    a (N_STAGES_DENSE, N_STAGES_DENSE), c (N_STAGES_DENSE,)
        Coefficients of the method: loops over them take a tenth of the time to compile that unrolled ones take.
    log_times, log_states
        Of :func:`advance_logged`, all steps.
    sample_steps : (n_samples,)
        Step in which each sample lies, ascending.
    weights : (n_samples, N_STAGES_DENSE)
        Of the slopes in the state of each sample, in units of the step.
    seeds : (n_samples, n)
        Derivatives of a number by these states.
    by_y, by_h : (n,), (n_h,)
        Filled with those by the initial state and by p; 0 before.
    values (N_STAGES_DENSE, n + n_c), v (N_STAGES_DENSE, n), work (2, n), time (1,), out (n + n_h,)
        Memory.
    """
    p, by_y, by_h = array(p, n_h), array(by_y, n), array(by_h, n_h)
    a, c = array(a, N_STAGES_DENSE, N_STAGES_DENSE), array(c, N_STAGES_DENSE)
    log_times, log_states = array(log_times, n_steps, 2), array(log_states, n_steps, n)
    sample_steps, weights = array(sample_steps, n_samples), array(weights, n_samples, N_STAGES_DENSE)
    seeds, values = array(seeds, n_samples, n), array(values, N_STAGES_DENSE, n + n_c)
    v, work, time, out = array(v, N_STAGES_DENSE, n), array(work, 2, n), array(time, 1), array(out, n + n_h)
    state, seed, by_p = work[0], work[1], tail(out, n)
    first = n_samples
    for done in range(n_steps):
        step = n_steps - 1 - done
        start, h, y = log_times[step, 0], log_times[step, 1], log_states[step]
        last = first
        while first > 0 and sample_steps[first - 1] == step:
            first -= 1
        n_stages = N_STAGES_DENSE if first < last else LAST
        for s in range(n_stages):
            _weighted(h, y, a[s], values, s, state)
            time[0] = start + c[s] * h
            call(address, time, state, p, values[s])
        for s in range(N_STAGES_DENSE):
            for i in registers(n):
                v[s, i] = 0.0
        for i in registers(n):
            v[LAST, i] = by_y[i]
        for back in range(n_stages):
            s = n_stages - 1 - back
            for i in registers(n):
                seed[i] = 0.0
            for j in range(s + 1, max(n_stages, LAST + 1)):
                _add(h * a[j, s], v[j], seed)
            for j in range(first, last):
                _add(h * weights[j, s], seeds[j], seed)
            call(back_address, time, seed, tail(values[s], n), out)
            _add(1.0, out, v[s])
            _add(1.0, by_p, by_h)
        for i in registers(n):
            by_y[i] = 0.0
        for s in range(N_STAGES_DENSE):
            _add(1.0, v[s], by_y)
        for j in range(first, last):
            _add(1.0, seeds[j], by_y)
    return 0


@compiled
def _weighted(h, y, weights, values, s, state):
    """State of stage s."""
    for i in registers(y.size):
        state[i] = 0.0
    for j in range(s):
        _add(weights[j], values[j], state)
    for i in registers(y.size):
        state[i] = y[i] + h * state[i]


@compiled
def _add(factor, values, total):
    """Add a multiple of the first values to a total."""
    for i in registers(total.size):
        total[i] = total[i] + factor * values[i]
