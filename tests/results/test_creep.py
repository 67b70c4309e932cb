"""Phases of creep: a rod that sinks until its smoothed friction nearly holds it, and joints that do not creep."""

from __future__ import annotations

import math

import numpy as np
import pytest

import flexarm
from flexarm.results.events.creep import creep_phases

ROD = """
name: rod
links: [{{length: 1.0, mu: 1.0}}]
joints: [{{friction: {{coulomb: 1.0{more}}}}}]
initial: {{joints: [{start} deg]}}
run: {{duration: 3.0, sample: 0.01}}
"""


def rod(more: str = "", start: int = -30) -> flexarm.Result:
    return flexarm.simulate(flexarm.parse_arm(ROD.format(more=more, start=start)))


def test_a_joint_that_moves_first_and_creeps_later_is_found():
    result = rod()
    (phase,) = creep_phases(result)
    assert phase.joint == 1
    assert phase.end == 3.0
    assert 1.5 < phase.begin < 1.9  # a joint that sticks does so at 1.7024 s
    # the rate at which friction balances the weight: tanh(q_d / 0.01) = 9.81/2 cos q
    balance = 0.01 * math.atanh(9.81 / 2 * math.cos(result.joint_angle[-50, 0]))
    assert abs(result.joint_velocity[-50, 0]) == pytest.approx(balance, rel=1e-2)
    way = abs(
        np.interp(phase.end, result.time, result.joint_angle[:, 0])
        - np.interp(phase.begin, result.time, result.joint_angle[:, 0])
    )
    assert phase.way == pytest.approx(way)


@pytest.mark.parametrize(("more", "start"), [(", smoothing: 0", -30), ("", -90)])
def test_joints_that_stick_or_hang_do_not_creep(more, start):
    assert creep_phases(rod(more, start)) == []


def test_a_joint_that_turns_round_does_not_creep():
    text = ROD.format(more="", start=-30).replace("coulomb: 1.0", "coulomb: 0.01")
    result = flexarm.simulate(flexarm.parse_arm(text))
    assert np.count_nonzero(np.diff(np.sign(result.joint_velocity[:, 0]))) > 2
    assert creep_phases(result) == []


def test_the_command_says_so(tmp_path):
    from click.testing import CliRunner

    from flexarm.cli.main import main

    path = tmp_path / "rod.yaml"
    path.write_text(ROD.format(more="", start=-30))
    found = CliRunner().invoke(main, ["simulate", str(path), "-v", "-o", str(tmp_path / "rod.h5")])
    assert "joint 1 creeps from" in found.output
    assert "rad: its friction is smoothed" in found.output
