"""Whatever ends a sweep early, Ctrl-C, SIGKILL or a full disk: what was computed stays, and it goes on from there."""

import os
import signal
import subprocess
import sys
import time
from concurrent.futures import Executor, Future
from pathlib import Path

import numpy as np
import pytest
from breadth import thinned
from small_arm import TEXT, assert_same_numbers, small_arm

from flexarm import ResultError, SolverError, open_sweep, parse_arm, sweep
from flexarm.sweeps.execution import checkpoint

VARY = {"payload.mass": "0:1:40", "links[0].EI": [50, 60]}
RECORD = ("final_tip", "steps")

RUN = """
import sys
from pathlib import Path
from flexarm import FlexarmError, parse_arm, sweep
from flexarm.sweeps.execution import checkpoint
checkpoint.INTERVAL = 0.0
{setup}
try:
    sweep(parse_arm({text!r}), {vary!r}, record={record!r}, output="s.h5", workers=1, progress={progress})
except FlexarmError as error:
    print(error)
    sys.exit(error.exit_code)
"""


def in_another_process(folder, *, setup="", progress="None", text=TEXT) -> subprocess.Popen:
    code = RUN.format(text=text, vary=VARY, record=RECORD, setup=setup, progress=progress)
    return subprocess.Popen([sys.executable, "-c", code], cwd=folder, stdout=subprocess.PIPE, text=True)


def resumed(folder, worker):
    """The same sweep gone on with, and how many points the checkpoint held."""
    path = folder / "s.h5"
    before = sum(np.load(piece)["points"].size for piece in folder.glob("s.h5.parts/*.npz"))
    result = sweep(parse_arm(TEXT), VARY, record=RECORD, output=path, resume=True, executor=worker)
    assert not (folder / "s.h5.parts").exists()
    return result, before


@pytest.fixture(scope="module")
def whole(worker):
    return sweep(small_arm(), VARY, record=RECORD, executor=worker)


def pieces(folder) -> list[Path]:
    return list(folder.glob("s.h5.parts/*.npz"))


def children(process) -> list[int]:
    return [int(pid) for pid in Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()]


def has_ended(pid) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except OSError:
        return True


def wait_until(condition, seconds=120):
    limit = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < limit
        time.sleep(0.02)


@pytest.mark.slow
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="looks into /proc")
def test_a_killed_sweep_goes_on_and_leaves_no_process_behind(tmp_path, worker, whole):
    # After a fifth of the points, in however many pieces, it stands still until it is killed.
    pause = "lambda fraction, _: __import__('time').sleep(600) if fraction > 0.2 else None"
    process = in_another_process(tmp_path, progress=pause)
    wait_until(lambda: pieces(tmp_path))
    workers = children(process)
    process.kill()
    process.communicate()
    assert process.returncode == -signal.SIGKILL
    assert workers
    wait_until(lambda: all(map(has_ended, workers)))
    assert not (tmp_path / "s.h5").exists()
    result, before = resumed(tmp_path, worker)
    assert 0 < before < 80
    assert_same_numbers(result, whole)


def interrupting(after):
    """A report of progress in which Ctrl-C arrives."""

    def report(fraction, _):
        if fraction >= after:
            raise KeyboardInterrupt

    return report


def test_ctrl_c_leaves_a_checkpoint_and_says_how_to_go_on(tmp_path, worker, whole):
    with pytest.raises(SolverError, match=r"interrupted after \d+ of 80 points; \d+ are kept in .*`resume`"):
        sweep(
            small_arm(),
            VARY,
            record=RECORD,
            output=tmp_path / "s.h5",
            executor=worker,
            progress=interrupting(0.3),
        )
    assert not (tmp_path / "s.h5").exists()
    with pytest.raises(ResultError, match="resume"):
        sweep(small_arm(), VARY, record=RECORD, output=tmp_path / "s.h5", executor=worker)
    result, before = resumed(tmp_path, worker)
    assert 24 <= before < 80
    assert_same_numbers(result, whole)


def test_an_interrupted_sweep_can_be_thrown_away(tmp_path, worker, whole):
    path = tmp_path / "s.h5"
    with pytest.raises(SolverError):
        sweep(small_arm(), VARY, record=RECORD, output=path, executor=worker, progress=interrupting(0.3))
    result = sweep(small_arm(), VARY, record=RECORD, output=path, executor=worker, overwrite=True)
    assert_same_numbers(result, whole)
    assert [file.name for file in tmp_path.iterdir()] == ["s.h5"]


class Idle(Executor):
    """Takes work and never does it."""

    def submit(self, fn, /, *args, **kwargs):
        return Future()


def test_ctrl_c_before_anything_is_done_leaves_nothing(tmp_path):
    with pytest.raises(SolverError, match="interrupted after 0 of 80 points; nothing had been computed"):
        sweep(small_arm(), VARY, output=tmp_path / "s.h5", executor=Idle(), progress=interrupting(0))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("text", "vary", "record", "words"),
    [
        (TEXT.replace("mu: 1.0", "mu: 2.0"), VARY, RECORD, ["the arm has changed", "mu: 2.0"]),
        (
            TEXT,
            {**VARY, "payload.mass": "0:2:40"},
            RECORD,
            ["payload.mass has other values", "40 from 0 to 2"],
        ),
        (TEXT, {"payload.mass": "0:1:40"}, RECORD, ["it varied payload.mass, links[0].EI"]),
        (TEXT, VARY, ("steps",), ["records was final_tip_x", "now it is steps"]),
    ],
)
def test_another_sweep_does_not_go_on_with_it(tmp_path, worker, text, vary, record, words):
    path = tmp_path / "s.h5"
    with pytest.raises(SolverError):
        sweep(small_arm(), VARY, record=RECORD, output=path, executor=worker, progress=interrupting(0.3))
    with pytest.raises(ResultError) as caught:
        sweep(parse_arm(text), vary, record=record, output=path, executor=worker, resume=True)
    assert all(word in str(caught.value) for word in words), str(caught.value)
    assert pieces(tmp_path)


def test_nothing_to_go_on_with_is_a_beginning(tmp_path, worker, whole):
    result, before = resumed(tmp_path, worker)
    assert before == 0
    assert_same_numbers(result, whole)


def leave(folder, worker):
    """An interrupted sweep; its only piece."""
    with pytest.raises(SolverError):
        sweep(
            small_arm(),
            VARY,
            record=RECORD,
            output=folder / "s.h5",
            executor=worker,
            progress=interrupting(0.3),
        )
    (piece,) = pieces(folder)
    return piece


def rewritten(piece, **changes):
    """Write a piece again with other arrays; None leaves one out."""
    with np.load(piece) as file:
        arrays = {**file, **changes}
    np.savez(piece, **{name: array for name, array in arrays.items() if array is not None})


DAMAGE = {
    "empty": lambda piece: piece.write_bytes(b""),
    "no zip file": lambda piece: piece.write_bytes(b"not a zip file"),
    "cut off": lambda piece: piece.write_bytes(piece.read_bytes()[:-100]),
    "no points": lambda piece: rewritten(piece, points=None),
    "no records": lambda piece: rewritten(piece, records=None),
    "no reasons": lambda piece: rewritten(piece, reasons=None),
    "points of another sweep": lambda piece: rewritten(piece, points=np.load(piece)["points"] + 60),
    "negative points": lambda piece: rewritten(piece, points=np.load(piece)["points"] - 1),
    "points of text": lambda piece: rewritten(piece, points=np.load(piece)["points"].astype(str)),
    "fewer records": lambda piece: rewritten(piece, records=np.load(piece)["records"][:-1]),
    "narrower records": lambda piece: rewritten(piece, records=np.load(piece)["records"][:, :-1]),
    "complex records": lambda piece: rewritten(piece, records=np.load(piece)["records"] * 1j),
    "one number": lambda piece: rewritten(piece, records=np.array(1.0)),
    "a series": lambda piece: rewritten(piece, **{"series tip": np.zeros((80, 3))}),
    "a folder": lambda piece: (piece.unlink(), piece.mkdir()),
    "a pipe": lambda piece: (piece.unlink(), os.mkfifo(piece)),
}  # fmt: skip


@pytest.mark.parametrize("damage", thinned(DAMAGE))
def test_a_damaged_piece_is_named_and_computed_again(tmp_path, worker, whole, caplog, damage):
    piece = leave(tmp_path, worker)
    DAMAGE[damage](piece)
    caplog.set_level("INFO", "flexarm")
    result = sweep(small_arm(), VARY, record=RECORD, output=tmp_path / "s.h5", executor=worker, resume=True)
    assert f"{piece} is damaged: its points are computed again" in caplog.messages
    assert_same_numbers(result, whole)
    assert [path.name for path in tmp_path.iterdir()] == ["s.h5"]


def test_no_number_of_a_damaged_piece_is_taken_for_another(tmp_path, worker):
    """Of 300 pieces with a flipped byte, none yields another number than the whole one."""
    piece = leave(tmp_path, worker)
    content = piece.read_bytes()
    plan = checkpoint.json.loads((piece.parent / "sweep.json").read_text())
    with checkpoint.Checkpoint(tmp_path / "s.h5", plan) as stored:
        (right,) = stored.resume(lambda chunk: True)
        rng = np.random.default_rng(8)
        for place in rng.integers(len(content), size=300).tolist():
            piece.write_bytes(content[:place] + bytes([content[place] ^ 16]) + content[place + 1 :])
            for chunk in stored.resume(lambda chunk: True):
                np.testing.assert_array_equal(chunk.points, right.points)
                for one, other in zip(chunk.results, right.results, strict=True):
                    np.testing.assert_array_equal(one.measures, other.measures)
                    assert one.reason == other.reason


@pytest.mark.parametrize(
    "content", [b"", b"[]", b"null", b"3", b"{", b"[" * 100_000, b"\xff\xfe", b'{"axes": 3}', None]
)
def test_a_damaged_plan_is_named(tmp_path, worker, content):
    plan = leave(tmp_path, worker).parent / "sweep.json"
    plan.unlink() if content is None else plan.write_bytes(content)
    with pytest.raises(ResultError, match=r"s\.h5\.parts.*`overwrite` instead of `resume` starts anew"):
        sweep(small_arm(), VARY, record=RECORD, output=tmp_path / "s.h5", executor=worker, resume=True)
    assert pieces(tmp_path)


@pytest.mark.parametrize(
    "axes", [3, [], [3], [{}], [{"name": "payload.mass"}], [{"name": "payload.mass", "values": "x"}]]
)
def test_a_plan_with_odd_axes_is_that_of_another_sweep(tmp_path, worker, axes):
    path = leave(tmp_path, worker).parent / "sweep.json"
    plan = checkpoint.json.loads(path.read_text())
    path.write_text(checkpoint.json.dumps({**plan, "axes": axes}))
    with pytest.raises(ResultError, match="cannot resume"):
        sweep(small_arm(), VARY, record=RECORD, output=tmp_path / "s.h5", executor=worker, resume=True)


@pytest.mark.parametrize("options", [{}, {"resume": True}, {"overwrite": True}])
def test_a_sweep_that_another_process_computes_is_left_alone(tmp_path, worker, options):
    leave(tmp_path, worker)
    with (
        checkpoint.Checkpoint(tmp_path / "s.h5", {}),
        pytest.raises(ResultError, match="another process is computing this sweep"),
    ):
        sweep(small_arm(), VARY, record=RECORD, output=tmp_path / "s.h5", executor=worker, **options)
    assert pieces(tmp_path)


def test_a_folder_without_pieces_is_nothing(tmp_path, worker, whole):
    """As a process leaves it that is killed at its beginning."""
    (tmp_path / "s.h5.parts").mkdir()
    result = sweep(small_arm(), VARY, record=RECORD, output=tmp_path / "s.h5", executor=worker)
    assert_same_numbers(result, whole)
    assert [path.name for path in tmp_path.iterdir()] == ["s.h5"]


def test_a_name_taken_meanwhile_leaves_the_sweep_under_another(tmp_path, worker, whole):
    def other_program(fraction, _):
        (tmp_path / "s.h5").write_text("theirs")

    with pytest.raises(ResultError, match=r"this one stays in .*s\.2\.h5$"):
        sweep(
            small_arm(),
            VARY,
            record=RECORD,
            output=tmp_path / "s.h5",
            executor=worker,
            progress=other_program,
        )
    assert (tmp_path / "s.h5").read_text() == "theirs"
    assert_same_numbers(open_sweep(tmp_path / "s.2.h5"), whole)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["s.2.h5", "s.h5"]


@pytest.mark.slow
def test_a_file_that_cannot_grow_is_explained_and_the_pieces_stay(tmp_path, worker, whole):
    """The limit lets small pieces pass and stops the result itself."""
    limit = (
        "import resource, signal\nsignal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (6000, 6000))"
    )
    process = in_another_process(tmp_path, setup=limit)
    out, _ = process.communicate()
    assert process.returncode == ResultError.exit_code, out
    assert "File too large" in out
    assert "80 are kept in" in out
    assert not (tmp_path / "s.h5").exists()
    result, before = resumed(tmp_path, worker)
    assert before == 80
    assert_same_numbers(result, whole)


@pytest.fixture
def small_disk(tmp_path):
    """A disk of 100 kB, where one may mount such a thing."""
    folder = tmp_path / "disk"
    folder.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=100k", "tmpfs", str(folder)]
    if os.name != "posix" or subprocess.run(command, capture_output=True).returncode:
        pytest.skip("mounting a small disk is not permitted here")
    yield folder
    subprocess.run(["umount", str(folder)], check=True)


def test_a_full_disk_is_explained_and_what_was_done_stays(small_disk, worker, monkeypatch):
    monkeypatch.setattr(checkpoint, "INTERVAL", 0.0)
    options = {"record": RECORD, "series": ["tip"], "output": small_disk / "s.h5", "executor": worker}
    with pytest.raises(ResultError, match=r"No space left on device; \d+ are kept in .*`resume`"):
        sweep(small_arm(), VARY, **options)
    stored = sum(np.load(piece)["points"].size for piece in pieces(small_disk))
    assert stored > 0
    subprocess.run(["mount", "-o", "remount,size=10m", str(small_disk)], check=True)
    assert sweep(small_arm(), VARY, resume=True, **options)["tip"].shape == (40, 2, 21, 3)
    assert open_sweep(small_disk / "s.h5").failed.sum() == 0
