"""Results of one sample, as a run leaves that stops at once, and of two: everything reads them."""

import numpy as np
import pytest
from click.testing import CliRunner

import flexarm
from flexarm.cli.main import main
from flexarm.plots.registry import standard_figures
from flexarm.sweeps.measures.scalar_measures import MEASURES, OF_FRICTION

STILL = """
name: still
gravity: [0, 0, 0]
links: [{length: 1.0, mu: 1.0, EI: 100, modes: 2}, {length: 0.5, mu: 1.0}]
joints: [{type: fixed}, {limits: [-0.1, 0.1]}]
run: {duration: 0.2, sample: 0.2}
"""
MOVING = """
name: moving
gravity: [0, 0, -9.81]
links: [{length: 1.0, mu: 1.0}, {length: 0.5, mu: 1.0, EI: {y: 40, z: 40}, modes: 1}]
joints: [{twist: 90 deg}, {}]
initial: {joint_rates: [1.0, 2.0]}
drive: [{torque: 1.0}, null]
run: {duration: 0.2, sample: 0.2}
"""


def with_samples(text, samples):
    """The text of a run that stops at once, or reaches its end."""
    return text.replace("sample: 0.2", "sample: 0.2, max_steps: 1") if samples == 1 else text


@pytest.mark.parametrize(
    ("text", "samples"),
    [
        (STILL, 1),
        *(pytest.param(*case, marks=pytest.mark.slow) for case in ((STILL, 2), (MOVING, 1), (MOVING, 2))),
    ],
)
def test_pages_and_pictures_of_hardly_any_samples(text, samples, tmp_path, monkeypatch):
    """Pictures, with every warning an error, a page and a film."""
    monkeypatch.chdir(tmp_path)
    result = flexarm.simulate(flexarm.parse_arm(with_samples(text, samples)), output="result.h5")
    assert result.n_samples == samples
    for name, draw in standard_figures(result).items():
        draw().savefig(f"{name}.png")
    for command in ("report --no-animation", "animate --fps 2 -o film.gif"):
        name, *options = command.split()
        done = CliRunner().invoke(main, [name, "result.h5", *options])
        assert done.exit_code == 0, done.output


@pytest.mark.parametrize("samples", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_measures_of_runs_with_hardly_any_samples(samples, tmp_path, monkeypatch):
    """Every measure of a sweep: a number or none, and no failure."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "arm.yaml").write_text(with_samples(MOVING, samples))
    quantities = [
        "settling_time:joint_angle[0]:5%", "overshoot:joint_angle[1]", "ring_time:joint_angle[0]",
        "residual_vibration:joint_angle[1]:0.1",
    ]  # fmt: skip
    records = [name for name in (*MEASURES, *quantities) if name not in {"max_force", *OF_FRICTION}]
    options = [part for name in records for part in ("--record", name)]
    command = [
        "sweep",
        "arm.yaml",
        "--vary",
        "payload.mass=0:1:2",
        "--workers",
        "1",
        "-o",
        "sweep.h5",
        *options,
    ]
    done = CliRunner().invoke(main, command)
    assert done.exit_code == (0 if samples == 2 else 3), done.output
    assert "internal error" not in done.output
    swept = flexarm.open_sweep("sweep.h5")
    assert swept["final_tip_x"].shape == (2,)
    assert not any(np.isinf(swept[name]).any() for name in swept.records)
    if samples == 2:
        assert np.isfinite(swept["final_tip_x"]).all()
