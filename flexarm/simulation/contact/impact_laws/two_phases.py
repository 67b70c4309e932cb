"""Impacts of several coupled contacts: compression and expansion, a complementarity problem each."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from flexarm.simulation.contact.impact_laws.friction_cones import cone_impulses
from flexarm.simulation.contact.impact_laws.impact_problem import Impact, ImpactProblem
from flexarm.simulation.contact.impact_laws.slip_cases import slip_cases

ROUND_OFF = 1e-10
"""Speed after compression that is none, in units of the largest speed or impulse and of equal inertia."""
GAIN = 1e-12
"""Energy that may be round-off, in units of the largest that one impulse adds or takes."""


def two_phases(problem: ImpactProblem) -> Impact:
    """Impact of coupled contacts by Poisson's law in two phases.

    Raises
    ------
    SolverError
        No impulses keep the arm outside.

    Notes
    -----
    [GlockerPfeiffer1995]: in compression no contact enters its wall; in expansion the normal impulse is at least e
    times that of compression, more only where a contact would enter. Friction lies in the cone of each phase's normal
    impulse and is opposed to the slip at the phase's end; there is no tangential restitution.

    A phase knows the slip at its end alone. Where slip stops or reverses within a phase, the law differs from that of
    :mod:`~flexarm.simulation.contact.impact_laws.impulse_path`: for a uniform rod that falls with 2 m/s at 10 to 80
    degrees, with a slip of up to 3.5 m/s, friction and restitution of 0 to 1, in one fall of seven, by up to 0.49 m/s.

    Energy: with P_c and P_e the impulses of the phases and one e for all contacts, the gain is at most
    ``-|e P_c - P_e|^2 / 2 - (1 - e^2) |P_c|^2 / 2`` in the metric of G, never positive, whatever the friction: normal
    impulses of expansion do the work ``e P_c,n . u_n``, the work ``P_c . u`` was not positive after compression, and
    friction of e P_c takes no more than that of P_e does. Different coefficients can create energy, rarely: then the
    smallest of those that push holds for all.
    """
    scaled, scale = problem.unit_inertia()
    compression = cone_impulses(scaled, np.zeros(problem.friction.size))
    speeds = scaled.speeds_after(compression)
    still = np.abs(speeds) <= ROUND_OFF * max(np.abs(scaled.speeds).max(), np.abs(compression).max())
    between = replace(scaled, speeds=np.where(still, 0.0, speeds))
    e = problem.restitution
    pushes = compression[:, 0] > 0
    while True:
        total = compression + cone_impulses(between, e * compression[:, 0])
        gains = scaled.energy_gain(total) > GAIN * scaled.energy_scale(total)
        if not gains or np.ptp(e[pushes]) == 0:
            break
        e = np.minimum(e, e[pushes].min())
    return Impact(scale * total, slip_cases(scaled, between.speeds, total))
