"""What is written comes back, through flexarm and through xarray."""

import warnings

import h5py
import numpy as np
import pytest
from paths import ROBOTS
from synthetic_results import random_arrays, synthetic_result

from flexarm import load_arm, motion_equations, simulate
from flexarm.errors import SolverError
from flexarm.results import schema
from flexarm.results.dimensions import STATIONS
from flexarm.results.reader import open_result
from flexarm.results.writer import ResultWriter

ROBOTS_AND_MODES = {"usoro_two_link": 2, "rigid_two_link": 0, "spatial_three_link": 10}


@pytest.fixture(params=ROBOTS_AND_MODES)
def saved(request, tmp_path):
    result = synthetic_result(request.param)
    result.save(tmp_path / "result.h5")
    return result, tmp_path / "result.h5"


def test_arrays_and_attributes_come_back(saved):
    result, path = saved
    again = open_result(path)
    assert list(again) == list(schema.required_datasets("forward"))
    for name in result:
        np.testing.assert_array_equal(again[name], result[name])
    for name, value in result.attributes.items():
        assert again.attributes[name] == value
        assert type(again.attributes[name]) is type(value)
    assert again.arm == result.arm


def test_xarray_opens_the_file_as_it_is(saved):
    xarray = pytest.importorskip("xarray")
    result, path = saved
    with warnings.catch_warnings(), xarray.open_dataset(path, engine="h5netcdf") as dataset:
        warnings.simplefilter("error")
        dataset.load()
    for name in result:
        np.testing.assert_array_equal(dataset[name], result[name])
        assert dataset[name].dims == schema.DATASETS[name].dims
        assert dataset[name].attrs["long_name"]
    n, modes = len(result.arm.links), sum(link.n_modes for link in result.arm.links)
    sizes = {"joint": n, "mode": modes, "point": n + 1, "link": n, "axis": 3, "station": 2}
    assert dict(dataset.sizes) == {"time": 301, **sizes}
    assert dataset.time.dtype == float, "seconds, not timedelta64"
    assert dataset.time.attrs["units"] == "s"
    assert list(dataset.axis.values) == ["x", "y", "z"]
    assert list(dataset.station.values) == [0.5, 1.0]
    assert list(dataset.joint.values) == list(range(1, sizes["joint"] + 1))
    assert dataset.attrs["kind"] == "forward"


def test_modes_are_labelled_with_link_direction_and_unit(tmp_path):
    xarray = pytest.importorskip("xarray")
    synthetic_result("spatial_three_link").save(tmp_path / "spatial.h5")
    with xarray.open_dataset(tmp_path / "spatial.h5", engine="h5netcdf") as spatial:
        assert list(spatial.mode_link.values) == [2] * 5 + [3] * 5
        assert list(spatial.mode_direction.values) == ["y", "y", "z", "z", "torsion"] * 2
        assert spatial.mode_velocity.attrs["units"] == "1/s"
        assert "rad for torsion" in spatial.mode_velocity.attrs["long_name"]
    synthetic_result("usoro_two_link").save(tmp_path / "planar.h5")
    with xarray.open_dataset(tmp_path / "planar.h5", engine="h5netcdf") as planar:
        units = [planar[f"mode_{kind}"].attrs["units"] for kind in ("amplitude", "velocity", "acceleration")]
    assert units == ["m", "m/s", "m/s^2"]


def test_blocks_of_any_length_make_the_same_file(tmp_path):
    result = synthetic_result(samples=3000)
    with ResultWriter(tmp_path / "blocks.h5") as writer:
        for start, stop in ((0, 1), (1, 1), (1, 1500), (1500, 3000)):
            writer.append({name: result[name][start:stop] for name in result})
        writer.finish(result.attributes)
    again = open_result(tmp_path / "blocks.h5")
    for name in result:
        np.testing.assert_array_equal(again[name], result[name])


def test_short_runs_make_small_files(saved):
    result, path = saved
    stored = sum(result[name].nbytes for name in result)
    assert path.stat().st_size < stored + 128 * 1024


def test_parts_are_read_without_the_rest(tmp_path):
    result = synthetic_result(samples=5000)
    result.save(tmp_path / "result.h5")
    again = open_result(tmp_path / "result.h5")
    some = np.array([0, 7, 4999])
    np.testing.assert_array_equal(again.rows("torque", some), result.torque[some])
    np.testing.assert_array_equal(again.rows("torque", slice(10, 30, 3)), result.torque[10:30:3])
    assert again.shape("link_deflection") == (5000, 2, 2, 3)
    assert again.n_samples == 5000


def test_incomplete_runs_keep_status_and_message(tmp_path):
    result = synthetic_result(status="incomplete", message="stopped at t = 1 s: too stiff; try radau")
    result.save(tmp_path / "result.h5")
    again = open_result(tmp_path / "result.h5")
    assert again.status == "incomplete"
    assert again.message == result.message
    assert again.message in str(again)


def test_a_description_longer_than_hdf5_likes_attributes_comes_back(tmp_path):
    result = synthetic_result()
    long = result.attributes["robot"] + "# a table of many lines\n" * 10_000
    synthetic_result(robot="usoro_two_link", message=long).save(tmp_path / "result.h5")
    assert open_result(tmp_path / "result.h5").message == long


def test_a_run_without_samples_is_an_error_that_says_why(tmp_path):
    with (
        pytest.raises(SolverError, match="interrupted"),
        ResultWriter(tmp_path / "r.h5") as writer,
    ):
        writer.finish({"kind": "forward", "message": "interrupted at t = 0 s"})
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("spoil", ["shape", "missing"])
def test_blocks_that_do_not_fit_are_refused(tmp_path, spoil):
    arm = synthetic_result().arm
    block = random_arrays(arm, 10)
    other = dict(block)
    if spoil == "shape":
        other["torque"] = other["torque"][:, :1]
    else:
        del other["torque"]
    with ResultWriter(tmp_path / "r.h5") as writer:
        writer.append(block)
        with pytest.raises(ValueError, match="torque"):
            writer.append(other)
    assert list(tmp_path.iterdir()) == []


def test_the_stations_of_the_file_are_those_at_which_the_simulation_samples_the_links():
    """Points of the bent first link in its own axes, less those of the straight link."""
    arm = load_arm(ROBOTS / "usoro_two_link.yaml")
    result = simulate(arm.model_copy(update={"run": arm.run.model_copy(update={"duration": 0.1})}))
    stations, length = [0.0, *STATIONS], arm.links[0].length
    assert stations == [0.0, 0.5, 1.0], "even steps, as MotionEquations.shape makes them"
    points = motion_equations(arm).shape(result.theta(), len(stations))[:, 0]
    q = result.joint_angle[:, 0]
    along = np.stack([np.cos(q), np.sin(q)], axis=1)
    across = np.stack([-np.sin(q), np.cos(q)], axis=1)
    for k, eta in enumerate(STATIONS):
        x, y = (np.einsum("ti,ti->t", points[:, k + 1, :2], axis) for axis in (along, across))
        np.testing.assert_allclose(result.link_deflection[:, 0, k, 0], x - eta * length, atol=1e-12)
        np.testing.assert_allclose(result.link_deflection[:, 0, k, 1], y, atol=1e-12)
    assert np.abs(result.link_deflection[:, 0, :, 1]).max() > 1e-6, "it bends"


def test_every_dataset_of_the_file_has_unit_and_meaning(saved):
    with h5py.File(saved[1]) as file:
        for name, dataset in file.items():
            assert dataset.attrs["units"], name
            assert dataset.attrs["long_name"], name
