"""A file appears whole or not at all; whatever cannot be read or written is explained."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import h5py
import numpy as np
import pytest
from edited_files import edited
from paths import PROJECT
from synthetic_results import random_arrays, synthetic_result

from flexarm.errors import ResultError
from flexarm.results.reader import open_result
from flexarm.results.storage.atomic_files import AtomicFile, check_target
from flexarm.results.writer import ResultWriter

OLDER = b"\x89HDF\r\n\x1a\n and more of an older file"


@pytest.fixture
def older(tmp_path):
    path = tmp_path / "result.h5"
    path.write_bytes(OLDER)
    return path


@pytest.fixture
def saved(tmp_path):
    path = tmp_path / "result.h5"
    synthetic_result().save(path)
    return path


@pytest.mark.parametrize("error", [RuntimeError, KeyboardInterrupt, ResultError])
def test_an_exception_leaves_the_older_file_and_nothing_else(older, error):
    arm = synthetic_result().arm

    def write_half():
        with ResultWriter(older, overwrite=True) as writer:
            writer.append(random_arrays(arm, 100))
            raise error("in the middle")

    with pytest.raises(error):
        write_half()
    assert older.read_bytes() == OLDER
    assert list(older.parent.iterdir()) == [older]


def test_leaving_without_finish_leaves_nothing(tmp_path):
    arm = synthetic_result().arm
    with ResultWriter(tmp_path / "result.h5") as writer:
        writer.append(random_arrays(arm, 100))
    assert list(tmp_path.iterdir()) == []


WRITE_AND_STOP = """
import resource, signal, sys
sys.path.insert(0, {tests!r})
from results.synthetic_results import random_arrays, synthetic_result
from flexarm.errors import ResultError
from flexarm.results.writer import ResultWriter
arm = synthetic_result().arm
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
{setup}
try:
    with ResultWriter({path!r}, overwrite=True) as writer:
        for _ in range(50):
            writer.append(random_arrays(arm, 1000))
        {then}
        writer.finish({{"robot": arm.text}})
except ResultError as error:
    print(error)
    sys.exit(error.exit_code)
"""


def write_in_another_process(path, *, setup="", then="") -> subprocess.Popen:
    code = WRITE_AND_STOP.format(tests=str(PROJECT / "tests"), path=str(path), setup=setup, then=then)
    return subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)


def test_a_killed_process_leaves_the_older_file(older):
    process = write_in_another_process(older, then="print('ready', flush=True); signal.pause()")
    assert process.stdout.readline() == "ready\n"
    process.kill()
    process.communicate()
    assert process.returncode == -signal.SIGKILL
    assert older.read_bytes() == OLDER


def test_a_full_disk_is_explained_and_leaves_nothing(older):
    limit = "resource.setrlimit(resource.RLIMIT_FSIZE, (1000000, 1000000))"
    process = write_in_another_process(older, setup=limit)
    out, _ = process.communicate()
    assert process.returncode == ResultError.exit_code
    assert out == f"cannot write {older}: File too large\n"
    assert older.read_bytes() == OLDER
    assert list(older.parent.iterdir()) == [older]


def test_an_existing_file_is_refused(saved):
    before = saved.read_bytes()
    with pytest.raises(ResultError, match="overwrite"):
        synthetic_result().save(saved)
    with pytest.raises(ResultError, match="overwrite"):
        check_target(saved)
    assert saved.read_bytes() == before


def test_an_existing_file_is_replaced_on_demand(saved):
    synthetic_result(samples=5).save(saved, overwrite=True)
    assert open_result(saved).n_samples == 5


def test_a_file_that_turns_up_meanwhile_is_kept_and_so_is_the_result(tmp_path):
    pending = AtomicFile(tmp_path / "a.txt")
    pending.part.write_text("mine")
    (tmp_path / "a.txt").write_text("theirs")
    with pytest.raises(ResultError, match="stays in") as caught:
        pending.commit()
    assert (tmp_path / "a.txt").read_text() == "theirs"
    assert Path(str(caught.value).split("stays in ")[1]).read_text() == "mine"


def test_missing_folders_are_created(tmp_path):
    synthetic_result().save(tmp_path / "outputs" / "today" / "result.h5")
    assert open_result(tmp_path / "outputs" / "today" / "result.h5").status == "complete"


def test_a_link_to_a_file_stays_a_link(saved, tmp_path):
    link = tmp_path / "latest.h5"
    link.symlink_to(saved)
    synthetic_result(samples=5).save(link, overwrite=True)
    assert link.is_symlink()
    assert open_result(saved).n_samples == 5


def test_new_files_have_the_usual_permissions(saved, tmp_path):
    (tmp_path / "other").touch()
    assert saved.stat().st_mode == (tmp_path / "other").stat().st_mode


@pytest.mark.parametrize(
    ("target", "reason"),
    [
        ("folder", "it is a folder"),
        ("file/result.h5", "Not a directory|File exists"),
        ("pipe", "not an ordinary file"),
    ],
)
def test_impossible_targets_are_explained(tmp_path, target, reason):
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").touch()
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(ResultError, match=reason):
        check_target(tmp_path / target, overwrite=True)


def test_a_folder_that_cannot_be_written_is_explained():
    # Nobody may create files there, not even root.
    with pytest.raises(ResultError, match=r"cannot write /proc/result\.h5"):
        check_target("/proc/result.h5")


def test_a_missing_file(tmp_path):
    with pytest.raises(ResultError, match="No such file"):
        open_result(tmp_path / "missing.h5")


def test_something_else_than_hdf5(tmp_path):
    (tmp_path / "arm.yaml").write_text("name: arm\n")
    with pytest.raises(ResultError, match="not an HDF5 file"):
        open_result(tmp_path / "arm.yaml")
    with pytest.raises(ResultError, match="Is a directory"):
        open_result(tmp_path)


def test_a_foreign_hdf5_file(tmp_path):
    with h5py.File(tmp_path / "foreign.h5", "w") as file:
        file["time"] = np.arange(3.0)
    with pytest.raises(ResultError, match="not a result of flexarm"):
        open_result(tmp_path / "foreign.h5")


def test_a_file_cut_off(saved):
    content = saved.read_bytes()
    saved.write_bytes(content[: len(content) // 2])
    with pytest.raises(ResultError, match="damaged or cut off"):
        open_result(saved)


@pytest.mark.parametrize(("name", "value"), [("format_version", 99), ("kind", "origami")])
def test_a_file_of_a_newer_flexarm(saved, name, value):
    with edited(saved) as file:
        file.attrs[name] = value
    with pytest.raises(ResultError, match="newer flexarm"):
        open_result(saved)


def test_a_file_without_a_dataset_it_needs(saved):
    with edited(saved) as file:
        del file["torque"]
    with pytest.raises(ResultError, match="needs the dataset torque"):
        open_result(saved)


def test_a_file_with_uneven_datasets(saved):
    with edited(saved) as file:
        file["torque"].resize(3, axis=0)
    with pytest.raises(ResultError, match="torque has 3 indices of time, expected 301"):
        open_result(saved)


def test_a_dataset_that_does_not_hold_numbers(saved):
    with edited(saved) as file:
        del file["energy_total"]
        file["energy_total"] = np.full(301, b"much")
    with pytest.raises(ResultError, match="energy_total does not hold numbers"):
        open_result(saved)


def test_a_description_that_is_wrong_names_the_file(saved):
    with edited(saved) as file:
        file.attrs["robot"] = "name: arm\nlinks: 3\n"
    with pytest.raises(ResultError, match=r"\.h5: the description of the arm .* links"):
        _ = open_result(saved).arm


def test_an_open_result_can_be_replaced_and_notices(saved):
    result = open_result(saved)
    known = result.time
    synthetic_result(samples=5).save(saved, overwrite=True)
    assert result.time is known
    with pytest.raises(ResultError, match="has changed since it was opened"):
        _ = result.torque


def test_an_open_result_can_be_deleted(saved):
    result = open_result(saved)
    saved.unlink()
    with pytest.raises(ResultError, match="No such file"):
        _ = result.torque


def test_a_result_can_be_saved_over_its_own_file(saved):
    before = synthetic_result()
    open_result(saved).save(saved, overwrite=True)
    np.testing.assert_array_equal(open_result(saved).link_rotation, before.link_rotation)
