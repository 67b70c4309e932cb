"""Chain whose section motion is tabled at the stations that the equations of motion ask for: numbers, no functions."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from flexarm.links import FlexibleLink
from flexarm.links.foreshortening import Pairs
from flexarm.links.integrals import ModalIntegrals
from flexarm.links.section_motion import SectionMotion
from flexarm.links.shapes.shape_functions import Array
from flexarm.model.chain import Body, Chain
from flexarm.model.segments import segment_station


@dataclass(frozen=True, eq=False)
class TabledSections:
    """Motion of a link's sections at some stations; a :class:`~flexarm.links.section_motion.Sections` has all.

    Attributes
    ----------
    directions : tuple of str
        Direction of each mode.
    row : dict
        Station xi -> its row in the tables.
    displacements, rotations : (n_stations, m, 3) [1], [1/m, 1 for torsion]
        Displacement and rotation per unit of each mode.
    twists : dict
        Station xi, of those at which the curvature is asked for -> twist per unit of each mode, (m, 3) [1/m^2, 1/m for
        torsion].
    """

    directions: tuple[str, ...]
    row: dict[float, int]
    displacements: Array
    rotations: Array
    twists: dict[float, Array]

    def displacement(self, xi: float) -> Array:
        """Look up r_j at the station xi [1]; (m, 3) [1]."""
        return self.displacements[self.row[xi]]

    def rotation(self, xi: float) -> Array:
        """Look up theta_j at the station xi [1]; (m, 3) [1/m, 1 for torsion]."""
        return self.rotations[self.row[xi]]

    def twist(self, xi: float) -> Array:
        """Look up dtheta_j/deta at the station xi [1]; (m, 3) [1/m^2, 1/m for torsion]."""
        return self.twists[xi]


@dataclass(frozen=True, eq=False)
class TabledForeshortening:
    """Foreshortening of a link at some stations, see :class:`~flexarm.links.foreshortening.Foreshortening`.

    Attributes
    ----------
    fields : tuple of tuple of (int, int)
        Modes of each field.
    at : dict
        Station xi -> h_jk, (m, m) [1/m].
    """

    fields: tuple[Pairs, ...]
    at: dict[float, Array]

    def __call__(self, xi: float) -> Array:
        """Look up h_jk at the station xi [1]; (m, m) [1/m]."""
        return self.at[xi]


@dataclass(frozen=True, eq=False)
class TabledParts:
    """Integrals of a link beyond some stations, see :mod:`~flexarm.links.part_integrals`.

    Attributes
    ----------
    at : dict
        Station xi -> the integrals, or None.
    """

    at: dict[float, ModalIntegrals | None]

    def __call__(self, xi: float) -> ModalIntegrals | None:
        """Look up the integrals at the station xi [1]."""
        return self.at[xi]


def tabled(
    chain: Chain,
    stations: tuple[float, ...],
    cuts: tuple[float, ...] = (),
    bends: tuple[float, ...] = (),
    stretches: tuple[tuple[int, float, float], ...] = (),
) -> Chain:
    """Replace what is functions in a chain by its numbers at some stations xi [1] of links.

    These are the motion of the sections and, at cuts, also the integrals of what is beyond; at bends the curvature; and
    over stretches (link, first, last), and what is of them beyond cuts, the integrals of the shapes.
    """
    asked, cut, bent = (
        _stations_of_bodies(chain.links, len(chain.bodies), each)
        for each in ((*stations, *cuts), cuts, bends)
    )
    lines: list[list[tuple[float, float]]] = [[] for _ in chain.bodies]
    for stretch in stretches:
        for body, _, first, last in chain.stretches(*stretch):
            lines[body] += [(begin, last) for begin in (first, *cut[body]) if first <= begin < last]
    bodies = tuple(
        Body(body.joint, _tabled_link(body.link, (1.0, *asked[i]), cut[i], bent[i], tuple(lines[i])))
        if isinstance(body.link, FlexibleLink)
        else body
        for i, body in enumerate(chain.bodies)
    )
    return replace(chain, bodies=bodies)


@lru_cache(maxsize=256)
def _stations_of_bodies(
    links: tuple[range, ...], n_bodies: int, stations: tuple[float, ...]
) -> tuple[tuple[float, ...], ...]:
    """Stations of each body where the links of the description are asked for theirs, once for arms that are alike."""
    asked: list[list[float]] = [[] for _ in range(n_bodies)]
    for bodies in links:
        for k, xi in (segment_station(len(bodies), xi) for xi in stations):
            asked[bodies[k]].append(xi)
    return tuple(map(tuple, asked))


@lru_cache(maxsize=256)
def _tabled_link(
    link: FlexibleLink,
    stations: tuple[float, ...],
    cuts: tuple[float, ...],
    bends: tuple[float, ...],
    lines: tuple[tuple[float, float], ...],
) -> FlexibleLink:
    h, parts = link.foreshortening, link.beyond
    return replace(
        link,
        sections=_tabled_sections(link.sections, stations, bends),
        foreshortening=h and TabledForeshortening(h.fields, {xi: h(xi) for xi in stations}),
        beyond=TabledParts({xi: parts(xi) for xi in cuts}) if parts and cuts else None,
        lines={line: link.over(*line) for line in lines},
    )


@lru_cache(maxsize=256)
def _tabled_sections(
    sections: SectionMotion, stations: tuple[float, ...], bends: tuple[float, ...]
) -> TabledSections:
    """Table of a link's section motion, once for all links of one length with the same shapes."""
    row = {xi: k for k, xi in enumerate(dict.fromkeys(stations))}
    displacements, rotations = (
        np.stack([at(xi) for xi in row]) for at in (sections.displacement, sections.rotation)
    )
    twists = {xi: sections.twist(xi) for xi in bends}
    return TabledSections(sections.directions, row, displacements, rotations, twists)
