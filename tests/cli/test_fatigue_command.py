"""`flexarm fatigue`: the damage of a motion, its picture, and what it says when it cannot."""

import importlib.util
import sys

import numpy as np
import pytest
from click.testing import CliRunner

import flexarm
from flexarm.cli.main import main

NEEDS_RAINFLOW = pytest.mark.skipif(
    importlib.util.find_spec("rainflow") is None, reason="rainflow is not installed"
)
ARM = """
name: mast
gravity: [0, 0, 0]
links:
  - {length: 2.0, material: {E: 2.1e11, rho: 7850}, section: {shape: circle, diameter: 0.05}}
  - {length: 0.5, mu: 1.0}
joints: [{type: fixed}, {}]
loads: [{at: {link: 1, at: 1}, force: [0, 200*sin(2*pi*t), 0]}]
run: {duration: 3, sample: 0.0125%s}
"""
RANGE = 2 * 200 * 2.0 * 32 / (np.pi * 0.05**3)  # twice M / W [Pa]


def flexarm_command(*args):
    return CliRunner().invoke(main, [str(arg) for arg in args], prog_name="flexarm")


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    """Results with recorded loads and without."""
    folder = tmp_path_factory.mktemp("fatigue")
    for name, record in (("recorded", ", record: [loads], stations: 3"), ("plain", "")):
        flexarm.simulate(flexarm.parse_arm(ARM % record), output=folder / f"{name}.h5")
    return folder


@NEEDS_RAINFLOW
def test_three_swings_of_a_mast(results):
    done = flexarm_command("fatigue", results / "recorded.h5", "--range", "100e6", "--plots", "-v")
    assert done.exit_code == 0, done.output
    assert "mast: link 1, at 0 of its length" in done.output
    # from 0 to the first peak and from the last one: half cycles of half the range; 2.5 cycles in between
    assert f"3.5 cycles in 3 s, ranges up to {RANGE / 1e6:.4g} MPa" in done.output
    assert "link 2 has no section" in done.output
    line = flexarm.WoehlerLine(range=100e6)
    damage = (2.5 * (RANGE / 100e6) ** 3 + (RANGE / 2 / 100e6) ** 3) / 2e6
    found = flexarm.fatigue(flexarm.open_result(results / "recorded.h5"), line)
    assert found.damage == pytest.approx(damage, rel=1e-9)
    assert f"damage {damage:.3g}: fatigue after {1 / damage:.3g} such motions" in done.output
    assert (results / "recorded" / "fatigue.png").stat().st_size > 1000


@NEEDS_RAINFLOW
@pytest.mark.parametrize(
    ("borne", "words"), [("1e300", "damage 0\n"), ("1e-300", "damage inf: fatigue after 0 such")]
)
def test_ranges_beyond_all_measure(results, borne, words):
    done = flexarm_command("fatigue", results / "recorded.h5", "--range", borne)
    assert done.exit_code == 0, done.output
    assert words in done.output


@NEEDS_RAINFLOW
def test_loads_need_not_be_recorded(results):
    line = flexarm.WoehlerLine(range=50e6, slope=5.0, cycles=1e6)
    recorded, plain = (
        flexarm.fatigue(flexarm.open_result(results / f"{name}.h5"), line) for name in ("recorded", "plain")
    )
    assert plain.damage == pytest.approx(recorded.damage, rel=1e-9)


@NEEDS_RAINFLOW
def test_tension_is_positive():
    pulled = ARM.replace("[0, 200*sin(2*pi*t), 0]", "[1000*t, 0, 0]") % ""
    found = flexarm.fatigue(flexarm.simulate(flexarm.parse_arm(pulled)), flexarm.WoehlerLine(range=1e8))
    np.testing.assert_allclose(found.stress[-1], 3000 / (np.pi / 4 * 0.05**2), rtol=1e-9)


@NEEDS_RAINFLOW
@pytest.mark.parametrize("borne", [1e8, 1e-300])
def test_the_picture_shows_the_cycles(results, borne):
    from flexarm.plots.loads.stress_cycles import stress_cycles

    found = flexarm.fatigue(flexarm.open_result(results / "recorded.h5"), flexarm.WoehlerLine(range=borne))
    above, below = stress_cycles("mast", found).axes
    assert sum(bar.get_height() for bar in above.patches) == pytest.approx(found.cycles.number)
    assert sum(bar.get_height() for bar in below.patches) == pytest.approx(100.0)
    (equivalent,) = above.get_lines()
    assert equivalent.get_xdata()[0] == pytest.approx(found.equivalent_range / 1e6)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ((), "Missing option '--range'"),
        (("--range", "-1"), "Invalid value for '--range'"),
        (("--range", "1e6", "--slope", "nan"), "Invalid value for '--slope'"),
        (("--range", "1e6", "--at", "0"), "Invalid value for '--at'"),
    ],
)
def test_lines_that_are_none(results, options, words):
    done = flexarm_command("fatigue", results / "recorded.h5", *options)
    assert done.exit_code == 2
    assert words in done.output


def test_an_arm_without_sections_says_what_to_add(tmp_path):
    arm = flexarm.parse_arm(
        "name: bare\nlinks: [{length: 1, mu: 1, EI: 10}]\nrun: {duration: 0.1, sample: 0.1}\n"
    )
    flexarm.simulate(arm, output=tmp_path / "bare.h5")
    done = flexarm_command("fatigue", tmp_path / "bare.h5", "--range", "1e6")
    assert done.exit_code == 2
    assert "link 1 has no section, which its stress needs" in done.output
    assert "give material and section instead" in done.output


def test_without_the_package_the_extra_is_named(results, monkeypatch):
    monkeypatch.setitem(sys.modules, "rainflow", None)
    done = flexarm_command("fatigue", results / "recorded.h5", "--range", "1e6")
    assert done.exit_code == 4
    assert "rainflow, which is not installed (pip install 'flexarm[fatigue]')" in done.output
