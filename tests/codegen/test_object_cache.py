"""Cache of object code on disk: whole files, found again, checked when read, bounded in size."""

import os
import stat
from concurrent.futures import ThreadPoolExecutor

import casadi as ca
import numpy as np
import pytest

from flexarm.codegen import object_cache
from flexarm.codegen.native import compile_native
from flexarm.codegen.object_cache import cached_object
from flexarm.codegen.piecewise_polynomial import PiecewisePolynomial


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """An empty cache."""
    monkeypatch.setattr(object_cache, "_folders", lambda: [tmp_path / "cache"])
    return tmp_path / "cache"


def fail():
    raise AssertionError("compiled again")


def test_second_process_reads_what_the_first_has_compiled(folder):
    assert cached_object("name", b"content", lambda: b"code") == b"code"
    assert cached_object("name", b"content", fail) == b"code"
    assert cached_object("name", b"other content", lambda: b"other code") == b"other code"
    assert len(list(folder.iterdir())) == 2


def test_code_of_another_processor_is_not_taken(folder, monkeypatch):
    cached_object("name", b"content", lambda: b"code")
    monkeypatch.setattr(object_cache, "_processor", lambda: b"another")
    assert cached_object("name", b"content", lambda: b"its code") == b"its code"


@pytest.mark.parametrize("damage", [b"", b"short", b"\0" * 100])
def test_damaged_code_is_compiled_again(folder, damage):
    cached_object("name", b"content", lambda: b"code")
    (file,) = folder.iterdir()
    file.write_bytes(damage)
    assert cached_object("name", b"content", lambda: b"code") == b"code"
    assert cached_object("name", b"content", fail) == b"code"


def test_code_of_another_name_is_not_taken(folder):
    """Files exchanged: the code in them is whole, but that of another arm."""
    cached_object("arm", b"A", lambda: b"code of A")
    (first,) = folder.iterdir()
    cached_object("arm", b"B", lambda: b"code of B")
    (second,) = set(folder.iterdir()) - {first}
    second.write_bytes(first.read_bytes())
    assert cached_object("arm", b"B", lambda: b"code of B") == b"code of B"
    assert cached_object("arm", b"A", fail) == b"code of A"
    assert cached_object("other", b"A", lambda: b"its own") == b"its own"


@pytest.mark.parametrize("umask", [0o000, 0o002, 0o077, 0o777])
def test_folder_and_files_are_ours_alone_whatever_the_umask(folder, umask):
    folder.parent.mkdir(exist_ok=True)
    before = os.umask(umask)
    try:
        cached_object("name", b"content", lambda: b"code")
    finally:
        os.umask(before)
    (file,) = folder.iterdir()
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert cached_object("name", b"content", fail) == b"code"


@pytest.mark.parametrize("mode", [0o770, 0o702, 0o720])
def test_a_folder_that_others_may_write_is_not_used(folder, caplog, mode):
    cached_object("name", b"content", lambda: b"code")
    folder.chmod(mode)
    with caplog.at_level("INFO", "flexarm"):
        for _ in range(2):
            assert cached_object("name", b"content", lambda: b"compiled again") == b"compiled again"
    assert len(caplog.records) == 1
    assert "may write" in caplog.text
    assert len(list(folder.iterdir())) == 1


@pytest.mark.parametrize("mode", [0o620, 0o602, 0o666])
def test_a_file_that_others_may_write_is_not_used_and_is_replaced(folder, mode):
    cached_object("name", b"content", lambda: b"code")
    (file,) = folder.iterdir()
    file.chmod(mode)
    assert cached_object("name", b"content", lambda: b"compiled again") == b"compiled again"
    assert cached_object("name", b"content", fail) == b"compiled again"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


@pytest.mark.parametrize("what", ["folder", "file"])
def test_what_another_user_owns_is_not_used(folder, monkeypatch, what):
    cached_object("name", b"content", lambda: b"code")
    (file,) = folder.iterdir()
    owned = (folder if what == "folder" else file).stat()
    fstat = os.fstat

    def of_another(descriptor):
        status = fstat(descriptor)
        if not os.path.samestat(status, owned):
            return status
        return os.stat_result([*status[:4], status.st_uid + 1, *status[5:]])

    monkeypatch.setattr(os, "fstat", of_another)
    assert cached_object("name", b"content", lambda: b"compiled again") == b"compiled again"


@pytest.mark.parametrize("kind", ["link", "pipe", "folder"])
def test_only_files_are_read(folder, tmp_path, kind):
    cached_object("name", b"content", lambda: b"code")
    (file,) = folder.iterdir()
    if kind == "link":
        file.rename(tmp_path / "elsewhere")
        file.symlink_to(tmp_path / "elsewhere")
    else:
        file.unlink()
        make = os.mkfifo if kind == "pipe" else os.mkdir
        make(file)
    assert cached_object("name", b"content", lambda: b"compiled again") == b"compiled again"
    assert not list(folder.glob("*.part"))


def test_code_is_stored_in_the_first_writable_folder(tmp_path, monkeypatch):
    closed, open_ = tmp_path / "file", tmp_path / "cache"
    closed.write_text("in the way")
    monkeypatch.setattr(object_cache, "_folders", lambda: [closed, open_])
    cached_object("name", b"content", lambda: b"code")
    assert [path.suffix for path in open_.iterdir()] == [".o"]
    monkeypatch.setattr(object_cache, "_folders", lambda: [closed])
    assert cached_object("name", b"content", lambda: b"code") == b"code"  # nowhere to store it is no failure


def test_writers_at_once_do_no_harm(folder):
    with ThreadPoolExecutor(8) as pool:
        codes = list(pool.map(lambda k: cached_object("name", b"content", lambda: b"code" * 1000), range(64)))
    assert set(codes) == {b"code" * 1000}
    assert [path.suffix for path in folder.iterdir()] == [".o"]


def test_least_recently_used_code_is_evicted_first(folder, monkeypatch):
    monkeypatch.setattr(object_cache, "MAX_FOLDER_BYTES", 2500)
    monkeypatch.setattr(object_cache, "WRITES_PER_EVICTION", 1)
    for k in range(3):
        cached_object(f"n{k}", b"content", lambda: bytes(1000))
        (file,) = folder.glob(f"n{k}.*")
        os.utime(file, (k, k))
        if k == 1:
            cached_object("n0", b"content", fail)  # used last
    cached_object("n3", b"content", lambda: bytes(1000))
    assert sorted(path.name[:2] for path in folder.iterdir()) == ["n0", "n3"]


def test_tables_are_those_of_each_function(folder):
    """Two functions of the same text share object code, not the tables that it reads."""
    t, y, p, u = ca.SX.sym("t"), ca.SX.sym("y"), ca.SX.sym("p", 0), ca.SX.sym("u")
    f = ca.Function("f", [t, y, p, u], [y * u])
    ramps = [PiecewisePolynomial(np.array([0.0, 1.0]), np.array([[slope], [0.0]])) for slope in (2.0, 3.0)]
    first, second = (compile_native(f, [ramp]) for ramp in ramps)
    assert len(list(folder.iterdir())) == 1
    assert first(0.5, [1.0])[0] == 1.0
    assert second(0.5, [1.0])[0] == 1.5
