"""Foreshortening: a bent link keeps its length, so its sections come nearer to its start, to second order.

Beyond the papers. With the slopes v', w' of the deflections along y and z the axis shortens by

    u(eta) = -1/2 int_0^eta (v'^2 + w'^2) = 1/2 sum_jk delta_j delta_k h_jk(eta),
    h_jk(eta) = -int_0^eta (theta_yj theta_yk + theta_zj theta_zk)

which is what makes a pulled beam stiffer and a pushed one softer.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from flexarm.links.quadrature import ascending, gauss_panels
from flexarm.links.section_motion import Sections
from flexarm.links.shape_functions import Array

if TYPE_CHECKING:
    from flexarm.description.values.profile import Profile


@dataclass(frozen=True, eq=False)
class Foreshortening:
    """Second-order shortening of one link.

    Attributes
    ----------
    sections : Sections
    breaks : (b,)
        Stations in [0, 1] between which the slopes are smooth and no more than a quarter wave long.
    H1, H2 : (m, m) [kg, kg m]
        int h_jk dm and int eta h_jk dm, point masses included.
    """

    sections: Sections
    breaks: Array
    H1: Array
    H2: Array

    def __call__(self, xi: float) -> Array:
        """Evaluate h_jk at xi = eta / l; (m, m) [1/m]."""
        return shortening(self.sections, np.append(self.breaks[self.breaks < xi], xi))


def foreshortening(sections: Sections, breaks: Array, mu: Profile, tip_mass: float) -> Foreshortening:
    """Integrate the shortening of a link over its mass.

    Parameters
    ----------
    sections : Sections
    breaks : (b,)
        Kinks of the data, from 0 to 1.
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
    xi, weights = gauss_panels(breaks)
    mass, moment = beyond(mu, xi)
    mass = length * mass + tip_mass
    moment = length**2 * moment + tip_mass * length
    slopes = sections.rotation(xi)[..., 1:]
    pairs = np.einsum("qja,qka->qjk", slopes, slopes)
    H1, H2 = (-length * np.einsum("q,qjk->jk", weights * load, pairs) for load in (mass, moment))
    return Foreshortening(sections, breaks, H1, H2)


def shortening(sections: Sections, breaks: Array) -> Array:
    """h_jk at the last of the breaks; (m, m) [1/m]."""
    if breaks[-1] == 0:
        return np.zeros((len(sections.directions),) * 2)
    xi, weights = gauss_panels(breaks)
    slopes = sections.rotation(xi)[..., 1:]
    return -sections.length * np.einsum("q,qja,qka->jk", weights, slopes, slopes)


def beyond(profile: Profile, xi: Array) -> tuple[Array, Array]:
    """Integrate a profile f from xi to 1: int f and int xi f, (q,) each; exact for its straight pieces."""
    stations = ascending(np.concatenate([profile.eta, xi]))
    widths, middles = np.diff(stations), (stations[1:] + stations[:-1]) / 2
    f, f_middle = profile.at(stations), profile.at(middles)
    pieces = widths * f_middle
    moments = widths / 6 * ((stations * f)[:-1] + 4 * middles * f_middle + (stations * f)[1:])  # Simpson
    at = np.searchsorted(stations, xi)
    return _from_here_on(pieces)[at], _from_here_on(moments)[at]


def _from_here_on(pieces: Array) -> Array:
    return np.append(np.cumsum(pieces[::-1])[::-1], 0.0)
