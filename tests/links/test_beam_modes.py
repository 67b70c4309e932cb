"""Eigenfunctions of uniform beams against 100-digit arithmetic, published numbers and finite elements."""

from math import pi, sqrt

import numpy as np
import published_beams
import pytest
from breadth import thinned

from flexarm.description.values.profile import Profile
from flexarm.errors import ModelError
from flexarm.links.shapes.beam_modes import BEAMS, beam_modes, loaded_beam_modes
from flexarm.links.shapes.numeric_modes import hermite_beam
from flexarm.links.shapes.shape_functions import wave_basis

ROOT_TOLERANCE = 4e-16
"""Relative: two units in the last place."""

SHAPE_TOLERANCE = 1e-13
"""Relative to order one; the last place of beta is 7e-15 of phase at the twentieth mode."""

STATIONS = ("0", "0.0078125", "0.125", "0.34375", "0.5", "0.71875", "0.9375", "1")
"""Exact in binary, so that both arithmetics see the same numbers."""


@pytest.mark.parametrize("ends", thinned(BEAMS))
def test_roots_and_shapes_are_the_published_ones_up_to_twenty_modes(ends):
    shapes = beam_modes(ends, 20)
    for k in (1, 2, 3, 11, 20):
        assert shapes.beta[k - 1] == pytest.approx(
            float(published_beams.root(ends, k)), rel=ROOT_TOLERANCE, abs=0
        )
        for derivative in range(4):
            computed = shapes(np.array(STATIONS, dtype=float), derivative)[:, k - 1]
            expected = [published_beams.shape(ends, k, xi, derivative) for xi in STATIONS]
            np.testing.assert_allclose(
                computed / shapes.beta[k - 1] ** derivative, expected, rtol=0, atol=SHAPE_TOLERANCE
            )


def test_clamped_clamped_has_the_exact_numbers_behind_shafei_2017_equation_63():
    shapes = beam_modes("clamped-clamped", 1)
    cos, sin = shapes.coefficients[0, :2]
    assert shapes.beta[0] == pytest.approx(4.7300407449, abs=5e-11)
    assert sin == pytest.approx(1.0, abs=1e-14)
    assert cos == pytest.approx(-1.0178094107, abs=5e-11)


@pytest.mark.parametrize("ends", BEAMS)
def test_every_mode_first_leaves_zero_upwards(ends):
    first = {"clamped": 2, "pinned": 1, "free": 0}[ends.split("-")[0]]
    assert (beam_modes(ends, 20)(0.0, first) > 0).all()


# -- clamped-loaded ---------------------------------------------------------------------------------------

LOADS = {
    "none": (0.0, 0.0, 0.0),
    "mass": (0.7, 0.0, 0.0),
    "inertia": (0.0, 0.4, 0.0),
    "body": (1.3, 0.6, 0.5),
    "body behind the tip": (1.3, 0.6, -0.5),
    "point ahead of the tip": (2.0, 0.5, 1.0),
    "heavy": (300.0, 80.0, 20.0),
}
"""M / (mu l), J / (mu l^3), S / (mu l^2)."""


@pytest.mark.parametrize(
    ("tip_mass", "tip_inertia", "hertz"),
    [(0.1, 5e-4, (2.178, 15.91)), (1.2, 0.1338, (0.480, 1.797))],
    ids=["link 2", "link 1"],
)
def test_frequencies_of_de_luca_and_siciliano_1991(tip_mass, tip_inertia, hertz):
    """Section V of their paper: l = 0.5 m, mu = 0.2 kg/m, EI = 1 N m^2."""
    mu, length, EI = 0.2, 0.5, 1.0
    shapes = loaded_beam_modes(2, tip_mass / (mu * length), tip_inertia / (mu * length**3), 0.0)
    computed = shapes.beta**2 * sqrt(EI / (mu * length**4)) / (2 * pi)
    half_of_last_digit = (0.0005, 0.005) if hertz[0] > 1 else (0.0005, 0.0005)
    assert (np.abs(computed - hertz) <= half_of_last_digit).all(), computed


def test_without_a_body_the_modes_are_clamped_free():
    loaded, free = loaded_beam_modes(20, *LOADS["none"]), beam_modes("clamped-free", 20)
    np.testing.assert_allclose(loaded.beta, free.beta, rtol=1e-14)
    np.testing.assert_allclose(loaded.coefficients, free.coefficients, atol=SHAPE_TOLERANCE)


@pytest.mark.parametrize("load", LOADS.values(), ids=LOADS)
def test_loaded_roots_solve_the_characteristic_equation(load):
    """Textbook form with cosh (e.g. Blevins, table 8-8, with rotary inertia and offset), no root missed."""
    M, J, S = load

    def characteristic(b):
        c, s, C, Sh = np.cos(b), np.sin(b), np.cosh(b), np.sinh(b)
        terms = [
            1 + c * C,
            -M * b * (s * C - c * Sh),
            -J * b**3 * (s * C + c * Sh),
            -2 * S * b**2 * s * Sh,
            (M * J - S**2) * b**4 * (1 - c * C),
        ]
        return sum(terms) / (C * (1 + M * b + J * b**3 + abs(S) * b**2 + (M * J - S**2) * b**4))

    beta = loaded_beam_modes(6, M, J, S).beta
    np.testing.assert_allclose(characteristic(beta), 0.0, atol=1e-13)
    grid = np.linspace(1e-3, beta[-1] + 1e-6, 20_001)
    assert np.count_nonzero(np.diff(np.sign(characteristic(grid)))) == 6


@pytest.mark.parametrize("load", LOADS.values(), ids=LOADS)
def test_loaded_modes_agree_with_finite_elements_that_carry_the_body(load):
    """Independent of the end conditions: the body enters the elements through its kinetic energy alone."""
    M, J, S = load
    one = Profile.constant(1.0)
    beam = hermite_beam(one, one, 60)
    n = len(beam.nodes)
    beam.inertia[np.ix_([n - 1, 2 * n - 1], [n - 1, 2 * n - 1])] += [[M, S], [S, J]]
    lambdas, vectors = beam.modes("clamped-free", 4)
    shapes = loaded_beam_modes(4, M, J, S)
    np.testing.assert_allclose(lambdas, shapes.beta**4, rtol=2e-6)
    exact = shapes(beam.nodes)
    aligned = vectors[:n] * (np.sum(exact**2, axis=0) / np.sum(exact * vectors[:n], axis=0))
    np.testing.assert_allclose(aligned, exact, atol=1e-5 * np.abs(exact).max())


def test_a_body_whose_inertia_is_less_than_its_offset_needs_is_refused():
    with pytest.raises(ModelError, match="mass \\* inertia must reach"):
        loaded_beam_modes(2, 1.0, 0.2, 0.5)


def test_a_body_that_makes_two_modes_coincide_is_refused():
    """At beta = 1.2 the body balances every force and moment of the tip: any shape is a mode."""
    beta = 1.2
    clamped = np.array([[-1, 1, 1, 0], [-np.exp(-beta), -np.exp(-beta), 0, 1]]).T
    D = [wave_basis([beta], 1.0, n)[0] @ clamped for n in range(4)]
    load = np.array([-D[3], D[2]]) @ np.linalg.inv(np.array([D[0], D[1]])) / beta
    assert load[0, 0] * load[1, 1] > load[0, 1] ** 2
    with pytest.raises(ModelError, match="one frequency"):
        loaded_beam_modes(2, load[0, 0], load[1, 1] / beta**2, load[0, 1] / beta)
