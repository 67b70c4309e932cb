"""Layout of the arrays of DOP853: rows by name, with a column for each lane."""

from __future__ import annotations

from flexarm.codegen.processor import processor
from flexarm.solvers.dop853.tableau import N_STAGES_DENSE

LANES = processor().lanes
"""Integrations that are carried on side by side where there are several: as many as a register holds numbers."""

FIRST_ERROR = 1e-4
"""What stands for the error of the step before the first: Hairer's choice."""

# step_times: end and start of the last step, its length [s], the length to try next, that of the trial step, and the
# largest factor by which the next may be longer; error of the last trial (rejected if 1 or more, or NaN) and of the
# last step; the fastest frequency [1/s] that the start has seen; from STAGE_TIMES on the times of the stages
T, T_OLD, H, H_NEXT, TRIAL_STEP, FACTOR_LIMIT, ERROR, LAST_ERROR, FREQUENCY, STAGE_TIMES = range(10)
STEP_TIME_ROWS = STAGE_TIMES + N_STAGES_DENSE

# counters: besides those of every kernel whether the dense output of the last step is computed, how many samples are
# filled in, the number of steps before the present call, whether a lane takes part in what is computed, the number of
# its present interval, that of the event function whose event has ended the integration (NO_EVENT if none has), and
# whether the event functions are known at the present state; steps that were found at the limit of stability, of late,
# and others since the last of them; number of steps from which on they are looked at
(
    HAS_DENSE, FILLED, STEPS_BEFORE_CALL, ACTIVE, INTERVAL, EVENT, EVENTS_KNOWN, BOUNDED_STEPS, OTHER_STEPS,
    WATCHED_FROM, COUNTER_ROWS,
) = range(4, 15)  # fmt: skip

# limits: the longest step [s], the number of trial steps, the time at which the last step ends exactly [s], and the
# length of a step in units of 1 / eigenvalue from which it is not accuracy that bounds it
MAX_STEP, MAX_TRIALS, END, NEAR_LIMIT, LIMIT_ROWS = range(5)

# tolerances, of which every element of a state has its own copy
RELATIVE, ABSOLUTE = range(2)

# work, and the coefficients of the dense output: rows of states
WORK_ROWS, DENSE_ROWS = 4, 7
