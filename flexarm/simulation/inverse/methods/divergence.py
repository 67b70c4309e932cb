"""Divergence of a motion integrated forward: how it is seen, and why it happens."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from flexarm.results.dimensions import STATIONS
from flexarm.simulation.inverse.internal_dynamics import InternalDynamics
from flexarm.simulation.inverse.problem import InverseProblem

LARGEST_DEFLECTION = 0.5
"""Deflection of a link, of its length, at which the motion counts as diverged."""
LARGEST_ROTATION = np.pi / 2
"""The same for the rotation of its section [rad]."""
REAL = 1e-6
"""Imaginary part of a zero, of its size, up to which it counts as real."""


@dataclass(frozen=True)
class DeflectionLimit:
    """Limit of the deflection at one station of a link.

    Attributes
    ----------
    link : int
        Number of the link, from 1.
    rows : list of int
        Its modal amplitudes in the state.
    displacement : (m, 3) [1/m]
        By each mode, of the link's length.
    rotation : (m, 3) [rad/m]
        By each mode.
    """

    link: int
    rows: list[int]
    displacement: np.ndarray
    rotation: np.ndarray

    def first_beyond(self, states: np.ndarray) -> tuple[int, str] | None:
        """First of some states (k, n_y) [rad, m; per s] that lies beyond, and how it does."""
        delta = states[:, self.rows]
        displaced = np.linalg.norm(delta @ self.displacement, axis=1)
        rotated = np.linalg.norm(delta @ self.rotation, axis=1)
        beyond = np.flatnonzero((displaced > LARGEST_DEFLECTION) | (rotated > LARGEST_ROTATION))
        if not beyond.size:
            return None
        k = int(beyond[0])
        return k, f"link {self.link} is deflected by {displaced[k]:.0%} of its length and growing"


def deflection_limits(dynamics: InternalDynamics) -> list[DeflectionLimit]:
    """Limits at the recorded stations of every flexible link."""
    chain = dynamics.chain
    return [
        DeflectionLimit(i, list(rows), link.displacement(xi) / link.length, link.rotation(xi))
        for i, (rows, link) in enumerate(
            zip(chain.coordinates.modes, chain.assembled_links, strict=True), start=1
        )
        for xi in STATIONS
        if rows and not dynamics.rigid
    ]


def first_beyond(limits: Sequence[DeflectionLimit], states: np.ndarray) -> tuple[int, str] | None:
    """First of some states (k, n_y) [rad, m; per s] that lies beyond any limit, and how it does."""
    return min(filter(None, (limit.first_beyond(states) for limit in limits)), default=None)


def explanation(problem: InverseProblem) -> str:
    """Explanation of the divergence of a motion integrated forward, and the remedy."""
    zeros = problem.zero_dynamics.unstable_zeros
    if not zeros.size:
        return "the task asks for more than the links can bear (make it slower, or the links stiffer)"
    families = (
        " or ".join(sorted({modes.family for link in problem.arm.links for modes in link.modes}))
        or "flexible"
    )
    fastest = zeros[-1]
    oscillation = abs(fastest.imag) if abs(fastest.imag) > REAL * abs(fastest) else 0.0
    zero = f"{fastest.real:.3g}" + (f" +- {oscillation:.3g}i" if oscillation else "")
    return (
        f"the tip of a {families} link is a non-minimum-phase output: its internal dynamics is unstable (fastest zero "
        f"{zero} 1/s: what is off grows tenfold every {np.log(10) / fastest.real:.2g} s) and cannot be integrated "
        "forward; method stable finds the bounded motion"
    )
