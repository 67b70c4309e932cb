"""Lateral buckling: Prandtl's blade with segments, and the warnings where the model does not see it coming."""

from __future__ import annotations

import re

import numpy as np
import pytest
from breadth import thinned
from scipy.optimize import brentq
from scipy.special import jv

import flexarm
from flexarm.model.chain_builder import build_chain
from flexarm.simulation.validity.lateral_buckling import moment_ratio
from flexarm.simulation.validity.link_bending import LinkBending
from flexarm.simulation.validity.link_measures import States, link_measures

EI_Y, EI_Z, GJ = 1e4, 10.0, 8.0
PRANDTL = 4.0126 * np.sqrt(EI_Z * GJ)
"""Tip force under which a clamped blade of 1 m buckles sideways [N]."""
ALL = "[{count: 2}, {count: 2, direction: z}, {count: 2, direction: torsion}]"

BLADE = """
name: blade
gravity: [0, 0, 0]
geometric_stiffening: true
links:
  - length: 1.0
    mu: 1.0
    EI: {y: 1.0e4, z: 10.0}
    GJ: 8.0
    rotary_inertia: [0.01, 0.005, 0.005]
    segments: SEGMENTS
    modes: MODES
joints: [{type: fixed}]
loads: [{at: tip, force: [0, "FORCE", 0]}]
run: {duration: 0.1, sample: 0.005}
"""


def blade(part: float, segments: int = 1, modes: str = ALL, time: str = "1", extra: str = ""):
    text = BLADE.replace("SEGMENTS", f"{segments}").replace("MODES", modes)
    return flexarm.parse_arm(text.replace("FORCE", f"{part * PRANDTL}*{time}") + extra)


def sideways(warnings) -> list[str]:
    return [text for text in warnings if "sideways" in text]


def named(warnings) -> int:
    (text,) = sideways(warnings)
    return int(re.findall(r"segments: (\d+)", text)[0])


@pytest.mark.parametrize(("segments", "part"), thinned([(2, 1.307), (4, 1.066), (8, 1.0165)]))
def test_segments_buckle_near_prandtls_load(segments, part):
    """Second order in the length of a segment: 8 are within 2 %."""
    assert flexarm.static_equilibrium(blade(0.999 * part, segments)).stability == "stable"
    assert flexarm.static_equilibrium(blade(1.001 * part, segments)).stability == "unstable"


@pytest.mark.slow
@pytest.mark.parametrize("modes", ["[{count: 2, direction: z}, {count: 2, direction: torsion}]", ALL])
def test_advice_that_is_followed_finds_the_critical_load(modes):
    """Also where the stiff direction is rigid. A single segment sees nothing at any load."""
    for part, stability in ((0.95, "stable"), (1.05, "unstable")):
        found = flexarm.static_equilibrium(blade(part, modes=modes))
        assert found.stability == "stable"
        segments = named(flexarm.run_warnings(found.result()))
        assert segments == 8
        found = flexarm.static_equilibrium(blade(part, segments, modes))
        assert found.stability == stability
        assert flexarm.run_warnings(found.result()) == []


@pytest.mark.parametrize("part", thinned([0.3, 0.5]))
def test_all_commands_warn_from_a_third_on(part):
    arm = blade(part)
    texts = [
        flexarm.check_arm(arm).warnings,
        flexarm.run_warnings(flexarm.static_equilibrium(arm).result()),
        flexarm.run_warnings(flexarm.simulate(blade(part, time="min(t/0.09, 1)"))),
    ]
    assert [len(sideways(text)) for text in texts] == [part > 1 / 3] * 3
    if part > 1 / 3:
        for text in texts:
            segments = named(text)
            assert segments == 4
        again = blade(part, segments)
        assert not sideways(flexarm.check_arm(again).warnings)
        assert flexarm.run_warnings(flexarm.static_equilibrium(again).result()) == []
        assert flexarm.run_warnings(flexarm.simulate(blade(part, segments, time="min(t/0.09, 1)"))) == []


def test_a_load_that_comes_later_is_found_where_the_stiff_direction_is_rigid():
    arm = blade(0.5, modes="[{count: 1, direction: z}]", time="step(t - 0.05)")
    assert not sideways(flexarm.check_arm(arm).warnings)
    (text,) = sideways(flexarm.run_warnings(flexarm.simulate(arm)))
    assert "is bent by 50% of the moment" in text
    assert "segments: 4 and modes in direction torsion" in text


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("    GJ: 8.0\n", ""),  # unknown
        ("{y: 1.0e4, z: 10.0}", "1.0e4"),
        ("z: 10.0", "z: 1.0e4"),  # no weaker direction
        ("{y: 1.0e4, z: 10.0}", "{y: 10.0, z: 1.0e4}"),  # bent in the weak one
    ],
)
def test_no_word_where_nothing_is_known_or_nothing_can_buckle(old, new):
    text = BLADE.replace("SEGMENTS", "1").replace("MODES", "2").replace("FORCE", f"{0.9 * PRANDTL}")
    assert old in text
    assert sideways(flexarm.check_arm(flexarm.parse_arm(text)).warnings)
    assert not sideways(flexarm.check_arm(flexarm.parse_arm(text.replace(old, new))).warnings)


def test_a_planar_arm_of_a_known_section_is_warned_too():
    """Strip of steel, 50 mm by 2 mm, on edge: EI_z = 7 N m^2; the model has no modes that could show it."""
    text = """
name: strip
links: [{{length: 1.0, material: {{E: 210e9, rho: 7850, nu: 0.3}},
  section: {{shape: {shape}}}, modes: 2}}]
joints: [{{type: fixed}}]
payload: {{mass: 1.5}}
"""
    strip = flexarm.check_arm(flexarm.parse_arm(text.format(shape="rectangle, width: 0.002, height: 0.05")))
    assert "modes in direction z and torsion" in sideways(strip.warnings)[0]
    bar = flexarm.check_arm(flexarm.parse_arm(text.format(shape="circle, diameter: 0.012")))
    assert not sideways(bar.warnings)


def test_a_blade_that_falls_freely_bears_little():
    """Its weight bends a rod that falls from a pin by mu g l^2 / 27 at most, a seventh of what holding it takes."""
    text = BLADE.partition("joints:")[0].replace("[0, 0, 0]", "[0, -9.81, 0]")
    text = text.replace("SEGMENTS", "1").replace("MODES", ALL).replace("mu: 1.0", "mu: 3.0")
    assert not sideways(flexarm.check_arm(flexarm.parse_arm(text)).warnings)
    held = flexarm.parse_arm(text + "joints: [{type: fixed}]\n")
    assert sideways(flexarm.check_arm(held).warnings)


# -- the measures themselves ---------------------------------------------------------------------------------


def with_moment(moment) -> LinkBending:
    """Measures of one state in which the moment about z is a function of xi."""
    nodes, weights = np.polynomial.legendre.leggauss(12)
    xi = (nodes + 1) / 2
    moments = np.stack([0 * xi, moment(xi)], axis=-1)[None]
    none = np.zeros((1, 1))
    return LinkBending(none, xi, weights / 2, moments)


def first_root(order: float) -> float:
    return brentq(lambda x: jv(order, x), 1.0, 3.0)


@pytest.mark.parametrize(
    ("moment", "critical"),
    [
        (lambda xi: 1 - xi, 4 / 2 * first_root(-0.25)),  # F l^2; Prandtl's 4.0126
        (lambda xi: (1 - xi) ** 2 / 2, 6 * first_root(-1 / 6)),  # q l^3, 12.85
        (lambda xi: 1 + 0 * xi, np.pi / 2),  # M l
    ],
)
def test_closed_forms_of_the_critical_moment(moment, critical):
    link = blade(1.0).links[0]
    exact = critical * np.sqrt(EI_Z * GJ / (1 - EI_Z / EI_Y))
    found = 1 / moment_ratio(link, with_moment(moment))[0]
    print(f"{found} against {exact}")
    assert found == pytest.approx(exact, rel=2e-4)


def test_moment_within_a_floating_bar_is_that_of_dalembert():
    """A free bar of length L pushed across at its end: F L / 8 in the middle, where two of its links meet."""
    text = """
name: bar
base: planar
gravity: [0, -9.81, 0]
links: [{length: 0.5, mu: 2.0}, {length: 0.5, mu: 2.0, EI: 1.0e4, modes: 1}]
joints: [{}, {type: fixed}]
loads: [{at: tip, force: [0, 8.0, 0]}]
"""
    arm = flexarm.parse_arm(text)
    chain = build_chain(arm)
    theta_dd = np.array([[6 * 8.0 / 2.0, 0.0, np.nan, np.nan]])  # 6 F / (m L), the bar's angular acceleration
    still = np.zeros((1, 4))
    states = States(still, still, theta_dd, np.zeros(1), deformed=False)
    first, second = link_measures(arm, chain, states)
    ends = [np.polyfit(one.bending.stations, one.bending.moment[0, :, 1], 1) for one in (first, second)]
    assert np.polyval(ends[0], 0.0) == pytest.approx(0.0, abs=1e-12)
    assert abs(np.polyval(ends[0], 1.0)) == pytest.approx(1.0)
    assert abs(np.polyval(ends[1], 0.0)) == pytest.approx(1.0)
