"""Files of every format version open, hold what was written, and have the names that this version writes."""

import h5py
import numpy as np
import pytest
from breadth import thinned
from edited_files import edited
from older_files import FORMATS, KINDS, unpacked

from flexarm import (
    inverse,
    natural_modes,
    open_result,
    open_sweep,
    parse_arm,
    parse_trajectory,
    payload,
    simulate,
    static_equilibrium,
    sweep,
)
from flexarm.catalogue import FORMER_METHODS
from flexarm.description.reading.yaml_files.text_edits import with_values
from flexarm.results import schema
from flexarm.sweeps.sweep_reader import open_any

TIPS = {
    "forward": (0.07841289285366933, -1.9973019049966128, 0.0),
    "flight": (1.0, 0.01679847084940222, 0.0),
    "inverse": (0.5000000000000004, 0.5999999999999989, 0.0),
    "payload": (0.501974526158861, 0.5986600778964204, 0.0),
    "equilibrium": (0.08441053674675582, -1.9963516866277375, 0.0),
    "modes": (0.08441053674675582, -1.9963516866277375, 0.0),
}
"""Tip at the end, as read by the version that wrote the file of format 1 [m]."""
NUMBERS = {
    "flight": ("impact_time", -1, 0.10462417002341966),
    "inverse": ("singular_value", -1, 0.34920135933875973),
    "payload": ("torque_upper", (0, 0), 39.999927598970785),
    "equilibrium": ("tip_deflection", (0, 0), -0.0027452060009024587),
    "modes": ("natural_frequency", 0, 0.426559296300904),
}
"""A number that only results of this kind hold: dataset, place, value."""
ACCURACY = dict.fromkeys(KINDS, 1e-12) | {"payload": 1e-5, "inverse": 1e-9}
"""Relative; a load is searched for to 1e-5, and round-off of another version may end the search elsewhere."""


@pytest.mark.parametrize("version", FORMATS)
@pytest.mark.parametrize("kind", KINDS)
def test_a_result_of_an_older_format_opens_with_its_numbers(tmp_path, kind, version):
    result = open_result(unpacked(tmp_path, kind, version))
    assert (result.kind, result.status) == (kind, "complete")
    assert f"format_{result.attributes['format_version']}" == version
    np.testing.assert_allclose(result.point_position[-1, -1], TIPS[kind], rtol=ACCURACY[kind])
    if kind in NUMBERS:
        dataset, place, number = NUMBERS[kind]
        assert result[dataset][place] == pytest.approx(number, rel=ACCURACY[kind], abs=0)
    assert result.theta().shape == (result.n_samples, 4)
    for name in result:
        assert np.isfinite(result[name]).all(), name


@pytest.mark.parametrize("version", FORMATS)
@pytest.mark.parametrize("method", FORMER_METHODS)
def test_a_result_that_names_a_former_method_opens(tmp_path, method, version):
    path = unpacked(tmp_path, "forward", version)
    plain = open_result(path)
    text = with_values(plain.attributes["robot"], {("run", "method"): method})
    has_digest = version != "format_1"
    with edited(path) if has_digest else h5py.File(path, "a") as file:
        file.attrs["robot"], file.attrs["method"] = text, method
    older = open_result(path)
    assert older.attributes["method"] == method
    assert older.arm.run.method == FORMER_METHODS[method]
    assert older.arm.links == plain.arm.links
    assert older.arm.geometric_stiffening == plain.arm.geometric_stiffening
    assert parse_arm(older.arm.text) == older.arm
    older.save(tmp_path / "saved.h5")
    assert open_result(tmp_path / "saved.h5").arm == older.arm


@pytest.mark.parametrize("version", FORMATS)
def test_a_sweep_of_an_older_format_opens_with_its_numbers(tmp_path, version):
    result = open_sweep(unpacked(tmp_path, "sweep", version))
    assert result.dims == result.keys_varied == ("payload.mass", "links[0].EI")
    assert result["final_tip_x"].tolist() == [
        [0.0784062074477864, 0.0784233324997524],
        [0.0799031135686076, 0.07988962537590237],
    ]
    assert result["tip"][1, 1, -1].tolist() == [0.07988962537590237, -1.99724894489071, 0.0]
    assert not result.failed.any()


def test_links_of_format_1_do_not_shorten_unless_their_description_says_so(tmp_path):
    """The default has changed; a result keeps the meaning with which it was written, saved again or simulated again."""
    first, second = (open_result(unpacked(tmp_path, "forward", version)).arm for version in FORMATS)
    assert (first.geometric_stiffening, second.geometric_stiffening) == (False, True)
    assert parse_arm(first.text) == first
    older = open_result(unpacked(tmp_path, "forward"))
    older.save(tmp_path / "saved.h5")
    assert open_result(tmp_path / "saved.h5").arm == first
    assert not open_sweep(unpacked(tmp_path, "sweep")).arm.geometric_stiffening
    again = simulate(older.arm)
    np.testing.assert_allclose(again.point_position[-1, -1], TIPS["forward"], atol=1e-9)
    assert again.arm == older.arm


def test_there_are_files_of_every_format_version():
    assert [f"format_{version}" for version in range(1, schema.FORMAT_VERSION + 1)] == FORMATS


@pytest.mark.parametrize("place", thinned(range(len(schema.DATASETS) + 1), every=4))
@pytest.mark.parametrize("kind", ["forward", "modes"])
def test_a_dataset_added_anywhere_in_the_table_leaves_older_files_readable(
    tmp_path, monkeypatch, kind, place
):
    entries = list(schema.DATASETS.items())
    entries.insert(place, ("added", schema.Dataset(("time",), "1", "what a newer version records besides")))
    for name in schema.DATASETS.copy():
        monkeypatch.delitem(schema.DATASETS, name)
    for name, entry in entries:
        monkeypatch.setitem(schema.DATASETS, name, entry)
    assert list(schema.DATASETS)[place] == "added"
    assert open_result(unpacked(tmp_path, kind)).n_samples > 0


def written_again(kind, older, path):
    """The same computation by this version."""
    arm = parse_arm(older.attributes["robot"])
    if kind in ("forward", "flight"):
        simulate(arm, output=path)
    elif kind == "equilibrium":
        static_equilibrium(arm, hold="initial").result().save(path)
    elif kind == "modes":
        natural_modes(arm).result().save(path)
    elif kind == "sweep":
        sweep(
            arm, {"payload.mass": [0, 1], "links[0].EI": "800:1200:2"}, series=["tip"], workers=1, output=path
        )
    else:
        trajectory = parse_trajectory(open_result(older.path).attributes["trajectory"])
        if kind == "inverse":
            inverse(arm, trajectory, operational_space=True, verify=True, output=path)
        else:
            payload(arm, trajectory, output=path)


@pytest.mark.parametrize(
    "kind",
    [
        pytest.param(kind, marks=pytest.mark.slow) if kind in ("payload", "sweep") else kind
        for kind in (*KINDS, "sweep")
    ],
)
def test_all_names_dimensions_and_units_of_older_formats_are_still_written(tmp_path, kind):
    older = [unpacked(tmp_path, kind, version) for version in FORMATS]
    written_again(kind, open_any(older[0]), tmp_path / "again.h5")

    def contents(path):
        with h5py.File(path) as file:
            datasets = {name: (dataset.shape, dataset.attrs["units"]) for name, dataset in file.items()}
            return datasets, set(file.attrs)

    found, attributes = contents(tmp_path / "again.h5")
    for expected, expected_attributes in map(contents, older):
        assert attributes >= expected_attributes
        assert found.keys() >= expected.keys()  # further datasets are welcome
        for name in expected:
            if not name.startswith("impact"):  # round-off may decide whether two points strike at once
                assert found[name] == expected[name], name
