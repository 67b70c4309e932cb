"""The oracle's mode shapes against their definitions and printed values."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from reference.shapes import BAR, BENDING, mode_shape, wave_number

CLAMPED_FREE_WAVE_NUMBERS = (1.8751040687, 4.6940911330, 7.8547574382, 10.9955407349)
"""Roots of cos b cosh b = -1: Blevins, Formulas for Natural Frequency and Mode Shape (1979), Table 8-1."""

XI = np.linspace(0.0, 1.0, 41)


@pytest.mark.parametrize(
    ("family", "direction"), [(f, "y") for f in BENDING] + [(f, "torsion") for f in BAR], ids=str
)
def test_slope_and_curvature_are_derivatives(family, direction):
    h = 1e-5
    for k in range(1, 5):
        left, here, right = (mode_shape(family, direction, k, XI + step) for step in (-h, 0.0, h))
        slope_error = (right.value - left.value) / (2 * h) - here.slope
        curvature_error = (right.slope - left.slope) / (2 * h) - here.curvature
        # Central differences: (k pi h)^2 / 6 of the derivative.
        assert np.max(np.abs(slope_error)) <= 1e-7 * np.max(np.abs(here.slope))
        assert np.max(np.abs(curvature_error)) <= 1e-7 * np.max(np.abs(here.curvature))


@pytest.mark.parametrize("k", [1, 2, 3, 4])
def test_boundary_conditions(k):
    start, end = (mode_shape("clamped-free", "y", k, np.array(x)) for x in (0.0, 1.0))
    assert_allclose([start.value, start.slope, end.curvature], 0.0, atol=1e-10)
    assert_allclose(end.value, 2.0 * (-1) ** (k + 1), rtol=1e-12)

    start, end = (mode_shape("clamped-clamped", "y", k, np.array(x)) for x in (0.0, 1.0))
    assert_allclose([start.value, start.slope, end.value, end.slope], 0.0, atol=1e-11)

    start, end = (mode_shape("hinged", "y", k, np.array(x)) for x in (0.0, 1.0))
    assert_allclose([start.value, start.slope, start.curvature, end.curvature], 0.0, atol=1e-12)


def test_clamped_free_wave_numbers():
    assert_allclose([wave_number(k, -1) for k in range(1, 5)], CLAMPED_FREE_WAVE_NUMBERS, rtol=1e-10)


def test_clamped_clamped_shape_as_published():
    """[FL17] (63), with the exact 4.7300407449 and 1.0178094107 for its rounded numbers."""
    b, s = 4.7300407449, 1.0178094107
    published = np.sin(b * XI) - s * np.cos(b * XI) - np.sinh(b * XI) + s * np.cosh(b * XI)
    assert_allclose(mode_shape("clamped-clamped", "y", 1, XI).value, published, atol=1e-8)


def test_tip_normalisation():
    for k in (1, 2):
        tip = mode_shape("clamped-free", "z", k, np.array(1.0), "tip")
        assert_allclose(tip.value, 1.0, rtol=1e-14)
