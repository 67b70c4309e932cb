"""Foreshortening of a bent link: its length is constant, so its sections come nearer to its start, to second order.

Beyond the papers. With the slopes v', w' of the deflections along y and z the axis shortens by

    u(eta) = -1/2 int_0^eta (v'^2 + w'^2) = 1/2 sum_jk delta_j delta_k h_jk(eta),
    h_jk(eta) = -int_0^eta (theta_yj theta_yk + theta_zj theta_zk)

which is what makes a pulled beam stiffer and a pushed one softer.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import numpy as np

from flexarm.links.quadrature import ascending, gauss_panels
from flexarm.links.section_motion import Sections
from flexarm.links.shape_functions import Array

if TYPE_CHECKING:
    from flexarm.description.values.profile import Profile


class ForeshorteningFunction(Protocol):
    """Foreshortening of a link with m modes, as the equations of motion read it."""

    @property
    def H1(self) -> Array:
        """Integral of h_jk over the mass, point masses included; (m, m) [kg/m]."""
        ...

    @property
    def H2(self) -> Array:
        """Integral of eta h_jk over the mass, point masses included; (m, m) [kg]."""
        ...

    def __call__(self, xi: float) -> Array:
        """Evaluate h_jk at xi = eta / l [1]; (m, m) [1/m]."""
        ...


@dataclass(frozen=True, eq=False)
class Foreshortening:
    """Foreshortening of one link, to second order in the amplitudes.

    Attributes
    ----------
    sections : Sections
    breakpoints : (b,) [1]
        Stations in [0, 1] between which the slopes are smooth and no more than a quarter wave long.
    H1, H2 : (m, m) [kg/m, kg]
        int h_jk dm and int eta h_jk dm, point masses included.
    """

    sections: Sections
    breakpoints: Array
    H1: Array
    H2: Array

    def __call__(self, xi: float) -> Array:
        """Evaluate h_jk at xi = eta / l [1]; (m, m) [1/m]."""
        return foreshortening_at(self.sections, np.append(self.breakpoints[self.breakpoints < xi], xi))


def foreshortening(sections: Sections, breakpoints: Array, mu: Profile, tip_mass: float) -> Foreshortening:
    """Integrate the foreshortening of a link over its mass.

    Parameters
    ----------
    sections : Sections
    breakpoints : (b,) [1]
        Breakpoints of the data, from 0 to 1.
    mu : Profile
        Mass per length [kg/m].
    tip_mass : float [kg]
        Point mass at the end; one at the start does not move.

    Notes
    -----
    int h_jk dm = -int theta'_j . theta'_k (mass beyond eta) deta, after exchanging the integrations; likewise H2
    with the first moment of the mass beyond eta.
    """
    length = sections.length
    xi, weights = gauss_panels(breakpoints)
    mass, moment = outboard_integrals(mu, xi)
    mass = length * mass + tip_mass
    moment = length**2 * moment + tip_mass * length
    slopes = sections.rotation(xi)[..., 1:]
    pairs = np.einsum("qja,qka->qjk", slopes, slopes)
    H1, H2 = (-length * np.einsum("q,qjk->jk", weights * load, pairs) for load in (mass, moment))
    return Foreshortening(sections, breakpoints, H1, H2)


def foreshortening_at(sections: Sections, breakpoints: Array) -> Array:
    """Evaluate h_jk at the last of the breakpoints, (b,) [1] from 0; (m, m) [1/m]."""
    if breakpoints[-1] == 0:
        return np.zeros((len(sections.directions),) * 2)
    xi, weights = gauss_panels(breakpoints)
    slopes = sections.rotation(xi)[..., 1:]
    return -sections.length * np.einsum("q,qja,qka->jk", weights, slopes, slopes)


def outboard_integrals(profile: Profile, xi: Array) -> tuple[Array, Array]:
    """Integrate a profile f from xi, (q,) [1], to 1: int f and int xi f, (q,) each, in the unit of f.

    Exact for its straight pieces.
    """
    stations = ascending(np.concatenate([profile.eta, xi]))
    widths, middles = np.diff(stations), (stations[1:] + stations[:-1]) / 2
    f, f_middle = profile.at(stations), profile.at(middles)
    pieces = widths * f_middle
    moments = widths / 6 * ((stations * f)[:-1] + 4 * middles * f_middle + (stations * f)[1:])  # Simpson
    at = np.searchsorted(stations, xi)
    return _sums_to_end(pieces)[at], _sums_to_end(moments)[at]


def _sums_to_end(pieces: Array) -> Array:
    return np.append(np.cumsum(pieces[::-1])[::-1], 0.0)
