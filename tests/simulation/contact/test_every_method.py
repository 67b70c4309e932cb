"""Walls with every integration method: impacts found in its dense output, and contacts that last."""

from __future__ import annotations

import re
import sys

import numpy as np
import pytest
from breadth import thinned
from paths import ROBOTS
from reference.falling_beam import FallingBeam

import flexarm
from flexarm.catalogue import METHODS

TOLERANCES = {"rk4": "step: 1e-4", "radau": "rtol: 1e-7, atol: 1e-9"}
every_method = pytest.mark.parametrize("method", METHODS)


HELD = """
name: held
links: [{length: 0.5, mu: 1}, {length: 0.4, mu: 1}]
joints: [{limits: {range: [-1, 0.2], restitution: 0.5}}, {limits: {range: [-0.3, 1], restitution: 0}}]
initial: {joints: [-0.9, -0.3]}
"""


def run_with(method: str, **settings) -> str:
    chosen = ", ".join(f"{key}: {value}" for key, value in settings.items())
    return f"run: {{method: {method}, {chosen}, {TOLERANCES.get(method, 'rtol: 1e-9, atol: 1e-11')}}}"


def shipped(name: str, run: str) -> flexarm.Result:
    text = (ROBOTS / f"{name}.yaml").read_text()
    return flexarm.simulate(flexarm.parse_arm(re.sub(r"^run: .*$", run, text, flags=re.M)))


@every_method
def test_first_impacts_of_case_study_1_of_fl17(method):
    """Three impacts of the first burst, against the closed form of the fall between impacts."""
    beam = FallingBeam()
    beam.run(0.33)
    result = shipped("shafei_falling_link", run_with(method, duration=0.33, sample=0.01))
    assert result.status == "complete"
    times = np.unique(result.impact_time)
    assert len(times) == 3
    np.testing.assert_allclose(times, beam.impacts[:3], rtol=0, atol=1e-6)


@every_method
def test_a_rod_topples_on_a_floor(method):
    """A contact that lasts from the start: m g / (1 + 3 cos^2 q) at q = 80 degrees, and no work."""
    result = flexarm.simulate(
        flexarm.parse_arm(
            f"""
name: toppling
base: planar
links: [{{length: 1, mu: 1}}]
initial: {{base: [0, 0], joints: [80 deg]}}
contact: {{restitution: 1, walls: [{{point: [0, 0], normal: [0, 1]}}]}}
{run_with(method, duration=0.2, sample=0.01)}
"""
        )
    )
    assert result.status == "complete"
    force = 9.81 / (1 + 3 * np.cos(np.radians(80)) ** 2)
    np.testing.assert_allclose(result.contact_force[0, 0, 0], force, rtol=1e-8)
    assert np.all(result.contact_force[:, 0, 0] > 0)
    assert np.abs(result.point_position[:, 0, 1]).max() < 1e-9
    assert np.ptp(result.energy_total) < 1e-6


@pytest.mark.parametrize("method", thinned(METHODS, every=len(METHODS)))
def test_a_chain_comes_to_rest(method):
    """A hundred impacts that die out, then all points rest; an arm that lies still stops no method."""
    result = shipped("falling_chain", run_with(method, duration=2.0, sample=0.05))
    assert result.status == "complete"
    weights = 0.2 * 9.81 * np.array([0.5, 1, 1, 1, 1, 0.5])
    np.testing.assert_allclose(result.contact_force[-1, :, 0], weights, rtol=1e-6)
    assert result.impact_time[0] == pytest.approx(0.309023, abs=1e-6)


@every_method
def test_a_failure_between_walls_keeps_what_it_has(method):
    result = shipped("shafei_falling_link", run_with(method, duration=0.33, sample=0.0001, max_steps=3))
    assert result.status == "incomplete"
    assert "limit of 3 steps" in result.message


@every_method
def test_the_motion_does_not_depend_on_how_quick_the_computer_is(method, monkeypatch):
    """The same bits, whether time slices end at every other look at the clock or never."""
    arm = flexarm.parse_arm(f"{HELD}{run_with(method, duration=0.3, sample=0.01)}")
    start, found = 0.0, []
    for tick in (0.0, 0.06):

        def clock(tick=tick):
            nonlocal start
            start += tick
            return start

        for name, module in list(sys.modules.items()):
            if name.startswith("flexarm.") and hasattr(module, "perf_counter"):
                monkeypatch.setattr(module, "perf_counter", clock)
        found.append(flexarm.simulate(arm))
    assert found[0].attributes["steps"] == found[1].attributes["steps"]
    assert found[0].limit_torque[-1].any()
    for name, values in found[0].items():
        np.testing.assert_array_equal(values, found[1][name], err_msg=name, strict=True)
