"""Largest loads of a run against closed forms, and their table."""

from __future__ import annotations

import numpy as np
import pytest

import flexarm
from flexarm.analysis.loads.largest_loads import largest_loads, load_rows

ARM = """
name: boom
gravity: [0, 0, 0]
links:
  - length: 2.0
    material: {E: 2.1e11, rho: 7850, nu: 0.3, strength: 235e6}
    section: {shape: rectangle, width: 0.02, height: 0.06}
  - {length: 1.0, mu: 2.0}
joints: [{type: fixed}, {}]
loads: [{at: {link: 1, at: 1}, force: ["-30*t", "-40*t", "40*t"], moment: ["7*t", 0, 0]}]
run: {duration: 2, sample: 0.5, record: [loads], stations: 5}
"""
STATICS = 1e-9
"""Of each number: nothing moves, sums of a few terms."""


@pytest.fixture(scope="module")
def result():
    return flexarm.simulate(flexarm.parse_arm(ARM))


def test_a_cantilever_under_a_growing_load(result):
    """The joint takes force and moment of the load, the root of the link bends most; link 2 carries nothing."""
    found = {(one.part, one.load): one for one in largest_loads(result)}
    across = np.hypot(80, 80)
    expected = {
        ("joint 1", "force"): np.hypot(60, across),
        ("joint 1", "moment"): np.hypot(14, 2 * across),
        ("link 1", "bending moment"): 2 * across,
        ("link 1", "shear force"): across,
        ("link 1", "axial force"): -60,
        ("link 1", "torsion"): 14,
    }
    assert {key: found[key].value for key in expected} == pytest.approx(expected, rel=STATICS)
    assert found["link 1", "bending moment"].at == 0
    assert {one.time for key, one in found.items() if key in expected} == {2.0}
    assert not [key for key in found if key[0] == "link 2"]
    stress = found["link 1", "stress"]
    assert stress.value == pytest.approx(result["stress_max"][:, 0].max())
    assert stress.safety == pytest.approx(235e6 / stress.value)


def test_the_table(result):
    heading, *rows = load_rows(result)
    assert heading == ("", "load", "largest", "at", "time")
    assert [row[0] for row in rows if row[0]] == ["joint 1", "joint 2", "link 1"]
    assert ("link 1", "bending moment", "226.3 N m", "0 of its length", "2 s") in rows
    assert " MPa, safety " in rows[-1][2]


def test_nothing_is_said_of_what_was_not_recorded(result):
    arm = flexarm.parse_arm(ARM.replace("record: [loads], ", ""))
    assert load_rows(flexarm.simulate(arm)) == []
