"""Derivatives of the jump that an impact makes of the rates of an arm's coordinates."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from flexarm.errors import SolverError
from flexarm.simulation.contact.constraints.active_set import RESTING_SPEED
from flexarm.simulation.contact.constraints.contact_state import ContactState
from flexarm.simulation.contact.friction.friction_law import FrictionLaw
from flexarm.simulation.contact.impacts import Impact, jump_of
from flexarm.sweeps.sensitivity.contact.contact_derivatives import ContactDerivatives

STRICT = 1e-9
"""Speeds of contacts that hardly take part in an impact, of the largest speed."""
STEPS = (1e-3, 1e-4, 1e-5, 1e-6)
"""Relative changes of what an impact depends on, by which it is differentiated: the first within which it is smooth."""
AGREE = 1e-6
"""Relative difference of derivatives to both sides that is none."""
NOISE = 1e-13
"""Round-off of jumps, of the largest speed."""
LEAST = 1e-9
"""Size of what counts as zero: speed [m/s], Jacobian, mass [kg], coefficient."""
CENTRAL = np.array([-1 / 60, 3 / 20, -3 / 4, 0, 3 / 4, -3 / 20, 1 / 60])
FORWARD = np.array([0, 0, 0, -11 / 6, 3, -3 / 2, 1 / 3])
"""Weights of differences at -3 to 3 steps, of sixth order, and of third order to one side."""


def pushing_contacts(impact: Impact) -> np.ndarray:
    """Which contacts of an impact without friction push, (c,) bool."""
    return impact.impulses > 0


def doubtful_contacts(impact: Impact, state: ContactState, held: np.ndarray) -> np.ndarray:
    """Which contacts of an impact may be pushed or not, (c,) bool, of those held before (j,) int; without friction."""
    contacts, size = impact.contacts, np.abs(impact.before).max()
    A = state.delassus(contacts)
    share = np.where(pushing_contacts(impact), impact.impulses * A.diagonal(), impact.after)
    doubtful = np.isin(contacts, held) & (share <= STRICT * size)
    return doubtful & (np.abs(A - np.diag(A.diagonal())) @ impact.impulses > STRICT * size)


def effective_restitution(impact: Impact, restitution: np.ndarray) -> np.ndarray:
    """Coefficients (1 + k, c) of the contacts that push, and their changes, from those of all contacts (1 + k, m)."""
    pushing = pushing_contacts(impact)
    contacts, before, after = impact.contacts[pushing], impact.before[pushing], impact.after[pushing]
    own, found = restitution[:, contacts], np.zeros((len(restitution), contacts.size))
    for i in np.flatnonzero(before < -RESTING_SPEED):
        ratio = -after[i] / before[i]
        near = np.abs(own[0] - ratio) < STRICT
        if near[i]:
            found[:, i] = own[:, i]
        elif near.any():  # the smallest of all that push holds for all
            found[:, i] = own[:, int(np.argmax(near))]
    return found


def jump_with_friction(
    law: FrictionLaw,
    state: ContactState,
    own: ContactDerivatives,
    contacts: np.ndarray,
    coefficients: np.ndarray,
) -> np.ndarray | None:
    """Derivatives (k, n) of the jump of an impact with friction; None where it has none.

    Parameters
    ----------
    law : FrictionLaw
    state : ContactState
        Of all contacts, before the impact.
    own : ContactDerivatives
        Of the contacts that take part, with their slips along one tangent, then along the other.
    contacts : (c,) int
        Their numbers.
    coefficients : (1 + k, 2, c)
        Their restitution and kinetic friction.

    Notes
    -----
    Impulses are piecewise rational functions of speeds, Delassus matrix and coefficients, in space solutions of a
    smooth equation: differences of the law itself, of sixth order, are exact to some 1e-11. At a border of two cases,
    as of a slip that just stops, the derivatives to both sides differ, however small the step is.
    """
    found = np.empty((len(own.gap) - 1, own.M.shape[1]))
    values = own.speed, own.J, own.M, coefficients
    for k, direction in enumerate(zip(*(part[1:] for part in values), strict=True)):
        size = _relative_size(values, direction, contacts.size)
        derivative = np.zeros(found.shape[1]) if size == 0 else None
        for step in () if size == 0 else STEPS:
            jumps = [
                _jump(law, state, contacts, *(part[0] + j * step / size * change
                                              for part, change in zip(values, direction, strict=True)))
                for j in range(-3, 4)
            ]  # fmt: skip
            if any(jump is None for jump in jumps):
                continue
            jumps = np.array(jumps)
            ahead, behind = FORWARD @ jumps, -FORWARD @ jumps[::-1]
            noise = NOISE * max(np.abs(own.speed[0]).max(), np.abs(jumps).max())
            if np.abs(ahead - behind).max() <= AGREE * np.abs(ahead).max() + noise:
                derivative = CENTRAL @ jumps * size / step
                break
        if derivative is None:
            return None
        found[k] = derivative
    return found


def _relative_size(values: Sequence[np.ndarray], changes: Sequence[np.ndarray], c: int) -> float:
    """Largest change of values (1 + k, ..), each by its size: of speeds, first, those of c contacts by their own."""
    sizes = [
        np.abs(change).max(initial=0.0) / max(np.abs(part[0]).max(initial=0.0), LEAST)
        for part, change in zip(values, changes, strict=True)
    ]
    speed, change = np.abs(values[0][0, :c]), np.abs(changes[0][:c])
    moves = speed > RESTING_SPEED
    return float(max(*sizes, (change[moves] / speed[moves]).max(initial=0.0)))


def _jump(
    law: FrictionLaw,
    state: ContactState,
    contacts: np.ndarray,
    speed: np.ndarray,
    J: np.ndarray,
    M: np.ndarray,
    coefficients: np.ndarray,
) -> np.ndarray | None:
    """Jump (n,) with other speeds, Jacobian, mass matrix and coefficients; None where there is none."""
    c, restitution, kinetic = contacts.size, coefficients[0], coefficients[1]
    own = replace(
        state,
        gap=np.zeros(c),
        speed=speed[:c],
        free_gap_acceleration=state.free_gap_acceleration[contacts],
        J=J[:c],
        M=M,
        slip=speed[c:],
        free_slip_acceleration=np.zeros(speed.size - c),
        J_t=J[c:],
    )
    changed, every = replace(law, restitution=restitution, kinetic=kinetic, static=kinetic), np.arange(c)
    try:
        return jump_of(own, every, changed.impact(own, every))
    except (SolverError, np.linalg.LinAlgError):
        return None
