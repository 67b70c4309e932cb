"""Status of a kernel: counts of its steps and the end of a call; read by kernels and by those who call them."""

from __future__ import annotations

# How a call of a compiled kernel ends; one whose first step the kernel finds itself is set to STARTING before, one that
# goes on with the step it has, from where its equations have changed, to CONTINUING.
RUNNING, TOO_MANY_STEPS, STEP_TOO_SMALL, NOT_FINITE, STARTING, CONTINUING, JACOBIAN_NOT_FINITE = range(7)

# Entries of the counters of every kernel: statistics, and how its last call ended.
STEPS, REJECTED, EVALUATIONS, STATUS = range(4)
