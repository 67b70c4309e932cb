"""Interface of the integrators that are advanced by numbers of steps, with the dense output of each."""

from __future__ import annotations

from typing import Protocol

import numpy as np

from flexarm.catalogue import METHODS, load_source
from flexarm.solvers.base import Failure, InitialValueProblem, check_problem
from flexarm.solvers.compiled.kernel_code import Kernel
from flexarm.solvers.compiled.time_slices import CompiledIntegration
from flexarm.solvers.events.dense_steps import DenseSteps
from flexarm.solvers.events.interpolation import N_NODES


class DenseIntegration(Protocol):
    """An integration that is advanced by numbers of steps; its other attributes are those of any integration."""

    failure: Failure | None

    @property
    def steps(self) -> int:
        """Accepted steps."""
        ...

    @property
    def rejected(self) -> int:
        """Rejected steps."""
        ...

    @property
    def evaluations(self) -> int:
        """Evaluations of the right-hand side."""
        ...

    def take_steps(self, max_steps: int, horizon: float) -> DenseSteps:
        """Take some steps.

        Parameters
        ----------
        max_steps : int
        horizon : float [s]
            No step but the first begins beyond.

        Returns
        -------
        DenseSteps
            The steps taken, or pieces of them; none if `failure` says why.
        """
        ...


class CompiledStepping(CompiledIntegration):
    """An integration by a kernel that takes numbers of steps; see :class:`DenseIntegration`.

    Subclasses make that kernel, with all its arguments bound but the budget, the horizon and the nodes.
    """

    _dense_kernel: Kernel

    def take_steps(self, max_steps: int, horizon: float) -> DenseSteps:
        """Take at most some steps, of which none but the first begins beyond a time [s]."""
        times, states = np.empty((max_steps, N_NODES)), np.empty((max_steps, N_NODES, self.y.size))
        if self.failure is not None:
            return DenseSteps(times[:0], states[:0])
        taken = self._dense_kernel(step_budget=max_steps, horizon=horizon, times=times, states=states)
        self._update_failure()
        return DenseSteps(times[:taken], states[:taken])


def start_stepping(method: str, problem: InitialValueProblem) -> DenseIntegration:
    """Start an integration by the method of this name in :data:`~flexarm.catalogue.METHODS`, by steps."""
    check_problem(method, problem)
    return load_source(METHODS[method].stepping)(problem)
