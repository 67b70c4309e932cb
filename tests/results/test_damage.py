"""Damage of a file is noticed before anything of it is used; whatever else is in a file, opening it explains itself."""

import os

import h5py
import numpy as np
import pytest
from breadth import thinned
from edited_files import edited
from older_files import unpacked
from paths import ROBOTS

import flexarm
from flexarm import ResultError, open_result, open_sweep
from flexarm.results.events.impacts import impact_records
from flexarm.results.storage.digest import USER_BLOCK_BYTES
from flexarm.sweeps.sweep_reader import open_any

CASES = 500
NAMES = ("forward", "flight", "inverse", "modes", "sweep")


def damaged(content: bytes, rng) -> bytes:
    """One byte or bit changed, some overwritten, the end cut off, something appended, two pieces exchanged."""
    whole = bytearray(content)
    place = int(rng.integers(USER_BLOCK_BYTES if rng.random() < 0.2 else len(whole)))
    match rng.integers(6):
        case 0:
            whole[place] ^= 1 << int(rng.integers(8))
        case 1:
            whole[place] = (whole[place] + int(rng.integers(1, 256))) % 256
        case 2:
            piece = slice(place, place + int(rng.integers(1, 5000)))
            whole[piece] = bytes(len(whole[piece]))
        case 3:
            del whole[place:]
        case 4:
            whole += bytes(int(rng.integers(1, 100)))
        case 5:
            size = 512
            first, second = whole[:size], whole[-size:]
            whole[:size], whole[-size:] = second, first
    return bytes(whole)


def test_no_damage_goes_unnoticed(tmp_path):
    contents = [unpacked(tmp_path, name, "format_2").read_bytes() for name in NAMES]
    rng = np.random.default_rng(20)
    path = tmp_path / "damaged.h5"
    tried = 0
    while tried < CASES:
        content = contents[tried % len(contents)]
        changed = damaged(content, rng)
        if changed == content:  # zeros over zeros
            continue
        path.write_bytes(changed)
        for opener in (open_result, open_sweep, open_any):
            with pytest.raises(ResultError) as caught:
                opener(path)
            assert "\n" not in str(caught.value)
        tried += 1


@pytest.mark.slow
def test_every_byte_of_the_user_block_counts(tmp_path):
    path = unpacked(tmp_path, "sweep", "format_2")
    content = path.read_bytes()
    for place in range(USER_BLOCK_BYTES):
        path.write_bytes(content[:place] + bytes([content[place] ^ 1]) + content[place + 1 :])
        with pytest.raises(ResultError):
            open_sweep(path)
    path.write_bytes(content)
    assert not open_sweep(path).failed.any()


def test_every_dataset_of_numbers_has_a_checksum(tmp_path):
    for name in NAMES:
        with h5py.File(unpacked(tmp_path, name, "format_2")) as file:
            for dataset in file.values():
                assert dataset.fletcher32 or h5py.check_string_dtype(dataset.dtype), dataset.name


def test_a_chunk_that_changes_after_the_file_was_opened_is_noticed(tmp_path):
    path = unpacked(tmp_path, "forward", "format_2")
    result = open_result(path)
    with h5py.File(path) as file:
        place = USER_BLOCK_BYTES + file["torque"].id.get_chunk_info(0).byte_offset + 16
    status = path.stat()
    with path.open("r+b") as file:
        file.seek(place)
        file.write(b"\xff\x00\xff")
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))  # as a bad disk would do it
    with pytest.raises(ResultError, match="cannot read"):
        _ = result.torque


def test_a_file_that_has_lost_its_digest_is_refused(tmp_path):
    path = unpacked(tmp_path, "forward", "format_2")
    path.write_bytes(path.read_bytes()[USER_BLOCK_BYTES:])
    with pytest.raises(ResultError, match="lost its digest"):
        open_result(path)


def test_a_digest_of_a_newer_format_is_told(tmp_path):
    path = unpacked(tmp_path, "forward", "format_2")
    path.write_bytes(path.read_bytes().replace(b"\nformat 2\n", b"\nformat 3\n", 1))
    with pytest.raises(ResultError, match="format 3 of a newer flexarm"):
        open_result(path)


def test_a_pipe_and_a_device_are_refused(tmp_path):
    os.mkfifo(tmp_path / "pipe.h5")
    for path in (tmp_path / "pipe.h5", "/dev/zero"):
        with pytest.raises(ResultError, match="not an ordinary file"):
            open_any(path)


def replaced(file, name, **storage):
    del file[name]
    return file.create_dataset(name, **storage)


def loop(file, name):
    del file[name]
    file[name] = h5py.SoftLink(f"/{name}")


def external_link(file, name):
    with h5py.File(file.filename + ".other", "w") as other:
        other["secret"] = file[name][...]
    del file[name]
    file[name] = h5py.ExternalLink(file.filename + ".other", "secret")


def external_storage(file, name):
    size = file[name].size
    shape = file[name].shape
    replaced(file, name, shape=shape, dtype="f8", external=[("/etc/passwd", 0, 8 * size)])


def virtual(file, name):
    layout = h5py.VirtualLayout(file[name].shape, "f8")
    del file[name]
    file.create_virtual_dataset(name, layout)


def references(file, name):
    shape = file[name].shape
    replaced(file, name, shape=shape, dtype=h5py.ref_dtype)


def group(file, name):
    del file[name]
    file.create_group(name)


ODD_DATASETS = {
    "loop": loop,
    "dangling link": lambda file, name: (file.pop(name), file.__setitem__(name, h5py.SoftLink("/nothing"))),
    "external link": external_link,
    "external storage": external_storage,
    "virtual": virtual,
    "references": references,
    "group": group,
    "missing": lambda file, name: file.pop(name),
    "complex": lambda file, name: replaced(file, name, data=file[name][...] * 1j),
    "text": lambda file, name: replaced(file, name, data=np.full(file[name].shape, b"much")),
    "compound": lambda file, name: replaced(file, name, data=np.zeros(file[name].shape, "f8,i4")),
    "boolean": lambda file, name: replaced(file, name, data=file[name][...] > 0),
    "opaque": lambda file, name: replaced(file, name, data=np.zeros(file[name].shape, "V7")),
    "variable length": lambda file, name: replaced(
        file, name, shape=file[name].shape, dtype=h5py.vlen_dtype("f8")
    ),
    "empty": lambda file, name: replaced(file, name, data=h5py.Empty("f8")),
    "scalar": lambda file, name: replaced(file, name, data=1.0),
    "one more dimension": lambda file, name: replaced(file, name, data=file[name][...][..., None]),
    "other shape": lambda file, name: replaced(file, name, data=np.ones(tuple(n + 1 for n in file[name].shape))),
    "nothing of it stored": lambda file, name: replaced(
        file, name, shape=(2**40, *file[name].shape[1:]), dtype="f8", chunks=True
    ),
}  # fmt: skip


def read_everything(path):
    """Open a file and read all of it, as pictures and reports would."""
    result = open_any(path)
    for name in result:
        _ = result[name]
    _ = result.arm


@pytest.mark.parametrize("odd", ODD_DATASETS)
@pytest.mark.parametrize(
    ("kind", "name"),
    [("forward", "time"), ("forward", "torque"), ("flight", "impact_time"), ("modes", "pole")]
    + [("sweep", name) for name in ("status", "payload.mass", "max_torque", "tip", "time", "reason")],
)
def test_an_odd_dataset_is_explained(tmp_path, kind, name, odd):
    path = unpacked(tmp_path, kind, "format_2")
    if name == "reason" and odd in ("text", "complex", "boolean"):
        pytest.skip("text is right there, and makes no numbers")
    with edited(path) as file:
        ODD_DATASETS[odd](file, name)
    with pytest.raises(ResultError) as caught:
        read_everything(path)
    assert "\n" not in str(caught.value)


def test_links_that_nobody_asks_for_are_refused_too(tmp_path):
    path = unpacked(tmp_path, "forward", "format_2")
    with edited(path) as file:
        file["a"], file["b"] = h5py.SoftLink("/b"), h5py.SoftLink("/a")
    with pytest.raises(ResultError, match="'a' is a link to another place, and links are not followed"):
        open_result(path)


ODD_ATTRIBUTES = {
    "format_version": ["two", 0, -1, 1.5, float("nan"), [1, 2], h5py.Empty("i8"), b"2", 2**63, True],
    "kind": [1, "", ["forward", "modes"], h5py.Empty("S4")],
    "status": [0, "done", h5py.Empty("S4")],
    "message": [3.0, ["a", "b"]],
    "robot": [0, "", "[", "links: []", "\x1b[31m", h5py.Empty("S4"), np.zeros(3)],
    "flexarm_version": [2],
    "steps": ["many", 1j],
    "active_time": ["late"],
    "active_joint": [3, -1, 1.5],
    "rigid_modes": ["none"],
    "keys": ["payload.mass", 3, ["no.such", "key"]],
    "records": [["nothing"], 1.0],
}


@pytest.mark.parametrize("kind", ["forward", "payload", "modes", "sweep"])
@pytest.mark.parametrize("name", ODD_ATTRIBUTES)
def test_an_odd_attribute_is_explained(tmp_path, kind, name):
    path = unpacked(tmp_path, kind, "format_2")
    with h5py.File(path) as file:
        if name not in file.attrs:
            pytest.skip("results of this kind do not have it")
    for value in ODD_ATTRIBUTES[name]:
        with edited(path) as file:
            file.attrs[name] = value
        with pytest.raises(ResultError):
            read_everything(path)


@pytest.mark.parametrize("kind", ["forward", "payload", "modes", "sweep"])
def test_attributes_that_are_needed_are_missed(tmp_path, kind):
    path = unpacked(tmp_path, kind, "format_2")
    with h5py.File(path) as file:
        names = list(file.attrs)
    for name in names:
        path = unpacked(tmp_path, kind, "format_2")
        with edited(path) as file:
            del file.attrs[name]
        try:
            read_everything(path)
        except ResultError as error:
            assert name in str(error)  # noqa: PT017


def test_coordinates_that_are_no_numbers_make_no_picture(tmp_path):
    path = unpacked(tmp_path, "forward", "format_2")
    with edited(path) as file:
        file["joint_angle"][3] = np.nan
    with pytest.raises(ResultError, match="not finite"):
        open_result(path).theta()


def test_a_point_that_the_arm_does_not_have_is_explained(tmp_path):
    path = unpacked(tmp_path, "flight", "format_2")
    with edited(path) as file:
        file["impact_point"][0] = 7
    with pytest.raises(ResultError, match="impact_point 7 is none of 2 points"):
        impact_records(open_result(path))


@pytest.mark.parametrize("times", [np.nan, np.inf, 0.0, 1e308])
def test_times_that_do_not_increase_are_refused(tmp_path, times):
    path = unpacked(tmp_path, "forward", "format_2")
    with edited(path) as file:
        file["time"][1] = times
    with pytest.raises(ResultError, match="time does not hold increasing times"):
        _ = open_result(path).time


def test_numbers_out_of_proportion_are_refused_and_nan_and_infinity_are_not(tmp_path):
    path = unpacked(tmp_path, "forward", "format_2")
    with edited(path) as file:
        file["torque"][:2] = np.array([[np.nan], [np.inf]])
    assert np.isinf(open_result(path).torque[1]).all()
    with edited(path) as file:
        file["torque"][2] = -1e305
    with pytest.raises(ResultError, match="torque holds 1e\\+305, out of proportion"):
        _ = open_result(path).torque


@pytest.mark.parametrize("name", ["base_velocity", "base_position", ("base_position", "base_velocity")])
def test_half_a_motion_of_the_base_is_refused(tmp_path, name):
    path = unpacked(tmp_path, "flight", "format_2")
    with edited(path) as file:
        for each in (name,) if isinstance(name, str) else name:
            del file[each]
    with pytest.raises(ResultError, match="needs the dataset base_"):
        open_result(path)


@pytest.mark.parametrize(
    "missing",
    [
        pytest.param(["base_angular_velocity"], marks=pytest.mark.slow),
        ["base_orientation", "base_angular_velocity"],
    ],
)
def test_a_satellite_needs_its_attitude(tmp_path, missing):
    arm = flexarm.replace(flexarm.load_arm(ROBOTS / "slewing_satellite.yaml"), {"parameters.T": 0.1})
    path = tmp_path / "satellite.h5"
    flexarm.simulate(arm, output=path)
    with edited(path) as file:
        for name in missing:
            del file[name]
    with pytest.raises(ResultError, match=f"needs the dataset {', '.join(missing)}"):
        open_result(path)


@pytest.mark.parametrize(
    ("dataset", "values"),
    [
        ("energy_total", np.nan),
        ("energy_kinetic", np.nan),
        ("point_position", np.nan),
        ("joint_velocity", 1e99),
    ],
)
@pytest.mark.parametrize("name", thinned(["energy", "tip", "joints"]))
def test_pictures_are_drawn_of_what_is_not_finite_or_huge(tmp_path, dataset, values, name):
    path = unpacked(tmp_path, "forward", "format_2")
    with edited(path) as file:
        file[dataset][...] = values
    flexarm.plot(open_result(path), name).savefig(tmp_path / "picture.png")
