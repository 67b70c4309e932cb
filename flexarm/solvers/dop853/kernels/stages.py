"""Stages of DOP853, compiled, and numbers of a lane broadcast to all its stages and states."""

from __future__ import annotations

from flexarm.codegen.kernels.language import call, compiled, registers
from flexarm.solvers.dop853.layout import STAGE_TIMES
from flexarm.solvers.dop853.tableau import N_STAGES_DENSE, STAGE_WEIGHTS, C


@compiled
def stage_times(step_times, start, length):
    """Times of all stages in every lane, of the step whose start and length are these rows of the step times."""
    for s in range(N_STAGES_DENSE):
        for lane in range(step_times.shape[1]):
            step_times[STAGE_TIMES + s, lane] = step_times[start, lane] + C[s] * step_times[length, lane]


@compiled
def broadcast_lanes(values, elements):
    """Give every element of a state the number of its lane."""
    lanes = values.size
    for i in range(elements.size // lanes):
        for lane in range(lanes):
            elements[i * lanes + lane] = values[lane]


@compiled
def weighted_sum(weights, k, i):
    """sum_j w_j k[j, i], of pairs (j, w_j) that are known."""
    total = -0.0  # to which any number can be added without a trace
    for j, weight in weights:
        total = total + weight * k[j, i]
    return total


@compiled
def stage(s, address, p, step_times, h, y, k, state):
    """k[s] = f at its time and at y + h sum_j a_sj k[j], which `state` takes."""
    for i in registers(y.size):
        state[i] = y[i] + h[i] * weighted_sum(STAGE_WEIGHTS[s], k, i)
    call(address, step_times[STAGE_TIMES + s], state, p, k[s])
