"""Points in soft walls: which are in them, whether these push, and the event functions that say when that changes.

Contact c = point p in the soft wall w has the number ``c = p n_soft + w``.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from flexarm.codegen.parameter_hoisting import BoundFunction
from flexarm.simulation.contact.equations.contact_functions import ContactFunctions
from flexarm.solvers.events.event_functions import NOWHERE, NativeSource

GAP, FACTOR = "soft gap", "soft factor"
"""Kinds of events: a point enters or leaves a soft wall; one in it does so faster than the wall follows, or slower."""
UNCERTAIN_GAP, UNCERTAIN_FACTOR = 1e-10, 1e-9
"""Gap [m] and factor [1] around an event within which an event says what a contact does, not its state."""


class SoftTouch:
    """Points in the soft walls of one arm, as the motion goes on; there may be none.

    Attributes
    ----------
    n : int
        Number of pairs of a point and a soft wall.
    inside : (n,) bool
    outrun : (n,) bool
        Of points inside: the wall would pull, so it does nothing.
    rates : (n,) [m/s]
        Rates of the gaps when :meth:`update` looked last.
    """

    def __init__(self, functions: ContactFunctions, parameters: NDArray[np.float64]):
        self._functions, self._parameters = functions, parameters
        self.n = functions.n_soft
        self.inside = self.outrun = np.zeros(self.n, dtype=bool)
        self.rates = np.zeros(self.n)

    @property
    def flags(self) -> NDArray[np.float64]:
        """Inputs of the equations, (2 n,): whether points are inside, and whether walls push."""
        return np.concatenate([self.inside, self.inside & ~self.outrun]).astype(float)

    def set(self, flags: NDArray[np.float64]) -> None:
        """Go on with points where flags (2 n,) say that they are."""
        inside, pushes = flags.astype(bool).reshape(2, self.n)
        self.inside, self.outrun = inside, inside & ~pushes

    def update(self, t: float, y: NDArray[np.float64]) -> None:
        """Find what the state y (n_y,) at the time t [s] says, unless it is that of an event."""
        if not self.n:
            return
        gap, self.rates, factor = self._values(t, y)
        self.inside = np.where(np.abs(gap) > UNCERTAIN_GAP, gap < 0, self.inside)
        outrun = np.where(np.abs(factor) > UNCERTAIN_FACTOR, factor < 0, self.outrun)
        self.outrun = self.inside & outrun

    def change(self, kind: str, contact: int) -> None:
        """Go on behind an event of a contact."""
        inside, outrun = self.inside.copy(), self.outrun.copy()
        if kind == GAP:
            inside[contact], outrun[contact] = not inside[contact], False
        else:
            outrun[contact] = not outrun[contact]
        self.inside, self.outrun = inside, outrun

    def source(self, first: int, total: int) -> NativeSource:
        """Event functions of all pairs, 2 n from the number `first` of `total` on: gaps with their rates, then factors.

        All are positive while each point is where it is.
        """
        f, p = self._margins
        signs = np.concatenate(
            [np.where(self.inside, -1.0, 1.0), np.where(self.inside & self.outrun, -1.0, 1.0)]
        )
        own = first + np.arange(self.n)
        factors = np.where(self.inside, own + self.n, NOWHERE)
        return NativeSource(
            f, np.concatenate([signs, self.flags, p]), np.concatenate([own, total + own, factors])
        )

    def _values(self, t: float, y: NDArray[np.float64]) -> NDArray[np.float64]:
        """Gaps [m], their rates [m/s] and factors, (3, n)."""
        f, p = self._margins
        return f(t, y, np.concatenate([np.ones(2 * self.n), self.flags, p])).reshape(3, self.n)

    @cached_property
    def _margins(self) -> BoundFunction:
        return self._functions.native_soft_margins.at(self._parameters)
