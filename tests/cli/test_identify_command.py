"""`flexarm identify`: what it prints, writes and refuses."""

import numpy as np
import pytest
from measured_rig import RIG, measured

from flexarm.description.reading.loader import load_arm

OPTIONS = (
    "--columns",
    "time, hub, gauge, u=drive[0].voltage",
    "--fit",
    "links[0].EI",
    "--fit",
    "payload.mass",
)


@pytest.fixture
def rig(folder):
    """Folder with a rig of wrong numbers and two measured runs."""
    (folder / "rig.yaml").write_text(RIG.replace("0.2494", "0.4").replace("mass: 0.05", "mass: 0.08"))
    for seed in (1, 2):
        data = measured(seed, step=0.01)
        rows = np.column_stack([data["time"], np.degrees(data["hub"]), data["gauge"], data["u"]])
        path = folder / f"run{seed}.csv"
        np.savetxt(path, rows, delimiter=", ", header="time [s], hub [deg], gauge, u", comments="")
    return folder


def test_a_fit_with_a_run_held_back_and_pictures(flexarm, rig):
    done = flexarm(
        "identify", "rig.yaml", "--data", "run1.csv", "--check", "run2.csv", *OPTIONS, "-o", "fitted.yaml", "--plots"
    )  # fmt: skip
    assert (done.exit_code, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert lines[0].startswith("rig: 2 unknowns from 1002 measured values, ")
    assert "95 % interval" in lines[1]
    assert "gauge of run2.csv, held back" in done.stdout
    fitted = (rig / "fitted.yaml").read_text()
    assert "# kg, with the clamp" in fitted
    assert load_arm(rig / "fitted.yaml").payload.mass == pytest.approx(0.05, rel=0.05)
    pairs = zip(fitted.splitlines(), (rig / "rig.yaml").read_text().splitlines(), strict=True)
    assert len([pair for pair in pairs if pair[0] != pair[1]]) == 2
    assert {path.name for path in (rig / "fitted").glob("*.png")} == {
        "correlations.png", "measured-and-simulated-1.png", "measured-and-simulated-2.png",
        "residuals-1.png", "residuals-2.png",
    }  # fmt: skip


@pytest.mark.slow
def test_what_is_not_told_apart_is_printed(flexarm, rig):
    path = rig / "rig.yaml"
    path.write_text(path.read_text().replace("inertia: 3.9e-7, ", ""))
    done = flexarm(
        "identify", "rig.yaml", "--fit", "links[0].EI", "--fit", "links[0].mu", "--fit", "payload.mass",
        "--frequencies", "1.8, 24", "--damping-ratios", "0.004", "--joints", "locked", "-o", "modal.yaml",
        "--report", "modal.html",
    )  # fmt: skip
    assert (done.exit_code, done.stderr) == (0, "")
    assert "only the ratios of links[0].EI, links[0].mu and payload.mass are known" in done.stdout
    page = (rig / "modal.html").read_text()
    assert "only the ratios of" in page
    assert "flexarm identify rig.yaml --fit" in page


@pytest.mark.parametrize(
    ("options", "code", "message"),
    [
        ([], 2, "got nothing that was measured (say --data or --frequencies)"),
        (["--data", "run1.csv"], 2, "column u: "),
        (["--data", "run3.csv"], 2, "run3.csv: no such file"),
        (["--data", "run1.csv", "--noise", "hub"], 2, "expected NAME=NUMBER"),
        (["--frequencies", "1", "-o", "rig.txt"], 4, "ends in .yaml or .yml"),
        (["--frequencies", "1", "-o", "rig.yaml"], 4, "--overwrite"),
        (["--frequencies", "1", "--report", "fit.txt"], 4, "a page ends in .html or .htm"),
        (["--frequencies", "1", "--report", "run1.html"], 4, "--overwrite"),
    ],
)
def test_bad_input_is_one_line_and_writes_nothing(flexarm, rig, options, code, message):
    (rig / "run1.html").touch()
    done = flexarm("identify", "rig.yaml", "--fit", "links[0].EI", *options)
    assert done.exit_code == code
    assert message in done.stderr
    assert done.stderr.count("\n") == 1
    assert not list(rig.glob("outputs/*"))
