"""Conditions at both ends of a boundary value problem, among them quantities that shall be least."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from flexarm.solvers.collocation import gauss_times
from flexarm.solvers.condensation import CondensedSystem

Condition = Callable[[np.ndarray], tuple[np.ndarray, np.ndarray]]
"""From the state at one end to what should be zero, (k,), and its derivative, (k, n)."""


class Least(NamedTuple):
    """Quantities of which the sum of squares shall be least, in place of some of the conditions at both ends.

    Attributes
    ----------
    replaced : (int, int)
        How many of the last conditions at the start and at the end they replace. These serve the linear algebra only:
        with them the problem must have a solution, too.
    start, end : callable
        Quantities there, and their derivatives.
    rates : (e,) or None
        Factors of how fast the rates of the implicit components change; the mean squares over time of these products
        count as well, of differences from one Gauss point to the next.
    """

    replaced: tuple[int, int]
    start: Condition
    end: Condition
    rates: np.ndarray | None = None


class Boundary(NamedTuple):
    """Conditions at both ends; together as many as there are states."""

    start: Condition
    end: Condition
    least: Least | None = None


class FreeEnds:
    """Corrections of Newton's method with least quantities, from those with the conditions that they replace.

    In the least sum of squares those combinations of the quantities vanish that change with the values of the replaced
    conditions. They are found once, from the first matrix, so that the method still converges quadratically.

    Parameters
    ----------
    least : Least
    system : CondensedSystem
    rest : (m s, e), (m, n)
        Residuals and gaps of zero.
    values : (k,), (n - k,)
        Of the conditions at both ends; only their number counts.
    quantities : pair of (values, derivatives)
        Least quantities at both ends.
    combinations : (r, quantities) or None
        Those of an earlier matrix.
    """

    def __init__(
        self,
        least: Least,
        system: CondensedSystem,
        rest: tuple[np.ndarray, np.ndarray],
        values: Sequence[np.ndarray],
        quantities: Ends,
        combinations: np.ndarray | None,
    ):
        self._derivatives = [derivative for _, derivative in quantities]
        mesh = np.concatenate([[0.0], np.cumsum(system.maps.h)])
        steps = np.diff(gauss_times(mesh).ravel())
        self._factors = None if least.rates is None else least.rates / np.sqrt(steps * mesh[-1])[:, None]
        self._responses = []
        for own, count in enumerate(least.replaced):
            for row in range(values[own].size - count, values[own].size):
                start, end = (np.zeros_like(value) for value in values)
                (start, end)[own][row] = -1.0
                self._responses.append(system.solve(*rest, start, end))
        changes = np.stack([self._changes(*response) for response in self._responses], axis=1)
        self.combinations = np.linalg.qr(changes)[0].T if combinations is None else combinations
        self._by_value = self.combinations @ changes

    def freed(
        self, dY: np.ndarray, dR: np.ndarray, quantities: Ends, R: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """Correction with least quantities, from one dY (m + 1, n), dR (m, s, e) with the replaced conditions.

        R (m, s, e) are the rates to be corrected.
        """
        left = np.concatenate([*(value for value, _ in quantities), self._of_rates(R)]) + self._changes(
            dY, dR
        )
        changed = np.linalg.lstsq(self._by_value, -self.combinations @ left, rcond=None)[0]
        for value, (of_Y, of_R) in zip(changed, self._responses, strict=True):
            dY, dR = dY + value * of_Y, dR + value * of_R
        return dY, dR

    def _changes(self, dY: np.ndarray, dR: np.ndarray) -> np.ndarray:
        """Changes of all quantities with the states (m + 1, n) and the rates (m, s, e)."""
        at_ends = [by_y @ dy for by_y, dy in zip(self._derivatives, dY[[0, -1]], strict=True)]
        return np.concatenate([*at_ends, self._of_rates(dR)])

    def _of_rates(self, R: np.ndarray) -> np.ndarray:
        """Those quantities that are changes of the rates (m, s, e)."""
        if self._factors is None:
            return np.empty(0)
        return (self._factors * np.diff(R.reshape(-1, R.shape[-1]), axis=0)).ravel()


Ends = tuple[tuple[np.ndarray, np.ndarray], tuple[np.ndarray, np.ndarray]]
"""Values and derivatives at the start and at the end."""
