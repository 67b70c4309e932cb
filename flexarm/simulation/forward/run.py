"""Forward run of one arm: its samples, and the attributes of its result, whoever computes it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from flexarm.catalogue import METHODS
from flexarm.codegen.native_function import NativeFunction
from flexarm.description.arm.arm import Arm
from flexarm.description.motion.run_settings import RunSettings
from flexarm.results.attributes import root_attributes
from flexarm.solvers.base import InitialValueProblem, IntegrationStatus

if TYPE_CHECKING:  # a run that is found again starts quicker without
    from flexarm.simulation.forward.parametric_model import ModelInstance
    from flexarm.simulation.forward.stored_equations import StoredEquations, StoredInstance
    from flexarm.simulation.state.state_equation import StateEquation

BLOCK = 4096
"""Samples recorded at once: large enough to be quick, small enough that memory does not grow with the run."""


@dataclass
class ForwardRun:
    """A prepared run, complete once it has been computed.

    Attributes
    ----------
    instance : ModelInstance or StoredInstance
        The arm, its chain and its parameters.
    state_equation : StateEquation or StoredEquations
    integration : IntegrationStatus
    status, message : str
        ``complete``, or ``incomplete`` and why.
    solve_seconds : float
        Time spent inside the integrator.
    command : str
        Command of the run, for the attributes of the result.
    """

    instance: ModelInstance | StoredInstance
    state_equation: StateEquation | StoredEquations
    integration: IntegrationStatus
    status: str = "incomplete"
    message: str = "not run yet"
    solve_seconds: float = 0.0
    command: str = ""

    @property
    def n_samples(self) -> int:
        """Number of recorded instants of the complete run."""
        return sample_count(self.instance.arm)

    @property
    def impacts(self) -> dict[str, np.ndarray]:
        """Datasets (k,) of impacts, see :data:`~flexarm.results.schema.IMPACTS`; there are none without contacts."""
        return {}

    @property
    def attributes(self) -> dict[str, object]:
        """Root attributes of the result, complete once the run is."""
        arm = self.instance.arm
        return root_attributes(
            "flight" if arm.flies else "forward",
            arm,
            {
                "method": arm.run.method,
                "rtol": arm.run.rtol,
                "atol": arm.run.atol,
                "evaluations": self.integration.evaluations,
                "steps": self.integration.steps,
                "solve_seconds": self.solve_seconds,
                **self._methods,
            },
            status=self.status,
            message=self.message,
            command=self.command,
        )

    @property
    def present_method(self) -> str:
        """Name of the integration method that takes the steps."""
        chosen, change = self.instance.arm.run.method, self.integration.change_over
        return METHODS[chosen].starts_with or chosen if change is None else change.method

    @property
    def _methods(self) -> dict[str, object]:
        """Attributes that say which method has taken which steps, where the chosen one may change."""
        first, change = METHODS[self.instance.arm.run.method].starts_with, self.integration.change_over
        if not first:
            return {}
        if change is None:
            return {"methods": first}
        after = self.integration.steps - change.steps
        return {
            "methods": f"{first} until {change.time:.3g} s ({change.steps} steps), then {change.method} "
            f"({after} steps): steps were bounded by stability",
            "change_over": change.time,
        }


def run_problem(run: RunSettings, rhs: NativeFunction, y0: np.ndarray, p: np.ndarray) -> InitialValueProblem:
    """Initial value problem of a run from its state y0 (n_y,) on, with what the equations read of parameters (n_p,)."""
    return InitialValueProblem(
        rhs=rhs,
        t0=0.0,
        y0=y0,
        p=p,
        rtol=run.rtol,
        atol=run.atol,
        step=run.step,
        max_steps=run.max_steps,
    )


def sample_count(arm: Arm) -> int:
    """Number of samples: every ``run.sample`` from 0, and the end of the run."""
    whole, left = _samples(arm)
    return whole + 1 + (left > 0)


def sample_times(arm: Arm, first: int, stop: int) -> np.ndarray:
    """Times of samples first..stop-1, (stop - first,) [s]."""
    return np.minimum(np.arange(first, stop) * arm.run.sample, arm.run.duration)


def _samples(arm: Arm) -> tuple[int, float]:
    """Whole sample intervals in the run, and the time left over."""
    run = arm.run
    whole = int(np.floor(run.duration / run.sample * (1 + 1e-12)))
    left = run.duration - whole * run.sample
    return whole, left if left > 1e-9 * run.sample else 0.0
