"""Runs as a user makes them: samples, failures, interruption, limits of memory."""

from __future__ import annotations

import numpy as np
import pytest

import flexarm
from flexarm.errors import ModelError, ResultError
from flexarm.simulation.forward import single_run

PENDULUM = """
name: pendulum
links: [{{length: 1, mu: 1{link}}}]
run: {{duration: {duration}, sample: {sample}{run}}}
{more}
"""


def pendulum(duration=1.0, sample=0.1, link="", run="", more=""):
    return flexarm.parse_arm(PENDULUM.format(duration=duration, sample=sample, link=link, run=run, more=more))


def test_samples_are_multiples_and_the_end():
    np.testing.assert_allclose(
        flexarm.simulate(pendulum(1.0, 0.25)).time, [0, 0.25, 0.5, 0.75, 1.0], rtol=1e-14
    )
    np.testing.assert_allclose(flexarm.simulate(pendulum(1.0, 0.3)).time, [0, 0.3, 0.6, 0.9, 1.0], rtol=1e-14)
    assert flexarm.simulate(pendulum(0.3, 0.1)).n_samples == 4


def test_blocks_do_not_change_the_result(monkeypatch):
    whole = flexarm.simulate(pendulum(2.0, 0.01))
    monkeypatch.setattr(single_run, "BLOCK", 7)
    pieces = flexarm.simulate(pendulum(2.0, 0.01))
    for name in whole:
        np.testing.assert_array_equal(whole[name], pieces[name])


def test_in_memory_and_to_a_file_are_the_same(tmp_path):
    arm = pendulum(1.0, 0.01, ", EI: 30, modes: {family: clamped-free, count: 2}")
    memory, file = flexarm.simulate(arm), flexarm.simulate(arm, output=tmp_path / "result.h5")
    assert set(memory) == set(file)
    for name in memory:
        np.testing.assert_array_equal(memory[name], file[name])
    assert {**file.attributes, "solve_seconds": 0, "format_version": 0} == {
        **memory.attributes, "solve_seconds": 0, "format_version": 0
    }  # fmt: skip


def test_velocities_and_accelerations_are_derivatives():
    result = flexarm.simulate(pendulum(1.0, 1e-3, ", EI: 30, modes: {family: clamped-free, count: 1}"))
    for value, rate in (
        ("joint_angle", "joint_velocity"), ("joint_velocity", "joint_acceleration"),
        ("mode_amplitude", "mode_velocity"), ("mode_velocity", "mode_acceleration"),
        ("point_position", "point_velocity"),
    ):  # fmt: skip
        y, y_d = result[value], result[rate]
        difference = (y[:-4] - 8 * y[1:-3] + 8 * y[3:-1] - y[4:]) / (12e-3)
        np.testing.assert_allclose(difference, y_d[2:-2], atol=1e-4 * np.abs(y_d).max())


def test_failure_keeps_what_was_computed(tmp_path):
    arm = pendulum(5.0, 0.1, more='drive: [{torque: "1/(1.0001 - t)**4"}]', run=", max_steps: 2000")
    result = flexarm.simulate(arm, output=tmp_path / "partial.h5")
    assert result.status == "incomplete"
    assert "stopped at t = 1.0" in result.message or "stopped at t = 0.99" in result.message
    assert 5 <= result.n_samples <= 12
    np.testing.assert_allclose(result.time, 0.1 * np.arange(result.n_samples))


def test_interruption_keeps_what_was_computed(tmp_path):
    calls = []

    def interrupt(fraction, t):
        calls.append(fraction)
        if len(calls) == 2:
            raise KeyboardInterrupt

    arm = pendulum(1000.0, 0.01)
    result = flexarm.simulate(arm, output=tmp_path / "partial.h5", progress=interrupt)
    assert result.status == "incomplete"
    assert result.message.startswith("interrupted at t = ")
    assert 0 < result.n_samples < 100_001


def test_existing_file_is_refused_before_computing(tmp_path):
    path = tmp_path / "kept.h5"
    path.write_text("precious")
    with pytest.raises(ResultError, match="exists"):
        flexarm.simulate(pendulum(1e9, 1.0), output=path)
    with pytest.raises(ResultError, match="is not a result, so it is not replaced"):
        flexarm.simulate(pendulum(), output=path, overwrite=True)
    assert path.read_text() == "precious"


def test_incomplete_result_does_not_replace_a_complete_one(tmp_path):
    path = tmp_path / "arm.h5"
    flexarm.simulate(pendulum(), output=path)
    failing = pendulum(5.0, 0.1, more='drive: [{torque: "1/(1.0001 - t)**4"}]', run=", max_steps: 2000")
    result = flexarm.simulate(failing, output=path, overwrite=True)
    assert result.path == tmp_path / "arm.incomplete.h5"
    assert flexarm.open_result(path).status == "complete"
    flexarm.simulate(pendulum(), output=path, overwrite=True)
    assert flexarm.open_result(path).n_samples == 11


def test_result_larger_than_the_disk_is_refused_with_sizes(tmp_path):
    with pytest.raises(ResultError, match=r"it needs .* GB, .* GB are free on its disk"):
        flexarm.simulate(pendulum(1e9, 1e-3), output=tmp_path / "huge.h5")
    assert not list(tmp_path.iterdir())


def test_result_larger_than_memory_is_refused_with_sizes():
    with pytest.raises(ModelError, match=r"a result of 100000001 samples: needs \S+ GB of memory"):
        flexarm.simulate(pendulum(1e8, 1.0))


def test_massless_mode_is_named():
    link = ", GJ: 5, modes: {family: fixed-free, count: 1, direction: torsion}"
    with pytest.raises(
        ModelError, match=r"nothing with inertia moves along delta_1_1 \(torsion needs rotary_inertia"
    ):
        flexarm.simulate(pendulum(link=link))


def test_progress_reaches_one():
    fractions = []
    flexarm.simulate(pendulum(), progress=lambda fraction, t: fractions.append(fraction))
    assert fractions[-1] == 1.0
    assert fractions == sorted(fractions)


def test_coulomb_friction_brings_to_rest():
    arm = flexarm.parse_arm("""
name: rubbing
gravity: [0, 0, 0]
links: [{length: 1, mu: 3}]
joints: [{friction: {coulomb: 0.5}}]
initial: {joint_rates: [2.0]}
run: {duration: 6, sample: 0.01, rtol: 1e-8}
""")
    result = flexarm.simulate(arm)
    # constant torque against I = mu l^3 / 3 = 1: the rate falls by 0.5 rad/s each second, to rest at 4 s
    slope = np.polyfit(result.time[:300], result.joint_velocity[:300, 0], 1)[0]
    assert abs(slope + 0.5) < 1e-6
    assert abs(result.joint_velocity[-1, 0]) < 1e-3


def test_modal_damping_decays_as_the_ratio_says():
    """Locked link released bent: the logarithmic decrement of the first mode is that of zeta = 0.05."""
    arm = flexarm.parse_arm("""
name: ringing
geometric_stiffening: false
gravity: [0, 0, 0]
links: [{length: 1, mu: 1, EI: 10, damping: 0.05, modes: {family: clamped-free, count: 1}}]
joints: [{type: fixed}]
initial: {modes: [0.01]}
run: {duration: 3, sample: 0.001}
""")
    result = flexarm.simulate(arm)
    omega, zeta = 1.8751040687119611**2 * np.sqrt(10), 0.05
    damped = omega * np.sqrt(1 - zeta**2)
    t = result.time
    exact = (
        0.01 * np.exp(-zeta * omega * t) * (np.cos(damped * t) + zeta * omega / damped * np.sin(damped * t))
    )
    np.testing.assert_allclose(result.mode_amplitude[:, 0], exact, atol=1e-9)
