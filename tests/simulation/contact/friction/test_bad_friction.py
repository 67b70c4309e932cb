"""Friction that cannot be: one line each, which says what was expected."""

from __future__ import annotations

import pytest

import flexarm

ARM = """
name: arm
links: [{{length: 1, mu: 1, EI: {{y: 10, z: 10}}, modes: 1}}]
contact: {{walls: [{{point: [0, -3], normal: [0, 1]{wall}}}], {contact}}}
run: {{duration: 1, sample: 0.1}}
"""
FIRST = {"contact": "friction: 0.3", "wall": ""}


@pytest.mark.parametrize(
    ("change", "key", "words"),
    [
        ({"contact": "friction: -0.1"}, "contact.friction", "got -0.1, expected a number >= 0"),
        ({"contact": "friction: .nan"}, "contact.friction", "got nan"),
        ({"contact": "friction: .inf"}, "contact.friction", "got inf"),
        ({"contact": "friction: rough"}, "contact.friction", "got 'rough', expected a number"),
        ({"contact": "friction: {kinetic: 0.4, static: 0.3}"}, "contact.friction", "at least as large as kinetic"),
        ({"contact": "friction: {static: 0.3}"}, "contact.friction.kinetic", "missing"),
        ({"contact": "friction: 0.3, impact_law: hertz"}, "contact.impact_law", "poisson"),
        ({"contact": "restitution: 1", "wall": ", friction: -1"}, "contact.walls[0].friction", "got -1, expected"),
    ],
)  # fmt: skip
def test_bad_friction_is_told(change, key, words):
    with pytest.raises(flexarm.SpecError) as failure:
        flexarm.parse_arm(ARM.format(**FIRST | change))
    assert f"{key}:" in str(failure.value)
    assert words in str(failure.value)
