"""Derivatives of the jump of an arm's rates where the prescribed angle of a joint has a kink."""

from __future__ import annotations

import numpy as np

from flexarm.codegen.directional_function import DirectionalFunction
from flexarm.simulation.forward.motion_impulses import is_kink, motion_impulse_terms
from flexarm.solvers.intervals import Intervals
from flexarm.sweeps.sensitivity.directions.directions import Directions, parameters_of


class MotionKinks:
    """Jumps of a state and its derivatives at the kinks of prescribed motions.

    Parameters
    ----------
    found : Directions
    intervals : Intervals

    Notes
    -----
    The free rates f jump by those of the prescribed joints p, ``M_ff d theta_d_f = -M_fp d q_d``, see
    :class:`~flexarm.simulation.forward.motion_impulses.MotionImpulses`. A change, marked ', of M and of the rates
    before and behind the kink makes ``M_ff d theta_d_f' = -M_ff' d theta_d_f - M_fp' d q_d - M_fp d q_d'``, where the
    rates to both sides change by their own accelerations for the time by which the kink moves.
    """

    def __init__(self, found: Directions, intervals: Intervals):
        model, self._count = found.model, len(found.scales)
        symbols, layout = model.symbols, model.state_equation.layout
        function = model.once(
            ("kinks of motions", self._count),
            lambda: DirectionalFunction(
                motion_impulse_terms(symbols), self._count, symbols.parameters.numel(),
                symbols.signals.tables.copy(), in_time=True,
            ),
        )  # fmt: skip
        self._f, self._h = function.at(parameters_of(found))
        self._intervals, self._free = intervals, np.array(layout.rows)
        self._n = symbols.chain.coordinates.n_dof
        self._prescribed = np.setdiff1d(np.arange(self._n), self._free)

    def at(self, k: int, y: np.ndarray) -> bool:
        """Whether rates jump at a break point, at a state (n_y,)."""
        S, still = np.zeros((self._count, y.size)), np.zeros(self._count)
        return is_kink(*(self._terms(t, y, S, still)[1][0] for t in self._sides(k)))

    def across(
        self, k: int, y: np.ndarray, S: np.ndarray, moved: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """State (n_y,) and derivatives (k, n_y) behind a break point.

        The derivatives are those on the way of each direction, to the instant that it changes by `moved` (k,) [s].
        """
        (M, before), (_, after) = (self._terms(t, y, S, moved) for t in self._sides(k))
        jump = after - before
        if not is_kink(before[0], after[0]):
            jump[0] = 0.0
        M_ff, M_fp = M[:, self._free[:, None], self._free], M[:, self._free[:, None], self._prescribed]
        change = np.linalg.solve(M_ff[0], -M_fp[0] @ jump[0])
        forced = M_ff[1:] @ change + M_fp[1:] @ jump[0] + jump[1:] @ M_fp[0].T
        y, S, first = y.copy(), S.copy(), y.size - self._free.size
        y[first:] += change
        S[:, first:] -= np.linalg.solve(M_ff[0], forced.T).T
        return y, S

    def _sides(self, k: int) -> tuple[float, float]:
        """Times [s] before and behind a break point."""
        return float(self._intervals.ends[k]), float(self._intervals.starts[k + 1])

    def _terms(
        self, t: float, y: np.ndarray, S: np.ndarray, moved: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """Mass matrix (1 + k, n, n), rates of the prescribed joints (1 + k, p) [rad/s], each with derivatives."""
        values = self._f(t, np.concatenate([y, S.ravel()]), np.concatenate([moved, self._h]))
        values = values.reshape(self._count + 1, -1)
        return values[:, : self._n**2].reshape(-1, self._n, self._n), values[:, self._n**2 :]
