"""`flexarm animate`."""

import pytest


@pytest.fixture
def result(flexarm):
    assert flexarm("simulate", "small.yaml", "-o", "study/small.h5").exit_code == 0
    return "study/small.h5"


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


@pytest.mark.parametrize(
    ("arguments", "code", "complaint"),
    [
        (["-o", "arm.avi"], 4, ".gif or .mp4"),
        (["--speed", "0"], 2, "--speed"),
        (["--speed", "nan"], 2, "speed"),
        (["--magnify", "-1"], 2, "--magnify"),
        (["--size", "100000"], 2, "--size"),
        (["--fps", "100"], 2, "write an .mp4"),
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
