"""Lateral buckling: a link bent in its stiff direction gives way sideways and twists, which no single segment does.

Notes
-----
Bent by M(x) about one axis, a section that has twisted by phi feels the moment M phi about the other, so that the link
bends sideways by M phi (1/EI_w - 1/EI_s) (w: the weak direction, s: the stiff one), which makes M a twisting moment:

    (GJ phi')' + M^2 (1/EI_w - 1/EI_s) phi = 0,    phi(0) = 0,  phi'(l) = 0

for a link clamped at its start whose end is free to twist [TimoshenkoGere1961, ch. 6]. With M = F (l - x) and EI_s
much above EI_w this is Prandtl's F l^2 = 4.013 sqrt(EI_w GJ), with a uniform moment M l = (pi/2) sqrt(EI_w GJ).
"""

from __future__ import annotations

from math import ceil, pi
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from flexarm.description.arm.link.link import MOST_SEGMENTS, Link
from flexarm.simulation.validity.link_bending import LinkBending

Array = NDArray[np.float64]

LIGHT_BENDING = 1 / 3
"""Moment, as a part of that under which a link buckles sideways, beyond which twist and bending act on each other."""
SMALL_COUPLING = pi / 6
"""Largest M h / sqrt(EI_w GJ) of a segment of length h: the critical load is then within 2 % (measured)."""
SHAPES = 6
"""Shapes of the twist, sin((k - 1/2) pi xi)."""


class LateralBuckling(NamedTuple):
    """How near a link has come to buckling sideways.

    Attributes
    ----------
    load : float
        Largest bending moment over the one under which it buckles, distributed alike.
    missing : tuple of str
        Directions whose modes it lacks to show it.
    segments : int
        Number of segments that show it within 2 %.
    """

    load: float
    missing: tuple[str, ...]
    segments: int


def lateral_buckling(link: Link, bent: LinkBending) -> LateralBuckling | None:
    """How near a link has come to buckling sideways; None if it is far from it or a stiffness is unknown.

    EI in both directions and GJ must be known, whether or not there are modes of them.
    """
    if link.EI.y is None or link.EI.z is None or link.GJ is None:
        return None
    ratio = moment_ratio(link, bent)
    load = float(ratio.max(initial=0.0))
    if load <= LIGHT_BENDING:
        return None
    coupling = np.sqrt(_driving(link, bent) / link.GJ.at(bent.stations)).max(axis=1)
    # Beyond the critical moment segments that are right there show by themselves that the link gives way.
    largest = link.length * float((coupling / np.maximum(ratio, 1.0)).max())
    missing = tuple(way for way in (_weak_direction(link), "torsion") if way not in link.mode_directions)
    return LateralBuckling(load, missing, min(ceil(largest / SMALL_COUPLING - 1e-9), MOST_SEGMENTS))


def moment_ratio(link: Link, bent: LinkBending) -> Array:
    """Bending moment over that which makes the link buckle sideways, distributed alike, (k,) [1]."""
    assert link.GJ is not None
    beta = (np.arange(SHAPES) + 0.5) * pi
    phi = np.sin(bent.stations[:, None] * beta)
    phi_x = np.cos(bent.stations[:, None] * beta) * beta / link.length
    twisting = np.einsum("s,sj,sk->jk", bent.weights * link.GJ.at(bent.stations), phi_x, phi_x)
    driving = np.einsum("ns,s,sj,sk->njk", _driving(link, bent), bent.weights, phi, phi)
    half = np.linalg.inv(np.linalg.cholesky(twisting))
    return np.sqrt(np.maximum(np.linalg.eigvalsh(half @ driving @ half.T)[:, -1], 0.0))


def _driving(link: Link, bent: LinkBending) -> Array:
    """M^2 (1/EI_w - 1/EI_s) at the stations, (k, s) [N m^2 / m^2 ..]: of bending in the stiff direction only."""
    assert link.EI.y is not None
    assert link.EI.z is not None
    difference = 1 / link.EI.z.at(bent.stations) - 1 / link.EI.y.at(bent.stations)
    about_y, about_z = np.moveaxis(bent.moment**2, -1, 0)
    return about_z * np.maximum(difference, 0.0) + about_y * np.maximum(-difference, 0.0)


def _weak_direction(link: Link) -> str:
    assert link.EI.y is not None
    assert link.EI.z is not None
    return "z" if np.mean(link.EI.z.values) < np.mean(link.EI.y.values) else "y"
