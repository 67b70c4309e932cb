"""Scaling of a dimensionless link by its length, masses and stiffnesses, which may be numbers or symbols.

The modal integrals are numbers without dimension times powers of the length, the mass and the stiffness.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from flexarm.links.dimensionless_link import DimensionlessLink
from flexarm.links.integrals import ModalIntegrals
from flexarm.links.round_off import scaled_array

SLOPE_POWERS = (0, 1, 1)
"""Power of 1 / length in the rotation theta of the sections about x (torsion), y and z (bending)."""


@dataclass(frozen=True)
class ReferenceValues:
    """Numbers or symbols that scale a dimensionless link.

    Attributes
    ----------
    length : [m]
    mu : [kg/m]
        Mass per length at the start.
    stiffness : mapping
        Direction of deflection -> stiffness at the start: EI [N m^2], GJ [N m^2], EA [N].
    hub_mass, tip_mass : [kg]
        Point masses at the start and at the end.
    rotary_inertia : (3,) [kg m]
        J' per length about x, y, z.
    hub_inertia : (3,) [kg m^2]
        Of the body at the start, about x, y, z.
    """

    length: Any
    mu: Any
    stiffness: Mapping[str, Any]
    hub_mass: Any = 0.0
    tip_mass: Any = 0.0
    rotary_inertia: Sequence[Any] = (0.0, 0.0, 0.0)
    hub_inertia: Sequence[Any] = (0.0, 0.0, 0.0)


def scaled_integrals(unit: DimensionlessLink, values: ReferenceValues) -> ModalIntegrals:
    """Scale the integrals of a link, which are linear in the factors: masses, inertias and stiffnesses.

    Each factor holds a power of the length.
    """
    L = values.length
    masses = values.mu * L, values.hub_mass, values.tip_mass
    factors = [mass * L**power for mass in masses for power in range(3)]
    for inertia, n in zip(values.rotary_inertia, SLOPE_POWERS, strict=True):
        factors += [inertia * L, inertia * L ** (1 - 2 * n), inertia * L ** (1 - n)]
    factors += values.hub_inertia
    directions = dict.fromkeys(unit.sections.directions)
    factors += [values.stiffness[way] / L ** (3 if way in ("y", "z") else 1) for way in directions]
    if all(isinstance(factor, int | float) for factor in factors):
        scaled = np.array(factors, dtype=float) @ unit.integrals
    else:
        parts = zip(unit.integrals, factors, strict=True)
        scaled = np.stack([scaled_array(part, factor) for part, factor in parts]).sum(axis=0)
    mass, *arrays = (scaled[place].reshape(shape) for place, shape in unit.layout)
    return ModalIntegrals(mass.item(), *arrays)
