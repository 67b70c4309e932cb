"""The discrete adjoint of DOP853: derivatives of one number of a motion by its initial state and all its parameters."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from flexarm.codegen.adjoint_function import BoundAdjoint
from flexarm.solvers.base import InitialValueProblem
from flexarm.solvers.compiled.kernel_code import Kernel
from flexarm.solvers.compiled.signature import Signature
from flexarm.solvers.dop853.layout import FILLED
from flexarm.solvers.dop853.method import SIGNATURE, Dop853
from flexarm.solvers.dop853.tableau import DENSE_WEIGHTS, N_STAGES, N_STAGES_DENSE, A, C

MOST_MEMORY = 1e9
"""Of the log [bytes]."""

BACK_SIGNATURE = Signature(
    "uint64 address, uint64 back_address, float64* p, int64 n, int64 n_c, int64 n_h, int64 n_steps,"
    "int64 n_samples, float64* a, float64* c, float64* log_times, float64* log_states, int64* sample_steps,"
    "float64* weights, float64* seeds, float64* by_y, float64* by_h, float64* values, float64* v, float64* work,"
    "float64* time, float64* out"
)


class LoggedDop853(Dop853):
    """An integration by DOP853 that notes its steps, n + 2 numbers for each; without jumps of the state.

    Attributes
    ----------
    log_is_complete : bool
        False once the log would take more than :data:`MOST_MEMORY`; then there is none.
    """

    kernel_name = "solvers.dop853.kernels.adjoint_kernel.advance_logged"
    signature = Signature(f"{SIGNATURE.text}, float64* log_times, float64* log_states")
    makes_jumps = False

    def __init__(self, problem: InitialValueProblem):
        self._log: list[tuple[NDArray[np.float64], NDArray[np.float64]]] = []
        self.log_is_complete = True
        super().__init__(problem)

    def _run(self, times: NDArray[np.float64], states: NDArray[np.float64], step_budget: int) -> int:
        self._counters[FILLED] = 0
        starts, logged, before = np.empty((step_budget, 2)), np.empty((step_budget, self.y.size)), self.steps
        filled = self._kernel(
            step_budget=step_budget, m=times.size, times=times, states=states,
            log_times=starts, log_states=logged,
        )  # fmt: skip
        taken = self.steps - before
        self._log.append((starts[:taken].copy(), logged[:taken].copy()))
        if self.steps * starts.itemsize * (self.y.size + 2) > MOST_MEMORY:
            self.log_is_complete = False
        if not self.log_is_complete:
            self._log.clear()
        return filled

    @property
    def log(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Start and length [s] of all steps, (k, 2), and the states at their starts, (k, n)."""
        starts, states = (np.concatenate(parts) for parts in zip(*self._log, strict=True))
        return starts, states

    def back(
        self, adjoint: BoundAdjoint, times: NDArray[np.float64], seeds: NDArray[np.float64]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Derivatives of a number by the initial state (n,) and by what is read of the parameters, (n_h,).

        Parameters
        ----------
        adjoint : BoundAdjoint
            Of the right-hand side.
        times : (m,) [s]
            Ascending, within the steps.
        seeds : (m, n)
            Derivatives of the number by the states at these times.
        """
        starts, states = self.log
        n, n_h, n_c = self.y.size, adjoint.h.size, adjoint.values.n_out - self.y.size
        steps = np.minimum(np.searchsorted(starts.sum(axis=1), times), len(starts) - 1)
        weights = _weights((times - starts[steps, 0]) / starts[steps, 1])
        by_y, by_h = np.zeros(n), np.zeros(n_h)
        Kernel("solvers.dop853.kernels.adjoint_kernel.sweep_back", BACK_SIGNATURE)(
            address=adjoint.values.address, back_address=adjoint.back.address, p=adjoint.h,
            n=n, n_c=n_c, n_h=n_h, n_steps=len(starts), n_samples=times.size, a=A, c=C,
            log_times=starts, log_states=states, sample_steps=steps.astype(np.int64), weights=weights,
            seeds=np.ascontiguousarray(seeds), by_y=by_y, by_h=by_h,
            values=np.zeros((N_STAGES_DENSE, n + n_c)), v=np.zeros((N_STAGES_DENSE, n)), work=np.zeros((2, n)),
            time=np.zeros(1), out=np.zeros(n + n_h),
        )  # fmt: skip
        return by_y, by_h


def _weights(x: NDArray[np.float64]) -> NDArray[np.float64]:
    """Weights (m, N_STAGES_DENSE) of the slopes in the dense output at fractions x (m,) of a step."""
    step, first, last = A[N_STAGES - 1], *np.eye(N_STAGES_DENSE)[[0, N_STAGES - 1]]
    rows = np.zeros((7, N_STAGES_DENSE))
    rows[:3] = step, first - step, 2 * step - last - first
    for row, pairs in zip(rows[3:], DENSE_WEIGHTS, strict=True):
        for j, weight in pairs:
            row[j] = weight
    x, found = x[:, None], np.zeros((x.size, N_STAGES_DENSE))
    for k in range(6, -1, -1):
        found = rows[k] + (x if k % 2 else 1 - x) * found
    return x * found
