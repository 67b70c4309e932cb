"""Finite-element modes: convergence, uniform limit, and the wedge beam solved by Bessel functions."""

import numpy as np
import pytest
from breadth import thinned
from link_factory import EI, LENGTH, MU, make_link, y
from scipy.optimize import brentq
from scipy.special import iv, jv, kv, yv

from flexarm.description.values.profile import Profile
from flexarm.errors import ModelError
from flexarm.links import flexible_link
from flexarm.links.shapes.beam_modes import BEAMS, beam_modes, beam_roots
from flexarm.links.shapes.numeric_modes import finite_element_modes, hermite_beam

ONE = Profile.constant(1.0)


@pytest.mark.parametrize("ends", BEAMS)
def test_frequencies_converge_from_above_with_the_fourth_power_of_the_element(ends):
    """Cubic elements: lambda - lambda_exact ~ h^4."""
    exact = np.array(beam_roots(ends, 3)) ** 4
    elements = np.array([8, 16, 32])
    errors = np.array([hermite_beam(ONE, ONE, n).modes(ends, 3)[0] / exact - 1 for n in elements])
    rates = np.log2(errors[:-1] / errors[1:])
    assert (errors > 0).all(), errors
    assert (np.abs(rates[-1] - 4) < 0.05).all(), f"rates of convergence {rates}"


@pytest.mark.parametrize("ends", thinned(BEAMS))
def test_a_uniform_beam_reproduces_the_published_modes(ends):
    """Sign and scale included; phi converges as h^4, phi'' as h^2."""
    xi = np.linspace(0, 1, 57)
    exact = beam_modes(ends, 4)
    for derivative, rate in ((0, 4), (2, 2)):
        scale = np.abs(exact(xi, derivative)).max()
        errors = [
            np.abs(finite_element_modes(ONE, ONE, ends, 4, n)(xi, derivative) - exact(xi, derivative)).max()
            / scale
            for n in (40, 80)
        ]
        measured = np.log2(errors[0] / errors[1])
        assert errors[1] < 0.02**rate * 50, errors
        assert abs(measured - rate) < 0.4, f"rate of convergence {measured}"


def test_the_elements_follow_the_direction_of_bending():
    link = make_link(
        y("finite-element", 1, ends="clamped-free"),
        y("finite-element", 1, ends="clamped-free", direction="z"),
        EI={"y": EI, "z": {"eta": [0, LENGTH], "values": [EI, 0.3 * EI]}},
    )
    shapes = dict(flexible_link(link).sections.shapes)
    xi = np.linspace(0, 1, 7)
    np.testing.assert_allclose(shapes["y"](xi), beam_modes("clamped-free", 1)(xi), atol=1e-6)
    assert np.abs(shapes["z"](xi) - shapes["y"](xi)).max() > 0.01


def wedge_frequencies(taper: float, count: int) -> np.ndarray:
    """w l^2 sqrt(mu_0 / EI_0) of a cantilever of constant width and depth 1 - taper * xi.

    With x counted from the apex, (x^3 y'')'' = kappa^4 x y splits into x y'' + 2 y' = -+ kappa^2 y, whose
    solutions are Z_1(2 kappa sqrt x) / sqrt x (Kirchhoff 1879). Clamped at x = 1, free at x = 1 - taper.
    """
    tip = 1 - taper

    def determinant(kappa):
        z, z_tip = 2 * kappa, 2 * kappa * np.sqrt(tip)
        kinds = (
            (jv, -1, 1, 1, 1.0),
            (yv, -1, 1, 1, 1.0),
            (iv, 1, 1, 1, iv(1, z)),
            (kv, -1, 1, -1, kv(1, z_tip)),
        )
        columns = [
            np.array([Z(1, z), slope * Z(2, z), moment * Z(3, z_tip), shear * Z(2, z_tip)]) / scale
            for Z, slope, moment, shear, scale in kinds
        ]
        return np.linalg.det(np.array(columns).T)

    grid = np.linspace(1.5, 9 / taper, 1500)
    values = [determinant(kappa) for kappa in grid]
    brackets = [(a, b) for a, b, f, g in zip(grid, grid[1:], values, values[1:], strict=False) if f * g < 0]
    return (
        np.array([brentq(determinant, *bracket, xtol=1e-14) for bracket in brackets[:count]]) ** 2 * taper**2
    )


def test_wedge_frequencies_of_the_oracle_are_the_published_ones():
    """Half the depth at the tip: 3.8238, 18.3173, 47.2648 (Downs 1977 and many since)."""
    np.testing.assert_allclose(wedge_frequencies(0.5, 3), [3.8238, 18.3173, 47.2648], rtol=2e-5)


@pytest.mark.parametrize("taper", [0.2, 0.5, 0.8])
def test_a_tapered_cantilever_has_the_frequencies_of_the_wedge(taper):
    xi = np.linspace(0, 1, 401)
    depth = 1 - taper * xi
    link = make_link(
        y("finite-element", 3, ends="clamped-free", elements=80),
        mu={"eta": [0, LENGTH], "values": [MU, MU * (1 - taper)]},
        EI={"eta": list(LENGTH * xi), "values": list(EI * depth**3)},
    )
    computed = flexible_link(link).locked_frequencies() * LENGTH**2 * np.sqrt(MU / EI)
    # EI is a chord polygon of the cubic: 2e-6 / 8 * max (6 taper^2 / depth^2), relative
    np.testing.assert_allclose(computed, wedge_frequencies(taper, 3), rtol=2e-5)


def test_a_stepped_shaft_gets_a_node_at_its_step():
    """Two knots a hair apart: the frequency is right although the step falls between the even nodes."""
    step = 1 / 3
    profile = Profile(eta=(0.0, step, step + 1e-7, 1.0), values=(4.0, 4.0, 1.0, 1.0))
    coarse, fine = (hermite_beam(ONE, profile, n).modes("clamped-free", 2)[0] for n in (20, 160))
    np.testing.assert_allclose(coarse, fine, rtol=1e-5)


def test_too_few_elements_are_refused():
    with pytest.raises(ModelError, match="give more elements"):
        finite_element_modes(ONE, ONE, "clamped-clamped", 4, 2)
