"""A link of n segments equals what a user makes of it by hand: n links held together by fixed joints."""

from __future__ import annotations

from functools import cache
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
import yaml
from breadth import thinned
from scipy.spatial.transform import Rotation

import flexarm
from flexarm.catalogue import FORMULATIONS

ROUND_OFF = 1e-12
"""Relative to the largest entry; the same equations in the same order."""

TAPERED = {"eta": [0.0, 0.35, 0.9], "values": [3.0, 2.0, 1.0]}
PLANAR: dict[str, Any] = {
    "name": "planar",
    "geometric_stiffening": False,
    "links": [
        {
            "length": 0.9,
            "mu": TAPERED,
            "EI": 80.0,
            "segments": 3,
            "modes": {"family": "polynomial", "count": 2},
        },
        {
            "length": 0.7,
            "mu": 1.5,
            "EI": 40.0,
            "segments": 2,
            "modes": {"family": "clamped-free", "count": 1},
        },
    ],
    "joints": [{"friction": {"viscous": 0.2}}, {"mass": 0.4, "inertia": [0.01, 0.01, 0.02]}],
    "payload": {"mass": 0.6},
    "loads": [{"at": {"link": 1, "at": 0.5}, "force": [1.0, 2.0, 0.0], "moment": [0, 0, 0.5]}],
    "run": {"duration": 0.4, "sample": 0.02, "rtol": 1e-10, "atol": 1e-12},
}
SPATIAL: dict[str, Any] = {
    "name": "spatial",
    "geometric_stiffening": False,
    "gravity": [0.0, 1.0, -9.0],
    "links": [
        {"length": 0.5, "mu": 3.0},
        {
            "length": 0.9,
            "mu": TAPERED,
            "EI": {"y": {"eta": [0.0, 0.9], "values": [90.0, 60.0]}, "z": 120.0},
            "GJ": 40.0,
            "rotary_inertia": [0.02, 0.01, 0.01],
            "segments": 3,
            "modes": [
                {"family": "polynomial", "count": 2, "direction": "y"},
                {"family": "polynomial", "count": 1, "direction": "z"},
                {"family": "fixed-free", "count": 1, "direction": "torsion"},
            ],
        },
    ],
    "joints": [{}, {"twist": "90 deg", "offset": 0.2, "mass": 0.3}],
    "payload": {"mass": 0.5, "inertia": [0.01, 0.02, 0.03, 0.0, 0.0, 0.0], "offset": [0.05, 0.02, 0.0]},
    "loads": [{"at": {"link": 2, "at": 0.8}, "force": [1.0, "sin(5*t)", 0.5], "moment": [0.1, 0.0, 0.3]}],
    "run": {"duration": 0.3, "sample": 0.02, "rtol": 1e-10, "atol": 1e-12},
}
FLOATING = {**PLANAR, "name": "floating", "base": "planar"}
STIFFENED = {**SPATIAL, "name": "stiffened", "geometric_stiffening": True}
DESCRIPTIONS = {data["name"]: data for data in (PLANAR, SPATIAL, FLOATING, STIFFENED)}


def cut_by_hand(data: dict[str, Any]) -> dict[str, Any]:
    """Description with n links in the place of every link of n segments."""
    links, joints, first = [], [], []
    for link, joint in zip(data["links"], data["joints"], strict=True):
        n = link.get("segments", 1)
        first.append(len(links))
        length = link["length"] / n
        for k in range(n):
            start, end = k * length, (k + 1) * length
            part = {name: piece(value, start, end) for name, value in link.items() if name != "segments"}
            links.append({**part, "length": length})
        joints += [joint, *[{"type": "fixed"}] * (n - 1)]
    loads = []
    for load in data["loads"]:
        i = load["at"]["link"] - 1
        place = load["at"]["at"] * data["links"][i].get("segments", 1)
        at = {"link": first[i] + int(place) + 1, "at": place - int(place)}
        loads.append({**load, "at": at})
    return {**data, "links": links, "joints": joints, "loads": loads}


def piece(value: Any, start: float, end: float) -> Any:
    """Stretch from start to end [m] of a profile, or of all profiles of a mapping."""
    if not isinstance(value, dict):
        return value
    if "eta" not in value:
        return {name: piece(entry, start, end) for name, entry in value.items()}
    inside = [eta for eta in value["eta"] if start + 1e-9 < eta < end - 1e-9]
    stations = [start, *inside, end]
    values = np.interp(stations, value["eta"], value["values"]).tolist()
    return {"eta": [0.0, *(eta - start for eta in inside), end - start], "values": values}


class Plain(yaml.SafeDumper):
    def ignore_aliases(self, data):
        return True


@cache
def arms(name: str):
    """The arm with segments, and the one cut by hand."""
    data = DESCRIPTIONS[name]
    return tuple(flexarm.parse_arm(yaml.dump(one, Dumper=Plain)) for one in (data, cut_by_hand(data)))


def random_state(n: int) -> tuple[np.ndarray, ...]:
    rng = np.random.default_rng(7)
    return tuple(scale * rng.normal(size=n) for scale in (0.1, 0.5, 1.0))


def assert_close(actual, expected, tolerance=ROUND_OFF):
    assert np.shape(actual) == np.shape(expected)
    error = np.abs(np.asarray(actual) - expected).max() / np.abs(expected).max()
    assert error < tolerance, f"relative difference {error:.1e}"


@pytest.mark.parametrize(
    ("name", "formulation"),
    thinned([(name, formulation) for name in DESCRIPTIONS for formulation in FORMULATIONS], every=9),
)
def test_equations_are_those_of_the_arm_cut_by_hand(name, formulation):
    can = FORMULATIONS[formulation].can
    if (name == "floating" and not can.planar_base) or (name == "stiffened" and not can.stiffening):
        pytest.skip("this formulation has none")
    one, other = (flexarm.motion_equations(arm, formulation=formulation) for arm in arms(name))
    theta, theta_d, theta_dd = random_state(one.n_dof)
    assert one.n_dof == other.n_dof
    assert_close(one.mass_matrix(theta), other.mass_matrix(theta))
    assert_close(one.bias(theta, theta_d), other.bias(theta, theta_d))
    assert_close(
        one.inverse_dynamics(theta, theta_d, theta_dd), other.inverse_dynamics(theta, theta_d, theta_dd)
    )
    assert_close(
        one.forward_dynamics(theta, theta_d, theta_dd),
        other.forward_dynamics(theta, theta_d, theta_dd),
        1e-10,
    )
    assert_close(one.points(theta)[-1], other.points(theta)[-1])
    assert_close(one.energies(theta, theta_d), other.energies(theta, theta_d))


@pytest.mark.parametrize(
    ("name", "formulation"),
    thinned(
        [(name, formulation) for name in ("planar", "spatial") for formulation in list(FORMULATIONS)[1:]],
        every=6,
    ),
)
def test_formulations_agree_with_damping_across_segments(name, formulation):
    data = DESCRIPTIONS[name]
    damped = {
        **data,
        "links": [{**link, "damping": 0.05} if "modes" in link else link for link in data["links"]],
    }
    arm = flexarm.parse_arm(yaml.dump(damped, Dumper=Plain))
    one, other = flexarm.motion_equations(arm), flexarm.motion_equations(arm, formulation=formulation)
    theta, theta_d, tau = random_state(one.n_dof)
    undamped = flexarm.motion_equations(arms(name)[0])
    assert np.abs(one.bias(theta, theta_d) - undamped.bias(theta, theta_d)).max() > 1e-3
    assert_close(one.bias(theta, theta_d), other.bias(theta, theta_d), 1e-10)
    assert_close(
        one.forward_dynamics(theta, theta_d, tau), other.forward_dynamics(theta, theta_d, tau), 1e-10
    )


@pytest.mark.parametrize("name", thinned(sorted(DESCRIPTIONS), every=4))
def test_motion_is_that_of_the_arm_cut_by_hand(name):
    """Tip and joints, energies; deflection and rotation at the end of the link from those of its parts."""
    one, other = (flexarm.simulate(arm) for arm in arms(name))
    tolerance = 1e-8  # of the integration
    firsts = np.cumsum([0, *(link.segments for link in one.arm.links)])
    np.testing.assert_allclose(one.point_position, other.point_position[:, firsts], atol=tolerance)
    np.testing.assert_allclose(one.point_velocity, other.point_velocity[:, firsts], atol=100 * tolerance)
    np.testing.assert_allclose(one.joint_angle, other.joint_angle[:, firsts[:-1]], atol=tolerance)
    np.testing.assert_allclose(one.mode_amplitude, other.mode_amplitude, atol=tolerance)
    np.testing.assert_allclose(one.torque, other.torque[:, firsts[:-1]], atol=1e-5)
    np.testing.assert_allclose(one.energy_total, other.energy_total, atol=1e-6)
    for i, (start, stop) in enumerate(pairwise(firsts)):
        turned = Rotation.identity()
        position, ahead = np.zeros((len(one.time), 3)), 0.0
        for k in range(start, stop):
            length = other.arm.links[k].length
            position += turned.apply(other.link_deflection[:, k, -1] + [length, 0.0, 0.0])
            turned = turned * Rotation.from_rotvec(np.array(other.link_rotation[:, k, -1]))
            ahead += length
        deflection = position - [ahead, 0.0, 0.0]
        np.testing.assert_allclose(one.link_deflection[:, i, -1], deflection, atol=tolerance)
        np.testing.assert_allclose(one.link_rotation[:, i, -1], turned.as_rotvec(), atol=tolerance)


def test_shapes_are_one_line_for_a_link():
    one, other = (flexarm.motion_equations(arm) for arm in arms("spatial"))
    theta, _, _ = random_state(one.n_theta)
    line, parts = one.shape(theta, stations=10), other.shape(theta, stations=4)
    assert_close(line[0, [0, -1]], parts[0, [0, -1]])
    assert_close(line[1], np.concatenate([parts[1], parts[2, 1:], parts[3, 1:]]))


@pytest.mark.slow
def test_contact_points_are_those_of_the_link():
    """A fall on a floor: the points named all are joints and tip, a place named is found on its segment."""
    data = {
        **PLANAR,
        "base": "planar",
        "joints": [{"type": "fixed"}, {}],
        "loads": [],
        "initial": {"base": [0.0, 0.05]},
        "contact": {
            "walls": [{"normal": [0, 1, 0], "point": [0, 0, 0]}],
            "points": ["all", {"link": 1, "at": 0.75}],
        },
        "run": {"duration": 0.15, "sample": 0.01},
    }
    by_hand = cut_by_hand(data)
    places = ["O1", {"link": 4, "at": 0.0}, "O6", {"link": 3, "at": 0.25}]
    by_hand = {**by_hand, "contact": {**by_hand["contact"], "points": places}}
    one, other = (
        flexarm.simulate(flexarm.parse_arm(yaml.dump(each, Dumper=Plain))) for each in (data, by_hand)
    )
    assert one["contact_force"].shape == other["contact_force"].shape == (len(one.time), 4, 1)
    assert len(one["impact_time"]) == len(other["impact_time"]) > 4
    np.testing.assert_allclose(one["impact_time"][:4], other["impact_time"][:4], atol=1e-9)


def test_loads_along_the_axes_of_a_link_are_along_those_at_its_start():
    data = {**PLANAR, "joints": [{"type": "fixed"}, {}], "run": {"duration": 0.2, "sample": 0.02}}
    load = {"at": {"link": 1, "at": 0.9}, "force": [30.0, 50.0, 0.0], "moment": [0.0, 0.0, 10.0]}
    ends = [
        flexarm.simulate(
            flexarm.parse_arm(yaml.dump({**data, "loads": [{**load, "frame": frame}]}, Dumper=Plain))
        )
        for frame in ("base", "link")
    ]
    assert np.abs(ends[0].link_rotation[:, 0]).max() > 0.05
    np.testing.assert_allclose(ends[0].point_position, ends[1].point_position, atol=1e-12)
