"""Gradients through impacts, stops and contacts that last: closed forms, differences of runs, and what is refused."""

import numpy as np
import pytest
import yaml
from breadth import thinned
from differences_of_runs import check_against_runs
from paths import ROBOTS

import flexarm
from flexarm.errors import ModelError

BALL = """\
name: ball
links: [{length: 0.4, mu: 0.8}]
joints: [{type: prismatic, axis: [0, 1, 0]}]
initial: {joints: [1.0]}
contact: {restitution: 0.7, walls: [{point: [0, 0.1], normal: [0, 1]}]}
run: {duration: 1.6, sample: 0.01, rtol: 1e-11, atol: 1e-13}
"""


def bounces(numbers, t):
    """Height of a bouncing mass at a time, of complex numbers too: start, restitution, gravity and floor."""
    height, e, g, floor = numbers
    first = np.sqrt(2 * (height - floor) / g)
    if t < first.real:
        return height - g * t**2 / 2
    v, last = e * g * first, first
    while t >= (last + 2 * v / g).real:
        last, v = last + 2 * v / g, e * v
    return floor + v * (t - last) - g * (t - last) ** 2 / 2


def test_a_bouncing_mass():
    """Its height by restitution, gravity, start and floor, against complex steps of the closed form."""
    arm = flexarm.parse_arm(BALL)
    keys = [
        "initial.joints[0]",
        "contact.restitution",
        "gravity[1]",
        "contact.walls[0].point[1]",
        "links[0].mu",
    ]
    found = flexarm.gradient(arm, ["joint_angle[0]"], keys)
    numbers = [1.0, 0.7, 9.81, 0.1]
    for k, (key, sign) in enumerate(zip(keys[:4], [1, 1, -1, 1], strict=True)):
        moved = [complex(value, 1e-30 * (i == k)) for i, value in enumerate(numbers)]
        exact = np.array([bounces(moved, t).imag for t in found.times]) / 1e-30
        np.testing.assert_allclose(found["joint_angle[0]", key], sign * exact, atol=1e-8, err_msg=key)
    np.testing.assert_allclose(found["joint_angle[0]", "links[0].mu"], 0, atol=1e-12)


def test_a_rod_between_limits_by_its_length():
    """A rod without gravity, thrown from limit to limit by a torque: its angle by length, in closed form.

    Between impacts q_dd = T/I with I = mu l^3/3, so that dq/dl = dq/d(T/I) * (-3/l) T/I.
    """
    arm = flexarm.parse_arm("""\
name: thrown
gravity: [0, 0, 0]
links: [{length: 0.5, mu: 1.2}]
joints: [{limits: {range: [-5, 0.8], restitution: 0.6}}]
drive: [{torque: 0.4}]
run: {duration: 1.4, sample: 0.01, rtol: 1e-11, atol: 1e-13}
""")
    keys = ["joints[0].limits.restitution", "links[0].length", "joints[0].limits.range[1]"]
    found = flexarm.gradient(arm, ["joint_angle[0]"], keys)
    a = 0.4 / (1.2 * 0.5**3 / 3)
    for key, k, factor in zip(keys, [1, 2, 3], [-1, 3 * a / 0.5, -1], strict=True):
        moved = [complex(value, 1e-30 * (i == k)) for i, value in enumerate([0.0, 0.6, a, -0.8])]
        exact = np.array([bounces(moved, t).imag for t in found.times]) / 1e-30
        np.testing.assert_allclose(
            found["joint_angle[0]", key],
            factor * exact * (-1 if key == keys[2] else 1),
            atol=1e-8,
            err_msg=key,
        )


def random_arm(seed):
    """Arm of one or two links, some of them flexible, above a wall, within a circle, or between limits."""
    rng = np.random.default_rng(seed)
    n = 1 + seed % 2
    number = lambda low, high: round(float(rng.uniform(low, high)), 3)  # noqa: E731
    links, joints = [], []
    for i in range(n):
        link = {"length": number(0.4, 0.9), "mu": number(0.3, 1.5)}
        if rng.random() < 0.6:
            link |= {"EI": number(10, 40), "modes": int(rng.integers(1, 3)), "damping": number(0.01, 0.05)}
        links.append(link)
        joints.append({"friction": {"viscous": number(0.01, 0.2)}})
        if seed % 3 == 1 and i == 0:
            joints[0]["limits"] = {"range": [number(-0.6, -0.4), 2.0], "restitution": number(0.5, 0.9)}
    reach = sum(link["length"] for link in links)
    wall = {"point": [0, number(-0.6 * reach, -0.4 * reach)], "normal": [number(-0.2, 0.2), 1]}
    if seed % 3 == 2:
        wall = {
            "circle": {
                "center": [0, round(0.3 * reach, 3)],
                "radius": round(1.2 * reach, 3),
                "side": "inside",
            }
        }
    return {
        "name": f"random-{seed}",
        "links": links,
        "joints": joints,
        "payload": {"mass": number(0.05, 0.5)},
        "initial": {"joints": [number(-0.2, 0.2) for _ in range(n)]},
        "contact": {"restitution": number(0.5, 0.9), "walls": [wall]},
        "run": {"duration": 0.6, "sample": 0.002},
    }


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(20))
def test_random_arms_against_differences_of_runs(seed):
    text = random_arm(seed)
    keys = ["links[0].length", "payload.mass", "contact.restitution"]
    wall = "circle.radius" if "circle" in text["contact"]["walls"][0] else "point[1]"
    keys.append(f"contact.walls[0].{wall}")
    if "limits" in text["joints"][0]:
        keys += ["joints[0].limits.range[0]", "joints[0].limits.restitution"]
    check_against_runs(flexarm.parse_arm(yaml.safe_dump(text)), keys)


@pytest.mark.slow
@pytest.mark.parametrize("restitution", [0.5, 1.0])
def test_soft_walls_against_differences_of_runs(restitution):
    arm = flexarm.parse_arm(f"""\
name: soft
links: [{{length: 0.6, mu: 0.8}}, {{length: 0.5, mu: 0.5}}]
joints: [{{friction: {{viscous: 0.1}}}}, {{friction: {{viscous: 0.05}}}}]
initial: {{joints: [0.1, -0.2]}}
contact: {{walls: [{{point: [0, -0.7], normal: [0.1, 1], stiffness: 2.0e4, restitution: {restitution}}}]}}
run: {{duration: 0.6, sample: 0.002}}
""")
    check_against_runs(arm, ["links[0].length", "contact.walls[0].point[1]"])


BOTH = """\
name: both
links: [{length: 0.6, mu: 0.8}, {length: 0.5, mu: 0.5}]
joints: [{friction: {viscous: 0.1}, limits: {range: [-0.35, 1], restitution: 0.4}}, {friction: {viscous: 0.05}}]
initial: {joints: [0.1, -0.2]}
contact:
  walls:
    - {point: [0, -0.5], normal: [0.1, 1], stiffness: 2.0e4, restitution: 0.6, friction: 0.3}
    - {point: [0, -0.8], normal: [-0.2, 1], restitution: 0.3}
run: {duration: 0.6, sample: 0.002}
"""


@pytest.mark.parametrize("friction", thinned(["", ", friction: 0.3"], 2))
def test_soft_walls_beside_rigid_ones_and_limits(friction):
    arm = flexarm.parse_arm(BOTH.replace(", friction: 0.3", friction))
    check_against_runs(arm, ["links[0].length", "joints[0].limits.restitution"])


LATE = """\
name: late
links: [{length: 1.0, mu: 1.0}]
joints: [{limits: {range: [-1.2, 3], restitution: 0.5}}]
initial: {joints: [-1.1]}
drive: [{torque: "T*step(t - t0)"}]
parameters: {T: 5.0, t0: 0.503}
run: {duration: 1.3, sample: 0.01}
"""
TABLE = """\
name: table
links: [{length: 0.5, mu: 1.0}, {length: 0.5, mu: 1.0}]
joints: [{}, {}]
initial: {joints: [0.0, -1.2]}
drive: [{motion: {times: [0, 0.5, 1.0, 1.5], values: [0.0, 0.5, -0.4, 0.2]}}, {}]
contact: {restitution: 0.6, walls: [{point: [0, -0.55], normal: [0, 1]}]}
run: {duration: 1.3, sample: 0.01}
"""


@pytest.mark.slow
@pytest.mark.parametrize(("text", "key"), [(LATE, "parameters.t0"), (TABLE, "links[0].length")])
def test_instants_and_walls_that_move(text, key):
    """A step of a torque that comes later, beside impacts; a wall that is met on a motion given by a table."""
    check_against_runs(flexarm.parse_arm(text), [key], step=1e-4)


@pytest.mark.slow
def test_stops_that_hold_and_let_go():
    """A drive presses a joint on its limit until a step lets it go; bounces before die out."""
    arm = flexarm.load_arm(ROBOTS / "limited_two_link.yaml").replace("run.duration", 1.0)
    keys = ["links[0].EI", "payload.mass", "joints[0].limits.range[0]", "initial.joints[0]"]
    check_against_runs(arm, keys)


PENDULUM = """\
name: pendulum
links: [{length: 1.0, mu: 1.0}]
initial: {joints: [0.0]}
contact: {walls: [{point: [0, DEPTH], normal: [0, 1]}], points: O2}
run: {duration: 0.6, sample: 0.01}
"""
FLAT = """\
name: flat
base: planar
links: [{length: 1.0, mu: 1.0}]
initial: {base: [0, 0.5], joints: [0.0]}
contact: {restitution: 0.5, walls: [{point: [0, 0], normal: [0, 1]}]}
run: {duration: 0.5, sample: 0.01}
"""
RESTING = BALL.replace("[1.0]", "[0.1]").replace("0.7,", "0,")


@pytest.mark.parametrize(
    ("text", "key", "said"),
    [
        (PENDULUM.replace("DEPTH", "-0.9999999999"), "links[0].length", "t = 0.48.* point 1 .* only grazed"),
        (RESTING, "contact.walls[0].point[1]", "t = 0 s: .* closed as the motion starts"),
        (FLAT, "initial.joints[0]", "close at once"),
    ],
)  # fmt: skip
def test_what_has_no_derivative_is_said(text, key, said):
    with pytest.raises(ModelError, match=said):
        flexarm.gradient(flexarm.parse_arm(text), ["tip"], [key])


def test_a_contact_that_rests_from_the_start_is_no_obstacle_to_what_leaves_it_closed():
    found = flexarm.gradient(flexarm.parse_arm(RESTING), ["tip"], ["links[0].mu"])
    np.testing.assert_allclose(found["tip", "links[0].mu"], 0, atol=1e-10)


def test_progress_of_the_run_and_of_its_derivatives():
    reported = []
    flexarm.gradient(
        flexarm.parse_arm(BALL), ["tip"], ["contact.restitution"], progress=lambda *one: reported.append(one)
    )
    fractions, times = np.array(reported).T
    assert (np.diff(fractions) >= 0).all()
    assert fractions[-1] == pytest.approx(1)
    # both passes reach the end of the run, the second one impact by impact
    assert np.count_nonzero(times == 1.6) == 2
    assert np.count_nonzero(fractions > 0.4) > 3
