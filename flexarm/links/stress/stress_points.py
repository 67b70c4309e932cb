"""Points of a section where its stress may be largest, and the stress there of a unit of each load.

A positive load is that of the part beyond the section on the part before it: N stretches, V_y and V_z point along y and
z, T and the bending moments M_y, M_z turn about x, y and z, so that the normal stress is
N / A + M_y z / I_y - M_z y / I_z.

Notes
-----
Bending: Bernoulli and Euler. Shear force: Zhuravskii's V S / (I b), constant over the width b. Torsion:
Saint-Venant's; of a rectangle by the series of Timoshenko & Goodier, of a box by Bredt's formula T / (2 A t), of an I
section as of thin open walls, T t / J; warping is free, and stress peaks at fillets and inner corners are left out.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache, singledispatch
from itertools import product

import numpy as np

from flexarm.description.arm.link.sections.closed_shapes import BoxSection, RectangularSection
from flexarm.description.arm.link.sections.cross_section import CrossSection
from flexarm.description.arm.link.sections.general_section import GeneralSection
from flexarm.description.arm.link.sections.i_section import ISection
from flexarm.links.shapes.shape_functions import Array

U = np.sin(np.pi / 2 * np.linspace(-1, 1, 9)).round(15)
"""Points along a side or wall as parts of half its length, denser towards its ends, where normal stress is largest."""
Shear = tuple[float, float]
"""Shear stresses tau_xy and tau_xz of a unit of a load."""
NONE: Shear = (0.0, 0.0)


@dataclass(frozen=True, eq=False)
class StressPoints:
    """Points of a section and their stress per unit of each load.

    Attributes
    ----------
    y, z : (p,) [m]
    influence : (p, 3, 6) [1/m^2, 1/m^3]
        sigma_x, tau_xy, tau_xz of N, V_y, V_z, T, M_y, M_z.
    """

    y: Array
    z: Array
    influence: Array


@dataclass(frozen=True)
class _Point:
    """Point of a section [m] and its shear stresses of a unit of V_y, V_z [1/m^2] and T [1/m^3]."""

    y: float
    z: float
    of_V_y: Shear = NONE
    of_V_z: Shear = NONE
    of_T: Shear = NONE


@lru_cache(maxsize=1024)
def stress_points(section: CrossSection) -> StressPoints:
    """Stress points of a section that is not round; its sizes are constant."""
    points = _points(section)
    y, z = np.array([[point.y, point.z] for point in points]).T
    influence = np.zeros((len(points), 3, 6))
    influence[:, 0, 0] = 1 / section.area
    influence[:, 0, 4] = z / section.second_moment_y
    influence[:, 0, 5] = -y / section.second_moment_z
    for load, name in ((1, "of_V_y"), (2, "of_V_z"), (3, "of_T")):
        influence[:, 1:, load] = [getattr(point, name) for point in points]
    return StressPoints(y, z, influence)


@singledispatch
def _points(section: CrossSection) -> Sequence[_Point]:
    raise NotImplementedError(type(section).__name__)


@_points.register
def _of_rectangle(section: RectangularSection) -> Sequence[_Point]:
    """Points along all sides, and the centre."""
    h, w = section.height, section.width
    shear = 1.5 / section.area
    on_z, on_y = (side_torsion(section, along, U) for along in "yz")
    points = [_Point(0.0, 0.0, of_V_y=(shear, 0.0), of_V_z=(0.0, shear))]
    for side in (1, -1):
        for u, tau_y, tau_z in zip(U.tolist(), on_z.tolist(), on_y.tolist(), strict=True):
            force = shear * (1 - u**2)
            points += [
                _Point(u * h / 2, side * w / 2, of_V_y=(force, 0.0), of_T=(-side * tau_y, 0.0)),
                _Point(side * h / 2, u * w / 2, of_V_z=(0.0, force), of_T=(0.0, side * tau_z)),
            ]
    return points


def side_torsion(section: RectangularSection, along: str, u: Array) -> Array:
    """Shear stress per torsion moment on the sides along y or z, at parts u from -1 to 1 of half their length; [1/m^3].

    Notes
    -----
    Timoshenko & Goodier, sides a >= b and odd n: on the side a it is b / J times
    1 - 8/pi^2 sum cosh(n pi u a / 2b) / (n^2 cosh(n pi a / 2b)), on the side b b / J times
    8/pi^2 sum (-1)^((n-1)/2) tanh(n pi a / 2b) cos(n pi u / 2) / n^2. This falls like 1/n^2 alone, but both are the
    same of a square, and how the second differs from that of a square falls like exp(-n pi). So both are right to
    round-off, also to both sides of a square, but where u is within a hundredth of 1.
    """
    length = {"y": section.height, "z": section.width}[along]
    a, b = max(section.height, section.width), min(section.height, section.width)
    n = np.arange(1.0, 400.0, 2.0)[:, None]
    square, u = n * math.pi / 2, np.abs(u)
    x = square * a / b
    if length == a:
        shares = _long_side(n, x, u)
    else:
        sign = np.where(n % 4 == 1, 1, -1)
        beyond = np.sum(sign * (np.tanh(x) - np.tanh(square)) * np.cos(square * u) / n**2, axis=0)
        shares = _long_side(n, square, u) + 8 / math.pi**2 * beyond
    return np.where(u < 1, shares, 0.0) * b / section.torsion_constant


def _long_side(n: Array, x: Array, u: Array) -> Array:
    """Shear stress at parts u (k,) of half the longer side, times J / b; of odd n (m, 1) and x = n pi a / 2b."""
    ratio = np.exp(-x * (1 - u)) * (1 + np.exp(-2 * x * u)) / (1 + np.exp(-2 * x))
    return 1 - 8 / math.pi**2 * np.sum(ratio / n**2, axis=0)


@_points.register
def _of_box(section: BoxSection) -> Sequence[_Point]:
    """Points along all walls, with the flow around the section that counts positive from y to z."""
    h, w, t = section.height, section.width, section.thickness
    torsion = 1 / (2 * (h - t) * (w - t) * t)
    points = []
    for side in (1, -1):
        for u in U.tolist():
            along_y, into_z = _wall_shear(h, w, t, section.second_moment_z, u), w * (h - t) / 4
            along_z, into_y = _wall_shear(w, h, t, section.second_moment_y, u), h * (w - t) / 4
            points += [
                _Point(
                    u * h / 2,
                    side * w / 2,
                    of_V_y=(along_y, 0.0),
                    of_V_z=(-side * u * into_y / section.second_moment_y, 0.0),
                    of_T=(-side * torsion, 0.0),
                ),
                _Point(
                    side * h / 2,
                    u * w / 2,
                    of_V_y=(0.0, -side * u * into_z / section.second_moment_z),
                    of_V_z=(0.0, along_z),
                    of_T=(0.0, side * torsion),
                ),
            ]
    return points


def _wall_shear(height: float, width: float, t: float, moment: float, u: float) -> float:
    """V S / (I 2 t) per force along the height [1/m^2], at the part u of half the height of the two walls along it."""
    inside = height / 2 - t
    at = min(abs(u) * height / 2, inside)
    return (width * t * (height - t) / 2 + t * (inside**2 - at**2)) / (moment * 2 * t)


@_points.register
def _of_i_section(section: ISection) -> Sequence[_Point]:
    """Points along the flanges, outside and inside, and along both faces of the web."""
    h, b, s, t, c = section.height, section.width, section.web, section.flange, section.clear_height
    I_y, I_z, J = section.second_moment_y, section.second_moment_z, section.torsion_constant
    of_V_z = b**2 / (8 * I_y)  # V S / (I 2 t) in the middle of a flange
    into_flange = (h - t) * b / (4 * I_z)  # of V_y, from the web to one half of the flange
    points = []
    for side, face, half, u in product((1, -1), (1, -1), (1, -1), U[U >= 0].tolist()):
        points.append(
            _Point(
                side * (h / 2 if face == 1 else c / 2),
                half * u * b / 2,
                of_V_y=(0.0, side * half * (1 - u) * into_flange),
                of_V_z=(0.0, (1 - u**2) * of_V_z),
                of_T=(0.0, side * face * t / J),
            )
        )
    for face, u in product((1, -1), U.tolist()):
        S = section.flange_first_moment_z + s * (c / 2) ** 2 * (1 - u**2) / 2
        points.append(_Point(u * c / 2, face * s / 2, of_V_y=(S / (I_z * s), 0.0), of_T=(-face * s / J, 0.0)))
    return points


@_points.register
def _of_general(section: GeneralSection) -> Sequence[_Point]:
    """Outer points and centroid, at each of which all largest shear stresses are taken to act in one direction."""
    shear_y, shear_z, torsion = 1 / section.A_y, 1 / section.A_z, 1 / section.torsion_modulus
    return [
        _Point(y, z, (shear_y, 0.0), (sign_z * shear_z, 0.0), (sign_T * torsion, 0.0))
        for y, z in (*section.points, (0.0, 0.0))
        for sign_z, sign_T in product((1, -1), (1, -1))
    ]
