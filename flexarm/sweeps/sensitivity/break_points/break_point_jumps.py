"""What break points do to a state and its derivatives: kinks of motions, what is sampled, instants that move."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from flexarm.codegen.native_function import BoundFunction
from flexarm.errors import ModelError
from flexarm.simulation.forces.break_points import has_kinked_motion
from flexarm.solvers.base import CompiledJump, Jump
from flexarm.solvers.intervals import Intervals
from flexarm.sweeps.sensitivity.break_points.motion_kinks import MotionKinks
from flexarm.sweeps.sensitivity.directions.directions import Directions

SAME = 1e-9
"""Difference of what comes of two orders of instants that is round-off, of the largest number."""


@dataclass(frozen=True)
class BreakPointJumps:
    """Jumps of a state and its derivatives at the break points of an arm.

    Attributes
    ----------
    name : str
        Of the arm.
    intervals : Intervals
    changes : (k, breaks) [s]
        Derivatives of the break points, in the directions.
    kinks : MotionKinks, optional
        Of prescribed motions.
    update : CompiledJump, optional
        Of what is sampled.
    sampled : (breaks,) bool
        Break points at which something is.

    Notes
    -----
    An instant that comes dt later leaves the state to the rate before it for so long. With y+ = R(t, y-, p):
    ``S+ = R_y (S- + f- dt) + R_p + R_t dt - f+ dt``. If something is sampled in that very instant it comes before or
    behind it with the sign of dt; there are derivatives only if both make the same of them.
    """

    name: str
    intervals: Intervals
    changes: np.ndarray
    kinks: MotionKinks | None
    update: CompiledJump | None
    sampled: np.ndarray

    @classmethod
    def of(
        cls, found: Directions, intervals: Intervals, update: CompiledJump | None, sampled: np.ndarray
    ) -> BreakPointJumps:
        """Jumps of an arm."""
        arm = found.instance.arm
        kinks = MotionKinks(found, intervals) if has_kinked_motion(arm) else None
        return cls(arm.name, intervals, found.instants.at_breaks(intervals), kinks, update, sampled)

    def jump(self, rhs: BoundFunction) -> Jump | None:
        """Jump of the free motion of a state and its derivatives, (n_y (1 + k),), by their equations; None."""
        if self.kinks is None and not self.changes.any():
            return self.update

        def jump(k: int, whole: np.ndarray) -> np.ndarray:
            if self.update is None or not self.sampled[k]:
                return self._moved(rhs, k, whole)
            behind = self._updated(k, self._moved(rhs, k, whole), float(self.intervals.starts[k + 1]))
            if self.changes[:, k].any():
                before = self._updated(k, whole, float(self.intervals.ends[k]))
                self._check(k, behind, self._moved(rhs, k, before))
            return behind

        return jump

    def to_contacts(self, k: int, y: np.ndarray, S: np.ndarray, held: bool) -> np.ndarray:
        """Derivatives (k, n_y) behind a break point on the way of each direction, of a motion with contacts.

        `y` and `S` are those before it; `held` if a wall or limit is touched there.

        Raises
        ------
        ModelError
            There are none.
        """
        if self.kinks is not None:
            if held and self.kinks.at(k, y):
                raise ModelError(
                    f"{self.name}: at t = {self.intervals.breaks[k]:.6g} s a prescribed motion has a kink while a wall "
                    "or limit is touched; derivatives through that are not computed",
                    hint="let the rate change within a short time instead",
                )
            y, S = self.kinks.across(k, y, S, self.changes[:, k])
        if self.update is None or not self.sampled[k]:
            return S
        if self.changes[:, k].any():
            raise self._fault(k)
        return self.update(k, np.concatenate([y, S.ravel()]))[y.size :].reshape(S.shape)

    def _moved(self, rhs: BoundFunction, k: int, whole: np.ndarray) -> np.ndarray:
        """State and derivatives behind an instant that moves, or in which a motion has a kink."""
        dt = self.changes[:, k]
        y, *rows = whole.reshape(len(dt) + 1, -1)
        S = np.array(rows)
        if dt.any():
            S += np.outer(dt, _rate(rhs, float(self.intervals.ends[k]), y, len(dt)))
        if self.kinks is not None:
            y, S = self.kinks.across(k, y, S, dt)
        if dt.any():
            S -= np.outer(dt, _rate(rhs, float(self.intervals.starts[k + 1]), y, len(dt)))
        return np.concatenate([y, S.ravel()])

    def _updated(self, k: int, whole: np.ndarray, t: float) -> np.ndarray:
        """State and derivatives behind what is sampled at a break point, with the signals of a time [s] beside it."""
        assert self.update is not None
        return self.update.f(t, np.append(whole, self.update.rows[k]), self.update.p)

    def _check(self, k: int, first: np.ndarray, second: np.ndarray) -> None:
        """Refuse an instant that moves where it makes a difference that something is sampled before or behind it."""
        moves = np.append(True, self.changes[:, k] != 0)
        first, second = (one.reshape(moves.size, -1)[moves] for one in (first, second))
        size = np.maximum(np.abs(first), np.abs(second)).max(axis=1, keepdims=True)
        if (np.abs(first - second) > SAME * size).any():
            raise self._fault(k)

    def _fault(self, k: int) -> ModelError:
        return ModelError(
            f"{self.name}: at t = {self.intervals.breaks[k]:.6g} s a signal jumps or bends in the very instant of a "
            "sample, before or behind which a number moves it, so there is no derivative",
            hint="change the number, or the offset of the samples, by a little",
        )


def _rate(rhs: BoundFunction, t: float, y: np.ndarray, count: int) -> np.ndarray:
    """Rate of a state (n_y,) by its equations with derivatives in some directions."""
    return rhs.f(t, np.concatenate([y, np.zeros(count * y.size)]), rhs.h)[: y.size]
