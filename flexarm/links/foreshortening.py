"""Foreshortening of a bent link: its length is constant, so its sections come nearer to its start, to second order.

Beyond the papers. With the slopes v', w' of the deflections along y and z the axis shortens by

    u(eta) = -1/2 int_0^eta (v'^2 + w'^2) = 1/2 sum_jk delta_j delta_k h_jk(eta),
    h_jk(eta) = -int_0^eta (theta_yj theta_yk + theta_zj theta_zk)

which is what makes a pulled beam stiffer and a pushed one softer. The functions h_jk, j <= k, times x are displacement
fields like those of axial modes, with amplitudes that follow from delta; modal integrals run over them as well. The
kinetic energy of all fields together is kept whole.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

import numpy as np

from flexarm.catalogue import BEAM_DIRECTIONS
from flexarm.links.round_off import scaled_array, without_round_off
from flexarm.links.section_motion import Sections
from flexarm.links.shapes.quadrature import gauss_points
from flexarm.links.shapes.shape_functions import Array

POINTS_BETWEEN_STATIONS = 6

Pairs = tuple[tuple[int, int], ...]
"""Modes j <= k with the same h_jk; both bend in one direction, and the same shapes may bend in the other."""


class ForeshorteningFunction(Protocol):
    """Foreshortening of a link with m modes, as the equations of motion read it."""

    @property
    def fields(self) -> tuple[Pairs, ...]:
        """Modes of each field, in the order in which the modal integrals have them behind the modes."""
        ...

    def __call__(self, xi: float) -> Array:
        """Evaluate h_jk at xi = eta / l [1]; (m, m) [1/m]."""
        ...


@dataclass(frozen=True, eq=False)
class Foreshortening:
    """Foreshortening of a link of unit length.

    Attributes
    ----------
    sections : Sections
    breakpoints : (b,) [1]
        Stations in [0, 1] between which the slopes are smooth and no more than a quarter wave long.
    """

    sections: Sections
    breakpoints: Array

    @cached_property
    def fields(self) -> tuple[Pairs, ...]:
        """Modes of each field."""
        directions, found = self.sections.directions, {}
        h = _shortening(self.sections, self.breakpoints)
        for j, k in zip(*np.triu_indices(len(directions)), strict=True):
            if directions[j] in BEAM_DIRECTIONS and directions[k] == directions[j]:
                found.setdefault(h[:, j, k].tobytes(), []).append((int(j), int(k)))
        return tuple(map(tuple, found.values()))

    def __call__(self, xi: float) -> Array:
        """Evaluate h_jk at xi; (m, m)."""
        h = _shortening(self.sections, np.append(self.breakpoints[self.breakpoints < xi], xi))[-1]
        size = np.sqrt(np.abs(h.diagonal()))  # |h_jk| <= sqrt(h_jj h_kk)
        return without_round_off(h, np.outer(size, size))

    def displacement(self, stations: Array) -> Array:
        """Evaluate the fields h_jk x at ascending stations, (q,) [1], of which the first is 0; (q, n_fields, 3)."""
        j, k = np.array([pairs[0] for pairs in self.fields]).T
        h = _shortening(self.sections, stations)[:, j, k]
        return np.stack([h, np.zeros_like(h), np.zeros_like(h)], axis=-1)


def _shortening(sections: Sections, stations: Array) -> Array:
    """Evaluate h_jk at ascending stations, (q,) [1], of which the first is 0; (q, m, m) [1/m].

    Some may be the same: a cut that is a breakpoint but for round-off leaves a panel without length.
    """
    xi, weights = gauss_points(stations, POINTS_BETWEEN_STATIONS)
    slopes = sections.rotation(xi)[..., 1:]
    pieces = np.einsum("q,qja,qka->qjk", weights, slopes, slopes)
    sums = pieces.reshape(-1, POINTS_BETWEEN_STATIONS, *pieces.shape[1:]).sum(axis=1)
    h = np.zeros((len(stations), *pieces.shape[1:]))
    h[1:] = -sections.length * np.cumsum(sums, axis=0)
    return h


@dataclass(frozen=True, eq=False)
class ScaledForeshortening:
    """Foreshortening of a link of any length.

    Attributes
    ----------
    unit : Foreshortening
        Of unit length.
    length : [m]
        Number or symbol.
    """

    unit: Foreshortening
    length: Any

    @property
    def fields(self) -> tuple[Pairs, ...]:
        """Modes of each field."""
        return self.unit.fields

    def __call__(self, xi: float) -> Array:
        """Evaluate h_jk at xi = eta / l [1]; (m, m) [1/m]."""
        return scaled_array(self.unit(xi), 1 / self.length)
