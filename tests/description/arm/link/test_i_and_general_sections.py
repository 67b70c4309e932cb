"""I sections and sections by their properties, against tables of profiles and finite elements."""

import math

import numpy as np
import pytest
from numpy.testing import assert_allclose

from flexarm.description import load_arm, parse_arm
from flexarm.description.arm.link.sections.general_section import GeneralSection
from flexarm.description.arm.link.sections.i_section import ISection
from flexarm.errors import SpecError

ARM = """
name: beam
links:
  - {{length: 2.0, material: {{E: 2.1e11, rho: 7850, nu: 0.3}}, section: {section}, modes: 2}}
"""
IPE_300 = {"height": 0.3, "width": 0.15, "web": 0.0071, "flange": 0.0107}
# EN 10365, tables of rolled sections: h, b, s, t, r [mm]; A [cm^2], I and J [cm^4], W [cm^3], as printed.
TABLE = {
    "IPE 100": ((100, 55, 4.1, 5.7, 7), (10.32, 171.0, 15.92, 1.20, 34.20, 5.79)),
    "IPE 300": ((300, 150, 7.1, 10.7, 15), (53.81, 8356, 603.8, 20.12, 557.1, 80.50)),
    "HEB 200": ((200, 200, 9, 15, 18), (78.08, 5696, 2003, 59.28, 569.6, 200.3)),
}
AS_PRINTED = 1.5e-3
"""Relative error of four digits; of the torsion constant of the smallest beam, which has three, 5e-3."""


def section_of(text, **where):
    return parse_arm(ARM.format(section=text), **where).links[0].section


def properties(section):
    return [
        section.area,
        section.second_moment_z,
        section.second_moment_y,
        section.torsion_constant,
        section.section_modulus_z,
        section.section_modulus_y,
    ]


@pytest.mark.parametrize("name", TABLE)
def test_rolled_beams_are_those_of_the_tables(name):
    sizes, printed = TABLE[name]
    h, b, s, t, r = (1e-3 * size for size in sizes)
    section = ISection(shape="I", height=h, width=b, web=s, flange=t, radius=r)
    expected = np.array(printed) * [1e-4, 1e-8, 1e-8, 1e-8, 1e-6, 1e-6]
    tolerance = np.where(np.array(printed) < 2, 5e-3, AS_PRINTED)
    assert (np.abs(properties(section) / expected - 1) < tolerance).all(), properties(section) / expected


def test_without_fillets_it_is_three_plates():
    section = ISection(shape="I", **IPE_300)
    h, b, s, t = IPE_300.values()
    c = h - 2 * t
    I_z = 2 * (b * t**3 / 12 + b * t * (h / 2 - t / 2) ** 2) + s * c**3 / 12
    expected = [2 * b * t + c * s, I_z, (2 * t * b**3 + c * s**3) / 12]
    assert_allclose(properties(section)[:3], expected, rtol=1e-12)
    thin = ISection(shape="I", height=1.0, width=1.0, web=1e-4, flange=1e-4)
    assert thin.torsion_constant == pytest.approx(3 * 1e-12 / 3, rel=1e-3)  # sum of b t^3 / 3


def test_a_fillet_is_a_square_less_a_quarter_circle():
    """Area and moments of the fillets by quadrature over the arc's width."""
    r, (h, _, s, t) = 0.015, IPE_300.values()
    plain, filleted = ISection(shape="I", **IPE_300), ISection(shape="I", radius=r, **IPE_300)
    x, w = np.polynomial.legendre.leggauss(200)
    phi, w = math.pi / 4 * (x + 1), math.pi / 4 * w
    # at the distance u = r (1 - sin(phi)) from one side the fillet reaches r (1 - cos(phi)) from the other
    u, v, du = r * (1 - np.sin(phi)), r * (1 - np.cos(phi)), r * np.cos(phi)
    assert filleted.area - plain.area == pytest.approx(4 * np.sum(w * du * v), rel=1e-9)
    I_y, I_z = ((np.sum(w * du * v * (edge + side * u) ** 2)) for edge, side in ((s / 2, 1), (h / 2 - t, -1)))
    assert filleted.second_moment_y - plain.second_moment_y == pytest.approx(4 * I_y, rel=1e-9)
    assert filleted.second_moment_z - plain.second_moment_z == pytest.approx(4 * I_z, rel=1e-9)


def test_a_link_of_a_table_is_that_of_its_shape():
    shape = section_of("{shape: I, height: 0.3, width: 0.15, web: 0.0071, flange: 0.0107, radius: 0.015}")
    A, I_z, I_y, J, *_ = properties(shape)
    text = (
        f"{{general: {{A: {A!r}, I_y: {I_y!r}, I_z: {I_z!r}, J: {J!r}, A_y: 2e-3, A_z: 3e-3, points: %s}}}}"
    )
    by_table = section_of(text % "[[0.15, 0.075], [-0.15, -0.075]]")
    assert properties(by_table) == pytest.approx(properties(shape), rel=1e-14)
    assert by_table.torsion_modulus == pytest.approx(J / math.hypot(0.15, 0.075), rel=1e-14)


# -- outlines --------------------------------------------------------------------------------------------------

BOX = "y z\n-0.05 -0.03\n0.05 -0.03\n0.05 0.03\n-0.05 0.03\n\n-0.045 -0.025\n0.045 -0.025\n0.045 0.025\n-0.045 0.025\n"
ANGLE = "0, 0\n0.1, 0\n0.1, 0.01\n0.01, 0.01\n0.01, 0.1\n0, 0.1\n"
CHANNEL = "0 0\n0.1 0\n0.1 0.05\n0.09 0.05\n0.09 0.01\n0.01 0.01\n0.01 0.05\n0 0.05\n"


def outlined(folder, rows):
    (folder / "outline.csv").write_text(rows)
    return section_of("{polygon: outline.csv}", folder=folder)


def test_an_outline_without_the_package_says_how_to_install_it(tmp_path, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "shapely", None)
    with pytest.raises(SpecError, match=r"links\[0\]\.section\.polygon.*pip install 'flexarm\[sections\]'"):
        outlined(tmp_path, BOX.replace("0.05", "0.06"))


@pytest.mark.slow
def test_an_outline_has_the_properties_of_its_shape(tmp_path):
    pytest.importorskip("sectionproperties")
    section = outlined(tmp_path, BOX)
    box = section_of("{shape: box, height: 0.1, width: 0.06, thickness: 0.005}")
    assert properties(section)[:3] == pytest.approx(properties(box)[:3], rel=1e-9)
    assert section.torsion_constant == pytest.approx(box.torsion_constant, rel=0.06)  # Bredt: thin walls
    assert section.torsion_constant > box.torsion_constant
    (tmp_path / "arm.yaml").write_text(ARM.format(section="{polygon: outline.csv}"))
    arm = load_arm(tmp_path / "arm.yaml")
    again = parse_arm(arm._text).links[0].section  # the text holds what was found
    assert type(again) is GeneralSection
    assert properties(again) == properties(section)


@pytest.mark.slow
def test_a_rectangle_s_outline_twists_and_shears_like_the_shape(tmp_path):
    pytest.importorskip("sectionproperties")
    section = outlined(tmp_path, "0 0\n0.1 0\n0.1 0.04\n0 0.04\n")
    shape = section_of("{shape: rectangle, height: 0.1, width: 0.04}")
    assert section.torsion_constant == pytest.approx(shape.torsion_constant, rel=1e-3)
    assert section.A_y == pytest.approx(2 / 3 * shape.area, rel=1e-2)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("rows", "words"),
    [
        (ANGLE, "y and z are not principal axes"),
        (CHANNEL, "its shear centre is .* m from its centroid along y, z: bending would twist it"),
        ("0 0\n1 1\n1 0\n0 1\n", "its sides cross each other"),
        ("0 0\n1 1\n", "got 2 corners, expected at least 3"),
        ("0 0 1\n1 1 2\n1 0 3\n", "got 3 columns, expected 2: y and z"),
    ],
)
def test_outlines_that_are_refused_say_why(tmp_path, rows, words):
    pytest.importorskip("sectionproperties")
    with pytest.raises(SpecError, match=rf"links\[0\]\.section\.polygon: {words}"):
        outlined(tmp_path, rows)
