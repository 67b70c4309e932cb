"""`flexarm sensitivity`, and its file."""

import numpy as np
import pytest


def test_a_table_and_a_file(flexarm, folder):
    done = flexarm(
        "sensitivity",
        "small.yaml",
        "--by",
        "links[0].EI",
        "--by",
        "payload.mass",
        "--of",
        "final_tip_y",
        "--of",
        "tip",
        "-o",
        "s.npz",
    )
    assert (done.exit_code, done.stderr) == (0, "")
    assert "derivatives by links[0].EI, payload.mass" in done.stdout
    assert "tip by links[0].EI: up to" in done.stdout
    with np.load(folder / "s.npz") as arrays:
        assert arrays["derivative"].shape == (1, 2)
        assert arrays["d_tip/d_payload.mass"].shape == arrays["tip"].shape


@pytest.mark.slow
def test_pictures_show_bars_of_records_and_bands_over_time(flexarm, folder):
    options = ("--by", "links[0].EI", "--by", "payload.mass", "--plots")
    done = flexarm("sensitivity", "small.yaml", *options)
    assert (done.exit_code, done.stderr) == (0, "")
    assert [path.name for path in sorted(folder.rglob("*.png"))] == ["bands.png", "bars.png"]
    done = flexarm(
        "sensitivity", "small.yaml", *options, "--of", "final_tip_y", "--overwrite", "-o", "only.h5"
    )
    assert [path.name for path in sorted((folder / "only").iterdir())] == ["bars.png"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--by", "links[0].EJ"], "EJ"),
        (["--by", "links[0].EI", "--of", "final_tup"], "did you mean"),
        (["--by", "run.duration"], "no derivative by it"),
        (["--by", "links[0].EI", "-o", "s.csv"], "ends in .npz, .mat or .h5"),
        ([], "--by"),
    ],
)
def test_bad_input_is_one_line_and_writes_nothing(flexarm, folder, options, message):
    done = flexarm("sensitivity", "small.yaml", *options)
    assert done.exit_code in (2, 3, 4)
    assert message in done.stderr
    assert done.stderr.count("\n") == 1
    assert not list(folder.rglob("*.npz"))
