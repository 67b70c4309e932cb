"""Mode shapes of every family of :data:`flexarm.catalogue.MODE_FAMILIES`.

A family is added by an entry there and one of BUILDERS; the tests run over both. Shapes are dimensionless
functions of xi = eta / l; their amplitudes are metres (bending, axial) or radians (torsion).

A family whose start is pinned or free turns the section at the start of the link, while frame i follows the
chord. As in the papers the joint torque acts on that frame, not on the section: it has no generalised force
on the modes.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from flexarm.catalogue import BEAM_DIRECTIONS, MODE_FAMILIES
from flexarm.errors import ModelError
from flexarm.links.shapes.beam_modes import BEAMS, beam_modes, loaded_beam_modes
from flexarm.links.shapes.quadrature import gauss_panels
from flexarm.links.shapes.shape_functions import JoinedShapes, LegendreShapes, Shapes, sines

if TYPE_CHECKING:
    from flexarm.description.arm.link.link import Link
    from flexarm.description.arm.link.mode_choice import Modes, TipLoad


class ShapeRequest(NamedTuple):
    """Request for mode shapes: the modes wanted, and the link they are for."""

    modes: Modes
    link: Link


Builder = Callable[[ShapeRequest], Shapes]
"""ShapeRequest -> the first ``modes.count`` shapes in their published form."""


def _beam(ends: str) -> Builder:
    return lambda request: beam_modes(ends, request.modes.count)


@lru_cache(maxsize=64)
def _sines(count: int, first: float, slope: float) -> Shapes:
    """Build the shapes sin(beta xi) + slope beta xi with beta = first pi, (first + 1) pi and so on."""
    return sines(np.pi * np.arange(first, first + count), slope)


def _rod(first: float) -> Builder:
    return lambda request: _sines(request.modes.count, first, 0.0)


def _hinged(request: ShapeRequest) -> Shapes:
    """Build the hinged shapes sin(k pi xi) - k pi xi: tangent at the start, no bending moment at either end."""
    return _sines(request.modes.count, 1.0, -1.0)


def _polynomial(request: ShapeRequest) -> Shapes:
    """Build polynomials from xi^2 on whose curvatures are orthonormal, phi_k'' = sqrt(2k - 1) P_k-1(2 xi - 1)."""
    return _polynomials(request.modes.count)


@lru_cache(maxsize=64)
def _polynomials(count: int) -> Shapes:
    return LegendreShapes.from_derivative(np.diag(np.sqrt(2 * np.arange(count) + 1.0)), order=2)


def _craig_bampton(request: ShapeRequest) -> Shapes:
    """Build static shapes of a load at the tip, then the modes with both ends held."""
    return _craig_bampton_shapes(request.modes.count, request.modes.direction in BEAM_DIRECTIONS)


@lru_cache(maxsize=64)
def _craig_bampton_shapes(count: int, bends: bool) -> Shapes:
    """Shapes whose curvatures (of a rod: slopes) are orthonormal.

    Notes
    -----
    [CraigBampton1968]: constraint modes, here of tip force and tip moment (of a rod: the linear shape), and
    fixed-interface normal modes. The curvature of the first is that under a tip force, sqrt(3) (1 - xi), of the second
    3 xi - 1; those of clamped-clamped modes are orthogonal to both.
    """
    if bends:
        static = LegendreShapes.from_derivative(
            np.array([[np.sqrt(0.75), 0.5], [-np.sqrt(0.75), 1.5]]), order=2
        )
        order, held = 2, beam_modes("clamped-clamped", max(count - 2, 1))
    else:
        static = LegendreShapes.from_derivative(np.ones((1, 1)), order=1)
        order, held = 1, _sines(max(count - 1, 1), 1.0, 0.0)
    if count <= static.count:
        return LegendreShapes(static.coefficients[:, :count])
    xi, weights = gauss_panels(np.linspace(0.0, 1.0, 2 * count + 3))
    return JoinedShapes(static, held.scaled(1 / np.sqrt(weights @ held(xi, order) ** 2)))


def _clamped_loaded(request: ShapeRequest) -> Shapes:
    """Build the modes of a clamped beam with a rigid body at its tip, on the link's mean mass per length."""
    link, load = request.link, carried_load(request.modes)
    xi, weights = gauss_panels(link.mu.knots)
    mass = link.length * float(weights @ link.mu.at(xi))
    return loaded_beam_modes(
        request.modes.count,
        mass=load.mass / mass,
        inertia=load.inertia / (mass * link.length**2),
        first_moment=load.first_moment / (mass * link.length),
    )


def carried_load(modes: Modes) -> TipLoad:
    """Tip load that clamped-loaded modes are made for; the chain has turned `auto` into numbers."""
    if modes.tip is None or isinstance(modes.tip, str):
        raise ModelError(f"clamped-loaded modes need the load at the tip as numbers, got {modes.tip}")
    return modes.tip


def _finite_element(request: ShapeRequest) -> Shapes:
    """Build the modes of the tapered link itself."""
    from flexarm.links.shapes.numeric_modes import finite_element_modes  # brings in slow SciPy packages

    modes, link = request.modes, request.link
    EI = link.EI.y if modes.direction == "y" else link.EI.z
    if EI is None or modes.ends is None:
        raise ModelError(f"finite-element modes along {modes.direction} need EI in that direction and `ends`")
    return finite_element_modes(link.mu, EI, modes.ends, modes.count, modes.elements)


def _table(request: ShapeRequest) -> Shapes:
    """Build cubic splines through the rows of a table."""
    from flexarm.links.shapes.numeric_modes import table_modes  # brings in slow SciPy packages

    table = request.modes.table
    if table is None:
        raise ModelError("modes of family table need a `table`")
    return table_modes(np.array(table.eta) / table.eta[-1], np.array(table.values)[:, : request.modes.count])


BUILDERS: dict[str, Builder] = {
    **{ends: _beam(ends) for ends in BEAMS},
    "clamped-loaded": _clamped_loaded,
    "hinged": _hinged,
    "polynomial": _polynomial,
    "craig-bampton": _craig_bampton,
    "finite-element": _finite_element,
    "fixed-free": _rod(0.5),
    "fixed-fixed": _rod(1.0),
    "table": _table,
}


def mode_shapes(modes: Modes, link: Link) -> Shapes:
    """Build the mode shapes of a `modes` entry of a link, in its normalisation.

    Parameters
    ----------
    modes : Modes
        Family, count, direction and normalisation.
    link : Link
        The link they belong to.

    Raises
    ------
    ModelError
        If the family does not serve that direction, lacks data, or has no tip value to scale by.
    """
    directions = MODE_FAMILIES[modes.family].directions
    if modes.direction not in directions:
        raise ModelError(f"{modes.family} modes serve {', '.join(directions)}, not {modes.direction}")
    shapes = BUILDERS[modes.family](ShapeRequest(modes, link))
    return _scaled_to_tip(shapes, modes.family) if modes.normalisation == "tip" else shapes


@lru_cache(maxsize=1024)
def _scaled_to_tip(shapes: Shapes, family: str) -> Shapes:
    """Scale every shape to 1 at the tip."""
    tip, largest = shapes(1.0), np.abs(shapes(np.linspace(0, 1, 201))).max(axis=0)
    if np.any(np.abs(tip) < 1e-6 * largest):
        raise ModelError(f"{family} modes vanish at the tip: normalisation `tip` cannot scale them")
    return shapes.scaled(1 / tip)
