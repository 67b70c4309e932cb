"""Stress in sections against textbook formulas, and against the equilibrium that the stresses owe."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from flexarm.description import parse_arm
from flexarm.description.arm.link.sections.closed_shapes import RectangularSection
from flexarm.errors import ModelError
from flexarm.links.stress.section_stress import known_section, link_stress, section_stress
from flexarm.links.stress.stress_points import U, side_torsion

ROUND_OFF = 1e-12
ARM = "name: beam\nlinks: [{{length: 2.0, {described}, modes: 2}}]\n"
STEEL = "material: {E: 2.1e11, rho: 7850, nu: 0.3}"
IPE_300 = "{shape: I, height: 0.3, width: 0.15, web: 0.0071, flange: 0.0107, radius: 0.015}"
BOX = "{shape: box, height: 0.1, width: 0.06, thickness: 0.004}"
BAR = "{shape: rectangle, height: 0.06, width: 0.02}"
TUBE = "{shape: tube, diameter: 0.1, thickness: 0.005}"
ROD = "{shape: circle, diameter: 0.04}"
GENERAL = (
    "{general: {A: 0.002, I_y: 1e-6, I_z: 3e-6, J: 2e-6, A_y: 0.001, A_z: 0.0008, W_t: 4e-5, "
    "points: [[0.06, 0.03], [-0.06, -0.03]]}}"
)
SHAPES = {"I": IPE_300, "box": BOX, "rectangle": BAR, "tube": TUBE, "circle": ROD, "general": GENERAL}
# Timoshenko & Goodier, torsion of rectangular bars: tau = T / (k a b^2) in the middle of the longer side.
RECTANGLES = {1.0: 0.208, 1.2: 0.219, 1.5: 0.231, 2.0: 0.246, 3.0: 0.267, 4.0: 0.282, 10.0: 0.312}
# Its part in the middle of the shorter side, the coefficient eta of tables of torsion, three digits.
SHORT_SIDES = {1.0: 1.0, 1.5: 0.858, 2.0: 0.796, 3.0: 0.753, 4.0: 0.745, 10.0: 0.743}


def link_of(section):
    return parse_arm(ARM.format(described=f"{STEEL}, section: {section}")).links[0]


def stress(section, N=0.0, V_y=0.0, V_z=0.0, T=0.0, M_y=0.0, M_z=0.0):
    return section_stress(link_of(section).section, [N, V_y, V_z], [T, M_y, M_z])


@pytest.mark.parametrize("shape", SHAPES)
def test_tension_and_bending_are_n_over_a_and_m_over_w(shape):
    section = link_of(SHAPES[shape]).section
    half_y, half_z = section.half_sizes
    assert_allclose(stress(SHAPES[shape], N=3e4).normal, 3e4 / section.area, rtol=ROUND_OFF)
    for load, modulus in (("M_z", section.section_modulus_z), ("M_y", section.section_modulus_y)):
        found = stress(SHAPES[shape], **{load: 2e3})
        assert found.largest == pytest.approx(2e3 / modulus, rel=ROUND_OFF)
        assert found.normal.min() == pytest.approx(-2e3 / modulus, rel=ROUND_OFF)
    bent = stress(SHAPES[shape], M_z=2e3)  # a positive M_z turns y into -x: compression where y > 0
    assert bent.normal[..., np.argmax(bent.y)] == pytest.approx(
        -2e3 / section.section_modulus_z, rel=ROUND_OFF
    )
    assert abs(bent.where[0]) == pytest.approx(half_y, rel=ROUND_OFF)
    bent = stress(SHAPES[shape], M_y=2e3)
    assert bent.normal[..., np.argmax(bent.z)] == pytest.approx(
        2e3 / section.section_modulus_y, rel=ROUND_OFF
    )
    assert abs(bent.where[1]) == pytest.approx(half_z, rel=ROUND_OFF)


def test_ipe_300_as_a_cantilever_by_hand():
    """20 kN at 3 m, at the root: sigma = 60e3 / 557.1e-6, tau = V S / (I s), S half the plastic modulus 628.4 cm^3."""
    found = stress(IPE_300, V_y=20e3, M_z=60e3)
    W, I_z, S = 557.1e-6, 8356e-8, 628.4e-6 / 2  # EN 10365
    assert np.abs(found.normal).max() == pytest.approx(60e3 / W, rel=1e-3)
    assert found.shear.max() == pytest.approx(20e3 * S / (I_z * 0.0071), rel=1e-3)
    at_web = np.isclose(np.abs(found.y), 0.1393) & np.isclose(np.abs(found.z), 0.00355)
    b, t, s, h = 0.15, 0.0107, 0.0071, 0.3
    plain = stress(IPE_300.replace(", radius: 0.015", ""), V_y=20e3)
    I_z = (b * h**3 - (b - s) * (h - 2 * t) ** 3) / 12
    end = 20e3 * b * t * (h - t) / 2 / (I_z * s)
    assert_allclose(plain.shear[at_web], end, rtol=ROUND_OFF)
    assert plain.shear.max() == pytest.approx(end + 20e3 * (h - 2 * t) ** 2 / 8 / I_z, rel=ROUND_OFF)


def test_ipe_300_twists_as_an_open_section():
    J = link_of(IPE_300).section.torsion_constant
    assert stress(IPE_300, T=100.0).shear.max() == pytest.approx(100.0 * 0.0107 / J, rel=ROUND_OFF)
    assert pytest.approx(20.12e-8, rel=1e-3) == J


def test_shear_along_the_flanges_is_that_of_two_rectangles():
    plain = IPE_300.replace(", radius: 0.015", "")
    I_y = link_of(plain).section.second_moment_y
    assert stress(plain, V_z=1e4).shear.max() == pytest.approx(1e4 * 0.15**2 / (8 * I_y), rel=ROUND_OFF)
    assert stress(plain, V_z=1e4).shear.max() == pytest.approx(1.5 * 1e4 / (2 * 0.15 * 0.0107), rel=2e-3)


def test_a_tube_in_torsion_bending_and_shear():
    R, r = 0.05, 0.045
    A, moment = math.pi * (R**2 - r**2), math.pi / 4 * (R**4 - r**4)
    assert_allclose(stress(TUBE, T=500.0).shear, 500.0 * R / (2 * moment), rtol=ROUND_OFF)
    first = 2 / 3 * (R**3 - r**3)
    assert stress(TUBE, V_y=3e3, V_z=4e3).shear.max() == pytest.approx(
        5e3 * first / (moment * 2 * (R - r)), rel=ROUND_OFF
    )
    assert stress(ROD, V_z=4e3).shear.max() == pytest.approx(4 / 3 * 4e3 / (math.pi * 0.02**2), rel=ROUND_OFF)
    oblique = stress(TUBE, M_y=300.0, M_z=-400.0)
    assert oblique.largest == pytest.approx(500.0 * R / moment, rel=ROUND_OFF)
    assert oblique.where == pytest.approx(R * np.array([0.8, 0.6]), rel=ROUND_OFF)
    assert pytest.approx(link_of(TUBE).section.area) == A


def test_a_pin_ended_shaft_in_torsion_and_bending():
    """Force F in the middle of the span l and torque T: 16 / (pi d^3) sqrt((2 M)^2 + 3 T^2), M = F l / 4."""
    F, T, l, d = 2e3, 150.0, 0.8, 0.04
    xi = np.array([0.0, 0.25, 0.5])
    M = F / 2 * xi * l
    force = np.stack([0 * xi, np.full(3, F / 2), 0 * xi], axis=-1)
    moment = np.stack([np.full(3, T), 0 * xi, -M], axis=-1)
    found = link_stress(link_of(ROD), 1, xi, force, moment)
    bare = link_stress(link_of(ROD), 1, xi, 0 * force, moment)
    expected = 16 / (math.pi * d**3) * np.sqrt((2 * M) ** 2 + 3 * T**2)
    assert_allclose(bare.largest, expected, rtol=ROUND_OFF)
    assert (found.largest >= expected * (1 - ROUND_OFF)).all()
    assert found.largest[0] == pytest.approx(
        math.sqrt(3) * (16 * T / (math.pi * d**3) + 4 / 3 * F / 2 / (math.pi * d**2 / 4)), rel=ROUND_OFF
    )  # at the bearing torsion and shear force add up on one side


def test_a_box_in_torsion_and_shear():
    h, w, t = 0.1, 0.06, 0.004
    assert_allclose(stress(BOX, T=800.0).shear, 800.0 / (2 * (h - t) * (w - t) * t), rtol=ROUND_OFF)
    I_z = (w * h**3 - (w - 2 * t) * (h - 2 * t) ** 3) / 12
    S = w * t * (h - t) / 2 + 2 * t * (h / 2 - t) ** 2 / 2
    assert stress(BOX, V_y=9e3).shear.max() == pytest.approx(9e3 * S / (I_z * 2 * t), rel=ROUND_OFF)
    both = stress(BOX, V_y=9e3, T=800.0).shear
    assert both.max() == pytest.approx(
        stress(BOX, V_y=9e3).shear.max() + stress(BOX, T=800.0).shear[0], rel=1e-12
    )


@pytest.mark.parametrize("ratio", RECTANGLES)
def test_torsion_of_a_rectangle(ratio):
    a, b = ratio * 0.02, 0.02
    for height, width in ((a, b), (b, a)):
        found = stress(f"{{shape: rectangle, height: {height}, width: {width}}}", T=50.0)
        assert found.shear.max() == pytest.approx(
            50.0 / (RECTANGLES[ratio] * a * b**2), rel=3e-3
        )  # three digits


@pytest.mark.parametrize(("ratio", "share"), SHORT_SIDES.items())
def test_torsion_in_the_middle_of_the_shorter_side(ratio, share):
    found = stress(f"{{shape: rectangle, height: {ratio * 0.02}, width: 0.02}}", T=50.0)
    short = found.shear[np.argmax(found.y - 1e3 * np.abs(found.z))]
    assert short / found.shear.max() == pytest.approx(share, abs=1e-3)


def test_a_strip_twisted_and_bent_is_worst_beside_its_corner():
    """Near the end of the long side the shear of torsion is nearly full still, and the normal stress is already."""
    a, b, T = 0.2, 0.01, 20.0
    strip = f"{{shape: rectangle, height: {a}, width: {b}}}"
    tau = 3 * T / (a * b**2)  # of a thin strip, in the middle of its long side
    M = math.sqrt(3) * tau * b * a**2 / 6  # sigma = sqrt(3) tau
    both = stress(strip, T=T, M_z=M)
    # at the distance d from the end, as far as the first term of the series goes
    d = np.linspace(0, a / 2, 1001)
    near = tau * (1 - 8 / np.pi**2 * np.exp(-np.pi * d / b))
    expected = math.sqrt(3) * np.sqrt((tau * (1 - 2 * d / a)) ** 2 + near**2)
    assert both.largest == pytest.approx(
        expected.max(), rel=0.04
    )  # J of the strip is 3 % less than a b^3 / 3
    assert abs(both.where[0]) == pytest.approx(a / 2 - d[expected.argmax()], abs=b / 2)


@pytest.mark.slow
@pytest.mark.parametrize(
    "loads",
    [
        {"T": 50.0},
        {"V_y": 2e4, "M_z": 300.0},
        {"T": 50.0, "M_z": 300.0},
        {"V_y": 2e4, "T": 60.0, "M_z": 200.0},
        {"T": 40.0, "M_y": 80.0},
    ],
)
def test_a_rectangle_against_finite_elements(loads):
    """sectionproperties, quadratic triangles, Poisson's ratio 0, as Zhuravskii has it."""
    analysis = pytest.importorskip("sectionproperties.analysis.section")
    geometry = pytest.importorskip("sectionproperties.pre.geometry")
    shapely = pytest.importorskip("shapely")
    mesh = geometry.Geometry(shapely.box(-0.03, -0.01, 0.03, 0.01)).create_mesh(mesh_sizes=[1e-6])
    section = analysis.Section(mesh)
    section.calculate_geometric_properties()
    section.calculate_warping_properties()
    names = {"V_y": "vx", "V_z": "vy", "T": "mzz", "M_y": "mxx", "M_z": "myy"}
    found = section.calculate_stress(**{names[name]: size for name, size in loads.items()}).get_stress()[0]
    assert stress(BAR, **loads).largest == pytest.approx(found["sig_vm"].max(), rel=0.02)


def test_a_section_of_a_table_uses_its_areas_and_moduli():
    found = stress(GENERAL, N=1e4, V_y=2e3, V_z=-1e3, T=30.0, M_z=500.0)
    shear = 2e3 / 0.001 + 1e3 / 0.0008 + 30.0 / 4e-5
    assert found.shear.max() == pytest.approx(shear, rel=ROUND_OFF)
    normal = 1e4 / 0.002 + 500.0 * 0.06 / 3e-6
    assert found.largest == pytest.approx(math.sqrt(normal**2 + 3 * shear**2), rel=ROUND_OFF)


@pytest.mark.parametrize("shape", SHAPES)
@settings(max_examples=10)
@given(loads=st.lists(st.floats(-1, 1), min_size=6, max_size=6))
def test_turned_by_half_a_turn_the_stress_is_the_same(shape, loads):
    """All sections are symmetric: half a turn about x reverses the loads across it and nothing else."""
    force, moment = np.array(loads[:3]), np.array(loads[3:])
    about_x, section = np.array([1, -1, -1]), link_of(SHAPES[shape]).section
    here, there = (
        section_stress(section, force, moment),
        section_stress(section, about_x * force, about_x * moment),
    )
    assert_allclose(here.largest, there.largest, rtol=1e-12, atol=1e-12)


def test_a_tapered_tube_over_time_and_stations():
    link = link_of("{shape: tube, diameter: {eta: [0, 2], values: [0.1, 0.05]}, thickness: 0.003}")
    xi, times = np.linspace(0, 1, 11), 5
    M = np.linspace(1, 2, times)[:, None] * 1e3 * (1 - xi)
    moment = np.stack([0 * M, 0 * M, M], axis=-1)
    found = link_stress(link, 1, xi, np.zeros((times, 11, 3)), moment)
    R = 0.05 - 0.025 * xi
    assert found.largest.shape == (times, 11)
    assert found.where.shape == (times, 11, 2)
    expected = M * R / (math.pi / 4 * (R**4 - (R - 0.003) ** 4))
    assert_allclose(found.largest, expected, rtol=ROUND_OFF)


def test_without_a_section_one_line_says_what_to_add():
    link = parse_arm(ARM.format(described="mu: 5.0, EI: 1000.0")).links[0]
    with pytest.raises(
        ModelError, match=r"link 2 has no section.*\(give material and section instead, e\.g\. section"
    ):
        known_section(link, 2)


def test_torsion_of_nearly_square_rectangles():
    """What a side takes is smooth through the square: over a relative change of 1e-6 it grows by some 1e-6."""
    along_y = [
        side_torsion(RectangularSection(shape="rectangle", height=h, width=1.0), "y", U)
        for h in (1 - 1e-6, 1.0, 1 + 1e-6)
    ]
    second = along_y[0] - 2 * along_y[1] + along_y[2]
    np.testing.assert_allclose(
        second, 0, atol=1e-10
    )  # the square of the change, and what rounds 200 terms off
