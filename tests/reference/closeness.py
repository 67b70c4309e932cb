"""What equal means in the tests of the oracle."""

from __future__ import annotations

import numpy as np
from numpy.testing import assert_allclose

ROUND_OFF = 1e-12
"""Relative: sums of a few hundred terms in double precision."""


def assert_close(actual, expected, tolerance=ROUND_OFF):
    assert_allclose(actual, expected, rtol=0, atol=tolerance * np.max(np.abs(expected)))
