"""Steps of an integration with their dense output, given by its values at a few nodes of each."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

N_NODES = 8
"""Nodes that determine a dense output of degree 7."""

FRACTIONS = (1 - np.cos(np.pi * np.arange(N_NODES) / (N_NODES - 1))) / 2
"""Where in a step the nodes are: Chebyshev's extreme points in [0, 1], both ends included."""
BARYCENTRIC = np.array([(-1.0) ** j * (0.5 if j in (0, N_NODES - 1) else 1.0) for j in range(N_NODES)])
"""Barycentric weights of the nodes [BerrutTrefethen2004]."""


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
        """States at times (m,) [s] within the steps: (m, n)."""
        ends = self.times[:, -1]
        step = np.minimum(np.searchsorted(ends, times), ends.size - 1)
        start, end = self.times[step, 0], ends[step]
        with np.errstate(divide="ignore", invalid="ignore"):
            weights = BARYCENTRIC / (((times - start) / (end - start))[:, None] - FRACTIONS)
            weights = weights / weights.sum(axis=1, keepdims=True)
        at_node = ~np.isfinite(weights).all(axis=1)
        if at_node.any():
            nearest = np.abs(times[at_node, None] - self.times[step[at_node]]).argmin(axis=1)
            weights[at_node] = np.eye(N_NODES)[nearest]
        return (weights[:, None, :] @ self.states[step])[:, 0]
