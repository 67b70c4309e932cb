"""Forces per length: closed forms of statics, the motion of a weight, work and energy, sweeps."""

from __future__ import annotations

import numpy as np
import pytest

import flexarm
from flexarm.simulation.forces.work import work

STATICS = 1e-10
INTERPOLATED = 1e-6
"""Work between samples a millisecond apart, by cubics."""
SMALL = 1e-6
"""Of the loads that bend a link: what the bent shape changes is of second order."""
X = np.linspace(0, 2, 9)

BEAM = """
name: beam
gravity: [0, 0, 0]
links: [{{length: 2, mu: 3{link}}}]
joints: [{{type: fixed}}]
loads:
  - {{at: {{link: 1, from: 0.25}}, distributed: [0, {size}, {across}]}}
  - {{at: tip, force: [0, {size}, 0]}}
  - {{at: {{link: 1, at: 0.5}}, force: [0, {size}, {across}]}}
initial: {{equilibrium: true}}
run: {{duration: 0.1, sample: 0.1, record: [loads], stations: 9}}
"""
LINKS = {
    "one mode": ", EI: 1000, modes: {family: clamped-free, count: 1}",
    "segments": ", EI: 1000, modes: 2, segments: 3",
    "in space": ", EI: {y: 700, z: 1000}, modes: [{direction: y, count: 2}, {direction: z, count: 1}]",
}


def q(beyond, size):
    """Force and moment of the loads of the beam beyond stations, as of a straight one, (k,)."""
    start = np.maximum(beyond, 0.5)
    middle = beyond <= 1
    force = size * (2 - start + 1 + middle)
    moment = size * ((2 - start) * ((2 + start) / 2 - beyond) + (2 - beyond) + middle * (1 - beyond))
    return force, moment


@pytest.mark.parametrize("name", LINKS)
def test_a_cantilever_under_tip_middle_and_distributed_loads(name):
    size, across = -40 * SMALL, 25 * SMALL if name == "in space" else 0.0
    text = BEAM.format(link=LINKS[name], size=size, across=across)
    result = flexarm.simulate(flexarm.parse_arm(text))
    force, moment = q(X, size)
    tolerance = STATICS * np.abs(moment).max()
    found_force, found_moment = result.section_force[0, 0], result.section_moment[0, 0]
    np.testing.assert_allclose(found_force[:, 1], force, rtol=0, atol=tolerance)
    np.testing.assert_allclose(found_moment[:, 2], moment, rtol=0, atol=tolerance)
    force_z, moment_z = q(X, across) - np.array(q(X, 0.0))
    force_z -= across  # none at the tip
    moment_z -= across * (2 - X)
    np.testing.assert_allclose(found_force[:, 2], force_z, rtol=0, atol=tolerance)
    np.testing.assert_allclose(found_moment[:, 1], -moment_z, rtol=0, atol=tolerance)
    np.testing.assert_allclose(result.joint_moment[0, 0, 2], -moment[0], rtol=0, atol=tolerance)


def test_an_angled_arm_of_rigid_links():
    """The second link stands upright on the first; a load along x on it, one in the link's axes on the first."""
    arm = flexarm.parse_arm(
        "name: angled\ngravity: [0, 0, 0]\nlinks: [{length: 2, mu: 3}, {length: 1.5, mu: 1}]\n"
        "joints: [{type: fixed}, {}]\ninitial: {joints: [0, 90 deg]}\ndrive: [null, {torque: 0}]\n"
        "loads:\n  - {at: {link: 2}, distributed: [8, 0, 3], frame: base}\n"
        "  - {at: {link: 1, to: 0.5}, distributed: [0, -6, 0], frame: link}\n"
        "run: {duration: 0.1, sample: 0.1, record: [loads], stations: 5}\n"
    )
    result = flexarm.static_equilibrium(arm, hold="initial").result()
    force, moment = result.joint_force[0], result.joint_moment[0]
    np.testing.assert_allclose(force[0], [-12, 6, -4.5], atol=1e-13)
    np.testing.assert_allclose(
        force[1], [0, 12, -4.5], atol=1e-13
    )  # in the axes of link 2: x up, y to the left
    np.testing.assert_allclose(moment[1], [0, 1.5 * 4.5 / 2, 1.5 * 12 / 2], atol=1e-13)
    about = np.cross([2, 0.75, 0], [12, 0, 4.5]) + np.cross([0.5, 0, 0], [0, -6, 0])
    np.testing.assert_allclose(moment[0], -about, atol=1e-13)


WEIGHT = """
name: weight
gravity: {gravity}
links:
  - {{length: 1.0, mu: 2.0, EI: 60, modes: {{family: clamped-free, count: 2}}, segments: 2}}
  - {{length: 0.6, mu: 1.0, EI: 15, modes: {{family: clamped-free, count: 2}}}}
joints: [{{}}, {{friction: {{viscous: 0.05}}}}]
initial: {{joints: [0.3, 0.5]}}
{loads}
run: {{duration: 0.8, sample: 0.001, rtol: 1e-11, atol: 1e-13, record: [loads]}}
"""
AS_LOADS = (
    "loads: [{at: {link: 1}, distributed: [0, -19.62, 0]}, {at: {link: 2, to: 0.3}, distributed: [0, -9.81, 0]}, "
    "{at: {link: 2, from: 0.3}, distributed: [0, '-9.81', 0]}]"
)


@pytest.mark.slow
def test_a_weight_as_a_load_moves_the_arm_as_gravity_does():
    """Also how it shortens, and what its joints and sections bear, but that the weight of a part is no inertia."""
    fallen, pushed = (
        flexarm.simulate(flexarm.parse_arm(WEIGHT.format(gravity=gravity, loads=loads)))
        for gravity, loads in (("[0, -9.81, 0]", ""), ("[0, 0, 0]", AS_LOADS))
    )
    for name in (
        "joint_angle",
        "mode_amplitude",
        "joint_force",
        "joint_moment",
        "section_force",
        "section_moment",
    ):
        size = np.abs(fallen[name]).max()
        np.testing.assert_allclose(pushed[name], fallen[name], rtol=0, atol=1e-7 * size, err_msg=name)
    height = fallen["energy_gravity"] - fallen["energy_gravity"][0]
    rubbed = work(fallen)
    between = INTERPOLATED * np.abs(height).max()
    np.testing.assert_allclose(work(pushed) - rubbed, -height, rtol=0, atol=between)
    gained = pushed["energy_total"] - pushed["energy_total"][0]
    np.testing.assert_allclose(gained, work(pushed), rtol=0, atol=between)


@pytest.mark.slow
def test_sweeps_leave_it_open():
    text = BEAM.format(link=LINKS["segments"], size=-4.0, across=0.0).replace("type: fixed", "type: revolute")
    arm = flexarm.parse_arm(text.replace("initial: {equilibrium: true}\n", ""))
    vary = {"loads[0].distributed[1]": [-4.0, 7.0], "links[0].length": [2.0, 1.5]}
    sweep = flexarm.sweep(arm, vary, record=["max_moment:1"], workers=1)
    for i, load in enumerate(vary["loads[0].distributed[1]"]):
        for k, length in enumerate(vary["links[0].length"]):
            alone = flexarm.simulate(
                arm.replace("loads[0].distributed[1]", load).replace("links[0].length", length)
            )
            moment = np.hypot(alone.section_moment[:, 0, :, 1], alone.section_moment[:, 0, :, 2]).max()
            assert sweep["max_moment:1"][i, k] == pytest.approx(moment, rel=1e-9)


def test_loads_of_a_result_that_has_not_recorded_any():
    text = BEAM.format(link=LINKS["segments"], size=-4.0, across=0.0)
    arm = flexarm.parse_arm(text.replace("record: [loads], ", ""))
    recorded, without = flexarm.simulate(flexarm.parse_arm(text)), flexarm.simulate(arm)
    force, moment = without.loads(1, 0.375)
    np.testing.assert_allclose(force, recorded.section_force[:, 0, 3], atol=1e-9)
    np.testing.assert_allclose(moment, recorded.section_moment[:, 0, 3], atol=1e-9)
