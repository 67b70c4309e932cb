"""Reference trajectory: the desired values of the prescribed coordinates, with their first and second rates."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import casadi as ca
import numpy as np
from numpy.typing import ArrayLike

from flexarm.codegen.piecewise_polynomial import PiecewisePolynomial
from flexarm.description.arm.arm import Arm
from flexarm.description.motion.trajectory import Trajectory
from flexarm.description.values.break_points import break_points, merged
from flexarm.description.values.expression import Expression
from flexarm.errors import ModelError
from flexarm.simulation.forces.piecewise_polynomials import interpolated
from flexarm.simulation.forces.time_functions import FUNCTIONS
from flexarm.simulation.inverse.task.path_primitives import point_along, smooth_step, splines, time_law
from flexarm.simulation.inverse.task.prescribed_motions import (
    load_expressions,
    prescribed_joints,
    prescribed_motion,
)

BISECTIONS = 40
JUMP = 1e-6
"""Jump that counts as one, of the largest value over the trajectory."""


class ReferenceSamples(NamedTuple):
    """Desired values p, p_d, p_dd of the prescribed coordinates, each (k, rows) [m, rad; per s; per s^2]."""

    p: np.ndarray
    p_d: np.ndarray
    p_dd: np.ndarray

    @classmethod
    def at_rest(cls, p: np.ndarray) -> ReferenceSamples:
        """Constant values p (rows,) [m, rad], as one sample."""
        return cls(p[None], *np.zeros((2, 1, p.size)))


@dataclass(frozen=True)
class ReferenceTrajectory:
    """Desired values as expressions of time and of tables that the machine code looks up.

    Attributes
    ----------
    duration : float [s]
    t, u : SX
        Time, and the values of the tables at t.
    tables : list of PiecewisePolynomial
        What u stands for.
    p, p_d, p_dd : SX (rows,)
        Values of the coordinates and their rates [m, rad; per s; per s^2].
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
        """Desired values at times (k,) from 0 to the duration [s]."""
        times = np.asarray(times, dtype=float)
        values = self._function(
            times[None, :],
            np.array([table(times) for table in self.tables]).reshape(len(self.tables), times.size),
        )
        return ReferenceSamples(*(value.full().T for value in values))

    @cached_property
    def _function(self) -> ca.Function:
        return ca.Function("reference", [self.t, self.u], [self.p, self.p_d, self.p_dd])


def reference_trajectory(trajectory: Trajectory, arm: Arm | None = None) -> ReferenceTrajectory:
    """Turn the description of a trajectory, and of the motions that an arm prescribes, into functions of time.

    Parameters
    ----------
    arm : Arm, optional
        The prescribed motions of its joints follow the rows of the trajectory; the break points of its loads are among
        those of the reference.

    Raises
    ------
    ModelError
        A path or its rate jumps; the time is named. A motion or a load has no value somewhere.
    """
    t, duration = ca.SX.sym("t"), trajectory.length
    motions = [] if arm is None else [prescribed_motion(arm, i, duration) for i in prescribed_joints(arm)]
    shape = trajectory.line or trajectory.circle
    law = time_law(shape.law, duration) if shape is not None else None
    own = splines(trajectory) if trajectory.waypoints or trajectory.table else [law] if law else []
    spline_motions = [motion for motion in motions if isinstance(motion, PiecewisePolynomial)]
    tables, symbols, rates = _as_tables([*own, *spline_motions])
    values = iter(symbols[len(own) :])
    if shape is not None:
        p = point_along(shape, symbols[0] if law else smooth_step(t / duration))
    elif trajectory.path is not None:
        p = ca.vertcat(*(ca.SX(e.evaluate(t, FUNCTIONS)) for e in trajectory.path.values()))
    else:
        p = ca.vertcat(*symbols[: len(own)])
    prescribed = [
        next(values) if isinstance(motion, PiecewisePolynomial) else ca.SX(motion.evaluate(t, FUNCTIONS))
        for motion in motions
    ]
    p = ca.vertcat(p, *prescribed)
    expressions = [
        *(trajectory.path or {}).values(),
        *(() if arm is None else load_expressions(arm, duration)),
    ]
    expressions += [motion for motion in motions if isinstance(motion, Expression)]
    switching = merged([break_points(expression, duration) for expression in expressions])
    switching = switching.times[(switching.before > 0.0) & (switching.after < duration)]
    knots = np.concatenate([switching, *(table.breaks for table in tables)])
    breaks = np.unique(knots[(knots > 0.0) & (knots < duration)])
    arguments, argument_rates = ca.vertcat(t, *symbols), ca.vertcat(ca.SX(1), *rates)
    p_d = ca.jtimes(p, arguments, argument_rates)
    p_dd = ca.jtimes(p_d, arguments, argument_rates)
    reference = ReferenceTrajectory(duration, t, ca.vertcat(*symbols), tables, p, p_d, p_dd, breaks)
    names = list(trajectory.coordinates)
    if arm is not None:
        names += [f"drive[{i}].motion of {arm.name}" for i in prescribed_joints(arm)]
    _check_smooth(reference, trajectory.source, names)
    return reference


def tabled_trajectory(
    function: Callable[[np.ndarray], Sequence[np.ndarray]], mesh: np.ndarray, breaks: np.ndarray
) -> ReferenceTrajectory:
    """Reference trajectory through tables.

    Parameters
    ----------
    function : callable
        From ascending times (k,) [s] to values, rates and second rates, (k, rows) each.
    mesh : (m + 1,) [s]
        Intervals over which these are smooth enough for polynomials of degree 4.
    breaks : (k,) [s]
    """
    tables = interpolated(lambda times: np.concatenate(function(times), axis=1), mesh)
    t, u = ca.SX.sym("t"), ca.SX.sym("u", len(tables))
    p, p_d, p_dd = ca.vertsplit(u, len(tables) // 3)
    return ReferenceTrajectory(float(mesh[-1]), t, u, tables, p, p_d, p_dd, breaks)


def _as_tables(
    curves: list[PiecewisePolynomial],
) -> tuple[list[PiecewisePolynomial], list[ca.SX], list[ca.SX]]:
    """Tables of curves, their rates and second rates; a symbol for each; the rate of each symbol as needed."""
    curves = [_extrapolated(curve) for curve in curves]
    first = [curve.derivative() for curve in curves]
    tables = [*curves, *first, *(curve.derivative() for curve in first)]
    symbols = [ca.SX.sym(f"u_{k}") for k in range(len(tables))]
    n = len(curves)
    return tables, symbols, [*symbols[n:], *[ca.SX(0)] * n]


def _extrapolated(curve: PiecewisePolynomial) -> PiecewisePolynomial:
    """Let the last polynomial go on beyond the end, where an integrator's last step may look."""
    breaks = curve.breaks.copy()
    breaks[-1] += breaks[-1] - breaks[0]
    return PiecewisePolynomial(breaks, curve.coefficients)


def _check_smooth(reference: ReferenceTrajectory, where: str, names: Sequence[str]) -> None:
    """Refuse a path or a rate that jumps: no torque can make the arm follow."""
    times = np.linspace(0.0, reference.duration, 2001)
    desired = reference(times)
    for what, low, high in (
        ("the path", desired.p, desired.p_d),
        ("the rate of the path", desired.p_d, desired.p_dd),
    ):
        gaps = np.abs(np.diff(low, axis=0) - 0.5 * np.diff(times)[:, None] * (high[1:] + high[:-1]))
        k, row = np.unravel_index(gaps.argmax(), gaps.shape)
        scale = JUMP * max(1e-3, float(np.abs(low).max()))
        jump, time = _jump(reference, times[k], times[k + 1], what == "the path", int(row))
        if gaps[k, row] > scale and jump > scale:
            raise ModelError(
                f"{where}: {what} jumps by {jump:.3g} at t = {time:.6g} s in {names[int(row)]} (an arm cannot follow)"
            )


def _jump(
    reference: ReferenceTrajectory, left: float, right: float, of_values: bool, row: int
) -> tuple[float, float]:
    """Change that stays when the interval around a suspected jump is halved again and again, and where it is."""
    order = 0 if of_values else 1
    for _ in range(BISECTIONS):
        middle = 0.5 * (left + right)
        a, b, c = reference([left, middle, right])[order][:, row]
        left, right = (left, middle) if abs(b - a) > abs(c - b) else (middle, right)
    a, b = reference([left, right])[order][:, row]
    return abs(b - a), right
