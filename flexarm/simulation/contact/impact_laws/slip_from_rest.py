"""What a contact without slip does under a growing normal impulse: it sticks, or it slips in one certain direction."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def direction_from_rest(G: NDArray[np.float64], mu: float) -> tuple[NDArray[np.float64], bool]:
    """Friction (d - 1,) for each unit of normal impulse at a contact without slip, and True if the contact sticks.

    Parameters
    ----------
    G : (d, d)
        Delassus matrix of the contact, in units of its inertia.
    mu : float

    Notes
    -----
    With g the change of slip by a unit of normal impulse and C that by friction, friction -C^-1 g holds the contact if
    it lies within the cone. If not, slip grows at a rate s > 0 along the unit vector a of ``g - mu C a = s a``:
    straight, as a does not depend on the slip. There is one such s, as ``|(mu C + s)^-1 g|`` falls from above one to
    zero [BhattKoechling1995].
    """
    g, C = G[1:, 0], G[1:, 1:]
    hold = np.array(-np.linalg.lstsq(C, g, rcond=None)[0], dtype=np.float64)
    if float(np.linalg.norm(hold)) <= mu:
        return hold, True
    stiffness, axes = np.linalg.eigh(C)
    along = axes.T @ g
    s = max(float(np.linalg.norm(g)) - mu * stiffness[-1], 1e-15)
    for _ in range(50):  # Newton's method on 1 / |a|, which is concave: from below, monotone
        a = along / (mu * stiffness + s)
        length = np.linalg.norm(a)
        change = (length - 1) * length**2 / (a @ (a / (mu * stiffness + s)))
        s += change
        if abs(change) <= 1e-16 * s:
            break
    a = along / (mu * stiffness + s)
    return -mu * axes @ (a / np.linalg.norm(a)), False
