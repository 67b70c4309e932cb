"""The classical Runge-Kutta method advanced by numbers of steps, with the dense output of each."""

from __future__ import annotations

from flexarm.solvers.base import InitialValueProblem
from flexarm.solvers.compiled.kernel_code import Kernel
from flexarm.solvers.compiled.signature import Signature
from flexarm.solvers.events.dense_integration import CompiledStepping
from flexarm.solvers.events.interpolation import FRACTIONS, N_NODES
from flexarm.solvers.rk4.method import SIGNATURE, Rk4

DENSE_SIGNATURE = Signature(SIGNATURE.text + ", float64 horizon, float64* fractions")


class DenseRk4(CompiledStepping, Rk4):
    """An integration by the classical method that is advanced by numbers of steps; see :class:`DenseIntegration`."""

    def _restart(self, problem: InitialValueProblem) -> None:
        super()._restart(problem)
        self._dense_kernel = Kernel(
            "solvers.rk4.dense_steps_kernel.take_steps", DENSE_SIGNATURE,
            **self._problem_arguments(problem), **self._arrays, m=N_NODES, fractions=FRACTIONS,
        )  # fmt: skip
