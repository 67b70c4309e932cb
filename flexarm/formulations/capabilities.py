"""Check that a formulation has equations for an arm."""

from __future__ import annotations

from flexarm.description.arm.required_capabilities import lacking
from flexarm.errors import ModelError
from flexarm.model.chain import Chain


def require(name: str, chain: Chain) -> None:
    """Require that a formulation has equations for an arm.

    Raises
    ------
    ModelError
        If the arm asks for what the formulation cannot do; the hint says which formulations can.
    """
    if found := lacking(name, chain.required_capabilities):
        line, remedy = found
        raise ModelError(f"formulation {name} has no equations for {line}", hint=remedy)
