"""The steps of the classical Runge-Kutta method, compiled; everything here runs without Python."""

from __future__ import annotations

import math

from flexarm.codegen.kernels.language import array, call, compiled
from flexarm.solvers.compiled.status import (
    EVALUATIONS,
    NOT_FINITE,
    RUNNING,
    STATUS,
    STEPS,
    TOO_MANY_STEPS,
)

ROUND_OFF = 1e-9
"""Fraction of a step that is none: the step before it goes to the end."""


@compiled
def take_step(address, p, t, h, t_stage, y, y_old, slopes, work):
    """Step from (t, y) to (t + h, y), with the slopes at both ends; return whether the new state is finite."""
    n = y.size
    k1, k2, k3, k4, stage = slopes[0], work[0], work[1], work[2], work[3]
    for i in range(n):
        k1[i] = slopes[1, i]  # the slope at the end of the last step
        y_old[i] = y[i]
        stage[i] = y[i] + 0.5 * h * k1[i]
    t_stage[0] = t + 0.5 * h
    call(address, t_stage, stage, p, k2)
    for i in range(n):
        stage[i] = y[i] + 0.5 * h * k2[i]
    call(address, t_stage, stage, p, k3)
    for i in range(n):
        stage[i] = y[i] + h * k3[i]
    t_stage[0] = t + h
    call(address, t_stage, stage, p, k4)
    total = 0.0
    for i in range(n):
        y[i] += h / 6 * (k1[i] + 2 * (k2[i] + k3[i]) + k4[i])
        total += abs(y[i])
    call(address, t_stage, y, p, slopes[1])
    return math.isfinite(total)


@compiled
def interpolate(x, h, y, y_old, slopes, state):
    """State at the fraction x of a step back from its end, by Hermite's cubic."""
    for i in range(y.size):
        difference = y[i] - y_old[i]
        inner = 2 * difference - h * (slopes[0, i] + slopes[1, i])
        inner = h * slopes[1, i] - difference + x * inner
        state[i] = y[i] - x * (difference + (1 - x) * inner)


def advance(
    address, p, n_p, t0, h, end, first, max_steps, step_budget, n, m,
    counters, t_stage, y, y_old, slopes, work, times, states,
):  # fmt: skip
    """Step until every sample up to the end is filled in, `step_budget` steps are taken, or something is wrong.

    Parameters
    ----------
    address, p (n_p,), t0, h, end, max_steps
        The problem; the last step is shorter, to end there.
    first : int
        Steps counted before the one that starts at t0.
    step_budget : int
        Steps this call may take. Where it ends has no influence on the results.
    n, m : int
        Number of states and of samples.
    counters, t_stage (1,), y, y_old, slopes (2, n), work (4, n)
        The integration, changed in place; counters[STATUS] is how the call ended.
    times : (m,) [s]
    states : (m, n)
        Filled with the states at `times`, as far as the call gets.

    Returns
    -------
    int
        How many states are filled in.
    """
    p, counters, t_stage = array(p, n_p), array(counters, 4), array(t_stage, 1)
    y, y_old = array(y, n), array(y_old, n)
    slopes, work = array(slopes, 2, n), array(work, 4, n)
    times, states = array(times, m), array(states, m, n)
    filled = 0
    last = counters[STEPS] + step_budget
    counters[STATUS] = RUNNING
    while True:
        t, length = t0 + (counters[STEPS] - first) * h, h
        if t > end - ROUND_OFF * h:
            t, length = end, end - (t - h)
        while filled < m and times[filled] <= t:
            interpolate((t - times[filled]) / length, length, y, y_old, slopes, states[filled])
            filled += 1
        if filled == m or t == end or counters[STEPS] >= last:
            return filled
        if counters[STEPS] >= max_steps:
            counters[STATUS] = TOO_MANY_STEPS
            return filled
        if t + h > end - ROUND_OFF * h:
            length = end - t
        finite = take_step(address, p, t, length, t_stage, y, y_old, slopes, work)
        counters[EVALUATIONS] += 4
        if not finite:
            counters[STATUS] = NOT_FINITE
            return filled
        counters[STEPS] += 1
