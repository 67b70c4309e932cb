"""The impulse diagram of a rod that strikes a floor: lines of the plane of impulses, intersected by hand.

After Routh, and Wang & Mason, "Two-dimensional rigid-body collisions with friction" (1992). The abscissa of the diagram
is the impulse along the floor, X, the ordinate that off the floor, Y. Slip S and approach C are linear in both.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np


class Rod(NamedTuple):
    """A uniform rod [kg, m] whose lower end strikes; its angle [rad] from the floor to the rod, leaning to +x."""

    mass: float
    length: float
    angle: float

    @property
    def coefficients(self):
        """B1, B2, B3 [1/kg] of S = S0 + B1 X - B3 Y and C = C0 - B3 X + B2 Y."""
        x, y = self.length / 2 * np.cos(self.angle), self.length / 2 * np.sin(self.angle)
        inertia = self.mass * self.length**2 / 12
        return 1 / self.mass + y**2 / inertia, 1 / self.mass + x**2 / inertia, x * y / inertia

    @property
    def delassus(self):
        """Delassus matrix (2, 2), the normal first."""
        B1, B2, B3 = self.coefficients
        return np.array([[B2, -B3], [-B3, B1]])


def impact(rod, S0, C0, mu, e):
    """Impulses (X, Y) [N s] and the case, with S0 and C0 [m/s] before; C0 is negative, or zero."""
    B1, B2, B3 = rod.coefficients
    # the line that friction follows without slip: that of sticking, or of the slip that starts
    after_rest, held = (B3 / B1, True) if abs(B3) <= mu * B1 else (mu * np.sign(B3), False)
    if S0 == 0:
        Y = -(1 + e) * C0 / (B2 - B3 * after_rest)
        return after_rest * Y, Y, "stick" if held else "slide"
    friction = -mu * np.sign(S0)
    falls = B2 - B3 * friction
    Y_most_compressed = -C0 / falls if falls > 0 else np.inf
    if C0 == 0 and falls >= 0:
        return 0.0, 0.0, "open"
    brakes = B3 - B1 * friction
    Y_stop = S0 / brakes if S0 * brakes > 0 else np.inf
    if Y_stop >= (1 + e) * Y_most_compressed:
        Y = (1 + e) * Y_most_compressed
        return friction * Y, Y, "slide"
    X_stop = friction * Y_stop
    if Y_stop < Y_most_compressed:
        C_stop = C0 - B3 * X_stop + B2 * Y_stop
        Y_most_compressed = Y_stop - C_stop / (B2 - B3 * after_rest)
    Y = (1 + e) * Y_most_compressed
    return X_stop + after_rest * (Y - Y_stop), Y, "stick" if held else "reverse"
