"""Free joints with payloads of many link masses under a bang-bang torque: no family of modes stops a run.

The plain kinetic energy of the second order is indefinite at deflections of a few thousandths of these links' lengths.
"""

from __future__ import annotations

import numpy as np
import pytest
from breadth import thinned

import flexarm
from flexarm.catalogue import MODE_FAMILIES

SPACE_BEAM = """
name: space-beam
links: [{{length: 3.372, mu: 2.82, EI: 100.6416, modes: {{{modes}}}}}]
gravity: [0, 0, 0]
geometric_stiffening: true
payload: {{mass: 49.2568}}
drive: [{{torque: "4.485*(1 - 2*step(t - 5))"}}]
run: {{duration: 15.0, sample: 0.02}}
"""
"""MacLean, Huynh & Quiocho (2007): 5.2 link masses at the tip."""
TORQUE, SWITCH = 4.485, 5.0  # N m, s
CHAIN_OF_RODS = {2.5: 0.0235, 5.0: 0.0940, 7.5: 0.1645, 10.0: 0.1879}
"""Angle of the tip seen from the pin [rad], by a fine chain of rods."""

FIVE_LINK_MASSES = """
name: five-link-masses
links: [{{length: 1.0, mu: 0.5, EI: 5.0, modes: {{{modes}}}}}]
gravity: [0, 0, 0]
geometric_stiffening: true
payload: {{mass: 2.5}}
drive: [{{torque: "0.3*(1 - 2*step(t - 1.5))"}}]
run: {{duration: 4.0, sample: 0.01}}
"""

BENDING = [name for name, family in MODE_FAMILIES.items() if "y" in family.directions and name != "table"]
CARRY_A_LOAD = ("clamped-free", "hinged", "polynomial", "craig-bampton", "clamped-loaded", "finite-element")

over_families = pytest.mark.parametrize(
    ("family", "count"),
    thinned([(family, count) for family in BENDING for count in (1, 2, 3, 4, 5)], every=12),
)


def swing(text: str, family: str, count: int) -> flexarm.Result:
    tip = ", tip: auto" if family == "clamped-loaded" else ""
    return flexarm.simulate(flexarm.parse_arm(text.format(modes=f"family: {family}, count: {count}{tip}")))


def imbalance(result: flexarm.Result, torque: float, switch: float) -> float:
    """Energy at the end less the work of the torque, over the largest kinetic energy."""
    q, k = result.joint_angle[:, 0], np.abs(result.time - switch).argmin()
    work = torque * ((q[k] - q[0]) - (q[-1] - q[k]))
    return (result.energy_total[-1] - result.energy_total[0] - work) / result.energy_kinetic.max()


@over_families
def test_space_beam_goes_on_to_the_end(family, count):
    result = swing(SPACE_BEAM, family, count)
    assert result.status == "complete"
    assert abs(imbalance(result, TORQUE, SWITCH)) < 1e-7
    if count >= 3 and family in CARRY_A_LOAD:
        for t, angle in CHAIN_OF_RODS.items():
            x, y, _ = result.point_position[np.abs(result.time - t).argmin(), -1]
            assert np.arctan2(y, x) == pytest.approx(angle, abs=6e-4)


@over_families
def test_five_link_masses_on_a_free_joint(family, count):
    result = swing(FIVE_LINK_MASSES, family, count)
    assert result.status == "complete"
    assert abs(imbalance(result, 0.3, 1.5)) < 1e-7
