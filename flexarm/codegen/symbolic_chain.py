"""An arm with symbols for its lengths, masses and stiffnesses, as the formulations read it.

Only numbers without dimension stay numbers: what mode shapes integrate to over a link of unit length, mass and
stiffness. Every modal integral is such a number times mu, EI, .. and a power of L.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import casadi as ca
import numpy as np

from flexarm.links import FlexibleLink, ModalIntegrals
from flexarm.links.foreshortening import foreshortening
from flexarm.links.integrals import LinkField, modal_integrals
from flexarm.links.link import kinks, link_field
from flexarm.links.sections import Sections
from flexarm.links.shapes import Array
from flexarm.model.chain import Body, Chain, build_chain
from flexarm.model.floating_base import FloatingBase
from flexarm.spec.arm import Arm
from flexarm.spec.link import Link
from flexarm.spec.profile import Profile


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
        scale = [1.0 if direction == "torsion" else 1 / self.length for direction in self.directions]
        return _times(unit, scale)


@dataclass(frozen=True, eq=False)
class _ScaledShortening:
    """Foreshortening of a link whose length is a symbol."""

    unit: Callable[[float], Array]
    length: ca.SX
    H1: Array
    H2: Array

    def __call__(self, xi: float) -> Array:
        return _times(self.unit(xi), 1 / self.length)


def _symbolic_link(
    link: Any, spec: Link, L: Any, mu: Any, stiffness: dict, hub: Any, tip: Any, spin: list,
    hub_inertia: list, stiffening: bool,
) -> FlexibleLink:  # fmt: skip
    """Scale what integrates over a link of unit length, mass and stiffness."""
    unit = _unit_link(spec)
    sections = Sections(1.0, link.sections.shapes)
    field = link_field(unit, sections, tip_mass=1.0, hub_mass=1.0)
    none = np.zeros(3)
    beam, at_hub, at_tip = (modal_integrals(_only(field, part), none) for part in (slice(1, -1), 0, -1))
    spins = modal_integrals(_only(field, slice(1, -1)), np.array([1.0, 0.0, 0.0]))

    def total(name: str, power: int) -> Any:
        """Beam, hub and payload together: lengths to that power beyond their masses."""
        return (
            _times(getattr(beam, name), mu * L ** (power + 1))
            + _times(getattr(at_tip, name), tip * L**power)
            + _times(getattr(at_hub, name), hub * L**power)
        )

    directions = sections.directions
    K = np.zeros(beam.K.shape, dtype=object)
    for direction, scale in stiffness.items():
        among = np.array([d == direction for d in directions], dtype=float)
        power = 3 if direction in "yz" else 1
        K = K + _times(beam.K * np.outer(among, among), scale / L**power)
    integrals = ModalIntegrals(
        mass=mu * L * beam.mass + tip + hub,
        s0=total("s0", 1),
        C1=total("C1", 0),
        C3=total("C3", 0) + _times(spins.C3 - beam.C3, spin[0] * L),
        C4=total("C4", 0),
        C5=total("C5", 2) + _diagonal(hub_inertia),
        C6=total("C6", 1),
        C7=total("C7", 1),
        C8=total("C8", 0),
        B10=_diagonal([value * L for value in spin]),
        K=K,
        P=_times(spins.P, spin[0] * L),
    )
    short: Any = None
    if stiffening and sections.shapes:
        breaks = kinks(unit, sections)
        one, both = (foreshortening(sections, breaks, unit.mu, mass) for mass in (0.0, 1.0))
        H1 = _times(one.H1, mu) + _times(both.H1 - one.H1, tip / L)
        H2 = _times(one.H2, mu * L) + _times(both.H2 - one.H2, tip)
        short = _ScaledShortening(one, L, H1, H2)
    return FlexibleLink(L, _ScaledSections(L, sections.shapes), integrals, beam.K, beam.K, short)  # type: ignore[arg-type]


def _unit_link(spec: Link) -> Link:
    """Give the same link with length 1 and with profiles that start at 1."""

    def unit(profile: Profile | None) -> Profile | None:
        if profile is None:
            return None
        return Profile(eta=profile.eta, values=tuple(value / profile.values[0] for value in profile.values))

    EI = spec.EI.model_copy(update={"y": unit(spec.EI.y), "z": unit(spec.EI.z)})
    update = {"length": 1.0, "mu": unit(spec.mu), "EI": EI, "GJ": unit(spec.GJ), "EA": unit(spec.EA)}
    return spec.model_copy(update=update)


def _only(field: LinkField, part: Any) -> LinkField:
    """Give the field with no mass but that of one part."""
    dm = np.zeros_like(field.dm)
    dm[part] = field.dm[part]
    return replace(field, dm=dm)


def _times(array: Any, factor: Any) -> Any:
    """Array of expressions in which zeros stay numbers; factor: an expression, or one for each row."""
    array = np.asarray(array, dtype=float)
    product = np.zeros(array.shape, dtype=object)
    for index in zip(*np.nonzero(array), strict=True):
        product[index] = float(array[index]) * (factor[index[-2]] if isinstance(factor, list) else factor)
    return product


def _diagonal(entries: list) -> Array:
    matrix = np.zeros((3, 3), dtype=object)
    for k, entry in enumerate(entries):
        matrix[k, k] = entry
    return matrix
