"""Section from its outline, by finite elements of the package sectionproperties."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from flexarm.description.arm.link.sections.general_section import MOST_POINTS, GeneralSection
from flexarm.description.values.input_model import wrong

Rings = tuple[tuple[tuple[float, float], ...], ...]
"""Corners (y, z) [m] of an outline and of the holes in it."""

INSTALL = "pip install 'flexarm[sections]'"
ELEMENTS = 1500
"""Triangles of six nodes into which a section is divided, about."""
SYMMETRY = 1e-3
"""Distance of the shear centre from the centroid, in sizes, and product of inertia, in second moments, that count as
none: finite elements owe as much."""


class OutlinedSection(GeneralSection):
    """Section whose properties were computed from its outline."""


@lru_cache(maxsize=64)
def section_of_rings(rings: Rings) -> OutlinedSection:
    """Compute the properties of a section from its outline.

    Raises
    ------
    PydanticCustomError
        The outline is none, its axes are not principal axes, or its shear centre is not its centroid.

    Notes
    -----
    Saint-Venant torsion and shear by the warping and shear functions of [Pilkey2002], Poisson's ratio 0. Largest shear
    stresses are those of the elements: at a sharp corner that points inward they grow with the mesh.
    """
    if max(map(len, rings)) > MOST_POINTS:
        raise wrong(f"got {max(map(len, rings))} corners, expected at most {MOST_POINTS}")
    outline = _polygon(rings)
    west, south, east, north = outline.bounds
    size = max(east - west, north - south)
    section = _analysed(outline, size)
    c_y, c_z = map(float, section.get_c())
    A, (I_y, I_z, I_yz) = float(section.get_area()), map(float, section.get_ic())
    off = [size * float(a - b) for a, b in zip(section.get_sc(), (c_y, c_z), strict=True)]
    if abs(I_yz) > SYMMETRY * max(I_y, I_z):
        raise wrong(
            f"y and z are not principal axes: int y z dA is {I_yz * size**4:.3g} m^4",
            "the model leaves out sections without symmetry: turn the outline, or see docs/guide/limits.md",
        )
    if max(map(abs, off)) > SYMMETRY * size:
        raise wrong(
            f"its shear centre is {off[0]:.3g}, {off[1]:.3g} m from its centroid along y, z: bending would twist it",
            "the model leaves out sections without symmetry: see docs/guide/limits.md",
        )
    shear_y, shear_z, torsion = (_largest_shear(section, load) for load in ("vx", "vy", "mzz"))
    hull = outline.convex_hull.exterior.coords[:-1]
    return OutlinedSection(
        A=A * size**2,
        I_y=I_y * size**4,
        I_z=I_z * size**4,
        J=float(section.get_j()) * size**4,
        A_y=min(1 / shear_y, A) * size**2,
        A_z=min(1 / shear_z, A) * size**2,
        W_t=size**3 / torsion,
        points=tuple((y - c_y * size, z - c_z * size) for y, z in hull),
    )


def _polygon(rings: Rings) -> Any:
    """Outline with its holes."""
    try:
        from shapely import Polygon
    except ImportError:
        raise _not_installed() from None
    if min(map(len, rings)) < 3:
        raise wrong(f"got {min(map(len, rings))} corners, expected at least 3")
    outline = Polygon(rings[0], rings[1:])
    if not outline.is_valid or not outline.area:
        raise wrong(
            "its sides cross each other, or a hole is not inside", "list the corners in turn around it"
        )
    return outline


def _analysed(outline: Any, size: float) -> Any:
    """Section of unit size, with torsion and shear solved."""
    try:
        from sectionproperties.analysis.section import Section  # pyright: ignore[reportMissingImports]
        from sectionproperties.pre.geometry import Geometry  # pyright: ignore[reportMissingImports]
    except ImportError:
        raise _not_installed() from None
    from shapely import transform

    unit = transform(outline, lambda corners: corners / size)
    geometry = Geometry(unit)
    geometry.create_mesh(mesh_sizes=[unit.area / ELEMENTS])
    section = Section(geometry)
    section.calculate_geometric_properties()
    section.calculate_warping_properties()
    return section


def _largest_shear(section: Any, load: str) -> float:
    """Largest shear stress of a unit of a load."""
    stress = section.calculate_stress(**{load: 1.0}).get_stress()[0]
    return float(stress[f"sig_zxy_{load}"].max())


def _not_installed() -> Exception:
    return wrong("sections by their outline need the package sectionproperties", INSTALL)
