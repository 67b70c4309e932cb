"""Sweeps over inverse runs: every point is the inverse run of its arm; the limit of rigid links."""

import numpy as np
import pytest
from breadth import thinned
from paths import ROBOTS

import flexarm
from flexarm import SpecError, inverse, load_arm, load_trajectory, open_sweep, parse_trajectory, sweep
from flexarm.errors import ResultError, SolverError
from flexarm.results.recorded_datasets import recorded_datasets
from flexarm.sweeps.measures.inverse_measures import inverse_measures

ARM = load_arm(ROBOTS / "korayem_1994_clamped.yaml")
LINE = load_trajectory(ROBOTS / "trajectories" / "rigid_limit.yaml")
STIFFNESSES = {"links[*].EI": [200, 2000]}


def with_law(law):
    return parse_trajectory(LINE.text.replace("nonic", law))


@pytest.mark.slow
def test_every_point_is_the_inverse_run_of_its_arm(worker):
    record = list(inverse_measures(ARM))
    found = sweep(ARM, STIFFNESSES, trajectory=LINE, record=record, series=["torque"], executor=worker)
    assert (found.attributes["trajectory"], found.attributes["method"]) == (LINE.text, "stable")
    for k, EI in enumerate(STIFFNESSES["links[*].EI"]):
        alone = inverse(ARM.replace("links[*].EI", EI), LINE, verify=True)
        size, rigid = np.abs(alone["torque"]), np.abs(alone["rigid_torque"])
        difference = np.abs(alone["torque"] - alone["rigid_torque"])
        deflection = np.sqrt((alone["link_deflection"][:, -1, -1] ** 2).sum(axis=1))
        expected = {
            "max_torque": size.max(), "max_torque[0]": size[:, 0].max(), "max_torque[1]": size[:, 1].max(),
            "max_rigid_torque": rigid.max(), "torque_difference": difference.max(),
            "torque_difference[1]": difference[:, 1].max(), "max_tip_deflection": deflection.max(),
            "tip_error": alone["tip_error"].max(), "verified_error": alone.attributes["verified_error"],
            "steps": alone.attributes["steps"],
        }  # fmt: skip
        assert {name: found[name][k] for name in expected} == expected
        on_path = [t in found.coordinates["time"].values for t in alone.time]
        np.testing.assert_array_equal(found["torque"][k], alone["torque"][on_path])
    np.testing.assert_array_equal(found.coordinates["time"].values[[0, -1]], [0.0, LINE.length])


@pytest.mark.parametrize(
    ("law", "slope"),
    thinned([("quintic", -1 / 2), ("trapezoidal", 0), ("septic", -1), ("nonic", -1)], every=4),
)
def test_torques_approach_those_of_the_rigid_arm(worker, law, slope):
    """As 1/EI; where the m-th rate of the path jumps not faster than zeros z ~ sqrt(EI) to the power 2 - m."""
    record = ["torque_difference[0]", "torque_difference[1]"]
    found = sweep(ARM, {"links[*].EI": [2e4, 2e5]}, trajectory=with_law(law), record=record, executor=worker)
    slopes = [np.diff(np.log10(found[name]))[0] for name in record]
    np.testing.assert_allclose(slopes, slope, atol=0.005)


@pytest.mark.slow
def test_without_records_all_are_taken_but_those_of_single_joints(worker):
    found = sweep(ARM, {"links[*].EI": [2000]}, trajectory=LINE, executor=worker)
    assert found.records == tuple(name for name in inverse_measures(ARM) if "[" not in name)
    assert found["verified_error"][0] < 1e-6


@pytest.mark.slow
def test_rigid_runs_are_those_of_the_rigid_arm(worker):
    found = sweep(ARM, STIFFNESSES, trajectory=LINE, inverse_method="rigid", executor=worker)
    np.testing.assert_array_equal(found["torque_difference"], 0.0)


@pytest.mark.slow
def test_failures_stay_with_their_points(worker):
    """A soft arm has no bounded motion; integrated forward, that of a stiff one diverges."""
    found = sweep(
        ARM, {"links[*].EI": [2.0, 2000.0]}, trajectory=LINE, record=["max_torque"], executor=worker
    )
    assert found.failed.tolist() == [True, False]
    assert "no bounded motion" in found["reason"][0]
    assert np.isnan(found["max_torque"][0])
    causal = sweep(ARM, STIFFNESSES, trajectory=LINE, inverse_method="causal", executor=worker)
    assert causal.failed.all()
    assert "cannot be integrated forward" in causal["reason"][0]


def test_quantities_are_those_of_inverse_runs():
    arm = load_arm(ROBOTS / "payload_two_link.yaml")
    result = inverse(arm, load_trajectory(ROBOTS / "trajectories" / "payload_two_link.yaml"), verify=False)
    assert set(recorded_datasets(arm, "inverse")) <= set(result)


@pytest.mark.parametrize(
    ("entries", "message"),
    [
        ({"record": ["energy_lost"]}, "unknown record 'energy_lost' of inverse runs"),
        ({"record": ["max_torque[2]"]}, r"unknown record 'max_torque\[2\]'"),
        ({"series": ["torqe"]}, "unknown quantity 'torqe'"),
        ({"inverse_method": "stabel"}, "got 'stabel', expected one of stable, causal, rigid"),
        ({"trajectory": None, "inverse_method": "rigid"}, "got a method of inverse runs, but no trajectory"),
        (
            {"trajectory": LINE.model_copy(update={"duration": 2.0})},
            "trajectory was changed after it was read",
        ),
    ],
)
def test_what_inverse_runs_do_not_have_is_refused(worker, entries, message):
    with pytest.raises(SpecError, match=message):
        sweep(ARM, STIFFNESSES, **{"trajectory": LINE, "executor": worker, **entries})


@pytest.mark.slow
def test_an_interrupted_sweep_is_resumed_along_the_same_trajectory_only(worker, tmp_path):
    def stop(fraction, time):
        if fraction > 0:
            raise KeyboardInterrupt

    output, record = tmp_path / "sweep.h5", ["max_torque"]
    given = {"record": record, "output": output, "executor": worker}
    keys = {"links[*].EI": [2000, 3000, 4000, 5000, 6000, 7000]}
    with pytest.raises(SolverError, match="interrupted after"):
        sweep(ARM, keys, trajectory=LINE, progress=stop, **given)
    with pytest.raises(
        ResultError, match=r"the trajectory has changed: - line: .*nonic.*; \+ line: .*septic"
    ):
        sweep(ARM, keys, trajectory=with_law("septic"), resume=True, **given)
    with pytest.raises(ResultError, match="method was stable, now it is rigid"):
        sweep(ARM, keys, trajectory=LINE, inverse_method="rigid", resume=True, **given)
    found = sweep(ARM, keys, trajectory=LINE, resume=True, **given)
    assert not found.failed.any()
    np.testing.assert_array_equal(open_sweep(output)["max_torque"], found["max_torque"])
    assert flexarm.plot(found, "curves").axes
