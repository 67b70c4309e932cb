"""Capabilities that an arm asks of a formulation, and what to write where one lacks them."""

from __future__ import annotations

from flexarm.catalogue import BEAM_DIRECTIONS, FORMULATIONS
from flexarm.description.arm.link.link import Link
from flexarm.description.values.input_model import Faults, wrong

_LINES = {
    "planar_base": "base: planar",
    "free_base": "base: free",
    "small_rotation": "link_rotation: small",
    "finite_rotation": "link_rotation: finite",
    "stiffening": "geometric_stiffening: true, the default",
}
"""Capability -> the line of a description that asks for it."""
_WITHOUT = {"stiffening": "geometric_stiffening: false"}
"""Capability -> the line to write without it, where that leaves an arm that is nearly the same."""


def required_capabilities(
    base: str, link_rotation: str, geometric_stiffening: bool, links: tuple[Link, ...]
) -> tuple[str, ...]:
    """List the capabilities that an arm asks for; only links that bend shorten."""
    required = [f"{base}_base", f"{link_rotation}_rotation"]
    if geometric_stiffening and any(set(link.mode_directions) & set(BEAM_DIRECTIONS) for link in links):
        required.append("stiffening")
    return tuple(required)


def lacking(formulation: str, required: tuple[str, ...]) -> tuple[str, str] | None:
    """First line of a description for which a formulation has no equations, and the remedy; None if it has them all."""
    for capability in required:
        if not getattr(FORMULATIONS[formulation].can, capability):
            capable = " or ".join(
                name for name, entry in FORMULATIONS.items() if getattr(entry.can, capability)
            )
            without = f"write {_WITHOUT[capability]}, or " if capability in _WITHOUT else ""
            return _LINES[capability], f"{without}use {capable}"
    return None


def formulation_faults(formulation: str, record: tuple[str, ...], required: tuple[str, ...]) -> Faults:
    """Faults of a formulation that has no equations for the arm, and of a quantity that only another one has."""
    if "acceleration_energy" in record and (found := lacking("elastodynamics", required)):
        line, _ = found
        yield (
            ("run", "record"),
            wrong(f"'acceleration_energy' is that of elastodynamics, which has no equations for {line}"),
        )
    if found := lacking(formulation, required):
        line, remedy = found
        yield (
            ("run", "formulation"),
            wrong(f"got {formulation!r}, which has no equations for {line}", remedy),
        )
