"""Chain of an arm with symbols for its lengths, masses and stiffnesses, as the formulations read it.

Only numbers without dimension stay numbers: what mode shapes integrate to over a dimensionless link. Every modal
integral is such a number times mu, EI, .. and a power of L, so a few symbols stand for hundreds of numbers. For numbers
that are symbols one by one see :func:`flexarm.model.numbers.unflatten`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import casadi as ca
import numpy as np

from flexarm.catalogue import JointType
from flexarm.description.arm.arm import Arm
from flexarm.description.arm.link.link import Link
from flexarm.description.values.profile import Profile
from flexarm.errors import ModelError
from flexarm.links import FlexibleLink
from flexarm.links.dimensionless_link import dimensionless_link
from flexarm.links.flexible_link import normalised_profiles, scaled_link
from flexarm.links.scaling import ReferenceValues
from flexarm.links.section_motion import Sections
from flexarm.links.shapes.shape_functions import Array
from flexarm.model.chain import Body, Chain
from flexarm.model.chain_builder import build_moving_chain
from flexarm.model.parts.joint import JointModel

LINK_PARAMETERS = {
    "L": ("m", "length"),
    "mu": ("kg/m", "mass per length"),
    "EI": ("N m^2", "bending stiffness"),
    "EI_y": ("N m^2", "bending stiffness"),
    "EI_z": ("N m^2", "bending stiffness along z"),
    "GJ": ("N m^2", "torsional stiffness"),
    "EA": ("N", "axial stiffness"),
}
"""Name of a reference value of a link -> unit, meaning."""

JOINT_PARAMETERS: dict[str, tuple[str, Callable[[JointType], str], str]] = {
    "coulomb": ("c_{}", lambda kind: kind.force_unit, "Coulomb friction of joint {}"),
    "smoothing": (
        "v_{}",
        lambda kind: kind.rate_unit,
        "rate over which the friction of joint {} changes sign",
    ),
    "viscous": ("b_{}", lambda kind: kind.friction_unit, "viscous friction of joint {}"),
    "motor_inertia": ("I_m{}", lambda kind: kind.inertia_unit, "inertia of motor {} at the joint"),
}
"""Field of a joint model -> name, unit by the joint's type, and meaning, to be numbered."""


@dataclass(frozen=True)
class Parameter:
    """Parameter: a symbol of the equations, its value in the description, its unit and meaning."""

    name: str
    value: float
    unit: str
    meaning: str


class Parameters:
    """Parameters of an arm by name; quantities of the same kind and value share one."""

    def __init__(self, arm: Arm):
        self.found: dict[str, Parameter] = {}
        self.symbols: dict[str, ca.SX] = {}
        self._shared: dict[str, set[float]] = {}
        for link in arm.links:
            for kind, value in _link_values(link).items():
                self._shared.setdefault(kind, set()).add(value)

    def symbol(self, name: str, value: float, unit: str, meaning: str) -> ca.SX | float:
        """Return the scalar symbol of that name, in `unit`, or zero for what is zero."""
        if value == 0:
            return 0.0
        if name not in self.found:
            self.found[name] = Parameter(name, float(value), unit, meaning)
            self.symbols[name] = ca.SX.sym(name)
        return self.symbols[name]

    def of_link(self, kind: str, i: int, arm: Arm) -> ca.SX | float:
        """Return a scalar symbol of link i in SI units, which it shares with all links of the same value."""
        values = [_link_values(link).get(kind) for link in arm.links]
        if (value := values[i]) is None:
            return 0.0
        unit, meaning = LINK_PARAMETERS[kind]
        if len(self._shared[kind]) == 1:
            return self.symbol(kind, value, unit, meaning)
        first = values.index(value) + 1
        return self.symbol(f"{kind}_{first}", value, unit, f"{meaning}, link {first}")


def _link_values(link: Link) -> dict[str, float]:
    """Reference values of a link: those at its start where they change along it."""
    profiles = {"mu": link.mu, "GJ": link.GJ, "EA": link.EA, **_bending(link)}
    used = {"GJ": "torsion", "EA": "axial", "EI": "y", "EI_y": "y", "EI_z": "z"}
    directions = {modes.direction for modes in link.modes}
    values = {
        kind: profile.values[0]
        for kind, profile in profiles.items()
        if profile is not None and (kind == "mu" or used[kind] in directions)
    }
    return {"L": link.length, **values}


def _bending(link: Link) -> dict[str, Profile | None]:
    """EI of a link that bends one way or as stiffly both ways, else EI_y and EI_z."""
    directions = {modes.direction for modes in link.modes} & {"y", "z"}
    if directions == {"y"}:
        return {"EI": link.EI.y}
    return {"EI_y": link.EI.y, "EI_z": link.EI.z}


def symbolic_chain(arm: Arm) -> tuple[Chain, Parameters]:
    """Build the chain of an arm with symbols in it.

    Returns
    -------
    chain : Chain
        As :func:`~flexarm.model.chain_builder.build_chain` makes it, with CasADi symbols in the place of numbers.
    parameters : Parameters
        The symbols, in the order in which they turn up.

    Raises
    ------
    ModelError
        Nothing can move, a link has several segments or is given by matrices, or the damping is that of the assembled
        arm.
    """
    for i, link in enumerate(arm.links, start=1):
        if link.segments > 1:
            raise ModelError(
                f"{arm.name}: link {i} has {link.segments} segments, whose closed form nobody could read",
                hint="leave out segments; export writes the equations of any arm as C",
            )
        if link.matrices is not None:
            raise ModelError(
                f"{arm.name}: link {i} is given by matrices, of whose numbers a closed form could not be read",
                hint="export writes the equations of any arm as C",
            )
    chain = build_moving_chain(arm)
    if chain.assembled_damping.size:
        raise ModelError(
            f"{arm.name}: damping of the assembled arm couples all links, and its closed form nobody could read",
            hint="give links a damping ratio of their own; export writes the equations of any arm as C",
        )
    found = Parameters(arm)
    bodies = list(chain.bodies)
    for i, place in enumerate(chain.joint_bodies):
        body, is_last = bodies[place], i == len(arm.links) - 1 and place == len(bodies) - 1
        link = _symbolic_link(body.link, i, arm, is_last, found)
        bodies[place] = Body(_symbolic_joint(body.joint, arm.joints[i].kind, i + 1, found), link)
    if chain.arm_bodies.stop < len(bodies):
        bodies[-1] = replace(
            bodies[-1], link=_symbolic_body(bodies[-1].link, "p", "payload", "the tip", found)
        )
    if arm.base_body is not None:
        bodies[1] = replace(bodies[1], link=_symbolic_body(bodies[1].link, "b", "base", "joint 1", found))
    gravity = _symbolic_gravity(chain, found)
    return replace(chain, bodies=tuple(bodies), gravity=gravity), found


def _symbolic_link(link: Any, i: int, arm: Arm, is_last: bool, found: Parameters) -> FlexibleLink:
    """Scale the dimensionless link by symbols; the last body of the chain carries the payload as a point mass."""
    described, joint, n = arm.links[i], arm.joints[i], i + 1
    if described.is_body:
        length = found.of_link("L", i, arm)
        return replace(_symbolic_body(link, f"{n}", f"body of link {n}", f"joint {n}", found), length=length)
    values = ReferenceValues(
        length=found.of_link("L", i, arm),
        mu=found.of_link("mu", i, arm),
        stiffness={
            "y": found.of_link("EI" if "EI" in _link_values(described) else "EI_y", i, arm),
            "z": found.of_link("EI_z", i, arm),
            "torsion": found.of_link("GJ", i, arm),
            "axial": found.of_link("EA", i, arm),
        },
        hub_mass=found.symbol(f"m_h{n}", joint.mass, "kg", f"mass of the hub of joint {n}"),
        tip_mass=found.symbol("m_p", arm.payload.mass, "kg", "mass of the payload") if is_last else 0.0,
        rotary_inertia=[
            found.symbol(f"J_{a}{n}", value, "kg m", f"rotary inertia of link {n} per length about {a}")
            for a, value in zip("xyz", described.rotary_inertia, strict=True)
        ],
        hub_inertia=[
            found.symbol(f"J_h{a}{n}", value, "kg m^2", f"inertia of the hub of joint {n} about {a}")
            for a, value in zip("xyz", joint.inertia, strict=True)
        ],
    )
    assert isinstance(link.sections, Sections)
    profiles = normalised_profiles(described)
    unit = dimensionless_link(link.sections.shapes, profiles, arm.geometric_stiffening)
    return replace(scaled_link(unit, values), damping=_damping(link, i, found))


def _symbolic_joint(joint: JointModel, kind: JointType, n: int, found: Parameters) -> JointModel:
    parameters = {
        field: found.symbol(name.format(n), getattr(joint, field), unit(kind), meaning.format(n))
        for field, (name, unit, meaning) in JOINT_PARAMETERS.items()
        if field != "smoothing" or joint.coulomb
    }
    offset = tuple(
        found.symbol(
            f"d_{n}" + f"_{axis}" * (axis != "z"), value, "m", f"offset of joint {n} along its {axis} axis"
        )
        for axis, value in zip("xyz", joint.offset, strict=True)
    )
    return replace(joint, offset=offset, **parameters)  # pyright: ignore[reportArgumentType]


def _symbolic_gravity(chain: Chain, found: Parameters) -> Any:
    size = float(np.linalg.norm(chain.gravity))
    g = found.symbol("g", size, "m/s^2", "acceleration of gravity")
    return tuple(float(value / size) * g if value else 0.0 for value in chain.gravity)


def _symbolic_body(link: Any, letter: str, what: str, origin: str, found: Parameters) -> FlexibleLink:
    """Payload that is more than a point, or base: symbols for its mass, first moments and inertias about its origin."""
    numbers = link.integrals
    mass = found.symbol(f"m_{letter}", numbers.mass, "kg", f"mass of the {what}")
    moment = np.zeros(3, dtype=object)
    for k, a in enumerate("xyz"):
        moment[k] = found.symbol(
            f"S_{letter}{a}", float(numbers.s0[k]), "kg m", f"first moment of the {what} along {a}"
        )
    inertia = np.zeros((3, 3), dtype=object)
    for j, k in zip(*np.triu_indices(3), strict=True):
        name = f"J_{letter}{'xyz'[j]}" if j == k else f"J_{letter}{'xyz'[j]}{'xyz'[k]}"
        meaning = f"inertia of the {what} about {origin}, entry {'xyz'[j]}{'xyz'[k]}"
        inertia[j, k] = inertia[k, j] = found.symbol(name, numbers.C5[j, k], "kg m^2", meaning)
    return replace(link, integrals=replace(numbers, mass=mass, s0=moment, C5=inertia))


def _damping(link: Any, i: int, found: Parameters) -> Array:
    """One symbol for each entry of the modal damping matrix."""
    D = np.zeros(link.damping.shape, dtype=object)
    for j, k in zip(*np.nonzero(link.damping), strict=True):
        name = f"D_{i + 1}_{min(j, k) + 1}" + (f"_{max(j, k) + 1}" if j != k else "")
        D[j, k] = found.symbol(name, link.damping[j, k], "N s/m", f"modal damping of link {i + 1}")
    return D
