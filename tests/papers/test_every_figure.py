"""Figures, tables and printed numbers of the five papers: every command of docs/papers.md, and a number of each."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from paths import PROJECT

import flexarm
from flexarm.cli.main import main

SECTION = (PROJECT / "docs" / "papers.md").read_text().split("## Figures, tables")[1].split("\n## ")[0]
ROWS = {
    cells[0].strip(): re.findall(r"`(flexarm [^`]*)`", cells[2])
    for line in SECTION.splitlines()
    if line.startswith("| [") and (cells := line.strip("|").split("|"))
}


def _usoro(folder: Path, _: str) -> None:
    result = flexarm.open_result(folder / "ga09" / "flexible.h5")
    np.testing.assert_allclose(result.point_position[-1, -1], [-0.0352, -1.9985, 0], atol=1e-4)


def _counts(_: Path, text: str) -> None:
    assert all(number in text for number in ("2706", "4922", "9972", "16032", "4491"))


def _matrices_of_3_and_4(_: Path, text: str) -> None:
    assert "gibbs-appell" in text
    assert "lagrangian" in text
    differences = [float(number) for number in re.findall(r"\b\d\.\d+e-\d\d\b", text)]
    assert differences
    assert max(differences) < 1e-11


def _boom(folder: Path, _: str) -> None:
    found = flexarm.open_result(folder / "bk83" / "modes.h5")
    np.testing.assert_allclose(found.natural_frequency[:3], [5.694, 5.813, 20.99], atol=6e-3)
    assert flexarm.open_result(folder / "bk83" / "boom.h5").status == "complete"


def _closed_form(folder: Path, _: str) -> None:
    text = (folder / "sy94" / "closed-form.txt").read_text()
    assert "F_1 =" in text
    assert "F_2 =" in text
    assert "1.571*L**2" in text


def _inverse(folder: Path, _: str) -> None:
    pinned, clamped, rigid = (
        flexarm.open_result(folder / "sy94" / f"{name}.h5") for name in ("pinned", "clamped", "rigid")
    )
    assert np.abs(pinned.torque[:, 0]).max() == pytest.approx(1.33, abs=0.005)
    np.testing.assert_allclose(pinned.torque[0], [0.03501, 0.01167], atol=1e-5)
    np.testing.assert_allclose(rigid.torque[0], [0.02977, 0.02977], atol=1e-5)
    assert clamped.status == "complete"


def _load(folder: Path, _: str) -> None:
    assert flexarm.open_result(folder / "sy94-load" / "load.h5").attributes["payload_mass"] == pytest.approx(
        1.447, abs=1e-3
    )


def _falling_link(folder: Path, _: str) -> None:
    times = np.unique(flexarm.open_result(folder / "fl17" / "flexible.h5").impact_time)
    np.testing.assert_allclose(times[[0, 3]], [0.319275, 0.938853], atol=1e-6)
    rigid = flexarm.open_result(folder / "fl17" / "rigid.h5")
    assert rigid.base_position[:, 1].max() == pytest.approx(0.5, abs=1e-9)


def _circle(folder: Path, _: str) -> None:
    result = flexarm.open_result(folder / "fl17-circle" / "flexible.h5")
    assert (
        np.diff(result.energy_total).max() < 1e-8 * result.energy_kinetic.max()
    )  # damped, and struck with e < 1
    assert np.abs(result.link_deflection[..., 1]).max() < 0.03


def _matrices(folder: Path, _: str) -> None:
    lines = (folder / "na04" / "matrices.txt").read_text().split("M, inertia matrix\n")[1].splitlines()[1:5]
    M = np.array([[float(number) for number in line.split()[1:]] for line in lines])
    np.testing.assert_array_equal(M, M.T)


def _balance(folder: Path, _: str) -> None:
    result = flexarm.open_result(folder / "na04" / "balance.h5")
    arm = sum(result[f"force_{name}"] for name in ("inertia", "gravity", "deformation", "friction"))
    outside = result.force_drive + result.force_load
    np.testing.assert_allclose(arm, outside, atol=1e-10 * np.abs(result.force_inertia).max())
    assert result.energy_acceleration.min() > 0


CHECKS = {
    "[GA09] table 3, figures 3 to 15": _usoro,
    "[GA09] tables 1 and 2, [BK83] section 6, [FL17] table 2": _counts,
    "[BK83] eqs. 25, 28 and 30": _boom,
    "[BK83] eqs. 66 to 90, [FL17] case study II": _matrices_of_3_and_4,
    "[SY94] section 6.1": _closed_form,
    "[SY94] figures 3 to 5": _inverse,
    "[SY94] figures 6 to 8, 0.341 kg": _load,
    "[FL17] table 1, figures 12 to 20": _falling_link,
    "[FL17] case study II": _circle,
    "[NA04] eqs. 3 to 8": _matrices,
    "[NA04] eqs. 19 and 24": _balance,
}


def test_every_row_has_commands_and_a_check():
    assert ROWS.keys() == CHECKS.keys()
    assert all(ROWS.values())


@pytest.mark.slow
@pytest.mark.parametrize("row", CHECKS)
def test_row(row, tmp_path, monkeypatch):
    """Run in the project's folder, written elsewhere."""
    monkeypatch.chdir(PROJECT)
    text = ""
    for command in ROWS[row]:
        arguments = shlex.split(command.replace("outputs/papers", str(tmp_path)))[1:]
        done = CliRunner().invoke(main, arguments)
        assert done.exit_code == 0, done.output
        text += done.output
    CHECKS[row](tmp_path, text)
