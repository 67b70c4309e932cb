"""What the parts of the kernel of DOP853 share: a stage, and what holds for a lane told to all stages and states."""

from __future__ import annotations

from numba import njit  # pyright: ignore[reportPrivateImportUsage]

from flexarm.solvers.compiled.native_calls import call_native
from flexarm.solvers.dop853.layout import AT
from flexarm.solvers.dop853.tableau import N_STAGES_DENSE, C
from flexarm.solvers.dop853.weighted_sums import stage_state

# No product is fused with a sum: which ones are would depend on how a loop is cut, and so differ among the lanes.
compiled = njit(error_model="numpy")


@compiled
def stage_times(clock, begin, length):
    """Times of all stages in every lane; rows of the clock tell where the step begins and how long it is."""
    for stage in range(N_STAGES_DENSE):
        for lane in range(clock.shape[1]):
            clock[AT + stage, lane] = clock[begin, lane] + C[stage] * clock[length, lane]


@compiled
def spread_out(values, spread):
    """Give every element of a state the number of its lane."""
    lanes = values.size
    for i in range(spread.size // lanes):
        for lane in range(lanes):
            spread[i * lanes + lane] = values[lane]


@njit(inline="always")  # so that s is known to the sum
def stage(s, address, p, clock, h, y, k, state):
    """k[s] = f at its time and at y + h sum_j a_sj k[j], which `state` takes."""
    stage_state(s, y, h, k, state)
    call_native(address, clock[AT + s], state, p, k[s])
