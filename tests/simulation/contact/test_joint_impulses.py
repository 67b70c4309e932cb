"""What joints take in impacts: closed forms of a rod that is struck, and the balance of momentum of each link alone."""

from __future__ import annotations

from functools import cache

import casadi as ca
import numpy as np
import pytest
from reference.lagrangian import Oracle

import flexarm
from flexarm.analysis.loads.largest_loads import largest_loads
from flexarm.simulation.forward.motion_with_contact import prepare_motion_with_contact

ROUND_OFF = 1e-12  # of the largest impulse: a few sums
BALANCE = 1e-9  # of the largest impulse: jumps are as good as the mass matrix is conditioned
ROD = """
name: rod
gravity: [0, -9.81, 0]
links: [{{length: 2.0, mu: 3.0{modes}}}]
initial: {{joints: [0.5]}}
contact: {{walls: [{{point: [0, 0], normal: [0, 1]{friction}}}], points: [{{link: 1, at: {at}}}], restitution: 0.5}}
run: {{duration: 0.6, sample: 0.1, record: [{record}]}}
"""


def rod(at, record="loads", modes="", friction=""):
    text = ROD.format(at=at, record=record, modes=modes, friction=friction)
    return flexarm.simulate(flexarm.parse_arm(text))


@pytest.mark.parametrize("at", [0.3, 2 / 3, 1.0])
def test_a_rod_that_is_struck_at_some_distance_from_its_bearing(at):
    """The bearing takes J (3 c / (2 l) - 1): nothing if the rod is struck at its centre of percussion, 2 l / 3."""
    result = rod(at)
    J = result.impact_impulse
    assert J.size >= 1
    expected = np.zeros((J.size, 3))
    expected[:, 1] = J * (1.5 * at - 1)
    size = J.max()
    np.testing.assert_allclose(result.joint_impulse[:, 0], expected, rtol=0, atol=ROUND_OFF * size)
    np.testing.assert_allclose(result.joint_impulse_moment, 0, atol=ROUND_OFF * size)  # a hinge takes none
    np.testing.assert_array_equal(result.joint_impulse_time, result.impact_time)
    np.testing.assert_array_equal(result.joint_impulse_number, result.impact_number)
    if at != 2 / 3:  # where nothing but round-off is left
        assert [one.load for one in largest_loads(result) if one.unit.endswith("s")] == ["impulse"]


def test_friction_acts_along_the_rod():
    """In the instant of the impact the rod lies along the wall: what rubs along it goes into the bearing."""
    result = rod(1.0, friction=", friction: 0.3", modes="")
    along = result.impact_tangential_impulse
    np.testing.assert_allclose(result.joint_impulse[:, 0, 0], -along, rtol=0, atol=ROUND_OFF)


def test_a_joint_that_hits_its_limit():
    """The stop takes all of the angular momentum, and the bearing that of the mass centre."""
    arm = flexarm.parse_arm(
        "name: stop\ngravity: [0, 0, 0]\nlinks: [{length: 2.0, mu: 3.0}]\n"
        "joints: [{limits: {range: [-1, 1], restitution: 0}}]\ninitial: {joint_rates: [4]}\n"
        "run: {duration: 0.3, sample: 0.1, record: [loads]}\n"
    )
    result = flexarm.simulate(arm)
    np.testing.assert_allclose(result.joint_impulse_moment[0, 0], [0, 0, -3.0 * 2**3 / 3 * 4], atol=1e-8)
    np.testing.assert_allclose(result.joint_impulse[0, 0], [0, -6.0 * 4, 0], atol=1e-8)
    (impulse, moment) = [one for one in largest_loads(result) if one.unit.endswith("s")]
    assert (impulse.part, impulse.load, impulse.text) == ("joint 1", "impulse", "24 N s")
    assert (moment.load, moment.text) == ("impulse of the moment", "32 N m s")
    assert moment.time == pytest.approx(0.25)


FLEXIBLE = """
name: struck
gravity: [0, -9.81, 0]
links:
  - {length: 0.8, mu: 2.0, EI: 60, modes: {family: clamped-free, count: 2}}
  - {length: 0.5, mu: 1.0, EI: 10, modes: {family: clamped-free, count: 2}}
joints: [{}, {limits: {range: [-0.6, 0.6], restitution: 0.3}}]
payload: {mass: 0.3}
initial: {joints: [0.6, -0.4], joint_rates: [0, 3]}
contact:
  walls: [{point: [0, 0], normal: [0.1, 1], friction: 0.2}]
  points: [O3, {link: 1, at: 0.7}]
  restitution: 0.4
run: {duration: 0.6, sample: 0.05, record: [loads], reaction_frame: base}
"""


@cache
def struck():
    """Impacts of a flexible arm with a wall and a stop, and its datasets of impacts."""
    run = prepare_motion_with_contact(flexarm.parse_arm(FLEXIBLE))
    for _ in run.blocks():
        pass
    return run, run.impacts


@pytest.mark.slow
def test_momentum_of_each_link_alone():
    """Momentum and angular momentum by quadrature of a link's own points change by what its joints and walls give."""
    run, data = struck()
    layout, oracle = run.state_equation.layout, Oracle(run.instance.arm)
    impacts = [one for one in run.integration.impacts if one.time <= run.instance.arm.run.duration]
    assert data["limit_impact_time"].size
    assert {*data["impact_point"]} == {1, 2}
    for k, impact in enumerate(impacts):
        theta, jump = np.zeros(oracle.n_dof), np.zeros(oracle.n_dof)
        theta[layout.theta_rows], jump[layout.rows] = impact.y[: len(layout.theta_rows)], impact.jump
        start, elbow, tip = oracle.points(theta)
        force, moment = data["joint_impulse"][k], data["joint_impulse_moment"][k]
        outer = force[1], moment[1] + np.cross(elbow - start, force[1])
        given = [force[0] - outer[0], moment[0] - outer[1]], [force[1], moment[1]]
        for row in np.flatnonzero(data["impact_number"] == k + 1):
            P = data["impact_impulse"][row] * NORMAL + data["impact_tangential_impulse"][row] * TANGENT
            i, at, about = (
                (1, tip, elbow)
                if data["impact_point"][row] == 1
                else (0, oracle.position(theta, 0, 0.7), start)
            )
            given[i][0], given[i][1] = given[i][0] + P, given[i][1] + np.cross(at - about, P)
        for i, about in enumerate((start, elbow)):
            expected = momentum_of_link(oracle, i)(theta, jump, about).full().ravel()
            size = np.abs(force).max()
            np.testing.assert_allclose(np.concatenate(given[i]), expected, rtol=0, atol=BALANCE * size)


NORMAL = np.array([0.1, 1, 0]) / np.hypot(0.1, 1)
TANGENT = np.array([NORMAL[1], -NORMAL[0], 0])


@cache
def momentum_of_link(oracle, i):
    """(theta, theta_d, point) -> momentum of a link, also angular about a point; the payload is link 2's."""
    n, theta, theta_d, about = (
        oracle.stations,
        oracle.theta_sym,
        ca.SX.sym("d", oracle.n_dof),
        ca.SX.sym("p", 3),
    )
    own = slice(0, n + 1) if i == 0 else slice(n + 1, None)  # behind each link its hub
    points, masses = oracle.positions[:, own], ca.DM(oracle.masses[own])
    p = ca.jtimes(points, theta, theta_d) * ca.repmat(masses.T, 3, 1)
    angular = ca.cross(points - ca.repmat(about, 1, points.size2()), p, 1)
    return ca.Function("momentum", [theta, theta_d, about], [ca.vertcat(ca.sum2(p), ca.sum2(angular))])


def test_files_and_runs_without_loads(tmp_path):
    result = rod(1.0)
    result.save(tmp_path / "rod.h5")
    opened = flexarm.open_result(tmp_path / "rod.h5")
    np.testing.assert_array_equal(opened.joint_impulse, result.joint_impulse)
    assert "joint_impulse" not in rod(1.0, record="")


@pytest.mark.parametrize("limits", ["", ", limits: {range: [-3, 3]}"])
def test_joints_that_stick_have_impulses_where_something_can_be_struck(limits):
    joint = f"{{friction: {{coulomb: 1, smoothing: 0}}{limits}}}"
    text = f"name: dry\nlinks: [{{length: 1, mu: 1}}]\njoints: [{joint}]\n"
    text += "run: {duration: 0.2, sample: 0.1, record: [loads]}\n"
    result = flexarm.simulate(flexarm.parse_arm(text))
    assert ("joint_impulse" in result) == bool(limits)
    assert not limits or result.joint_impulse.shape == (0, 1, 3)
