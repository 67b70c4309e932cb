"""Saltation: what an event of contacts or friction does to the derivatives of a state.

Where the motion of an arm beside the present one meets a wall, or comes to rest under friction, earlier or later, both
have different accelerations, and different rates, for that time.
"""

from __future__ import annotations

import numpy as np

from flexarm.simulation.contact.constraints.active_contacts import NONE_ACTIVE, ActiveContacts, along_walls
from flexarm.simulation.contact.constraints.active_set import (
    RESTING_SPEED,
    RESTING_SPEED_LIMIT,
    persistent_contacts,
)
from flexarm.simulation.contact.constraints.contacts import Contacts
from flexarm.simulation.contact.constraints.soft_touch import FACTOR, GAP
from flexarm.simulation.contact.contact_law import ContactLaw
from flexarm.simulation.contact.friction.friction_law import FrictionLaw
from flexarm.simulation.contact.gaps.gap_functions import CONTACT_GAP
from flexarm.simulation.contact.impacts import Impact
from flexarm.solvers.base import RightHandSide
from flexarm.sweeps.sensitivity.contact.contact_derivatives import ContactDerivatives
from flexarm.sweeps.sensitivity.contact.crossing import Crossing
from flexarm.sweeps.sensitivity.contact.differentiated_contacts import DifferentiatedContacts
from flexarm.sweeps.sensitivity.contact.event_log import BREAK, DRIFT, START, Stretch
from flexarm.sweeps.sensitivity.contact.impact_derivatives import (
    doubtful_contacts,
    effective_restitution,
    jump_with_friction,
    pushing_contacts,
)
from flexarm.sweeps.sensitivity.contact.no_derivative import STAYS, Obstacles
from flexarm.sweeps.sensitivity.contact.rest import Rest
from flexarm.sweeps.sensitivity.contact.stretch_equations import StretchEquations

CONTINUOUS = 1e-8
"""Jump of the rates at the limit of sticking, of the largest rate, that is round-off."""
DIED_OUT = 1e-9
"""Time [s] by which the gap of a contact whose bounces have died out is weighed against its speed."""

SHORT = 1e-6
"""Time over which rates of event functions are compared, of the duration of a run."""


class Saltation:
    """Jumps of the derivatives of an arm's state at the instants between stretches of its motion.

    Parameters
    ----------
    obstacles : Obstacles
        That say where there are none.
    contacts : Contacts
    law : ContactLaw
    differentiated : DifferentiatedContacts
    equations : StretchEquations
    free : RightHandSide and its parameters
        Of the free motion, whose first entries are the rates of the coordinates.
    duration : float [s]
        Of the run.

    Notes
    -----
    With dt the change of the time of the event, ``g_y S + g_p + (g_y f- + g_t) dt = 0``, and y+ = R(t, y-, p):
    ``S+ = R_y (S + f- dt) + R_p + R_t dt - f+ dt`` [Mueller1995]. g is a gap at impacts, a slip that ends, or what is
    left of a force up to the limit of sticking; there the rates jump only if less force acts in sliding.
    """

    def __init__(
        self,
        obstacles: Obstacles,
        contacts: Contacts,
        law: ContactLaw,
        differentiated: DifferentiatedContacts,
        equations: StretchEquations,
        free: tuple[RightHandSide, np.ndarray],
        duration: float,
    ):
        self._obstacles, self._contacts, self._law = obstacles, contacts, law
        self._equations = equations
        self._short = SHORT * duration
        self._rest = Rest(obstacles, contacts, differentiated, free)
        self._at, self._with_motion = differentiated.at, differentiated.with_motion
        self._n_tangents = max(contacts.n_tangents, 1) if isinstance(law, FrictionLaw) else 0
        changes = differentiated.changes
        self._restitution = np.vstack([contacts.restitution, changes.restitution])
        self._friction = np.vstack([contacts.kinetic_friction, changes.friction.kinetic])

    def across(
        self, stretch: Stretch, before: ActiveContacts, S: np.ndarray, moved: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray | float]:
        """Derivatives (k, n_y) behind the instant in which a stretch begins, from those before it.

        `moved` (k,) [s] are changes of the time of a break point; S is then that on the way of each direction. What
        comes with them are derivatives (k,) of the energy [J] that an impact takes there.

        Raises
        ------
        ModelError
            There are none.
        """
        self._contacts.soft.set(stretch.active.soft)
        self._obstacles.check_saturated(stretch, before)
        dt, after, lost = self._crossing(stretch, before, S, moved)
        if not dt.any():
            return after, lost
        return after - np.outer(dt, self._equations.rate(stretch.t, stretch.y, stretch.active)), lost

    def _crossing(
        self, stretch: Stretch, before: ActiveContacts, S: np.ndarray, moved: np.ndarray
    ) -> Crossing:
        started = np.setdiff1d(stretch.active.contacts, before.contacts)
        new, still = stretch.index, np.zeros(len(S))
        if stretch.cause == DRIFT:
            return Crossing(
                still, self._rest.projected(stretch, stretch.before, stretch.active.contacts, S, still)
            )
        if stretch.cause == START:
            self._check_start(stretch, S, started)
            return Crossing(still, S)
        if stretch.further is not None and stretch.further.kind not in (GAP, FACTOR):
            return self._through_friction(stretch, before, started, S)
        if stretch.further is not None:
            rate = self._equations.rate
            old, now = rate(stretch.t, stretch.before, before), rate(stretch.t, stretch.y, stretch.active)
            self._obstacles.check_soft_wall(stretch, before, old, now)
            return Crossing(still, S)
        if new is None or new in before.contacts:
            if stretch.impacts or started.size:
                when = "a break point of drives or loads" if stretch.cause == BREAK else "a release"
                raise self._obstacles.fault(stretch, f"contacts close in the very instant of {when}")
            return Crossing(moved, S)
        return self._through_impact(stretch, new, before, S)

    def _through_impact(self, stretch: Stretch, new: int, before: ActiveContacts, S: np.ndarray) -> Crossing:
        t, y = stretch.t, stretch.before
        if len(stretch.impacts) > 1:
            raise self._obstacles.fault(stretch, "impacts follow each other at once")
        impact = stretch.impacts[0] if stretch.impacts else None
        if new not in (stretch.active.contacts if impact is None else impact.contacts):
            raise self._obstacles.fault(stretch, f"{self._obstacles.name(new)} only touches")

        # when the event comes: at the end of ever smaller bounces a contact is held without a last impact
        f_before = self._equations.rate(t, y, before)
        contacts = np.array([new]) if impact is None else impact.contacts
        slips = along_walls(contacts, self._contacts.n, self._n_tangents)
        own = self._with_motion(t, y, S, f_before, contacts, slips)
        meeting = np.flatnonzero(contacts == new) if impact is None else _meeting(new, impact, before)
        dt = self._change_of_time(stretch, contacts[meeting], own.of(meeting))

        # what it does, on the way of each direction
        moved, lost = S + np.outer(dt, f_before), 0.0
        if impact is not None:
            came = own.later(dt)
            jump = self._jump(stretch, impact, before, came)
            if self._contacts.accounts_for_impacts:
                lost = came.energy_lost(impact.jump, jump)
            moved[:, y.size - jump.shape[1] :] += jump
            if (impact.after > RESTING_SPEED_LIMIT).all():
                return Crossing(dt, self._rest.behind(stretch, y, NONE_ACTIVE.contacts, moved, dt), lost)
            y = np.concatenate([y[: y.size - impact.jump.size], y[y.size - impact.jump.size :] + impact.jump])
        state = self._contacts.state(t, y)
        resting = persistent_contacts(state, np.flatnonzero(state.gap <= CONTACT_GAP))
        return Crossing(dt, self._rest.behind(stretch, y, resting, moved, dt), lost)

    def _through_friction(
        self, stretch: Stretch, before: ActiveContacts, started: np.ndarray, S: np.ndarray
    ) -> Crossing:
        """A slip ends, or the force of what sticks reaches its limit.

        In space a slip turns ever faster as it ends, so that its second rate says nothing, and its rate may be that of
        a direction which is round-off. What this leaves in the change of the time moves the state along forces of
        friction, all but little of which the sticking behind the event takes away.
        """
        assert stretch.index is not None
        assert stretch.further is not None
        self._obstacles.check_friction_event(stretch)
        rate = self._equations.rate
        f_before = rate(stretch.t, stretch.before, before)
        f_after = rate(stretch.t, stretch.y, stretch.active)
        if not started.size and np.abs(f_after - f_before).max() <= CONTINUOUS * np.abs(f_before).max():
            return Crossing(np.zeros(len(S)), S)
        margin, earlier = (
            self._equations.margin(stretch.t - ago, stretch.before - ago * f_before, S, before, stretch.index)
            for ago in (0.0, self._short)
        )
        turns = self._contacts.n_tangents == 2 and stretch.further.kind == "slip"
        turns &= stretch.further.contact < self._contacts.n
        last = earlier.rate if turns and margin.rate >= 0 else margin.rate
        second_rate = 0.0 if turns else (margin.rate - earlier.rate) / self._short
        self._obstacles.check_margin(stretch, last, margin.changes, second_rate)
        dt = -margin.changes / last
        moved = S + np.outer(dt, f_before)
        if started.size:
            own = self._at(stretch.t, stretch.before, moved, dt, started)
            self._obstacles.check_started(stretch, started, own, S)
        return Crossing(dt, self._rest.behind(stretch, stretch.before, stretch.active.contacts, moved, dt))

    def _change_of_time(self, stretch: Stretch, meeting: np.ndarray, own: ContactDerivatives) -> np.ndarray:
        """Changes (k,) [s] of the time of an impact, the same for all contacts (j,) int that close in it.

        Without an impact bounces have died out: gap and speed vanish together, and the change of the time leaves both
        at zero by least squares. The speed may be zero to round-off. The last direction is that of the motion.
        """
        speed, gaps, speeds = own.speed[0], own.gap[1:-1], own.speed[1:-1, 0]
        changes = -gaps / speed
        apart = np.abs(speed * (changes - changes[:, :1])).max(axis=0)
        if (apart > STAYS * (1 + np.abs(gaps).max())).any():
            both = " and ".join(self._obstacles.name(int(meeting[k])) for k in (0, np.argmax(apart)))
            raise self._obstacles.fault(stretch, f"{both} close at once")
        gap, acceleration = gaps[:, 0], float(own.speed[-1, 0])
        self._obstacles.check_grazing(stretch, float(speed[0]), gap, acceleration, int(meeting[0]))
        if stretch.impacts:
            return changes[:, 0]
        rates = np.array([speed[0] / DIED_OUT, acceleration])
        return -(rates @ [gap / DIED_OUT, speeds]) / (rates @ rates)

    def _jump(
        self, stretch: Stretch, impact: Impact, before: ActiveContacts, own: ContactDerivatives
    ) -> np.ndarray:
        """Derivatives (k, n) of the jump of the rates, from those of the contacts that take part."""
        t, y, contacts = stretch.t, stretch.before, impact.contacts
        if isinstance(self._law, FrictionLaw):
            state = self._contacts.state(t, y)
            coefficients = np.stack([self._restitution[:, contacts], self._friction[:, contacts]], axis=1)
            found = jump_with_friction(self._law, state, own, contacts, coefficients)
            if found is None:
                what = f"the impact of {self._obstacles.name(int(contacts[0]))} is at the border of two cases"
                raise self._obstacles.fault(stretch, f"{what}, as of a slip that ends in it or just not")
            return found
        if before.contacts.size:
            doubtful = doubtful_contacts(impact, self._contacts.state(t, y), before.contacts)
            if doubtful.any():
                name = self._obstacles.name(int(contacts[doubtful][0]))
                raise self._obstacles.fault(stretch, f"{name} may be pushed or not")
        e = effective_restitution(impact, self._restitution)
        return own.of(np.flatnonzero(pushing_contacts(impact))).jump(e)[1]

    def _check_start(self, stretch: Stretch, S: np.ndarray, started: np.ndarray) -> None:
        """Refuse contacts that are closed, and slips that rest, at the start, if they are not for other numbers."""
        state, still = self._contacts.state(stretch.t, stretch.before), np.zeros(len(S))
        if started.size or stretch.impacts:
            impacts = [one.contacts for one in stretch.impacts]
            closed = np.unique(np.concatenate([stretch.active.contacts, *impacts])).astype(int)
            changes = self._at(stretch.t, stretch.before, S, still, closed)
            self._obstacles.check_closed(stretch, closed, state.speed[closed], changes)
        resting = self._law.at_rest(state, stretch.active.contacts)
        changes = self._at(stretch.t, stretch.before, S, still, resting[:0], resting).speed[1:]
        self._obstacles.check_resting(stretch, resting, changes)


def _meeting(new: int, impact: Impact, before: ActiveContacts) -> np.ndarray:
    """Places (j,) int of the contacts that close in an impact; that whose event it is, `new`, comes first."""
    arrive = ~np.isin(impact.contacts, before.contacts) & (impact.contacts != new)
    arrive &= (impact.impulses > 0) | (impact.before < RESTING_SPEED)
    return np.concatenate([np.flatnonzero(impact.contacts == new), np.flatnonzero(arrive)])
