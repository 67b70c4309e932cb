"""Motion of the motors of elastic joints along an inverse motion of the links: [Spong1987].

An inverse method finds how the links move and what torques their joints take, as if these were driven directly. Of an
elastic joint such a torque tau_J twists the spring, phi = theta_m - q, and moves the motor:

    d phi_d + K phi = tau_J,    tau = k^2 J_m (q_dd + phi_dd) + friction + tau_J.

Without damper phi_dd takes two derivatives of tau_J. They are exact along the internal dynamics: of the expression of
tau_J by time, state and task, with the rates of these put in.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from flexarm.model.chain import Chain
from flexarm.simulation.inverse.internal_dynamics import InternalDynamics, Motion
from flexarm.simulation.inverse.motors.elastic_torques import INSIDE, elastic_joint_rows, torques_at_ends
from flexarm.simulation.inverse.motors.spring_twists import JUMP, derivative, hermite, joined, spring_twists
from flexarm.simulation.inverse.task.reference_trajectory import ReferenceSamples

PARTS = 4
"""Intervals of the twists in one of the mesh of a solution."""
RESTING = 1e-6
"""Rate of links at rest, of the largest."""
SEEN = 1e-2
"""Jump of a motor's angle or rate against its joint, of the largest value, from which on it is told."""
LAYERS = 2.0 ** np.arange(-3, 5.5, 0.5)
"""Times after a jump, in time constants of a spring with damper, between which its motion is interpolated."""


class Twist(NamedTuple):
    """Twist of springs over time: value, rate and second rate, (k, springs) each [rad; per s; per s^2]."""

    value: np.ndarray
    rate: np.ndarray
    second: np.ndarray


@dataclass(frozen=True)
class MotorMotion:
    """Twists of the springs between motors and links over time.

    Attributes
    ----------
    chain : Chain
        Motors included.
    breaks : (m + 1,) [s]
    coefficients : (n, m, springs)
        Of powers of the time since the start of an interval, the highest first.
    layers : (m, springs) [rad]
        Twists beside these polynomials at the start of each interval, which fall off with the time constant of spring
        and damper.
    resting : (bool, bool)
        Whether the links are at rest at the first time and at the last.
    """

    chain: Chain
    breaks: np.ndarray
    coefficients: np.ndarray
    layers: np.ndarray
    resting: tuple[bool, bool]

    @classmethod
    def of(
        cls,
        chain: Chain,
        dynamics: InternalDynamics,
        reference: Callable[[ArrayLike], ReferenceSamples],
        at: Callable[[np.ndarray], Motion],
        mesh: np.ndarray,
        duration: float,
    ) -> MotorMotion:
        """Find the twists along a motion of the links; none where no joint is elastic.

        Parameters
        ----------
        chain : Chain
            Motors included.
        dynamics : InternalDynamics
            Of the links, that the motion solves.
        reference : callable
            From times (k,) [s] to the desired values of the task.
        at : callable
            From ascending times (k,) [s] to the motion.
        mesh : (m + 1,) [s]
            Through all times at which second rates of the task may jump or have a kink.
        duration : float [s]
            Of the trajectory.
        """
        parts = np.linspace(0.0, 1.0, PARTS + 1)[:-1]
        breaks = np.append((mesh[:-1, None] + np.diff(mesh)[:, None] * parts).ravel(), mesh[-1])
        torques = joined(torques_at_ends(chain, dynamics, reference, at, breaks, duration))
        stiffness = np.array([spring.stiffness for spring in chain.motor_springs])
        lag = np.array([spring.damping / spring.stiffness for spring in chain.motor_springs])
        steps, resting = np.diff(breaks), _resting(at, breaks)
        twists = spring_twists(hermite(torques, steps) / stiffness, steps, lag, resting[0])
        return cls(chain, breaks, *twists, resting)

    @cached_property
    def lags(self) -> np.ndarray:
        """Time constants of springs with dampers, (springs,) [s]."""
        return np.array([spring.damping / spring.stiffness for spring in self.chain.motor_springs])

    def __call__(self, times: np.ndarray) -> Twist:
        """Twists at times (k,) [s]."""
        last = self.breaks.size - 2
        piece = np.clip(np.searchsorted(self.breaks, times, side="right") - 1, 0, last)
        elapsed = (times - self.breaks[piece])[:, None]
        lag = np.where(self.lags > 0, self.lags, 1.0)
        layer = self.layers[piece] * np.exp(-np.maximum(elapsed, 0.0) / lag)
        found, polynomial = [], self.coefficients
        for order in range(3):
            value = np.zeros((times.size, polynomial.shape[2]))
            for coefficient in polynomial:
                value = value * elapsed + coefficient[piece]
            found.append(value + layer / (-lag) ** order)
            polynomial = derivative(polynomial)[1:]
        return Twist(*found)

    def whole(self, times: np.ndarray, links: Motion) -> Motion:
        """Motion of the arm, motors included, from that of the links (k, n) at times (k,) [s]."""
        layout = self.chain.coordinates
        motors, twist = list(layout.moving_motors), self(times)
        joints = elastic_joint_rows(self.chain)
        own = [row for row in range(layout.n_dof) if row not in motors]
        found = []
        for values, added in zip(links, twist, strict=True):
            moved = np.empty((times.size, layout.n_dof))
            moved[:, own] = values
            moved[:, motors] = moved[:, joints] + added
            found.append(moved)
        return found[0], found[1], found[2]

    @property
    def mesh(self) -> np.ndarray:
        """Mesh (k,) [s] over which torques of the motors are smooth enough for polynomials of degree 4."""
        layers = [
            self.breaks[k] + lag * LAYERS
            for lag, jumps in zip(self.lags, self._jumps(2).T, strict=True)
            if lag > 0
            for k in 1 + np.flatnonzero(jumps)
        ]
        times = np.unique(np.concatenate([self.breaks, *layers]))
        times = times[(times >= self.breaks[0]) & (times <= self.breaks[-1])]
        return times[np.concatenate([[True], np.diff(times) > 1e-9 * (times[-1] - times[0])])]

    def _jumps(self, order: int) -> np.ndarray:
        """Whether a derivative of the twists jumps at the inner breaks, (m - 1, springs) of bool."""
        at, before = self(self.breaks[1:-1])[order], self._ends()[order][:-1]
        largest = np.abs(self(self.breaks)[order]).max(axis=0)
        return np.abs(at - before) > JUMP * largest

    def _ends(self) -> Twist:
        """Twists at the ends of the intervals, as they come to them."""
        return self(self.breaks[1:] - INSIDE * np.diff(self.breaks))

    def jump(self) -> tuple[int, float] | None:
        """Joint, from 1, and time [s] of the largest jump of a motor, in its angle or its rate; None if there is none.

        Behind a spring without damper the motor jumps with the acceleration of the links, and its rate with the rate of
        that; a damper takes one of these jumps.
        """
        here, ends = self(self.breaks), self._ends()
        jumps = np.zeros_like(here.value)
        for at, before, stops in ((here.value, ends.value, False), (here.rate, ends.rate, True)):
            change = np.zeros_like(jumps)
            change[1:-1] = np.abs(at[1:-1] - before[:-1])
            if stops:  # links that are at rest, and motors that are not
                change[0], change[-1] = np.abs(at[0]) * self.resting[0], np.abs(before[-1]) * self.resting[1]
                change[[0, -1]] *= self.lags == 0
            largest = np.abs(at).max(axis=0)
            jumps = np.maximum(jumps, change / np.where(largest > 0, largest, 1.0))
        if jumps.max(initial=0.0) <= SEEN:
            return None
        k, i = np.unravel_index(int(jumps.argmax()), jumps.shape)
        return self.chain.motor_springs[i].joint + 1, float(self.breaks[k])


def motor_jump_warning(motors: MotorMotion | None) -> str:
    """Warning of motors that would have to jump, which no torque brings about; empty if none has to."""
    found = None if motors is None else motors.jump()
    if found is None:
        return ""
    joint, time = found
    return (
        f"joint {joint} is elastic: where the second or third rate of its path jumps, at t = {time:.6g} s, its motor "
        "would have to be struck, which no torque does (the laws septic, nonic and smooth have no such jumps)"
    )


def _resting(at: Callable[[np.ndarray], Motion], breaks: np.ndarray) -> tuple[bool, bool]:
    """Whether the links are at rest at the first and at the last of some times (k,) [s]."""
    sizes = np.abs(at(breaks)[1]).max(axis=1, initial=0.0)
    still = sizes <= RESTING * sizes.max()
    return bool(still[0]), bool(still[-1])
