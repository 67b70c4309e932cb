"""SciPy's methods advanced by numbers of steps, with the dense output of each: to be searched for events.

After an event a method starts anew, the multistep ones at order 1: what lies before it says nothing of what follows.
"""

from __future__ import annotations

from itertools import pairwise
from typing import ClassVar

import numpy as np

from flexarm.solvers.events.dense_steps import N_NODES, DenseSteps, node_times
from flexarm.solvers.scipy_methods import Bdf, Lsoda, ScipyIntegration


class _DenseScipy(ScipyIntegration):
    """An integration by one of SciPy's methods that is advanced by numbers of steps; see :class:`DenseIntegration`."""

    pieces_per_step: ClassVar[int] = 1

    def take_steps(self, max_steps: int, horizon: float) -> DenseSteps:
        """Take at most some steps, of which none but the first begins beyond a time [s]."""
        times, states = [np.empty((0, N_NODES))], [np.empty((0, N_NODES, self.y.size))]
        last = self.steps + max_steps
        while self.failure is None and self.steps < last:
            t = self.t
            if len(times) > 1 and t >= min(horizon, self.problem.end):
                break
            self._step()
            if self.failure is None:
                ends = np.linspace(t, self.t, self.pieces_per_step + 1)
                nodes = np.array([node_times(*piece) for piece in pairwise(ends)])
                times.append(nodes)
                states.append(np.array([self._dense(each).T for each in nodes]))
        return DenseSteps(np.concatenate(times), np.concatenate(states))


class DenseBdf(_DenseScipy, Bdf):
    """Backward differentiation formulas by numbers of steps; their dense output has a degree of 5 at most."""


class DenseLsoda(_DenseScipy, Lsoda):
    """LSODA by numbers of steps; cut in four, a polynomial of degree 12 is one of degree 7 within the tolerance."""

    pieces_per_step = 4
