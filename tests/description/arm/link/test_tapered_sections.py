"""Sections whose sizes change along the link, against closed forms."""

import math

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.integrate import trapezoid

from flexarm.description import parse_arm
from flexarm.description.values.profile import Profile
from flexarm.description.values.smooth_profile import SmoothProfile
from flexarm.links import flexible_link
from flexarm.model.segments import segments_of

ROUND_OFF = 1e-12
E, RHO, LENGTH = 2.1e11, 7850.0, 2.0
ARM = """
name: mast
links:
  - length: 2.0
    material: {{E: 2.1e11, rho: 7850, nu: 0.3}}
    section: {section}
    modes: {{family: polynomial, count: 3}}
"""
TUBE = "{shape: tube, diameter: {eta: [0, 2], values: [0.1, 0.05]}, thickness: 0.003}"
KINKED = "{shape: rectangle, width: 0.02, height: {eta: [0, 0.5, 2], values: [0.06, 0.04, 0.03]}}"


def link_of(section):
    return parse_arm(ARM.format(section=section)).links[0]


def tube(xi):
    """Area and second moment of the tube."""
    R = 0.05 - 0.025 * xi
    r = R - 0.003
    return math.pi * (R**2 - r**2), math.pi / 4 * (R**4 - r**4)


def test_a_tapered_tube_has_the_properties_of_its_sections():
    link, xi = link_of(TUBE), np.linspace(0, 1, 41)
    area, moment = tube(xi)
    assert_allclose(link.mu.at(xi), RHO * area, rtol=ROUND_OFF)
    assert_allclose(link.EI.y.at(xi), E * moment, rtol=ROUND_OFF)
    assert_allclose(link.EA.at(xi), E * area, rtol=ROUND_OFF)
    assert_allclose(link.GJ.at(xi), E / 2.6 * 2 * moment, rtol=ROUND_OFF)
    mean = math.pi * 2 * 0.003 * (0.075 / 2 - 0.0015)  # of the area: circumference of the middle line
    assert link.mass == pytest.approx(RHO * mean * LENGTH, rel=ROUND_OFF)


def test_its_modal_integrals_are_those_of_the_same_profile_by_the_integral():
    """int mu phi_j phi_k: the shapes are polynomials, so that fine trapezoids after Richardson are an oracle."""
    link = link_of(TUBE)
    beam, fine = flexible_link(link), []
    for n in (2000, 4000):
        xi = np.linspace(0, 1, n + 1)
        phi = beam.displacement(xi)[..., 1]
        fine.append(LENGTH * trapezoid(RHO * tube(xi)[0] * phi.T[:, None] * phi.T[None], xi, axis=-1))
    expected = fine[1] + (fine[1] - fine[0]) / 3
    rotary = beam.integrals.spin[:3, :3]
    assert_allclose(beam.integrals.C3[:3, :3] - rotary, expected, rtol=1e-9)


def test_sizes_with_a_kink_are_exact_on_both_sides():
    link, xi = link_of(KINKED), np.array([0.0, 0.1, 0.25, 0.6, 1.0])
    height = np.interp(xi * LENGTH, [0, 0.5, 2], [0.06, 0.04, 0.03])
    assert_allclose(link.EI.y.at(xi), E * 0.02 * height**3 / 12, rtol=ROUND_OFF)
    assert link.section.at(0.125).height == pytest.approx(0.05, rel=ROUND_OFF)


def test_segments_have_their_stretch_of_the_profile():
    whole = link_of(KINKED).model_copy(update={"segments": 3, "damping": (0.0,) * 9})
    xi = np.linspace(0, 1, 7)
    for k, part in enumerate(segments_of(whole)):
        assert_allclose(part.EI.y.at(xi), whole.EI.y.at((k + xi) / 3), rtol=ROUND_OFF)
        assert part.EI.y.mean == pytest.approx(np.mean(part.EI.y.at(np.linspace(0, 1, 20001))), rel=1e-3)


def test_constant_sizes_as_a_profile_are_constant_sizes():
    stepless = link_of("{shape: circle, diameter: {eta: [0, 1, 2], values: [0.05, 0.05, 0.05]}}")
    plain = link_of("{shape: circle, diameter: 0.05}")
    assert_allclose(stepless.EI.y.values, plain.EI.y.values[0], rtol=1e-15)
    assert stepless.mass == pytest.approx(plain.mass, rel=1e-14)


def test_torsion_of_a_tapered_rectangle_is_interpolated():
    """No polynomial: the error of degree 4 on quarter panels."""
    link = link_of("{shape: rectangle, width: {eta: [0, 2], values: [0.03, 0.015]}, height: 0.04}")
    xi = np.linspace(0, 1, 23)
    J = [link.section.at(x).torsion_constant for x in xi]
    assert_allclose(link.GJ.at(xi), E / 2.6 * np.array(J), rtol=1e-5)


def test_a_smooth_profile_is_exact_to_degree_four_and_its_mean_to_five():
    quartic = SmoothProfile.through((0.0, 0.3, 1.0), lambda xi: 1 + xi**4)
    xi = np.linspace(0, 1, 30).reshape(5, 6)
    assert_allclose(quartic.at(xi), 1 + xi**4, rtol=1e-14)
    assert quartic.mean == pytest.approx(1.2, rel=1e-14)
    assert quartic.scaled(2.0).knots == (0.0, 0.3, 1.0)
    assert Profile.constant(2.0).scaled(3.0) == Profile.constant(6.0)
