"""What an impact law is given and what it returns: the contacts' common inertia, speeds, friction, restitution."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from flexarm.solvers.equal_inertia import unit_inertia

OPEN, SLIDE, STICK, REVERSE = "open", "slide", "stick", "reverse"
"""What a contact does in an impact: no impulse; slip until the end; slip that stops; slip that stops and restarts."""


class Impact(NamedTuple):
    """Outcome of an impact law.

    Attributes
    ----------
    impulses : (k, d) [N s]
        Normal impulse of every contact, then its tangential ones.
    cases : tuple of k str
        "open", "slide", "stick" or "reverse".
    """

    impulses: NDArray[np.float64]
    cases: tuple[str, ...]


@dataclass(frozen=True)
class ImpactProblem:
    """k closed contacts with d = 2 directions (normal, tangent) in the plane, 3 (normal, two tangents) in space.

    Attributes
    ----------
    G : (k d, k d) [1/kg]
        Delassus matrix J M^-1 J^T; rows and columns contact by contact, the normal first. Rows of zeros stand for
        directions in which nothing can move, or in which no force acts.
    speeds : (k, d) [m/s]
        Before the impact; a normal speed is negative where a contact closes.
    friction : (k,)
        Coefficients of kinetic friction: in an impact a static one, which holds at rest only, counts for nothing.
    restitution : (k,)
        Coefficients from 0 to 1.
    """

    G: NDArray[np.float64]
    speeds: NDArray[np.float64]
    friction: NDArray[np.float64]
    restitution: NDArray[np.float64]

    @property
    def n_directions(self) -> int:
        """Directions of every contact: 2 in the plane, 3 in space."""
        return self.speeds.shape[1]

    def speeds_after(self, impulses: NDArray[np.float64]) -> NDArray[np.float64]:
        """Speeds (k, d) [m/s] after impulses (k, d) [N s]."""
        return self.speeds + (self.G @ impulses.ravel()).reshape(self.speeds.shape)

    def energy_gain(self, impulses: NDArray[np.float64]) -> float:
        """Kinetic energy [J] that impulses (k, d) [N s] add: those times the mean of the speeds before and after."""
        return float((impulses * (self.speeds + self.speeds_after(impulses))).sum()) / 2

    def energy_scale(self, impulses: NDArray[np.float64]) -> float:
        """Largest energy [J] that one of the impulses (k, d) [N s] adds or takes: what round-off is measured by."""
        speeds = np.abs(self.speeds) + np.abs(self.speeds_after(impulses))
        return float((np.abs(impulses) * speeds).max(initial=0.0))

    def of(self, contacts: NDArray[np.intp]) -> ImpactProblem:
        """The same impact for some of the contacts, (j,) int, alone."""
        d = self.n_directions
        rows = (d * contacts[:, None] + np.arange(d)).ravel()
        return ImpactProblem(
            self.G[np.ix_(rows, rows)],
            self.speeds[contacts],
            self.friction[contacts],
            self.restitution[contacts],
        )

    def unit_inertia(self) -> tuple[ImpactProblem, NDArray[np.float64]]:
        """The problem in units in which every contact's inertia is one, and the factors (k, d) [kg^-1/2].

        Speeds of that problem are the true ones times the factors, true impulses are its impulses times the factors.
        Both tangents of a contact in space share one factor, which leaves the friction cone round.
        """
        inverse_inertia = self.G.diagonal().reshape(self.speeds.shape).copy()
        inverse_inertia[:, 1:] = inverse_inertia[:, 1:].max(axis=1, keepdims=True)
        scale = unit_inertia(np.diag(inverse_inertia.ravel())).reshape(self.speeds.shape)
        scale = np.where(scale > 0, scale, scale.max(axis=1, keepdims=True))
        scale[scale == 0] = 1.0
        flat = scale.ravel()
        return (
            ImpactProblem(
                flat[:, None] * self.G * flat,
                scale * self.speeds,
                self.friction * scale[:, 0] / scale[:, 1],
                self.restitution,
            ),
            scale,
        )
