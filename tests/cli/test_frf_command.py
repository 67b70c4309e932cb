"""`flexarm frf`, and what it wrote reopened."""

import numpy as np
import pytest

import flexarm as library


@pytest.mark.slow
def test_a_force_on_the_tip(flexarm, folder):
    done = flexarm(
        "frf",
        "small.yaml",
        "--input",
        "force@1:1:y",
        "--observe",
        "tip",
        "--from",
        "0.5",
        "--to",
        "50",
        "--plots",
    )
    assert (done.exit_code, done.stderr) == (0, "")
    assert "force_y@1:1 -> tip_y" in done.stdout
    assert "small-frf/frequency-response.png" in done.stdout
    result = library.open_result(folder / "outputs" / "small-frf.h5")
    frequencies = result["response_frequency"]
    assert (frequencies[0], frequencies[-1]) == (0.5, pytest.approx(50.0))
    assert result["frequency_response"].shape[1:] == (2, 1, 2)
    assert np.isfinite(result["frequency_response"]).all()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--input", "force@9:1:y"], "got link 9"),
        (["--input", "torqe"], "did you mean 'torque'?"),
        (["--observe", "tips"], "did you mean 'tip'?"),
        (["--input", "reference"], "no joint has a PD drive"),
        (["--from", "5", "--to", "1"], "the second larger"),
        (["--points", "1"], "--points"),
    ],
)
def test_bad_input_is_one_line_and_writes_nothing(flexarm, folder, options, message):
    done = flexarm("frf", "small.yaml", *options)
    assert done.exit_code in (2, 3)
    assert message in done.stderr
    assert not list(folder.rglob("*-frf*"))
