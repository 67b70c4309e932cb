"""Steps of an integration with their dense output, given by its values at a few nodes of each."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from flexarm.solvers.compiled.kernel_code import Kernel
from flexarm.solvers.compiled.signature import Signature

STATES_SIGNATURE = Signature(
    "int64 n, int64 n_steps, int64 m, float64* times, float64* states, float64* at, float64* found"
)


@dataclass(frozen=True)
class DenseSteps:
    """Successive steps of an integration with dense output, given by their states at the nodes.

    Attributes
    ----------
    times : (k, N_NODES) [s]
    states : (k, N_NODES, n)
    """

    times: NDArray[np.float64]
    states: NDArray[np.float64]

    @property
    def end(self) -> float:
        """Time at which the last step ends [s]."""
        return float(self.times[-1, -1])

    def at(self, times: NDArray[np.float64]) -> NDArray[np.float64]:
        """States at times (m,) [s] within the steps, increasing: (m, n)."""
        n_steps, _, n = self.states.shape
        found = np.empty((times.size, n))
        Kernel("solvers.events.steps_kernel.states_at", STATES_SIGNATURE)(
            n=n, n_steps=n_steps, m=times.size, times=self.times, states=self.states,
            at=np.ascontiguousarray(times), found=found,
        )  # fmt: skip
        return found
