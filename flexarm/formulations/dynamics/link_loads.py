"""External loads on links, at a station or spread over a stretch, and how much of them is beyond a cut."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

import casadi as ca
import numpy as np

from flexarm.formulations.dynamics.newton_euler import LinkForce
from flexarm.formulations.kinematics.rotations import X
from flexarm.formulations.linear_algebra import constant
from flexarm.model.chain import LinkStretch


class LinkLoad(Protocol):
    """Load on a body."""

    @property
    def body(self) -> int:
        """Number of the body."""
        ...

    @property
    def force(self) -> LinkForce:
        """All of it, about the body's origin and in its frame."""
        ...

    def beyond(self, stations: Sequence[float]) -> ca.SX:
        """Force and moment (6, k) of what is at and beyond stations xi, (k,) [1]."""
        ...


class StationForce(NamedTuple):
    """Force and moment of a load on a body, about the body's origin, that act at the fraction xi of its length."""

    body: int
    xi: float
    force: LinkForce

    def beyond(self, stations: Sequence[float]) -> ca.SX:
        """All of it, or nothing."""
        there = np.array([[float(self.xi >= xi) for xi in stations]])
        return ca.vertcat(self.force.f, self.force.n) @ constant(there)


class LineForce(NamedTuple):
    """Force per length f (3,) [N/m] on a stretch of a body with modal amplitudes delta (m,), in the body's frame.

    The points on which it acts move with the axis, also as the bent link shortens.
    """

    stretch: LinkStretch
    f: ca.SX
    delta: ca.SX

    @property
    def body(self) -> int:
        """Number of the body."""
        return self.stretch.body

    @property
    def force(self) -> LinkForce:
        """Integral over the stretch."""
        f, n, modes = self._from(self.stretch.first)
        return LinkForce(f, n, modes)

    def beyond(self, stations: Sequence[float]) -> ca.SX:
        """Integrals over what is beyond each station."""
        columns = []
        for xi in stations:
            f, n, _ = self._from(max(xi, self.stretch.first))
            columns.append(ca.vertcat(f, n))
        return ca.horzcat(*columns)

    def _from(self, first: float) -> tuple[ca.SX, ca.SX, ca.SX]:
        """Force, moment and modal forces on the part of the stretch that begins at xi [1].

        With the places d of the axis and their Jacobian J: int f deta, int d x f deta, int J^T f deta.
        """
        segment, last = self.stretch.segment, self.stretch.last
        if not first < last:
            return ca.SX(3, 1), ca.SX(3, 1), ca.SX(segment.n_modes, 1)
        over = segment.over(first, last)
        r = constant(over.displacement)
        d, modes = over.moment * X + r.T @ self.delta, r @ self.f
        if over.foreshortening is not None:
            u = constant(over.foreshortening) @ self.delta
            d, modes = d + X * ca.dot(self.delta, u) / 2, modes + u * self.f[0]
        return over.length * self.f, ca.cross(d, self.f), modes
