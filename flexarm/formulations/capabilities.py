"""What each formulation can do: read by the formulations themselves, by the tests and by the command line."""

from __future__ import annotations

from dataclasses import fields

from flexarm.catalogue import FORMULATIONS, Capabilities
from flexarm.errors import ModelError
from flexarm.links import FlexibleLink
from flexarm.model.chain import Chain
from flexarm.model.floating_base import FloatingBase

_ASKED_FOR_BY = {
    "planar_base": "base: planar",
    "free_base": "base: free",
    "small_rotation": "link_rotation: small",
    "finite_rotation": "link_rotation: finite",
    "stiffening": "geometric_stiffening: true",
}
"""Capability -> the line of a description that needs it."""


def require(name: str, chain: Chain) -> None:
    """Check that a formulation has equations for an arm.

    Raises
    ------
    ModelError
        If the arm asks for what the formulation cannot do; the message says which formulations can.
    """
    for capability in _asked_for(chain):
        if not getattr(FORMULATIONS[name].can, capability):
            able = [other for other, entry in FORMULATIONS.items() if getattr(entry.can, capability)]
            raise ModelError(
                f"formulation {name} has no equations for {_ASKED_FOR_BY[capability]}; use {' or '.join(able)}"
            )


def capability_table() -> str:
    """Lay out the table: one formulation a line, yes or no for each capability."""
    names = [field.name for field in fields(Capabilities)]
    first = max(map(len, FORMULATIONS))
    lines = [" " * first + "  " + "  ".join(name.replace("_", " ") for name in names)]
    for formulation, entry in FORMULATIONS.items():
        cells = ("yes" if getattr(entry.can, name) else "no" for name in names)
        padded = (cell.ljust(len(name)) for cell, name in zip(cells, names, strict=True))
        lines.append(f"{formulation.ljust(first)}  {'  '.join(padded)}".rstrip())
    return "\n".join(lines)


def _asked_for(chain: Chain) -> list[str]:
    links = [body.link for body in chain.bodies]
    asked = [f"{link.kind}_base" for link in links if isinstance(link, FloatingBase)]
    asked.append(f"{chain.link_rotation}_rotation")
    if any(isinstance(link, FlexibleLink) and link.foreshortening is not None for link in links):
        asked.append("stiffening")
    return asked
