"""Limits of validity of the model: small deflections, stiffening by axial force and spin, bending with torsion."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from flexarm.analysis.checks.angle_units import angle_warnings
from flexarm.analysis.loads.largest_stress import largest_stresses
from flexarm.arguments import check_object
from flexarm.catalogue import MODE_FAMILIES, ROD_DIRECTIONS
from flexarm.description.arm.arm import Arm
from flexarm.description.arm.chosen_segments import segments_for
from flexarm.description.arm.link.link import MOST_SEGMENTS, SMALL_ROTATION, Link
from flexarm.model.chain import Chain
from flexarm.model.chain_builder import build_chain
from flexarm.model.segments import segments_of
from flexarm.results.result import Result
from flexarm.simulation.validity.lateral_buckling import lateral_buckling
from flexarm.simulation.validity.link_measures import LinkMeasures, States, link_measures

if TYPE_CHECKING:
    from flexarm.analysis.operating_points.operating_point import OperatingPoint

SMALL_DEFLECTION = 0.1
"""Deflection of the end of a link, or of a segment of one, as a part of its length, that goes with SMALL_ROTATION."""
SLOW_TURN = 1 / 3
"""Angular rate, as a part of the first locked frequency, beyond which spin stiffens a link noticeably."""
LIGHT_LOAD = 1 / 10
"""Axial load, as a part of the buckling load, beyond which it changes a link's stiffness noticeably."""
SAMPLES = 2000
"""Samples of a run that are compared with the limits, at most about twice as many."""


def run_warnings(result: Result) -> list[str]:
    """Warnings where a run has left the range for which the model is meant, and of angles that may be degrees.

    Returns
    -------
    list of str
        One sentence each; empty if all is well.

    Examples
    --------
    >>> import flexarm
    >>> arm = flexarm.load_arm("robots/usoro_two_link.yaml")
    >>> flexarm.run_warnings(flexarm.simulate(arm))
    []
    """
    check_object("result", result, Result)
    step = max(1, result.n_samples // SAMPLES)
    rows = slice(0, None, step)
    arm, when = result.arm, "during the run" if result.n_samples > 1 else "in this posture"
    motion = result.theta(rows), result.theta_d(rows), result.theta_dd(rows)
    states = States(*motion, result.rows("time", rows), deformed=True)
    found = angle_warnings(arm) + validity_warnings(arm, build_chain(arm), states, when)
    return found + [stress.warning for stress in largest_stresses(result) if stress.warning]


def states_at(points: Sequence[OperatingPoint]) -> States:
    """States of arms at rest; of arms that turn, as seen from the frame that turns with them."""
    still = np.zeros((len(points), points[0].chain.coordinates.n_dof))
    return States(
        np.stack([point.theta for point in points]), still, still, np.zeros(len(points)), deformed=True
    )


def validity_warnings(arm: Arm, chain: Chain, states: States, when: str) -> list[str]:
    """Warnings where states are beyond the limits of the model; ``when`` says which states these are."""
    found = []
    for i, (link, measures) in enumerate(zip(arm.links, link_measures(arm, chain, states), strict=True)):
        sentences = _lateral_buckling(link, measures, when)
        if link.n_modes:
            sentences = _deflection(link, measures, when, arm.geometric_stiffening) + sentences
            if not arm.geometric_stiffening:
                slowest = min(segment.locked_frequencies()[0] for segment in chain.segments(i))
                sentences += _stiffening(link, measures, when, slowest)
        found += [f"link {i + 1}: {sentence}" for sentence in sentences]
    return found


def _deflection(link: Link, measures: LinkMeasures, when: str, stiffening: bool) -> list[str]:
    n, length = link.segments, link.length / link.segments
    which, its = ("its end", "its") if n == 1 else (f"the end of one of its {n} segments", "that segment's")
    rotation, part = float(measures.turn.max()), float(measures.move.max()) / length
    remedy = (
        "" if link.matrices else _enough_segments(link, float(measures.bending.curvature.max()), stiffening)
    )
    sentences = []
    if rotation > SMALL_ROTATION:
        sentences.append(
            f"{which} turns by {rotation:.2g} rad {when}; the model is meant for {SMALL_ROTATION} rad or less{remedy}"
        )
    if part > SMALL_DEFLECTION:
        sentences.append(
            f"{which} moves by {part:.1%} of {its} length {when}; the model is meant for {SMALL_DEFLECTION:.0%} or less"
            f"{remedy}"
        )
    return sentences


def _enough_segments(link: Link, curvature: float, stiffening: bool) -> str:
    """Say how many segments of which modes would do: so many that none turns too far where the link is bent most."""
    enough = max(segments_for(link.length * curvature), link.segments + 1)
    if enough > MOST_SEGMENTS:
        return ""
    bending = [modes for modes in link.modes if modes.direction not in ROD_DIRECTIONS]
    suitable = all(MODE_FAMILIES[modes.family].carries_loads and modes.count > 1 for modes in bending)
    kind = "" if suitable else " of 3 craig-bampton modes"
    whole = "" if stiffening else " without geometric_stiffening: false"
    return f"; segments: {enough}{kind}{whole} would do"


def _lateral_buckling(link: Link, measures: LinkMeasures, when: str) -> list[str]:
    found = lateral_buckling(link, measures.bending)
    if found is None or (not found.missing and link.segments >= found.segments):
        return []
    lacking = f" and modes in direction {' and '.join(found.missing)}" if found.missing else ""
    part = "the link" if link.segments == 1 else "a segment"
    return [
        f"{when} it is bent by {found.load:.0%} of the moment under which it buckles sideways (bending with torsion), "
        f"which the model leaves out within {part}; segments: {max(found.segments, link.segments)}{lacking} would show "
        "it"
    ]


def buckling_load(link: Link) -> float:
    """Euler's load of a link as a column clamped at its start and free at its end, (pi / 2 l)^2 EI [N].

    With the mean of the bending stiffness, in the direction in which it is lowest; infinite without bending.
    """
    stiffnesses = [np.mean(profile.values) for profile in (link.EI.y, link.EI.z) if profile is not None]
    return float((np.pi / 2 / link.length) ** 2 * min(stiffnesses, default=np.inf))


def _stiffening(link: Link, measures: LinkMeasures, when: str, frequency: float) -> list[str]:
    """Sentences about a link whose slowest segment has the locked frequency [rad/s] given."""
    it, whose = (
        ("it", "its") if link.segments == 1 else (f"one of its {link.segments} segments", "the segment's")
    )
    rate, force = float(measures.rate.max()), float(np.abs(measures.axial_force).max())
    buckling = min(map(buckling_load, segments_of(link)))  # pyright: ignore[reportArgumentType]
    remedy = (
        "matrices do not say how that changes its stiffness"
        if link.matrices
        else "geometric_stiffening: false leaves this out; delete that line"
    )
    sentences = []
    if rate > SLOW_TURN * frequency:
        sentences.append(
            f"{it} turns at {rate:.3g} rad/s {when}, {whose} first locked frequency is {frequency:.3g} rad/s; {remedy}"
        )
    if force > LIGHT_LOAD * buckling:
        sentences.append(
            f"{it} bears {force:.3g} N along its axis {when} and buckles under {buckling:.3g} N; {remedy}"
        )
    return sentences
