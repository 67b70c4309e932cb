"""Gradients through contacts that rub: closed forms, differences of runs, and what is refused."""

from contextlib import suppress

import numpy as np
import pytest
from breadth import thinned
from differences_of_runs import check_against_runs
from paths import ROBOTS

import flexarm
from flexarm.errors import ModelError

PUCK = """\
name: puck
base: planar
links: [{length: 0.2, mu: 1.0}]
initial: {base: [0, 0], base_rates: [1.0, 0], joints: [0]}
contact: {restitution: 0, friction: {kinetic: 0.25, static: 0.3}, walls: [{point: [0, 0], normal: [0, 1]}]}
run: {duration: 0.6, sample: 0.01, rtol: 1e-11, atol: 1e-13}
"""


def test_a_rod_that_slides_to_rest():
    """It decelerates with mu g, and stays after v/(mu g): x = v t - mu g t^2/2, then v^2/(2 mu g)."""
    keys = ["initial.base_rates[0]", "contact.friction.kinetic", "gravity[1]"]
    found = flexarm.gradient(flexarm.parse_arm(PUCK), ["base_position[0]", "energy_lost_friction"], keys)
    t, a = found.times, 0.25 * 9.81
    slides = t < 1 / a
    for key, moving, resting in (
        (keys[0], t, 1 / a),
        (keys[1], -9.81 * t**2 / 2, -1 / (2 * 0.25 * a)),
        (keys[2], 0.25 * t**2 / 2, 1 / (2 * 9.81 * a)),
    ):
        expected = np.where(slides, moving, resting)
        np.testing.assert_allclose(found["base_position[0]", key], expected, rtol=0, atol=1e-8, err_msg=key)
    # in the end the whole kinetic energy is lost, whatever the friction
    assert found["energy_lost_friction", keys[0]] == pytest.approx(0.2, rel=1e-8)
    assert found["energy_lost_friction", keys[1]] == pytest.approx(0.0, abs=1e-9)


def test_an_oblique_impact_in_closed_form():
    """A slide carries a mass, 1 kg each: the impulse is (1 + e) |v_n|, friction moves both."""
    arm = flexarm.parse_arm("""\
name: point
gravity: [0, 0, 0]
links: [{length: 0, body: {mass: 1, inertia: 1}}, {length: 0, body: {mass: 1, inertia: 1}}]
joints: [{type: prismatic, axis: [1, 0, 0]}, {type: prismatic, axis: [0, 1, 0]}]
initial: {joints: [0, 1], joint_rates: [3, -2]}
contact: {restitution: 0.5, friction: 0.4, points: O3, walls: [{point: [0, 0], normal: [0, 1]}]}
run: {duration: 1, sample: 0.1, rtol: 1e-11, atol: 1e-13}
""")
    keys = ["contact.friction", "contact.restitution", "initial.joint_rates[1]"]
    found = flexarm.gradient(arm, ["joint_velocity"], keys)
    last = {key: np.asarray(found["joint_velocity", key])[-1] for key in keys}
    np.testing.assert_allclose(last[keys[0]], [-1.5 * 2 / 2, 0], atol=1e-8)
    np.testing.assert_allclose(last[keys[1]], [-0.4 * 2 / 2, 2], atol=1e-8)
    np.testing.assert_allclose(last[keys[2]], [0.4 * 1.5 / 2, -0.5], atol=1e-8)


THROWN = """\
name: thrown
base: planar
links: [{length: 1.0, mu: 1.0}]
initial: {base: [0, 0.8], base_rates: [1.0, 0.2], joints: [0.5]}
contact: {restitution: 0.5, friction: FRICTION, walls: [{point: [0, 0], normal: [0.1, 1]}]}
run: {duration: 0.95, sample: 0.005}
"""
WIPER = """\
name: wiper
links: [{length: 0.6, mu: 1.0}, {length: 0.5, mu: 0.8, EI: 20, modes: 1, damping: 0.05}]
joints: [{friction: {viscous: 0.2}}, {friction: {viscous: 0.1}}]
drive: [{torque: "8*sin(20*t)"}, {}]
initial: {joints: [0.3, -1.5]}
contact: {restitution: 0, friction: {kinetic: 0.3, static: 0.4}, walls: [{point: [0, -0.3], normal: [0.1, 1]}]}
run: {duration: 0.8, sample: 0.005}
"""
SPACE = """\
name: space
links: [{length: 0, body: {mass: 1, inertia: 1}}, {length: 0, body: {mass: 1, inertia: 1}},
        {length: 0, body: {mass: 1, inertia: 1}}]
joints: [{type: prismatic, axis: [1, 0, 0]}, {type: prismatic, axis: [0, 0, 1]}, {type: prismatic, axis: [0, 1, 0]}]
initial: {joints: [0, 0, 0.1], joint_rates: [0.3, 0.2, 0]}
contact:
  {restitution: 0, friction: {kinetic: 0.2, static: 0.24}, points: O4, walls: [{point: [0, 0], normal: [0.02, 1]}]}
drive: [{}, {torque: "T*max(t - 0.9, 0)"}, {}]
parameters: {T: 30.0}
run: {duration: 1.2, sample: 0.005}
"""
CASES = {
    "reverse": (THROWN.replace("FRICTION", "0.1"), ["contact.friction", "contact.restitution"]),
    "newton": (
        THROWN.replace("FRICTION", "0.4, impact_law: newton"),
        ["contact.friction", "links[0].length"],
    ),
    "stick": (THROWN.replace("FRICTION", "0.9"), ["contact.restitution", "initial.joints[0]"]),
    "space": (SPACE, ["contact.friction.static", "links[0].body.mass"]),
    "wiper": (WIPER, ["contact.friction.kinetic", "contact.friction.static", "links[1].EI"]),
}


@pytest.mark.parametrize("name", thinned(CASES, len(CASES)))
def test_against_differences_of_runs(name):
    text, keys = CASES[name]
    check_against_runs(flexarm.parse_arm(text), keys, step=2e-6)


@pytest.mark.slow
def test_shipped_arm_against_differences_of_runs():
    arm = flexarm.load_arm(ROBOTS / "wiping_arm.yaml").replace("run.duration", 1.75)
    check_against_runs(arm, ["links[1].EI", "contact.friction.kinetic", "drive[0].pd.kp"], step=1e-3)


TOGETHER = """\
name: both
gravity: [0, 0, 0]
links: [{length: 0, body: {mass: 2, inertia: 1}}, {length: 0, body: {mass: 1, inertia: 1}}]
joints:
  - {type: prismatic, axis: [1, 0, 0], limits: {range: [0, 3], restitution: 0.5}}
  - {type: prismatic, axis: [0, 1, 0]}
initial: {joints: [0.5, 0.25], joint_rates: [-1, -0.5]}
contact: {restitution: 0.5, friction: FRICTION, points: O3, walls: [{point: [0, 0], normal: [0.6, 0.8]}]}
run: {duration: 1, sample: 0.1}
"""


@pytest.mark.parametrize("friction", [pytest.param("0.3", marks=pytest.mark.slow), "1.5"])
def test_a_wall_and_a_limit_of_equal_restitution_struck_together(friction):
    """Where a number keeps them together there is a derivative; where it parts them the motion itself jumps."""
    arm = flexarm.parse_arm(TOGETHER.replace("FRICTION", friction))
    keys = ["links[1].body.mass", "contact.friction", "contact.restitution", "joints[0].limits.restitution"]
    check_against_runs(arm, keys, step=1e-3)
    with pytest.raises(ModelError, match="close at once"):
        flexarm.gradient(arm, ["tip"], ["initial.joints[1]"])
    ahead, behind = (
        flexarm.simulate(arm.replace({"initial.joints[1]": 0.25 + h})).point_position[-1, -1]
        for h in (1e-6, -1e-6)
    )
    assert np.abs(ahead - behind).max() > 0.01


@pytest.mark.slow
def test_bounces_that_die_out_anywhere():
    """Two points of a link bounce by turns; with some tolerances one of them has no speed left where they end."""
    arm = flexarm.parse_arm("""\
name: landing
base: planar
links: [{length: 0.5, mu: 1.0}, {length: 0.4, mu: 0.7, EI: 6, modes: 1, damping: 0.05}]
joints: [{}, {friction: {coulomb: 0.4, smoothing: 0}}]
initial: {base: [0, 0.4], base_rates: [1.0, 0.2], joints: [0.1, 0.5]}
contact: {restitution: 0.3, friction: {kinetic: 0.3, static: 0.4}, walls: [{point: [0, 0], normal: [0, 1]}]}
run: {duration: 0.39, sample: 0.01}
""")
    key, found = "contact.friction.kinetic", []
    for rtol in (1e-8, 1e-9, 1e-10, 1e-11, 1e-12, 1e-13):
        tolerances = {"run.rtol": rtol, "run.atol": rtol / 100}
        with suppress(ModelError):  # at some the round-off of a bounce is at a border
            found.append(flexarm.gradient(arm.replace(tolerances), ["tip"], [key])["tip", key])
    assert len(found) >= 3
    # what is left of bounces up to 1e-4 m/s, of speeds of 4 m/s
    np.testing.assert_allclose(found, [found[-1]] * len(found), rtol=0, atol=1e-4 * np.abs(found[-1]).max())


def test_what_has_no_derivative_is_said():
    """A rod that is let go on the floor without a slip: by its speed it sticks only there."""
    text = PUCK.replace("[1.0, 0]", "[0, 0]")
    with pytest.raises(ModelError, match="at rest as the motion starts"):
        flexarm.gradient(flexarm.parse_arm(text), ["tip"], ["initial.base_rates[0]"])
