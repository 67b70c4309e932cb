"""Units of datasets: each joint has its own, said joint by joint where they differ."""

from functools import cache

import h5py
import numpy as np
import pytest

import flexarm
from flexarm.results.schema import DATASETS, TIMELESS
from flexarm.results.units import units_of

TYPES = {
    "turning": ("revolute", "revolute"),
    "sliding": ("prismatic", "prismatic"),
    "mixed": ("prismatic", "revolute"),
    "locked": ("prismatic", "fixed"),
}
TURNING = ("rad", "rad/s", "rad/s^2", "N m", "N m s")
SLIDING = ("m", "m/s", "m/s^2", "N", "N s")


@cache
def arm(types, more=""):
    joints = ", ".join(f"{{type: {one}, origin: {{xyz: [0, 0.1, 0]}}}}" for one in TYPES[types])
    return flexarm.parse_arm(
        f"name: {types}\nlinks: [{{length: 0.2, mu: 1}}, {{length: 0.4, mu: 1, EI: 40, modes: 1}}]\n"
        f"joints: [{joints}]\n{more}run: {{duration: 0.02, sample: 0.01, record: [generalised_forces]}}\n"
    )


@pytest.mark.parametrize("types", TYPES)
def test_units_of_all_joints(types):
    kinds = [SLIDING if one == "prismatic" else TURNING for one in TYPES[types]]
    for name, k in {
        "joint_angle": 0,
        "joint_velocity": 1,
        "joint_acceleration": 2,
        "torque": 3,
        "rigid_joint_angle": 0,
        "rigid_torque": 3,
        "torque_upper": 3,
        "shape_joint_angle": 0,
    }.items():
        expected = [kind[k] for kind in kinds]
        alike = expected[0] if expected[0] == expected[1] else ", ".join(expected)
        assert units_of(name, arm(types))[0] == alike, name
        for joint in (0, 1):
            assert units_of(name, arm(types), joint)[0] == expected[joint], name


def test_units_of_arms_whose_joints_turn_are_those_of_the_schema():
    for name, entry in {**DATASETS, **TIMELESS}.items():
        units, meaning = units_of(name, arm("turning"))
        if "coordinate" in entry.dims:  # the bending mode has a force
            assert units == "N m or N"
        elif name.startswith("mode_"):
            assert units == entry.units.replace("1", "m", 1)
        else:
            assert (units, meaning) == (entry.units, entry.long_name), name


def test_meanings_say_what_the_coordinates_are():
    assert units_of("joint_angle", arm("mixed"))[1] == "joint position or angle"
    assert units_of("torque", arm("sliding"))[1] == "joint force"
    assert (
        units_of("rigid_torque", arm("locked"))[1]
        == "joint force or torque of the rigid arm on the same path"
    )


def test_files_and_xarray_say_the_same(tmp_path):
    xarray = pytest.importorskip("xarray")
    result = flexarm.simulate(arm("mixed"), output=tmp_path / "mixed.h5")
    table = result.to_xarray()
    with h5py.File(tmp_path / "mixed.h5") as file:
        for name, dataset in file.items():
            if name in result:
                assert dataset.attrs["units"] == table[name].attrs["units"], name
                assert dataset.attrs["long_name"] == table[name].attrs["long_name"], name
        assert file["joint_velocity"].attrs["units"] == "m/s, rad/s"
        assert file["force_inertia"].attrs["units"] == "N or N m"
    assert isinstance(table, xarray.Dataset)
    assert "N, N m" in result._repr_html_()


def test_impulses_of_kinks_have_the_units_of_the_joints_that_are_prescribed(tmp_path):
    kink = "abs(t - 0.01)"
    for types, drives, expected in (
        ("mixed", f'[{{motion: "{kink}"}}, null]', ("m/s", "N s")),
        ("mixed", f'[null, {{motion: "{kink}"}}]', ("rad/s", "N m s")),
        ("mixed", f'[{{motion: "{kink}"}}, {{motion: "{kink}"}}]', ("m/s or rad/s", "N s or N m s")),
    ):
        moved = arm(types, f"drive: {drives}\n")
        found = [units_of(name, moved)[0] for name in ("motion_impulse_velocity_before", "motion_impulse")]
        assert tuple(found) == expected
    flexarm.simulate(moved, output=tmp_path / "kinks.h5")
    with h5py.File(tmp_path / "kinks.h5") as file:
        assert file["motion_impulse"].attrs["units"] == "N s or N m s"
        np.testing.assert_allclose(file["motion_impulse_velocity_after"][:], 1.0, atol=1e-12)
