"""A uniform beam on a hub that turns about a pin, exactly: frequencies and zeros by its characteristic equations.

Between the ends  w = a cos(b x) + c sin(b x) + d cosh(b x) + e sinh(b x)  with  omega^2 = EI b^4 / mu. The beam leaves
the hub at its slope and is free at the other end:

    w(0) = 0,    EI w''(0) = -omega^2 J w'(0) - tau,    w''(l) = w'''(l) = 0

(the hub's inertia J and a torque tau on it balance the bending moment). With lambda = b l, j = J / (mu l^3) and
d = -a from the first condition, the second without torque is  2 d = -j lambda^3 (c + e);  the determinant of the last
two in c and e is then

    cos sinh - sin cosh - j lambda^3 (1 + cos cosh) = 0        (of lambda).
"""

from __future__ import annotations

import numpy as np
from scipy.optimize import brentq


def _free_end(lam: float, j: float) -> float:
    """The characteristic function over cosh(lambda)."""
    return np.cos(lam) * np.tanh(lam) - np.sin(lam) - j * lam**3 * (1 / np.cosh(lam) + np.cos(lam))


def frequencies(count: int, *, length: float, mu: float, EI: float, J: float) -> np.ndarray:
    """Natural frequencies of the beam on its free hub, without the turn as a whole, (count,) [Hz]."""
    j = J / (mu * length**3)
    grid = np.linspace(0.5, 4.0 * (count + 1), 400 * (count + 1))
    values = [_free_end(lam, j) for lam in grid]
    brackets = [(a, b) for a, b, p, q in zip(grid, grid[1:], values, values[1:], strict=False) if p * q < 0]
    lam = np.array([brentq(_free_end, a, b, args=(j,), xtol=1e-14) for a, b in brackets[:count]])
    return lam**2 / length**2 * np.sqrt(EI / mu) / (2 * np.pi)


def tip_zeros(count: int, *, length: float, mu: float, EI: float, tip_inertia: float = 0.0) -> np.ndarray:
    """Positive zeros from the torque on the hub to the displacement of the tip, (count,) [1/s].

    The beam carries a body with the moment of inertia J about its tip, of whatever mass: the tip does not move. With
    w = 0 and no force there, the beam is  w = a (cosh(b z) - cos(b z)) + c (sinh(b z) + sin(b z))  of z = l - x, and
    the moment of the body,  EI w'' = omega^2 J w'  by x, takes  a = -j lambda^3 c.  The start of the beam does not
    move either, whatever the hub's inertia (it only takes a part of the torque):

        sinh(lambda) + sin(lambda) = j lambda^3 (cosh(lambda) - cos(lambda)).

    The complex roots are lambda = (1 + i) y with  cot y + coth y = -4 j y^3,  one in the second half of each half turn,
    so that s^2 = -omega^2 = 4 y^4 EI / (mu l^4): real, and as many positive as negative.
    """
    j = tip_inertia / (mu * length**3)

    def f(y: float) -> float:
        return np.cos(y) * np.tanh(y) + np.sin(y) * (1 + 4 * j * y**3 * np.tanh(y))

    y = np.array([brentq(f, k * np.pi - np.pi / 2, k * np.pi, xtol=1e-14) for k in range(1, count + 1)])
    return 2 * y**2 * np.sqrt(EI / mu) / length**2


def tip_swing(*, length: float, mu: float, EI: float, tip_inertia: float) -> float:
    """Frequency of the only real root of that equation, at which the body swings about the resting tip [rad/s]."""
    j = tip_inertia / (mu * length**3)

    def f(lam: float) -> float:
        return np.tanh(lam) + np.sin(lam) / np.cosh(lam) - j * lam**3 * (1 - np.cos(lam) / np.cosh(lam))

    lam = brentq(f, 0.1, j ** (-1 / 3) + 10, xtol=1e-14)
    return lam**2 * np.sqrt(EI / mu) / length**2
