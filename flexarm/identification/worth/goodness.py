"""How well a fitted arm follows measured columns: what is left over, and whether that is white noise."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

LAGS = 20
"""Autocorrelations in the test of whiteness, at most; and a fifth of the rows."""
CONSTANT = 1e-9
"""Part of a column's largest value up to which its changes are none, but round-off of what was written."""
WHITE = 0.01
"""Least probability at which what is left over counts as white."""


@dataclass(frozen=True)
class ColumnFit:
    """How well one measured column is followed.

    Attributes
    ----------
    name, unit : str
    residual : float
        Root mean square of what is left over, in the unit.
    per_cent : float
        Of the column's variance, that the arm explains; NaN for a column that is constant.
    whiteness : float
        Probability that white noise has autocorrelations as large: the test of Ljung and Box, NaN for too few rows.
    narrowness : float
        About the factor by which correlated residuals make standard errors too small; 1 for white ones.
    """

    name: str
    unit: str
    residual: float
    per_cent: float
    whiteness: float
    narrowness: float

    @property
    def is_white(self) -> bool:
        """Whether what is left over looks like white noise."""
        return not self.whiteness < WHITE


def column_fit(name: str, unit: str, measured: Sequence[np.ndarray], left: Sequence[np.ndarray]) -> ColumnFit:
    """How well a column is followed, of all runs.

    Parameters
    ----------
    measured, left : sequence of (m_r,)
        Run by run: the column, and measured minus simulated.

    Notes
    -----
    Q = N (N + 2) sum r_k^2/(N - k) of the autocorrelations r_k of white noise is distributed as chi squared
    [LjungBox1978]. A mean of correlated residuals has 1 + 2 sum r_k times the variance of one of white ones.
    """
    rest, whole = np.concatenate(list(left)), np.concatenate(list(measured))
    power = float((rest**2).mean())
    spread = float(whole.var())
    varies = spread > (CONSTANT * np.abs(whole).max()) ** 2
    per_cent = 100 * (1 - power / spread) if varies else float("nan")
    statistic, count, correlated = 0.0, 0, []
    for one in left:
        r = autocorrelations(one)
        if not r.size:
            continue
        statistic += one.size * (one.size + 2) * float((r**2 / (one.size - np.arange(1, r.size + 1))).sum())
        count += r.size
        correlated.append(1 + 2 * float(r.sum()))
    narrowness = float(np.sqrt(max(np.mean(correlated), 1.0))) if correlated else 1.0
    return ColumnFit(name, unit, float(np.sqrt(power)), per_cent, _probability(statistic, count), narrowness)


def autocorrelations(left: np.ndarray) -> np.ndarray:
    """Autocorrelations (k,) of what is left over (m,), for lags from 1 row on; none where nothing is."""
    about = left - left.mean()
    size = float(about @ about)
    lags = min(LAGS, left.size // 5) if size else 0
    return np.array([about[k:] @ about[:-k] for k in range(1, lags + 1)]) / (size or 1.0)


def _probability(statistic: float, count: int) -> float:
    """Probability that chi squared of so many degrees of freedom is larger."""
    from scipy.special import gammaincc  # quicker to import than scipy.stats

    return float(gammaincc(count / 2, statistic / 2)) if count else float("nan")
