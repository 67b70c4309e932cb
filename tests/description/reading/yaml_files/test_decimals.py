"""Decimals of computed numbers: what was typed comes back, and nothing else is lost."""

import math

import numpy as np
import pytest

from flexarm.description.reading.yaml_files.decimals import ROUND_OFF, decimal_text


@pytest.mark.parametrize(
    ("value", "size", "text"),
    [
        (0.9999999999999999, None, "1"),
        (0.30000000000000004, None, "0.3"),
        (-0.25, None, "-0.25"),
        (400.0, None, "400"),
        (123456789.0, None, "123456789"),
        (0.0031699999999999983, 0.28, "0.00317"),
        (1.0000000000000009e-5, 0.28, "1e-05"),
        (-6e-17, 1.0, "0"),
        (0.0, None, "0"),
        (6e-17, None, "6e-17"),
        (math.pi / 2, None, "1.5707963267948966"),  # 13 digits of it would be a turn of 90 degrees no more
        (4 / 7, 0.6, "0.5714285714285714"),
    ],
)
def test_text_of_a_number(value, size, text):
    assert decimal_text(value, size) == text


def test_typed_numbers_come_back_from_turns():
    rng, changed = np.random.default_rng(26), 0
    for _ in range(300):
        typed = [f"{x:.6g}" for x in rng.uniform(-1, 1, 3) * 10.0 ** rng.integers(-2, 3)]
        turn, vector = np.linalg.qr(rng.normal(size=(3, 3)))[0], np.array(typed, float)
        back = turn.T @ (turn @ vector)
        changed += np.sum(back != vector)
        assert [decimal_text(x, np.abs(back).max()) for x in back] == [f"{x:g}" for x in vector]
    assert changed > 300  # there was something to mend


def test_what_is_written_is_the_number_but_for_round_off():
    rng = np.random.default_rng(1)
    for value in rng.normal(size=2000) * 10.0 ** rng.integers(-8, 8, 2000):
        assert abs(float(decimal_text(value)) - value) <= ROUND_OFF * abs(value)
