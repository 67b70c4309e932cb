"""Stress in sections from the forces and moments that they transmit: normal, shear, von Mises."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from flexarm.description.arm.link.link import Link
from flexarm.description.arm.link.sections.closed_shapes import CircularSection, TubularSection
from flexarm.description.arm.link.sections.cross_section import CrossSection, RoundSection
from flexarm.errors import ModelError
from flexarm.links.shape_functions import Array
from flexarm.links.stress_points import stress_points

AROUND = 24
"""Points around a round section, the first in the direction of bending; two more where the shear force counts most."""


@dataclass(frozen=True, eq=False)
class SectionStress:
    """Stress at p points of a section.

    Attributes
    ----------
    y, z : (..., p) [m]
        Points, as seen from the centroid along the axes of the section.
    normal, shear : (..., p) [Pa]
        sigma_x, positive in tension, and the size of the shear stress.
    """

    y: Array
    z: Array
    normal: Array
    shear: Array

    @property
    def von_mises(self) -> Array:
        """Equivalent stress sqrt(sigma^2 + 3 tau^2) of von Mises; (..., p) [Pa]."""
        return np.sqrt(self.normal**2 + 3 * self.shear**2)

    @property
    def largest(self) -> Array:
        """Largest equivalent stress; (...) [Pa]."""
        return self.von_mises.max(axis=-1)

    @property
    def where(self) -> Array:
        """Point of the largest equivalent stress, y and z; (..., 2) [m]."""
        at = self.von_mises.argmax(axis=-1)[..., None]
        places = [
            np.take_along_axis(np.broadcast_to(one, self.normal.shape), at, -1) for one in (self.y, self.z)
        ]
        return np.concatenate(places, axis=-1)


def section_stress(section: CrossSection, force: ArrayLike, moment: ArrayLike) -> SectionStress:
    """Compute the stress in a section with constant sizes.

    Parameters
    ----------
    force : (..., 3) [N]
        Axial force N, positive in tension, and shear forces V_y, V_z: what the part beyond exerts on the part before.
    moment : (..., 3) [N m]
        Torsion moment T and bending moments M_y, M_z, about the centroid.

    Notes
    -----
    sigma = N / A + M_y z / I_y - M_z y / I_z; formulas of shear in :mod:`flexarm.links.stress_points`. Round sections:
    T r / J and, around the outside, k V sin(angle from V) with Zhuravskii's largest value k = S / (I b):
    4 / (3 A) of a bar, 4 / (3 A) (R^2 + R r + r^2) / (R^2 + r^2) of a tube.
    """
    force, moment = np.asarray(force, dtype=float), np.asarray(moment, dtype=float)
    if isinstance(section, RoundSection):
        return _round_stress(section, force, moment)
    points = stress_points(section)  # pyright: ignore[reportArgumentType]  (frozen: hashable)
    stress = np.einsum("pkl,...l->k...p", points.influence, np.concatenate([force, moment], axis=-1))
    return SectionStress(points.y, points.z, stress[0], np.hypot(stress[1], stress[2]))


def _round_stress(section: RoundSection, force: Array, moment: Array) -> SectionStress:
    """Stress around the outside of a bar or a tube."""
    N, V_y, V_z = np.moveaxis(force, -1, 0)[..., None]
    T, M_y, M_z = np.moveaxis(moment, -1, 0)[..., None]
    bending = np.arctan2(M_y, -M_z)  # direction in which the normal stress grows
    across = np.arctan2(V_z, V_y) + np.pi / 2
    around = 2 * np.pi / AROUND * np.arange(AROUND)
    angle = np.concatenate([bending + around, across, across + np.pi], axis=-1)
    sin, cos = np.sin(angle), np.cos(angle)
    r = section.half_sizes[0]
    normal = N / section.area + (M_y * sin - M_z * cos) * r / section.second_moment_y
    shear = T * r / section.torsion_constant + _shear_factor(section) * (V_z * cos - V_y * sin)
    return SectionStress(r * cos, r * sin, normal, np.abs(shear))


def _shear_factor(section: RoundSection) -> float:
    """Largest shear stress per shear force [1/m^2]."""
    match section:
        case CircularSection():
            return 4 / (3 * section.area)
        case TubularSection():
            R, r = section.diameter / 2, section.diameter / 2 - section.thickness
            return 4 / (3 * section.area) * (R**2 + R * r + r**2) / (R**2 + r**2)
    raise NotImplementedError(type(section).__name__)


@dataclass(frozen=True, eq=False)
class LinkStress:
    """Largest equivalent stress in each section of a link.

    Attributes
    ----------
    largest : (..., s) [Pa]
    where : (..., s, 2) [m]
        Its point, y and z in the axes of the section.
    """

    largest: Array
    where: Array


def link_stress(link: Link, number: int, xi: ArrayLike, force: ArrayLike, moment: ArrayLike) -> LinkStress:
    """Compute the largest von Mises stress at stations of a link, also of a tapered one.

    Parameters
    ----------
    number : int
        What messages call the link, from 1.
    xi : (s,) [1]
        Stations as fractions of the length.
    force, moment : (..., s, 3) [N, N m]
        As of :func:`section_stress`.

    Raises
    ------
    ModelError
        The section of the link is not known.
    """
    section, xi = known_section(link, number), np.asarray(xi, dtype=float)
    force, moment = np.asarray(force, dtype=float), np.asarray(moment, dtype=float)
    found = [
        section_stress(section.at(station), force[..., k, :], moment[..., k, :])
        for k, station in enumerate(xi.tolist())
    ]
    return LinkStress(
        np.stack([one.largest for one in found], axis=-1), np.stack([one.where for one in found], axis=-2)
    )


def known_section(link: Link, number: int) -> CrossSection:
    """Section of a link, which its stress needs.

    Raises
    ------
    ModelError
        It is not known: the link is described by its mass and stiffness, matrices, or a body.
    """
    if link.section is None:
        raise ModelError(
            f"link {number} has no section, which its stress needs: mass and stiffness alone do not give it",
            hint="give material and section instead, e.g. section: {shape: tube, diameter: 0.1, thickness: 0.003}",
        )
    return link.section
