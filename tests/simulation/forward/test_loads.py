"""What joints transmit and links carry in motion: against torques, closed forms, and the balance of each link alone."""

from __future__ import annotations

from functools import cache

import casadi as ca
import h5py
import numpy as np
import pytest
from paths import ROBOTS
from reference.flexible_link import strain_of
from reference.lagrangian import Oracle

import flexarm
from flexarm.simulation.forward.parametric_model import ParametricModel

ROUND_OFF = 1e-11  # of the largest: accelerations are conditioned like the mass matrix

ARM = """
name: carries
gravity: [0, -9.81, 0]
links:
  - {length: 0.8, mu: 2.0, EI: 150, modes: {family: clamped-free, count: 2}}
  - {length: 0.5, mu: 1.0, EI: 40, modes: {family: clamped-free, count: 1}}
joints:
  - {mass: 0.3, friction: {viscous: 0.4, coulomb: 0.2, smoothing: 0.1}, motor: {inertia: 1e-4, gear: 30}}
  - {friction: {viscous: 0.1}, limits: {range: [-0.3, 3], restitution: 0}}
payload: {mass: 0.2, inertia: 0.01, offset: [0.02, 0.03, 0]}
initial: {joints: [20 deg, -17 deg]}
drive: [{motion: "0.35 + 0.8*sin(3*t)"}, {torque: "-0.3"}]
loads: [{at: {link: 1, at: 0.5}, force: ["2*t", -1, 0.7], moment: [0.1, 0, 0.2]}]
run: {duration: 0.4, sample: 0.02, record: [loads]RUN}
"""


@cache
def moved(further=""):
    return flexarm.simulate(flexarm.parse_arm(ARM.replace("RUN", further)))


def test_along_the_axis_acts_what_drive_friction_rotor_and_stop_do():
    result = moved()
    along, rate = result.joint_moment[:, :, 2], result.joint_velocity
    friction = np.array([0.4, 0.1]) * rate + np.array([0.2, 0]) * np.tanh(rate / 0.1)
    rotor = np.array([30**2 * 1e-4, 0]) * result.joint_acceleration
    expected = result.torque - friction - rotor + result.limit_torque
    np.testing.assert_allclose(along, expected, atol=ROUND_OFF * np.abs(along).max(), rtol=0)
    assert np.abs(result.limit_torque[:, 1]).max() > 0.1  # the joint rests at its stop for a while
    assert np.abs(result.joint_moment[:, :, :2]).max() > 0.01  # the load pushes out of the plane


def test_reactions_in_the_axes_of_the_base_and_sections_at_the_joints():
    result, turned = moved(), moved(", reaction_frame: base, stations: {at: [0, 0.3, 1]}")
    first, c, s = result.joint_force[:, 0], np.cos(result.joint_angle[:, 0]), np.sin(result.joint_angle[:, 0])
    along_base = np.stack(
        [c * first[:, 0] - s * first[:, 1], s * first[:, 0] + c * first[:, 1], first[:, 2]], -1
    )
    np.testing.assert_allclose(turned.joint_force[:, 0], along_base, atol=1e-12 * np.abs(first).max())
    np.testing.assert_allclose(turned.joint_moment[:, :, 2], result.joint_moment[:, :, 2], atol=1e-12)
    for kind in ("force", "moment"):  # the shapes leave the joint at no angle
        joint = result[f"joint_{kind}"]
        np.testing.assert_allclose(
            -result[f"section_{kind}"][:, :, 0], joint, atol=1e-13 * np.abs(joint).max()
        )
    np.testing.assert_allclose(turned.section_force[:, :, 1], result.section_force[:, :, 3], atol=1e-11)
    # across the plane acts the load alone, which at its own station counts as beyond
    across = np.where(np.arange(11) <= 5, 0.7, 0.0)
    np.testing.assert_allclose(result.section_force[:, 0, :, 2], np.tile(across, (21, 1)), atol=1e-15)


def test_files_name_the_stations(tmp_path):
    result = moved(", reaction_frame: base, stations: {at: [0, 0.3, 1]}")
    result.save(tmp_path / "carries.h5")
    opened = flexarm.open_result(tmp_path / "carries.h5")
    assert opened.section_force.shape == (21, 2, 3, 3)
    with h5py.File(tmp_path / "carries.h5") as file:
        dataset = file["section_moment"]
        np.testing.assert_array_equal(file["load_station"], [0, 0.3, 1])
        assert [dim[0].name[1:] for dim in dataset.dims] == ["time", "link", "load_station", "axis"]
        assert (dataset.attrs["units"], file["joint_moment"].attrs["units"]) == ("N m", "N m")


def test_spin_up_pulls_by_mass_times_rate_squared_times_radius():
    """A rigid link under a torque, without gravity: shear and moment from the angular acceleration."""
    arm = flexarm.parse_arm(
        "name: spin\ngravity: [0, 0, 0]\nlinks: [{length: 1.2, mu: 2.5}]\npayload: {mass: 0.7}\n"
        "drive: [{torque: 9}]\nrun: {duration: 1, sample: 0.1, record: [loads], stations: 5}\n"
    )
    result = flexarm.simulate(arm)
    x = np.linspace(0, 1.2, 5)
    first = 2.5 * (1.2**2 - x**2) / 2 + 0.7 * 1.2  # int r dm beyond x
    second = 2.5 * (1.2**3 - x**3) / 3 + 0.7 * 1.2**2
    w_d = 9 / second[0]
    w = w_d * result.time[:, None]
    force, moment = result.section_force[:, 0], result.section_moment[:, 0]
    np.testing.assert_allclose(force[..., 0], w**2 * first, rtol=1e-8, atol=1e-12)
    np.testing.assert_allclose(force[..., 1], np.tile(-w_d * first, (11, 1)), rtol=1e-12)
    np.testing.assert_allclose(moment[..., 2], np.tile(-w_d * (second - x * first), (11, 1)), atol=1e-12)


def test_an_overhanging_beam_on_its_support():
    """Pinned at its start, on a wall at 0.8 of 2 m, pressed down at its tip."""
    arm = flexarm.parse_arm(
        "name: overhang\ngravity: [0, -9.81, 0]\nlinks: [{length: 2, mu: 3}]\n"
        "loads: [{at: tip, force: [0, -10, 0]}]\n"
        "contact: {points: [{link: 1, at: 0.4}], walls: [{point: [0, 0], normal: [0, 1]}], restitution: 0}\n"
        "run: {duration: 0.2, sample: 0.1, record: [loads]}\n"
    )
    result = flexarm.simulate(arm)
    W = 3 * 9.81
    R = (10 * 2 + W * 2 * 1) / 0.8
    x = np.linspace(0, 2, 11)
    shear = R * (x <= 0.8 + 1e-12) - 10 - W * (2 - x)
    moment = R * np.maximum(0.8 - x, 0) - 10 * (2 - x) - W * (2 - x) ** 2 / 2
    np.testing.assert_allclose(result.contact_force[-1, 0, 0], R, rtol=1e-10)
    np.testing.assert_allclose(result.section_force[-1, 0, :, 1], shear, atol=1e-10 * R)
    np.testing.assert_allclose(result.section_moment[-1, 0, :, 2], moment, atol=1e-10 * R)
    assert abs(moment[0]) < 1e-10


@pytest.mark.slow
def test_power_of_the_reactions_closes_the_balance_of_each_link():
    """Energy of a link alone, by quadrature of its own points, changes by what comes in at its joints."""
    arm = flexarm.parse_arm(
        "name: balance\ngravity: [0, -9.81, 0]\nlinks:\n"
        "  - {length: 0.8, mu: 2.0, EI: 60, modes: {family: clamped-free, count: 2}}\n"
        "  - {length: 0.5, mu: 1.0, EI: 10, modes: {family: clamped-free, count: 2}}\n"
        'payload: {mass: 0.3}\ninitial: {joints: [1, -0.5]}\ndrive: [{torque: "3*sin(4*t)"}, {torque: -1}]\n'
        "run: {duration: 1, sample: 0.05, record: [loads], reaction_frame: base}\n"
    )
    result, oracle = flexarm.simulate(arm), Oracle(arm)
    theta, theta_d, theta_dd = oracle.theta_sym, oracle.theta_d_sym, ca.SX.sym("theta_dd", oracle.n_dof)
    n = oracle.stations
    for i, own in enumerate(
        (slice(0, n), slice(n + 1, 2 * n + 2))
    ):  # behind each link its hub; at last the payload
        points, masses = oracle.positions[:, own], oracle.masses[own]
        if i:
            points, masses = oracle.positions[:, n + 1 :], oracle.masses[n + 1 :]
        v = oracle._rate(points)
        energy = ca.sum1(v**2) @ ca.DM(masses) / 2 - ca.DM(arm.gravity).T @ points @ ca.DM(masses)
        x, w = np.polynomial.legendre.leggauss(n)
        for xi, weight in zip((1 + x) / 2, w * arm.links[i].length / 2, strict=True):
            rigidity, strain = strain_of(arm.links[i], float(xi))
            bent = ca.DM(strain) @ theta[oracle._delta_rows[i], 0]
            energy += weight * ca.dot(ca.DM(rigidity), bent**2) / 2
        rate = ca.jtimes(energy, theta, theta_d) + ca.jtimes(energy, theta_d, theta_dd)
        f = ca.Function("rate", [theta, theta_d, theta_dd], [rate])
        found = f(result.theta().T, result.theta_d().T, result.theta_dd().T).full().ravel()
        power = _power(result, i, turning_of_link(arm, result, i)[0])
        if i == 0:
            power -= _power(result, 1, turning_of_link(arm, result, 0)[1])
        np.testing.assert_allclose(found, power, atol=1e-9 * np.abs(power).max())


def _power(result, joint, turning):
    force, moment = result.joint_force[:, joint], result.joint_moment[:, joint, 2]
    return np.einsum("ka,ka->k", force, result.point_velocity[:, joint]) + moment * turning


def turning_of_link(arm, result, i):
    """Angular velocity about z of the start and of the end of a link of the planar arm."""
    from flexarm.links import flexible_link

    slopes = [flexible_link(link).rotation(1.0)[:, 2] for link in arm.links]
    rates = np.split(result.mode_velocity, 2, axis=1)
    ends = [rates[k] @ slopes[k] for k in range(2)]
    start = result.joint_velocity[:, : i + 1].sum(axis=1) + sum(ends[:i])
    return start, start + ends[i]


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", ["elastic_joints_two_link", "space_arm", "spatial_six_joint", "wrist_arm", "scara"]
)
def test_along_the_axis_of_shipped_arms(name):
    arm = flexarm.load_arm(ROBOTS / f"{name}.yaml")
    run = {"record": ("loads",), "duration": min(arm.run.duration, 40 * arm.run.sample)}
    result = flexarm.simulate(arm.model_copy(update={"run": arm.run.model_copy(update=run)}))
    size = max(np.abs(result.joint_moment).max(), np.abs(result.joint_force).max())
    for k, joint in enumerate(arm.joints):
        part = result.joint_moment if joint.kind.turn else result.joint_force
        along, rate = part[:, k] @ np.array(joint.axis), result.joint_velocity[:, k]
        friction = joint.friction
        passed = result.torque[:, k] - joint.motor.reflected_inertia * result.joint_acceleration[:, k]
        passed -= friction.viscous * rate + friction.coulomb * np.tanh(rate / friction.smoothing)
        if joint.is_elastic:
            passed = result.spring_torque[:, k]
        np.testing.assert_allclose(along, passed, atol=ROUND_OFF * size, err_msg=f"joint {k + 1}")


def test_a_body_has_sections_at_its_ends_alone():
    arm = flexarm.parse_arm(
        "name: body\nlinks: [{length: 1, body: {mass: 2, center: [0.3, 0, 0], inertia: 0.1}}]\npayload: {mass: 0.5}\n"
        "drive: [{torque: 1}]\nrun: {duration: 0.1, sample: 0.1, record: [loads], stations: 3}\n"
    )
    result = flexarm.simulate(arm)
    for part in (result.section_force, result.section_moment):
        np.testing.assert_array_equal(np.isnan(part[0, 0]), [[False] * 3, [True] * 3, [False] * 3])
    np.testing.assert_allclose(-result.section_force[:, 0, 0], result.joint_force[:, 0], atol=1e-13)
    pulled = 0.5 * (result.joint_velocity[:, 0] ** 2 + 9.81 * np.sin(-result.joint_angle[:, 0]))
    np.testing.assert_allclose(result.section_force[:, 0, 2, 0], pulled, atol=1e-13)


OPEN = """
name: open
links: [{length: 0.8, mu: 2.0, EI: EI, modes: {family: clamped-free, count: 1}}]
payload: {mass: M}
run: {duration: 1, sample: 1, record: [loads], stations: 3}
"""


def test_arms_that_share_a_program_carry_what_each_does_alone():
    arms = [flexarm.parse_arm(OPEN.replace("EI: EI", f"EI: {EI}").replace("M}", f"{m}}}")) for EI, m in
            ((150, 0.2), (90, 0.3))]  # fmt: skip
    model, y = ParametricModel(arms), np.array([[0.3, 0.02, 1.5, -0.4]])
    for arm in arms:
        alone, data = ParametricModel([arm]), []
        for each in (model, alone):
            data.append(each.state_equation.observe(np.zeros(1), y, each.instance(arm).parameters))
        for name in ("joint_force", "section_force", "section_moment"):
            size = np.abs(data[1][name]).max()
            np.testing.assert_allclose(data[0][name], data[1][name], atol=1e-12 * size)


@pytest.mark.slow
def test_sweeps_have_the_stations_of_the_arm():
    pytest.importorskip("xarray")
    arm = flexarm.parse_arm(
        OPEN.replace("EI: EI", "EI: 100")
        .replace("M}", "0.2}")
        .replace("stations: 3", "stations: {at: [0.1, 0.7]}")
    )
    swept = flexarm.sweep(arm, vary={"payload.mass": "0.1,0.4"}, series=["section_moment"], workers=1)
    assert swept["section_moment"].shape == (2, 2, 1, 2, 3)
    np.testing.assert_array_equal(swept.to_xarray().load_station, [0.1, 0.7])
    np.testing.assert_array_equal(flexarm.simulate(arm).to_xarray().load_station, [0.1, 0.7])


def test_a_massless_base_gives_nothing():
    arm = flexarm.parse_arm(
        "name: floats\nbase: planar\nlinks: [{length: 1, mu: 1, EI: 50, modes: {family: clamped-free, count: 1}}, "
        "{length: 0.6, mu: 1}]\ninitial: {joints: [0.3, 0.5]}\ndrive: [null, {torque: 2}]\n"
        "run: {duration: 0.1, sample: 0.05, record: [loads]}\n"
    )
    result = flexarm.simulate(arm)
    assert np.abs(result.joint_force[:, 0]).max() < 1e-11 * np.abs(result.joint_force[:, 1]).max()
    assert np.abs(result.joint_moment[:, 0]).max() < 1e-11 * np.abs(result.joint_moment[:, 1]).max()


@pytest.mark.slow
def test_loads_of_inverse_dynamics():
    arm = flexarm.load_arm(ROBOTS / "korayem_1994_clamped.yaml")
    arm = arm.model_copy(update={"run": arm.run.model_copy(update={"record": ("loads",)})})
    trajectory = flexarm.load_trajectory(ROBOTS / "trajectories" / "korayem_1994.yaml")
    result = flexarm.inverse(arm, trajectory, method="causal")
    along = result.joint_moment[:, :, 2]
    np.testing.assert_allclose(along, result.torque, atol=ROUND_OFF * np.abs(along).max())
    names = [name for name in result if not name.startswith("section")]
    force, moment = flexarm.Result({name: result[name] for name in names}, result.attributes).loads(2, 0.3)
    np.testing.assert_allclose(force, result.section_force[:, 1, 3], atol=ROUND_OFF * np.abs(force).max())
    np.testing.assert_allclose(moment, result.section_moment[:, 1, 3], atol=ROUND_OFF * np.abs(moment).max())


def test_stations_that_are_breakpoints_of_the_modes_but_for_round_off():
    """Four modes have breakpoints at tenths, as the stations: F (l - x) everywhere in a cantilever at rest."""
    length, F = 0.8, 0.02
    result = flexarm.simulate(
        flexarm.parse_arm(f"""\
name: cantilever
gravity: [0, 0, 0]
links: [{{length: {length}, mu: 0.9, EI: 33, modes: 4}}]
joints: [{{type: fixed}}]
loads: [{{at: tip, force: [0, {F}, 0]}}]
initial: {{equilibrium: true}}
run: {{duration: 0.01, sample: 0.01, record: [loads]}}
""")
    )
    x = length * np.array(result.arm.run.load_stations)
    # the deflection of 1e-4 of the length turns and shortens by its square
    np.testing.assert_allclose(result.section_moment[0, 0, :, 2], F * (length - x), atol=1e-6 * F * length)
