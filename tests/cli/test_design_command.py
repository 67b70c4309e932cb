"""`flexarm design`, and the file that it wrote."""

import shutil

import numpy as np
import pytest
from paths import ROBOTS

LQG = ["--method", "lqg", "--weight", "tip_y=400", "--weight", "q_1=20", "--effort", "4", "--noise", "hub=1e-5",
       "--noise", "gauge=1e-6", "--torque-noise", "1e-3"]  # fmt: skip


@pytest.fixture
def ruler(folder):
    shutil.copy(ROBOTS / "lqr_arm.yaml", folder)
    return "lqr_arm.yaml"


def test_an_lqr(flexarm, ruler):
    weights = [
        "--weight",
        "tip_y=400",
        "--weight",
        "q_1=20",
        "--weight",
        "q_1_d=0.2",
        "--effort",
        "tau_1=4",
        "--at",
        "0",
    ]
    done = flexarm("design", ruler, *weights)
    assert (done.exit_code, done.stderr) == (0, "")
    assert "K of tau_1: 5.0249, 3.5424, 3.6707, 0.68609, 1.8583, -1.3318" in done.stdout
    assert "-2.8912 +- 115.33j" in done.stdout
    assert "80.47 deg" in done.stdout


def test_gains_that_round_off_spoils_are_said(flexarm, ruler):
    precise = ["--noise", "hub=1e-9", "--noise", "root=1e-9", "--torque-noise", "1", "--period", "0.001"]
    done = flexarm(
        "design", ruler, "--method", "lqg", "--weight", "tip_y=400", "--weight", "q_1=20", *precise
    )
    assert done.exit_code == 0
    assert done.stderr.startswith(
        "flexarm: warning: gains are uncertain by round-off: the same equations in other"
    )
    assert len(done.stderr.splitlines()) == 1


def test_a_sampled_lqg(flexarm, ruler, folder):
    done = flexarm("design", ruler, *LQG, "--period", "0.001", "-o", "lqg.npz")
    assert (done.exit_code, done.stderr) == (0, "")
    assert "lqg, every 0.001 s" in done.stdout
    with np.load(folder / "lqg.npz") as arrays:
        assert arrays["A"].shape == (6, 6)
        assert arrays["D"].shape == (1, 2)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--weight", "tip_y"], "expected NAME=NUMBER"),
        (["--weight", "tip_y=big"], "expected NAME=NUMBER"),
        (["--weight", "tipy=4"], "unknown output 'tipy'"),
        (["--weight", "q_1=1", "--effort", "1", "--effort", "tau_1=2"], "one number for all inputs"),
        (["--method", "place", "--pole", "-3"], "got 1, expected 6"),
        (["--method", "lqg", "--weight", "q_1=1"], "needs sensors"),
        (["--weight", "q_1=1", "-o", "k.csv"], "ends in .npz, .mat or .h5"),
        (["--weight", "q_1=1", "--period", "0"], "period"),
    ],
)
def test_bad_input_is_one_line_and_writes_nothing(flexarm, ruler, folder, options, message):
    done = flexarm("design", ruler, *options)
    assert done.exit_code in (2, 3, 4)
    assert done.stderr.count("\n") == 1
    assert message in done.stderr
    assert not list(folder.rglob("*.npz"))


@pytest.mark.slow
def test_the_picture_of_a_loop(flexarm, ruler, folder):
    done = flexarm("design", ruler, *LQG, "-o", "lqg.npz", "--plots")
    assert done.exit_code == 0
    assert done.stdout.endswith("lqg.npz\nlqg/loop.png\n")
    assert (folder / "lqg" / "loop.png").stat().st_size > 10_000
