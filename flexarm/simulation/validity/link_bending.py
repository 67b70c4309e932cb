"""Bending of the links in given postures: curvature, and the bending moment that goes with it."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from flexarm.description.arm.link.link import Link
from flexarm.model.chain import Chain

Array = NDArray[np.float64]

CURVATURE_STATIONS = 7
"""Stations of a segment, evenly spread, at which its curvature is looked at."""
MOMENT_STATIONS = 8
"""Least number of Gauss stations of a link at which its bending moment is taken, two of each segment at least."""


class LinkBending(NamedTuple):
    """Bending of one link of n segments in k postures.

    Attributes
    ----------
    curvature : (k, n) [1/m]
        Largest curvature, or twist, along each segment.
    stations : (s,) [1]
        Gauss stations of the link, in `weights` (s,) [1] their weights.
    moment : (k, s, 2) [N m]
        Bending moments there about y and z; zero where the link is rigid.
    """

    curvature: Array
    stations: Array
    weights: Array
    moment: Array


def link_bending(link: Link, chain: Chain, i: int, theta: Array) -> LinkBending:
    """Bending of link i in postures (k, n_theta)."""
    segments = chain.segments(i)
    n = len(segments)
    gauss, weights = np.polynomial.legendre.leggauss(max(2, -(-MOMENT_STATIONS // n)))
    own, evenly = (gauss + 1) / 2, np.linspace(0.0, 1.0, CURVATURE_STATIONS)
    stations = ((np.arange(n)[:, None] + own) / n).ravel()
    curvature = np.zeros((len(theta), n))
    moment = np.zeros((len(theta), n, own.size, 2))
    for k, (body, segment) in enumerate(zip(chain.links[i], segments, strict=True)):
        delta = theta[:, list(chain.rows[body].modes_theta)]
        twist = np.einsum("kj,sjx->ksx", delta, segment.sections.twist(np.append(evenly, own)))  # pyright: ignore[reportAttributeAccessIssue]
        curvature[:, k] = np.linalg.norm(twist[:, : evenly.size], axis=-1).max(axis=1)
        moment[:, k] = twist[:, evenly.size :, 1:]
    moment = moment.reshape(-1, stations.size, 2)
    for axis, EI in enumerate((link.EI.z, link.EI.y)):  # about y: along z
        moment[..., axis] *= 0.0 if EI is None else EI.at(stations)
    return LinkBending(curvature, stations, np.tile(weights / 2 / n, n), moment)
