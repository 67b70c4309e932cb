"""Measures and series are what one would compute from the result of a single simulation."""

import numpy as np
import pytest
from paths import ROBOTS
from scipy.integrate import trapezoid
from small_arm import small_arm

from flexarm import load_arm, simulate
from flexarm.results.dimensions import dimension_sizes
from flexarm.results.recorded_datasets import recorded_datasets
from flexarm.simulation.forward.free_motion import prepare_free_motion
from flexarm.simulation.forward.motion_with_contact import prepare_motion_with_contact
from flexarm.sweeps.measures.recorded_quantities import quantity
from flexarm.sweeps.measures.run_reduction import Recording, RunReduction
from flexarm.sweeps.measures.scalar_measures import MEASURES, default_measures, scalar_measures
from flexarm.sweeps.parameters.keys import KeyFault


def computed(run, recording):
    reduction = RunReduction(recording, run.instance.arm)
    for block in run.blocks():
        reduction.add(block)
    return reduction.finish(run)


def recorded(arm, *names, run=None, series=()):
    recording = Recording.of(names, series, arm.run.duration, arm)
    numbers, found = computed(run or prepare_free_motion(arm), recording)
    return dict(zip((measure.name for measure in recording.measures), numbers, strict=True)), found


@pytest.mark.slow
def test_measures_of_a_driven_arm():
    arm = load_arm(ROBOTS / "spatial_three_link.yaml")
    numbers, _ = recorded(arm, *default_measures(arm))
    result = simulate(arm)
    tip = result.point_position[-1, -1]
    assert [numbers[f"final_tip_{axis}"] for axis in "xyz"] == tip.tolist()
    assert numbers["max_torque"] == np.abs(result.torque).max()
    deflection = np.sqrt((result.link_deflection[:, -1, 1] ** 2).sum(axis=1))
    assert numbers["max_tip_deflection"] == pytest.approx(deflection.max(), rel=1e-14)
    assert numbers["energy_lost"] == result.energy_total[0] - result.energy_total[-1]
    assert (numbers["steps"], numbers["evaluations"]) == (
        result.attributes["steps"],
        result.attributes["evaluations"],
    )
    assert numbers["seconds"] > 0
    assert "first_impact" not in numbers


def test_the_first_impact():
    arm = load_arm(ROBOTS / "shafei_falling_link.yaml")
    numbers, _ = recorded(arm, "first_impact", run=prepare_motion_with_contact(arm))
    assert numbers["first_impact"] == simulate(arm).impact_time[0]
    without = small_arm()
    assert np.isnan(recorded(without, "first_impact")[0]["first_impact"])


def test_energy_lost_to_friction_is_what_friction_took():
    """The viscous torque c q_d takes the power c q_d^2."""
    arm = small_arm(("sample: 0.01", "sample: 0.001"))
    lost = recorded(arm, "energy_lost")[0]["energy_lost"]
    result = simulate(arm)
    assert lost == pytest.approx(trapezoid(0.2 * result.joint_velocity[:, 0] ** 2, result.time), rel=1e-3)


def test_series_are_the_datasets_of_the_result():
    arm = load_arm(ROBOTS / "usoro_two_link.yaml")
    numbers, found = recorded(
        arm, "residual_vibration:tip[0]", series=("tip", "tip[0]", "joint_angle[1]", "energy_total")
    )
    result = simulate(arm)
    np.testing.assert_array_equal(found["tip"], result.point_position[:, -1])
    np.testing.assert_array_equal(found["tip[0]"], result.point_position[:, -1, 0])
    assert numbers["residual_vibration:tip[0]"] == np.ptp(result.point_position[:, -1, 0]) / 2
    np.testing.assert_array_equal(found["joint_angle[1]"], result.joint_angle[:, 1])
    np.testing.assert_array_equal(found["energy_total"], result.energy_total)


def test_a_shorter_run_ends_in_nan():
    arm = small_arm()
    recording = Recording.of(["steps"], ["joint_angle"], 0.3, arm)
    _, found = computed(prepare_free_motion(arm), recording)
    assert recording.times.size == 31
    np.testing.assert_array_equal(np.isnan(found["joint_angle"][:, 0]), recording.times > 0.2 + 1e-12)


@pytest.mark.parametrize(
    "name",
    [
        "usoro_two_link",
        "falling_chain",
        "space_arm",
        pytest.param("spatial_three_link", marks=pytest.mark.slow),
    ],
)
def test_the_available_quantities_are_those_of_a_run_and_have_its_sizes(name):
    arm = load_arm(ROBOTS / f"{name}.yaml")
    result = simulate(
        arm.model_copy(update={"run": arm.run.model_copy(update={"duration": 0.05, "sample": 0.05})})
    )
    assert set(recorded_datasets(arm)) <= set(result)
    for dataset in recorded_datasets(arm):
        assert quantity(dataset, arm).shape == result.shape(dataset)[1:], dataset
    assert dimension_sizes(arm)["link"] == len(arm.links)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("max_torques", ["max_torque"]),
        ("settling_time", ["QUANTITY"]),
        ("settling_time:joint_angel[0]:5%", ["joint_angle"]),
        ("settling_time:joint_angle:5%", ["joint_angle[0]"]),
        ("settling_time:joint_angle[1]:5%", ["out of range"]),
        ("settling_time:joint_angle[0]:5", ["LOW:HIGH"]),
        ("settling_time:joint_angle[0]:2:1", ["LOW below HIGH"]),
        ("settling_time:joint_angle[0]:a:b", ["LOW:HIGH"]),
        ("settling_time:joint_angle[0,1,2]:5%", ["3 indices"]),
    ],
)
def test_measures_that_do_not_exist(name, words):
    with pytest.raises(KeyFault) as caught:
        scalar_measures([name], small_arm())
    assert all(word in f"{caught.value.message} ({caught.value.hint})" for word in words)


def test_every_measure_has_a_unit_and_a_meaning():
    for measure in MEASURES.values():
        assert measure.units
        assert measure.long_name
