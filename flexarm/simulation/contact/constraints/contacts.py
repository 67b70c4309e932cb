"""All unilateral contacts of one arm, evaluated at its states: gaps, their rates, slips, and event functions.

Those of points with walls come first, see :mod:`~flexarm.simulation.contact.constraints.wall_contacts`; then the stops
of joints, see :mod:`~flexarm.simulation.contact.constraints.joint_stops`. Joints with dry friction, see
:mod:`~flexarm.simulation.contact.constraints.dry_joints`, are counted behind them where it is said what rubs: the rate
of such a joint is its slip. Lengths stand for angles where a joint turns, forces for its torques.
"""

from __future__ import annotations

import numpy as np

from flexarm.description.arm.arm import Arm
from flexarm.errors import SolverError
from flexarm.simulation.contact.constraints.active_contacts import ActiveContacts
from flexarm.simulation.contact.constraints.contact_state import ContactState
from flexarm.simulation.contact.constraints.dry_joints import DryJoints
from flexarm.simulation.contact.constraints.held_contacts import FurtherEvent, HeldContacts
from flexarm.simulation.contact.constraints.joint_stops import JointStops
from flexarm.simulation.contact.constraints.soft_touch import FACTOR, GAP, SoftTouch
from flexarm.simulation.contact.constraints.wall_contacts import WallContacts, WallState
from flexarm.simulation.contact.equations.contact_functions import ContactFunctions
from flexarm.solvers.events.event_functions import EventFunctions

GAP_ROUND_OFF, FORCE_ROUND_OFF, SLIP_ROUND_OFF, FACTOR_ROUND_OFF = 1e-13, 1e-10, 1e-12, 1e-12
"""Gap [m, rad], force [N, N m], slip [m/s] and factor of a soft wall's force [1] that may be round-off."""


class Contacts:
    """Unilateral contacts of one arm.

    Attributes
    ----------
    n, n_theta, n_free : int
        Number of contacts, and of coordinates that move freely: the first entries of y, and their rates, the last ones.
    restitution : (n,)
        Coefficient of restitution of every contact.
    n_wall_contacts : int
        Contacts of points with walls, which come first.
    n_tangents : int
        Directions along the walls in which forces act: none without friction, two in space.
    dry_joints : DryJoints
        Joints with dry friction.
    kinetic_friction, static_friction : (n,)
        Coefficients of friction.
    accounts_for_impacts : bool
        Whether it is recorded what impacts take.
    soft : SoftTouch
        Points in soft walls, which are none of these contacts.
    held : HeldContacts
        What active contacts do to the motion.
    """

    def __init__(self, functions: ContactFunctions, parameters: np.ndarray, arm: Arm):
        stops = self._stops = JointStops.of(arm, functions.limited, functions.n_free)
        self.dry_joints = DryJoints.of(arm, functions.dry, functions.n_free)
        self.soft = SoftTouch(functions, parameters)
        walls, restitutions = (), ()
        if arm.contact is not None:
            walls, restitutions = arm.contact.rigid_walls, arm.contact.restitutions
        self._walls = WallContacts(functions, parameters, walls, self.soft)
        self.n = self._walls.n + stops.n
        self.n_theta, self.n_free = functions.n_theta, functions.n_free
        self.restitution = np.concatenate([np.tile(restitutions, functions.n_points), stops.restitution])
        self.n_wall_contacts = self._walls.n
        self.n_tangents = functions.n_tangents
        frictions = () if arm.contact is None else arm.contact.rigid_frictions
        kinetic = [0.0 if each is None else each.kinetic for each in frictions]
        static = [0.0 if each is None else each.at_rest for each in frictions]
        none = np.zeros(stops.n)
        self.kinetic_friction = np.concatenate([np.tile(kinetic, functions.n_points), none])
        self.static_friction = np.concatenate([np.tile(static, functions.n_points), none])
        self.accounts_for_impacts = functions.accounts_for_impacts
        self._functions, self._parameters = functions, parameters
        self.held = HeldContacts(functions, parameters, self._walls, stops)

    def state(self, t: float, y: np.ndarray) -> ContactState:
        """State of all contacts at the time t [s] and the state y (n_y,).

        Raises
        ------
        SolverError
            Some of it is not finite.
        """
        walls, stops = self._walls.state(t, y), self._stops
        if not all(np.isfinite(part).all() for part in (y, *walls)):
            raise SolverError("the equations have no finite value here")
        rates = y[y.size - self.n_free :]
        return ContactState(
            np.concatenate([walls.gap, stops.gaps(y)]),
            np.concatenate([walls.speed, stops.speeds(y)]),
            np.concatenate([walls.acceleration, stops.direction * walls.limited_dd[stops.slot]]),
            np.concatenate([walls.J, stops.J]),
            walls.M,
            float(rates @ walls.M @ rates) / 2,
            *self._slips(walls, y),
            max(self.n_tangents, 1),
        )

    def _slips(self, walls: WallState, y: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Slips of all contacts, those of stops none, then of joints; rates and Jacobian. Empty if nothing rubs."""
        if not (self.has_friction or self.dry_joints.n):
            return np.empty(0), np.empty(0), np.empty((0, self.n_free))
        n_t = max(self.n_tangents, 1)
        slip, acceleration, J = (
            np.zeros((n_t, self.n)),
            np.zeros((n_t, self.n)),
            np.zeros((n_t, self.n, self.n_free)),
        )
        for whole, part in ((slip, walls.slip), (acceleration, walls.slip_acceleration), (J, walls.J_t)):
            whole[: self.n_tangents, : self.n_wall_contacts] = part
        joints = self.dry_joints
        return (
            np.concatenate([slip.ravel(), joints.rates(y)]),
            np.concatenate([acceleration.ravel(), walls.dry_dd]),
            np.concatenate([J.reshape(-1, self.n_free), joints.J]),
        )

    def event_functions(self, active: ActiveContacts) -> tuple[EventFunctions, list[FurtherEvent]]:
        """Forces [N] of the active contacts and gaps [m] of the others, in machine code: events at zero.

        Friction and soft walls add further ones behind these n: what they are is listed.

        Raises
        ------
        SolverError
            A point would rest on more walls than it has slots.
        """
        n, walls = self.n, self._walls.n
        is_active = np.zeros(n, dtype=bool)
        is_active[active.contacts] = True
        forces, friction = self.held.force_source(active) if self.acts(active) else (None, [])
        soft, first_soft = self.soft, n + len(friction)
        total = first_soft + 2 * soft.n
        natives = self._walls.gap_sources(~is_active[:walls], total)
        if forces is not None:
            natives.append(forces)
        if soft.n:
            natives.append(soft.source(first_soft, total))
        open_stops = np.flatnonzero(~is_active[walls:])
        has_rate = np.repeat([False, True, False], [len(friction), soft.n, soft.n])
        functions = EventFunctions(
            natives,
            self._stops.linear(open_stops, walls + open_stops, total),
            np.concatenate(
                [
                    np.where(is_active, FORCE_ROUND_OFF, GAP_ROUND_OFF),
                    [SLIP_ROUND_OFF if each.kind == "slip" else FORCE_ROUND_OFF for each in friction],
                    np.repeat([GAP_ROUND_OFF, FACTOR_ROUND_OFF], soft.n),
                ]
            ),
            np.concatenate([~is_active, has_rate]),
        )
        of_soft = [FurtherEvent(kind, k) for kind in (GAP, FACTOR) for k in range(soft.n)]
        return functions, [*friction, *of_soft]

    @property
    def has_friction(self) -> bool:
        """Whether there are forces along the walls."""
        return self.n_tangents > 0

    def energy(self, t: float, y: np.ndarray) -> float:
        """Energy [J] of the arm and of soft walls at the time t [s] and the state y (n_y,)."""
        f, p = self._functions.native_energy.at(self._parameters)
        return float(f(t, y, np.concatenate([self.soft.flags, p]))[0])

    def acts(self, active: ActiveContacts) -> bool:
        """Whether the arm moves otherwise than freely: under forces of contacts, or of joints' dry friction."""
        return bool(active.contacts.size) or self.dry_joints.n > 0
