"""`flexarm plot`."""

import pytest


@pytest.mark.slow
def test_pictures_stand_beside_the_result(flexarm, folder, result):
    done = flexarm("plot", result)
    assert (done.exit_code, done.stderr) == (0, "")
    assert "study/small/" in done.stdout
    assert (folder / "study" / "small" / "stroboscope.png").read_bytes().startswith(b"\x89PNG")
    assert not list(folder.rglob("*.part"))


@pytest.mark.slow
def test_one_picture_in_a_folder_of_choice_and_again(flexarm, folder, result):
    for _ in range(2):
        assert flexarm("plot", result, "--figure", "stroboscope", "-o", "pictures").exit_code == 0
    assert [path.name for path in (folder / "pictures").iterdir()] == ["stroboscope.png"]


@pytest.mark.slow
def test_several_results_keep_their_pictures_apart(flexarm, folder, result):
    (folder / "study" / "copy.h5").write_bytes((folder / result).read_bytes())
    done = flexarm("plot", result, "study/copy.h5", "--figure", "stroboscope", "-o", "pictures")
    assert done.exit_code == 0
    names = sorted(str(path.relative_to(folder)) for path in folder.glob("pictures/*/*"))
    assert names == ["pictures/copy/stroboscope.png", "pictures/small/stroboscope.png"]


def test_results_are_overlaid_with_labels_of_choice(flexarm, folder, result):
    (folder / "study" / "copy.h5").write_bytes((folder / result).read_bytes())
    done = flexarm("plot", result, "study/copy.h5", "--label", "EI 100", "--label", "rigid", "-o", "pictures")
    assert (done.exit_code, done.stderr) == (0, "")
    assert (folder / "pictures" / "overlay-tip.png").exists()


@pytest.mark.parametrize("labels", [["--label", "a"], ["--label", "a", "--label", "b", "--label", "c"]])
def test_labels_are_one_for_each_file(flexarm, folder, result, labels):
    (folder / "study" / "copy.h5").write_bytes((folder / result).read_bytes())
    done = flexarm("plot", result, "study/copy.h5", *labels, "-o", "pictures")
    assert done.exit_code == 2
    assert f"--label: got {len(labels) // 2} for 2 FILEs" in done.stderr
    assert not (folder / "pictures").exists()


def test_an_unknown_picture_lists_the_known(flexarm, folder, result):
    done = flexarm("plot", result, "--figure", "strobe", "-o", "pictures")
    assert done.exit_code == 2
    assert "stroboscope" in done.stderr
    assert not (folder / "pictures").exists()


def test_files_that_are_no_results(flexarm, folder, result):
    whole = (folder / result).read_bytes()
    (folder / "cut.h5").write_bytes(whole[: len(whole) // 2])
    (folder / "text.h5").write_text("not HDF5")
    for name in ("cut.h5", "text.h5", "missing.h5", "study"):
        done = flexarm("plot", name)
        assert done.exit_code == 4, name
        assert done.stderr.startswith("flexarm: error: "), name
        assert done.stderr.count("\n") == 1
        assert name in done.stderr


def test_a_folder_that_cannot_be_written(flexarm, folder, result):
    (folder / "file").write_text("in the way")
    done = flexarm("plot", result, "-o", "file")
    assert done.exit_code == 4
    assert done.stderr.count("\n") == 1


@pytest.mark.slow
def test_rigid_arms_have_pictures_too(flexarm, folder, robots_beside):
    done = flexarm("simulate", "robots/rigid_two_link.yaml", "--plots")
    assert (done.exit_code, done.stderr) == (0, "")
    assert (folder / "outputs" / "rigid-two-link" / "joints.png").exists()
