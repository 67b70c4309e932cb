"""Random drops with friction end, lose the energy that they say they lose, and stay outside the walls.

The first ones are wedged in a corner, or lie flat, so that their contacts are almost redundant.
"""

from __future__ import annotations

import pytest
from breadth import thinned
from rough_drops import energy_error, penetration, rough_drop

import flexarm


@pytest.mark.parametrize("seed", thinned([1215, 78, 31, 92, 2, 9, 16, *range(100, 120)], every=30))
def test_drop(seed):
    result = flexarm.simulate(flexarm.parse_arm(rough_drop(seed)))
    assert result.status == "complete", result.message
    assert energy_error(result) < 1e-8  # rtol is 1e-10, over hundreds of pieces of the motion
    assert penetration(result) < 1e-7


@pytest.mark.slow
def test_what_moving_the_state_onto_walls_takes_is_counted():
    """A chain jammed in a corner, of which kinetic energy alone would leave 1.6e-9 of the balance open."""
    result = flexarm.simulate(flexarm.parse_arm(rough_drop(211)))
    assert energy_error(result) < 5e-10
