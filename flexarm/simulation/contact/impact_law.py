"""What happens in the instant of an impact ([FL17] section 3.3), and the ledger of all impacts."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from flexarm.errors import SolverError
from flexarm.simulation.contact.contact_dynamics import ContactState
from flexarm.solvers.linear_complementarity import solve_lcp

ENERGY_ROUND_OFF = 1e-12
"""Energy gain accepted in an impact, relative to the energies that its contacts exchange."""


@dataclass(frozen=True)
class Impact:
    """One impact: arrays have an entry for every contact that touched.

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
        """What each contact took, (k,) [J]: minus its impulse times the mean of its speeds."""
        return -self.impulses * (self.before + self.after) / 2


def strike(
    time: float, touch: ContactState, contacts: NDArray[np.intp], restitution: NDArray[np.float64]
) -> tuple[Impact, NDArray[np.float64]]:
    """Let points that touch walls strike them, all at once.

    Parameters
    ----------
    time : float [s]
    touch : ContactState
        The state just before.
    contacts : (k,) int
        Which contacts touch.
    restitution : (k,)

    Returns
    -------
    Impact
    jump : (n,)
        Change of the coordinates' rates.

    Raises
    ------
    SolverError
        No impulses can keep the arm outside, or the impact would create energy.

    Notes
    -----
    [FL17] eq. 62 with impulses that may only push: ``J v+ >= -e J v-``, ``F >= 0``, and one of both equal at every
    contact. It is eq. 62 where every impulse pushes. With one e for all contacts the energy lost,
    ``(1 - e) / (1 + e) F . J M^-1 J^T F / 2``, is never negative. With different ones it may be (C. Glocker,
    Multibody Syst. Dyn. 29 (2013) 77, the paper's [6]); then the smallest one holds for all.
    """
    for e in (restitution, np.full_like(restitution, restitution.min())):
        impact = _struck(time, touch, contacts, e)
        exchanged = np.abs(impact.impulses * impact.before).sum()
        if impact.energy_lost.sum() >= -ENERGY_ROUND_OFF * exchanged:
            return impact, touch.response[:, contacts] @ impact.impulses
    raise SolverError(f"the impact at t = {time:.9g} s would create energy")


def _struck(
    time: float, touch: ContactState, contacts: NDArray[np.intp], restitution: NDArray[np.float64]
) -> Impact:
    A, before = touch.delassus[np.ix_(contacts, contacts)], touch.speed[contacts]
    impulses = solve_lcp(A, (1 + restitution) * before)
    return Impact(time, contacts, impulses, before, before + A @ impulses)


@dataclass
class ImpactList:
    """All impacts of a run, in the order of time.

    Attributes
    ----------
    n_walls : int
    impacts : list of Impact
    """

    n_walls: int
    impacts: list[Impact] = field(default_factory=list)

    def datasets(self, end: float) -> dict[str, np.ndarray]:
        """One row for every contact that took part in an impact until the end [s], as in the result file."""
        impacts = [impact for impact in self.impacts if impact.time <= end]
        sizes = [impact.contacts.size for impact in impacts]
        contacts = _joined([impact.contacts for impact in impacts]).astype(int)
        return {
            "impact_time": _joined([np.full(impact.contacts.size, impact.time) for impact in impacts]),
            "impact_number": np.repeat(np.arange(1, len(sizes) + 1), sizes),
            "impact_point": contacts // self.n_walls + 1,
            "impact_wall": contacts % self.n_walls + 1,
            "impact_impulse": _joined([impact.impulses for impact in impacts]),
            "impact_velocity_before": _joined([impact.before for impact in impacts]),
            "impact_velocity_after": _joined([impact.after for impact in impacts]),
            "impact_energy_lost": _joined([impact.energy_lost for impact in impacts]),
        }


def _joined(pieces: list[np.ndarray]) -> np.ndarray:
    return np.concatenate([np.empty(0), *pieces])
