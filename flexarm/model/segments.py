"""Segments: an arm whose soft links are cut into links rigidly joined, which is what the chain is built of."""

from __future__ import annotations

from functools import lru_cache
from itertools import accumulate

from flexarm.description.arm.arm import Arm
from flexarm.description.arm.joint.joint import Joint
from flexarm.description.arm.link.bending import Bending
from flexarm.description.arm.link.link import Link
from flexarm.description.values.profile import Profile


def cut_at_segments(arm: Arm) -> tuple[Arm, tuple[range, ...]]:
    """Cut the links of an arm at their segments; fixed joints hold the parts together.

    Returns
    -------
    Arm
        Its links, joints and initial angles are those of the parts; the rest, which names links, is unchanged.
    tuple of range
        Which of its links each link of the arm has become.
    """
    ranges = _ranges(tuple(link.segments for link in arm.links))
    if len(ranges) == ranges[-1].stop:
        return arm, ranges
    links, joints, angles = [], [], []
    for link, joint, angle in zip(arm.links, arm.joints, arm.initial.joints, strict=True):
        inner = link.segments - 1
        links += segments_of(link)  # pyright: ignore[reportArgumentType]  (frozen: hashable)
        joints += [joint, *[_rigid_joint()] * inner]
        angles += [angle, *[0.0] * inner]
    initial = arm.initial.model_copy(update={"joints": tuple(angles)})
    update = {"links": tuple(links), "joints": tuple(joints), "initial": initial}
    return arm.model_copy(update=update), ranges


@lru_cache(maxsize=256)
def _ranges(counts: tuple[int, ...]) -> tuple[range, ...]:
    """Which parts each link becomes, from the numbers of segments of all links."""
    return tuple(range(stop - n, stop) for n, stop in zip(counts, accumulate(counts), strict=True))


@lru_cache(maxsize=256)
def segments_of(link: Link) -> tuple[Link, ...]:
    """Segments of a link, as undamped links of their own: each with all modes, and its stretch of the profiles."""
    n = link.segments
    if n == 1:
        return (link,)
    return tuple(
        link.model_copy(
            update={
                "length": link.length / n,
                "segments": 1,
                "damping": (0.0,) * link.segment_modes,
                "mu": _stretch(link.mu, k, n),
                "EI": Bending.model_construct(y=_stretch(link.EI.y, k, n), z=_stretch(link.EI.z, k, n)),
                "GJ": _stretch(link.GJ, k, n),
                "EA": _stretch(link.EA, k, n),
            }
        )
        for k in range(n)
    )


def segment_station(n: int, xi: float) -> tuple[int, float]:
    """Return which of n segments of a link, from 0, has its station xi [1], and where on its own length [1]."""
    k = min(int(xi * n), n - 1)
    return k, xi * n - k


def segment_stretches(n: int, first: float, last: float) -> list[tuple[int, float, float]]:
    """Return which of n segments of a link a stretch of it is on, each with its ends on the segment's length [1]."""
    found = []
    for k in range(n):
        begin, end = max(first * n - k, 0.0), min(last * n - k, 1.0)
        if begin < end:
            found.append((k, begin, end))
    return found


def _stretch(profile: Profile | None, k: int, n: int) -> Profile | None:
    """Stretch k of n of a profile that may be unknown."""
    return profile and profile.stretch(k, n)


@lru_cache(maxsize=1)
def _rigid_joint() -> Joint:
    return Joint(type="fixed")
