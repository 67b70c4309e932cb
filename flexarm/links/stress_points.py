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
from flexarm.links.shape_functions import Array

_CATALAN = 0.915965594177219
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
    """Corners, middles of the sides, and the centre."""
    h, w = section.height / 2, section.width / 2
    along_y, along_z = rectangle_torsion(section)
    shear = 1.5 / section.area
    points = [_Point(y, z) for y, z in product((h, -h), (w, -w))]
    points.append(_Point(0.0, 0.0, of_V_y=(shear, 0.0), of_V_z=(0.0, shear)))
    for side in (1, -1):
        points += [
            _Point(side * h, 0.0, of_V_z=(0.0, shear), of_T=(0.0, side * along_z)),
            _Point(0.0, side * w, of_V_y=(shear, 0.0), of_T=(-side * along_y, 0.0)),
        ]
    return points


def rectangle_torsion(section: RectangularSection) -> tuple[float, float]:
    """Shear stress per torsion moment [1/m^3] in the middles of the sides along y and along z.

    Notes
    -----
    Timoshenko & Goodier, sides a >= b: b / J times 1 - 8/pi^2 sum 1 / (n^2 cosh(n pi a / 2b)) in the middle of a, and
    times 8/pi^2 sum (-1)^((n-1)/2) tanh(n pi a / 2b) / n^2 in the middle of b, over odd n. Of the latter the limit
    for long sides, Catalan's constant, is taken out.
    """
    a, b = max(section.height, section.width), min(section.height, section.width)
    x = math.pi * a / (2 * b)
    terms = [n for n in range(1, 31, 2) if n * x < 40]
    long = 1 - 8 / math.pi**2 * sum(1 / (n**2 * math.cosh(n * x)) for n in terms)
    rest = sum((-1) ** (n // 2) * (1 - math.tanh(n * x)) / n**2 for n in terms)
    short = 8 / math.pi**2 * (_CATALAN - rest)
    on_long, on_short = (share * b / section.torsion_constant for share in (long, short))
    return (on_long, on_short) if section.height >= section.width else (on_short, on_long)


@_points.register
def _of_box(section: BoxSection) -> Sequence[_Point]:
    """Corners and middles of the walls, with the flow around the wall; at corners that at the end of the walls."""
    h, w, t = section.height, section.width, section.thickness
    torsion = 1 / (2 * (h - t) * (w - t) * t)
    flow_y, flow_z = 1 / (2 * t * section.second_moment_z), 1 / (2 * t * section.second_moment_y)
    of_V_y, of_V_z = (flow * first_moment(a, b, t) for flow, a, b in ((flow_y, h, w), (flow_z, w, h)))
    at_corner_y, at_corner_z = flow_y * w * t * (h - t) / 2, flow_z * h * t * (w - t) / 2
    points = []
    for side in (1, -1):  # the stress around the section counts positive from y to z
        points += [
            _Point(side * h / 2, 0.0, of_V_z=(0.0, of_V_z), of_T=(0.0, side * torsion)),
            _Point(0.0, side * w / 2, of_V_y=(of_V_y, 0.0), of_T=(-side * torsion, 0.0)),
        ]
        for other in (1, -1):  # end of the wall at z = side w/2, along which the flow counts as tau_xy
            along_y = -side
            points.append(
                _Point(
                    other * h / 2,
                    side * w / 2,
                    of_V_y=(at_corner_y, 0.0),
                    of_V_z=(along_y * other * at_corner_z, 0.0),
                    of_T=(along_y * torsion, 0.0),
                )
            )
    return points


def first_moment(height: float, width: float, thickness: float) -> float:
    """First moment [m^3] of the half of a box beyond the middle of its height."""
    inner_height, inner_width = height - 2 * thickness, width - 2 * thickness
    return (width * height**2 - inner_width * inner_height**2) / 8


@_points.register
def _of_i_section(section: ISection) -> Sequence[_Point]:
    """Tips and middles of the flanges, outside and inside; ends and middle of the web."""
    h, b, s, t = section.height, section.width, section.web, section.flange
    I_y, I_z, J = section.second_moment_y, section.second_moment_z, section.torsion_constant
    of_V_z = b**2 / (8 * I_y)  # V S / (I 2 t) in the middle of a flange
    into_flange = (h - t) * b / (4 * I_z)  # of V_y, from the web to one half of the flange
    points = []
    for side in (1, -1):
        for outside in (1, -1):
            y = side * (h / 2 if outside == 1 else section.clear_height / 2)
            of_T = (0.0, side * outside * t / J)
            points += [_Point(y, z, of_T=of_T) for z in (b / 2, -b / 2)]
            points += [
                _Point(y, 0.0, of_V_y=(0.0, half * into_flange), of_V_z=(0.0, of_V_z), of_T=of_T)
                for half in (1, -1)
            ]
        of_T = (-side * s / J, 0.0)
        end = section.flange_first_moment_z / (I_z * s)
        points.append(
            _Point(0.0, side * s / 2, of_V_y=(section.half_first_moment_z / (I_z * s), 0.0), of_T=of_T)
        )
        points += [
            _Point(y, side * s / 2, of_V_y=(end, 0.0), of_T=of_T)
            for y in (section.clear_height / 2, -section.clear_height / 2)
        ]
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
