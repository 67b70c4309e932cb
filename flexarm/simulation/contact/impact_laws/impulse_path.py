"""One contact, followed along its normal impulse: Routh's method in the plane, that of Darboux and Keller in space."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from flexarm.errors import SolverError
from flexarm.simulation.contact.impact_laws.curved_slip import curved_slip, turning
from flexarm.simulation.contact.impact_laws.impact_problem import (
    OPEN,
    REVERSE,
    SLIDE,
    STICK,
    Impact,
    ImpactProblem,
)
from flexarm.simulation.contact.impact_laws.slip_from_rest import direction_from_rest

ROUND_OFF = 1e-13
"""Change of a speed by a unit of impulse, and speed in units of the speeds before, that count for nothing."""
CLOSING = 1e-12
"""Speed into the wall after expansion, in units of the speeds before, that is no further compression."""
MOST_CURVED, MOST_SECTIONS = 500, 1000
"""Sections of a path, of which the last ones are straight; a path of the plane has at most four in all."""


def impulse_path(problem: ImpactProblem) -> Impact:
    """Impact of one contact by Poisson's law, exact along the impulse.

    Raises
    ------
    SolverError
        The contact is driven into a wall by something that no impulse can move.

    Notes
    -----
    The normal impulse P grows as time does elsewhere [Routh1905, chapter V]. While the contact slips, friction is
    -mu times the direction of slip for each unit of P; slip that stops stays zero if an impulse within the friction
    cone can hold it, and restarts otherwise. Compression ends where the normal speed is zero, expansion at 1 + e times
    the impulse of compression [WangMason1992]. All is piecewise linear in the plane, so the solution is exact. In
    space the direction of slip turns, see :mod:`~flexarm.simulation.contact.impact_laws.curved_slip`.

    In space the turning slip can drive the contact into the wall once more in expansion; then a further compression
    and expansion follow.

    With a normal speed of exactly zero there is an impact only if slip drives the contact into the wall: Painleve's
    impact without collision [GenotBrogliato1999]. Of a contact that parts there is none.
    """
    scaled, scale = problem.unit_inertia()
    path = _Path(scaled.G, scaled.speeds[0], float(scaled.friction[0]), float(scaled.restitution[0]))
    path.follow()
    return Impact(scale * path.impulse, (path.case,))


@dataclass
class _Path:
    """State of the contact at the impulse reached so far, in units of its inertia."""

    G: NDArray[np.float64]
    speed: NDArray[np.float64]
    mu: float
    e: float

    def __post_init__(self) -> None:
        self.start = self.speed
        self.size = np.abs(self.speed).max()
        self.impulse = np.zeros(self.speed.size)
        self.case = OPEN
        self.compression = True
        self.total = np.inf
        self.before = 0.0
        self.stopped = False

    def follow(self) -> None:
        """Go along the impulse until expansion ends."""
        if self.speed[0] > 0 or (self.speed[0] == 0 and self._force()[1][0] >= -ROUND_OFF):
            self.case = OPEN
            return
        for section in range(MOST_SECTIONS):
            force, slope = self._force()
            if self.speed.size == 2 or not self.slips or section > MOST_CURVED or self._is_straight(slope):
                self._straight(force, slope)
            else:
                self._curved()
            if self.impulse[0] >= self.total:
                if self.speed[0] >= -CLOSING * self.size:
                    return
                self.compression, self.total, self.before = True, np.inf, self.impulse[0]
        raise SolverError("an impact does not end")

    @property
    def slips(self) -> bool:
        """True while the contact slips."""
        return bool(np.any(self.speed[1:] != 0))

    def _force(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Impulse (d,) for each unit of the normal one, and the change (d,) of the speeds by it."""
        tangential, slips = self.speed[1:], self.slips
        if slips:
            friction, case = -self.mu * tangential / np.linalg.norm(tangential), SLIDE
        else:
            friction, sticks = direction_from_rest(self.G, self.mu)
            case = STICK if sticks else SLIDE
        self.case = REVERSE if case == SLIDE and self.stopped else case
        force = np.array([1.0, *friction])
        return force, self.G @ force

    def _is_straight(self, slope: NDArray[np.float64]) -> bool:
        """True if the direction of slip does not turn, or turns no more than matters until slip stops."""
        across = turning(self.G, self.speed, self.mu)
        braked = self.speed[1:] @ slope[1:] < 0
        remaining = np.linalg.norm(self.speed[1:]) if braked else np.inf
        return bool(across <= ROUND_OFF or across * remaining <= ROUND_OFF * self.size)

    def _straight(self, force: NDArray[np.float64], slope: NDArray[np.float64]) -> None:
        """Go on until slip stops or the phase ends, with slip in one direction or none."""
        tangential = self.speed[1:]
        to_stop = to_end = np.inf
        if self.slips:
            braking = -tangential @ slope[1:]
            if braking > ROUND_OFF * np.linalg.norm(tangential):
                to_stop = tangential @ tangential / braking
        if not self.compression:
            to_end = self.total - self.impulse[0]
        elif slope[0] > ROUND_OFF:
            to_end = -self.speed[0] / slope[0]
        elif to_stop == np.inf and self.speed[0] >= -1e3 * ROUND_OFF * self.size:
            to_end = 0.0
        step = min(to_stop, to_end)
        if step == np.inf:
            raise SolverError("no impulse of the wall keeps the arm outside: it is driven into it")
        stops, sticks = to_stop <= to_end and self.slips, not self.slips and self.case == STICK
        self.impulse = self.impulse + step * force
        self.speed = self.start + self.G @ self.impulse
        if sticks:
            self.speed[1:] = 0.0
        if stops:
            self._stop()
        if to_end <= to_stop:
            self._end_of_phase()

    def _curved(self) -> None:
        """Go on until slip stops or the phase ends, one section of a path whose direction of slip turns."""
        wanted = None if self.compression else self.total - self.impulse[0]
        section = curved_slip(self.G, self.speed, self.mu, wanted)
        self.impulse = self.impulse + section.impulse
        self.speed = self.start + self.G @ self.impulse
        if np.linalg.norm(self.speed[1:]) <= ROUND_OFF * self.size:
            self._stop()
        if section.ended:
            self._end_of_phase()

    def _stop(self) -> None:
        """Slip is zero."""
        self.speed[1:] = 0.0
        self.stopped = True

    def _end_of_phase(self) -> None:
        """Compression or expansion is over."""
        if self.compression:
            self.compression = False
            self.speed[0] = 0.0
            self.total = self.impulse[0] + self.e * (self.impulse[0] - self.before)
        else:
            self.impulse[0] = self.total
