"""Forces and moments in sections of arms at rest, in closed form; and those that a result computes afterwards."""

from __future__ import annotations

import numpy as np
import pytest
from breadth import thinned
from paths import ROBOTS

import flexarm
from flexarm.description.motion.run_settings import LoadStations
from flexarm.links.stress.section_stress import section_stress

STATICS = 1e-10  # of the largest: deflections of 1e-12 m move the lever arms
STATIONS = (0.0, 0.4, 0.7, 1.0)
G = np.array([0.0, -9.81, 0.0])

MODELS = {
    "rigid": "",
    "one mode": ", EI: 1e13, modes: {family: clamped-free, count: 1}",
    "segments": ", EI: 1e13, segments: 3, modes: {family: craig-bampton, count: 1}",
    "in space": ", EI: {y: 1e13, z: 1e13}, GJ: 1e13, EA: 1e15, rotary_inertia: [0.1, 0, 0], "
    "modes: [{family: clamped-free, count: 1}, "
    "{family: clamped-free, count: 1, direction: z}, {family: fixed-free, count: 1, direction: torsion}, "
    "{family: fixed-free, count: 1, direction: axial}]",
}
SHAPES = {
    "cantilever": ([2.0], [(0.0, 0.0)]),
    "L": ([1.5, 0.8], [(0.0, 0.0), (0.0, 90.0)]),
    "spatial": ([1.0, 0.7, 0.5], [(90.0, 30.0), (90.0, 40.0), (-60.0, 75.0)]),
}
"""Lengths of the links, and twist and angle of their joints [deg]."""
MU = (3.0, 2.0, 1.2)
TIP, MOMENT, MIDDLE = np.array([5.0, -7.0, 2.0]), np.array([0.3, -0.2, 0.4]), np.array([1.0, -11.0, 3.0])


def at_rest(shape: str, model: str):
    lengths, joints = SHAPES[shape]
    links = [f"  - {{length: {l}, mu: {mu}{MODELS[model]}}}" for l, mu in zip(lengths, MU, strict=False)]
    kinds = [f"{{twist: {joints[0][0]} deg}}"]
    kinds += [f"{{type: fixed, twist: {twist} deg, angle: {angle} deg}}" for twist, angle in joints[1:]]
    arm = flexarm.parse_arm(
        "name: rests\ngravity: [0, -9.81, 0]\nlinks:\n"
        + "\n".join(links)
        + f"\njoints: [{', '.join(kinds)}]\ninitial: {{joints: [{joints[0][1]} deg]}}\n"
        + f"loads:\n  - {{at: tip, force: {TIP.tolist()}, moment: {MOMENT.tolist()}}}\n"
        + f"  - {{at: {{link: 1, at: 0.4}}, force: {MIDDLE.tolist()}}}\nrun: {{duration: 1, sample: 1}}\n"
    )
    return without_loads(flexarm.static_equilibrium(arm, hold="initial").result())


def without_loads(result: flexarm.Result) -> flexarm.Result:
    """The result as of a run that has not recorded its loads."""
    arrays = {
        name: result[name] for name in result if not name.startswith(("section_", "joint_f", "joint_m"))
    }
    return flexarm.Result(arrays, result.attributes)


def straight(shape: str, link: int, xi: float) -> tuple[np.ndarray, np.ndarray]:
    """Force and moment in a section of the undeformed arm: weight and loads beyond it."""
    lengths, joints = SHAPES[shape]
    R, O, frames = np.eye(3), np.zeros(3), []
    for length, (twist, angle) in zip(lengths, np.radians(joints), strict=True):
        R = R @ about(0, twist) @ about(2, angle)
        frames.append((R, O))
        O = O + length * R[:, 0]
    R, start = frames[link]
    cut = start + xi * lengths[link] * R[:, 0]
    loads = [(TIP, O)]
    if link == 0 and xi <= 0.4:
        loads.append((MIDDLE, 0.4 * lengths[0] * frames[0][0][:, 0]))
    for i in range(link, len(lengths)):
        first = xi if i == link else 0.0
        middle = frames[i][1] + (first + 1) / 2 * lengths[i] * frames[i][0][:, 0]
        loads.append((MU[i] * lengths[i] * (1 - first) * G, middle))
    force = sum(f for f, _ in loads)
    moment = MOMENT + sum(np.cross(at - cut, f) for f, at in loads)
    return R.T @ force, R.T @ moment


def about(axis: int, angle: float) -> np.ndarray:
    c, s = np.cos(angle), np.sin(angle)
    R, (j, k) = np.eye(3), ((axis + 1) % 3, (axis + 2) % 3)
    R[j, j], R[j, k], R[k, j], R[k, k] = c, -s, s, c
    return R


@pytest.mark.parametrize(
    ("shape", "model"), thinned([(s, m) for s in SHAPES for m in MODELS], every=99, keep=(("L", "one mode"),))
)
def test_arms_at_rest_carry_their_weight_and_loads(shape, model):
    result = at_rest(shape, model)
    cuts = [(i, xi) for i in range(len(SHAPES[shape][0])) for xi in STATIONS]
    found = [[part[0] for part in result.loads(i + 1, xi)] for i, xi in cuts]
    expected = [straight(shape, i, xi) for i, xi in cuts]
    for own, reference in zip(zip(*found, strict=True), zip(*expected, strict=True), strict=True):
        size = np.abs(reference).max()
        np.testing.assert_allclose(own, reference, atol=STATICS * size, rtol=0)


def test_signs_of_a_cantilever():
    """A beam along x, pulled by P, pressed down at its tip by F and by its own weight."""
    P, F, mu, length = 7.0, 4.0, 3.0, 2.0
    arm = flexarm.parse_arm(
        "name: beam\ngravity: [0, -9.81, 0]\nlinks: [{length: 2, mu: 3}]\n"
        "loads: [{at: tip, force: [7, -4, 0]}]\nrun: {duration: 1, sample: 1}\n"
    )
    force, moment = flexarm.static_equilibrium(arm, hold="0").result().loads(1, 0.0)
    np.testing.assert_allclose(force[0], [P, -F - mu * 9.81 * length, 0], rtol=1e-14)
    np.testing.assert_allclose(moment[0], [0, 0, -F * length - mu * 9.81 * length**2 / 2], rtol=1e-14)


def test_stress_takes_them_as_they_are():
    """Pulled and pressed down: stretched at the upper side of the clamp, by P / A + F l / W."""
    arm = flexarm.parse_arm(
        "name: beam\ngravity: [0, 0, 0]\nlinks: [{length: 2, material: {E: 2e11, rho: 7850}, "
        "section: {shape: rectangle, height: 0.1, width: 0.04}}]\n"
        "loads: [{at: tip, force: [700, -400, 0]}]\nrun: {duration: 1, sample: 1}\n"
    )
    force, moment = flexarm.static_equilibrium(arm, hold="0").result().loads(1, 0.0)
    section = arm.links[0].section
    assert section is not None
    stress = section_stress(section, force[0], moment[0])
    top, A, W = stress.y.argmax(), 0.1 * 0.04, 0.04 * 0.1**2 / 6
    np.testing.assert_allclose(stress.normal[top], 700 / A + 400 * 2 / W, rtol=1e-12)


@pytest.mark.parametrize(
    ("link", "at", "words"),
    [
        (0, 0.5, ["link: got 0", "from 1"]),
        (3, 0.5, ["link: got 3", "from 1 to 2"]),
        (1, -0.1, ["at: got -0.1"]),
        (1, 1.1, ["at: got 1.1", "from 0"]),
        (1, float("nan"), ["at: got nan"]),
        (1, 0.5, ["link 1 is a rigid body", "at = 0"]),
    ],
)
def test_sections_that_there_are_not(link, at, words):
    arm = flexarm.parse_arm(
        "name: body\nlinks: [{length: 1, body: {mass: 2, center: [0.3, 0, 0], inertia: 0.1}}, {length: 1, mu: 1}]\n"
        "run: {duration: 1, sample: 1}\n"
    )
    with pytest.raises(flexarm.ModelError) as error:
        flexarm.static_equilibrium(arm, hold="0, 0").result().loads(link, at)
    assert all(word in str(error.value) for word in words)


def test_payload_results_say_that_the_load_is_another():
    rest = at_rest("cantilever", "rigid")
    values = {name: rest[name] for name in rest if not name.startswith("section")}
    result = flexarm.Result(values, {**rest.attributes, "kind": "payload"})
    with pytest.raises(flexarm.ModelError, match=r"record: \[loads\], stations: \{at: \[0.3\]\}"):
        result.loads(1, 0.3)


COMPUTED = ("usoro_two_link", "elastic_joints_two_link", "falling_chain", "space_arm", "spatial_three_link")


@pytest.mark.parametrize("name", thinned(COMPUTED, every=9))
def test_loads_computed_afterwards_are_those_recorded(name):
    arm = flexarm.load_arm(ROBOTS / f"{name}.yaml")
    run = {
        "record": ("loads",),
        "stations": LoadStations(at=(0.0, 0.5, 1.0)),
        "sample": arm.run.duration / 20,
    }
    recorded = flexarm.simulate(arm.model_copy(update={"run": arm.run.model_copy(update=run)}))
    names = [name for name in recorded if not name.startswith(("section", "joint_force", "joint_moment"))]
    result = flexarm.Result({name: recorded[name] for name in names}, recorded.attributes)
    for link in range(1, len(arm.links) + 1):
        for k, at in enumerate((0.0, 0.5, 1.0)):
            computed = result.loads(link, at)
            for own, stored in zip(computed, ("section_force", "section_moment"), strict=True):
                size = np.abs(recorded[stored]).max()
                np.testing.assert_allclose(own, recorded[stored][:, link - 1, k], atol=1e-10 * size, rtol=0)
