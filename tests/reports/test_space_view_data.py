"""What the page is told of a motion, decoded as it says, is the motion of the result."""

import json
import math
import re
from base64 import b64decode
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from breadth import thinned
from plots.simulated import NAMES, changed, simulated

import flexarm
from flexarm.errors import ResultError
from flexarm.reports.space_view import motion_data as motion_data_file
from flexarm.reports.space_view.motion_data import MOST_NUMBERS, motion_data

TOLERANCE = 5e-4
"""Of the arm's length: half a pixel of an arm of 1000; between frames a vibration is joined by straight lines."""
KINDS = {"f4": "<f4", "f8": "<f8", "u1": "<u1", "u4": "<u4"}
OPERATIONS = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "div": lambda a, b: a / b,
    "neg": lambda a, b: -a,
    "sq": lambda a, b: a * a,
    "twice": lambda a, b: 2 * a,
    "inv": lambda a, b: 1 / a,
    "sqrt": lambda a, b: np.sqrt(a),
    "sin": lambda a, b: np.sin(a),
    "cos": lambda a, b: np.cos(a),
}


def unpacked(packed):
    ((kind, text),) = packed.items()
    return np.frombuffer(b64decode(text), dtype=KINDS[kind])


@cache
def told(name, duration=0.3):
    return json.loads(json.dumps(motion_data(simulated(name, duration))))


def positions(data, times, magnification=1.0):
    """All points that the page draws at some times, (k, points, 3) [m]."""
    frames, theta = unpacked(data["times"]), unpacked(data["theta"]).reshape(-1, data["n_theta"])
    at = np.stack([np.interp(times, frames, column) for column in theta.T], axis=1)
    at[:, data["modes"]] *= magnification
    program = data["program"]
    constants, values = unpacked(program["constants"]), []
    columns = (unpacked(program[name]) for name in ("steps", "first", "second"))
    for step, first, second in zip(*columns, strict=True):
        name = program["names"][step]
        if name == "constant":
            values.append(np.full(len(times), constants[first]))
        elif name == "input":
            values.append(at[:, first])
        else:
            values.append(OPERATIONS[name](values[first], values[second]))
    outputs = np.stack([values[k] for k in unpacked(program["outputs"])], axis=1)
    return outputs.reshape(len(times), -1, 3)


def frames(data, points):
    """Origins, x axes and z axes (k, frames, 3) of the frames among these points."""
    count = len(data["flexible"]) + (data["base"] != "fixed")
    start = data["starts"][-1]
    return (points[:, start + part : start + 3 * count : 3] for part in range(3))


@pytest.mark.parametrize("name", thinned(NAMES, every=len(NAMES)))
def test_the_page_draws_the_arm_where_the_result_has_it(name):
    result, data = simulated(name), told(name)
    points = positions(data, result.time)
    length = sum(link.length for link in result.arm.links)
    joints = next(frames(data, points))[:, -len(result.arm.links) :]
    tip = points[:, data["starts"][-1] - 1]
    drawn = np.concatenate([joints, tip[:, None]], axis=1)
    assert np.abs(drawn - result.point_position).max() < TOLERANCE * length
    # the ends of links are where the next ones begin, but where a rod leads from one to the other
    for k in range(1, len(result.arm.links)):
        if k not in data["rods"]["joints"]:
            assert np.abs(points[:, data["starts"][k] - 1] - joints[:, k]).max() < TOLERANCE * length


@pytest.mark.parametrize("name", thinned(["spatial_three_link", "usoro_two_link", "flying_beam"]))
def test_straight_links_have_their_lengths(name):
    result, data = simulated(name), told(name)
    points = positions(data, result.time[::10], magnification=0.0)
    for k, link in enumerate(result.arm.links):
        first, last = points[:, data["starts"][k]], points[:, data["starts"][k + 1] - 1]
        np.testing.assert_allclose(np.linalg.norm(last - first, axis=1), link.length, rtol=1e-12)


def test_magnification_multiplies_deflections():
    """A link that bends by little: what its tip moves away from where the straight link has it, is proportional."""
    result, data = simulated("usoro_two_link"), told("usoro_two_link")
    straight, bent, far = (positions(data, result.time[5::7], factor)[:, :21] for factor in (0.0, 1.0, 50.0))
    np.testing.assert_allclose(far - straight, 50 * (bent - straight), atol=1e-9)
    assert np.abs(bent - straight).max() > 1e-6


def test_axes_of_frames_are_those_of_the_joints():
    """The axes of a planar arm's joints are along z; its frames' x axes turn by the joint angles and deflections."""
    result, data = simulated("rigid_two_link"), told("rigid_two_link")
    _, x, z = frames(data, positions(data, result.time))
    np.testing.assert_allclose(z, np.broadcast_to([0, 0, 1], z.shape), atol=1e-12)
    angles = np.cumsum(result.joint_angle, axis=1)
    np.testing.assert_allclose(x[..., 0], np.cos(angles), atol=TOLERANCE)
    np.testing.assert_allclose(x[..., 1], np.sin(angles), atol=TOLERANCE)


@pytest.mark.parametrize("name", thinned(["space_arm", "slewing_satellite"]))
def test_the_frame_of_a_base_that_turns_is_turned_by_its_quaternion(name):
    result, data = simulated(name), told(name)
    origin, x, z = (part[:, 0] for part in frames(data, positions(data, result.time)))
    e, a, b, c = result.base_orientation.T
    np.testing.assert_allclose(origin, result.base_position, atol=TOLERANCE)
    expected = np.stack([e * e + a * a - b * b - c * c, 2 * (a * b + e * c), 2 * (a * c - e * b)], axis=1)
    np.testing.assert_allclose(x, expected, atol=TOLERANCE)
    expected = np.stack([2 * (a * c + e * b), 2 * (b * c - e * a), e * e - a * a - b * b + c * c], axis=1)
    np.testing.assert_allclose(z, expected, atol=TOLERANCE)


def test_impacts_are_instants_of_the_page():
    """Between its instants the page draws straight lines; a point that strikes a wall has to arrive there."""
    result, data = simulated("shafei_falling_link", 0.5), told("shafei_falling_link", 0.5)
    assert set(result.impact_time) <= set(unpacked(data["times"]))
    contact = data["contact"]
    np.testing.assert_array_equal(unpacked(contact["impact_times"]), result.impact_time)
    np.testing.assert_array_equal(unpacked(contact["impact_points"]), result.impact_point - 1)
    points = positions(data, result.impact_time)[:, -len(result.arm.contact.places(len(result.arm.links))) :]
    (wall,) = data["walls"]
    for struck, here in zip(unpacked(contact["impact_points"]), points, strict=True):
        gap = (here[struck] - wall["point"]) @ np.array(wall["normal"])
        assert abs(gap) < 1e-3 * result.arm.links[0].length


def test_points_that_rest_on_walls_are_marked():
    """A point that falls on the floor without bouncing rests there from then on."""
    arm = flexarm.parse_arm("""
name: fallen
base: planar
links: [{length: 1, mu: 1}]
joints: [{type: fixed}]
contact: {walls: [{point: [0, 0], normal: [0, 1]}], points: O2, restitution: 0}
initial: {base: [0, 0.1]}
run: {duration: 0.4, sample: 0.01}
""")
    result = flexarm.simulate(arm)
    data = motion_data(result)
    times = unpacked(data["times"])
    resting = unpacked(data["contact"]["resting"]).reshape(len(times), -1)
    fallen = times > result.impact_time.max() + 0.02
    assert resting[fallen].all()
    assert not resting[times < result.impact_time.min() - 0.01].any()


def test_motions_of_every_length_are_played_in_a_while():
    """From the shortest to the longest, an arm of few coordinates has sixty instants a second of playing."""
    for duration, seconds in ((0.3, 3.0), (10.0, 10.0), (60.0, 20.0)):
        result = simulated("usoro_two_link")
        data = motion_data(changed(result, arrays={"time": result.time * (duration / result.time[-1])}))
        assert duration / data["speed"] == pytest.approx(seconds, rel=0.05)
        assert len(unpacked(data["times"])) == pytest.approx(60 * seconds + 1, rel=0.05)


def test_many_coordinates_have_fewer_instants(monkeypatch):
    monkeypatch.setattr(motion_data_file, "MOST_NUMBERS", 200)
    result = simulated("usoro_two_link")
    data = motion_data(result)
    times, theta = unpacked(data["times"]), unpacked(data["theta"])
    assert theta.size <= 200 < MOST_NUMBERS
    assert (times[0], times[-1]) == (result.time[0], result.time[-1])


def test_one_sample_and_samples_that_are_no_numbers():
    result = simulated("usoro_two_link")
    one = changed(result, rows=slice(3, 4))
    data = motion_data(one)
    assert unpacked(data["times"]).tolist() == one.time.tolist()
    tip = positions(data, one.time)[:, data["starts"][-1] - 1]
    np.testing.assert_allclose(tip, one.point_position[:, -1], atol=1e-6)
    with pytest.raises(ResultError, match="not finite"):
        motion_data(changed(result, arrays={"point_position": math.nan * result.point_position}))


@pytest.mark.parametrize("name", thinned(NAMES, every=9))
def test_the_browser_knows_all_operations(name):
    scripts = Path(motion_data_file.__file__).parent / "scripts"
    (table,) = re.findall(r"const OPERATIONS = \{(.*?)\};", (scripts / "motion.js").read_text(), re.DOTALL)
    known = set(re.findall(r"^  (\w+):", table, re.MULTILINE)) | {"constant", "input"}
    assert set(told(name)["program"]["names"]) <= known


def test_rods_and_hubs_of_joints_that_slide():
    """A rod from where the link before ends to where the spindle begins, as long as the joint's coordinate."""
    result, data = simulated("scara"), told("scara")
    assert data["rods"] == {"joints": [2], "base": [0.0, 0.0, 0.0]}
    assert [hub["type"] for hub in data["hubs"]] == ["revolute", "revolute", "prismatic"]
    assert data["hubs"][2]["axis"] == [0.0, 0.0, 1.0]
    points = positions(data, result.time)
    rod = points[:, data["starts"][2]] - points[:, data["starts"][2] - 1]
    np.testing.assert_allclose(np.linalg.norm(rod, axis=1), np.abs(result.joint_angle[:, 2]), atol=1e-6)
    guided = told("gantry_boom")
    assert guided["rods"] == {"joints": [0], "base": [0.0, 0.0, 1.0]}
    assert guided["hubs"][0]["axis"] == [1.0, 0.0, 0.0]
