"""A small arm that the tests of sweeps vary."""

from __future__ import annotations

import numpy as np

from flexarm import Arm, parse_arm

TEXT = """\
name: small
links:
  - {length: 1.0, mu: 1.0, EI: 50.0, modes: {family: clamped-free, count: 1}}
joints: [{friction: {viscous: 0.2}}]
initial: {joints: [20 deg]}
run: {duration: 0.2, sample: 0.01, rtol: 1e-7, atol: 1e-9}
"""


def small_arm(*replacements: tuple[str, str]) -> Arm:
    """The arm, or one whose text was changed."""
    text = TEXT
    for old, new in replacements:
        assert old in text
        text = text.replace(old, new)
    return parse_arm(text)


def assert_same_numbers(one, other) -> None:
    """Equal to the last bit, but for the time they took."""
    assert list(one) == list(other)
    for name in one:
        if name != "seconds":
            np.testing.assert_array_equal(one[name], other[name], err_msg=name)
