"""The course of the prescribed coordinates over time, with its first and second rates."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import casadi as ca
import numpy as np
from numpy.typing import ArrayLike
from scipy.interpolate import CubicSpline

from flexarm.codegen.piecewise_polynomial import PiecewisePolynomial
from flexarm.description.motion.path_shapes import CirclePath, LinePath
from flexarm.description.motion.trajectory import Trajectory
from flexarm.errors import ModelError
from flexarm.simulation.forces.time_functions import FUNCTIONS

QUINTIC = (6.0, -15.0, 10.0, 0.0, 0.0, 0.0)
"""Powers of t / T, highest first: from 0 to 1 with rates and second rates 0 at both ends."""
RAMP = 0.25
"""Part of the time that a trapezoidal law takes to gain speed, and to lose it."""
BISECTIONS = 40
JUMP = 1e-6
"""Jump that counts as one, of the largest value over the trajectory."""


class ReferenceSamples(NamedTuple):
    """Values and first and second rates of the prescribed coordinates, each (k, rows) [m, rad, per s, per s^2]."""

    p: np.ndarray
    p_d: np.ndarray
    p_dd: np.ndarray


@dataclass(frozen=True)
class ReferenceTrajectory:
    """A course as expressions of time and of tables that the machine code looks up.

    Attributes
    ----------
    duration : float [s]
    t, u : SX
        Time, and the values of the tables at t.
    tables : list of PiecewisePolynomial
        What u stands for.
    p, p_d, p_dd : SX (rows,)
        Values of the coordinates and their rates.
    breaks : (k,) [s]
        Times inside the trajectory at which second rates may jump or have a kink.
    """

    duration: float
    t: ca.SX
    u: ca.SX
    tables: list[PiecewisePolynomial]
    p: ca.SX
    p_d: ca.SX
    p_dd: ca.SX
    breaks: np.ndarray

    def __call__(self, times: ArrayLike) -> ReferenceSamples:
        """Evaluate the course at times (k,) from 0 to the duration."""
        times = np.asarray(times, dtype=float)
        values = self._function(
            times[None, :],
            np.array([table(times) for table in self.tables]).reshape(len(self.tables), times.size),
        )
        return ReferenceSamples(*(value.full().T for value in values))

    @cached_property
    def _function(self) -> ca.Function:
        return ca.Function("course", [self.t, self.u], [self.p, self.p_d, self.p_dd])


def task_path(trajectory: Trajectory) -> ReferenceTrajectory:
    """Turn a trajectory into functions of time.

    Raises
    ------
    ModelError
        The course or its rate jumps; the time is named.
    """
    t = ca.SX.sym("t")
    tables: list[PiecewisePolynomial] = []
    breaks: np.ndarray = np.empty(0)
    if trajectory.path is not None:
        p = ca.vertcat(*(ca.SX(e.evaluate(t, FUNCTIONS)) for e in trajectory.path.values()))
        rates: list[ca.SX] = []
        symbols: list[ca.SX] = []
    elif trajectory.line is not None or trajectory.circle is not None:
        shape = trajectory.line or trajectory.circle
        law = time_law(shape.law, trajectory.length)  # type: ignore[union-attr]
        tables, symbols, rates = _looked_up([law])
        p = _along(shape, symbols[0])  # type: ignore[arg-type]
        breaks = law.breaks[1:-1]
    else:
        splines = _splines(trajectory)
        tables, symbols, rates = _looked_up(splines)
        p = ca.vertcat(*symbols[: len(splines)])
        breaks = splines[0].breaks[1:-1]
    known, known_d = ca.vertcat(t, *symbols), ca.vertcat(ca.SX(1), *rates)
    p_d = ca.jtimes(p, known, known_d)
    path = ReferenceTrajectory(
        trajectory.length, t, ca.vertcat(*symbols), tables, p, p_d, ca.jtimes(p_d, known, known_d), breaks
    )
    _check_smooth(path, trajectory)
    return path


def _looked_up(
    signals: list[PiecewisePolynomial],
) -> tuple[list[PiecewisePolynomial], list[ca.SX], list[ca.SX]]:
    """Tables of signals, their rates and second rates; a symbol for each; the rate of each symbol as needed."""
    signals = [_prolonged(signal) for signal in signals]
    first = [signal.derivative() for signal in signals]
    tables = [*signals, *first, *(signal.derivative() for signal in first)]
    symbols = [ca.SX.sym(f"u_{k}") for k in range(len(tables))]
    n = len(signals)
    return tables, symbols, [*symbols[n:], *[ca.SX(0)] * n]


def _prolonged(signal: PiecewisePolynomial) -> PiecewisePolynomial:
    """Let the last polynomial go on beyond the end, where an integrator's last step may look."""
    breaks = signal.breaks.copy()
    breaks[-1] += breaks[-1] - breaks[0]
    return PiecewisePolynomial(breaks, signal.coefficients)


def time_law(law: str, duration: float) -> PiecewisePolynomial:
    """Fraction of a way, from 0 at t = 0 to 1 at the end, from rest to rest."""
    if law == "quintic":
        powers = duration ** -np.arange(5.0, -1.0, -1.0)
        return PiecewisePolynomial(np.array([0.0, duration]), (np.array(QUINTIC) * powers)[:, None])
    ramp = RAMP * duration
    speed = 1.0 / (duration - ramp)
    half = 0.5 * speed / ramp
    return PiecewisePolynomial(
        np.array([0.0, ramp, duration - ramp, duration]),
        np.array([[half, 0.0, -half], [0.0, speed, speed], [0.0, half * ramp**2, 1.0 - half * ramp**2]]),
    )


def _along(shape: LinePath | CirclePath, s: ca.SX) -> ca.SX:
    """Point of a line or circle at the fraction s of the way."""
    if isinstance(shape, LinePath):
        start, end = np.array(shape.start), np.array(shape.end)
        return ca.SX(ca.DM(start)) + s * ca.DM(end - start)
    normal = np.array(shape.normal) / np.linalg.norm(shape.normal)
    first = np.cross([0.0, 1.0, 0.0], normal)
    first = first / np.linalg.norm(first) if np.linalg.norm(first) > 1e-9 else np.array([1.0, 0.0, 0.0])
    second = np.cross(normal, first)
    angle = shape.start + shape.turn * s
    n = len(shape.center)
    return ca.DM(shape.center) + shape.radius * (
        ca.cos(angle) * ca.DM(first[:n]) + ca.sin(angle) * ca.DM(second[:n])
    )


def _splines(trajectory: Trajectory) -> list[PiecewisePolynomial]:
    """One cubic spline per coordinate through the way-points or the table."""
    if trajectory.waypoints is not None:
        points = trajectory.waypoints
        return [
            spline(points.times, values, _end_rates(points.ends, name))
            for name, values in points.coordinates.items()
        ]
    times, *columns = np.array(trajectory.table).T
    names = trajectory.coordinates
    return [
        spline(times, values, _end_rates(trajectory.ends, name))
        for name, values in zip(names, columns, strict=True)
    ]


def _end_rates(ends: str | Mapping[str, tuple[float, float]], name: str) -> tuple[float, float] | None:
    if isinstance(ends, str):
        return (0.0, 0.0) if ends == "rest" else None
    return ends[name]


def spline(times: ArrayLike, values: ArrayLike, end_rates: tuple[float, float] | None) -> PiecewisePolynomial:
    """Cubic spline with continuous acceleration, linear between the points.

    Parameters
    ----------
    times : (k,) [s]
    values : (k,)
    end_rates : (first, last) or None
        Rates at both ends; None: no kink of the acceleration at the second and last but one point.

    Notes
    -----
    [NA04] the formulas after eq. 11: position from the accelerations at the knots, which follow from the
    continuity of the rate.
    """
    ends = "not-a-knot" if end_rates is None else ((1, end_rates[0]), (1, end_rates[1]))
    curve = CubicSpline(times, values, bc_type=ends)  # type: ignore[arg-type]
    return PiecewisePolynomial(curve.x, curve.c)


def _check_smooth(path: ReferenceTrajectory, trajectory: Trajectory) -> None:
    """Refuse a course or a rate that jumps: no torque can make the arm follow."""
    times = np.linspace(0.0, path.duration, 2001)
    course = path(times)
    for what, low, high in (
        ("the path", course.p, course.p_d),
        ("the rate of the path", course.p_d, course.p_dd),
    ):
        gaps = np.abs(np.diff(low, axis=0) - 0.5 * np.diff(times)[:, None] * (high[1:] + high[:-1]))
        k, row = np.unravel_index(gaps.argmax(), gaps.shape)
        scale = JUMP * max(1e-3, float(np.abs(low).max()))
        jump, time = _jump(path, times[k], times[k + 1], what == "the path", int(row))
        if gaps[k, row] > scale and jump > scale:
            raise ModelError(
                f"{trajectory.source}: {what} jumps by {jump:.3g} at t = {time:.6g} s in "
                f"{trajectory.coordinates[row]} (an arm cannot follow)"
            )


def _jump(
    path: ReferenceTrajectory, left: float, right: float, of_values: bool, row: int
) -> tuple[float, float]:
    """Change that stays when the interval around a suspected jump is halved again and again, and where it is."""
    pick = 0 if of_values else 1
    for _ in range(BISECTIONS):
        middle = 0.5 * (left + right)
        a, b, c = path([left, middle, right])[pick][:, row]
        left, right = (left, middle) if abs(b - a) > abs(c - b) else (middle, right)
    a, b = path([left, right])[pick][:, row]
    return abs(b - a), right
