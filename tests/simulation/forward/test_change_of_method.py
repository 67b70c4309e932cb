"""Arms integrated by `method: auto`: the change in results, with contacts, in sweeps, in runs that are found again."""

import time

import numpy as np
import pytest

import flexarm
from flexarm.codegen import object_cache
from flexarm.errors import ModelError
from flexarm.reports.key_numbers import key_numbers
from flexarm.simulation.forward.cost.cost_note import cost_note
from flexarm.simulation.forward.cost.run_cost import RunCost
from flexarm.simulation.forward.prepare import prepare_run
from flexarm.simulation.forward.run_cache.run_key import run_key
from flexarm.simulation.forward.run_cache.stored_run import store_run, stored_run
from flexarm.simulation.state.state_equation import StateEquation

STIFF = """
name: stiff
links:
  - length: 1.0
    mu: 2.0
    EI: 2000.0
    EA: 2.0e+7
    modes: [{family: clamped-free, count: 1}, {family: fixed-free, count: 1, direction: axial}]
    damping: {retardation: 5.0e-3}
joints: [{friction: {viscous: 2.0}%s}]
initial: {joints: [-60 deg]}
drive: [{torque: "%s"}]
run: {duration: 0.4, sample: 0.01, method: %s, rtol: 1.0e-6, atol: 1.0e-8}
"""
SMOOTH, PULSE = "5*sin(t)", "5*sin(t) + 20*(step(t - 0.1) - step(t - 0.15))"
LIMITS = ", limits: {range: [-100 deg, -50 deg], restitution: 0.5}"
CLOSE = 1e-4
"""A hundred times rtol, of a few hundred steps."""


def arm(method="auto", joint="", torque=SMOOTH):
    return flexarm.parse_arm(STIFF % (joint, torque, method))


@pytest.mark.parametrize("torque", [SMOOTH, PULSE])
def test_a_result_says_which_method_took_which_steps(torque):
    result = flexarm.simulate(arm(torque=torque))
    facts = result.attributes
    assert facts["method"] == "auto"
    assert 0 < facts["change_over"] < 0.05
    first, then = (int(words.split("(")[1].split(" steps)")[0]) for words in facts["methods"].split(", "))
    assert first + then == facts["steps"]
    assert facts["methods"] == (
        f"dop853 until {facts['change_over']:.3g} s ({first} steps), then radau ({then} steps): "
        "steps were bounded by stability"
    )
    radau = flexarm.simulate(arm("radau", torque=torque))
    assert dict(key_numbers(result))["methods"] == facts["methods"]
    assert facts["steps"] < first + 1.5 * radau.attributes["steps"]
    np.testing.assert_allclose(result.joint_angle, radau.joint_angle, rtol=0, atol=CLOSE)
    np.testing.assert_allclose(result.tip, radau.tip, rtol=0, atol=CLOSE)


def test_a_result_without_a_change():
    usual, chosen = (
        flexarm.simulate(
            flexarm.parse_arm(
                f"name: rod\nlinks: [{{length: 1.0, mu: 1.0}}]\nrun: {{duration: 1, sample: 0.1, method: {method}}}\n"
            )
        )
        for method in ("dop853", "auto")
    )
    assert chosen.attributes["methods"] == "dop853"
    assert "change_over" not in chosen.attributes
    assert "methods" not in usual.attributes
    for name in usual:
        np.testing.assert_array_equal(chosen[name], usual[name], err_msg=name)


def test_after_the_change_impacts_are_found_and_contacts_last():
    """It falls off its upper limit, is driven back and strikes it, and stays there."""
    pushed = arm(joint=LIMITS, torque="60*step(t - 0.05)")
    result = flexarm.simulate(pushed)
    radau = flexarm.simulate(arm("radau", LIMITS, "60*step(t - 0.05)"))
    assert result.status == "complete"
    first = result.limit_impact_time[0]
    assert result.attributes["change_over"] < first
    assert first == pytest.approx(radau.limit_impact_time[0], abs=CLOSE)
    np.testing.assert_allclose(result.joint_angle, radau.joint_angle, rtol=0, atol=100 * CLOSE)
    steps = result.attributes["steps"]
    assert steps < 2 * radau.attributes["steps"]
    assert (
        f"then radau ({steps - int(result.attributes['methods'].split('(')[1].split()[0])} steps)"
        in (result.attributes["methods"])
    )


def test_a_jacobian_that_cannot_be_derived_is_told_and_nothing_is_lost(monkeypatch, caplog):
    def refuse(self):
        raise ModelError("differentiating takes 1 TB", hint="take fewer links")

    monkeypatch.setattr(StateEquation, "native_jacobian", property(refuse))
    result = flexarm.simulate(arm().replace("run.duration", 0.01))
    assert result.status == "complete"
    assert result.attributes["methods"] == "dop853"
    assert "dop853 goes on: differentiating takes 1 TB (take fewer links)" in caplog.text


@pytest.mark.parametrize(("until", "method"), [(0.0, "dop853"), (0.1, "radau")])
def test_what_is_said_of_a_long_run_is_said_of_the_method_that_takes_the_steps(until, method):
    run, cost = prepare_run(arm()), RunCost(seconds=200.0, steps=1e6)
    assert sum(map(len, run.integration.pieces([until]))) == 1
    assert cost_note(run, cost) == cost_note(prepare_run(arm(method)), cost)


# -- sweeps, runs that are found again -----------------------------------------------------------------------


def masses(workers):
    """A sweep over the mass of the payload."""
    record = ["final_tip_x", "steps"]
    return flexarm.sweep(arm(), {"payload.mass": [0.1, 0.5, 1.0]}, record=record, workers=workers)


@pytest.mark.slow
def test_a_sweep_gives_what_single_runs_give():
    found = masses(workers=1)
    assert not found.failed.any()
    for k, mass in enumerate((0.1, 0.5, 1.0)):
        single = flexarm.simulate(arm().replace("payload.mass", mass))
        assert found["steps"][k] == pytest.approx(single.attributes["steps"], rel=0.05)
        assert found["final_tip_x"][k] == pytest.approx(single.tip[-1, 0], abs=CLOSE)


@pytest.mark.slow
def test_a_sweep_is_the_same_with_any_number_of_workers():
    for name in ("steps", "final_tip_x"):
        np.testing.assert_array_equal(masses(workers=2)[name], masses(workers=1)[name])


def test_a_run_that_is_found_again_derives_its_equations_for_the_change(tmp_path, monkeypatch):
    monkeypatch.setattr(object_cache, "_folders", lambda: [tmp_path / "cache"])
    chosen = arm()
    key = run_key(chosen, time.time())
    first = prepare_run(chosen)
    expected = [block["joint_angle"] for block in first.blocks()]
    store_run(key, first)
    again = stored_run(key, chosen, "")
    assert again is not None
    found = [block["joint_angle"] for block in again.blocks()]
    np.testing.assert_array_equal(np.concatenate(found), np.concatenate(expected))
    assert again.integration.change_over == first.integration.change_over is not None
