"""Check that a formulation has equations for an arm."""

from __future__ import annotations

from flexarm.catalogue import FORMULATIONS
from flexarm.errors import ModelError
from flexarm.links import FlexibleLink
from flexarm.model.chain import Chain
from flexarm.model.floating_base import FloatingBase

_KEY_OF = {
    "planar_base": "base: planar",
    "free_base": "base: free",
    "small_rotation": "link_rotation: small",
    "finite_rotation": "link_rotation: finite",
    "stiffening": "geometric_stiffening: true",
}
"""Capability -> the line of a description that needs it."""


def require(name: str, chain: Chain) -> None:
    """Require that a formulation has equations for an arm.

    Raises
    ------
    ModelError
        If the arm asks for what the formulation cannot do; the message says which formulations can.
    """
    for capability in _required_capabilities(chain):
        if not getattr(FORMULATIONS[name].can, capability):
            capable = [other for other, entry in FORMULATIONS.items() if getattr(entry.can, capability)]
            raise ModelError(
                f"formulation {name} has no equations for {_KEY_OF[capability]}; use {' or '.join(capable)}"
            )


def _required_capabilities(chain: Chain) -> list[str]:
    links = [body.link for body in chain.bodies]
    required = [f"{link.kind}_base" for link in links if isinstance(link, FloatingBase)]
    required.append(f"{chain.link_rotation}_rotation")
    if any(isinstance(link, FlexibleLink) and link.foreshortening is not None for link in links):
        required.append("stiffening")
    return required
