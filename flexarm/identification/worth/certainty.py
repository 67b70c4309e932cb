"""How well data tell unknowns: covariance, and the changes together that they do not tell, in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from flexarm.identification.unknowns import Unknown

ROUNDING = 1e-5
"""Least singular value of the Jacobian, its columns scaled to 1, that is more than errors of derivatives and runs."""
NO_LENGTH = 1e-8
"""Length of a column of the Jacobian, of the longest one, that may be errors of derivatives and runs alone."""
UNKNOWN = 1.0
"""Standard deviation, in scales of the unknowns and logarithms, from which on something is not known."""
INVOLVED = 0.05
"""Least part of a change together, of its largest one, that is named; beyond it an unknown is not known by itself."""
SIMPLE, SIMPLEST = 4, 0.02
"""Largest numerator and denominator of an exponent that is written as a fraction, and how near it has to be."""


@dataclass(frozen=True, eq=False)
class Certainty:
    """How well data tell unknowns.

    Attributes
    ----------
    covariance : (n, n)
        Of the places in the search, in scales and logarithms; what is not known has no part in it.
    known : (n,)
        Whether each unknown is told by itself.
    undetermined : (k, n)
        Changes together, the largest 1, that the data do not tell.
    """

    covariance: np.ndarray
    known: np.ndarray
    undetermined: np.ndarray

    @property
    def correlation(self) -> np.ndarray:
        """Correlations (n, n) of the unknowns; NaN for what is not known."""
        size = np.where(self.known, np.sqrt(np.diag(self.covariance)), np.nan)
        return self.covariance / np.outer(size, size)


def certainty(jacobian: np.ndarray, variance: float) -> Certainty:
    """How well residuals tell unknowns.

    Parameters
    ----------
    jacobian : (N, n)
        Of residuals in standard deviations of the noise, by places in the search.
    variance : float
        Of the residuals.

    Notes
    -----
    Two ways not to know: singular values of the Jacobian with columns of length 1 that are no more than errors of its
    derivatives, and directions in which the noise allows changes as large as the unknowns themselves.
    """
    n = jacobian.shape[1]
    # of the same products, and small
    jacobian = np.linalg.qr(np.concatenate([jacobian, np.zeros((n, n))])).R
    lengths = np.linalg.norm(jacobian, axis=0)
    lengths = np.maximum(lengths, NO_LENGTH * lengths.max(initial=0.0)) if lengths.any() else np.ones(n)
    _, values, rows = np.linalg.svd(jacobian / lengths)
    vanishing = rows[values < ROUNDING] / lengths
    basis = _complement(vanishing, n)
    _, values, rows = np.linalg.svd(jacobian @ basis, full_matrices=False)
    deviations = np.sqrt(variance) / np.maximum(values, np.finfo(float).tiny)
    uncertain = rows[deviations > UNKNOWN] @ basis.T
    told = rows[deviations <= UNKNOWN] @ basis.T
    covariance = told.T @ (deviations[deviations <= UNKNOWN] ** 2 * told.T).T
    undetermined = _sparse(np.concatenate([vanishing, uncertain]))
    known = np.abs(undetermined).max(axis=0, initial=0.0) <= INVOLVED
    return Certainty(covariance, known, undetermined)


def _complement(rows: np.ndarray, n: int) -> np.ndarray:
    """Orthonormal basis (n, n - k) of what is orthogonal to rows (k, n)."""
    if not len(rows):
        return np.eye(n)
    _, _, all_rows = np.linalg.svd(rows, full_matrices=True)
    return all_rows[len(rows) :].T


def _sparse(rows: np.ndarray) -> np.ndarray:
    """Rows (k, n) of the same span, each with as few entries as elimination leaves it, the largest 1."""
    rows, taken = rows.copy(), []
    for k in range(len(rows)):
        rest = np.abs(rows[k:]).copy()
        rest[:, taken] = 0.0
        i, j = np.unravel_index(rest.argmax(), rest.shape)
        rows[[k, k + i]] = rows[[k + i, k]]
        rows[k] /= rows[k, j]
        others = [other for other in range(len(rows)) if other != k]
        rows[others] -= np.outer(rows[others, j], rows[k])
        taken.append(int(j))
    largest = np.abs(rows).max(axis=1, initial=0.0, keepdims=True)
    rows = rows / np.where(largest > 0, largest, 1.0)
    return np.where(np.abs(rows) > INVOLVED, rows, 0.0)


def in_words(change: np.ndarray, unknowns: Sequence[Unknown], values: Sequence[float]) -> str:
    """Say what a change (n,) of the unknowns together that the data do not tell means.

    Parameters
    ----------
    values : sequence of float
        Of the unknowns.
    """
    involved = np.flatnonzero(change).tolist()
    names = [unknowns[k].name for k in involved]
    parts = [float(change[k]) for k in involved]
    if len(involved) == 1:
        return f"{names[0]} is not known: beside their errors the data hardly depend on it"
    if all(unknowns[k].is_logarithmic for k in involved):
        if (product := _product(names, parts)) is not None:
            return f"only {product} known, none of them by itself"
        first, second = values[involved[0]], values[involved[1]]
        if len(involved) == 2 and abs(parts[0] * first + parts[1] * second) < SIMPLEST * abs(
            parts[0] * first
        ):
            return f"only {names[0]} + {names[1]} is known, none of them by itself"
    changes = ", ".join(
        f"{name} by {100 * part:+.3g} %" if unknowns[k].is_logarithmic
        else f"{name} by {part * unknowns[k].scale:+.3g}"
        for k, name, part in zip(involved, names, parts, strict=True)
    )  # fmt: skip
    return f"not told apart: {changes} together change nothing that the data show"


def _product(names: Sequence[str], parts: Sequence[float]) -> str | None:
    """Product of powers that a change of logarithms leaves, with its verb; None if it is none that is simple."""
    if len(parts) > 2:
        equal = all(abs(part - parts[0]) < SIMPLEST * abs(parts[0]) for part in parts)
        return f"the ratios of {', '.join(names[:-1])} and {names[-1]} are" if equal else None
    # a^p b^q stays if p v_a + q v_b = 0
    ratio = -parts[0] / parts[1]
    near = Fraction(ratio).limit_denominator(SIMPLE)
    if abs(near.numerator) > SIMPLE or near == 0 or abs(float(near) - ratio) > SIMPLEST * abs(ratio):
        return None
    powers = near.denominator, abs(near.numerator)
    first, second = (
        name if power == 1 else f"{name}^{power}" for name, power in zip(names, powers, strict=True)
    )
    return f"{first}{'*' if near > 0 else '/'}{second} is"
