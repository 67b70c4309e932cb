"""Flexible links: a rigid link of a URDF taken as a beam from its joint to the next one, of the same mass."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from flexarm.description.arm.link.link import Link
from flexarm.description.reading.loader import parse_arm
from flexarm.description.reading.yaml_files.written_out import flow_text
from flexarm.description.reading.yaml_files.yaml_text import read_yaml
from flexarm.description.values.profile import Profile
from flexarm.errors import InputProblem, ModelError, SpecError
from flexarm.urdf.rigid_bodies import Array
from flexarm.urdf.serial_chain import ChainLink

SHORTEST = 1e-6
"""Distance [m] of the joints between which a link can bend."""
PARALLEL = 0.1
"""Sine of the angle between a joint's axis and its link below which the axis does not say where y and z go."""


@dataclass(frozen=True)
class Stiffness:
    """Stiffness of a beam along its length.

    Attributes
    ----------
    EI_y, EI_z : Profile [N m^2]
        Against deflection along y and z.
    GJ : Profile or None [N m^2]
    """

    EI_y: Profile
    EI_z: Profile
    GJ: Profile | None = None


def stiffness(
    length: float,
    EI: float | tuple[float, float] | None,
    material: Mapping[str, Any] | str | None,
    section: Mapping[str, Any] | str | None,
) -> Stiffness:
    """Stiffness of a link of a length [m], from two bending stiffnesses or from material and section.

    Raises
    ------
    ModelError
        Neither or both are given.
    SpecError
        They are wrong.
    """
    if (EI is None) == (material is None and section is None) or (material is None) != (section is None):
        raise ModelError(
            "a flexible link needs either EI, or material and section", hint="`EI`, `material`, `section`"
        )
    if EI is not None:
        y, *others = EI if isinstance(EI, tuple | list) else (EI,)
        link = _link(length, {"EI": {"y": y, "z": others[0] if others else y}, "mu": 1.0})
    else:
        made_of = _mapping("material", material)
        link = _link(length, {"material": {"rho": 1.0, **made_of}, "section": _mapping("section", section)})
    assert link.EI.y is not None
    assert link.EI.z is not None
    return Stiffness(link.EI.y, link.EI.z, link.GJ)


def _link(length: float, entries: Mapping[str, Any]) -> Link:
    data = {"name": "flexible", "links": [{"length": length, **entries}]}
    return parse_arm(flow_text(data), source="flexible link").links[0]


def _mapping(name: str, value: Mapping[str, Any] | str | None) -> dict[str, Any]:
    data = read_yaml(f"{name}: {value}", name).data[name] if isinstance(value, str) else value
    if not isinstance(data, Mapping):
        example = (
            "{E: 70e9, nu: 0.33}" if name == "material" else "{shape: tube, diameter: 0.1, thickness: 2e-3}"
        )
        raise ModelError(f"{name}: expected keys and values as in a description", hint=example)
    return dict(data)


@dataclass(frozen=True)
class Beam:
    """Flexible link: what its name is, how stiff it is, and where it lies in the frame of its link of the chain.

    Attributes
    ----------
    name : str
        Of the link whose mass is spread; what else its link of the chain carries stays a body, at the end.
    stiffness : Stiffness
    axes : (3, 3)
        As columns, in the frame of the link.
    length : float [m]
    mass : float [kg]
    spin : float [kg m^2]
        Moment of inertia about the beam.
    """

    name: str
    stiffness: Stiffness
    axes: Array
    length: float
    mass: float
    spin: float


def beam_of(link: ChainLink, name: str, source: str, **stiff: Any) -> Beam:
    """Make a beam of a link, or of a part, of the chain; `stiff` are the arguments of :func:`stiffness`.

    Raises
    ------
    SpecError
        The next joint is where the link begins, it has no mass, or the stiffness is wrong.
    """
    axes, length = beam_frame(link, source)
    body = link.parts[name]
    if body is None:
        message = f"link {name} cannot be flexible: it has no mass to be spread"
        raise SpecError([InputProblem(source, None, "", message)])
    x = axes[:, 0]
    beside = body.center - (body.center @ x) * x
    spin = float(x @ body.inertia @ x + body.mass * beside @ beside)
    return Beam(name, stiffness(length, **stiff), axes, length, body.mass, spin)


def beam_frame(link: ChainLink, source: str) -> tuple[Array, float]:
    """Axes (3, 3) of a beam in the frame of its link, as columns, and its length [m].

    x leads to the next joint; z is as near to the joint's axis as it can be, so that the joint turns the beam in its
    xy plane, or, of a joint that turns the beam about itself, to the z axis of the link's frame, or to its y axis.

    Raises
    ------
    SpecError
        The next joint is where the link begins.
    """
    line = link.end[:3, 3]
    length = float(np.linalg.norm(line))
    if length < SHORTEST:
        message = f"link {link.name} cannot be flexible: the next joint is where it begins"
        raise SpecError([InputProblem(source, None, "", message, "choose a link with a length")])
    x = line / length
    for towards in (link.axis / math.hypot(*link.axis), np.eye(3)[2], np.eye(3)[1]):
        across = towards - (towards @ x) * x
        if np.linalg.norm(across) > PARALLEL:
            break
    z = across / np.linalg.norm(across)
    return np.column_stack([x, np.cross(z, x), z]), length
