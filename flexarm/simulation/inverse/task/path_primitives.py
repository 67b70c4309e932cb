"""Path primitives and time laws: lines, circles and cubic splines from which reference trajectories are made."""

from __future__ import annotations

from collections.abc import Mapping

import casadi as ca
import numpy as np
from numpy.typing import ArrayLike
from scipy.interpolate import CubicSpline

from flexarm.catalogue import TIME_LAWS
from flexarm.codegen.piecewise_polynomial import PiecewisePolynomial
from flexarm.description.motion.move import FLAT, RAMP, step_polynomial
from flexarm.description.motion.path_shapes import CirclePath, LinePath
from flexarm.description.motion.trajectory import Trajectory


def time_law(law: str, duration: float) -> PiecewisePolynomial | None:
    """Time law s(t): fraction of a path, from 0 at t = 0 to 1 at the duration [s], from rest to rest.

    None for a law that is no polynomial, see :func:`smooth_step`.
    """
    vanishing = TIME_LAWS[law].vanishing
    if not vanishing:
        return None
    if law == "s-curve":
        return _s_curve(duration)
    if law != "trapezoidal":
        powers = duration ** -np.arange(2.0 * vanishing + 1, -1.0, -1.0)
        return PiecewisePolynomial(np.array([0.0, duration]), (step_polynomial(vanishing) * powers)[:, None])
    ramp = RAMP * duration
    speed = 1.0 / (duration - ramp)
    half = 0.5 * speed / ramp
    return PiecewisePolynomial(
        np.array([0.0, ramp, duration - ramp, duration]),
        np.array([[half, 0.0, -half], [0.0, speed, speed], [0.0, half * ramp**2, 1.0 - half * ramp**2]]),
    )


def _s_curve(duration: float) -> PiecewisePolynomial:
    """Law of seven equal pieces of constant jerk: 1, 0, -1, 0, -1, 0 and 1 times the largest."""
    piece = duration / 7
    state, columns = np.zeros(3), []  # position, speed, acceleration
    for sign in (1.0, 0.0, -1.0, 0.0, -1.0, 0.0, 1.0):
        jerk = sign / (8 * piece**3)
        s, v, a = state
        columns.append([jerk / 6, a / 2, v, s])
        state = np.array(
            [np.polyval(columns[-1], piece), v + a * piece + jerk * piece**2 / 2, a + jerk * piece]
        )
    return PiecewisePolynomial(piece * np.arange(8.0), np.transpose(columns))


def smooth_step(x: ca.SX) -> ca.SX:
    """Step of infinite order: from 0 to 1 as x does, with all rates 0 at both ends."""
    inside = ca.fmin(ca.fmax(x, FLAT), 1.0 - FLAT)
    return 0.5 + 0.5 * ca.tanh(0.5 / (1.0 - inside) - 0.5 / inside)


def point_along(shape: LinePath | CirclePath, s: ca.SX) -> ca.SX:
    """Point (rows,) of a line or circle at the fraction s of its length [m, rad]."""
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


def splines(trajectory: Trajectory) -> list[PiecewisePolynomial]:
    """One cubic spline per coordinate through the way-points or the table of a trajectory."""
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
    values : (k,) [m, rad]
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
