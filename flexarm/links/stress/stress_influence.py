"""Stress in a section per unit of its loads, as numbers: what evaluates it for many loads takes them as they are."""

from __future__ import annotations

import numpy as np

from flexarm.description.arm.link.sections.closed_shapes import CircularSection, TubularSection
from flexarm.description.arm.link.sections.cross_section import CrossSection, RoundSection
from flexarm.links.shapes.shape_functions import Array
from flexarm.links.stress.stress_points import stress_points


def stress_influence(section: CrossSection) -> Array:
    """Stress in a section with constant sizes per unit of its loads [1/m^2, 1/m^3].

    Returns
    -------
    (4,) or (p, 9)
        Of a round section the largest normal stress of N and of a bending moment, and the largest shear stress of a
        shear force and of T. Else for each point sigma_x of N, M_y, M_z, then tau_xy and tau_xz of V_y, V_z, T.
    """
    if isinstance(section, RoundSection):
        r = section.half_sizes[0]
        of_moments = r / section.second_moment_y, _shear_factor(section), r / section.torsion_constant
        return np.array([1 / section.area, *of_moments])
    influence = stress_points(section).influence  # pyright: ignore[reportArgumentType]  (frozen: hashable)
    return np.concatenate([influence[:, 0, (0, 4, 5)], influence[:, 1, 1:4], influence[:, 2, 1:4]], axis=-1)


def _shear_factor(section: RoundSection) -> float:
    """Largest shear stress per shear force [1/m^2]."""
    match section:
        case CircularSection():
            return 4 / (3 * section.area)
        case TubularSection():
            R, r = section.diameter / 2, section.diameter / 2 - section.thickness
            return 4 / (3 * section.area) * (R**2 + R * r + r**2) / (R**2 + r**2)
    raise NotImplementedError(type(section).__name__)
