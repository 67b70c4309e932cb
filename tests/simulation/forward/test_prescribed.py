"""Prescribed joint motion: the joint follows exactly, the torque is what that takes."""

from __future__ import annotations

import numpy as np
import pytest
from breadth import thinned

import flexarm
from flexarm.catalogue import FORMULATIONS

ARM = """
name: prescribed
geometric_stiffening: {stiffening}
links:
  - {{length: 1.0, mu: 2, EI: 80, modes: {{family: clamped-free, count: 2}}}}
  - {{length: 0.8, mu: 1, EI: 40, modes: {{family: clamped-free, count: 1}}}}
joints: [{{mass: 0.5, inertia: 0.1, motor: {{inertia: 1e-3, gear: 10}}, friction: {{viscous: 0.3}}}}, {{}}]
payload: {{mass: 0.4, inertia: 0.02}}
loads: [{{at: tip, force: [0.5, "sin(t)", 0]}}]
drive: [{drive}, {{torque: "0.2*sin(3*t)"}}]
initial: {{joints: [{q1}, 0.4]}}
run: {{duration: 1.0, sample: 0.01, rtol: 1e-11, atol: 1e-13, formulation: {formulation}}}
"""


def text_of(drive, q1="0.0", formulation="articulated", stiffening="true"):
    return ARM.format(drive=drive, q1=q1, formulation=formulation, stiffening=stiffening)


def simulate(*args, **options):
    return flexarm.simulate(flexarm.parse_arm(text_of(*args, **options)))


@pytest.mark.parametrize("formulation", thinned(FORMULATIONS, every=2))
def test_joint_follows_exactly(formulation):
    stiffening = str(FORMULATIONS[formulation].can.stiffening).lower()
    result = simulate("{motion: '0.3*sin(2*t) + t**2/4'}", formulation=formulation, stiffening=stiffening)
    t = result.time
    np.testing.assert_allclose(result.joint_angle[:, 0], 0.3 * np.sin(2 * t) + t**2 / 4, atol=1e-14)
    np.testing.assert_allclose(result.joint_velocity[:, 0], 0.6 * np.cos(2 * t) + t / 2, atol=1e-14)
    np.testing.assert_allclose(result.joint_acceleration[:, 0], -1.2 * np.sin(2 * t) + 0.5, atol=1e-14)


@pytest.mark.slow
def test_formulations_agree():
    one, *others = (
        simulate("{motion: '0.3*sin(2*t)'}", formulation=name, stiffening="false") for name in FORMULATIONS
    )
    for other in others:
        for name in ("mode_amplitude", "joint_angle", "torque"):
            np.testing.assert_allclose(one[name], other[name], atol=1e-9 * np.abs(other[name]).max())


def test_torque_reproduces_the_motion():
    """Feeding the torque that prescribed motion takes to a free joint gives the same motion."""
    prescribed = simulate("{motion: '0.3*(1 - cos(2*t))'}")
    rows = ", ".join(f"{x:.17g}" for x in prescribed.torque[:, 0])
    times = ", ".join(f"{x:.17g}" for x in prescribed.time)
    driven = simulate(f"{{torque: {{times: [{times}], values: [{rows}], interpolation: cubic}}}}")
    np.testing.assert_allclose(driven.joint_angle, prescribed.joint_angle, atol=2e-4)
    np.testing.assert_allclose(driven.point_position, prescribed.point_position, atol=2e-4)


def test_hold_is_a_fixed_joint():
    held = simulate("{motion: hold}", q1="0.7")
    text = text_of("null", q1="0.7")
    fixed = flexarm.simulate(
        flexarm.parse_arm(text.replace("joints: [{mass", "joints: [{type: fixed, angle: 0.7, mass"))
    )
    np.testing.assert_allclose(held.joint_angle, fixed.joint_angle, atol=1e-9)
    np.testing.assert_allclose(held.torque, fixed.torque, atol=1e-7 * np.abs(fixed.torque).max())


def test_table_is_a_smooth_motion():
    times = np.linspace(0, 1, 41)
    text = f"{{motion: {{times: {times.tolist()}, values: {(0.3 * np.sin(2 * times)).tolist()}}}}}"
    result, exact = simulate(text), simulate("{motion: '0.3*sin(2*t)'}")
    np.testing.assert_allclose(result.joint_angle[:, 0], exact.joint_angle[:, 0], atol=1e-6)
    np.testing.assert_allclose(result.point_position, exact.point_position, atol=1e-5)


def test_equilibrium_keeps_prescribed_joints():
    text = text_of("{motion: hold}", q1="0.7, 0").replace(
        "initial: {joints: [0.7, 0, 0.4]}", "initial: {joints: [0.7, -1.5], equilibrium: true}"
    )
    result = flexarm.simulate(flexarm.parse_arm(text.replace('"sin(t)"', "0").replace('"0.2*sin(3*t)"', "0")))
    np.testing.assert_allclose(
        result.point_position, result.point_position[[0]].repeat(101, axis=0), atol=1e-9
    )
    assert result.joint_angle[0, 0] == pytest.approx(0.7)


@pytest.mark.parametrize(
    ("drive", "words"),
    [
        (
            "{motion: {times: [0, 1], values: [0, 1], interpolation: linear}}",
            "a motion needs an acceleration",
        ),
        ("{motion: {times: [0, 0.5], values: [0, 1]}}", "expected 0 to 1.0 s"),
        ("{motion: 'log(t)'}", "no finite value at t = 0"),
        ("{motion: hold, torque: 1}", "got torque and motion, but motion goes with no other"),
        ("{motion: holt}", "unknown name 'holt'"),
    ],
)
def test_impossible_motions_are_refused(drive, words):
    with pytest.raises(flexarm.SpecError, match=words):
        simulate(drive)
