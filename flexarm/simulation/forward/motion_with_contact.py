"""Motion of an arm with walls, limits of its joints, or joints with dry friction: free motion, impacts, what lasts."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass, field
from operator import attrgetter

import numpy as np

from flexarm.description.arm.arm import Arm
from flexarm.results.events.impacts import CHATTER_REMEDY
from flexarm.simulation.contact.constraints.contacts import Contacts
from flexarm.simulation.contact.event_driven import EventDrivenIntegration
from flexarm.simulation.contact.friction.dry_joints_law import DryJointsLaw
from flexarm.simulation.contact.friction.friction_law import FrictionLaw
from flexarm.simulation.contact.gaps.gap_functions import check_outside, stops_of
from flexarm.simulation.contact.impacts import impact_datasets, limit_impact_datasets
from flexarm.simulation.contact.joint_impulses import joint_impulse_datasets
from flexarm.simulation.contact.newton_law import CHATTER_ENERGY, NewtonLaw
from flexarm.simulation.contact.touches import TOUCH_REMEDY, touch_datasets
from flexarm.simulation.forward.free_motion import SingleRun, free_motion, initial_state_of, with_jacobian
from flexarm.simulation.forward.parametric_model import ParametricModel

MANY_IMPACTS = 1000
"""Impacts, most of them within one sample interval, after which a run says that it takes long."""

MANY_TOUCHES = 2000
"""Touches of soft walls after which a run says so."""


@dataclass
class ContactRun(SingleRun):
    """A prepared run of an arm with unilateral contacts."""

    integration: EventDrivenIntegration
    model: ParametricModel = field(kw_only=True)

    @property
    def impacts(self) -> dict[str, np.ndarray]:
        """Datasets of all impacts of the run, (k,) in the units of the schema: those with walls, those with limits."""
        arm, found = self.instance.arm, {}
        impacts = [each for each in self.integration.impacts if each.time <= arm.run.duration]
        n_stops = len(stops_of(arm))
        if arm.contact is not None and arm.contact.rigid:
            found |= impact_datasets(
                impacts,
                self.integration.n_contacts - n_stops,
                arm.contact.rigid,
                self.integration.n_tangents,
            )
        if arm.contact is not None and arm.has_soft_walls:
            walls = [wall.number for wall in arm.contact.soft]
            found |= touch_datasets(self.integration.touches, walls, arm.run.duration)
        if arm.limited_joints:
            found |= limit_impact_datasets(impacts, self.integration.n_contacts - n_stops, stops_of(arm))
        if "loads" in arm.run.record and self.integration.n_contacts:
            evaluate = self.model.joint_impulses.at(self.instance.parameters)
            n_wall_contacts = self.integration.n_contacts - n_stops
            found |= joint_impulse_datasets(impacts, evaluate, n_wall_contacts, len(arm.joints))
        return found

    @property
    def remark(self) -> str:
        """Say that the run takes long because contacts chatter, or points bounce on soft walls."""
        impacts, interval = self.integration.impacts, self.instance.arm.run.sample
        if len(touches := self.integration.touches) >= MANY_TOUCHES:
            count, now = len(touches), touches[-1].begin
            return f"{count} touches of soft walls by t = {now:.6g} s, which take long: {TOUCH_REMEDY}"
        if len(impacts) < MANY_IMPACTS:
            return ""
        now = impacts[-1].time
        many = len(impacts) - bisect_left(impacts, now - interval, key=attrgetter("time"))
        if many < MANY_IMPACTS // 2:
            return ""
        return (
            f"{len(impacts)} impacts by t = {now:.6g} s, {many} of them within {interval:g} s, which takes long: "
            f"{CHATTER_REMEDY}"
        )


def prepare_motion_with_contact(
    arm: Arm,
    command: str = "",
    model: ParametricModel | None = None,
    integration: type[EventDrivenIntegration] = EventDrivenIntegration,
) -> ContactRun:
    """Set up the motion of an arm with contacts, with the equations of a parametric model or else its own.

    `integration` may be a subclass that observes what happens.

    Raises
    ------
    ModelError
        The mass matrix is singular at the initial state, there is no equilibrium to start from, or it is inside a wall
        or beyond a limit.
    """
    model = model or ParametricModel([arm])
    instance = model.instance(arm)
    initial = initial_state_of(model, instance)
    if arm.contact is not None:
        check_outside(arm, instance.chain, initial[0])
    contacts = Contacts(model.contacts, instance.parameters, arm)
    problem = with_jacobian(free_motion(model, instance, initial), model, instance)
    if contacts.has_friction:
        law = FrictionLaw(
            contacts.restitution,
            contacts.kinetic_friction,
            contacts.static_friction,
            contacts.dry_joints,
            "poisson" if arm.contact is None else arm.contact.impact_law or "poisson",
            CHATTER_ENERGY * arm.run.rtol,
        )
    elif contacts.dry_joints.n:
        law = DryJointsLaw(contacts.restitution, CHATTER_ENERGY * arm.run.rtol, joints=contacts.dry_joints)
    else:
        law = NewtonLaw(contacts.restitution, CHATTER_ENERGY * arm.run.rtol)
    started = integration(arm.run.method, problem, contacts, law)
    return ContactRun(
        instance, model.state_equation, started, command=command, jump=problem.jump, model=model
    )
