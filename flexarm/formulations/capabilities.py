"""What each formulation can do: read by the formulations themselves, by the tests and by the command line."""

from __future__ import annotations

from dataclasses import dataclass, fields

from flexarm.errors import ModelError
from flexarm.links import FlexibleLink
from flexarm.model.chain import Chain
from flexarm.model.floating_base import FloatingBase


@dataclass(frozen=True)
class Capabilities:
    """Kinds of arm for which a formulation has equations; its fields are the columns of the table."""

    fixed_base: bool = True
    planar_base: bool = True
    free_base: bool = True
    small_rotation: bool = True
    finite_rotation: bool = True
    stiffening: bool = True
    prescribed_joints: bool = True


_AS_PUBLISHED = Capabilities(planar_base=False, free_base=False, stiffening=False)

CAPABILITIES = {
    "articulated": Capabilities(),
    "gibbs-appell": Capabilities(),
    "lagrangian": _AS_PUBLISHED,
    "elastodynamics": _AS_PUBLISHED,
}
"""Name of every formulation -> what it can do."""

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
        if not getattr(CAPABILITIES[name], capability):
            able = [other for other, can in CAPABILITIES.items() if getattr(can, capability)]
            raise ModelError(
                f"formulation {name} has no equations for {_ASKED_FOR_BY[capability]}; use {' or '.join(able)}"
            )


def capability_table() -> str:
    """Lay out the table: one formulation a line, yes or no for each capability."""
    names = [field.name for field in fields(Capabilities)]
    first = max(map(len, CAPABILITIES))
    lines = [" " * first + "  " + "  ".join(name.replace("_", " ") for name in names)]
    for formulation, can in CAPABILITIES.items():
        cells = ("yes" if getattr(can, name) else "no" for name in names)
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
