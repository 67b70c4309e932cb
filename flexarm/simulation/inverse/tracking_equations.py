"""Equations of an arm that tracks a reference trajectory, as a boundary value problem needs them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike

from flexarm.simulation.inverse.internal_dynamics import InternalDynamics
from flexarm.simulation.inverse.task.reference_trajectory import ReferenceSamples
from flexarm.solvers.collocation import Linearisation


@dataclass(frozen=True)
class TrackingEquations:
    """Internal dynamics along a reference trajectory: implicit equations for joint rates and second modal rates.

    Attributes
    ----------
    dynamics : InternalDynamics
    reference : callable
        From times (k,) [s] to the desired values of the task.
    force_scale : (modes,) [1/N]
        By which the forces on the modal amplitudes are multiplied.
    """

    dynamics: InternalDynamics
    reference: Callable[[ArrayLike], ReferenceSamples]
    force_scale: np.ndarray = field(default_factory=lambda: np.ones(0))

    @property
    def n(self) -> int:
        """Components of the state."""
        return self.dynamics.n_y

    @property
    def positions(self) -> list[int]:
        """Modal amplitudes."""
        return self.dynamics.undriven_rows

    @property
    def speeds(self) -> list[int]:
        """Their rates."""
        return self.dynamics.rate_rows

    @property
    def implicit(self) -> list[int]:
        """Joint angles, and the rates of the modal amplitudes."""
        return [*self.dynamics.joint_rows, *self.dynamics.rate_rows]

    @property
    def _scale(self) -> np.ndarray:
        return np.concatenate([np.ones(len(self.dynamics.joint_rows)), self.force_scale])

    def residual(self, times: np.ndarray, states: np.ndarray, rates: np.ndarray) -> np.ndarray:
        """Residuals (k, joints + modes), forces scaled."""
        return self._scale * self.dynamics.residual(times, states, self.reference(times), rates)

    def linearised(self, times: np.ndarray, states: np.ndarray, rates: np.ndarray) -> Linearisation:
        """The same, with their derivatives."""
        found = self.dynamics.linearised(times, states, self.reference(times), rates)
        scale = self._scale
        return Linearisation(
            found.residual * scale, found.by_state * scale[:, None], found.by_rate * scale[:, None]
        )
