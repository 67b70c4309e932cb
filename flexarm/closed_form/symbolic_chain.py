"""An arm with symbols for its lengths, masses and stiffnesses, as the formulations read it.

Only numbers without dimension stay numbers: what mode shapes integrate to over a link of unit length, mass and
stiffness. Every modal integral is such a number times mu, EI, .. and a power of L.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import casadi as ca
import numpy as np

from flexarm.description.arm.arm import Arm
from flexarm.description.arm.link import Link
from flexarm.description.values.profile import Profile
from flexarm.links import FlexibleLink
from flexarm.links.dimensionless_link import (
    dimensionless_link,
    scaled_foreshortening,
    scaled_integrals,
    times,
)
from flexarm.links.flexible_link import normalised_profiles
from flexarm.links.section_motion import Sections
from flexarm.links.shape_functions import Array
from flexarm.model.chain import Body, Chain, build_chain
from flexarm.model.floating_base import FloatingBase


@dataclass(frozen=True)
class Parameter:
    """A symbol of the equations: its value in the description, its unit, what it is."""

    name: str
    value: float
    unit: str
    meaning: str


class Parameters:
    """Collects the symbols; quantities of the same kind and value share one."""

    def __init__(self, arm: Arm):
        self.found: dict[str, Parameter] = {}
        self.symbols: dict[str, ca.SX] = {}
        self._shared: dict[str, set[float]] = {}
        for link in arm.links:
            for kind, value in _link_values(link).items():
                self._shared.setdefault(kind, set()).add(value)

    def symbol(self, name: str, value: float, unit: str, meaning: str) -> ca.SX | float:
        """Return the symbol of that name, or zero for what is zero."""
        if value == 0:
            return 0.0
        if name not in self.found:
            self.found[name] = Parameter(name, float(value), unit, meaning)
            self.symbols[name] = ca.SX.sym(name)
        return self.symbols[name]

    def of_link(self, kind: str, i: int, arm: Arm, unit: str, meaning: str) -> ca.SX | float:
        """Return a symbol of link i, which it shares with all links of the same value."""
        values = [_link_values(link).get(kind) for link in arm.links]
        value = values[i]
        if value is None:
            return 0.0
        if len(self._shared[kind]) == 1:
            return self.symbol(kind, value, unit, meaning)
        first = values.index(value)
        return self.symbol(f"{kind}_{first + 1}", value, unit, f"{meaning}, link {first + 1}")


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
        As :func:`~flexarm.model.chain.build_chain` makes it, with CasADi symbols in the place of numbers.
    parameters : Parameters
        The symbols, in the order in which they turn up.
    """
    chain = build_chain(arm)
    found = Parameters(arm)
    bodies = list(chain.bodies)
    for i, (spec, joint) in enumerate(zip(arm.links, arm.joints, strict=True)):
        body = bodies[chain.links[i]]
        L = found.of_link("L", i, arm, "m", "length")
        mu = found.of_link("mu", i, arm, "kg/m", "mass per length")
        stiffness = {
            "y": found.of_link(
                "EI" if "EI" in _link_values(spec) else "EI_y", i, arm, "N m^2", "bending stiffness"
            ),
            "z": found.of_link("EI_z", i, arm, "N m^2", "bending stiffness along z"),
            "torsion": found.of_link("GJ", i, arm, "N m^2", "torsional stiffness"),
            "axial": found.of_link("EA", i, arm, "N", "axial stiffness"),
        }
        hub = found.symbol(f"m_h{i + 1}", joint.mass, "kg", f"mass of the hub of joint {i + 1}")
        ends_here = i == len(arm.links) - 1 and chain.links[i] == len(bodies) - 1
        tip = found.symbol("m_p", arm.payload.mass, "kg", "mass of the payload") if ends_here else 0.0
        spin = [
            found.symbol(
                f"J_{a}{i + 1}", value, "kg m", f"rotary inertia of link {i + 1} per length about {a}"
            )
            for a, value in zip("xyz", spec.rotary_inertia, strict=True)
        ]
        hub_inertia = [
            found.symbol(f"J_h{a}{i + 1}", value, "kg m^2", f"inertia of the hub of joint {i + 1} about {a}")
            for a, value in zip("xyz", joint.inertia, strict=True)
        ]
        link = _symbolic_link(
            body.link, spec, L, mu, stiffness, hub, tip, spin, hub_inertia, arm.geometric_stiffening
        )
        damping = _damping(body.link, i, found)
        bodies[chain.links[i]] = Body(_symbolic_joint(body, i, found), replace(link, damping=damping))
    if chain.links.stop < len(bodies):
        bodies[-1] = replace(bodies[-1], link=_symbolic_payload(bodies[-1].link, found))
    gravity = _symbolic_gravity(chain, found)
    return replace(chain, bodies=tuple(bodies), gravity=gravity), found


def _symbolic_joint(body: Body, i: int, found: Parameters) -> Any:
    n = i + 1
    joint = body.joint
    symbol = found.symbol
    coulomb = symbol(f"c_{n}", joint.coulomb, "N m", f"Coulomb friction of joint {n}")
    smoothing = joint.smoothing
    if joint.coulomb:
        smoothing = symbol(
            f"v_{n}", smoothing, "rad/s", f"rate over which the friction of joint {n} changes sign"
        )
    return replace(
        joint,
        offset=symbol(f"d_{n}", joint.offset, "m", f"offset along the axis of joint {n}"),
        viscous=symbol(f"b_{n}", joint.viscous, "N m s", f"viscous friction of joint {n}"),
        coulomb=coulomb,
        smoothing=smoothing,
        motor_inertia=symbol(f"I_m{n}", joint.motor_inertia, "kg m^2", f"inertia of motor {n} at the joint"),
    )


def _symbolic_gravity(chain: Chain, found: Parameters) -> Any:
    size = float(np.linalg.norm(chain.gravity))
    g = found.symbol("g", size, "m/s^2", "acceleration of gravity")
    return tuple(float(value / size) * g if value else 0.0 for value in chain.gravity)


def _symbolic_payload(link: FlexibleLink | FloatingBase, found: Parameters) -> FlexibleLink:
    """A payload that is more than a point: symbols for its mass, first moments and inertias about the tip."""
    assert isinstance(link, FlexibleLink)
    numbers = link.integrals
    mass = found.symbol("m_p", numbers.mass, "kg", "mass of the payload")
    moment = np.zeros(3, dtype=object)
    for k, a in enumerate("xyz"):
        moment[k] = found.symbol(
            f"S_p{a}", float(numbers.s0[k]), "kg m", f"first moment of the payload along {a}"
        )
    inertia = np.zeros((3, 3), dtype=object)
    for j, k in zip(*np.triu_indices(3), strict=True):
        name = f"J_p{'xyz'[j]}" if j == k else f"J_p{'xyz'[j]}{'xyz'[k]}"
        meaning = f"inertia of the payload about the tip, entry {'xyz'[j]}{'xyz'[k]}"
        inertia[j, k] = inertia[k, j] = found.symbol(name, numbers.C5[j, k], "kg m^2", meaning)
    return replace(link, integrals=replace(numbers, mass=mass, s0=moment, C5=inertia))


def _damping(link: Any, i: int, found: Parameters) -> Array:
    """One symbol for each entry of the modal damping matrix."""
    D = np.zeros(link.damping.shape, dtype=object)
    for j, k in zip(*np.nonzero(link.damping), strict=True):
        name = f"D_{i + 1}_{min(j, k) + 1}" + (f"_{max(j, k) + 1}" if j != k else "")
        D[j, k] = found.symbol(name, link.damping[j, k], "N s/m", f"modal damping of link {i + 1}")
    return D


class _ScaledSections(Sections):
    """Sections of a link whose length is a symbol."""

    def displacement(self, xi: Any) -> Array:
        return Sections(1.0, self.shapes).displacement(xi)

    def rotation(self, xi: Any) -> Array:
        unit = Sections(1.0, self.shapes).rotation(xi)
        turns = np.array([direction == "torsion" for direction in self.directions])[:, None]
        return np.where(turns, unit, times(unit, 1 / self.length))


def _symbolic_link(
    link: Any, spec: Link, L: Any, mu: Any, stiffness: dict, hub: Any, tip: Any, spin: list,
    hub_inertia: list, stiffening: bool,
) -> FlexibleLink:  # fmt: skip
    """Scale what integrates over a link of unit length, mass and stiffness."""
    shapes = link.sections.shapes
    unit = dimensionless_link(shapes, normalised_profiles(spec))
    integrals = scaled_integrals(unit, L, mu, stiffness, hub, tip, spin, hub_inertia)
    short = scaled_foreshortening(unit, L, mu, tip) if stiffening and shapes else None
    none = 0 * unit.beam.K
    return FlexibleLink(L, _ScaledSections(L, shapes), integrals, none, none, short)
