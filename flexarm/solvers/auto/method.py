"""DOP853 until stability bounds its steps, then Radau IIA."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from flexarm.solvers.auto.watched import WatchedDop853
from flexarm.solvers.base import ChangeOver, InitialValueProblem, Integration
from flexarm.solvers.compiled.time_slices import CompiledIntegration
from flexarm.solvers.radau.method import Radau

IMPLICIT = "radau"
"""Name of the method that takes over."""


class Auto(Integration):
    """An integration by DOP853 that Radau IIA takes over, once and for all, where the equations are found stiff.

    Attributes
    ----------
    present : CompiledIntegration
        The one that takes the steps.

    Notes
    -----
    Steps that stability bounds raise an alarm, see :mod:`flexarm.solvers.dop853.kernels.stiffness`; whether an implicit
    method pays is decided by eigenvalues then, see :class:`~flexarm.solvers.auto.watched.Watched`. Both depend on steps
    alone, so that samples and time slices have no influence. There is no way back: where the motion is no longer stiff,
    steps of Radau IIA are short enough for it as well.
    """

    crosses_break_points = True

    def __init__(self, problem: InitialValueProblem):
        super().__init__(problem)
        self._explicit = WatchedDop853(problem)
        self.present: CompiledIntegration = self._explicit
        self.failure = self.present.failure

    @property
    def t(self) -> float:
        """Time reached by the steps [s]."""
        return self.present.t

    @property
    def y(self) -> NDArray[np.float64]:
        """State reached by the steps (n,)."""
        return self.present.y

    @property
    def steps(self) -> int:
        """Accepted steps."""
        return self.present.steps

    @property
    def rejected(self) -> int:
        """Rejected steps."""
        return self.present.rejected

    @property
    def evaluations(self) -> int:
        """Evaluations of the right-hand side."""
        return self.present.evaluations

    def _advance(self, times: NDArray[np.float64]) -> NDArray[np.float64]:
        states = self.present._advance(times)
        waits = len(states) < times.size and self.present.failure is None
        if waits and self.change_over is None and self._explicit.is_alarmed:
            self._change_over()
        self.failure = self.present.failure
        return states

    def _change_over(self) -> None:
        """Have Radau IIA go on, with the statistics, if it pays."""
        rest = self._explicit.handed_over(self.problem)
        if rest is not None:
            self.present = Radau(rest)
            self.present.add_statistics(self._explicit)
            self.change_over = ChangeOver(IMPLICIT, rest.t0, self._explicit.steps)

    def _restart(self, problem: InitialValueProblem) -> None:
        self.present._restart(problem)
