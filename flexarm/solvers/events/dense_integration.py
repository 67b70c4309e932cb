"""Interface of the integrators that are advanced by numbers of steps, with the dense output of each."""

from __future__ import annotations

from typing import Protocol

from flexarm.catalogue import METHODS, load_source
from flexarm.solvers.base import Failure, InitialValueProblem, check_problem
from flexarm.solvers.events.dense_steps import DenseSteps


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


def start_stepping(method: str, problem: InitialValueProblem) -> DenseIntegration:
    """Start an integration by the method of this name in :data:`~flexarm.catalogue.METHODS`, by steps."""
    check_problem(method, problem)
    return load_source(METHODS[method].stepping)(problem)
