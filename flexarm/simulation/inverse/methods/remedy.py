"""What helps where no bounded motion is found: modes that carry the loads at the ends of links, another law or path."""

from __future__ import annotations

from collections.abc import Sequence

from flexarm.catalogue import MODE_FAMILIES, ROD_DIRECTIONS
from flexarm.description.arm.link.mode_choice import Modes
from flexarm.hints import listed
from flexarm.simulation.inverse.problem import InverseProblem

FEWEST = 2
"""Bending modes in a direction with which shapes that carry loads have those of a force and of a moment."""
PATH = "move the path away from this posture"


def remedy(problem: InverseProblem, unbent: bool = False) -> str:
    """Say what to change about a problem whose zeros, on which the modes decide, leave no solution.

    Parameters
    ----------
    unbent : bool
        Whether the unbent arm has the trouble too, so that it does not help to bend it less.
    """
    sets = [modes for link in problem.arm.links for modes in link.modes]
    bending = [modes for modes in sets if modes.direction not in ROD_DIRECTIONS]
    shapes = _shapes_that_carry_loads(bending)
    number = ["another number of modes"] if bending and not shapes else []
    if unbent:
        ways = listed([PATH, *number])
    else:
        shape = problem.trajectory.line or problem.trajectory.circle
        laws = [f"`law: {law}`" for law in ("nonic", "smooth") if shape and law != shape.law]
        ways = f"try {listed([*laws, *number, 'a slower trajectory', *([] if laws else ['a stiffer arm'])])}"
    return f"{shapes}; or {ways}" if shapes else ways


def _shapes_that_carry_loads(bending: Sequence[Modes]) -> str:
    """Say to take shapes that carry loads; empty where all sets of modes have them."""
    others = sorted({modes.family for modes in bending if not MODE_FAMILIES[modes.family].carries_loads})
    few = any(modes.count < FEWEST for modes in bending)
    if not others and not few:
        return ""
    instead = f" instead of {' and '.join(others)} ones, as many" if others else ""
    least = f"{', two at least' if others else ', two or more,'} in each direction" if few else ""
    return (
        f"take `craig-bampton` modes{instead}{least}: the largest zeros depend on the forces and moments at the ends "
        "of links, which these shapes carry"
    )
