"""Diagrams of loads and the coloured arm hold what the result holds."""

from __future__ import annotations

import numpy as np
import pytest
from loaded import carried
from matplotlib.collections import LineCollection
from numpy.testing import assert_allclose, assert_array_equal
from paths import ROBOTS
from simulated import changed, simulated

import flexarm
from flexarm.plots.loads.load_diagrams import load_range
from flexarm.plots.registry import standard_figures


def lines(axes, gid: str) -> np.ndarray:
    (line,) = [line for line in axes.lines if line.get_gid() == gid]
    return line.get_xydata()


def test_diagrams_hold_the_loads_at_the_largest_bending_moment():
    result = carried()
    bending = np.abs(result["section_moment"][..., 2])
    worst = int(np.nanargmax(np.nanmax(bending, axis=(1, 2))))
    figure = result.plot("loads")
    moment, shear, axial, stress = figure.axes  # no torsion in the plane
    assert f"t = {result.time[worst]:.4g} s" in figure.get_suptitle()
    drawn = lines(moment, "link 2 about z")
    assert_allclose(drawn[:, 0], 1 + 0.8 * np.linspace(0, 1, 5))
    assert_array_equal(drawn[:, 1], result["section_moment"][worst, 1, :, 2])
    assert_array_equal(lines(shear, "link 1 along y")[:, 1], result["section_force"][worst, 0, :, 1])
    assert_array_equal(lines(axial, "link 1")[:, 1], result["section_force"][worst, 0, :, 0])
    assert_array_equal(lines(stress, "link 1")[:, 1], result["stress_max"][worst, 0])
    assert np.isnan(lines(moment, "link 3 about z")[1:-1, 1]).all()  # a body: its ends alone are known
    assert lines(stress, "strength")[0, 1] == 1e6
    assert "MPa" in stress.get_ylabel()
    assert stress.get_xlabel() == "along the arm (m)"


def test_the_range_over_time():
    result = carried()
    found = load_range(result)
    assert_array_equal(found.lowest["section_force"][:2], result["section_force"][:, :2].min(axis=0))
    assert_array_equal(found.highest["section_moment"][:2], result["section_moment"][:, :2].max(axis=0))
    areas = [one for one in result.plot("loads").axes[0].collections if one.get_gid() == "range"]
    drawn = areas[0].get_paths()[0].vertices[:, 1]
    moment = result["section_moment"][:, 0, :, 2]
    assert {moment.min(), moment.max()} <= {*drawn}


def test_the_arm_is_coloured_by_stress():
    """Each piece by the stress in its middle; the largest value is the end of the bar; links without section grey."""
    result = carried()
    figure = result.plot("stress")
    axes, bar = figure.axes
    assert bar.get_ylabel() == "stress (MPa)"
    largest = np.nanmax(result["stress_max"])
    assert_allclose(bar.get_ylim(), [0, 1e-6 * largest])
    heavy = max(
        (one for one in axes.collections if isinstance(one, LineCollection)), key=lambda one: one.zorder
    )
    colours = heavy.get_edgecolors()
    per_link = len(colours) // 3
    assert np.ptp(colours[:per_link], axis=0).max() > 0
    assert np.ptp(colours[per_link:], axis=0).max() == 0
    sample = int(np.nanargmax(np.nanmax(result["stress_max"], axis=(1, 2))))
    assert f"t = {result.time[sample]:.4g} s" in figure.get_suptitle()


def test_without_sections_it_is_coloured_by_the_bending_moment():
    result = carried()
    names = [name for name in result if name != "stress_max"]
    arrays = {name: result[name][:20] for name in names}
    without = flexarm.Result(arrays, result.attributes)
    bar = without.plot("stress").axes[1]
    assert bar.get_ylabel() == "bending moment (N m)"
    bending = np.hypot(*np.moveaxis(arrays["section_moment"][..., 1:], -1, 0))
    assert_allclose(bar.get_ylim(), [0, np.nanmax(bending)])


def test_one_sample_and_no_loads():
    result = carried()
    assert {"loads", "stress"} <= {*standard_figures(result)}
    changed(result, slice(0, 1)).plot("loads")
    changed(result, slice(0, 1)).plot("stress")
    assert not {"loads", "stress"} & {*standard_figures(simulated("rigid_two_link"))}


@pytest.mark.slow
@pytest.mark.parametrize("name", ["spatial_three_link", "wrist_arm", "flying_beam", "falling_chain"])
def test_arms_of_all_kinds(name):
    arm = flexarm.load_arm(ROBOTS / f"{name}.yaml")
    arm = arm.model_copy(update={"run": arm.run.model_copy(update={"record": ("loads",), "duration": 0.1})})
    result = flexarm.simulate(arm)
    for picture in ("loads", "stress"):
        figure = result.plot(picture)
        figure.canvas.draw()
        assert all(axes.get_ylabel() for axes in figure.axes if picture == "loads")


def test_loads_at_rest():
    """A held cantilever under its weight: m g (l - x)^2 / 2l about z."""
    arm = flexarm.parse_arm(
        "name: held\ngravity: [0, -9.81, 0]\nlinks: [{length: 2.0, mu: 3.0}]\njoints: [{}]\n"
        "run: {duration: 1, sample: 0.1, stations: 5}\n"
    )
    result = flexarm.static_equilibrium(arm, hold="initial").result()
    x = np.linspace(0, 2, 5)
    drawn = lines(result.plot("loads").axes[0], "link 1 about z")
    assert_allclose(drawn[:, 0], x)
    assert_allclose(drawn[:, 1], -3 * 9.81 * (2 - x) ** 2 / 2, rtol=1e-12, atol=1e-12)
    assert_allclose(result["joint_force"], [[[0, 3 * 2 * 9.81, 0]]], atol=1e-12)
