"""Modes that a link cannot have: without stiffness, twice, or not those of a segment."""

from __future__ import annotations

from collections.abc import Sequence

from flexarm.catalogue import MODE_FAMILIES
from flexarm.description.arm.link.bending import Bending
from flexarm.description.arm.link.material import Material
from flexarm.description.arm.link.mode_choice import Modes
from flexarm.description.values.input_model import Faults, absent, wrong
from flexarm.description.values.profile import Profile


def modes_without_stiffness(
    modes: Sequence[Modes], EI: Bending, GJ: Profile | None, EA: Profile | None, material: Material | None
) -> Faults:
    """Faults of modes in a direction against which nothing resists."""
    stiffness = {"y": ("EI", EI.y), "z": ("EI", EI.z), "torsion": ("GJ", GJ), "axial": ("EA", EA)}
    for direction in dict.fromkeys(own.direction for own in modes):
        name, profile = stiffness[direction]
        if profile is None:
            message = f"missing for the modes in direction {direction}"
            yield (name,), absent(_remedy(direction, EI, material), message)


def _remedy(direction: str, EI: Bending, material: Material | None) -> str:
    if direction == "torsion" and material is not None:
        return "give the material nu or G"
    if direction == "z" and EI.y is not None:
        return "EI is for deflection along y only; write EI: {y: .., z: ..}, N m^2"
    if direction == "y" and EI.z is not None:
        return "add EI.y, N m^2"
    return {"y": "add EI, N m^2", "z": "add EI: {z: ..}, N m^2", "torsion": "add GJ, N m^2"}.get(
        direction, "add EA, N"
    )


def repeated_modes(modes: Sequence[Modes]) -> Faults:
    """Faults of two sets of modes of one family and direction."""
    seen: set[tuple[str, str]] = set()
    for k, own in enumerate(modes):
        if (own.family, own.direction) in seen:
            message = f"got {own.family} in direction {own.direction} twice"
            yield ("modes", k), wrong(message, "raise the count of the first set instead")
        seen.add((own.family, own.direction))


def uncut_modes(modes: Sequence[Modes], segments: int) -> Faults:
    """Faults of modes that cannot be those of a segment, whose start is clamped to the segment before."""
    if segments == 1:
        return
    if not modes:
        message = f"got {segments}, but the link has no modes: it is rigid"
        yield ("segments",), wrong(message, "give it modes, or leave segments out")
    for k, own in enumerate(modes):
        family = own.ends if own.family == "finite-element" and own.ends else own.family
        if not MODE_FAMILIES[family].held_at_start:
            message = f"got {family} with segments, whose starts are held by the segment before"
            yield ("modes", k), wrong(message, "family: craig-bampton")
        elif own.table is not None:
            message = "got a table of shapes of the whole link with segments"
            yield ("modes", k), wrong(message, "family: craig-bampton, which each segment can have")
        elif own.tip not in (None, "auto"):
            message = "got the body at the tip of the whole link with segments"
            yield ("modes", k, "tip"), wrong(message, "tip: auto, or family: craig-bampton")
