"""Samples are computed some thousands at a time: an event may lie beyond the last of them, and before the next."""

from __future__ import annotations

import numpy as np
import pytest

import flexarm

FALL = """
name: fall
base: planar
links: [{length: 0.2, mu: 1.0}]
initial: {base: [0, 3.973]}
contact: {restitution: 0.5, walls: [{point: [0, 0], normal: [0, 1]}]}
run: {duration: 0.95, sample: 0.0001}
"""


@pytest.mark.parametrize("method", ["dop853", "radau", "auto"])
def test_step_that_ends_with_an_impact(method):
    result = flexarm.simulate(flexarm.parse_arm(FALL.replace("run: {", f"run: {{method: {method}, ")))
    t, height = result.time, result["point_position"][:, 0, 1]
    falls = t < result.impact_time[0]
    assert 0.89 < result.impact_time[0] < 0.91
    np.testing.assert_allclose(height[falls], 3.973 - 9.81 * t[falls] ** 2 / 2, atol=1e-9)
