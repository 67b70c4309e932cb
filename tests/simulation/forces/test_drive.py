"""Drives and external loads: what the YAML asks for is what acts on the arm."""

from __future__ import annotations

import casadi as ca
import numpy as np
import pytest
from arms import ARMS, arm, random_state
from breadth import thinned
from reference.lagrangian import oracle

import flexarm
from flexarm.errors import ModelError
from flexarm.model.chain_builder import build_chain
from flexarm.simulation.forces.applied_forces import applied_forces
from flexarm.simulation.forces.time_functions import Signals

TWO_LINKS = """
name: driven
gravity: [0, 0, 0]
links:
  - {length: 1, mu: 1}
  - {length: 1, mu: 1, EI: 20, modes: {family: clamped-free, count: 1}}
"""


def forces_of(arm, theta, theta_d, t=0.0):
    chain = build_chain(arm)
    signals = Signals(ca.SX.sym("t"))
    state = ca.SX.sym("theta", theta.size), ca.SX.sym("theta_d", theta.size)
    applied = applied_forces(arm, chain, signals, *state)
    f = ca.Function("forces", [signals.t, *state, signals.u], [ca.densify(applied.forces(chain))])
    return f(t, theta, theta_d, signals.values(t)).full().ravel()


@pytest.mark.parametrize("frame", thinned(["base", "link"]))
@pytest.mark.parametrize("name", thinned(ARMS, every=18))
def test_generalised_loads_against_virtual_work(name, frame):
    """Force and moment on every link at a generic station, against the oracle's virtual work."""
    theta, theta_d, _ = random_state(arm(name))
    reference, rng = oracle(arm(name, stiffening=True)), np.random.default_rng(7)
    for link in range(len(arm(name).links)):
        station, force, moment = rng.uniform(), rng.normal(size=3), rng.normal(size=3)
        load = {"link": link + 1, "at": station}
        text = (
            ARMS[name]
            + f"loads: [{{at: {load}, force: {force.tolist()}, moment: {moment.tolist()}, frame: {frame}}}]\n"
        )
        found = forces_of(flexarm.parse_arm(text.replace("'", "")), theta, theta_d)
        expected = reference.load_forces(theta, link, station, force, moment, frame)
        np.testing.assert_allclose(found, expected, atol=1e-12 * np.abs(expected).max() + 1e-14)


@pytest.mark.parametrize("frame", thinned(["base", "link"]))
@pytest.mark.parametrize("name", thinned(ARMS, every=len(ARMS)))
def test_distributed_loads_against_virtual_work(name, frame):
    """Force per length on a stretch of every link against the oracle's virtual work, by quadrature."""
    theta, theta_d, _ = random_state(arm(name))
    reference, rng = oracle(arm(name, stiffening=True)), np.random.default_rng(8)
    for i in range(len(arm(name).links)):
        first, last = np.sort(rng.uniform(size=2)) if i else (0.0, 1.0)
        f = rng.normal(size=3)
        place = f"{{link: {i + 1}, from: {first}, to: {last}}}"
        text = f"{ARMS[name]}loads: [{{at: {place}, distributed: {f.tolist()}, frame: {frame}}}]\n"
        found = forces_of(flexarm.parse_arm(text), theta, theta_d)
        expected = reference.line_forces(theta, i, first, last, f, frame)
        np.testing.assert_allclose(found, expected, atol=1e-11 * np.abs(expected).max() + 1e-14)


@pytest.mark.parametrize(
    ("drive", "expected"),
    [
        ("{torque: 2.5}", 2.5),
        ("{torque: '3*sin(2*t) + max(t, 0.1)'}", 3 * np.sin(1.0) + 0.5),
        ("{torque: {times: [0, 1], values: [1, 3]}}", 2.0),
        ("{pd: {kp: 10, kd: 2, reference: '0.5*t**2'}}", 10 * (0.125 - 0.3) + 2 * (0.5 - 0.7)),
    ],
)
def test_drive_torque(drive, expected):
    described = flexarm.parse_arm(TWO_LINKS + f"drive: [null, {drive}]\nrun: {{duration: 1, sample: 0.1}}\n")
    found = forces_of(described, np.array([0.1, 0.3, 0.02]), np.array([0.2, 0.7, 0.0]), t=0.5)
    np.testing.assert_allclose(found, [0, expected, 0], rtol=1e-14)


def test_recorded_torque_is_the_reaction_of_a_locked_joint():
    """At rest a locked joint carries the moment about its axis of all that hangs on it, loads included."""
    text = """
name: locked
gravity: [0, -10, 0]
links: [{length: 2, mu: 3}, {length: 1, mu: 4}]
joints: [{type: fixed, angle: 60 deg}, {}]
loads: [{at: {link: 1, at: 1}, force: [0, 5, 0]}]
initial: {joints: [-150 deg]}
run: {duration: 0.1, sample: 0.1}
"""
    result = flexarm.simulate(flexarm.parse_arm(text))
    arm = 2 * np.cos(np.pi / 3)  # the second link hangs down from the end of the first
    expected = 3 * 2 * 10 * arm / 2 + 4 * 10 * arm - 5 * arm
    np.testing.assert_allclose(result.torque, [[expected, 0]] * 2, rtol=1e-13, atol=1e-10)


def test_arm_without_anything_that_moves_is_refused():
    text = "name: stiff\nlinks: [{length: 2, mu: 3}]\njoints: [{type: fixed}]\n"
    with pytest.raises(ModelError, match="nothing can move freely"):
        flexarm.simulate(flexarm.parse_arm(text))


def test_energy_grows_by_the_work_of_torques_and_loads():
    text = (
        TWO_LINKS
        + """
drive: [{torque: "2*sin(3*t)"}, {torque: {times: [0, 0.5, 2], values: [0, 1, -1], interpolation: cubic}}]
loads: [{at: tip, force: ["0.3*t", 0.1, 0], moment: [0, 0, 0.05]}]
run: {duration: 2, sample: 0.002}
"""
    )
    result = flexarm.simulate(flexarm.parse_arm(text))
    power = (result.torque * result.joint_velocity).sum(axis=1)
    tip_velocity = result.point_velocity[:, -1]
    power += 0.3 * result.time * tip_velocity[:, 0] + 0.1 * tip_velocity[:, 1]
    section_rate = result.joint_velocity.sum(axis=1) + np.gradient(
        result.link_rotation[:, 1, 1, 2], result.time
    )
    power += 0.05 * section_rate
    work = np.concatenate([[0], np.cumsum((power[1:] + power[:-1]) / 2 * np.diff(result.time))])
    gained = result.energy_total - result.energy_total[0]
    np.testing.assert_allclose(gained, work, atol=2e-4 * np.abs(work).max())


@pytest.mark.parametrize("method", ["dop853", "radau"])
@pytest.mark.parametrize(
    "torque",
    [
        '"10*step(t - 0.5)*step(0.6 - t)"',
        '"50*step(t - 0.507)*step(0.527 - t)"',
        "{times: [0, 0.5, 0.505, 0.6, 0.605, 1], values: [0, 0, 10, 10, 0, 0]}",
    ],
)
def test_no_short_pulse_is_stepped_over(torque, method):
    """Impulse 1 N m s on an arm at rest with 1 kg m^2: an adaptive step could pass over what it does not feel."""
    arm = flexarm.parse_arm(f"""
name: hit
gravity: [0, 0, 0]
links: [{{length: 1, mu: 3}}]
drive: [{{torque: {torque}}}]
run: {{duration: 1, sample: 0.01, method: {method}, rtol: 1e-8}}
""")
    impulse = 1.0 if "times" not in torque else 10 * 0.1
    assert abs(flexarm.simulate(arm).joint_velocity[-1, 0] - impulse) < 1e-4


def test_no_short_pulse_is_stepped_over_between_walls():
    """The same impulse with a wall out of reach."""
    arm = flexarm.parse_arm("""
name: hit
gravity: [0, 0, 0]
links: [{length: 1, mu: 3}]
drive: [{torque: "50*step(t - 0.507)*step(0.527 - t)"}]
contact: {walls: [{point: [0, -5], normal: [0, 1]}]}
run: {duration: 1, sample: 0.01, rtol: 1e-8}
""")
    assert abs(flexarm.simulate(arm).joint_velocity[-1, 0] - 1.0) < 1e-4
