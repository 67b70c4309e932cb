"""A beam that falls flat on a floor, in closed form: [FL17]'s case study I without a differential equation solver.

Between impacts the mass centre moves on a parabola and the only mode swings harmonically about zero, because the beam
does not turn. Both ends strike together; their height X_2 is the coordinate of the base.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.integrate import quad
from scipy.optimize import brentq, minimize_scalar

WAVE_NUMBER = 4.730040744862704  # of the first clamped-clamped mode
STRIDE = 1e-5  # s: far less than the period of the mode, 4.9 ms


def shape(xi: float) -> float:
    """First clamped-clamped eigenfunction in [FL17]'s form, eq. 63, with the exact ratio."""
    b = WAVE_NUMBER
    ratio = (np.cosh(b) - np.cos(b)) / (np.sinh(b) - np.sin(b))
    return (np.sin(b * xi) - np.sinh(b * xi)) - (np.cos(b * xi) - np.cosh(b * xi)) / ratio


@dataclass
class FallingBeam:
    """Unit length and mass per length; stiffness EI [N m^2], start height [m], restitution e.

    Attributes
    ----------
    impacts : list of float [s]
        Times of the impacts up to the duration of the fall.
    """

    EI: float = 1000.0
    height: float = 0.5
    e: float = 1.0
    g: float = 9.81

    def __post_init__(self):
        self.C1 = quad(shape, 0, 1)[0]
        self.C3 = quad(lambda xi: shape(xi) ** 2, 0, 1)[0]
        self.omega = np.sqrt(self.EI * WAVE_NUMBER**4 * self.C3 / (self.C3 - self.C1**2))
        self.impacts: list[float] = []
        self._begin(0.0, (self.height, 0.0), (0.0, 0.0))

    def _begin(self, t, position, rate):
        (y, delta), (y_d, delta_d) = position, rate
        self._t, self._centre, self._centre_d = t, y + self.C1 * delta, y_d + self.C1 * delta_d
        self._delta, self._delta_d = delta, delta_d

    def state(self, t):
        """X_2, its rate, the modal amplitude and its rate."""
        s = t - self._t
        c, sn = np.cos(self.omega * s), np.sin(self.omega * s)
        delta = self._delta * c + self._delta_d / self.omega * sn
        delta_d = self._delta_d * c - self._delta * self.omega * sn
        centre = self._centre + self._centre_d * s - self.g * s**2 / 2
        return (
            centre - self.C1 * delta,
            self._centre_d - self.g * s - self.C1 * delta_d,
            delta,
            delta_d,
        )

    def run(self, duration):
        """Fall and jump until then; return the highest X_2 of every flight that lasts longer than 0.1 s."""
        apexes = []
        while True:
            start = self._t
            times = np.arange(start + STRIDE, duration, STRIDE)
            heights = np.array([self.state(times)[0]]).ravel()
            below = np.flatnonzero(heights < 0)
            end = times[below[0]] if below.size else duration
            if end - start > 0.1:
                highest = times[heights[: below[0] if below.size else None].argmax()]
                best = minimize_scalar(
                    lambda t: -self.state(t)[0], bounds=(highest - STRIDE, highest + STRIDE), options={"xatol": 1e-9},
                    method="bounded",
                )  # fmt: skip
                apexes.append(-best.fun)
            if not below.size:
                return apexes
            t = brentq(lambda t: self.state(t)[0], end - STRIDE, end, xtol=1e-14)
            y, y_d, delta, delta_d = self.state(t)
            self.impacts.append(t)
            # The floor's impulse acts on X_2 alone: the row of the mode is C1 dX_2 + C3 d delta = 0.
            jump = -(1 + self.e) * y_d
            self._begin(t, (y, delta), (y_d + jump, delta_d - self.C1 / self.C3 * jump))
