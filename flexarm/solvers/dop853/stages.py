"""Stages of DOP853, compiled, and numbers of a lane broadcast to all its stages and states."""

from __future__ import annotations

from numba import njit  # pyright: ignore[reportPrivateImportUsage]

from flexarm.solvers.compiled.native_calls import call_native
from flexarm.solvers.dop853.layout import STAGE_TIMES
from flexarm.solvers.dop853.tableau import N_STAGES_DENSE, C
from flexarm.solvers.dop853.weighted_sums import stage_state

# No product is fused with a sum: which ones are would depend on how a loop is cut, and so differ among the lanes.
compiled = njit(error_model="numpy")


@compiled
def stage_times(step_times, start, length):
    """Times of all stages in every lane, of the step whose start and length are these rows of the step times."""
    for stage in range(N_STAGES_DENSE):
        for lane in range(step_times.shape[1]):
            step_times[STAGE_TIMES + stage, lane] = (
                step_times[start, lane] + C[stage] * step_times[length, lane]
            )


@compiled
def broadcast_lanes(values, elements):
    """Give every element of a state the number of its lane."""
    lanes = values.size
    for i in range(elements.size // lanes):
        for lane in range(lanes):
            elements[i * lanes + lane] = values[lane]


@njit(inline="always")  # so that s is known to the sum
def stage(s, address, p, step_times, h, y, k, state):
    """k[s] = f at its time and at y + h sum_j a_sj k[j], which `state` takes."""
    stage_state(s, y, h, k, state)
    call_native(address, step_times[STAGE_TIMES + s], state, p, k[s])
