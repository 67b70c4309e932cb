"""Damping of a soft wall by the coefficient of restitution that a mass has which strikes it at some speed."""

from __future__ import annotations

import math

SERIES = 0.05
"""Argument below which a series takes the place of a difference of nearly equal numbers."""
TERMS = 16


def damping_of_restitution(e: float, speed: float) -> float:
    """Damping c [s/m] of ``F = k d^p (1 + c d_d)`` with which a mass rebounds at e times its approach speed [m/s].

    Notes
    -----
    Of a mass on a half-space ``m v dv/dd = -k d^p (1 + c v)`` [HuntCrossley1975]: v / (1 + c v) dv, integrated from
    the approach speed v to 0 and from 0 to -e v, is the same, whatever p. So with x = c v

        ``x - ln(1 + x) = -e x - ln(1 - e x)``,

    which has one root between (1 - e) / e and 1 / e. Near e = 1 it is x = 3 (1 - e) / 2, the formula of Hunt and
    Crossley. Divided by x^2 / 2 both sides are smooth, and their roots have a simple zero.
    """
    if e == 1:
        return 0.0
    low, high = (1 - e) / e, 1 / e
    while (middle := (low + high) / 2) not in (low, high):
        if math.sqrt(_ratio(middle)) > e * math.sqrt(_ratio(-e * middle)):
            low = middle
        else:
            high = middle
    return low / speed


def _ratio(x: float) -> float:
    """``2 (x - ln(1 + x)) / x^2``, 1 at 0 and infinite at -1."""
    if abs(x) < SERIES:
        return sum(2 * (-x) ** n / (n + 2) for n in range(TERMS))
    return 2 * (x - math.log1p(x)) / x**2 if x > -1 else math.inf
