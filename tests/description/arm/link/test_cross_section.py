"""Sections and material against textbook values."""

import math

import numpy as np
import pytest
from description.arm_texts import changed
from hypothesis import given
from hypothesis import strategies as st

from flexarm.description import parse_arm
from flexarm.description.arm.link.sections.closed_shapes import (
    BoxSection,
    CircularSection,
    RectangularSection,
    TubularSection,
)

ROUND_OFF = 1e-12

size = st.floats(1e-3, 1.0)

# Timoshenko & Goodier, Theory of Elasticity, torsion of rectangular bars: J / (a b^3), four digits for a/b.
RECTANGLES = {1.0: 0.1406, 1.2: 0.166, 1.5: 0.196, 2.0: 0.229, 3.0: 0.263, 4.0: 0.281, 10.0: 0.312}


def circle(**sizes):
    return CircularSection(shape="circle", **sizes)


def tube(**sizes):
    return TubularSection(shape="tube", **sizes)


def rectangle(**sizes):
    return RectangularSection(shape="rectangle", **sizes)


def box(**sizes):
    return BoxSection(shape="box", **sizes)


def properties(section):
    return np.array(
        [section.area, section.second_moment_y, section.second_moment_z, section.torsion_constant]
    )


def test_a_round_bar_of_20_mm():
    # Area pi r^2, second moment pi r^4 / 4 with r = 10 mm.
    bar = circle(diameter=0.02)
    np.testing.assert_allclose(
        properties(bar), math.pi * np.array([1e-4, 2.5e-9, 2.5e-9, 5e-9]), rtol=ROUND_OFF
    )


@given(diameter=size, share=st.floats(0.01, 0.49))
def test_a_tube_is_a_bar_less_its_bore(diameter, share):
    thickness = share * diameter
    bore = properties(circle(diameter=diameter - 2 * thickness))
    expected = properties(circle(diameter=diameter)) - bore
    np.testing.assert_allclose(properties(tube(diameter=diameter, thickness=thickness)), expected, rtol=1e-10)


@given(width=size, height=size, share=st.floats(0.01, 0.49))
def test_a_box_bends_like_a_bar_less_its_bore(width, height, share):
    thickness = share * min(width, height)
    bore = rectangle(width=width - 2 * thickness, height=height - 2 * thickness)
    expected = properties(rectangle(width=width, height=height)) - properties(bore)
    found = properties(box(width=width, height=height, thickness=thickness))
    np.testing.assert_allclose(found[:3], expected[:3], rtol=1e-9)


def test_the_side_along_y_counts_cubed_for_bending_about_z():
    bar = rectangle(width=0.02, height=0.06)
    assert bar.second_moment_z == pytest.approx(0.02 * 0.06**3 / 12, rel=ROUND_OFF)
    assert bar.second_moment_y == pytest.approx(0.06 * 0.02**3 / 12, rel=ROUND_OFF)


@pytest.mark.parametrize(("ratio", "coefficient"), RECTANGLES.items())
def test_torsion_of_a_rectangle(ratio, coefficient):
    found = rectangle(width=ratio, height=1.0).torsion_constant / ratio
    assert found == pytest.approx(coefficient, abs=6e-4)  # the table is rounded to three digits
    assert rectangle(width=1.0, height=ratio).torsion_constant == pytest.approx(found * ratio, rel=ROUND_OFF)


def test_torsion_of_a_rectangle_is_the_summed_series():
    a, b = 0.03, 0.02
    n = np.arange(1, 20001, 2)
    series = np.sum(np.tanh(n * np.pi * a / (2 * b)) / n**5.0)
    expected = a * b**3 * (1 / 3 - 64 / np.pi**5 * b / a * series)
    assert rectangle(width=a, height=b).torsion_constant == pytest.approx(expected, rel=ROUND_OFF)


def test_torsion_of_a_thin_strip_and_of_thin_walls():
    assert rectangle(width=1.0, height=1e-4).torsion_constant == pytest.approx(1e-12 / 3, rel=1e-4)
    # Bredt: a square box of side b has J = b^3 t, b measured to the middle of the walls.
    assert box(width=0.101, height=0.101, thickness=0.001).torsion_constant == pytest.approx(
        1e-6, rel=ROUND_OFF
    )


def test_stiffness_and_inertia_of_a_link_by_direction_of_deflection():
    steel, flat = (
        "material: {E: 2e11, rho: 8000, nu: 0.25}",
        "section: {shape: rectangle, width: 0.02, height: 0.06}",
    )
    link = parse_arm(changed(("{length: 1.0, mu: 4.0}", f"{{length: 1.0, {steel}, {flat}}}"))).links[1]
    I_y, I_z = 4e-8, 3.6e-7  # int z^2 dA, int y^2 dA
    values = [link.mu, link.EI.y, link.EI.z, link.EA]
    expected = [8000 * 1.2e-3, 2e11 * I_z, 2e11 * I_y, 2e11 * 1.2e-3]
    assert [profile.values[0] for profile in values] == pytest.approx(expected, rel=ROUND_OFF)
    assert all(profile.is_constant for profile in values)
    assert link.GJ.values[0] == pytest.approx(8e10 * 0.2633 * 0.06 * 0.02**3, rel=1e-3)
    assert link.rotary_inertia == pytest.approx((8000 * (I_y + I_z), 8000 * I_y, 8000 * I_z), rel=ROUND_OFF)


def test_typed_rotary_inertia_wins_and_G_stands_for_nu():
    typed = (
        "material: {E: 2e11, rho: 8000, G: 7e10}, section: {shape: circle, diameter: 0.02}, rotary_inertia: 0"
    )
    link = parse_arm(changed(("{length: 1.0, mu: 4.0}", f"{{length: 1.0, {typed}}}"))).links[1]
    assert link.rotary_inertia == (0, 0, 0)
    assert link.GJ.values[0] == pytest.approx(7e10 * math.pi * 5e-9, rel=ROUND_OFF)
