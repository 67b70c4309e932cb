"""Newton's impact law with unilateral constraints ([FL17] section 3.3)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from flexarm.simulation.contact.contact_law import ContactLaw
from flexarm.simulation.contact.contact_state import ContactState
from flexarm.simulation.contact.impacts import creates_energy
from flexarm.solvers.linear_complementarity import solve_lcp


@dataclass(frozen=True)
class NewtonLaw(ContactLaw):
    """Newton's impact law, frictionless; forces of persistent contacts are those of constraints that only push.

    Attributes
    ----------
    restitution : (m,)
        Coefficient of restitution e of every contact.

    Notes
    -----
    [FL17] eq. 62 with impulses that may only push: ``J v+ >= -e J v-``, ``F >= 0``, and one of both equal at every
    contact [PfeifferGlocker1996]. It is eq. 62 where every impulse pushes. With one e for all contacts
    the energy lost, ``(1 - e) / (1 + e) F . J M^-1 J^T F / 2``, is never negative. With different ones it may be
    ([Glocker2013], the paper's [6]); then the smallest one holds for all.

    Forces lambda of persistent contacts and the second rates of their gaps, ``J theta_dd + J_d theta_d``, are
    complementary likewise: no force pulls, no point enters, and a force acts only where the point stays.
    """

    restitution: NDArray[np.float64]

    def impact(self, state: ContactState, contacts: NDArray[np.intp]) -> NDArray[np.float64]:
        """Impulses (k,) [N s] on the closed contacts."""
        e = self.restitution[contacts]
        impulses = _impulses(state, contacts, e)
        if creates_energy(state, contacts, impulses):
            impulses = _impulses(state, contacts, np.full_like(e, e.min()))
        return impulses

    def forces(self, state: ContactState, contacts: NDArray[np.intp]) -> NDArray[np.float64]:
        """Forces (k,) [N] on the persistent contacts."""
        return solve_lcp(state.delassus[np.ix_(contacts, contacts)], state.free_gap_acceleration[contacts])


def _impulses(
    state: ContactState, contacts: NDArray[np.intp], restitution: NDArray[np.float64]
) -> NDArray[np.float64]:
    A = state.delassus[np.ix_(contacts, contacts)]
    return solve_lcp(A, (1 + restitution) * state.speed[contacts])
