"""Log of a run with contacts: where its motion is smooth, and what happens in between."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from flexarm.simulation.contact.constraints.active_contacts import ActiveContacts
from flexarm.simulation.contact.constraints.contacts import Contacts
from flexarm.simulation.contact.constraints.held_contacts import FurtherEvent
from flexarm.simulation.contact.contact_law import ContactLaw
from flexarm.simulation.contact.event_driven import EventDrivenIntegration
from flexarm.simulation.contact.impacts import Impact
from flexarm.solvers.base import InitialValueProblem

START, BREAK, DRIFT, EVENT = "start", "break point", "drift", "event"
"""Why a stretch of motion begins."""


class Stretch(NamedTuple):
    """A stretch of smooth motion, and the instant in which it begins.

    Attributes
    ----------
    cause : str
        What begins it.
    t, end : float [s]
        Where it begins; where it ends at the latest.
    max_step : float [s]
    before, y : (n_y,)
        State before the instant and behind it.
    active : ActiveContacts
    impacts : list of Impact
        Those of the instant.
    index : int or None
        Number of the event function: that of the contact that closes or whose force vanishes, or of a further event.
    further : FurtherEvent or None
        Event of friction or of a soft wall.
    """

    cause: str
    t: float
    end: float
    max_step: float
    before: NDArray[np.float64]
    y: NDArray[np.float64]
    active: ActiveContacts
    impacts: list[Impact]
    index: int | None = None
    further: FurtherEvent | None = None


class LoggedIntegration(EventDrivenIntegration):
    """The integration of an arm with contacts, with a log of its stretches of smooth motion.

    Attributes
    ----------
    stretches : list of Stretch
        In the order of time.
    contacts : Contacts
    law : ContactLaw
    free : InitialValueProblem
        Of the free motion, at its present interval.
    """

    def __init__(self, method: str, problem: InitialValueProblem, contacts: Contacts, law: ContactLaw):
        self.stretches: list[Stretch] = []
        self.contacts, self.law = contacts, law
        self._pending = START, problem.y0, 0, None, None
        super().__init__(method, problem, contacts, law)

    @property
    def free(self) -> InitialValueProblem:
        """Problem of the free motion."""
        return self._free

    def _continue(
        self,
        t: float,
        y: NDArray[np.float64],
        index: int | None = None,
        further: FurtherEvent | None = None,
    ) -> None:
        happens = index is not None
        cause = EVENT if happens else BREAK if self.stretches else START
        self._pending = cause, y, len(self.impacts), index, further
        super()._continue(t, y, index, further)

    def _start(self, t: float, y: NDArray[np.float64]) -> None:
        cause, before, n_impacts, index, further = self._pending
        self._log(cause, t, before, y, self.impacts[n_impacts:], index, further)
        super()._start(t, y)

    def _correct_drift(self, run) -> None:
        before = run.y.copy()
        super()._correct_drift(run)
        if self.failure is None and (run.y != before).any():
            self._log(DRIFT, run.t, before, run.y, [])

    def _log(
        self,
        cause: str,
        t: float,
        before: NDArray[np.float64],
        y: NDArray[np.float64],
        impacts: list[Impact],
        index: int | None = None,
        further: FurtherEvent | None = None,
    ) -> None:
        free = self._free
        self.stretches.append(
            Stretch(
                cause, t, free.end, free.max_step, before, y.copy(), self._active, impacts, index, further
            )
        )
