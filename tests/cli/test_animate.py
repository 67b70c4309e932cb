"""`flexarm animate`."""

import pytest


def test_the_animation_stands_beside_the_result(flexarm, folder, result):
    done = flexarm("animate", result, "--size", 200)
    assert (done.exit_code, done.stdout, done.stderr) == (0, "study/small/animation.gif\n", "")
    assert (folder / "study" / "small" / "animation.gif").read_bytes().startswith(b"GIF89a")
    assert not list(folder.rglob("*.part"))


def test_an_existing_file_is_kept_without_overwrite(flexarm, folder, result):
    (folder / "arm.gif").write_text("old")
    done = flexarm("animate", result, "-o", "arm.gif", "--size", 200)
    assert done.exit_code == 4
    assert "--overwrite" in done.stderr
    assert (folder / "arm.gif").read_text() == "old"
    assert flexarm("animate", result, "-o", "arm.gif", "--size", 200, "--overwrite", "-q").stdout == ""
    assert (folder / "arm.gif").read_bytes().startswith(b"GIF89a")


def test_a_part_of_the_run_in_a_wide_frame(flexarm, folder, result):
    options = ("--from", 0.01, "--to", 0.02, "--view", "xz", "--wide", "--size", 320)
    done = flexarm("animate", result, "-o", "part.gif", *options)
    assert (done.exit_code, done.stderr) == (0, "")
    assert int.from_bytes((folder / "part.gif").read_bytes()[8:10], "little") == 180


@pytest.mark.parametrize(
    ("arguments", "code", "complaint"),
    [
        (["-o", "arm.avi"], 4, ".gif or .mp4"),
        (["--speed", "0"], 2, "--speed"),
        (["--speed", "nan"], 2, "speed"),
        (["--magnify", "-1"], 2, "--magnify"),
        (["--size", "100000"], 2, "--size"),
        (["--fps", "100"], 2, "write an .mp4"),
        (["--from", "99"], 2, "the run lasts from 0 to"),
        (["--from", "0.02", "--to", "0.01"], 2, "backwards"),
        (["--to", "nan"], 2, "stop"),
        (["--view", "front"], 2, "--view"),
        (["--speed", "1e-6"], 2, "frames are too many"),
    ],
)
def test_mistakes_are_one_line(flexarm, folder, result, arguments, code, complaint):
    done = flexarm("animate", result, *arguments)
    assert done.exit_code == code
    assert done.stderr.startswith("flexarm: error: ")
    assert done.stderr.count("\n") == 1
    assert complaint in done.stderr
    assert not (folder / "study" / "small").exists()


def test_a_file_that_is_no_result(flexarm, folder):
    done = flexarm("animate", "small.yaml")
    assert done.exit_code == 4
    assert done.stderr.count("\n") == 1
