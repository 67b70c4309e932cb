"""Gradients through the sticking of joints: closed forms, differences of runs, and what is refused."""

import math

import numpy as np
import pytest
from breadth import thinned
from differences_of_runs import STENCIL, check_against_runs
from paths import ROBOTS
from reference.sticking_rod import rest_of

import flexarm
from flexarm.errors import ModelError

FINE = "rtol: 1e-11, atol: 1e-13"


def test_where_a_rod_comes_to_rest():
    """By friction and by mass per length, against differences of the closed form."""
    arm = flexarm.parse_arm(f"""\
name: rod
links: [{{length: 1.0, mu: 1.0}}]
joints: [{{friction: {{coulomb: 1.0, smoothing: 0}}}}]
initial: {{joints: ["-30 deg"]}}
run: {{duration: 2.0, sample: 0.1, {FINE}}}
""")
    found = flexarm.gradient(
        arm, ["joint_angle[0]", "energy_lost_friction"], ["joints[0].friction.coulomb", "links[0].mu"]
    )
    step, start = 1e-3, math.radians(-30)
    by_friction, by_mass = (
        sum(weight * rest_of(*moved(k * step)).angle for k, weight in STENCIL.items()) / step
        for moved in (lambda h: (1.0, 1.0, 1.0 + h, start), lambda h: (1.0 + h, 1.0, 1.0, start))
    )
    # the closed form is known to 1e-12, over the step
    for key, expected in (("joints[0].friction.coulomb", by_friction), ("links[0].mu", by_mass)):
        assert np.asarray(found["joint_angle[0]", key])[-1] == pytest.approx(expected, rel=1e-8)
    # at rest all the energy that is lost is that of the height
    lost = found["energy_lost_friction", "joints[0].friction.coulomb"]
    assert lost == pytest.approx(
        -9.81 / 2 * math.cos(rest_of(1.0, 1.0, 1.0, start).angle) * by_friction, rel=1e-7
    )


def test_a_joint_breaks_away_at_static_friction():
    """Torn off when T sin w t is static friction, from there on m v_d + b v = T sin w t - c: complex steps of it."""
    arm = flexarm.parse_arm(f"""\
name: slider
gravity: [0, 0, 0]
links: [{{length: 0.0, body: {{mass: 2.0, inertia: 0.1}}}}]
joints: [{{type: prismatic, axis: [1, 0, 0], friction: {{coulomb: 5.0, static: 8.0, viscous: 0.5, smoothing: 0}}}}]
drive: [{{torque: "T*sin(w*t)"}}]
parameters: {{T: 12.0, w: 3.0}}
run: {{duration: 0.6, sample: 0.01, {FINE}}}
""")
    friction = "joints[0].friction"
    keys = ["links[0].body.mass", f"{friction}.viscous", f"{friction}.coulomb", f"{friction}.static", "parameters.T",
            "parameters.w"]  # fmt: skip
    found = flexarm.gradient(arm, ["joint_velocity[0]"], keys)

    def rate(numbers, t):
        m, b, c, s, T, w = numbers
        start = np.arcsin(s / T) / w
        if t < start.real:
            return 0j
        forced = [
            T * (b * np.sin(w * u) - m * w * np.cos(w * u)) / (b**2 + (m * w) ** 2) - c / b
            for u in (t, start)
        ]
        return forced[0] - forced[1] * np.exp(-b / m * (t - start))

    numbers = [2.0, 0.5, 5.0, 8.0, 12.0, 3.0]
    for k, key in enumerate(keys):
        moved = [complex(value, 1e-30 * (i == k)) for i, value in enumerate(numbers)]
        exact = np.array([rate(moved, t).imag for t in found.times]) / 1e-30
        np.testing.assert_allclose(found["joint_velocity[0]", key], exact, rtol=0, atol=1e-8, err_msg=key)


TRAIN = """\
name: train
gravity: [0, 0, 0]
links: [{length: 0, body: {mass: 2, inertia: 0.1}}, {length: 0, body: {mass: 1, inertia: 0.1}}]
joints:
  - {type: prismatic, axis: [1, 0, 0], friction: {coulomb: 6, smoothing: 0}}
  - {type: prismatic, axis: [1, 0, 0], limits: {range: [-1, 0.3], restitution: 0}}
initial: {joints: [0, 0], joint_rates: [0, 3]}
run: {duration: 1, sample: 0.01, rtol: 1e-11, atol: 1e-13}
"""


def test_a_joint_that_an_impact_moves():
    """1 kg at a speed v strikes 2 kg that stick; with friction c both come to rest v^2/(6 c) (3/3) further."""
    found = flexarm.gradient(
        flexarm.parse_arm(TRAIN), ["joint_angle[0]"], ["initial.joint_rates[1]", "joints[0].friction.coulomb"]
    )
    # speed of both v/3, stopped by c/3 per kg: v^2/(6 c)
    np.testing.assert_allclose(found.series["joint_angle[0]"][-1], 9 / 36, rtol=1e-10)
    for key, expected in (("initial.joint_rates[1]", 6 / 36), ("joints[0].friction.coulomb", -9 / 216)):
        np.testing.assert_allclose(np.asarray(found["joint_angle[0]", key])[-1], expected, rtol=1e-8)


def test_a_joint_leaves_its_limit():
    """Pushed onto it, and off it from T(t) = c on: then m x_dd = k (t - t0), with k t0 = T0 + c."""
    arm = flexarm.parse_arm(f"""\
name: leaves
gravity: [0, 0, 0]
links: [{{length: 0, body: {{mass: 2.0, inertia: 0.1}}}}]
joints: [{{type: prismatic, axis: [1, 0, 0], limits: [0, 1], friction: {{coulomb: 2.0, smoothing: 0}}}}]
drive: [{{torque: "k*t - 5"}}]
parameters: {{k: 10}}
initial: {{joints: [0.05]}}
run: {{duration: 1.2, sample: 0.1, {FINE}}}
""")
    keys = ["joints[0].friction.coulomb", "links[0].body.mass", "parameters.k"]
    found = flexarm.gradient(arm, ["joint_angle[0]"], keys)
    moving = 1.2 - 0.7
    for key, expected in zip(
        keys, (-(moving**2) / 4, -10 * moving**3 / 24, moving**3 / 12 + 0.7 * moving**2 / 4), strict=True
    ):
        assert np.asarray(found["joint_angle[0]", key])[-1] == pytest.approx(expected, rel=1e-8), key


TWO = """\
name: two
links:
  - {length: 0.6, mu: 1.0}
  - {length: 0.5, mu: 0.8, EI: 20.0, modes: {family: clamped-free, count: 1}}
joints: [{friction: {coulomb: 1.0, static: 1.4, smoothing: 0}}, {friction: {coulomb: 0.3, static: 0.42, smoothing: 0}}]
initial: {joints: [0.3, -0.9]}
run: {duration: 0.6, sample: 0.01}
"""
ELASTIC = """\
name: elastic
links: [{length: 1.0, mu: 1.0}]
joints: [{stiffness: 40.0, motor: {inertia: 0.05}, friction: {coulomb: 1.5, smoothing: 0}}]
initial: {joints: [-0.5]}
run: {duration: 1.5, sample: 0.01}
"""
STOPPED = TWO.replace(
    "static: 1.4, smoothing: 0}", "smoothing: 0}, limits: {range: [-1, 2], restitution: 0.4}"
)
BESIDE = """\
name: beside
links: [{length: 0, body: {mass: 1, inertia: 1}}, {length: 0, body: {mass: 1, inertia: 1}}]
joints: [{type: prismatic, axis: [1, 0, 0], friction: {coulomb: 2, smoothing: 0}}, {type: prismatic, axis: [0, 1, 0]}]
initial: {joints: [0, 0.1], joint_rates: [0.3, 0]}
contact:
  {restitution: 0, friction: {kinetic: 0.2, static: 0.24}, points: O3, walls: [{point: [0, 0], normal: [0.02, 1]}]}
drive: [{torque: "10*max(t - 0.9, 0)"}, {}]
run: {duration: 1.6, sample: 0.02}
"""
CASES = {
    "two links": (TWO, ["links[0].length", "joints[1].friction.static"]),
    "motor": (ELASTIC, ["joints[0].stiffness", "joints[0].friction.coulomb"]),
    # joint and contact hold the same slide, until both are torn away
    "contact beside": (BESIDE, ["contact.friction.static", "joints[0].friction.coulomb"]),
    "stops": (STOPPED, ["joints[0].limits.range[0]", "links[1].EI"]),
}


@pytest.mark.parametrize("name", thinned(CASES, len(CASES)))
def test_against_differences_of_runs(name):
    text, keys = CASES[name]
    check_against_runs(flexarm.parse_arm(text), keys, step=2e-6, meets=name in ("stops", "contact beside"))


def test_a_joint_comes_to_rest_as_bounces_die_out():
    """The tip bounces on the floor until it rests there, at the instant in which the joint sticks."""
    arm = flexarm.parse_arm("""\
name: landing
links: [{length: 0.6, mu: 0.4, EI: 2.0, modes: 1, damping: 0.02}]
joints: [{friction: {viscous: 0.01, coulomb: 0.05103, smoothing: 0}}]
payload: {mass: 0.1}
initial: {joints: [40 deg]}
contact: {restitution: 0.597, walls: [{point: [0, -0.1], normal: [0, 1]}]}
run: {duration: 0.6, sample: 0.1}
""")
    key, step = "joints[0].friction.coulomb", 1e-5
    found = np.asarray(flexarm.gradient(arm, ["joint_angle[0]"], [key])["joint_angle[0]", key])[-1]
    ahead, behind = (
        flexarm.simulate(arm.replace({key: 0.05103 + h, "run.rtol": 1e-12, "run.atol": 1e-14})).joint_angle[
            -1, 0
        ]
        for h in (step, -step)
    )
    # bounces end at 1e-4 m/s, of 3 m/s
    assert found == pytest.approx((ahead - behind) / (2 * step), rel=1e-4)


@pytest.mark.slow
def test_shipped_arm_against_differences_of_runs():
    arm = flexarm.load_arm(ROBOTS / "sticking_arm.yaml")
    check_against_runs(arm, ["links[0].length", "joints[1].friction.static"], step=1e-5, meets=False)


SLIDER = TRAIN.replace("limits: {range: [-1, 0.3], restitution: 0}", "friction: {viscous: 0.1}")
PEAK = SLIDER.replace("coulomb: 6,", "coulomb: 5, static: 6,").replace(
    "joint_rates: [0, 3]", "joint_rates: [0, 0]"
)
PEAK += "drive: [{torque: '6.00000001*(1 - 10*(t - 0.3)**2)'}, {}]\n"


@pytest.mark.parametrize(
    ("text", "key", "said"),
    [
        (SLIDER, "initial.joint_rates[0]", "t = 0 s: joint 1 is at rest as the motion starts"),
        (PEAK, "joints[0].friction.static", "joint 1 .* the limit of sticking"),
    ],
)
def test_what_has_no_derivative_is_said(text, key, said):
    with pytest.raises(ModelError, match=said):
        flexarm.gradient(flexarm.parse_arm(text), ["tip"], [key])
