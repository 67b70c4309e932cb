"""Radau IIA advanced by numbers of steps, with the dense output of each: to be searched for events."""

from __future__ import annotations

from flexarm.solvers.base import InitialValueProblem
from flexarm.solvers.compiled.kernel_code import Kernel
from flexarm.solvers.compiled.signature import Signature
from flexarm.solvers.events.dense_integration import CompiledStepping
from flexarm.solvers.events.interpolation import FRACTIONS, N_NODES
from flexarm.solvers.radau.method import SIGNATURE, Radau

DENSE_SIGNATURE = Signature(SIGNATURE.text + ", float64 horizon, float64* fractions")


class DenseRadau(CompiledStepping, Radau):
    """An integration by Radau IIA that is advanced by numbers of steps; see :class:`DenseIntegration`."""

    def __init__(self, problem: InitialValueProblem):
        super().__init__(problem)
        self._dense_kernel = Kernel(
            "solvers.radau.dense_steps_kernel.take_steps", DENSE_SIGNATURE,
            **self._arguments, m=N_NODES, fractions=FRACTIONS,
        )  # fmt: skip
