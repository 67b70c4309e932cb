"""Units of coordinates: of joints by their type, of modes by their direction, of floating bases."""

import pytest

import flexarm
from flexarm.model.coordinate_units import coordinate_units
from flexarm.model.coordinates import arm_coordinates

ARM = """
name: a
base: {base}
gravity: [0, 0, 0]
links:
  - {{length: 1, mu: 1, EI: 10, GJ: 5, EA: 100, modes: {modes}}}
  - {{length: 1, mu: 1}}
  - {{length: 0, body: {{mass: 1}}}}
joints: [{{type: prismatic, axis: [1, 0, 0]}}, {{type: fixed}}, {{}}]
"""
ROD = "family: fixed-free, count: 1, direction"
SPATIAL_MODES = f"[{{{ROD}: torsion}}, {{{ROD}: axial}}, {{family: clamped-free, count: 1}}]"
BASES = {
    "fixed": (),
    "{type: planar, mass: 1, inertia: 1}": ("m", "m", "rad"),
    "{type: free, mass: 1, inertia: [1, 1, 1]}": ("m", "m", "m", "rad", "rad", "rad"),
}


@pytest.mark.parametrize("base", BASES)
def test_units_follow_the_labels(base):
    planar = "planar" in base
    arm = flexarm.parse_arm(ARM.format(base=base, modes="1" if planar else SPATIAL_MODES))
    found = dict(zip(arm_coordinates(arm).labels, coordinate_units(arm), strict=True))
    assert (found["q_1"], found["q_3"]) == ("m", "rad")
    assert "q_2" not in found
    modal = [unit for label, unit in found.items() if label.startswith("delta")]
    assert modal == (["m"] if planar else ["rad", "m", "m"])
    assert tuple(found.values())[len(found) - len(BASES[base]) :] == BASES[base]
