"""Foreshortening of a bent link: its length is constant, so its sections come nearer to its start, to second order.

Beyond the papers. With the slopes v', w' of the deflections along y and z the axis shortens by

    u(eta) = -1/2 int_0^eta (v'^2 + w'^2) = 1/2 sum_jk delta_j delta_k h_jk(eta),
    h_jk(eta) = -int_0^eta (theta_yj theta_yk + theta_zj theta_zk)

which is what makes a pulled beam stiffer and a pushed one softer. The functions h_jk are written in a basis,

    h_jk(eta) = sum_r B_rjk e_r(eta),   u(eta) = sum_r u_r e_r(eta),   u_r = 1/2 sum_jk B_rjk delta_j delta_k

so that e_r x are displacement fields like those of axial modes, with amplitudes u_r that follow from delta. The kinetic
energy of all fields together is that of a link with m + n_fields modes; nothing of it is dropped.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from flexarm.links.quadrature import gauss_panels
from flexarm.links.round_off import scaled_array, without_round_off
from flexarm.links.section_motion import Sections
from flexarm.links.shape_functions import Array

POINTS_BETWEEN_STATIONS = 6
RANK = 1e-13
"""Singular values below this part of the largest add no field to the basis."""


class ForeshorteningFunction(Protocol):
    """Foreshortening of a link with m modes, as the equations of motion read it."""

    @property
    def coefficients(self) -> Array:
        """B_rjk, symmetric in j and k; (n_fields, m, m) [1/m]."""
        ...

    def __call__(self, xi: float) -> Array:
        """Evaluate e_r at xi = eta / l [1]; (n_fields,) [1]."""
        ...


@dataclass(frozen=True, eq=False)
class Foreshortening:
    """Foreshortening of a link of unit length in a basis of fields that are orthogonal along the link.

    Attributes
    ----------
    sections : Sections
    coefficients : (n_fields, m, m)
        B_rjk. Only e_0 moves the tip, so that a point mass there couples no two fields.
    basis, turn : (m (m + 1) / 2, n_fields), (n_fields, n_fields)
        e_r are h_jk, j <= k, times basis times turn; their product would lose digits.
    breakpoints : (b,) [1]
        Stations in [0, 1] between which the slopes are smooth and no more than a quarter wave long.
    """

    sections: Sections
    coefficients: Array
    basis: Array
    turn: Array
    breakpoints: Array

    def __call__(self, xi: float) -> Array:
        """Evaluate e_r at xi; (n_fields,)."""
        return self.fields(np.append(self.breakpoints[self.breakpoints < xi], xi))[-1]

    def fields(self, stations: Array) -> Array:
        """Evaluate e_r at ascending stations, (q,) [1], of which the first is 0; (q, n_fields)."""
        j, k = np.triu_indices(len(self.sections.directions))
        return shortening(self.sections, stations)[:, j, k] @ self.basis @ self.turn


def foreshortening(sections: Sections, breakpoints: Array, stations: Array, weights: Array) -> Foreshortening:
    """Find the fields by which a link of unit length shortens.

    Parameters
    ----------
    sections : Sections
    breakpoints : (b,) [1]
        Breakpoints of the data, from 0 to 1.
    stations, weights : (q,)
        Quadrature rule from 0 to 1, both ends included.

    Notes
    -----
    The basis is that of a singular value decomposition, orthonormal in int f g dxi + f(1) g(1), turned so that its
    first field represents the value at the tip: all others then vanish there.
    """
    h = shortening(sections, stations)
    j, k = np.triu_indices(h.shape[1])
    root = np.sqrt(np.append(weights[:-1], 1.0))[:, None]
    _, sizes, rows = np.linalg.svd(root * h[:, j, k], full_matrices=False)
    rank = int(np.count_nonzero(sizes > RANK * sizes.max(initial=0.0)))
    B, basis = sizes[:rank, None] * rows[:rank], rows[:rank].T / sizes[:rank]
    turn = np.eye(rank)
    if rank:
        turn, _ = np.linalg.qr(np.column_stack([h[-1, j, k] @ basis, B]))
    B = turn.T @ B
    B = without_round_off(B, np.abs(B).max(initial=0.0) * np.ones_like(B), RANK)
    coefficients = np.zeros((rank, *h.shape[1:]))
    coefficients[:, j, k] = coefficients[:, k, j] = B
    return Foreshortening(sections, coefficients, basis, turn, breakpoints)


def shortening(sections: Sections, stations: Array) -> Array:
    """Evaluate h_jk at ascending stations, (q,) [1], of which the first is 0; (q, m, m) [1/m]."""
    xi, weights = gauss_panels(stations, POINTS_BETWEEN_STATIONS)
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
    coefficients : (n_fields, m, m) [1/m]
        Numbers or symbols.
    """

    unit: Foreshortening
    coefficients: Array

    @classmethod
    def of(cls, unit: Foreshortening, length: Any) -> ScaledForeshortening:
        """Scale to a length [m], a number or a symbol."""
        return cls(unit, scaled_array(unit.coefficients, 1 / length))

    def __call__(self, xi: float) -> Array:
        """Evaluate e_r at xi = eta / l [1]; (n_fields,) [1]."""
        return self.unit(xi)


def shortening_fields(values: Array | Sequence) -> Array:
    """Displacement fields e_r x, (..., n_fields, 3) [1], from e_r, (..., n_fields)."""
    values = np.asarray(values)
    return np.stack([values, np.zeros_like(values), np.zeros_like(values)], axis=-1)
