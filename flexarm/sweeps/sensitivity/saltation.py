"""Saltation: what an impact, or a contact that is held from then on, does to the derivatives of a state.

Where the motion of an arm beside the present one meets a wall earlier or later, both have different accelerations, and
different rates, for that time.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from flexarm.description.arm.arm import Arm
from flexarm.errors import ModelError
from flexarm.simulation.contact.constraints.active_contacts import ActiveContacts
from flexarm.simulation.contact.constraints.active_set import RESTING_SPEED, persistent_contacts
from flexarm.simulation.contact.constraints.contacts import Contacts
from flexarm.simulation.contact.gaps.gap_functions import CONTACT_GAP, stops_of
from flexarm.simulation.contact.impacts import Impact
from flexarm.solvers.base import RightHandSide
from flexarm.sweeps.sensitivity.contact_derivatives import DifferentiatedContacts
from flexarm.sweeps.sensitivity.event_log import BREAK, DRIFT, START, Stretch

GRAZING = 1e-6
"""Relative change of a number that makes an impact disappear: beyond it there is no derivative to speak of."""
STRICT = 1e-9
"""Speeds of contacts that hardly take part in an impact, of the largest speed."""
STAYS = 1e-9
"""Changes of gaps [m] and speeds [m/s] by a relative change of 1 that are round-off."""
Rate = Callable[[float, np.ndarray, ActiveContacts], np.ndarray]


class Saltation:
    """Jumps of the derivatives of an arm's state at the instants between stretches of its motion.

    Parameters
    ----------
    arm : Arm
    contacts : Contacts
    differentiated : DifferentiatedContacts
    rate : callable
        (t, y, active contacts) -> y_d.
    free : RightHandSide and its parameters
        Of the free motion, whose first entries are the rates of the coordinates.

    Notes
    -----
    With dt the change of the time of the event, ``g_y S + g_p + (g_y f- + g_t) dt = 0``, and y+ = R(t, y-, p):
    ``S+ = R_y (S + f- dt) + R_p + R_t dt - f+ dt`` [Mueller1995].
    """

    def __init__(
        self,
        arm: Arm,
        contacts: Contacts,
        differentiated: DifferentiatedContacts,
        rate: Rate,
        free: tuple[RightHandSide, np.ndarray],
    ):
        self._arm, self._contacts, self._rate, self._free = arm, contacts, rate, free
        self._at = differentiated.at
        self._restitution = np.vstack([contacts.restitution, differentiated.changes.restitution])

    def across(self, stretch: Stretch, before: ActiveContacts, S: np.ndarray) -> np.ndarray:
        """Derivatives (k, n_y) behind the instant in which a stretch begins, from those before it.

        Raises
        ------
        ModelError
            There are none.
        """
        started = np.setdiff1d(stretch.active.contacts, before.contacts)
        new = stretch.index
        if stretch.cause == DRIFT:
            return self._projected(stretch, stretch.before, stretch.active.contacts, S, np.zeros(len(S)))
        if stretch.cause == START:
            if started.size or stretch.impacts:
                self._check_start(stretch, S)
            return S
        if stretch.further is not None:
            return self._at_soft_wall(stretch, before, S)
        if new is None or new in before.contacts:
            if stretch.impacts or started.size:
                when = "a break point of drives or loads" if stretch.cause == BREAK else "a release"
                raise self._fault(stretch, f"contacts close in the very instant of {when}")
            return S
        return self._through_impact(stretch, new, before, S)

    def _through_impact(
        self, stretch: Stretch, new: int, before: ActiveContacts, S: np.ndarray
    ) -> np.ndarray:
        t, y = stretch.t, stretch.before
        if len(stretch.impacts) > 1:
            raise self._fault(stretch, "impacts follow each other at once")
        if not stretch.impacts and new not in stretch.active.contacts:
            raise self._fault(stretch, f"{self._name(new)} only touches")

        # when the event comes: at the end of ever smaller bounces a contact is held without a last impact
        f_before = self._rate(t, y, before)
        impact = stretch.impacts[0] if stretch.impacts else None
        dt = self._change_of_time(stretch, _meeting(new, impact, before), S, f_before)

        # what it does, on the way of each direction
        moved = S + np.outer(dt, f_before)
        if impact is not None:
            pushing = self._pushing(stretch, impact, before)
            e = self._effective_restitution(impact, pushing)
            _, jump = self._at(t, y, moved, dt, impact.contacts[pushing]).jump(e)
            moved[:, y.size - jump.shape[1] :] += jump
            y = np.concatenate([y[: y.size - impact.jump.size], y[y.size - impact.jump.size :] + impact.jump])
        state = self._contacts.state(t, y)
        resting = persistent_contacts(state, np.flatnonzero(state.gap <= CONTACT_GAP))
        if resting.size:
            moved = self._projected(stretch, y, resting, moved, dt)
        return moved - np.outer(dt, self._rate(t, stretch.y, stretch.active))

    def _change_of_time(
        self, stretch: Stretch, meeting: np.ndarray, S: np.ndarray, rate: np.ndarray
    ) -> np.ndarray:
        """Changes (k,) [s] of the time of an impact, the same for all contacts (j,) int that close in it."""
        own = self._at(stretch.t, stretch.before, S, np.zeros(len(S)), meeting)
        changes = -own.gap[1:] / own.speed[0]
        apart = np.abs(own.speed[0] * (changes - changes[:, :1])).max(axis=0)
        if (apart > STAYS * (1 + np.abs(own.gap[1:]).max())).any():
            both = " and ".join(self._name(int(meeting[k])) for k in (0, np.argmax(apart)))
            raise self._fault(stretch, f"{both} close at once")
        self._check_grazing(stretch, float(own.speed[0, 0]), own.gap[1:, 0], rate, int(meeting[0]))
        return changes[:, 0]

    def _pushing(self, stretch: Stretch, impact: Impact, before: ActiveContacts) -> np.ndarray:
        """Which contacts of an impact push, (k,) bool; of those held before it must not be in doubt."""
        contacts, size = impact.contacts, np.abs(impact.before).max()
        pushing = impact.impulses > 0
        A = self._contacts.state(stretch.t, stretch.before).delassus(contacts)
        share = np.where(pushing, impact.impulses * A.diagonal(), impact.after)
        doubtful = np.isin(contacts, before.contacts) & (share <= STRICT * size)
        doubtful &= np.abs(A - np.diag(A.diagonal())) @ impact.impulses > STRICT * size
        if doubtful.any():
            raise self._fault(stretch, f"{self._name(int(contacts[doubtful][0]))} may be pushed or not")
        return pushing

    def _effective_restitution(self, impact: Impact, pushing: np.ndarray) -> np.ndarray:
        """Coefficients of restitution of the contacts that push, and their changes: (1 + k, c)."""
        contacts, before, after = impact.contacts[pushing], impact.before[pushing], impact.after[pushing]
        own, found = self._restitution[:, contacts], np.zeros((len(self._restitution), contacts.size))
        for i in np.flatnonzero(before < -RESTING_SPEED):
            ratio = -after[i] / before[i]
            near = np.abs(own[0] - ratio) < STRICT
            if near[i]:
                found[:, i] = own[:, i]
            elif near.any():  # the smallest of all that push holds for all
                found[:, i] = own[:, int(np.argmax(near))]
        return found

    def _check_grazing(
        self, stretch: Stretch, speed: float, dgap: np.ndarray, rate: np.ndarray, which: int
    ) -> None:
        """Refuse an impact that a small change of a number takes away."""
        k, contact = len(dgap), np.array([which])
        along, still = (
            self._at(
                stretch.t, stretch.before, part * np.tile(rate, (k, 1)), np.full(k, part), contact
            ).speed[1, 0]
            for part in (1.0, 0.0)
        )
        acceleration = along - still
        if acceleration > 0 and speed**2 / (2 * acceleration) <= GRAZING * np.abs(dgap).max():
            raise self._fault(
                stretch, f"{self._name(which)} is only grazed, or missed once a number changes by a millionth"
            )

    def _projected(
        self, stretch: Stretch, y: np.ndarray, contacts: np.ndarray, S: np.ndarray, dt: np.ndarray
    ) -> np.ndarray:
        """Derivatives of a state y (n_y,) behind its projection, which closes contacts (c,) int and lets them rest."""
        t = stretch.t
        moves, n = self._at(t, y, S, dt, contacts).closing(), self._contacts.n_free
        f, p = self._free
        S, n_theta = S.copy(), self._contacts.n_theta
        at_rest = np.concatenate([y[:-n], np.zeros(n)])
        still = f(t, at_rest, p)[:n_theta]
        for own, change in zip(S, moves, strict=True):
            own[:n_theta] += f(t, np.concatenate([y[:-n], change]), p)[:n_theta] - still
        state = self._at(t, y, S, dt, contacts)
        S[:, y.size - n :] += state.jump(np.zeros((1 + len(S), contacts.size)))[1]
        return S

    def _check_start(self, stretch: Stretch, S: np.ndarray) -> None:
        state = self._contacts.state(stretch.t, stretch.before)
        closed = np.union1d(
            stretch.active.contacts,
            np.concatenate([np.empty(0, dtype=int), *(one.contacts for one in stretch.impacts)]),
        ).astype(int)
        changes = self._at(stretch.t, stretch.before, S, np.zeros(len(S)), closed)
        moved = np.abs([changes.gap[1:], changes.speed[1:]]).max(axis=(0, 1)) > STAYS
        if moved.any() or stretch.impacts or np.abs(state.speed[closed]).max() > RESTING_SPEED:
            raise self._fault(
                stretch, f"{self._name(int(closed[np.argmax(moved)]))} is closed as the motion starts"
            )

    def _at_soft_wall(self, stretch: Stretch, before: ActiveContacts, S: np.ndarray) -> np.ndarray:
        """The force of a soft wall begins and ends at zero: the derivatives go on."""
        if stretch.impacts or not np.array_equal(stretch.active.contacts, before.contacts):
            raise self._fault(stretch, "a soft and a rigid wall are met at once")
        jump = self._rate(stretch.t, stretch.y, stretch.active) - self._rate(
            stretch.t, stretch.before, before
        )
        if np.abs(jump).max() > 1e-6 * np.abs(self._rate(stretch.t, stretch.before, before)).max():
            raise self._fault(stretch, "the force of a soft wall jumps")
        return S

    def _name(self, contact: int) -> str:
        """What a contact is, in words."""
        arm, first = self._arm, self._contacts.n_wall_contacts
        if contact >= first:
            joint, side = stops_of(arm)[contact - first]
            return f"the {'lower' if side > 0 else 'upper'} limit of joint {joint + 1}"
        assert arm.contact is not None
        point, wall = divmod(contact, len(arm.contact.rigid))
        return f"the contact of point {point + 1} with wall {arm.contact.rigid[wall] + 1}"

    def _fault(self, stretch: Stretch, what: str) -> ModelError:
        return ModelError(
            f"{self._arm.name}: there is no derivative through t = {stretch.t:.6g} s: {what}",
            hint="change a number a little, or end the run before",
        )


def _meeting(new: int, impact: Impact | None, before: ActiveContacts) -> np.ndarray:
    """Contacts that close in an impact, (j,) int; that whose event it is, `new`, comes first."""
    if impact is None:
        return np.array([new])
    arrive = ~np.isin(impact.contacts, before.contacts) & (impact.contacts != new)
    arrive &= (impact.impulses > 0) | (impact.before < RESTING_SPEED)
    return np.append([new], impact.contacts[arrive])
