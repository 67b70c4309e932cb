"""Impacts: the instant in which points strike walls, its energy balance, and the list of all impacts of a run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, fields, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from flexarm.errors import SolverError
from flexarm.simulation.contact.constraints.contact_state import ContactState
from flexarm.simulation.contact.contact_law import ContactLaw, Impulses
from flexarm.simulation.contact.impact_laws.impact_problem import OPEN, REVERSE, SLIDE, STICK

ENERGY_ROUND_OFF = 1e-12
"""Energy gain accepted in an impact, relative to the energies that its contacts exchange."""
CASES = (OPEN, SLIDE, STICK, REVERSE)
"""What a slip does in an impact, in the order of the numbers recorded."""


class FrictionImpact(NamedTuple):
    """What happens along the walls: impulses (k, tangents) [N s], slips before and after [m/s], and cases (k,)."""

    impulses: NDArray[np.float64]
    before: NDArray[np.float64]
    after: NDArray[np.float64]
    cases: NDArray[np.intp]


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
    friction : FrictionImpact or None
        What happens along the walls.
    y, jump : (n_y,), (n,)
        State before, and the jump of the rates of the freely moving coordinates.
    """

    time: float
    contacts: NDArray[np.intp]
    impulses: NDArray[np.float64]
    before: NDArray[np.float64]
    after: NDArray[np.float64]
    friction: FrictionImpact | None = None
    y: NDArray[np.float64] = field(default_factory=lambda: np.empty(0))
    jump: NDArray[np.float64] = field(default_factory=lambda: np.empty(0))

    @property
    def energy_lost(self) -> NDArray[np.float64]:
        """Energy that each contact took, (k,) [J]."""
        lost = _energy_lost(self.impulses, self.before, self.after)
        return lost if self.friction is None else lost + _energy_lost(*self.friction[:3]).sum(axis=1)


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
    impact, jump = _impact(time, state, contacts, law.impact(state, contacts))
    if _gains_energy(impact):
        raise SolverError(f"the impact at t = {time:.9g} s would create energy")
    return impact, jump


def creates_energy(state: ContactState, contacts: NDArray[np.intp], impulses: Impulses) -> bool:
    """True if impulses at these contacts (k,) int create more energy than round-off explains."""
    return _gains_energy(_impact(0.0, state, contacts, impulses)[0])


def jump_of(state: ContactState, contacts: NDArray[np.intp], impulses: Impulses) -> NDArray[np.float64]:
    """Jump (n,) of the rates of the freely moving coordinates that impulses at contacts (k,) int make."""
    jump = state.response[:, contacts] @ impulses.normal
    if not impulses.cases:
        return jump
    return jump + state.response_t[:, state.along_walls(contacts)] @ impulses.tangential.T.ravel()


def _impact(
    time: float, state: ContactState, contacts: NDArray[np.intp], impulses: Impulses
) -> tuple[Impact, NDArray[np.float64]]:
    """Impact with these impulses, and the jump of the rates (n,) that they make."""
    jump, before = jump_of(state, contacts, impulses), state.speed[contacts]
    if not impulses.cases:
        after = state.speed_after(contacts, impulses.normal)
        return Impact(time, contacts, impulses.normal, before, after), jump
    along, tangential = state.along_walls(contacts), impulses.tangential
    cases = np.array([CASES.index(case) for case in impulses.cases])
    slips = [slip.reshape(state.n_tangents, -1).T for slip in (state.slip[along], state.J_t[along] @ jump)]
    friction = FrictionImpact(tangential, slips[0], slips[0] + slips[1], cases)
    return Impact(time, contacts, impulses.normal, before, before + state.J[contacts] @ jump, friction), jump


def _gains_energy(impact: Impact) -> bool:
    exchanged = np.abs(impact.impulses * impact.before).sum()
    if impact.friction is not None:
        exchanged += np.abs(impact.friction.impulses * impact.friction.before).sum()
    return not impact.energy_lost.sum() >= -ENERGY_ROUND_OFF * exchanged


def _energy_lost(
    impulses: NDArray[np.float64], before: NDArray[np.float64], after: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Minus each impulse times the mean of its speeds."""
    return -impulses * (before + after) / 2


def impact_datasets(
    impacts: Sequence[Impact], n_contacts: int, walls: Sequence[int], n_tangents: int = 0
) -> dict[str, np.ndarray]:
    """Datasets (k,), in space also (k, 2), of impacts with walls: one row for each contact that took part.

    Parameters
    ----------
    impacts : sequence of Impact
        All of a run.
    n_contacts : int
        Contacts of points with walls are those before this number.
    walls : sequence of int
        Numbers of the rigid walls among all, from 0; contacts of point p begin at ``p len(walls)``.
    n_tangents : int
        Directions along the walls in which these rub.
    """
    rows = _Rows.of(impacts)
    rows = rows.where(rows.contacts < n_contacts)
    found = rows.named("impact_") | {
        "impact_point": rows.contacts // len(walls) + 1,
        "impact_wall": np.array(walls)[rows.contacts % len(walls)] + 1,
    }
    if not n_tangents:
        return found
    chosen = [(impact.contacts < n_contacts, impact.friction) for impact in impacts]
    for k, name in enumerate(("tangential_impulse", "slip_before", "slip_after", "case")):
        parts = [part[k][of_walls].ravel() for of_walls, part in chosen if part is not None]
        values = _joined(parts)
        in_space = n_tangents == 2 and name != "case"
        found[f"impact_{name}"] = values.reshape(-1, n_tangents) if in_space else values
    return found


def limit_impact_datasets(
    impacts: Sequence[Impact], first: int, stops: Sequence[tuple[int, int]]
) -> dict[str, np.ndarray]:
    """Datasets (k,) of impacts with limits of joints, likewise; rates and impulses along the joints' axes.

    Parameters
    ----------
    impacts : sequence of Impact
        All of a run.
    first : int
        Number of the first stop among the contacts.
    stops : sequence of (int, int)
        Joint, counted from 0, and direction in which it pushes, of every stop.
    """
    rows = _Rows.of(impacts)
    rows = rows.where(rows.contacts >= first)
    joints, directions = np.array([*stops, (0, 0)])[rows.contacts - first].T
    signed = {"impulses": rows.impulses, "before": rows.before, "after": rows.after}
    rows = replace(rows, **{name: directions * values for name, values in signed.items()})
    return rows.named("limit_impact_") | {"limit_impact_joint": joints + 1, "limit_impact_side": -directions}


@dataclass(frozen=True)
class _Rows:
    """Impacts, one row (k,) for each contact that took part."""

    times: NDArray[np.float64]
    numbers: NDArray[np.intp]
    contacts: NDArray[np.intp]
    impulses: NDArray[np.float64]
    before: NDArray[np.float64]
    after: NDArray[np.float64]
    lost: NDArray[np.float64]

    @classmethod
    def of(cls, impacts: Sequence[Impact]) -> _Rows:
        """All rows, in the order of time."""
        sizes = [impact.contacts.size for impact in impacts]
        return cls(
            _joined([np.full(impact.contacts.size, impact.time) for impact in impacts]),
            np.repeat(np.arange(1, len(sizes) + 1), sizes),
            _joined([impact.contacts for impact in impacts]).astype(np.intp),
            _joined([impact.impulses for impact in impacts]),
            _joined([impact.before for impact in impacts]),
            _joined([impact.after for impact in impacts]),
            _joined([impact.energy_lost for impact in impacts]),
        )

    def where(self, chosen: NDArray[np.bool_]) -> _Rows:
        """Some of the rows, by (k,) bool."""
        return _Rows(*(getattr(self, each.name)[chosen] for each in fields(self)))

    def named(self, prefix: str) -> dict[str, np.ndarray]:
        """Datasets by their names, which have a prefix."""
        values = {
            "time": self.times,
            "number": self.numbers,
            "impulse": self.impulses,
            "velocity_before": self.before,
            "velocity_after": self.after,
            "energy_lost": self.lost,
        }
        return {prefix + name: value for name, value in values.items()}


def _joined(pieces: list[np.ndarray]) -> np.ndarray:
    return np.concatenate([np.empty(0), *pieces])
