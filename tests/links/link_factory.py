"""Links for the tests, through the real validation."""

from typing import Any

from flexarm.description.arm.link.link import Link

LENGTH, MU, EI = 0.8, 3.0, 120.0


def make_link(*modes: dict[str, Any], **keys: Any) -> Link:
    """Link of LENGTH, MU and EI in both directions unless given otherwise."""
    stiffness = {"EI": {"y": EI, "z": EI}, "GJ": 40.0, "EA": 5e4, "rotary_inertia": [2e-3, 0.0, 0.0]}
    return Link.model_validate({"length": LENGTH, "mu": MU, **stiffness, "modes": list(modes), **keys})


def y(family: str, count: int, **options: Any) -> dict[str, Any]:
    return {"family": family, "count": count, "direction": "y", **options}
