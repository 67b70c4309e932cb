"""Random drops with friction come to an end, lose the energy that they say they lose, and stay outside the walls."""

from __future__ import annotations

import pytest
from breadth import thinned
from rough_drops import energy_error, penetration, rough_drop

import flexarm

WEDGED = (31, 78)
"""Flat chains on rough ground, whose contacts are almost redundant; wedges of three links in a corner."""


@pytest.mark.parametrize("seed", thinned([2, 9, 16, *WEDGED, *range(100, 120)], every=5, keep=WEDGED))
def test_drop(seed):
    result = flexarm.simulate(flexarm.parse_arm(rough_drop(seed)))
    assert result.status == "complete", result.message
    assert energy_error(result) < 1e-8  # rtol is 1e-10, over hundreds of pieces of the motion
    assert penetration(result) < 1e-7
