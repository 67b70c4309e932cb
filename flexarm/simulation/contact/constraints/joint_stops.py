"""Stops of joints: one gap for each limit of a joint that moves freely, and who reaches them.

The gap to the upper limit is ``q_max - q``, that to the lower one ``q - q_min``: of both the rate is that of the joint
in the stop's direction, -1 or 1, in which the stop pushes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from flexarm.description.arm.arm import Arm
from flexarm.simulation.contact.equations.contact_functions import JointPlace
from flexarm.simulation.contact.gaps.gap_functions import stops_of
from flexarm.solvers.events.event_functions import LinearSource


@dataclass(frozen=True)
class JointStops:
    """Stops of an arm's joints, in the order of :func:`~flexarm.simulation.contact.gaps.gap_functions.stops_of`.

    Attributes
    ----------
    direction : (k,)
        In which each stop pushes its joint: 1 or -1.
    bound : (k,) [rad, m]
    restitution : (k,)
    slot : (k,) int
        Number of the joint among those with limits.
    position, rate : (k,) int
        Columns of the state y in which its joint's coordinate and rate are.
    row : (k,) int
        Row of its joint among the coordinates that move freely.
    n_free : int
        Number of these.
    """

    direction: NDArray[np.float64]
    bound: NDArray[np.float64]
    restitution: NDArray[np.float64]
    slot: NDArray[np.intp]
    position: NDArray[np.intp]
    rate: NDArray[np.intp]
    row: NDArray[np.intp]
    n_free: int

    @classmethod
    def of(cls, arm: Arm, limited: Sequence[JointPlace], n_free: int) -> JointStops:
        """Stops of an arm whose joints with limits are at some places among its `n_free` coordinates."""
        stops = stops_of(arm)
        slot = [arm.limited_joints.index(i) for i, _ in stops]
        limits = [limits for i, _ in stops if (limits := arm.joints[i].limits) is not None]
        bounds = [own.range[side < 0] for own, (_, side) in zip(limits, stops, strict=True)]
        places = np.array([limited[k] for k in slot], dtype=np.intp).reshape(-1, 3)
        return cls(
            direction=np.array([direction for _, direction in stops], dtype=float),
            bound=np.array(bounds),
            restitution=np.array([own.restitution for own in limits]),
            slot=np.array(slot, dtype=np.intp),
            position=places[:, 0],
            rate=places[:, 1],
            row=places[:, 2],
            n_free=n_free,
        )

    @property
    def n(self) -> int:
        """Number of stops."""
        return self.direction.size

    def gaps(self, states: NDArray[np.float64]) -> NDArray[np.float64]:
        """Gaps [rad, m] at states (.., n_y): (.., n)."""
        return self.direction * (states[..., self.position] - self.bound)

    def speeds(self, states: NDArray[np.float64]) -> NDArray[np.float64]:
        """Rates of the gaps [rad/s, m/s] at states (.., n_y): (.., n)."""
        return self.direction * states[..., self.rate]

    def linear(self, stops: NDArray[np.intp], places: NDArray[np.intp], n: int) -> LinearSource:
        """Gaps of some stops (k,) int and their rates as event functions with these places (k,), of n in all."""
        direction = self.direction[stops]
        return LinearSource(
            np.concatenate([places, n + places]),
            np.concatenate([self.position[stops], self.rate[stops]]),
            np.concatenate([direction, direction]),
            np.concatenate([-direction * self.bound[stops], np.zeros(stops.size)]),
        )

    @cached_property
    def J(self) -> NDArray[np.float64]:
        """Rates of the gaps per rate of the coordinates that move freely, (n, n_free)."""
        J = np.zeros((self.n, self.n_free))
        J[np.arange(self.n), self.row] = self.direction
        return J
