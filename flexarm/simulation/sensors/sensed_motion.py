"""Motion of an arm as sensors see it: coordinates, torques and forces of contacts, and the motion of points."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

import casadi as ca

from flexarm.description.arm.arm import Arm
from flexarm.description.arm.walls import ContactPoint
from flexarm.formulations.kinematics.chain_motion import chain_motion
from flexarm.formulations.kinematics.chain_state import ChainState, theta_rate
from flexarm.formulations.kinematics.poses import Pose, poses
from flexarm.formulations.kinematics.stations import station_position
from flexarm.model.chain import Chain


class _Frames(NamedTuple):
    """Frames of an arm at coordinates theta with rates theta_d, these symbols among the rest."""

    theta: ca.SX
    theta_d: ca.SX
    theta_dd: ca.SX
    state: ChainState
    poses: list[Pose]


@dataclass(frozen=True, eq=False)
class SensedMotion:
    """Motion of an arm as sensors see it.

    Attributes
    ----------
    arm : Arm
    chain : Chain
    theta, theta_d : SX (n_theta,), (n_dof,)
    theta_dd : SX (n_dof,), optional
        None where accelerations are not known yet.
    torques : SX (n_joints,), optional
        Torques of all joints [N m], likewise.
    contact : mapping of str to SX
        Forces of contacts by their datasets, those of walls (n_walls, n_points) [N].
    """

    arm: Arm
    chain: Chain
    theta: ca.SX
    theta_d: ca.SX
    theta_dd: ca.SX | None = None
    torques: ca.SX | None = None
    contact: Mapping[str, ca.SX] = field(default_factory=dict)

    @cached_property
    def state(self) -> ChainState:
        """Coordinates and rates, body by body."""
        return ChainState.of(self.chain, self.theta, self.theta_d)

    def point(self, place: ContactPoint, order: int, axes: str) -> ca.SX:
        """Position, velocity or acceleration of a point, (3,) [m, m/s, m/s^2], by the order of its rate.

        Parameters
        ----------
        axes : {"base", "link"}
            Along the fixed axes or those of the link's frame at this moment, of what is seen from the fixed ones: the
            velocity and the acceleration of the point, which turning with the frame does not change.
        """
        frames, own = self._frames, self.chain.joint_bodies[place.link]
        if place.at is None:
            value = frames.poses[own].O
        else:
            value = station_position(self.chain, frames.poses, frames.state, place.link, place.at)
        moving = ca.vertcat(frames.theta, frames.theta_d)
        rates = ca.vertcat(theta_rate(self.chain, frames.theta, frames.theta_d), frames.theta_dd)
        for _ in range(order):
            value = ca.jtimes(value, moving, rates)
        if axes == "link":
            value = frames.poses[own].R.T @ value
        theta_dd = frames.theta_dd * 0 if self.theta_dd is None else self.theta_dd
        known = ca.densify(ca.vertcat(self.theta, self.theta_d, theta_dd))
        return ca.substitute(value, ca.vertcat(moving, frames.theta_dd), known)

    @cached_property
    def _frames(self) -> _Frames:
        n_theta, n = self.theta.numel(), self.theta_d.numel()
        theta, theta_d, theta_dd = (
            ca.SX.sym(name, size) for name, size in (("theta", n_theta), ("theta_d", n), ("theta_dd", n))
        )
        state = ChainState.of(self.chain, theta, theta_d)
        return _Frames(theta, theta_d, theta_dd, state, poses(chain_motion(self.chain, state)))
