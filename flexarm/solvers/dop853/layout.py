"""What the kernel of DOP853 keeps of its integrations: rows of arrays that have a column for each lane."""

from __future__ import annotations

from flexarm.solvers.dop853.tableau import N_STAGES_DENSE

LANES = 4
"""Integrations that are carried on side by side where there are several: a register of AVX2 holds four numbers."""

FIRST_ERROR = 1e-4
"""What stands for the error of the step before the first: Hairer's choice."""

# clock: where the last step ended and began, its length [s], the length to try next, the one being tried, and how much
# longer the next may be; error of the last try (in vain if 1 or more, or NaN) and of the last step; from AT on the
# times of the stages
T, T_OLD, H, H_NEXT, TRIED, GROWTH, ERROR, LAST_ERROR, AT = range(9)
CLOCK_ROWS = AT + N_STAGES_DENSE

# count: besides those of every kernel whether the polynomials of the last step are there, how many samples are filled
# in, the number of steps at the beginning of the present call, and whether a lane takes part in what is going on
HAS_DENSE, FILLED, BEGAN, ACTIVE, COUNT_ROWS = range(4, 9)

# limits: the longest step [s], and how many may be tried
MAX_STEP, MAX_TRIED, LIMIT_ROWS = range(3)

# tolerances, of which every element of a state has its own copy
RELATIVE, ABSOLUTE = range(2)

# work, and the coefficients of the dense output: rows of states
WORK_ROWS, DENSE_ROWS = 4, 7
