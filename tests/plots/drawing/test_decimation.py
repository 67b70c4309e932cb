"""Long results are thinned for drawing, but no extreme is lost."""

import numpy as np
import pytest
from simulated import changed, simulated

from flexarm.plots.drawing import decimation
from flexarm.plots.drawing.decimation import any_nonzero, envelope, path, thinned
from flexarm.results.result import Result

SAMPLES = 23_457


@pytest.fixture(params=[100_000, 1000], ids=["one block", "many blocks"])
def noisy(request, monkeypatch) -> Result:
    monkeypatch.setattr(decimation, "BLOCK_ROWS", request.param)
    rng = np.random.default_rng(11)
    arrays = {
        "time": np.linspace(0.0, 2.0, SAMPLES),
        "torque": rng.normal(size=(SAMPLES, 3)),
        "point_position": rng.normal(size=(SAMPLES, 2, 3)),
        "energy_total": rng.normal(size=SAMPLES),
    }
    return Result(arrays, {"kind": "forward", "status": "complete"})


def test_few_samples_stay_as_they_are():
    result = changed(simulated("usoro_two_link"), slice(0, 20))
    time, values = envelope(result, "link_rotation")
    np.testing.assert_array_equal(values, result.link_rotation)
    np.testing.assert_array_equal(time[:, 1, 0, 2], result.time)


def test_every_group_keeps_its_extremes(noisy):
    _, values = envelope(noisy, "torque", max_points=400)
    size = -(-SAMPLES // 200)
    assert len(values) <= 400 + size + 1
    whole = SAMPLES - SAMPLES % size
    for column in range(3):
        groups = noisy.torque[:whole, column].reshape(-1, size)
        drawn = values[1 : 1 + 2 * len(groups), column].reshape(-1, 2)
        np.testing.assert_array_equal(drawn.min(axis=1), groups.min(axis=1))
        np.testing.assert_array_equal(drawn.max(axis=1), groups.max(axis=1))


@pytest.mark.parametrize("name", ["torque", "point_position", "energy_total"])
def test_what_is_drawn_are_samples_in_their_order(noisy, name):
    time, values = envelope(noisy, name, max_points=400)
    assert time.shape == values.shape
    assert np.all(np.diff(time, axis=0) >= 0)
    np.testing.assert_array_equal(values[[0, -1]], noisy[name][[0, -1]])
    rows = np.searchsorted(noisy.time, time)
    np.testing.assert_array_equal(values, np.take_along_axis(noisy[name], rows, axis=0))


def test_a_path_keeps_the_extremes_of_every_coordinate(noisy):
    time, points = path(noisy, point=0, max_points=400)
    assert len(points) < SAMPLES / 10
    assert np.all(np.diff(time) >= 0)
    np.testing.assert_array_equal(points, noisy.point_position[np.searchsorted(noisy.time, time), 0])
    np.testing.assert_array_equal(points.max(axis=0), noisy.point_position[:, 0].max(axis=0))
    np.testing.assert_array_equal(points[[0, -1]], noisy.point_position[[0, -1], 0])


def test_a_single_value_anywhere_is_found(noisy):
    torque = np.zeros((SAMPLES, 3))
    assert not any_nonzero(changed(noisy, arrays={"torque": torque}), "torque")
    torque[-1, 2] = 1e-30
    assert any_nonzero(changed(noisy, arrays={"torque": torque}), "torque")


def test_one_curve_keeps_its_extremes_and_its_ends():
    time, values = np.arange(1000.0), np.random.default_rng(0).normal(size=1000)
    few, kept = thinned(time, values, max_points=60)
    assert 40 < few.size <= 62
    assert (kept.min(), kept.max()) == (values.min(), values.max())
    assert (few[0], few[-1]) == (0.0, 999.0)
    np.testing.assert_array_equal(kept, values[few.astype(int)])
    np.testing.assert_array_equal(thinned(time, values, max_points=1000)[1], values)
