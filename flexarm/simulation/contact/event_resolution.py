"""What becomes of an arm with unilateral contacts in the instant of an event: impacts, and the contacts that last."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from flexarm.errors import SolverError
from flexarm.simulation.contact.constraints.active_contacts import NONE_ACTIVE, ActiveContacts
from flexarm.simulation.contact.constraints.active_set import (
    RESTING_SPEED,
    inelastic_jump,
    persistent_contacts,
    project_onto_constraints,
)
from flexarm.simulation.contact.constraints.contact_state import ContactState
from flexarm.simulation.contact.constraints.contacts import Contacts
from flexarm.simulation.contact.contact_law import ContactLaw, Jammed
from flexarm.simulation.contact.gaps.gap_functions import CONTACT_GAP
from flexarm.simulation.contact.impacts import Impact, resolve_impact
from flexarm.solvers.base import InitialValueProblem

MOST_AT_ONCE = 1000
"""Impacts in one instant after which the run gives up."""
LATER = tuple(10.0**k for k in range(-8, -3))
"""Times [s] behind a breakaway at which it is looked what follows, one after the other."""


STICKS_AGAIN = 1e-6
"""Time [s] after which a contact in space that was torn away is not taken to stick: slips have turned by then."""


class TornAway(NamedTuple):
    """What has reached the limit of sticking: a contact, or a joint counted behind them; and the motion so far."""

    contact: int
    problem: InitialValueProblem


class EventResolution:
    """Impacts and active contacts at events of an arm.

    Parameters
    ----------
    problem : InitialValueProblem
        Of the free motion.
    contacts : Contacts
    law : ContactLaw

    Attributes
    ----------
    impacts : list of Impact
        All so far, in the order of time.
    energy_lost : float [J]
        What they have taken, and contacts that came to rest; and what moving the state onto walls takes or gives,
        also of potential energy, where that is accounted for.
    """

    def __init__(self, problem: InitialValueProblem, contacts: Contacts, law: ContactLaw):
        self._free, self._contacts, self._law = problem, contacts, law
        self.impacts: list[Impact] = []
        self.energy_lost = 0.0

    def resolve(
        self,
        t: float,
        y: NDArray[np.float64],
        released: int | None = None,
        torn: TornAway | None = None,
    ) -> tuple[NDArray[np.float64], ActiveContacts]:
        """State after all impacts of this instant, and the contacts that are active from here on.

        Parameters
        ----------
        t : float [s]
        y : (n_y,)
        released : int, optional
            Contact whose force has vanished.
        torn : TornAway, optional
            Contact or joint whose force has reached the limit of sticking.

        Raises
        ------
        SolverError
            No impulses or forces keep the arm outside, or there are too many impacts.
        """
        for _ in range(MOST_AT_ONCE):
            state = self._contacts.state(t, y)
            closed = np.flatnonzero(state.gap <= CONTACT_GAP)
            if not np.any(state.speed[closed] < -RESTING_SPEED):
                closed = persistent_contacts(state, closed)
                try:
                    return self._activate(t, y, state, closed, released, torn)
                except Jammed:
                    y = self.projected(t, y, closed, closed[:0])
                    state = self._contacts.state(t, y)
            released = torn = None
            impact, jump = resolve_impact(t, state, closed, self._law)
            self.impacts.append(replace(impact, y=y, jump=jump))
            self.energy_lost += impact.energy_lost.sum()
            y = _with_jump(y, jump)
        raise SolverError(f"more than {MOST_AT_ONCE} impacts in one instant")

    def _activate(
        self,
        t: float,
        y: NDArray[np.float64],
        state: ContactState,
        persistent: NDArray[np.intp],
        released: int | None,
        torn: TornAway | None,
    ) -> tuple[NDArray[np.float64], ActiveContacts]:
        """State with persistent contacts exactly closed, and those of them that are active."""
        if not persistent.size and not self._contacts.dry_joints.n:
            return y, NONE_ACTIVE
        jumped = _with_jump(y, inelastic_jump(state, persistent))
        self._account(t, y, jumped)
        y = self.projected(t, jumped, persistent, self._law.at_rest(state, persistent))
        state = self._contacts.state(t, y)
        remaining = persistent[persistent != released]
        if torn is not None:
            return y, self._torn_away(t, y, state, remaining, torn)
        return y, self._law.active(state, remaining)

    def _torn_away(
        self,
        t: float,
        y: NDArray[np.float64],
        state: ContactState,
        persistent: NDArray[np.intp],
        torn: TornAway,
    ) -> ActiveContacts:
        """Active contacts behind the instant in which a force reaches the limit of sticking.

        At the instant itself the slip has no acceleration yet, so that the contact might stick as well; what
        it does is decided by a state a little later, on the motion so far. Of redundant contacts it may go on to
        stick, as the others take over a part of its force; and what has shared it with them may be torn away with it.
        """
        rate = torn.problem.rhs(t, y, torn.problem.p)
        at_rest = self._law.at_rest(state, persistent)
        found, first = [], None
        for later in LATER:
            beyond = self._contacts.state(t + later, y + later * rate)
            found.append(self._law.active(beyond, persistent, at_rest))
            if found[-1].is_saturated(torn.contact, state.first_joint):
                continue
            if (
                state.n_tangents == 2
                and later > STICKS_AGAIN
                and found[-1].has_stuck(torn.contact, state.first_joint)
            ):
                break
            if not (found[-1].friction.saturated.any() or found[-1].joints.saturated.any()):
                return found[-1]
            first = first or found[-1]
        return first or found[0]

    def projected(
        self, t: float, y: NDArray[np.float64], closed: NDArray[np.intp], sticking: NDArray[np.intp]
    ) -> NDArray[np.float64]:
        """State (n_y,) with contacts (k,) int exactly closed and at rest, and some slips, (j,) int, zero."""
        n_theta, n_before = self._contacts.n_theta, y.size - self._contacts.n_free

        def shift(y: NDArray[np.float64], change: NDArray[np.float64]) -> NDArray[np.float64]:
            moved = self._free.rhs(t, np.concatenate([y[:n_before], change]), self._free.p)
            return np.concatenate([y[:n_theta] + moved[:n_theta], y[n_theta:]])

        found = project_onto_constraints(lambda y: self._contacts.state(t, y), shift, y, closed, sticking)
        self._account(t, y, found)
        return found

    def _account(self, t: float, before: NDArray[np.float64], after: NDArray[np.float64]) -> None:
        """Count the energy between two states (n_y,) of an instant as lost."""
        if self._contacts.accounts_for_impacts and after is not before:
            self.energy_lost += self._contacts.energy(t, before) - self._contacts.energy(t, after)


def _with_jump(y: NDArray[np.float64], jump: NDArray[np.float64]) -> NDArray[np.float64]:
    """The state with a jump of its rates, which are its last entries."""
    y = y.copy()
    y[y.size - jump.size :] += jump
    return y
