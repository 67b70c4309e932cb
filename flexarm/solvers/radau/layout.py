"""Layout of the arrays of Radau IIA: entries and rows by name."""

from __future__ import annotations

# times: end and start of the last step, its length, the length to try next and the one that the factorised matrices
# are for, all in s; error over its tolerance and length of the step before, for the step-size control; contraction
# theta of Newton's iteration, its factor theta / (1 - theta), and the factor by which a step is to be shorter where it
# fails
(
    T, T_OLD, H, H_NEXT, H_FACTORISED, LAST_ERROR, LAST_H, CONTRACTION, CONVERGENCE, H_FACTOR, TIME_ENTRIES
) = range(11)  # fmt: skip

# counters: besides those of every kernel how many samples are filled in; whether there is a Jacobian, whether it is
# that of the present state, and whether the matrices made from it are factorised; steps since the start or break point;
# whether the last trial was rejected, and why; iterations of the last one; states that are kept in the linear
# equations, and eliminated ones; number of the present interval
(
    FILLED, HAS_JACOBIAN, IS_FRESH, IS_FACTORISED, STEPS_SINCE_START, WAS_REJECTED, CAUSE, ITERATIONS, KEPT, ELIMINATED,
    INTERVAL, COUNTER_ENTRIES,
) = range(4, 16)  # fmt: skip

# why a trial step is rejected
ERROR_TOO_LARGE, NO_CONVERGENCE, SINGULAR, UNDEFINED = range(4)

# limits: the longest step [s], the number of trial steps, and the time at which the last step ends exactly [s];
# tolerances; a correction that ends Newton's iteration, in units of the tolerance
MAX_STEP, MAX_TRIALS, END, RELATIVE, ABSOLUTE, NEWTON_TOLERANCE, LIMIT_ENTRIES = range(7)

# vectors, rows of n: state and slope at the end of the last step; increments Z of the stages and W = T^-1 Z; slopes of
# the stages, then corrections of W; one over the tolerance; divided differences of the collocation polynomial; error,
# and its part without slope; increment of the end as predicted by the polynomial of the last step; what is eliminated
# depends by these factors on what is kept; work
(
    Y, SLOPE, Z1, Z2, Z3, W1, W2, W3, R1, R2, R3, WEIGHT, D1, D2, D3, ESTIMATE, INCREMENTS, PREDICTED, FACTORS, WORK,
    WORK_2, VECTOR_ROWS,
) = range(22)  # fmt: skip

# matrices, of which every row is a column: the Jacobian; its parts from kept to kept and from eliminated to kept
# states; factors of the real matrix, and of real and imaginary part of the complex one
JACOBIAN, KEPT_PART, ELIMINATED_PART, REAL_FACTORS, COMPLEX_FACTORS_RE, COMPLEX_FACTORS_IM, MATRIX_ROWS = (
    range(7)
)

# indices, rows of n: states that are kept and eliminated; the place, among those kept, of the one that an eliminated
# state depends on; role of every state while they are chosen, and its place among those kept; pivots
KEPT_INDEX, ELIMINATED_INDEX, TARGET, ROLE, PLACE, REAL_PIVOTS, COMPLEX_PIVOTS, INDEX_ROWS = range(8)
