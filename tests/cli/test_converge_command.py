"""`flexarm converge`: the table, the description that it writes, and what it says when there is no answer."""

import pytest

import flexarm as library

WHIP = """\
name: whip
geometric_stiffening: true
links:
  - length: 1.0    # m
    mu: 10.0
    EI: 20.0
    modes: 3       # of one segment
run: {duration: 0.3, sample: 0.01}
"""


@pytest.mark.slow
def test_table_estimate_and_the_cheapest_description(flexarm, folder):
    (folder / "whip.yaml").write_text(WHIP)
    done = flexarm("converge", "whip.yaml", "--accuracy", "0.1 mm", "-o", "good.yaml", "--plots")
    assert (done.exit_code, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert lines[0].startswith("whip: tip to 0.1 mm (0.0001 of the longest link) over 0.3 s")
    for label in ("as described", "segments x 2", "one more mode", "tolerances / 100", "coarser"):
        assert any(line.strip().startswith(label) for line in lines)
    assert any(line.startswith("error of the tip as described: about ") for line in lines)
    assert any(line.startswith("least cost for 0.1 mm: segments ") for line in lines)
    assert lines[-2:] == ["good.yaml", "outputs/whip-converge/convergence.png"]
    assert (folder / "outputs/whip-converge/convergence.png").stat().st_size > 10_000
    written = (folder / "good.yaml").read_text().splitlines()
    kept = [line for line in WHIP.splitlines() if "modes" not in line and "run" not in line]
    assert [line for line in kept if line not in written] == []
    arm = library.load_arm("good.yaml")
    assert arm.links[0].segments > 1
    assert library.simulate(arm).status == "complete"


def test_nothing_is_replaced_unasked_and_the_run_is_not_wasted(flexarm, folder):
    (folder / "there.yaml").write_text("mine")
    done = flexarm("converge", "small.yaml", "-o", "there.yaml")
    assert done.exit_code == 4
    assert done.stdout == ""
    assert (folder / "there.yaml").read_text() == "mine"


def test_an_accuracy_that_is_none(flexarm):
    done = flexarm("converge", "small.yaml", "--accuracy", "10 furlongs")
    assert done.exit_code == 2
    assert "got the accuracy '10 furlongs', expected a part of the longest link's length" in done.stderr


def test_no_time_no_number(flexarm, folder):
    done = flexarm("converge", "small.yaml", "--limit", "1e-6", "-o", "good.yaml")
    assert done.exit_code == 3
    assert (
        "the error of the description as given is not known: segments x 2: not tried, it would take"
        in done.stdout
    )
    assert "no description of this accuracy was found; good.yaml was not written" in done.stderr
    assert not (folder / "good.yaml").exists()
