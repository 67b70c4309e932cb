"""Cycles of stress and their damage: the standard's example, and sums by hand."""

import importlib.util
import math
import sys

import numpy as np
import pytest
from numpy.testing import assert_allclose

import flexarm
from flexarm.analysis.loads.fatigue import WoehlerLine, rainflow_cycles
from flexarm.analysis.loads.stress_fatigue import damage_bounds, fatigue_of_loads
from flexarm.errors import ModelError, ResultError
from flexarm.links.stress.section_stress import normal_stress, outer_points

NEEDS_RAINFLOW = pytest.mark.skipif(
    importlib.util.find_spec("rainflow") is None, reason="rainflow is not installed"
)
EXAMPLE = [-2, 1, -3, 5, -1, 3, -4, 4, -2]
"""[ASTM-E1049] figure 6; its table has the cycles by range."""
TABLE = {10: 0, 9: 0.5, 8: 1.0, 7: 0, 6: 0.5, 5: 0, 4: 1.5, 3: 0.5, 2: 0, 1: 0}


@NEEDS_RAINFLOW
def test_the_example_of_the_standard():
    cycles = rainflow_cycles(EXAMPLE)
    for size, count in TABLE.items():
        assert cycles.counts[cycles.ranges == size].sum() == count
    assert cycles.number == sum(TABLE.values())
    line = WoehlerLine(range=4.0, cycles=100.0, slope=3.0)
    damage = sum(count / (100 * (4 / size) ** 3) for size, count in TABLE.items())
    assert cycles.damage(line) == pytest.approx(damage, rel=1e-14)
    equivalent = (sum(n * size**3 for size, n in TABLE.items()) / 4) ** (1 / 3)
    assert cycles.equivalent_range(3.0) == pytest.approx(equivalent, rel=1e-14)


@NEEDS_RAINFLOW
def test_a_steady_vibration_has_its_own_range_and_mean():
    t = np.linspace(0, 10, 2001)
    cycles = rainflow_cycles(50.0 + 20.0 * np.sin(2 * np.pi * t))
    assert cycles.number == pytest.approx(10.5)
    whole = np.isclose(cycles.ranges, 40.0, rtol=1e-12)
    assert cycles.counts[whole].sum() == 9.5  # before the first and after the last peak: half a range
    assert_allclose(cycles.means[whole], 50.0)
    line = WoehlerLine(range=40.0, cycles=1e6, slope=5.0)
    assert rainflow_cycles([0.0, 40.0, 0.0, 40.0, 0.0]).damage(line) == pytest.approx(2 / 1e6, rel=1e-14)


@NEEDS_RAINFLOW
@pytest.mark.parametrize("stress", [[], [3.0], [3.0, 3.0, 3.0]])
def test_what_does_not_change_does_no_damage(stress):
    cycles = rainflow_cycles(stress)
    assert cycles.damage(WoehlerLine(range=1.0)) == 0
    assert cycles.equivalent_range(3.0) == 0


@NEEDS_RAINFLOW
@pytest.mark.parametrize(("borne", "damage"), [(1e300, 0.0), (1e-300, math.inf)])
def test_lines_beyond_all_measure(borne, damage):
    assert rainflow_cycles(EXAMPLE).damage(WoehlerLine(range=borne, slope=30.0)) == damage


@pytest.mark.parametrize("stress", [[1.0, math.nan], [[1.0, 2.0]], [math.inf]])
def test_no_series_of_finite_numbers(stress):
    with pytest.raises(ModelError, match="expected a series of finite numbers"):
        rainflow_cycles(stress)


@pytest.mark.parametrize(("key", "value"), [("range", -1.0), ("slope", 0), ("cycles", math.nan)])
def test_a_line_has_positive_numbers(key, value):
    with pytest.raises(ModelError, match=f"{key}: got .*, expected a finite number above 0"):
        WoehlerLine(**{"range": 1.0, key: value})


def test_without_the_package_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "rainflow", None)
    with pytest.raises(
        ResultError, match=r"rainflow, which is not installed \(pip install 'flexarm\[fatigue\]'\)"
    ):
        rainflow_cycles([0.0, 1.0])


@NEEDS_RAINFLOW
def test_the_worst_point_of_a_tapered_mast():
    """Bending moment F(t) (l - x) in a mast whose section modulus falls: the worst station by its own formula."""
    arm = flexarm.parse_arm(
        "name: mast\nlinks: [{length: 2.0, material: {E: 2.1e11, rho: 7850}, "
        "section: {shape: circle, diameter: {eta: [0, 2], values: [0.1, 0.03]}}}]\n"
    )
    xi, F = np.linspace(0, 1, 21), 100.0 * np.array(EXAMPLE)
    moment = np.zeros((len(F), 1, len(xi), 3))
    moment[:, 0, :, 2] = F[:, None] * 2 * (1 - xi)
    line = WoehlerLine(range=80e6)
    found = fatigue_of_loads(arm, [0], xi.tolist(), np.zeros_like(moment), moment, line)
    bending = 32 / np.pi / (0.1 - 0.07 * xi) ** 3 * 2 * (1 - xi)  # stress per force
    worst = np.argmax(bending)
    assert (found.link, found.at) == (1, xi[worst])
    assert abs(found.y) == pytest.approx((0.1 - 0.07 * xi[worst]) / 2, rel=1e-12)
    assert_allclose(np.abs(found.stress), np.abs(F) * bending[worst], rtol=1e-12)
    ranges = {100.0 * size * bending[worst]: count for size, count in TABLE.items()}
    expected = sum(count / 2e6 * (size / 80e6) ** 3 for size, count in ranges.items())
    assert found.damage == pytest.approx(expected, rel=1e-12)


BOX = (
    "name: box\nlinks: [{length: 2.0, material: {E: 2.1e11, rho: 7850}, "
    "section: {shape: SHAPE}}, {length: 1.0, mu: 2}, {length: 1.0, material: {E: 2.1e11, rho: 7850}, "
    "section: {shape: rectangle, height: {eta: [0, 1], values: [0.05, 0.02]}, width: 0.03}}]\n"
)
SHAPES = ["box, height: 0.1, width: 0.06, thickness: 0.004", "tube, diameter: 0.1, thickness: 0.005"]


@NEEDS_RAINFLOW
def test_many_small_cycles_are_worse_than_a_large_one():
    """One swing about z of the largest range, many about y of three quarters: the worst point is that of the latter."""
    arm = flexarm.parse_arm(BOX.replace("SHAPE", SHAPES[1]))
    moment = np.zeros((203, 1, 1, 3))
    moment[1, 0, 0, 2] = 1e3
    moment[3::2, 0, 0, 1] = 750.0
    line = WoehlerLine(range=50e6)
    found = fatigue_of_loads(arm, [0], [0.0], np.zeros_like(moment), moment, line)
    W = arm.links[0].section.section_modulus_y
    assert abs(found.z) == pytest.approx(0.05, rel=1e-12)
    assert found.cycles.number == 100
    assert found.damage == pytest.approx(100 / 2e6 * (750 / W / 50e6) ** 3, rel=1e-12)


@NEEDS_RAINFLOW
@pytest.mark.parametrize("slope", [0.7, 3.0, 8.0])
@pytest.mark.parametrize("shape", SHAPES)
def test_no_other_point_is_worse(shape, slope):
    """Against the cycles of every point of every section."""
    arm = flexarm.parse_arm(BOX.replace("SHAPE", shape))
    rng, t = np.random.default_rng(3), np.linspace(0, 1, 150)[:, None, None, None]
    waves = [np.sin(2 * np.pi * n * t + rng.uniform(0, 6, (1, 2, 3, 3))) for n in (1, 7, 23)]
    force, moment = (
        size * sum(rng.normal(size=(1, 2, 3, 3)) * wave for wave in waves) for size in (1e4, 1e3)
    )
    line, stations = WoehlerLine(range=50e6, slope=slope), [0.0, 0.5, 1.0]
    found = fatigue_of_loads(arm, [0, 2], stations, force, moment, line)
    damages = []
    for column, link in enumerate((0, 2)):
        for k, at in enumerate(stations):
            section = arm.links[link].section.at(at)
            stress = normal_stress(section, outer_points(section), force[:, column, k], moment[:, column, k])
            own = [rainflow_cycles(column_of).damage(line) for column_of in stress.T]
            assert (own <= damage_bounds(stress, line)).all()
            damages += own
    assert found.damage == max(damages)


@NEEDS_RAINFLOW
@pytest.mark.parametrize("repeated", [1, 3])
def test_only_turning_points_count(repeated):
    slow = np.interp(np.linspace(0, 8, 161), np.arange(9), EXAMPLE)
    cycles, expected = rainflow_cycles(np.repeat(slow, repeated)), rainflow_cycles(EXAMPLE)
    assert_allclose(np.sort(cycles.ranges), np.sort(expected.ranges), rtol=1e-14)
    assert cycles.number == expected.number
