"""Impulses of prescribed motions: the jump of all rates where the prescribed angle of a joint has a kink."""

from __future__ import annotations

from dataclasses import dataclass

import casadi as ca
import numpy as np
from numpy.typing import NDArray

from flexarm.codegen.native_function import BoundFunction
from flexarm.formulations.formulation import make_formulation
from flexarm.model.chain import Chain
from flexarm.simulation.state.layout import StateLayout
from flexarm.simulation.state.symbols import SymbolicState
from flexarm.solvers.intervals import Intervals

LEAST_JUMP = 1e-9
"""Jump of a rate below which it is round-off, as a fraction of the rates, or of 1 rad/s."""


@dataclass(frozen=True)
class MotionImpulse:
    """Impulses of one instant.

    Attributes
    ----------
    time : float [s]
    joints : (k,) int
        Numbers of the prescribed joints, counted from 1.
    before, after : (k,) [rad/s]
        Their rates.
    impulses : (k,) [N m s]
        Impulses of their drives.
    """

    time: float
    joints: NDArray[np.intp]
    before: NDArray[np.float64]
    after: NDArray[np.float64]
    impulses: NDArray[np.float64]

    @property
    def energy(self) -> NDArray[np.float64]:
        """Energy that each drive gives to the arm, (k,) [J]: its impulse times the mean of its rates."""
        return self.impulses * (self.before + self.after) / 2


def motion_impulse_terms(symbols: SymbolicState) -> ca.Function:
    """(t, y, p, u) -> mass matrix of all coordinates, then the rates of the prescribed joints."""
    M = make_formulation(symbols.arm.run.formulation, symbols.chain).mass_matrix(symbols.theta)
    value = ca.vertcat(ca.vec(ca.densify(M)), symbols.theta_d[sorted(symbols.prescribed)])
    return symbols.function("motion_impulse", value)


def is_kink(before: NDArray[np.float64], after: NDArray[np.float64]) -> bool:
    """Whether rates of prescribed joints (k,) [rad/s] jump by more than round-off."""
    return bool(np.any(np.abs(after - before) > LEAST_JUMP * np.maximum(1.0, np.abs(before))))


class MotionImpulses:
    """Jumps of the state of a run at the kinks of its prescribed motions, and the list of them.

    Attributes
    ----------
    impulses : list of MotionImpulse
        In the order of time, so far.

    Notes
    -----
    The impulses of the prescribed joints p are all that acts in the instant, so of ``M d theta_d = impulses`` the rows
    of the free coordinates f give ``M_ff d theta_d_f = -M_fp d q_d_p``, and those of p the impulses.
    """

    def __init__(self, terms: BoundFunction, chain: Chain, layout: StateLayout, intervals: Intervals):
        self._terms, self._free, self._intervals = terms, layout.rows, intervals
        self._n = chain.coordinates.n_dof
        rows = chain.coordinates.driven
        self._prescribed = [row for row in range(self._n) if row not in layout.rows]
        self._joints = np.array([rows.index(row) + 1 for row in self._prescribed])
        self.impulses: list[MotionImpulse] = []

    def __call__(self, k: int, y: NDArray[np.float64]) -> NDArray[np.float64]:
        """State y (n_y,) at the start of interval k + 1 from that at the end of interval k."""
        M, before = self._at(self._intervals.ends[k], y)
        _, after = self._at(self._intervals.starts[k + 1], y)
        jump = after - before
        if not is_kink(before, after):
            return y
        f, p = self._free, self._prescribed
        change = np.zeros(self._n)
        change[p] = jump
        change[f] = np.linalg.solve(M[np.ix_(f, f)], -M[np.ix_(f, p)] @ jump)
        time = float(self._intervals.breaks[k])
        self.impulses.append(MotionImpulse(time, self._joints, before, after, (M @ change)[p]))
        return np.append(y[: y.size - len(f)], y[y.size - len(f) :] + change[f])

    def _at(self, t: float, y: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Mass matrix (n_dof, n_dof) and rates of the prescribed joints (k,) [rad/s]."""
        values = self._terms(float(t), y)
        return values[: self._n**2].reshape(self._n, self._n), values[self._n**2 :]


def motion_impulse_datasets(impulses: list[MotionImpulse], end: float) -> dict[str, np.ndarray]:
    """Datasets of the impulses until the end [s]: one row for every prescribed joint, in the order of time."""
    impulses = [each for each in impulses if each.time <= end]

    def joined(*columns: NDArray) -> NDArray:
        return np.concatenate([np.empty(0), *columns])

    return {
        "motion_impulse_time": joined(*(np.full(each.joints.size, each.time) for each in impulses)),
        "motion_impulse_joint": joined(*(each.joints for each in impulses)).astype(int),
        "motion_impulse_velocity_before": joined(*(each.before for each in impulses)),
        "motion_impulse_velocity_after": joined(*(each.after for each in impulses)),
        "motion_impulse": joined(*(each.impulses for each in impulses)),
        "motion_impulse_energy": joined(*(each.energy for each in impulses)),
    }
