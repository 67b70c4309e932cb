"""Slip of one contact in space whose direction turns: the equations of Darboux and Keller, by Taylor series."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import brentq

ORDER = 24
"""Of the Taylor polynomials."""
TRUNCATION = 1e-17
"""First term left out, in units of the slip."""


class CurvedSection(NamedTuple):
    """One Taylor step of the path.

    Attributes
    ----------
    impulse : (3,)
        Normal and tangential, that the step adds.
    ended : bool
        True if the phase ended in it.
    """

    impulse: NDArray[np.float64]
    ended: bool


def turning(G: NDArray[np.float64], speed: NDArray[np.float64], mu: float) -> float:
    """Part across the slip of what a unit of normal impulse adds to it; zero where slip stays straight."""
    direction = speed[1:] / np.linalg.norm(speed[1:])
    slope = G[1:, 0] - mu * G[1:, 1:] @ direction
    return abs(float(slope[1] * direction[0] - slope[0] * direction[1]))


def curved_slip(
    G: NDArray[np.float64], speed: NDArray[np.float64], mu: float, wanted: float | None
) -> CurvedSection:
    """One step along the impulse with slip.

    Parameters
    ----------
    G : (3, 3)
        Delassus matrix of the contact, in units of its inertia.
    speed : (3,)
        Normal speed, and slip, which is not zero.
    mu : float
    wanted : float or None
        Normal impulse at which expansion ends; None for compression, which ends where the normal speed is zero.

    Notes
    -----
    With u the slip and r its magnitude, ``du/dP = g - mu C u / r`` [Keller1986]. Where the slip stops, its direction
    turns ever faster in P; in s with ``dP = r ds`` all is smooth there and takes infinitely long:
    ``du/ds = r g - mu C u``, of degree one in u, so that r falls exponentially while the direction comes to rest. The
    coefficients of the Taylor series follow from each other, those of r from ``r^2 = u . u``.
    """
    g, C = G[1:, 0], G[1:, 1:]
    u, r = np.zeros((ORDER + 1, 2)), np.zeros(ORDER + 1)
    u[0] = speed[1:]
    r[0] = np.linalg.norm(u[0])
    for k in range(ORDER):
        u[k + 1] = (r[k] * g - mu * C @ u[k]) / (k + 1)
        squares = np.einsum("ij,ij->", u[: k + 2], u[k + 1 :: -1]) - r[1 : k + 1] @ r[k:0:-1]
        r[k + 1] = squares / (2 * r[0])
    step = min(
        (TRUNCATION * r[0] / max(float(np.linalg.norm(u[k])), 1e-300)) ** (1 / k) for k in (ORDER - 1, ORDER)
    )
    normal = np.concatenate([[0.0], r / np.arange(1, ORDER + 2)])
    friction = -mu * np.vstack([np.zeros(2), u / np.arange(1, ORDER + 2)[:, None]])
    reached = G[0, 0] * normal + friction @ G[0, 1:]
    reached[0] = speed[0]
    if wanted is not None:
        reached = normal.copy()
        reached[0] = -wanted
    end, ended = _end(reached, step)
    powers = end ** np.arange(ORDER + 2)
    return CurvedSection(powers @ np.column_stack([normal, friction]), ended)


def _end(reached: NDArray[np.float64], step: float) -> tuple[float, bool]:
    """Where a polynomial (n,) rises through zero within the step, and True; or the step, and False."""
    polynomial = np.polynomial.Polynomial(reached)
    if polynomial(step) < 0:
        return step, False
    start = 0.0 if reached[0] < 0 else step * 1e-3
    if polynomial(start) >= 0:
        return start, True
    return float(brentq(polynomial, start, step, xtol=1e-300, rtol=1e-15)), True  # type: ignore[arg-type]
