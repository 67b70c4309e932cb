"""Conditions at both ends of a bounded motion: what must vanish there, and the oscillations that shall be least."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import numpy as np

from flexarm.simulation.inverse.methods.actuation import ActuationInterval
from flexarm.simulation.inverse.problem import InverseProblem
from flexarm.simulation.inverse.task.reference_trajectory import ReferenceSamples
from flexarm.simulation.inverse.zeros.dichotomy import Dichotomy
from flexarm.simulation.inverse.zeros.linear_zero_dynamics import ORIGIN
from flexarm.simulation.inverse.zeros.zero_dynamics import null_space
from flexarm.solvers.boundary import Boundary, Least

WEIGHT = 0.01
"""Of the rates of the links' accelerations, over the cube of the slowest zero, against the size of oscillations."""


@dataclass(frozen=True)
class EndConditions:
    """Conditions at both ends.

    Attributes
    ----------
    problem : InverseProblem
    interval : ActuationInterval
    first, last : Dichotomy
        Of the zero dynamics there.
    scale : (n_y,)
        Size of the components of the state.
    smooth : bool
        Whether the accelerations of the links shall change as little as possible as well.
    """

    problem: InverseProblem
    interval: ActuationInterval
    first: Dichotomy
    last: Dichotomy
    scale: np.ndarray
    smooth: bool = False

    def boundary(self) -> Boundary:
        """No motion that does not grow at the start, none that does at the end; free oscillations least."""
        first, last = self.first, self.last
        end = partial(self._rates_at_end, last.end)
        if not first.free + last.free:
            return Boundary(self._at_start, end)
        oscillations = (
            partial(self._parts_at_start, first.oscillations[0]),
            partial(self._rates_at_end, last.oscillations[1]),
        )
        rates = self._of_accelerations() if self.smooth else None
        return Boundary(self._at_start, end, Least((first.free, last.free), *oscillations, rates))

    def _of_accelerations(self) -> np.ndarray:
        """Factors of the rates: the links' scaled, none of the joints, (joints + modes,)."""
        linear, dynamics = self.interval.first.linear, self.problem.dynamics
        slowest = np.abs(linear.zeros[np.abs(linear.zeros) > ORIGIN * linear.frequency]).min()
        of_links = WEIGHT / (linear.amplitude * slowest**3)
        return np.concatenate([np.zeros(len(dynamics.joint_rows)), of_links])

    def _at_start(self, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Task fulfilled, posture as asked for, no motion that does not grow; and the derivative by y (n_y,)."""
        kinematics, first, start = self.problem.kinematics, self.interval.first, self.interval.reference.start
        n, joints = self.problem.start.size, self.problem.dynamics.joint_rows
        found, J = kinematics.rows(y[:n])
        missing = kinematics.task.error(self.interval.reference([start]).p[0], found)
        posture = null_space(kinematics, first.state[:n])
        parts, by_y = self._parts_at_start(self.first.start, y)
        by_task = np.zeros((missing.size + len(posture), y.size))
        by_task[: missing.size, :n] = J
        by_task[missing.size :, joints] = posture
        conditions = [-missing, posture @ (y[joints] - first.state[joints]), parts]
        return np.concatenate(conditions), np.concatenate([by_task, by_y])

    def _parts_at_start(self, rows: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Parts of a state y (n_y,) that rows of the dichotomy pick, and their derivative by y."""
        dynamics, by_y = self.problem.dynamics, np.zeros((len(rows), y.size))
        links = [*dynamics.undriven_rows, *dynamics.rate_rows]
        by_y[:, links] = rows / self.scale[links]
        return by_y @ (y - self.interval.first.state), by_y

    def _rates_at_end(self, rows: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Rates of the parts of a state y (n_y,) that rows of the dichotomy pick, and their derivative by y.

        Where the rate vanishes, not the part, the equilibrium need not be known: that of an arm with spare joints
        depends on where they come to rest.
        """
        dynamics, last, end = self.problem.dynamics, self.interval.last, self.interval.reference.end
        desired = ReferenceSamples.at_rest(self.interval.reference([end]).p[0])
        n_q, m, rates = len(dynamics.joint_rows), len(dynamics.undriven_rows), dynamics.rate_rows
        linear = dynamics.linearised(np.array([end]), y[None], desired, np.zeros((1, n_q + m)))
        amplitude, frequency = last.linear.amplitude, last.linear.frequency
        of_speeds = rows[:, :m] / (amplitude * frequency)
        of_forces = rows[:, m:] / last.linear.force
        by_y = of_forces @ linear.by_state[0, n_q:]
        by_y[:, rates] += of_speeds
        return of_speeds @ y[rates] + of_forces @ linear.residual[0, n_q:], by_y
