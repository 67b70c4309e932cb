"""Break points of a motion with contacts: kinks of motions, what is sampled, and instants that move."""

from __future__ import annotations

import numpy as np

from flexarm.simulation.contact.constraints.active_contacts import ActiveContacts
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
        y0, self._jumps = free.break_points(found)
        self._equations, self.S = equations, y0[found.y0.size :].reshape(found.states.shape)

    def before(
        self, t: float, y: np.ndarray, S: np.ndarray, active: ActiveContacts
    ) -> tuple[np.ndarray, np.ndarray]:
        """Change of the instant before t [s], (k,) [s], and derivatives (k, n_y) on the way of each direction to it.

        Kinks of motions and what sensors and controllers do there are included; `y` (n_y,) and `S` (k, n_y) are those
        before.

        Raises
        ------
        ModelError
            There are none.
        """
        if self._jumps is None:
            return np.zeros(len(S)), S
        intervals = self._jumps.intervals
        k = int(np.abs(intervals.starts - t).argmin()) - 1
        dt = self._jumps.changes[:, k]
        if dt.any():
            S = S + np.outer(dt, self._equations.rate(float(intervals.ends[k]), y, active))
        return dt, self._jumps.to_contacts(k, y, S, held=active.contacts.size > 0)
