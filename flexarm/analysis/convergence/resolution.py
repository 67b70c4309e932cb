"""Resolution of a description: segments and modes of each link, tolerances or step; finer and coarser ones."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

from flexarm.catalogue import METHODS, ROD_DIRECTIONS
from flexarm.description.arm.arm import Arm
from flexarm.description.arm.link.link import MOST_SEGMENTS
from flexarm.description.arm.link.mode_choice import MOST_MODES

LOAD_CARRYING = "craig-bampton"
"""Family whose shapes carry any load at their end, in every direction, so that segments converge."""
COMPLETE = (LOAD_CARRYING, "polynomial")
FEWEST = 2
"""Bending modes of a segment with which its end carries force and moment."""
TIGHTER = 100.0
"""Ratio of tolerances between two resolutions."""
LEAST_RTOL, LOOSEST_RTOL = 2e-13, 1e-5


class ModeSet(NamedTuple):
    """Modes of one family in one direction."""

    family: str
    direction: str
    count: int

    @property
    def bends(self) -> bool:
        """Whether the modes are deflections across the link."""
        return self.direction not in ROD_DIRECTIONS


class LinkResolution(NamedTuple):
    """Segments of a link and the modes of each; a rigid link has no modes."""

    segments: int
    modes: tuple[ModeSet, ...]

    @property
    def n_modes(self) -> int:
        """Number of modes of all segments."""
        return self.segments * sum(modes.count for modes in self.modes)


@dataclass(frozen=True)
class Resolution:
    """Everything on which the error of a run depends, and nothing else.

    Attributes
    ----------
    links : tuple of LinkResolution
    rtol, atol : float
        Tolerances.
    step : float or None [s]
        Of methods with a fixed step.
    """

    links: tuple[LinkResolution, ...]
    rtol: float
    atol: float
    step: float | None

    @classmethod
    def of(cls, arm: Arm) -> Resolution:
        """Resolution of an arm as described."""
        links = tuple(
            LinkResolution(
                link.segments, tuple(ModeSet(own.family, own.direction, own.count) for own in link.modes)
            )
            for link in arm.links
        )
        step = None if METHODS[arm.run.method].adaptive else arm.run.step
        return cls(links, arm.run.rtol, arm.run.atol, step)

    @property
    def n_modes(self) -> int:
        """Number of modes of the arm."""
        return sum(link.n_modes for link in self.links)

    @property
    def flexible(self) -> tuple[int, ...]:
        """Links that have modes, from 0."""
        return tuple(i for i, link in enumerate(self.links) if link.modes)

    def covers(self, other: Resolution) -> bool:
        """Whether this is nowhere coarser than another resolution."""
        if self.rtol > other.rtol or (self.step or 0.0) > (other.step or 0.0):
            return False
        return all(
            own.segments >= its.segments
            and len(own.modes) == len(its.modes)
            and all(a[:2] == b[:2] and a.count >= b.count for a, b in zip(own.modes, its.modes, strict=True))
            for own, its in zip(self.links, other.links, strict=True)
        )

    # -- finer -----------------------------------------------------------------------------------------------

    def load_carrying(self) -> Resolution:
        """Same numbers of modes of families that carry loads at the tip, one set for each direction."""
        return self._with_links(_load_carrying)

    def more_modes(self) -> Resolution | None:
        """One more mode in each direction; None where there are as many as may be."""
        return self._finer(lambda link: _counted(link, 1))

    def more_segments(self) -> Resolution | None:
        """Twice the segments, of modes that carry loads."""
        return self._finer(lambda link: _load_carrying(link)._replace(segments=2 * link.segments))

    def tighter(self) -> Resolution | None:
        """Lower tolerances, or half the step."""
        if self.step is not None:
            return replace(self, step=self.step / 2)
        ratio = max(1 / TIGHTER, LEAST_RTOL / self.rtol)
        return self._scaled(ratio) if ratio < 1 / 2 else None

    def _finer(self, change: Callable[[LinkResolution], LinkResolution]) -> Resolution | None:
        finer = self._with_links(change)
        fits = all(
            link.segments <= MOST_SEGMENTS and all(modes.count <= MOST_MODES for modes in link.modes)
            for link in finer.links
        )
        return finer if fits and finer != self else None

    # -- coarser ---------------------------------------------------------------------------------------------

    def coarser(self) -> Iterator[Resolution]:
        """Resolutions that cost less: of all links first, then of single ones, then looser tolerances."""
        changes = (_fewer_segments, _fewer_modes)
        found = [self._with_links(change) for change in changes]
        if len(self.flexible) > 1:
            found += [self._with_link(i, change) for change in changes for i in self.flexible]
        for ratio in (TIGHTER, TIGHTER**0.5):
            if self.step is not None:
                found.append(replace(self, step=self.step * 2))
            elif self.rtol * ratio <= LOOSEST_RTOL * (1 + 1e-9):
                found.append(self._scaled(ratio))
        yield from (one for one in dict.fromkeys(found) if one != self)

    def _scaled(self, ratio: float) -> Resolution:
        """Tolerances times a ratio, in two digits."""
        return replace(self, rtol=float(f"{self.rtol * ratio:.2g}"), atol=float(f"{self.atol * ratio:.2g}"))

    def _with_links(self, change: Callable[[LinkResolution], LinkResolution]) -> Resolution:
        return replace(self, links=tuple(change(link) if link.modes else link for link in self.links))

    def _with_link(self, i: int, change: Callable[[LinkResolution], LinkResolution]) -> Resolution:
        links = self.links
        return replace(self, links=(*links[:i], change(links[i]), *links[i + 1 :]))


def _load_carrying(link: LinkResolution) -> LinkResolution:
    if all(modes.family in COMPLETE and (modes.count >= FEWEST or not modes.bends) for modes in link.modes):
        return link
    counts: dict[str, int] = {}
    for modes in link.modes:
        counts[modes.direction] = counts.get(modes.direction, 0) + modes.count
    own = {modes.direction: modes.family for modes in link.modes if modes.family in COMPLETE}
    return link._replace(
        modes=tuple(
            ModeSet(
                own.get(direction, LOAD_CARRYING),
                direction,
                max(count, 1 if direction in ROD_DIRECTIONS else FEWEST),
            )
            for direction, count in counts.items()
        )
    )


def _counted(link: LinkResolution, change: int) -> LinkResolution:
    """As many modes more in each direction, or fewer, but one at least."""
    return link._replace(modes=tuple(own._replace(count=max(own.count + change, 1)) for own in link.modes))


def _fewer_segments(link: LinkResolution) -> LinkResolution:
    return _at_least_carrying(link, link.segments // 2)


def _fewer_modes(link: LinkResolution) -> LinkResolution:
    return _at_least_carrying(_counted(link, -1), link.segments)


def _at_least_carrying(link: LinkResolution, segments: int) -> LinkResolution:
    """Fewer segments, whose modes carry loads as long as there are several."""
    link = link._replace(segments=max(segments, 1))
    if link.segments == 1:
        return link
    return link._replace(
        modes=tuple(own._replace(count=max(own.count, FEWEST)) if own.bends else own for own in link.modes)
    )
