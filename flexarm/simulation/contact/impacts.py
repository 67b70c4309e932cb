"""Impacts: the instant in which points strike walls, its energy balance, and the list of all impacts of a run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from flexarm.errors import SolverError
from flexarm.simulation.contact.contact_law import ContactLaw
from flexarm.simulation.contact.contact_state import ContactState

ENERGY_ROUND_OFF = 1e-12
"""Energy gain accepted in an impact, relative to the energies that its contacts exchange."""


@dataclass(frozen=True)
class Impact:
    """One impact: arrays have an entry for every closed contact.

    Attributes
    ----------
    time : float [s]
    contacts : (k,) int
        Numbers of the contacts.
    impulses : (k,) [N s]
    before, after : (k,) [m/s]
        Velocity away from the wall.
    """

    time: float
    contacts: NDArray[np.intp]
    impulses: NDArray[np.float64]
    before: NDArray[np.float64]
    after: NDArray[np.float64]

    @property
    def energy_lost(self) -> NDArray[np.float64]:
        """Energy that each contact took, (k,) [J]."""
        return _energy_lost(self.impulses, self.before, self.after)


def resolve_impact(
    time: float, state: ContactState, contacts: NDArray[np.intp], law: ContactLaw
) -> tuple[Impact, NDArray[np.float64]]:
    """Impact of all closed contacts at once, and the jump of the coordinates' rates that it makes.

    Parameters
    ----------
    time : float [s]
    state : ContactState
        Just before.
    contacts : (k,) int
        Numbers of the closed contacts.
    law : ContactLaw

    Returns
    -------
    Impact
    jump : (n,)
        Change of the rates of the freely moving coordinates.

    Raises
    ------
    SolverError
        No impulses can keep the arm outside, or the impact would create energy.
    """
    impulses = law.impact(state, contacts)
    if creates_energy(state, contacts, impulses):
        raise SolverError(f"the impact at t = {time:.9g} s would create energy")
    impact = Impact(time, contacts, impulses, state.speed[contacts], state.speed_after(contacts, impulses))
    return impact, state.response[:, contacts] @ impulses


def creates_energy(state: ContactState, contacts: NDArray[np.intp], impulses: NDArray[np.float64]) -> bool:
    """True if impulses (k,) [N s] at these contacts create more energy than round-off explains."""
    before = state.speed[contacts]
    lost = _energy_lost(impulses, before, state.speed_after(contacts, impulses)).sum()
    return not lost >= -ENERGY_ROUND_OFF * np.abs(impulses * before).sum()


def _energy_lost(
    impulses: NDArray[np.float64], before: NDArray[np.float64], after: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Minus each impulse times the mean of its speeds."""
    return -impulses * (before + after) / 2


def impact_datasets(impacts: Sequence[Impact], n_walls: int, end: float) -> dict[str, np.ndarray]:
    """Datasets (k,) of the impacts until the end [s]: one row for each contact that took part, in the order of time."""
    impacts = [impact for impact in impacts if impact.time <= end]
    sizes = [impact.contacts.size for impact in impacts]
    contacts = _joined([impact.contacts for impact in impacts]).astype(int)
    return {
        "impact_time": _joined([np.full(impact.contacts.size, impact.time) for impact in impacts]),
        "impact_number": np.repeat(np.arange(1, len(sizes) + 1), sizes),
        "impact_point": contacts // n_walls + 1,
        "impact_wall": contacts % n_walls + 1,
        "impact_impulse": _joined([impact.impulses for impact in impacts]),
        "impact_velocity_before": _joined([impact.before for impact in impacts]),
        "impact_velocity_after": _joined([impact.after for impact in impacts]),
        "impact_energy_lost": _joined([impact.energy_lost for impact in impacts]),
    }


def _joined(pieces: list[np.ndarray]) -> np.ndarray:
    return np.concatenate([np.empty(0), *pieces])
