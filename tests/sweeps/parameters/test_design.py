"""Grids are products, random points fill their ranges, the same seed gives the same points."""

import numpy as np
import pytest

from flexarm.description.reading.loader import sweep_from_entries
from flexarm.sweeps.parameters.design import Design

RANGES = {"payload.mass": "1:3", "links[0].EI": "10:1000:log", "initial.joints[0]": "-90 deg:90 deg"}


def drawn(**sample):
    return Design.of(sweep_from_entries(arm="", vary=RANGES, sample=sample))


def test_a_grid_is_the_product_of_its_keys_with_the_last_one_fastest():
    design = Design.of(sweep_from_entries(arm="", vary={"a": [1, 2], "b": "0:1:3"}))
    assert (design.keys, design.shape, design.size) == (("a", "b"), (2, 3), 6)
    expected = [[1, 0], [1, 0.5], [1, 1], [2, 0], [2, 0.5], [2, 1]]
    np.testing.assert_array_equal(design.values(np.arange(6)), expected)


def test_angles_are_those_of_the_description():
    design = Design.of(sweep_from_entries(arm="", vary={"a": "-90 deg:90 deg:7"}))
    np.testing.assert_array_equal(
        design.values(np.arange(7))[:, 0], np.radians([-90.0, -60, -30, 0, 30, 60, 90])
    )


def test_levels_spaced_by_ratio():
    design = Design.of(sweep_from_entries(arm="", vary={"a": "1:1000:4:log"}))
    np.testing.assert_allclose(design.values(np.arange(4))[:, 0], [1, 10, 100, 1000], rtol=1e-14)


@pytest.mark.parametrize("method", ["lhs", "sobol"])
def test_random_points_lie_in_their_ranges_and_fill_every_stratum(method):
    values = drawn(count=64, seed=3, method=method).values(np.arange(64))
    unit = np.column_stack(
        [(values[:, 0] - 1) / 2, np.log(values[:, 1] / 10) / np.log(100), values[:, 2] / np.pi + 0.5]
    )
    # Both methods put exactly one of n points into each of n strata of every key.
    for column in unit.T:
        assert sorted((column * 64).astype(int)) == list(range(64))


@pytest.mark.parametrize("method", ["lhs", "sobol"])
def test_the_seed_decides(method):
    once, again, other = (drawn(count=8, seed=seed, method=method).values(np.arange(8)) for seed in (1, 1, 2))
    np.testing.assert_array_equal(once, again)
    assert not np.array_equal(once, other)


def test_levels_and_random_points_together_make_a_product():
    spec = sweep_from_entries(arm="", vary={"a": "0:1", "b": [5, 6, 7]}, sample={"count": 4})
    design = Design.of(spec)
    assert ([axis.name for axis in design.axes], design.shape, design.keys) == (
        ["b", "point"],
        (3, 4),
        ("b", "a"),
    )
