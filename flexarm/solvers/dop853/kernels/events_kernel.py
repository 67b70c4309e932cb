"""DOP853 up to the next event, compiled: the steps are searched one by one, those alone that may contain an event.

A search needs the dense output, three stages more. What is known of a step without it, event functions and their rates
at some of its stages, excludes an event in most steps of a motion far from any.
"""

from __future__ import annotations

from flexarm.codegen.kernels.language import array, compiled, registers
from flexarm.solvers.compiled.status import CONTINUING, RUNNING, STATUS, STEPS
from flexarm.solvers.dop853.kernels.break_points import evaluate_slopes
from flexarm.solvers.dop853.kernels.dense_output import fill_samples, interpolate, prepare_dense
from flexarm.solvers.dop853.kernels.first_step import first_step
from flexarm.solvers.dop853.kernels.stages import weighted_sum
from flexarm.solvers.dop853.kernels.steps import try_steps
from flexarm.solvers.dop853.kernels.stiffness import ENOUGH, watch_stability
from flexarm.solvers.dop853.layout import (
    ACTIVE,
    BOUNDED_STEPS,
    COUNTER_ROWS,
    DENSE_ROWS,
    END,
    EVENT,
    EVENTS_KNOWN,
    FILLED,
    HAS_DENSE,
    LIMIT_ROWS,
    STEP_TIME_ROWS,
    T_OLD,
    WORK_ROWS,
    H,
    T,
)
from flexarm.solvers.dop853.tableau import N_STAGES_DENSE, STAGE_WEIGHTS, C
from flexarm.solvers.events.interpolation import FRACTIONS, N_NODES
from flexarm.solvers.events.search import NO_EVENT, evaluate, first_event, unpacked

SAMPLED = ((1, 5), (2, 8))
"""Rows of `known`, and the stages, at 1/3 and 0.65 of the step, that they are of; rows 0 and 3 are of its ends."""
KNOWN_ROWS = 4
REACH = 0.5
"""Parts of a step times the largest known rate by which a function may be lower than where it is known: 0.17, to the
farthest point, if that rate is the largest, and three times that because it is not."""


def _kernel(watches=False):
    """Kernel that ends where equations are stiff, or not."""

    def advance(
        address, p, n_p, step_budget, n, m,
        counters, step_times, limits, tolerances, y, y_old, k, work, dense, intervals, n_intervals,
        jump_address, jump_p, n_jump_p, jump_rows, n_jumps, n_row, jump_state, times, states,
        known, node_times, node_states,
        n_functions, n_sources, n_places, n_linear, n_inputs, n_outputs, event_integers, event_numbers,
    ):  # fmt: skip
        """Step until all samples are filled in, the end is reached, an event is found, steps are taken, or it fails.

        One that watches also ends once the equations are found stiff.

        Parameters
        ----------
        address, p, n_p, counters, step_times, limits, tolerances, y, y_old, k, work, dense, intervals, jump_address, ..
            As of the kernel of DOP853, with one lane; break points are not crossed.
        step_budget : int
            Steps this call may take. Where it ends has no influence on the results.
        n, m : int
            Number of states and of samples.
        times : (m,) [s]
        states : (m, n)
            Filled with the states at `times`, as far as the call gets.
        known : (KNOWN_ROWS, 2 n_functions)
            Event functions and rates at places of the last step.
        node_times, node_states : (N_NODES,) [s], (N_NODES, n)
            Nodes of a step that is searched.

        Returns
        -------
        int
            How many states are filled in. After an event counters[EVENT] is its function, and time and state are its.
        """
        p, step_times = array(p, n_p), array(step_times, STEP_TIME_ROWS, 1)
        counters = array(counters, COUNTER_ROWS, 1)
        limits, tolerances = array(limits, LIMIT_ROWS, 1), array(tolerances, 2, n)
        work = array(work, WORK_ROWS, n)
        y, y_old = array(y, n), array(y_old, n)
        k, dense = array(k, N_STAGES_DENSE, n), array(dense, DENSE_ROWS, n)
        times, states = array(times, m, 1), array(states, m, n)
        known = array(known, KNOWN_ROWS, 2 * n_functions)
        node_times, node_states = array(node_times, N_NODES), array(node_states, N_NODES, n)
        search = unpacked(
            n_functions, n_sources, n_places, n_linear, n_inputs, n_outputs, event_integers, event_numbers, n
        )
        last = counters[STEPS, 0] + step_budget
        first_step(address, p, limits, tolerances, step_times, counters, y, y_old, k, work, dense)
        if counters[STATUS, 0] == CONTINUING:
            evaluate_slopes(address, p, step_times, counters, y, k, work[3])
        while True:
            fill_samples(address, p, step_times, counters, y, y_old, k, work, dense, times, states)
            if (
                counters[FILLED, 0] == m
                or counters[STATUS, 0] != RUNNING
                or step_times[T, 0] >= limits[END, 0]
                or counters[STEPS, 0] >= last
                or (watches and counters[BOUNDED_STEPS, 0] >= ENOUGH)
            ):
                if not counters[HAS_DENSE, 0]:  # the state may be moved before the next call
                    counters[ACTIVE, 0] = 1
                    prepare_dense(address, p, step_times, counters, y, y_old, k, work, dense)
                return counters[FILLED, 0]
            if not counters[EVENTS_KNOWN, 0]:
                evaluate(search, step_times[T], y, known[KNOWN_ROWS - 1])
                counters[EVENTS_KNOWN, 0] = 1
            before = counters[STEPS, 0]
            counters[ACTIVE, 0] = 1
            try_steps(address, p, limits, tolerances, step_times, counters, y, y_old, k, work)
            if watches and counters[STEPS, 0] > before:
                watch_stability(limits, counters, k, work)
            if counters[STEPS, 0] > before and not _excluded(search, step_times, y, y_old, k, known):
                prepare_dense(address, p, step_times, counters, y, y_old, k, work, dense)
                for j in range(N_NODES):
                    node_times[j] = step_times[T_OLD, 0] + FRACTIONS[j] * step_times[H, 0]
                    interpolate(FRACTIONS[j], 0, 1, y_old, dense, node_states[j])
                node_times[N_NODES - 1] = step_times[T, 0]
                function = first_event(search, node_times, node_states)
                if function != NO_EVENT:
                    counters[EVENT, 0] = function
                    step_times[T, 0] = search.event[0]
                    fill_samples(address, p, step_times, counters, y, y_old, k, work, dense, times, states)
                    interpolate(
                        (step_times[T, 0] - step_times[T_OLD, 0]) / step_times[H, 0], 0, 1, y_old, dense, y
                    )
                    return counters[FILLED, 0]

    return advance


advance_to_event, advance_to_event_watching = _kernel(), _kernel(watches=True)


@compiled
def _excluded(search, step_times, y, y_old, k, known):
    """Whether the last step contains no event, by values and rates at some of its stages."""
    n, h, last = search.noise_level.size, step_times[H, 0], KNOWN_ROWS - 1
    for i in range(n):
        if not search.has_rate[i]:
            return False
    for i in range(2 * n):
        known[0, i] = known[last, i]
    evaluate(search, step_times[T], y, known[last])
    for row in (0, KNOWN_ROWS - 1):
        for i in range(n):
            if _is_near(search, i, h, known[row, i], abs(known[row, n + i])):
                return False
    for row, stage in SAMPLED:
        search.time[0] = step_times[T_OLD, 0] + C[stage] * h
        for i in registers(y.size):
            search.state[i] = y_old[i] + h * weighted_sum(STAGE_WEIGHTS[stage], k, i)
        evaluate(search, search.time, search.state, known[row])
    for i in range(n):
        lowest, fastest = known[0, i], 0.0
        for row in range(KNOWN_ROWS):
            lowest, fastest = min(lowest, known[row, i]), max(fastest, abs(known[row, n + i]))
        if _is_near(search, i, h, lowest, fastest):
            return False
    return True


@compiled
def _is_near(search, i, h, lowest, fastest):
    """Whether function i may vanish in a step h where it is known to be as low, and its rate as large, as this."""
    return lowest <= search.noise_level[i] or lowest <= REACH * h * fastest
