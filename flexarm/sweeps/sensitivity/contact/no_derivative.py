"""Instants of a motion with contacts through which there is no derivative, and what is said then."""

from __future__ import annotations

import numpy as np

from flexarm.description.arm.arm import Arm
from flexarm.errors import ModelError
from flexarm.simulation.contact.constraints.active_contacts import ActiveContacts, along_walls
from flexarm.simulation.contact.constraints.active_set import RESTING_SPEED
from flexarm.simulation.contact.constraints.contacts import Contacts
from flexarm.simulation.contact.gaps.gap_functions import stops_of
from flexarm.sweeps.sensitivity.contact.contact_derivatives import ContactDerivatives
from flexarm.sweeps.sensitivity.contact.event_log import Stretch

GRAZING = 1e-6
"""Relative change of a number that makes an event disappear: beyond it there is no derivative to speak of."""
STAYS = 1e-9
"""Changes of gaps [m] and speeds [m/s] by a relative change of 1 that are round-off."""
RESTS = 1e-5
"""Changes of slips that stay zero, of the largest change of a rate: bounces that die out leave some."""

SMOOTH = 1e-6
"""Jump of rates at the surface of a soft wall, of the largest one, that is round-off."""
REDUNDANT = 1e-9
"""Part of a row of the Jacobian that other rows do not make, which is round-off."""


class Obstacles:
    """What stands in the way of derivatives in the motion of an arm.

    Parameters
    ----------
    arm : Arm
    contacts : Contacts
    """

    def __init__(self, arm: Arm, contacts: Contacts):
        self._arm, self._contacts = arm, contacts

    def name(self, contact: int) -> str:
        """What a contact is, in words."""
        arm, first = self._arm, self._contacts.n_wall_contacts
        if contact >= first:
            joint, side = stops_of(arm)[contact - first]
            return f"the {'lower' if side > 0 else 'upper'} limit of joint {joint + 1}"
        assert arm.contact is not None
        point, wall = divmod(contact, len(arm.contact.rigid))
        return f"the contact of point {point + 1} with wall {arm.contact.rigid[wall] + 1}"

    def slip_name(self, number: int) -> str:
        """What a slip is of, in words, by its number as of ContactState."""
        first_joint = self._contacts.n * max(self._contacts.n_tangents, 1)
        if number >= first_joint:
            return f"joint {self._arm.dry_joints[number - first_joint] + 1}"
        return self.name(number % self._contacts.n)

    def fault(self, stretch: Stretch, what: str) -> ModelError:
        """There is no derivative at the beginning of a stretch."""
        return ModelError(
            f"{self._arm.name}: there is no derivative through t = {stretch.t:.6g} s: {what}",
            hint="change a number a little, or end the run before; a sweep shows what happens to both sides",
        )

    def check_grazing(
        self, stretch: Stretch, speed: float, changes: np.ndarray, acceleration: float, contact: int
    ) -> None:
        """Refuse an impact that a small change of a number takes away; changes (k,) are those of the gap."""
        if acceleration > 0 and speed**2 / (2 * acceleration) <= GRAZING * np.abs(changes).max():
            what = "is only grazed, or missed once a number changes by a millionth"
            raise self.fault(stretch, f"{self.name(contact)} {what}")

    def check_margin(self, stretch: Stretch, rate: float, changes: np.ndarray, second_rate: float) -> None:
        """Refuse an event of friction that a small change of a number takes away; changes (k,) are of its function."""
        assert stretch.further is not None
        vanishes = second_rate > 0 and rate**2 / (2 * second_rate) <= GRAZING * np.abs(changes).max()
        if rate >= 0 or vanishes:
            what = (
                "just comes to rest"
                if stretch.further.kind == "slip"
                else "just reaches the limit of sticking"
            )
            raise self.fault(
                stretch,
                f"{self.slip_name(stretch.further.contact)} {what}, or does not once a number changes by a millionth",
            )

    def check_friction_event(self, stretch: Stretch) -> None:
        """Refuse events of friction with impacts."""
        assert stretch.further is not None
        if stretch.impacts or stretch.further.contact < 0:
            raise self.fault(stretch, "friction wedges a contact, which is an impact without a collision")

    def check_started(
        self, stretch: Stretch, started: np.ndarray, changes: ContactDerivatives, S: np.ndarray
    ) -> None:
        """Refuse contacts (j,) int that start to last in an event of friction, unless bounces have died out there.

        `changes` are those of the contacts on the way of each direction, `S` (k, n_y) those of the state at the instant
        of the event, as large as a contact's would be that has nothing to do with it.
        """
        doubtful = np.abs([changes.gap[1:], changes.speed[1:]]).max(axis=(0, 1)) > RESTS * np.abs(S).max()
        if doubtful.any():
            assert stretch.further is not None
            slip = self.slip_name(stretch.further.contact)
            name = self.name(int(started[np.argmax(doubtful)]))
            raise self.fault(stretch, f"{name} closes as the friction of {slip} changes")

    def check_saturated(self, stretch: Stretch, before: ActiveContacts) -> None:
        """Refuse what is at the limit of sticking without a slip, unless something else keeps its slip at zero too.

        So it is with redundant contacts, as of a rod that lies on a floor: one of two sticks. And a joint with dry
        friction leaves its limit where the friction is all that is left to hold it, for other numbers too.
        """
        active, n = stretch.active, self._contacts.n
        n_t = self._contacts.n_tangents
        walls = active.contacts[active.friction.saturated]
        along = along_walls(walls, n, n_t)
        saturated = np.concatenate([along, n * max(n_t, 1) + np.flatnonzero(active.joints.saturated)])
        if not saturated.size:
            return
        state = self._contacts.state(stretch.t, stretch.y)
        released = [] if stretch.index is None else np.intersect1d(before.contacts, [stretch.index])
        closed = np.union1d(active.contacts, released).astype(int)
        kept = np.vstack([state.J[closed], state.J_t[active.sticking(n, n_t)]])
        own = state.J_t[saturated]
        left = own - own @ np.linalg.pinv(kept) @ kept
        moves = np.linalg.norm(left, axis=1) > REDUNDANT * np.linalg.norm(own, axis=1)
        if moves.any():
            name = self.slip_name(int(saturated[np.argmax(moves)]))
            raise self.fault(stretch, f"{name} is just at the limit of sticking")

    def check_sticking(
        self, stretch: Stretch, sticking: np.ndarray, changes: np.ndarray, moved: np.ndarray
    ) -> None:
        """Refuse slips (s,) int that end in an instant, but would not for another number: by changes (k, s) of them.

        `moved` (k, n_y) are the derivatives of the state. The slip whose event it is ends in any case: in space what is
        left of its derivative across vanishes with it.
        """
        largest = np.abs(moved[:, moved.shape[1] - self._contacts.n_free :]).max(initial=0.0)
        doubtful = np.abs(changes).max(axis=0) > RESTS * largest + STAYS
        if stretch.further is not None:
            first_joint = self._contacts.n * max(self._contacts.n_tangents, 1)
            own = np.where(sticking < first_joint, sticking % max(self._contacts.n, 1), sticking)
            doubtful &= own != stretch.further.contact
        if doubtful.any():
            name = self.slip_name(int(sticking[np.argmax(doubtful)]))
            raise self.fault(stretch, f"{name} comes to rest in the instant of another event")

    def check_closed(
        self, stretch: Stretch, closed: np.ndarray, speeds: np.ndarray, changes: ContactDerivatives
    ) -> None:
        """Refuse contacts (c,) int that are closed at the start, with these speeds (c,), and move with a number."""
        moved = np.abs([changes.gap[1:], changes.speed[1:]]).max(axis=(0, 1)) > STAYS
        if moved.any() or stretch.impacts or np.abs(speeds).max() > RESTING_SPEED:
            which = int(closed[np.argmax(moved)])
            raise self.fault(stretch, f"{self.name(which)} is closed as the motion starts")

    def check_resting(self, stretch: Stretch, resting: np.ndarray, changes: np.ndarray) -> None:
        """Refuse slips (s,) int that are zero at the start, and which a number changes: by changes (k, s) of them."""
        moved = np.abs(changes).max(axis=0) > STAYS
        if moved.any():
            name = self.slip_name(int(resting[np.argmax(moved)]))
            raise self.fault(stretch, f"{name} is at rest as the motion starts, and sticks only there")

    def check_soft_wall(
        self, stretch: Stretch, before: ActiveContacts, old: np.ndarray, now: np.ndarray
    ) -> None:
        """Refuse a soft wall whose force does not begin or end at zero: given rates (n_y,) to both sides."""
        if stretch.impacts or not np.array_equal(stretch.active.contacts, before.contacts):
            raise self.fault(stretch, "a soft and a rigid wall are met at once")
        if np.abs(now - old).max() > SMOOTH * np.abs(old).max():
            raise self.fault(stretch, "the force of a soft wall jumps")
