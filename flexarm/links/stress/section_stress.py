"""Stress in sections from the forces and moments that they transmit: normal, shear, von Mises."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from flexarm.description.arm.link.link import Link
from flexarm.description.arm.link.sections.cross_section import CrossSection, RoundSection
from flexarm.errors import ModelError
from flexarm.links.shapes.shape_functions import Array
from flexarm.links.stress.stress_influence import stress_influence
from flexarm.links.stress.stress_points import stress_points

AROUND = 24
"""Points around a round section, the first in the direction of bending; two more where the shear force counts most."""

_COS, _SIN = (f(2 * np.pi / AROUND * np.arange(AROUND)) for f in (np.cos, np.sin))
AROUND_FIXED = 72
"""Points around a round section where they do not follow the load."""


@dataclass(frozen=True, eq=False)
class SectionStress:
    """Stress at p points of a section.

    Attributes
    ----------
    along, across : (..., p) [m]
        Points, as seen from the centroid along axes that may turn with the load.
    turn : (...), (...) [1]
        Cosine and sine of the angle by which these are turned from the axes of the section.
    normal : (..., p) [Pa]
        sigma_x, positive in tension.
    shear_parts : tuple of (..., p) [Pa]
        Components of the shear stress: along y and z, or along the only direction that there is.
    """

    along: Array
    across: Array
    turn: tuple[Array, Array]
    normal: Array
    shear_parts: tuple[Array, ...]

    @property
    def shear(self) -> Array:
        """Size of the shear stress; (..., p) [Pa]."""
        return np.sqrt(sum((part * part for part in self.shear_parts), np.zeros(())))

    @property
    def y(self) -> Array:
        """Points along the section's y axis; (..., p) [m]."""
        cos, sin = self.turn
        return cos[..., None] * self.along - sin[..., None] * self.across

    @property
    def z(self) -> Array:
        """Points along the section's z axis; (..., p) [m]."""
        cos, sin = self.turn
        return sin[..., None] * self.along + cos[..., None] * self.across

    @property
    def von_mises(self) -> Array:
        """Equivalent stress sqrt(sigma^2 + 3 tau^2) of von Mises; (..., p) [Pa]."""
        return np.sqrt(self._squared)

    @cached_property
    def _squared(self) -> Array:
        first, *others = self.shear_parts
        squared = first * first
        for part in others:
            squared += part * part
        squared *= 3
        squared += self.normal * self.normal
        return squared

    @property
    def largest(self) -> Array:
        """Largest equivalent stress; (...) [Pa]."""
        return np.sqrt(self._squared.max(axis=-1))

    @property
    def where(self) -> Array:
        """Point of the largest equivalent stress, y and z; (..., 2) [m]."""
        at = self._squared.argmax(axis=-1)[..., None]
        along, across = (
            np.take_along_axis(np.broadcast_to(one, self.normal.shape), at, -1)[..., 0]
            for one in (self.along, self.across)
        )
        cos, sin = self.turn
        return np.stack([cos * along - sin * across, sin * along + cos * across], axis=-1)


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
    sigma = N / A + M_y z / I_y - M_z y / I_z; of shear see :mod:`flexarm.links.stress.stress_points`. Round sections:
    T r / J and, around the outside, k V sin(angle from V) with Zhuravskii's largest value k = S / (I b):
    4 / (3 A) of a bar, 4 / (3 A) (R^2 + R r + r^2) / (R^2 + r^2) of a tube.
    """
    force, moment = np.asarray(force, dtype=float), np.asarray(moment, dtype=float)
    if isinstance(section, RoundSection):
        return _round_stress(section, force, moment)
    points = stress_points(section)  # pyright: ignore[reportArgumentType]  (frozen: hashable)
    loads = np.concatenate([force, moment], axis=-1)
    bent, sheared = loads[..., (0, 4, 5)], loads[..., 1:4]
    normal = bent @ points.influence[:, 0, (0, 4, 5)].T
    shear = sheared @ points.influence[:, 1, 1:4].T, sheared @ points.influence[:, 2, 1:4].T
    return SectionStress(points.y, points.z, (np.array(1.0), np.array(0.0)), normal, shear)


def normal_stress(section: CrossSection, points: Array, force: ArrayLike, moment: ArrayLike) -> Array:
    """Normal stress at fixed points (p, 2) [m] of a section with constant sizes; (..., p) [Pa].

    Loads are as of :func:`section_stress`.
    """
    y, z = points.T
    N, T = np.asarray(force, dtype=float)[..., :1], np.asarray(moment, dtype=float)
    return (
        N / section.area
        + T[..., 1:2] * z / section.second_moment_y
        - T[..., 2:] * y / section.second_moment_z
    )


def outer_points(section: CrossSection) -> Array:
    """Points of a section, y and z, of which one has the largest normal stress of any load; (p, 2) [m].

    Of a round section they are `AROUND_FIXED` around it, where that falls short by 0.1 % of the bending stress at most.
    """
    if isinstance(section, RoundSection):
        angle = 2 * np.pi / AROUND_FIXED * np.arange(AROUND_FIXED)
        return section.half_sizes[0] * np.stack([np.cos(angle), np.sin(angle)], axis=-1).round(15)
    points = stress_points(section)  # pyright: ignore[reportArgumentType]  (frozen: hashable)
    return np.unique(np.stack([points.y, points.z], axis=-1), axis=0)


def _round_stress(section: RoundSection, force: Array, moment: Array) -> SectionStress:
    """Stress around the outside of a bar or a tube, in axes of which the first points where bending pulls most."""
    N, V_y, V_z = np.moveaxis(force, -1, 0)
    T, M_y, M_z = np.moveaxis(moment, -1, 0)
    M, V = np.hypot(M_y, M_z), np.hypot(V_y, V_z)
    c, s = np.where(M > 0, -M_z, 1.0) / np.where(M > 0, M, 1.0), M_y / np.where(M > 0, M, 1.0)
    along, across = V_y * c + V_z * s, V_z * c - V_y * s
    cos, sin = np.empty((*M.shape, AROUND + 2)), np.empty((*M.shape, AROUND + 2))
    cos[..., :AROUND], sin[..., :AROUND] = _COS, _SIN
    cos[..., AROUND], sin[..., AROUND] = -across / np.where(V > 0, V, 1.0), along / np.where(V > 0, V, 1.0)
    cos[..., -1], sin[..., -1] = -cos[..., AROUND], -sin[..., AROUND]
    r, (of_N, of_M, of_V, of_T) = section.half_sizes[0], stress_influence(section)
    normal = cos * (of_M * M)[..., None]
    normal += (of_N * N)[..., None]
    shear = cos * (of_V * across)[..., None]
    shear -= sin * (of_V * along)[..., None]
    shear += (of_T * T)[..., None]
    return SectionStress(r * cos, r * sin, (c, s), normal, (shear,))


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
