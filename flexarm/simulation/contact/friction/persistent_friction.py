"""Friction of contacts that last, and of joints: which of them slide and stick in a state of the arm."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from flexarm.simulation.contact.constraints.active_contacts import ActiveContacts, Rubbing
from flexarm.simulation.contact.constraints.contact_state import ContactState
from flexarm.simulation.contact.constraints.dry_joints import DryJoints
from flexarm.simulation.contact.contact_law import Jammed, release_acceleration
from flexarm.simulation.contact.equations.constrained_motion import SLIDING_SPEED
from flexarm.simulation.contact.equations.constrained_motion_in_space import STOPPING_SPEED
from flexarm.simulation.contact.friction.contact_forces import FrictionProblem, friction_forces
from flexarm.simulation.contact.friction.spatial_forces import spatial_forces


@dataclass(frozen=True)
class PersistentFriction:
    """Coulomb friction of m contacts, and of joints.

    Attributes
    ----------
    kinetic, static : (m,)
        Coefficients of friction in sliding and at rest; 0 where there is none.
    joints : DryJoints
    """

    kinetic: NDArray[np.float64]
    static: NDArray[np.float64]
    joints: DryJoints

    def active(
        self, state: ContactState, contacts: NDArray[np.intp], at_rest: NDArray[np.intp] | None = None
    ) -> ActiveContacts:
        """Those of the persistent contacts (k,) int on which a force acts; how they, and joints, rub.

        Parameters are those of :meth:`~flexarm.simulation.contact.contact_law.ContactLaw.active`.

        Raises
        ------
        Jammed
            There are no forces that keep the contacts closed.
        """
        rubbing = np.flatnonzero(self.static[contacts] > 0)
        k_w, walls = rubbing.size, contacts[rubbing]
        at_rest = self.at_rest(state, contacts) if at_rest is None else at_rest
        along, joints = state.along_walls(walls), state.first_joint + np.arange(self.joints.n)
        numbers = np.concatenate([along, joints])
        kinetic = np.concatenate([self.kinetic[walls], self.joints.kinetic])
        static = np.concatenate([self.static[walls], self.joints.static])
        slides = ~np.isin(np.concatenate([walls, joints]), at_rest)
        A, limit = state.delassus_with_friction(contacts, numbers), static
        b = np.concatenate([state.free_gap_acceleration[contacts], state.free_slip_acceleration[numbers]])
        direction = _directions(state, walls) * slides[:, None]
        if state.n_tangents == 1:
            direction = direction[:, 0]
        problem = FrictionProblem(A, b, rubbing, kinetic, limit, direction, release_acceleration(state))
        solve = friction_forces if state.n_tangents == 1 else spatial_forces
        while True:  # what begins to slide has the kinetic coefficient, which may change what the others do
            found = solve(problem._replace(static=limit))
            if found is None:
                raise Jammed("no forces of the walls agree with their friction")
            begins = found.slips & ~slides & (limit > kinetic)
            if not begins.any():
                break
            limit = np.where(begins, kinetic, limit)
        coefficient = np.where(found.sticks, 0.0, np.where(found.slips, kinetic, limit))
        bound, given = np.where(found.sticks, static, 0.0), np.zeros((limit.size, 2))
        if state.n_tangents == 1:
            coefficient = -found.direction * coefficient
        else:
            given[:k_w] = np.where((found.sticks | slides)[:k_w, None], 0.0, found.direction[:k_w])
            coefficient[k_w:] *= -found.direction[k_w:, 0]
        rubs = Rubbing(found.sticks, found.slips, coefficient, bound, given)
        of_walls = rubs.of(slice(k_w)).among(contacts.size, rubbing)
        return ActiveContacts(contacts[found.pressed], of_walls.of(found.pressed), rubs.of(slice(k_w, None)))

    def at_rest(self, state: ContactState, contacts: NDArray[np.intp]) -> NDArray[np.intp]:
        """Slips of the persistent contacts (k,) int with friction that do not slide, and joints likewise: (j,) int."""
        walls = contacts[self.static[contacts] > 0]
        least = SLIDING_SPEED if state.n_tangents == 1 else 2 * STOPPING_SPEED
        still = walls[np.linalg.norm(_slips(state, walls), axis=1) <= least]
        resting = np.flatnonzero(np.abs(state.slip[state.first_joint :]) <= SLIDING_SPEED)
        return np.concatenate([state.along_walls(still), state.first_joint + resting])


def _slips(state: ContactState, contacts: NDArray[np.intp]) -> NDArray[np.float64]:
    """Slips (k, n_tangents) [m/s] of contacts (k,) int."""
    return state.slip[state.along_walls(contacts)].reshape(state.n_tangents, contacts.size).T


def _directions(state: ContactState, walls: NDArray[np.intp]) -> NDArray[np.float64]:
    """Directions (k_t, n_tangents) of the slips of contacts (k_w,) int, then of joints."""
    rates = state.slip[state.first_joint :]
    slips = np.zeros((walls.size + rates.size, state.n_tangents))
    slips[: walls.size], slips[walls.size :, 0] = _slips(state, walls), rates
    length = np.linalg.norm(slips, axis=1, keepdims=True)
    return slips / np.where(length > 0, length, 1.0)
