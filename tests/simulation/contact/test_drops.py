"""Random drops end as they should: nothing gets into a wall, nothing gains energy, nothing hangs."""

from __future__ import annotations

import numpy as np
import pytest
from drops import drop

import flexarm

USUAL, ALL = 1, 200
AT_REST = 212
"""A link without gravity that comes to rest on its wall: all accelerations are round-off."""
DEEPEST, GAIN = 1e-8, 1e-9


def deepest(result):
    """Lowest gap between the points O_i and the walls [m]."""
    return min(
        ((result.point_position - wall.point) @ np.array(wall.normal)).min()
        for wall in result.arm.contact.walls
    )


def largest_gain(result):
    """Largest rise of the energy from any time to any later one, relative to the largest kinetic energy."""
    lowest = np.minimum.accumulate(result.energy_total)
    return (result.energy_total - lowest).max() / max(result.energy_kinetic.max(), 1.0)


@pytest.mark.parametrize(
    "seed",
    [AT_REST, *(pytest.param(seed, marks=[pytest.mark.slow] * (seed >= USUAL)) for seed in range(ALL))],
)
def test_drop(seed):
    result = flexarm.simulate(flexarm.parse_arm(drop(seed)))
    assert result.status == "complete", result.message
    assert deepest(result) > -DEEPEST
    assert largest_gain(result) < GAIN
    assert result.impact_energy_lost.sum() >= -1e-12
    assert result.impact_velocity_after.min(initial=0.0) > -1e-9
    for number in np.unique(result.impact_number):
        rows = result.impact_number == number
        exchanged = np.abs(result.impact_impulse[rows] * result.impact_velocity_before[rows]).sum()
        assert result.impact_energy_lost[rows].sum() >= -1e-11 * exchanged
