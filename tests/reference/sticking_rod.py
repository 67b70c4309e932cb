"""A uniform rod that hangs on a joint with dry friction: its swings by energy, and how long they take by quadrature."""

from __future__ import annotations

import math
from typing import NamedTuple

from scipy.integrate import quad
from scipy.optimize import brentq

G = 9.81


class Rest(NamedTuple):
    """Angle [rad] from the x axis and time [s] at which the rod sticks."""

    angle: float
    time: float


def rest_of(mass: float, length: float, friction: float, angle: float) -> Rest:
    """Where and when a rod that is let go at an angle (of -pi to 0) [rad] sticks, friction [N m]; gravity is along -y.

    Over a swing from q0 to q1 the work of weight and friction is zero,
    ``m g L / 2 (sin q0 - sin q1) = friction |q1 - q0|``, and the rate in between follows from the same balance.
    """
    weight, inertia, time = mass * G * length / 2, mass * length**2 / 3, 0.0
    while abs(weight * math.cos(angle)) > friction:
        side, to_bottom = -math.copysign(1.0, math.cos(angle)), abs(angle + math.pi / 2)

        def energy(way: float, q0: float = angle, side: float = side) -> float:
            return weight * (math.sin(q0) - math.sin(q0 + side * way)) - friction * way

        fastest = to_bottom - math.asin(friction / weight)  # where the weight's moment is that of friction
        way = brentq(energy, fastest, 2 * to_bottom, xtol=1e-15)

        def slowness(s: float, way: float = way, energy=energy) -> float:
            """Time per s along the swing way sin^2(s): the rate vanishes like a square root at both ends."""
            rate = math.sqrt(2 * energy(way * math.sin(s) ** 2) / inertia)
            return way * math.sin(2 * s) / rate

        time += quad(slowness, 0.0, math.pi / 2, epsabs=1e-12, epsrel=1e-12, limit=200)[0]
        angle += side * way
    return Rest(angle, time)
