"""Steps of the classical Runge-Kutta method with their dense output, compiled: several steps per call."""

from __future__ import annotations

from flexarm.codegen.kernels.language import array
from flexarm.solvers.compiled.status import EVALUATIONS, NOT_FINITE, RUNNING, STATUS, STEPS, TOO_MANY_STEPS
from flexarm.solvers.rk4.kernel import ROUND_OFF, interpolate, take_step


def take_steps(
    address, p, n_p, t0, h, end, first, max_steps, step_budget, n, m,
    counters, t_stage, y, y_old, slopes, work, times, states, horizon, fractions,
):  # fmt: skip
    """Take at most `step_budget` steps, none of which begins at or beyond the horizon, or the end, but the first.

    Parameters
    ----------
    address, p, n_p, t0, h, end, first, max_steps, counters, t_stage, y, y_old, slopes, work
        As of the kernel without dense output.
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
    p, counters, t_stage = array(p, n_p), array(counters, 4), array(t_stage, 1)
    y, y_old, fractions = array(y, n), array(y_old, n), array(fractions, m)
    slopes, work = array(slopes, 2, n), array(work, 4, n)
    times, states = array(times, step_budget, m), array(states, step_budget, m, n)
    counters[STATUS] = RUNNING
    for step in range(step_budget):
        t = t0 + (counters[STEPS] - first) * h
        if step > 0 and (t >= horizon or t > end - ROUND_OFF * h):
            return step
        if counters[STEPS] >= max_steps:
            counters[STATUS] = TOO_MANY_STEPS
            return step
        t_end = t0 + (counters[STEPS] + 1 - first) * h
        if t_end > end - ROUND_OFF * h:
            t_end = end
        finite = take_step(address, p, t, t_end - t, t_stage, y, y_old, slopes, work)
        counters[EVALUATIONS] += 4
        if not finite:
            counters[STATUS] = NOT_FINITE
            return step
        counters[STEPS] += 1
        for j in range(m):
            times[step, j] = t_end - (1 - fractions[j]) * (t_end - t)
            interpolate(1 - fractions[j], t_end - t, y, y_old, slopes, states[step, j])
    return step_budget
