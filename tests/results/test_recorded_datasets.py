"""The list of datasets that arms record, against what their runs write."""

import numpy as np
import pytest
from breadth import thinned
from paths import ROBOTS

import flexarm
from flexarm.results.dimensions import dimension_sizes
from flexarm.results.recorded_datasets import recorded_datasets
from flexarm.results.schema import DATASETS, STATIC, TRACKED
from flexarm.simulation.forward.parametric_model import ParametricModel
from flexarm.sweeps.measures.recorded_quantities import quantity

ARMS = sorted(path.stem for path in ROBOTS.glob("*.yaml"))
PLAIN = "name: a\nlinks: [{length: 1, mu: 1}, {length: 1, mu: 1}]\nrun: {duration: 0.01, sample: 0.01}\n"
FURTHER = {
    "voltage": "joints: [{motor: {resistance: 1, torque_constant: 0.1}}, {}]\ndrive: [{voltage: 2}, {}]\n",
    "voltage within limits": "joints: [{motor: {resistance: 1, torque_constant: 0.1, stall_torque: 1, "
    "no_load_speed: 5}}, {}]\ndrive: [{voltage: 2, saturate: true}, {}]\n",
    "torque and PD": "drive: [{torque: 1, pd: {kp: 1, kd: 0.1, ki: 2, reference: 0}}, {torque: 2}]\n",
    "plain PD": "drive: [{pd: {kp: 1, kd: 0.1, reference: 0}}, {torque: 2}]\n",
    "sampled PD": "drive: [{pd: {kp: 1, kd: 0.1, reference: 0, period: 0.001, derivative_filter: 50 Hz}}, {}]\n",
    "spring": "joints: [{stiffness: 4}, {}]\n",
    "dry friction of a motion": "joints: [{friction: {coulomb: 1, smoothing: 0}}, {}]\ndrive: [{motion: 't**2'}, {}]\n",
    "base with a body": "base: {type: planar, mass: 1, inertia: 1}\n",
    "soft walls alone": "contact: {stiffness: 1e4, restitution: 0.5, walls: [{point: [0, -3], normal: [0, 1]}]}\n",
    "soft walls and limits": "joints: [{limits: [-1, 1]}, {}]\n"
    "contact: {stiffness: 1e4, restitution: 0.5, walls: [{point: [0, -3], normal: [0, 1]}]}\n",
    "friction in space": "joints: [{axis: [0, 1, 0]}, {}]\n"
    "contact: {restitution: 0.5, friction: 0.1, walls: [{point: [0, -3, 0], normal: [0, 1, 0]}]}\n",
}


@pytest.mark.parametrize("name", thinned(ARMS, 6))
def test_shipped_arms_record_what_is_listed(name):
    arm = flexarm.load_arm(ROBOTS / f"{name}.yaml")
    places = ParametricModel([arm]).state_equation.observables.places
    # stress is made of what is recorded
    assert {*recorded_datasets(arm)} - {"stress_max"} == {*places}
    assert list(recorded_datasets(arm)) == [name for name in DATASETS if name in recorded_datasets(arm)]


@pytest.mark.parametrize("name", thinned(FURTHER, len(FURTHER)))
def test_runs_write_what_is_listed_in_these_sizes(name):
    arm = flexarm.parse_arm(PLAIN + FURTHER[name])
    result = flexarm.simulate(arm)
    assert {*recorded_datasets(arm)} == {dataset for dataset in result if dataset in DATASETS} - {"time"}
    for dataset in recorded_datasets(arm):
        assert quantity(dataset, arm).shape == result.shape(dataset)[1:], dataset
        assert np.prod([dimension_sizes(arm)[dim] for dim in quantity(dataset, arm).dims]) == np.prod(
            result.shape(dataset)[1:]
        )


def test_every_dataset_is_in_the_list_of_some_arm_or_of_a_task():
    arms = [flexarm.load_arm(ROBOTS / f"{name}.yaml") for name in ARMS]
    arms += [flexarm.parse_arm(PLAIN + more) for more in FURTHER.values()]
    every = "run: {duration: 0.01, sample: 0.01, record: [loads, generalised_forces, acceleration_energy]}\n"
    arms.append(flexarm.parse_arm(PLAIN.replace(PLAIN.splitlines()[-1], every)))
    listed = {dataset for arm in arms for dataset in recorded_datasets(arm)}
    of_tasks = {
        *(name for name, one in DATASETS.items() if {*one.needed_by} & {*TRACKED, *STATIC}),
        *("turn_error", "torque_upper", "torque_lower", "cartesian_inertia"),
        *(name for name in DATASETS if name.startswith("jacobian_")),
    }
    assert {*DATASETS} - listed <= of_tasks
