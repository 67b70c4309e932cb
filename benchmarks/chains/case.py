"""What falls: links of the Usoro arm, hinged one to another and to the base, released from rest."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import accumulate

import numpy as np

from .exact_beams import Beam

LENGTH, MU, EI = 1.0, 5.0, 1000.0
"""Of every link: m, kg/m, N m^2."""

INSTANTS = 50


@dataclass(frozen=True)
class Case:
    """One arm of equal links that falls without friction, torque or damping.

    Attributes
    ----------
    name : str
    angles : tuple of float [rad]
        Of the joints at the start; the links are straight.
    duration : float [s]
    mu, bending : float [kg/m, N m^2]
        Mass per length and EI of the links.
    instants : int
        Equal intervals of the duration, at whose ends tips are compared.
    functions : tuple of int
        That bend a link of the reference (exact_beams.py), from coarse to fine.
    """

    name: str
    angles: tuple[float, ...]
    duration: float
    mu: float = MU
    bending: float = EI
    instants: int = INSTANTS
    functions: tuple[int, ...] = (3, 4, 5)

    @property
    def n(self) -> int:
        """Number of links."""
        return len(self.angles)

    @property
    def beams(self) -> tuple[Beam, ...]:
        """Its links."""
        return (Beam(LENGTH, self.mu, self.bending),) * self.n

    @property
    def times(self) -> np.ndarray:
        """When tips are compared, (instants + 1,) [s]."""
        return np.linspace(0.0, self.duration, self.instants + 1)

    @property
    def directions(self) -> np.ndarray:
        """Angles of the links to the x axis at the start, (n,) [rad]."""
        return np.array(list(accumulate(self.angles)))


USORO = Case("usoro", (-np.pi / 2, np.radians(5)), 3.0)
"""The arm and motion of robots/usoro_two_link.yaml."""

CHAINS = tuple(Case(f"chain-{n}", (0.0,) * n, 1.0) for n in (1, 2, 4, 8, 16, 32))
"""Chains held out horizontally, which swing through the lowest point (one link) or fall 5 m (many)."""

PENDULUM = Case("pendulum", (0.0,), 3.0, mu=10.0, bending=100.0, instants=6)
"""robots/flexible_pendulum.yaml, whose reference flexarm validate holds."""

SOFT = (
    Case("soft-20", (0.0,), 1.5, mu=10.0, bending=20.0, instants=15, functions=(8, 10, 12)),
    Case("soft-10", (0.0,), 3.0, mu=10.0, bending=10.0, instants=30, functions=(10, 12, 14)),
)
"""Pendulums so soft that their ends turn by more than a radian; robots/soft_pendulum.yaml is the first."""

CASES = (USORO, *CHAINS, *SOFT)
