"""Break points of a motion with contacts: what sampled sensors and controllers do there, and instants that move."""

from __future__ import annotations

import numpy as np

from flexarm.simulation.contact.constraints.active_contacts import ActiveContacts
from flexarm.simulation.forces.break_points import smooth_intervals
from flexarm.sweeps.sensitivity.contact.stretch_equations import StretchEquations
from flexarm.sweeps.sensitivity.directions.directions import Directions
from flexarm.sweeps.sensitivity.variational_equations import VariationalEquations


class BreakPoints:
    """Break points of an arm's state equation, through which derivatives are followed.

    Parameters
    ----------
    found : Directions
    free : VariationalEquations
        Of the free motion.
    equations : StretchEquations

    Attributes
    ----------
    S : (k, n_y)
        Derivatives of the state in which the motion starts.
    """

    def __init__(self, found: Directions, free: VariationalEquations, equations: StretchEquations):
        self._equations, self._jump, self.S = equations, None, found.states
        self._intervals, self._changes = smooth_intervals(found.instance.arm), None
        if self._intervals is None:
            return
        if found.instance.arm.clocks:
            problem = free.problem(found)
            self._jump, self.S = problem.jump, problem.y0[found.y0.size :].reshape(found.states.shape)
        elif found.instants.moves:
            self._changes = found.instants.at_breaks(self._intervals)

    def before(
        self, t: float, y: np.ndarray, S: np.ndarray, active: ActiveContacts
    ) -> tuple[np.ndarray, np.ndarray]:
        """Change of the instant before t [s], (k,) [s], and derivatives (k, n_y) on the way of each direction to it.

        What sensors and controllers do there is included; `y` (n_y,) and `S` (k, n_y) are those before.
        """
        still = np.zeros(len(S))
        if self._intervals is None:
            return still, S
        k = int(np.abs(self._intervals.starts - t).argmin()) - 1
        if self._jump is not None:
            return still, self._jump(k, np.concatenate([y, S.ravel()]))[y.size :].reshape(S.shape)
        if self._changes is None or not self._changes[:, k].any():
            return still, S
        dt = self._changes[:, k]
        return dt, S + np.outer(dt, self._equations.rate(float(self._intervals.ends[k]), y, active))
