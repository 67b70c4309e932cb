"""Hairer's test for stiffness in the steps of DOP853, compiled: whether stability bounds them, and not their error."""

from __future__ import annotations

from flexarm.codegen.kernels.language import compiled, registers
from flexarm.solvers.compiled.status import STEPS
from flexarm.solvers.dop853.kernels.stages import weighted_sum
from flexarm.solvers.dop853.layout import BOUNDED_STEPS, NEAR_LIMIT, OTHER_STEPS, WATCHED_FROM
from flexarm.solvers.dop853.tableau import N_STAGES, STAGE_WEIGHTS

ENOUGH = 15
"""Bounded steps that make equations stiff."""
FORGOTTEN_AFTER = 6
"""Other steps in a row after which bounded ones are forgotten."""

LAST, BEFORE = N_STAGES - 1, N_STAGES - 2
_END, _STAGE = dict(STAGE_WEIGHTS[LAST]), dict(STAGE_WEIGHTS[BEFORE])
DIFFERENCE = tuple((j, _END.get(j, 0.0) - _STAGE.get(j, 0.0)) for j in sorted(_END.keys() | _STAGE.keys()))
"""Weights of the slopes in the difference between the end of a step and the state of its last stage, in units of h."""


def near_limit(rtol: float) -> float:
    """Step times size of an eigenvalue from which a step counts as bounded by stability.

    6.4 is the limit on the negative real axis and 6.0 on the imaginary one. Where tolerances are tight, the error of a
    step is round-off that stiff terms amplify, and steps stay below. Accuracy bounds steps, with errors of order 8, to
    less than half of this.
    """
    return 4.0 * min(1.0, (rtol / 1e-6) ** 0.125)


@compiled
def watch_stability(limits, counters, k, work):
    """Count the last step, of one lane, among those that are bounded by stability or among the others.

    The end of the step and the state of the last stage are of the same time. Where something has decayed and only
    stability keeps it small, their difference d lies in its direction, and the difference of their slopes is lambda d
    [HW96, section IV.2].

    Differs from source: every step is looked at, as a run of a few hundred steps may be stiff. The quotient says little
    of vibrations, along which it goes up and down, so this is an alarm and no more; see `near_limit` too.
    """
    if counters[STEPS, 0] <= counters[WATCHED_FROM, 0]:
        return
    states, slopes = work[2], work[3]
    for i in registers(k.shape[1]):
        states[i] = weighted_sum(DIFFERENCE, k, i) ** 2
        slopes[i] = (k[LAST, i] - k[BEFORE, i]) ** 2
    state, slope = 0.0, 0.0
    for i in range(k.shape[1]):
        state += states[i]
        slope += slopes[i]
    if slope > limits[NEAR_LIMIT, 0] ** 2 * state:  # the step's length is left out on both sides
        counters[BOUNDED_STEPS, 0] += 1
        counters[OTHER_STEPS, 0] = 0
    else:
        counters[OTHER_STEPS, 0] += 1
        if counters[OTHER_STEPS, 0] == FORGOTTEN_AFTER:
            counters[BOUNDED_STEPS, 0] = 0
