"""Verification: simulated under its torques alone, an arm confirms a right motion and refutes a wrong one."""

from dataclasses import replace

import numpy as np
import pytest
from breadth import thinned
from korayem_1994 import KORAYEM, korayem, korayem_arm
from paths import ROBOTS

import flexarm
from flexarm.codegen.piecewise_polynomial import PiecewisePolynomial
from flexarm.simulation.inverse.methods.inverse_method import make_inverse_method
from flexarm.simulation.inverse.problem import inverse_problem
from flexarm.simulation.inverse.verification import verification
from flexarm.simulation.inverse.verification.open_loop import OpenLoopMotion
from flexarm.simulation.inverse.verification.verification import (
    allowed_error,
    refusal,
    verified_error,
    verify,
)

UPRIGHT = """\
name: upright
gravity: [0, -9.81, 0]
links: [{length: 1.0, mu: 1.0, EI: 200.0, damping: 0.01, modes: {family: clamped-free, count: 2}}]
payload: {mass: 0.2}
"""
TIP = "duration: 8\npath: {x: 0.2*sin(pi*t/8)**4}\nnear: [90 deg]\n"
JOINT = "space: joint\nduration: 8\npath: {q1: pi/2 + 0.2*sin(pi*t/8)**4}\n"


def solved(arm, trajectory, method="stable"):
    problem = inverse_problem(flexarm.parse_arm(arm), flexarm.parse_trajectory(trajectory))
    return make_inverse_method(method).solve(problem)


def with_torques(solution, factor):
    """The same solution with torques that are wrong by a factor."""
    wrong = replace(solution)
    wrong.torques = [
        PiecewisePolynomial(each.breaks, factor * each.coefficients) for each in solution.torques
    ]
    return wrong


@pytest.mark.parametrize(
    "trajectory", [pytest.param(TIP, marks=pytest.mark.slow), JOINT], ids=["tip", "joint"]
)
def test_an_arm_that_falls_away_by_itself_is_verified_in_pieces(trajectory):
    """A pendulum held upright: errors grow by sqrt(3 g / 2 L) = 3.8 1/s at least, by 1e12 in 8 s."""
    solution = solved(UPRIGHT, trajectory)
    whole = OpenLoopMotion(solution)
    states, _ = whole.simulated(whole.state(0.0), whole.times)
    assert whole.tip_error(whole.times, states) > 10 * allowed_error(solution)  # nothing holds it
    found = verify(solution)
    assert found.pieces > 2
    assert found.error < 1e-6
    assert refusal(solution, found) == ""


@pytest.mark.parametrize(
    "trajectory", [pytest.param(TIP, marks=pytest.mark.slow), JOINT], ids=["tip", "joint"]
)
def test_in_pieces_a_torque_that_is_wrong_by_a_thousandth_is_refuted(trajectory):
    solution = with_torques(solved(UPRIGHT, trajectory), 1.001)
    found = verify(solution)
    assert found.error > 100 * allowed_error(solution)
    assert f"in one of {found.pieces} pieces" in refusal(solution, found)


@pytest.mark.slow
def test_one_piece_is_enough_where_errors_do_not_grow():
    hanging = TIP.replace("90 deg", "-90 deg")
    found = verify(solved(UPRIGHT, hanging))
    assert (found.pieces, found.error < 1e-8) == (1, True)
    found = verify(with_torques(solved(UPRIGHT, hanging), 1.001))
    assert (found.pieces, found.error > 1e-5) == (1, True)


def test_the_simulation_itself_errs_by_far_less():
    """Against tolerances that are a hundred times as wide."""
    motion = OpenLoopMotion(make_inverse_method("stable").solve(korayem("clamped")))
    tips = []
    for rtol in (1e-8, 1e-10, 1e-12):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("flexarm.simulation.inverse.verification.open_loop.RTOL", rtol)
            states, _ = motion.simulated(motion.state(0.0), motion.times)
        tips.append(motion.problem.kinematics.map(states[:, :4])[0])
    assert np.abs(tips[1] - tips[2]).max() < 1e-10  # m
    assert np.abs(tips[0] - tips[2]).max() < 1e-7


@pytest.mark.parametrize(
    ("method", "sample"),
    thinned([(method, sample) for method in ("stable", "causal") for sample in (0.01, 0.5, 3.0)], every=2),
)
def test_it_does_not_depend_on_the_samples(method, sample):
    trajectory = KORAYEM.text.replace("sample: 0.01", f"sample: {sample}")
    problem = inverse_problem(korayem_arm("simply_supported"), flexarm.parse_trajectory(trajectory))
    assert problem.sample == sample
    assert verified_error(make_inverse_method(method).solve(problem)) < 1e-7


@pytest.mark.slow
def test_rigid_motions_of_redundant_arms_are_simulated_too():
    """Rigid links follow; the joint rates of least norm are integrated at every time asked for."""
    arm = "name: three\ngravity: [0, 0, 0]\nlinks:\n" + 3 * "  - {length: 0.6, mu: 1.0}\n"
    line = "duration: 1\nline: {from: [1.2, 0.4], to: [0.6, 1.1]}\nnear: [-0.5, 1.0, 0.8]\n"
    assert verified_error(solved(arm, line, "rigid")) < 1e-7


@pytest.mark.slow
def test_a_motion_is_verified_where_that_costs_little():
    found = flexarm.inverse(korayem_arm("clamped"), KORAYEM)
    assert found.attributes["verified_error"] < 1e-6
    assert found.attributes["verified_pieces"] == 1
    assert found.message == ""
    without = flexarm.inverse(korayem_arm("clamped"), KORAYEM, verify=False)
    assert "verified_error" not in without.attributes
    assert without.message == ""


@pytest.mark.slow
def test_a_costly_verification_is_left_out_with_a_word(monkeypatch):
    """The estimate comes before the simulation, and nothing is simulated."""
    monkeypatch.setattr(OpenLoopMotion, "estimated_seconds", lambda self: 1000.0)
    wanted = flexarm.inverse(korayem_arm("clamped"), KORAYEM, verify=True)
    assert wanted.attributes["verified_error"] < 1e-6
    monkeypatch.setattr(OpenLoopMotion, "simulated", None)
    found = flexarm.inverse(korayem_arm("clamped"), KORAYEM)
    assert (found.status, "verified_error" in found.attributes) == ("complete", False)
    assert (
        found.message
        == "not verified: simulating the motion would take about 1e+03 s (ask for it with `verify`)"
    )


@pytest.mark.parametrize(
    ("EI", "duration"),
    [
        (200.0, 2),
        (2e6, 2),
        pytest.param(2e6, 8, marks=pytest.mark.slow),
        pytest.param(2e8, 1, marks=pytest.mark.slow),
    ],
)
def test_the_steps_are_estimated_by_their_order_of_magnitude(EI, duration):
    """Those of an explicit method are as short as the fastest oscillation."""
    arm = UPRIGHT.replace("EI: 200.0", f"EI: {EI}").replace("-9.81", "0")
    motion = OpenLoopMotion(solved(arm, JOINT.replace("8", str(duration)), "causal"))
    _, integration = motion.simulated(motion.state(0.0), motion.times)
    assert 0.1 < motion.estimated_steps() / integration.steps < 10.0


@pytest.mark.slow
def test_a_simulation_that_ends_early_does_not_lose_the_result(monkeypatch, tmp_path):
    arm = korayem_arm("clamped")
    monkeypatch.setattr(verification, "_in_pieces", lambda *_: None)
    monkeypatch.setattr(
        verification,
        "_in_one_piece",
        lambda *_: verification.Verification(0.0, 1, "stopped at t = 1 s: because"),
    )
    for method, status in (("stable", "incomplete"), ("rigid", "complete")):
        found = flexarm.inverse(arm, KORAYEM, method=method, output=tmp_path / f"{method}.h5")
        assert (found.status, "verified_error" in found.attributes) == (status, False)
        assert found.message == (
            "the motion is not verified: the simulation of its torques stopped at t = 1 s: because"
        )


@pytest.mark.slow
def test_an_incomplete_result_beside_a_complete_one_is_the_one_returned(tmp_path):
    arm = flexarm.load_arm(ROBOTS / "korayem_1994_clamped.yaml")
    target = tmp_path / "result.h5"
    flexarm.inverse(arm, KORAYEM, output=target)
    causal = flexarm.inverse(arm, KORAYEM, method="causal", output=target, overwrite=True)
    assert (causal.status, causal.path.name) == ("incomplete", "result.incomplete.h5")
    assert causal.attributes["method"] == "causal"
    assert flexarm.open_result(target).attributes["method"] == "stable"
