"""Offsets, delays, units, runs with starts of their own, runs that are held back, and derivatives by all of these."""

import numpy as np
import pytest

import flexarm
from flexarm.errors import SolverError
from flexarm.identification.measured.columns import columns_of, parse_columns
from flexarm.identification.measured.measured_run import MeasuredRun
from flexarm.identification.measured.measurements import measurement_of, tables_of
from flexarm.identification.searching.fit_problem import FitProblem
from flexarm.identification.unknowns import unknowns_of

PENDULUM = """\
name: pendulum
links: [{length: 0.6, mu: 1.2, EI: 8, modes: 1, damping: 0.02}]
joints: [{friction: {viscous: 0.05}}]
payload: {mass: 0.2}
drive: [{pd: {kp: 2, kd: 0.1, reference: 0}}]
initial: {joints: [-60 deg], joint_rates: [0.5]}
run: {duration: 2.0, sample: 0.01}
sensors:
  hub: {joint: 1}
  felt: {acceleration: tip, along: y, frame: link}
"""
COLUMNS = "time, hub, felt, r_1"


def swing(changes=(), offset=0.0, late=0.0, noise=0.0, seed=0):
    """Run with a reference, sampled every 10 ms; hub with an offset, felt late by whole steps of 1 ms."""
    t = 0.001 * np.arange(2001)
    reference = 0.5 * np.sin(3 * t)
    text = PENDULUM.replace("reference: 0}", "reference: '0.5*sin(3*t)'}").replace(
        "0.01}\nsens", "0.001}\nsens"
    )
    result = flexarm.simulate(flexarm.parse_arm(text).replace(dict(changes)))
    rows, k = np.arange(0, 2001, 10), round(1000 * late)
    random = np.random.default_rng(seed)
    hub, felt = result.sensor("hub")[rows] + offset, result.sensor("felt")[np.maximum(rows - k, 0)]
    hub, felt = (one + noise * one.std() * random.normal(size=one.size) for one in (hub, felt))
    return {"time": t[rows], "hub": hub, "felt": felt, "r_1": reference[rows]}


def test_derivatives_of_residuals_are_exact():
    """Of numbers, starts, offsets and delays, against central differences of the residuals."""
    arm, data = flexarm.parse_arm(PENDULUM), swing()
    texts = parse_columns(COLUMNS)
    columns = columns_of(arm, texts)
    run = measurement_of(tables_of(data)[0], texts, columns, 0.0)
    fits = ["links[0].EI", "initial.joints[0]", "offset:hub", "delay:felt=0.0133", "delay:hub=0.0071"]
    unknowns = unknowns_of(arm, fits, columns.outputs, [run])
    keys = [one for one in unknowns if one.kind in ("number", "start")]
    one = MeasuredRun(arm, run, columns, [k.target for k in keys], [k.start for k in keys], True)
    problem = FitProblem(unknowns, [one], columns.outputs)
    noise, x = np.ones(2), np.array([0.1, 0.2, 0.3, 0.05, 0.02])
    _, jacobian = problem.residuals(problem.evaluate(x), noise)
    step = 1e-4
    for k in range(x.size):
        ahead, behind = (
            problem.residuals(problem.evaluate(x + side * step * np.eye(x.size)[k]), noise)[0]
            for side in (1, -1)
        )
        difference = (ahead - behind) / (2 * step)
        # differences of second order, model numbers by differences over 1e-3, and splines of the reference
        assert np.abs(jacobian[:, k] - difference).max() < 2e-5 * np.abs(difference).max(), fits[k]


def test_offsets_and_delays_are_found():
    data = swing(offset=0.02, late=0.013, noise=0.01)
    fits = ["links[0].EI=6", "offset:hub", "delay:felt=0.005 in [0, 0.05]"]
    found = flexarm.identify(flexarm.parse_arm(PENDULUM), data, fits, columns=COLUMNS)
    wanted = np.array([8, 0.02, 0.013])
    assert (np.abs(found.values - wanted) < 5 * found.standard_errors).all()
    assert (found.standard_errors < [0.5, 0.005, 0.001]).all()


@pytest.mark.slow
def test_each_run_has_its_own_start():
    """Three swings from angles that nobody measured; the third is held back, and its start fitted to it alone."""
    angles = (-1.2, -0.9, -1.4)
    runs = [swing([("initial.joints[0]", angle)], noise=0.01, seed=k) for k, angle in enumerate(angles)]
    fits = ["joints[0].friction.viscous=0.1", "initial.joints[0]=-1"]
    found = flexarm.identify(flexarm.parse_arm(PENDULUM), runs[:2], fits, columns=COLUMNS, check=runs[2:])
    assert found.names == (
        "joints[0].friction.viscous", "initial.joints[0] of run 1", "initial.joints[0] of run 2",
    )  # fmt: skip
    assert (np.abs(found.values - [0.05, -1.2, -0.9]) < 5 * found.standard_errors).all()
    ((run, columns),) = found.checks
    assert run.simulated[0, 0] == pytest.approx(-1.4, abs=0.01)
    assert all(one.per_cent > 99.9 and one.is_white for one in columns)
    assert found.arm.initial.joints == flexarm.parse_arm(PENDULUM).initial.joints  # which of the two?


def test_units_of_columns(tmp_path):
    """Degrees and milliseconds of a file with a header, in another order, with a column that is left out."""
    data = swing()
    rows = np.column_stack([1000 * data["time"], data["r_1"], 0 * data["r_1"], np.degrees(data["hub"])])
    path = tmp_path / "swing.csv"
    np.savetxt(path, rows, delimiter=";", header="t [ms];r_1;battery;angle (deg)", comments="")
    arm = flexarm.parse_arm(PENDULUM)
    found = flexarm.identify(arm, path, ["links[0].EI=7"], columns="t=time, angle=joint_angle[0], r_1")
    assert found["links[0].EI"] == pytest.approx(8, rel=1e-3)  # the reference is a spline through its rows
    assert found.columns[0].unit == "rad"
    np.testing.assert_allclose(found.runs[0].measured[:, 0], data["hub"], atol=1e-12)


def test_a_run_that_begins_later_in_the_file():
    data = swing()
    later = {**data, "time": data["time"] + 12.5}
    found = flexarm.identify(
        flexarm.parse_arm(PENDULUM), later, ["links[0].EI=7"], columns=COLUMNS, start=12.5
    )
    assert found["links[0].EI"] == pytest.approx(8, rel=1e-3)


@pytest.mark.slow
@pytest.mark.slow
def test_noise_that_is_known_and_noise_that_is_not_agree():
    data, arm = swing(noise=0.01), flexarm.parse_arm(PENDULUM)
    noise = {name: 0.01 * swing()[name].std() for name in ("hub", "felt")}
    given = flexarm.identify(arm, data, ["links[0].EI"], columns=COLUMNS, noise=noise)
    estimated = flexarm.identify(arm, data, ["links[0].EI"], columns=COLUMNS)
    # standard deviations of 200 samples: 5 %, and a variance of no less than 1
    assert given.standard_errors[0] == pytest.approx(estimated.standard_errors[0], rel=0.3)


def test_interrupted_with_the_best_so_far():
    calls = []

    def progress(fraction, t):
        calls.append(fraction)
        if len(calls) > 12:
            raise KeyboardInterrupt

    arm, data = flexarm.parse_arm(PENDULUM), swing(noise=0.01)
    found = flexarm.identify(
        arm, data, ["links[0].EI=5", "payload.mass=0.4"], columns=COLUMNS, progress=progress
    )
    assert found.status == "interrupted"
    assert found.runs[0].simulated.shape == (201, 2)


def test_a_start_that_does_not_move_is_said():
    arm = flexarm.parse_arm(PENDULUM.replace("run: {", "run: {max_steps: 3, "))
    with pytest.raises(SolverError, match="stopped at t"):
        flexarm.identify(arm, swing(), ["links[0].EI"], columns=COLUMNS)


def test_a_search_that_ends_beside_is_doubted():
    """With a load ten times the true one, as the bounds demand, little of the motion is explained."""
    data = swing(noise=0.01)
    found = flexarm.identify(flexarm.parse_arm(PENDULUM), data, ["payload.mass=3 in [2, 4]"], columns=COLUMNS)
    assert any(one.startswith("the arm explains only ") for one in found.cautions)
    assert any("no white noise" in one for one in found.cautions)
    assert found.remarks == ("payload.mass ended at its bound, 2",)


@pytest.mark.slow
def test_an_input_that_is_held_from_row_to_row():
    """As a stepper holds it: the numbers come back, which they do not with lines between the rows."""
    text = PENDULUM.replace("drive: [{pd: {kp: 2, kd: 0.1, reference: 0}}]", "drive: [{torque: 0}]")
    arm = flexarm.parse_arm(text)
    stepper = arm.stepper(period=0.02, inputs=["torque[1]"], outputs=["hub"])
    torques = 2 * np.sign(np.sin(9 * 0.02 * np.arange(101) + 0.1))
    hub = [stepper.reset()[0][0], *(stepper.step(u)[0][0] for u in torques[:-1])]
    data = {"time": 0.02 * np.arange(101), "hub": hub, "u": torques}
    fits = ["links[0].EI=7", "joints[0].friction.viscous=0.1", "payload.mass=0.3"]
    held, lines = (
        flexarm.identify(arm, data, fits, columns=f"time, hub, u=drive[0].torque{how}")
        for how in (" held", "")
    )
    # jumps within 1e-6 of a row
    np.testing.assert_allclose(held.values, [8, 0.05, 0.2], rtol=1e-4)
    assert held.columns[0].residual < 1e-3 * lines.columns[0].residual


def test_a_start_takes_the_place_of_an_expression():
    text = """\
name: pendulum
parameters: {A: 0.4}
links: [{length: 0.5, mu: 1.0}]
initial: {joints: [2*A - 1]}
run: {duration: 0.5, sample: 0.05}
"""
    arm = flexarm.parse_arm(text)
    run = flexarm.simulate(arm.replace("initial.joints[0]", -0.3))
    data = {"time": run.time, "joint_angle[0]": run.joint_angle[:, 0]}
    found = flexarm.identify(arm, data, ["initial.joints[0]"])
    assert found["initial.joints[0]"] == pytest.approx(-0.3, rel=1e-6)
    assert found.remarks == ("initial.joints[0]: a number has taken the place of 2*A - 1",)
