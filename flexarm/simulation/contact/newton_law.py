"""Newton's impact law with unilateral constraints ([FL17] section 3.3)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from flexarm.simulation.contact.constraints.active_contacts import ActiveContacts
from flexarm.simulation.contact.constraints.contact_state import ContactState
from flexarm.simulation.contact.contact_law import (
    ContactLaw,
    Impulses,
    is_chatter,
    pressed,
    release_acceleration,
)
from flexarm.simulation.contact.impacts import creates_energy
from flexarm.solvers.linear_complementarity import solve_lcp

CHATTER_ENERGY = 100.0
"""Energy of a rebound that counts for nothing, in units of rtol times the kinetic energy of the arm."""


@dataclass(frozen=True)
class NewtonLaw(ContactLaw):
    """Newton's impact law, frictionless; forces of persistent contacts are those of constraints that only push.

    Attributes
    ----------
    restitution : (m,)
        Coefficient of restitution e of every contact.
    least_energy : float
        Energy of a rebound, as a fraction of the arm's kinetic energy, below which the contact does not rebound if that
        were over within :data:`~flexarm.simulation.contact.contact_law.CHATTER_TIME`.

    Notes
    -----
    [FL17] eq. 62 with impulses that may only push: ``F >= 0``, and ``J v+ >= -e J v-`` where a point approaches its
    wall, ``J v+ >= 0`` where it parts, and one of both equal at every contact [PfeifferGlocker1996]. So a point that
    parts gets an impulse only where those on others would drive it back, and stays. It is eq. 62 where every point
    approaches and every impulse pushes. With one e for all contacts that push, the energy lost,
    ``(1 - e) / (1 + e) F . J M^-1 J^T F / 2``, is never negative. With different ones it may be
    ([Glocker2013], the paper's [6]); then the smallest of those that push holds for all.

    A light part that a large force presses against a stop bounces without end if e is 1, ever more often: a rebound
    with the speed v and the energy ``v^2 / (2 J M^-1 J^T)`` is over after ``2 v / a``, a being the acceleration back to
    the wall. Slow motions feel the mean force of this chatter, which is that of a persistent contact.

    Forces lambda of persistent contacts and the second rates of their gaps, ``J theta_dd + J_d theta_d``, are
    complementary likewise: no force pulls, no point enters, and a force acts only where the point stays.
    """

    restitution: NDArray[np.float64]
    least_energy: float = 0.0

    def impact(self, state: ContactState, contacts: NDArray[np.intp]) -> Impulses:
        """Impulses on the closed contacts (k,) int."""
        A = state.delassus(contacts)
        speed = state.speed[contacts]
        e = np.where(speed < 0, self.restitution[contacts], 0.0)
        e[is_chatter(state, contacts, -e * speed, A.diagonal(), self.least_energy)] = 0.0
        impulses = solve_lcp(A, (1 + e) * speed)
        while _differ(pushing := e[impulses > 0]) and creates_energy(state, contacts, Impulses(impulses)):
            e = np.minimum(e, pushing.min())
            impulses = solve_lcp(A, (1 + e) * speed)
        return Impulses(impulses)

    def active(
        self, state: ContactState, contacts: NDArray[np.intp], at_rest: NDArray[np.intp] | None = None
    ) -> ActiveContacts:
        """Those of the persistent contacts (k,) int on which a force acts."""
        A = state.delassus(contacts)
        forces = solve_lcp(A, state.free_gap_acceleration[contacts])
        return ActiveContacts.frictionless(
            contacts[pressed(forces, A.diagonal(), release_acceleration(state))]
        )


def _differ(values: NDArray[np.float64]) -> bool:
    return values.size > 1 and bool(np.ptp(values) > 0)
