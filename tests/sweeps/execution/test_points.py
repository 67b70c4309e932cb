"""Every point of a sweep is the run that its arm makes by itself, whatever kind of link the sweep scales."""

import numpy as np
import pytest
from breadth import thinned
from small_arm import small_arm

from flexarm import parse_arm, simulate, sweep
from flexarm.sweeps.parameters.variation import Variation

REST = """\
  - {length: 0.8, mu: 1.0, EI: 40.0, modes: {family: clamped-free, count: 1}}
joints: [{friction: {viscous: 0.2}}, {mass: 0.3}]
payload: {mass: 0.5}
initial: {joints: [20 deg, 30 deg]}
run: {duration: 0.1, sample: 0.01, rtol: 1e-11, atol: 1e-12}
"""
LINKS = {
    "made for what is outboard": "mu: 1.0, EI: 50.0, damping: 0.01, "
    "modes: {family: clamped-loaded, count: 2, tip: auto}",
    "tapered": "mu: {eta: [0, 0.4, 1.0], values: [2.0, 1.0, 0.5]}, EI: {eta: [0, 1.0], values: [90.0, 20.0]}, "
    "damping: 0.01, modes: {family: finite-element, count: 2}",
    "of a material": "material: {E: 70e9, nu: 0.3, rho: 2700}, section: {shape: rectangle, width: 0.02, height: 0.01}, "
    "modes: [{family: clamped-free, count: 1}, {family: fixed-free, direction: torsion, count: 1}]",
}
KEYS = {
    "made for what is outboard": "links[0].EI",
    "tapered": "links[0].EI.values[1]",
    "of a material": "links[0].material.E",
}
"""Varied besides the payload."""


@pytest.mark.parametrize("kind", thinned(LINKS))
def test_a_point_is_the_run_of_its_arm(kind, worker):
    arm = parse_arm(f"name: two\nlinks:\n  - {{length: 1.0, {LINKS[kind]}}}\n{REST}")
    stiffness = KEYS[kind]
    base = Variation(arm.text, [stiffness])
    typed = base.slots[0][0].container[base.slots[0][0].part]
    vary = {stiffness: [0.8 * typed, 1.3 * typed], "payload.mass": [0.2, 0.7, 0.9]}
    result = sweep(arm, vary, series=["joint_angle", "mode_amplitude"], executor=worker)
    assert not result.failed.any()
    variation = Variation(arm.text, list(vary))
    for i, first in enumerate(vary[stiffness]):
        for j, mass in enumerate(vary["payload.mass"]):
            alone = simulate(variation.arm([first, mass]))
            for name in ("joint_angle", "mode_amplitude"):
                found = result[name][i, j]
                scale = np.abs(alone[name]).max()
                np.testing.assert_allclose(found, alone[name], atol=1e-10 * scale, rtol=0, err_msg=name)


def test_a_lane_in_which_the_equations_become_infinite_leaves_the_others_alone(worker):
    arm = small_arm(("run:", "drive: [{torque: 1e-3/(t - 0.100137)**2}]\nrun:"))
    result = sweep(arm, {"run.duration": [0.05, 0.2, 0.08]}, executor=worker)
    assert result.failed.tolist() == [False, True, False]
    assert result["reason"][1].startswith("stopped at t = 0.10013")
    for k, duration in ((0, 0.05), (2, 0.08)):
        short = small_arm(
            ("run:", "drive: [{torque: 1e-3/(t - 0.100137)**2}]\nrun:"),
            ("duration: 0.2", f"duration: {duration}"),
        )
        np.testing.assert_allclose(
            result["final_tip_x"][k], simulate(short)["point_position"][-1, -1, 0], atol=1e-9
        )
