"""Sweeps: every point is what a single simulation of its arm gives, whoever computes it."""

import numpy as np
import pytest
from breadth import thinned
from small_arm import assert_same_numbers, small_arm

from flexarm import ModelError, SpecError, open_result, open_sweep, parse_arm, simulate, sweep
from flexarm.errors import ResultError
from flexarm.simulation.forward import free_motion
from flexarm.simulation.forward.parametric_model import ParametricModel
from flexarm.simulation.forward.segments.segments_in_motion import segments_in_motion
from flexarm.sweeps.execution.chunks import _prepared, run_chunk
from flexarm.sweeps.execution.points import run_points
from flexarm.sweeps.measures.run_reduction import Recording, RunReduction

GRID = {"links[0].EI": [50, 500], "payload.mass": "0:2:3"}
TOLERANCE = (
    1e-9  # machine code of a parametric model rounds other than that of one arm; the runs have rtol 1e-7
)


@pytest.fixture(scope="module")
def grid(worker, tmp_path_factory):
    path = tmp_path_factory.mktemp("grid") / "grid.h5"
    return sweep(small_arm(), GRID, series=["tip"], output=path, executor=worker)


def test_every_point_is_the_simulation_of_its_arm(grid):
    for i, stiffness in enumerate(("50.0", "500.0")):
        for k, mass in enumerate((0.0, 1.0, 2.0)):
            arm = small_arm(
                ("EI: 50.0", f"EI: {stiffness}"), ("initial:", f"payload: {{mass: {mass}}}\ninitial:")
            )
            tip = simulate(arm).point_position[:, -1]
            np.testing.assert_allclose(grid["tip"][i, k], tip, atol=TOLERANCE)
            np.testing.assert_allclose(grid["final_tip_x"][i, k], tip[-1, 0], atol=TOLERANCE)
    assert not grid.failed.any()
    assert len(np.unique(grid["final_tip_x"])) == 6


def test_a_sweep_of_a_single_number(worker):
    """Of the equations only one number is left open then."""
    found = sweep(small_arm(), {"links[0].EI": [50, 500]}, executor=worker)
    for k, stiffness in enumerate(("50.0", "500.0")):
        tip = simulate(small_arm(("EI: 50.0", f"EI: {stiffness}"))).point_position[-1, -1]
        np.testing.assert_allclose(found["final_tip_x"][k], tip[0], atol=TOLERANCE)
    assert not found.failed.any()


@pytest.mark.parametrize(
    ("key", "values", "words"),
    thinned(
        [
            ("links[0].EI", [50, 500], ("EI: 50.0", "EI: {}")),
            ("links[0].segments", [1, 3], ("EI: 50.0", "EI: 50.0, segments: {}")),
        ],
        every=2,
    ),
)
def test_a_link_of_segments_and_their_number(worker, key, values, words):
    """One model for stiffnesses of a segmented link, with loads and damping across it; one for each number."""
    more = [("clamped-free, count: 1}", "polynomial, count: 2}, damping: 0.02")]
    more.append(("initial:", "loads: [{at: {link: 1, at: 0.4}, force: [0, 1, 0]}]\ninitial:"))
    if key.endswith("EI"):
        more.append(("mu: 1.0", "mu: 1.0, segments: 3"))
    found = sweep(small_arm(*more), {key: values}, executor=worker)
    for k, value in enumerate(values):
        tip = simulate(small_arm((words[0], words[1].format(value)), *more)).point_position[-1, -1]
        np.testing.assert_allclose(found["final_tip_x"][k], tip[0], atol=10 * TOLERANCE)
    assert not found.failed.any()


def test_the_file_is_read_back_whole(grid):
    again = open_sweep(grid.path)
    assert_same_numbers(grid, again)
    assert (again.dims, again.keys_varied) == (
        ("links[0].EI", "payload.mass"),
        ("links[0].EI", "payload.mass"),
    )
    assert again.coordinates["links[0].EI"].units == "N m^2"
    assert again.variables["tip"].dims == (*again.dims, "time", "axis")
    assert again.attributes == grid.attributes
    assert again.arm == small_arm()
    np.testing.assert_array_equal(again.at_points("payload.mass"), [[0, 1, 2]] * 2)


def test_xarray_opens_a_grid_with_the_keys_as_coordinates(grid):
    xarray = pytest.importorskip("xarray")
    with xarray.open_dataset(grid.path, engine="h5netcdf") as data:
        chosen = data["final_tip_x"].sel({"links[0].EI": 500, "payload.mass": 2})
        assert float(chosen) == grid["final_tip_x"][1, 2]
        assert data["tip"].dims == ("links[0].EI", "payload.mass", "time", "axis")
        assert data["max_torque"].attrs["units"] == "N m"
        assert (data["status"] == 0).all()


def test_xarray_opens_samples_with_the_keys_beside_the_points(worker, tmp_path):
    xarray = pytest.importorskip("xarray")
    ranges = {"links[0].EI": "50:500:log", "payload.mass": "0:2"}
    path = tmp_path / "drawn.h5"
    drawn = sweep(
        small_arm(), ranges, sample={"count": 4}, record=["final_tip"], output=path, executor=worker
    )
    with xarray.open_dataset(path, engine="h5netcdf") as data:
        assert set(data.coords) == {"point", *ranges}
        assert data["final_tip_x"].coords["payload.mass"].dims == ("point",)
        np.testing.assert_array_equal(data["payload.mass"], drawn.at_points("payload.mass"))


def test_one_run_is_not_read_as_a_sweep_nor_a_sweep_as_one_run(grid, tmp_path):
    simulate(small_arm(), output=tmp_path / "one.h5")
    with pytest.raises(ResultError, match="not the result of a sweep"):
        open_sweep(tmp_path / "one.h5")
    with pytest.raises(ResultError, match=r"flexarm\.open_sweep"):
        open_result(grid.path)


def test_numbers_do_not_depend_on_what_is_computed_together(grid):
    """Chunks of one, and of all in another order, in a worker that knows nothing yet."""
    from flexarm.description.reading.loader import sweep_from_entries
    from flexarm.sweeps.plan import make_plan

    plan = make_plan(small_arm(), sweep_from_entries(arm="", vary=GRID, series=["tip"]))
    points = np.arange(plan.design.size)
    together = run_chunk(plan.task, points[::-1], plan.design.values(points[::-1])).results[::-1]
    for point, expected in zip(points, together, strict=True):
        _prepared.cache_clear()
        (alone,) = run_chunk(plan.task, points[[point]], plan.design.values(points[[point]])).results
        rows = [k for k, measure in enumerate(plan.recording.measures) if measure.name != "seconds"]
        np.testing.assert_array_equal(alone.measures[rows], expected.measures[rows])
        np.testing.assert_array_equal(alone.series["tip"], expected.series["tip"])
        np.testing.assert_array_equal(
            expected.series["tip"], grid["tip"].reshape(-1, *expected.series["tip"].shape)[point]
        )


def test_a_failing_point_is_recorded_and_the_others_go_on(worker):
    result = sweep(small_arm(), {"run.max_steps": [1, 1000]}, series=["tip"], executor=worker)
    assert result.failed.tolist() == [True, False]
    assert "limit of 1 steps" in result["reason"][0]
    assert result["reason"][1] == ""
    assert all(np.isnan(result[name][0]).all() for name in (*result.records, "tip"))
    assert np.isfinite(result["final_tip_x"][1])


@pytest.mark.parametrize("fails_in", ["add", "finish"])
def test_a_fault_in_recording_stays_with_its_point(fails_in, monkeypatch):
    """Four arms move side by side; a fault in what is recorded of one does not touch the others."""
    arms = [small_arm(("EI: 50.0", f"EI: {EI}")) for EI in (40.0, 50.0, 60.0, 70.0)]
    recording, model = Recording.of(["steps"], [], 0.2, arms[0]), ParametricModel(arms)
    whole = run_points(arms, recording, model)
    usual, calls = getattr(RunReduction, fails_in), []

    def failing(reduction, given):
        calls.append(reduction)
        if len(calls) == 2:
            raise KeyError("a fault")
        return usual(reduction, given)

    monkeypatch.setattr(RunReduction, fails_in, failing)
    found = run_points(arms, recording, model)
    assert [each.reason for each in found] == ["", "internal error: KeyError: 'a fault'", "", ""]
    for k in (0, 2, 3):
        np.testing.assert_array_equal(found[k].measures, whole[k].measures)


def test_points_without_equations_fail_in_words(worker):
    torsion = "modes: {family: fixed-free, count: 1, direction: torsion}"
    arm = small_arm(
        ("EI: 50.0", "GJ: 50.0, damping: 0.1"), ("modes: {family: clamped-free, count: 1}", torsion)
    )
    result = sweep(arm, {"payload.mass": [0.0, 1.0]}, executor=worker)
    assert result.failed.all()
    assert all(reason.startswith("a damping ratio needs a natural frequency") for reason in result["reason"])


def test_values_that_contradict_each_other_fail_as_points(worker):
    """A sample time of 0.2 s goes with the first duration, not with the second."""
    result = sweep(small_arm(), {"run.duration": [0.3, 0.1], "run.sample": [0.01, 0.2]}, executor=worker)
    assert result.failed.tolist() == [[False, False], [False, True]]
    assert "at most the duration" in result["reason"][1, 1]


def test_numbers_of_modes_can_be_varied(worker):
    """Arms of different structure share no model; each has its own equations."""
    result = sweep(small_arm(), {"links[0].modes.count": [1, 2, 3]}, record=["final_tip"], executor=worker)
    for count, x in zip((1, 2, 3), result["final_tip_x"], strict=True):
        arm = small_arm(("count: 1", f"count: {count}"))
        assert x == simulate(arm).point_position[-1, -1, 0]


def test_runs_of_different_length_share_their_times(worker):
    result = sweep(small_arm(), {"run.duration": [0.1, 0.3]}, series=["joint_angle[0]"], executor=worker)
    times = result.coordinates["time"].values
    assert times[-1] == pytest.approx(0.3)
    np.testing.assert_array_equal(np.isnan(result["joint_angle[0]"][0]), times > 0.1 + 1e-12)
    assert not np.isnan(result["joint_angle[0]"][1]).any()


@pytest.mark.parametrize(
    ("vary", "options", "words"),
    [
        ({"links[0].EII": [1]}, {}, ["vary", "did you mean 'links[0].EI'?"]),
        ({"payload.mass": "-1:1:3"}, {}, ["at payload.mass = -1", ">= 0"]),
        ({"payload.mass": "0:1:3", "links[0].mu": [1, 0]}, {}, ["at payload.mass = 0, links[0].mu = 0"]),
        ({"payload.mass": "0 deg:1 deg:3"}, {}, ["'0 deg'"]),
        ({"links[*].EI": [1], "links[0].EI": [2]}, {}, ["overlap"]),
        ({"payload.mass": [1]}, {"record": ["max_torq"]}, ["record", "'max_torque'"]),
        ({"payload.mass": [1]}, {"series": ["top"]}, ["series", "'tip'"]),
        ({"run.sample": [0.01, 0.02]}, {"series": ["tip"]}, ["no common times"]),
        ({"links[0].modes.count": [1, 2]}, {"series": ["mode_amplitude"]}, ["no common size"]),
        ({}, {}, ["at least one key"]),
    ],
)
def test_what_is_wrong_is_reported_before_anything_runs(vary, options, words, tmp_path):
    with pytest.raises(SpecError) as caught:
        sweep(small_arm(), vary, output=tmp_path / "never.h5", **options)
    assert all(word in str(caught.value) for word in words), str(caught.value)
    assert list(tmp_path.iterdir()) == []


def test_an_arm_that_was_changed_since_it_was_read():
    arm = small_arm()
    changed = arm.model_copy(update={"gravity": (0.0, 0.0, 0.0)})
    with pytest.raises(SpecError, match="changed after it was read"):
        sweep(changed, {"payload.mass": [1]})


@pytest.mark.parametrize("options", [{}, {"functions": {"law": lambda t, u: -u}}])
def test_python_functions_are_refused_before_anything_runs(options):
    text = small_arm().text + "\nsensors: {hub: {joint: 1, of: angle}}\n"
    text += "controllers: {own: {function: law, inputs: [hub], period: 0.01}}\n"
    arm = parse_arm(text)
    with pytest.raises(ModelError, match=r"controllers\.own is a Python function.*functions=") as caught:
        sweep(arm, {"payload.mass": [0, 1]}, workers=1, **options)
    assert "\n" not in str(caught.value)


def test_a_result_too_large_for_the_memory():
    with pytest.raises(ModelError, match=r"points: needs .* GB of memory"):
        sweep(small_arm(), {"payload.mass": "0:1:30000", "links[0].EI": "1:2:30000"})


def test_an_existing_result_is_refused(grid):
    with pytest.raises(ResultError, match="overwrite"):
        sweep(small_arm(), GRID, output=grid.path)


def test_the_names_of_a_result_are_suggested(grid):
    with pytest.raises(KeyError, match="did you mean 'final_tip_x'"):
        grid["final_tip_xx"]
    assert "2 links[0].EI x 3 payload.mass, 0 failed" in repr(grid)


def test_any_sequence_of_numbers_will_do(worker):
    result = sweep(small_arm(), {"payload.mass": np.linspace(0, 1, 2)}, record=["steps"], executor=worker)
    assert result.coordinates["payload.mass"].values.tolist() == [0.0, 1.0]


def test_these_tests_notice_internal_errors(worker, monkeypatch):
    def broken(arm, chain):
        raise KeyError("theta")

    monkeypatch.setattr(free_motion, "initial_state", broken)
    with pytest.raises(AssertionError, match="internal error: KeyError"):
        sweep(small_arm(), {"payload.mass": [0.0, 1.0]}, executor=worker)


@pytest.mark.slow
def test_runs_share_the_number_of_segments_that_the_motion_of_the_softest_asks_for(worker):
    more = [("clamped-free, count: 1}", "polynomial, count: 2}, segments: auto")]
    arm = small_arm(*more)
    found = sweep(arm, {"links[0].EI": [0.5, 500.0]}, executor=worker)
    arms = [small_arm(("EI: 50.0", f"EI: {EI}"), *more) for EI in (0.5, 500.0)]
    numbers = [segments_in_motion(one).arm.links[0].segments for one in arms]
    assert numbers[0] > numbers[1]
    assert found.arm.links[0].segments == numbers[0]
    fixed = more[0][1].replace("auto", f"{numbers[0]}")
    alone = simulate(small_arm(("EI: 50.0", "EI: 500.0"), (more[0][0], fixed)))
    np.testing.assert_allclose(found["final_tip_x"][1], alone.point_position[-1, -1, 0], atol=10 * TOLERANCE)
