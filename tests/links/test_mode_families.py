"""Properties of every mode family, run over the registry."""

import numpy as np
import pytest
from breadth import thinned
from link_factory import LENGTH, make_link

from flexarm.catalogue import MODE_FAMILIES, ModeFamily
from flexarm.description.arm.link.mode_choice import Modes
from flexarm.errors import ModelError
from flexarm.links.dimensionless_link import dimensionless_link
from flexarm.links.flexible_link import normalised_profiles
from flexarm.links.scaling import ReferenceValues, scaled_integrals
from flexarm.links.shapes.beam_modes import BEAMS
from flexarm.links.shapes.mode_shapes import BUILDERS, mode_shapes
from flexarm.links.shapes.quadrature import gauss_panels
from flexarm.links.shapes.shape_functions import sines

COUNT = 20

# What a family needs beside its name.
STATIONS = np.linspace(0, LENGTH, 61)
TABLE = {
    "eta": list(STATIONS),
    "values": [[float((x / LENGTH) ** k) for k in range(2, 22)] for x in STATIONS],
}
OPTIONS = {
    "clamped-loaded": {"tip": {"mass": 1.5, "inertia": 0.4, "first_moment": 0.2}},
    "finite-element": {"ends": "clamped-free"},
    "table": {"table": TABLE},
}

# Family -> orders of the derivatives that vanish at the start, and at the tip; every family needs an entry.
END_CONDITIONS = {
    "clamped-free": ((0, 1), (2, 3)),
    "clamped-clamped": ((0, 1), (0, 1)),
    "clamped-pinned": ((0, 1), (0, 2)),
    "pinned-pinned": ((0, 2), (0, 2)),
    "pinned-free": ((0, 2), (2, 3)),
    "free-free": ((2, 3), (2, 3)),
    "clamped-loaded": ((0, 1), ()),
    "hinged": ((0, 1, 2), (2,)),
    "polynomial": ((0, 1), ()),
    "craig-bampton": ((0, 1), ()),
    "finite-element": ((0, 1), ()),
    "fixed-free": ((0,), (1,)),
    "fixed-fixed": ((0,), (0,)),
    "table": ((), ()),
}

ORTHOGONAL = {*BEAMS, "finite-element", "fixed-free", "fixed-fixed"}
"""Families whose inertia and stiffness are both diagonal on a uniform link without bodies at its ends."""

ROUND_OFF = 1e-13
"""Relative to the largest value along the link."""


def entry(family: str, **keys) -> Modes:
    direction = MODE_FAMILIES[family].directions[0]
    options = {"family": family, "count": COUNT, "direction": direction, **OPTIONS.get(family, {})}
    return Modes.model_validate(options | keys)


def shapes_of(family: str, **keys):
    return mode_shapes(entry(family, **keys), make_link())


def largest(shapes, derivative):
    return np.abs(shapes(np.linspace(0, 1, 401), derivative)).max(axis=0)


def test_the_registry_serves_the_families_that_a_description_may_name():
    assert set(BUILDERS) == set(MODE_FAMILIES)


@pytest.mark.parametrize("family", MODE_FAMILIES)
def test_each_derivative_integrates_to_the_one_before(family):
    shapes = shapes_of(family)
    assert shapes.count == COUNT
    for derivative in (1, 2):
        xi, weights = gauss_panels(
            np.concatenate([np.linspace(0, 0.7, 51), shapes.breakpoints[shapes.breakpoints < 0.7]])
        )
        change = shapes(0.7, derivative - 1) - shapes(0.0, derivative - 1)
        error = weights @ shapes(xi, derivative) - change
        assert (np.abs(error) < ROUND_OFF * largest(shapes, derivative)).all()


@pytest.mark.parametrize("family", MODE_FAMILIES)
def test_end_conditions_hold_up_to_the_twentieth_mode(family):
    shapes = shapes_of(family)
    for xi, derivatives in zip((0.0, 1.0), END_CONDITIONS[family], strict=True):
        for derivative in derivatives:
            assert (np.abs(shapes(xi, derivative)) < ROUND_OFF * largest(shapes, derivative)).all()


@pytest.mark.parametrize("family", [*BEAMS, "clamped-loaded"])
def test_beam_modes_solve_the_beam_equation(family):
    """phi'''' from Chebyshev interpolation of phi'', not from the shapes' own fourth derivative."""
    shapes = shapes_of(family)
    a, b = 0.40, 0.41
    nodes = (a + b) / 2 + (b - a) / 2 * np.cos(np.pi * np.arange(9) / 8)
    fit = np.polynomial.chebyshev.chebfit((nodes - (a + b) / 2) / ((b - a) / 2), shapes(nodes, 2), 8)
    fourth = np.polynomial.chebyshev.chebder(fit, 2)
    at_middle = np.polynomial.chebyshev.chebval(0.0, fourth) / ((b - a) / 2) ** 2
    scale = shapes.beta**4
    # differencing twice over 0.01 costs eps / 0.005^2 of beta^2
    np.testing.assert_allclose(at_middle / scale, shapes((a + b) / 2), atol=2e-9)


@pytest.mark.parametrize("family", thinned(MODE_FAMILIES))
def test_orthogonal_families_give_exact_zeros_off_the_diagonal_and_others_do_not(family):
    modes = entry(family)
    link = make_link()
    unit = dimensionless_link(((modes.direction, mode_shapes(modes, link)),), normalised_profiles(link))
    values = ReferenceValues(1.0, 1.0, {modes.direction: 1.0}, rotary_inertia=(1.0, 0.0, 0.0))
    integrals = scaled_integrals(unit, values)
    for matrix in (integrals.C3, integrals.K):
        assert (np.diag(matrix) > 0).all()
        off_diagonal = matrix - np.diag(np.diag(matrix))
        if family in ORTHOGONAL:
            assert not off_diagonal.any()
    if family not in ORTHOGONAL:
        assert np.count_nonzero(integrals.C3) > COUNT


@pytest.mark.parametrize(
    "family", [name for name, family in MODE_FAMILIES.items() if family.moving_tip is None]
)
def test_tip_normalisation_scales_the_tip_to_one_and_leaves_the_shape(family):
    published, scaled = shapes_of(family), shapes_of(family, normalisation="tip")
    np.testing.assert_allclose(scaled(1.0), 1.0, rtol=1e-14)
    xi = np.linspace(0, 1, 31)
    for derivative in range(3):
        expected = published(xi, derivative) / published(1.0)
        np.testing.assert_allclose(
            scaled(xi, derivative), expected, rtol=1e-12, atol=1e-12 * largest(scaled, derivative).max()
        )


@pytest.mark.parametrize(
    "family", [name for name, family in MODE_FAMILIES.items() if family.moving_tip is not None]
)
def test_tip_normalisation_is_refused_where_shapes_vanish_at_the_tip(family):
    modes = entry(family).model_copy(update={"normalisation": "tip"})
    with pytest.raises(ModelError, match="vanish at the tip"):
        mode_shapes(modes, make_link())


@pytest.mark.parametrize("family", MODE_FAMILIES)
def test_a_direction_that_the_family_does_not_serve_is_refused(family):
    for direction in {"y", "z", "torsion", "axial"} - set(MODE_FAMILIES[family].directions):
        modes = entry(family).model_copy(update={"direction": direction})
        with pytest.raises(ModelError, match=f"not {direction}"):
            mode_shapes(modes, make_link())


def test_auto_needs_numbers():
    with pytest.raises(ModelError, match="load at the tip as numbers, got auto"):
        mode_shapes(entry("clamped-loaded", tip="auto"), make_link())


def test_hinged_modes_of_theory_section_3():
    xi, k = np.linspace(0, 1, 9)[:, None], np.arange(1, COUNT + 1)
    np.testing.assert_allclose(
        shapes_of("hinged")(xi[:, 0]), np.sin(k * np.pi * xi) - k * np.pi * xi, atol=1e-13
    )


@pytest.mark.parametrize("family", ["polynomial", "craig-bampton"])
def test_curvatures_are_orthonormal(family):
    xi, weights = gauss_panels(np.linspace(0, 1, 2 * COUNT + 3))
    curvatures = shapes_of(family)(xi, 2)
    np.testing.assert_allclose(curvatures.T @ (weights[:, None] * curvatures), np.eye(COUNT), atol=1e-11)


def test_polynomials_span_the_powers_from_the_square_on():
    """xi^2 .. xi^6 are combinations of the first five shapes, and each shape starts flat."""
    xi = np.linspace(0, 1, 31)
    shapes = shapes_of("polynomial", count=5)(xi)
    for power in range(2, 7):
        _, residual, *_ = np.linalg.lstsq(shapes, xi**power, rcond=None)
        assert residual.max(initial=0.0) < 1e-28


def test_a_table_of_a_cubic_is_that_cubic():
    """A cubic spline with not-a-knot ends reproduces cubics, whatever the stations."""
    eta = LENGTH * np.array([0.0, 0.1, 0.15, 0.4, 0.75, 1.0])
    cubic = np.polynomial.Polynomial([0.3, -1.0, 2.0, 4.0])
    table = {"eta": list(eta), "values": [[float(value), 2 * float(value)] for value in cubic(eta / LENGTH)]}
    shapes = shapes_of("table", table=table, count=2)
    xi = np.linspace(0, 1, 11)
    for derivative in range(3):
        expected = cubic.deriv(derivative)(xi) if derivative else cubic(xi)
        np.testing.assert_allclose(shapes(xi, derivative), np.outer(expected, [1, 2]), atol=1e-11)


def test_a_family_is_added_by_two_entries(monkeypatch):
    """The way from description to integrals asks nothing of a family but its entries in both tables."""
    monkeypatch.setitem(MODE_FAMILIES, "quarter-waves", ModeFamily(("y",)))
    quarter = np.pi / 2 * np.arange(1, 21)
    monkeypatch.setitem(BUILDERS, "quarter-waves", lambda request: sines(quarter[: request.modes.count]))
    modes = entry("polynomial", count=2).model_copy(update={"family": "quarter-waves"})
    assert mode_shapes(modes, make_link())(1.0) == pytest.approx([1.0, 0.0])
