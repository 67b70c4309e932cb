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

import casadi as ca
import numpy as np
from numpy.typing import ArrayLike

from flexarm.codegen.native import NativeFunction, compile_native
from flexarm.formulations.formulation import make_formulation
from flexarm.model.chain import Chain
from flexarm.model.joint_spring import JointSpring
from flexarm.simulation.forces.applied_forces import applied_forces, with_drives
from flexarm.simulation.forces.piecewise_polynomials import interpolated
from flexarm.simulation.forces.time_functions import Signals
from flexarm.simulation.inverse.internal_dynamics import InternalDynamics, Motion
from flexarm.simulation.inverse.internal_dynamics_derivation import within
from flexarm.simulation.inverse.task.minimal_coordinates import chain_motion_of
from flexarm.simulation.inverse.task.reference_trajectory import ReferenceSamples

PARTS = 4
"""Intervals of the twists in one of the mesh of a solution."""
PATH_POINTS = 8
"""Points of an interval through which second rates of the task are interpolated, to differentiate them twice."""
INSIDE = 1e-9
"""Distance of the ends of an interval at which it is looked at, of its length: beyond may be another one."""
RESTING = 1e-6
"""Rate of links at rest, of the largest."""
SERIES = 16
"""Terms of a power series over an interval that is no longer than the time constant of spring and damper."""
LAYERS = 2.0 ** np.arange(-3, 5.5, 0.5)
"""Times after a jump, in time constants of a spring with damper, between which its motion is interpolated."""
JUMP = 1e-4
"""Jump of a torque or of its rates, of the largest value, that may be the error of an inverse motion at its mesh."""


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
        torques = _joined(_torques_and_rates(chain, dynamics, reference, at, breaks, duration))
        stiffness = np.array([spring.stiffness for spring in _springs(chain)])
        lag = np.array([spring.damping / spring.stiffness for spring in _springs(chain)])
        steps, resting = np.diff(breaks), _resting(at, breaks)
        twists = _twists(_hermite(torques, steps) / stiffness, steps, lag, resting[0])
        return cls(chain, breaks, *twists, resting)

    @cached_property
    def lags(self) -> np.ndarray:
        """Time constants of springs with dampers, (springs,) [s]."""
        return np.array([spring.damping / spring.stiffness for spring in _springs(self.chain)])

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
            polynomial = _derivative(polynomial)[1:]
        return Twist(*found)

    def whole(self, times: np.ndarray, links: Motion) -> Motion:
        """Motion of the arm, motors included, from that of the links (k, n) at times (k,) [s]."""
        layout = self.chain.coordinates
        motors, twist = list(layout.moving_motors), self(times)
        joints = _joint_rows(self.chain)
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

    def impulse(self) -> tuple[int, float, float] | None:
        """Joint from 1, time [s] and size [N m s] of the largest impulse that a motor would have to give; None if none.

        Where a derivative of the acceleration of the path jumps, so does the rate of a motor behind a spring without
        damper.
        """
        rate, ends = self(self.breaks).rate, self._ends().rate
        jumps = np.where(self._jumps(1), np.abs(rate[1:-1] - ends[:-1]), 0.0)
        outer = np.abs([rate[0], ends[-1]]) * np.array(self.resting)[:, None]
        outer = np.where(outer > JUMP * np.abs(rate).max(axis=0), outer, 0.0)
        jumps = np.vstack([outer[:1], jumps, outer[1:]])
        jumps = jumps * np.array([spring.motor_inertia for spring in _springs(self.chain)])
        if not jumps.any():
            return None
        k, i = np.unravel_index(int(jumps.argmax()), jumps.shape)
        return _springs(self.chain)[i].joint + 1, float(self.breaks[k]), float(jumps[k, i])


def motor_impulse_warning(motors: MotorMotion | None) -> str:
    """Warning of impulses that no torque gives; empty if the motors need none."""
    found = None if motors is None else motors.impulse()
    if found is None:
        return ""
    joint, time, size = found
    return (
        f"joint {joint} is elastic: where the third rate of its path jumps, at t = {time:.6g} s, its motor would have "
        f"to be given an impulse of {size:.2g} N m s, which the torques leave out (septic and smoother laws need none)"
    )


def _springs(chain: Chain) -> list[JointSpring]:
    """Springs with motors, in the order of their joints."""
    return [spring for spring in chain.springs if spring.has_motor]


def _joint_rows(chain: Chain) -> list[int]:
    """Rows of their joints, with and without motors among the coordinates."""
    rows = (chain.coordinates.joints[spring.joint] for spring in _springs(chain))
    return [row for row in rows if row is not None]


def _torques_and_rates(
    chain: Chain,
    dynamics: InternalDynamics,
    reference: Callable[[ArrayLike], ReferenceSamples],
    at: Callable[[np.ndarray], Motion],
    breaks: np.ndarray,
    duration: float,
) -> np.ndarray:
    """Torques of the elastic joints, their rates and second rates at both ends of all intervals: (m, 2, 3, springs)."""
    inside = breaks[:-1, None] + np.diff(breaks)[:, None] * [INSIDE, 1 - INSIDE]
    times = inside.ravel()
    theta, theta_d, _ = at(times)
    y = dynamics.state(theta, theta_d[:, dynamics.mode_rows])
    curves = interpolated(lambda t: reference(t).p_dd, breaks, PATH_POINTS)
    third = [curve.derivative() for curve in curves]
    fourth = [curve.derivative() for curve in third]
    rates = [np.stack([curve(times) for curve in order], axis=1) for order in (third, fourth)]
    inputs = np.ascontiguousarray(np.concatenate([y, *reference(times), *rates], axis=1))
    values = torque_rates(chain, dynamics, duration).map(times, inputs)
    return values.reshape(breaks.size - 1, 2, 3, -1)


def torque_rates(chain: Chain, dynamics: InternalDynamics, duration: float) -> NativeFunction:
    """(t, [y, p, p_d, p_dd, p_ddd, p_dddd]) -> torques [N m] of elastic joints with two rates, along the solution."""
    arm, links, t, y, w = dynamics.arm, dynamics.chain, dynamics.t, dynamics.y, dynamics.w
    n, r = links.coordinates.n_dof, w.numel() // 3
    higher = ca.SX.sym("higher", 2 * r)
    theta_dd = dynamics.theta_dd
    if dynamics.a.numel():
        theta_dd = ca.substitute(theta_dd, dynamics.a, dynamics.delta_dd)
    moving = chain_motion_of(links, y[:n], dynamics.theta_d, theta_dd)
    needed = make_formulation(arm.run.formulation).inverse_dynamics(links, *moving)
    loads = applied_forces(
        with_drives(arm), links, Signals(within(t, duration)), moving.theta, moving.theta_d
    )
    rows = _joint_rows(chain)
    torque = (needed - loads.forces(links))[rows]
    variables, speeds = ca.vertcat(t, y, w), ca.vertcat(1, dynamics.y_d, w[r:], higher[:r])
    rate = ca.jtimes(torque, variables, speeds)
    second = ca.jtimes(rate, ca.vertcat(variables, higher[:r]), ca.vertcat(speeds, higher[r:]))
    inputs = [t, ca.vertcat(y, w, higher), ca.SX.sym("p", 0)]
    found = ca.cse(ca.densify(ca.vertcat(torque, rate, second)))
    return compile_native(ca.Function("torque_rates", inputs, [found]))


def _joined(torques: np.ndarray) -> np.ndarray:
    """Torques and rates (m, 2, 3, k) without the small jumps from one interval to the next: both sides' mean there.

    A torque that jumps ever so little would ask for an impulse of the motor.
    """
    before, after = torques[:-1, 1], torques[1:, 0]
    largest = np.abs(torques).max(axis=(0, 1), initial=0.0)
    mean = np.where(np.abs(after - before) <= JUMP * largest, (after + before) / 2, np.nan)
    joined = torques.copy()
    joined[:-1, 1] = np.where(np.isnan(mean), before, mean)
    joined[1:, 0] = np.where(np.isnan(mean), after, mean)
    return joined


def _hermite(values: np.ndarray, steps: np.ndarray) -> np.ndarray:
    """Quintic polynomials (6, m, k) of the time in each interval by values (m, 2, 3, k) with two rates at its ends."""
    scale = steps[:, None, None] ** np.arange(3)[:, None]
    (a0, a1, a2), (b0, b1, b2) = ((values[:, end] * scale).swapaxes(0, 1) for end in (0, 1))
    d, e, f = b0 - a0 - a1 - a2 / 2, b1 - a1 - a2, b2 - a2
    c = np.stack([6 * d - 3 * e + f / 2, -15 * d + 7 * e - f, 10 * d - 4 * e + f / 2, a2 / 2, a1, a0])
    return c / steps[:, None] ** np.arange(5.0, -1.0, -1.0)[:, None, None]


def _derivative(coefficients: np.ndarray) -> np.ndarray:
    """Derivatives of polynomials (n, m, k), highest power first, in the same shape."""
    powers = np.arange(len(coefficients) - 1.0, 0.0, -1.0)[:, None, None]
    return np.concatenate([np.zeros_like(coefficients[:1]), coefficients[:-1] * powers])


def _resting(at: Callable[[np.ndarray], Motion], breaks: np.ndarray) -> tuple[bool, bool]:
    """Whether the links are at rest at the first and at the last of some times (k,) [s]."""
    sizes = np.abs(at(breaks)[1]).max(axis=1, initial=0.0)
    still = sizes <= RESTING * sizes.max()
    return bool(still[0]), bool(still[-1])


def _twists(
    tau: np.ndarray, steps: np.ndarray, lag: np.ndarray, resting: bool
) -> tuple[np.ndarray, np.ndarray]:
    """Solve phi + lag phi_d = tau / K in all intervals, one after the other.

    Parameters
    ----------
    tau : (6, m, k) [rad]
        Polynomials of the torques over the stiffnesses.
    steps : (m,) [s]
    lag : (k,) [s]
        Time constants d / K.
    resting : bool
        Whether the springs are at rest at the start; else they have been twisted slowly before.

    Returns
    -------
    coefficients : (n, m, k)
    layers : (m, k) [rad]

    Notes
    -----
    Where an interval is longer than the time constant the solution is tau / K - lag (tau / K)_d + lag^2 (tau / K)_dd ..
    and an exponential function, else a power series; so neither has large terms that cancel.
    """
    n, m, k = tau.shape
    powers = tau[::-1]
    particular, term = tau.copy(), tau
    for _ in range(n - 1):
        term = -lag * _derivative(term)
        particular += term
    series = np.zeros((SERIES, m, k))
    series[:n] = particular[::-1]
    layers = np.zeros((m, k))
    quick = lag < steps[:, None]
    phi = powers[0, 0] - (0.0 if resting else lag) * powers[1, 0]
    divisor = np.where(lag > 0, lag, 1.0)
    for j, step in enumerate(steps):
        layers[j] = np.where(quick[j] & (lag > 0), phi - series[0, j], 0.0)
        slow = ~quick[j]
        series[0, j, slow] = phi[slow]
        for power in range(1, SERIES):
            driving = powers[power - 1, j] if power <= n else 0.0
            following = (driving - series[power - 1, j]) / (divisor * power)
            series[power, j, slow] = following[slow]
        phi = np.polyval(series[::-1, j], step) + layers[j] * np.exp(-step / divisor)
    return series[::-1], layers
