"""Every feature of an arm and every kind of trajectory, inverted and confirmed by the forward dynamics."""

import numpy as np
import pytest
from breadth import thinned

import flexarm
from flexarm.errors import ModelError
from flexarm.simulation.inverse.methods.inverse_method import make_inverse_method
from flexarm.simulation.inverse.problem import inverse_problem
from flexarm.simulation.inverse.verification.verification import verified_error

TIP, VERIFIED = 1e-6, 1e-6  # m
ARM = {
    "gravity": "[0, -9.81, 0]",
    "links": "[{length: 0.6, mu: 1.0, EI: 80.0, modes: {family: clamped-free, count: 1}}, "
    "{length: 0.6, mu: 0.5, EI: 60.0, modes: {family: clamped-free, count: 1}}]",
}
THREE = ARM["links"].replace("}}, {length: 0.6", "}}, {length: 0.2, mu: 1.0}, {length: 0.6")
ARMS = {
    "as it is": {},
    "joint locked": {"links": THREE, "joints": "[{}, {type: fixed, angle: 20 deg}, {}]"},
    "load on the tip": {"loads": '[{at: tip, force: [2.0, "-3*sin(2*t)", 0]}]'},
    "friction, motors, hubs": {
        "joints": "[{friction: {viscous: 0.5, coulomb: 0.3, smoothing: 0.5}, motor: {inertia: 1.0e-4, gear: 50}}, "
        "{mass: 0.4}]"
    },
    "stiffening": {"geometric_stiffening": "true"},
    "small rotation": {"link_rotation": "small"},
    "payload with inertia": {"payload": "{mass: 0.2, inertia: [0, 0, 0.002], offset: [0.03, 0.02, 0]}"},
    "rigid second link": {
        "links": ARM["links"].replace("EI: 60.0, modes: {family: clamped-free, count: 1}", "EI: 60.0")
    },
    "rigid": {"links": "[{length: 0.6, mu: 1.0}, {length: 0.6, mu: 0.5}]"},
}
TRAJECTORIES = {
    "line": "duration: 0.8\nline: {from: [0.9, 0.3], to: [0.7, 0.6]}\n",
    "trapezoidal line": "duration: 0.8\nline: {from: [0.9, 0.3], to: [0.7, 0.6], law: trapezoidal}\n",
    "waypoints": "waypoints: {times: [0, 0.3, 0.8], x: [0.9, 0.85, 0.7], y: [0.3, 0.4, 0.6]}\n",
    "table in motion": "table: |\n  0 0.9 0.3\n  0.3 0.85 0.4\n  0.6 0.8 0.42\n  0.8 0.7 0.45\n",
    "circle": "duration: 1.5\ncircle: {center: [0.8, 0.4], radius: 0.1, law: trapezoidal}\n",
    "one coordinate": "duration: 0.8\nline: {from: [0.9], to: [0.7]}\nnear: [-20 deg, 80 deg]\n",
}


def arm(**changes):
    return flexarm.parse_arm(
        "name: variant\n" + "".join(f"{key}: {value}\n" for key, value in {**ARM, **changes}.items())
    )


def confirmed(description, trajectory):
    text = trajectory if "near" in trajectory else trajectory + "elbow: positive\n"
    problem = inverse_problem(description, flexarm.parse_trajectory(text + "sample: 0.01\n"))
    solution = make_inverse_method("stable").solve(problem)
    return solution.datasets()["tip_error"].max() < TIP and verified_error(solution) < VERIFIED


@pytest.mark.parametrize("name", thinned(ARMS, every=8))
def test_every_feature_of_an_arm(name):
    assert confirmed(arm(**ARMS[name]), TRAJECTORIES["line"])


@pytest.mark.parametrize("name", thinned(TRAJECTORIES, every=6))
def test_every_kind_of_trajectory(name):
    assert confirmed(arm(), TRAJECTORIES[name])


@pytest.mark.slow
def test_a_load_on_the_tip_is_carried_by_the_joints():
    """At rest before the path: the torques of a force are its moments about the joints."""
    trajectory = flexarm.parse_trajectory(TRAJECTORIES["line"] + "elbow: positive\n")
    without, carrying = (
        flexarm.inverse(arm(**loads), trajectory, method="rigid")
        for loads in ({}, {"loads": "[{at: tip, force: [2, -3, 0]}]"})
    )
    lever = carrying.point_position[:, -1:, :2] - carrying.point_position[:, :2, :2]
    moments = lever[..., 0] * -3.0 - lever[..., 1] * 2.0
    np.testing.assert_allclose(carrying.torque - without.torque, -moments, atol=1e-10)


def test_what_would_not_fit_into_memory_is_refused():
    trajectory = flexarm.parse_trajectory(TRAJECTORIES["line"] + "elbow: positive\nsample: 1.0e-12\n")
    with pytest.raises(ModelError, match=r"a result of 8e\+11 samples: needs .* GB of memory"):
        inverse_problem(arm(), trajectory)
    problem = inverse_problem(arm(), flexarm.parse_trajectory(TRAJECTORIES["line"] + "elbow: positive\n"))
    with pytest.raises(ModelError, match=r"a mesh of .* intervals: needs .* GB of memory, .*larger `step`"):
        make_inverse_method("stable", step=1e-9).solve(problem)
