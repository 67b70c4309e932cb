"""Arms whose base floats: the tip or the joints follow, the base reacts, and its momentum stays what it was."""

from functools import cache

import numpy as np
import pytest
from breadth import thinned
from paths import ROBOTS
from reference.lagrangian import oracle
from scipy.integrate import solve_ivp

import flexarm
from flexarm.errors import ModelError
from flexarm.simulation.inverse.generalised_jacobian import generalised_jacobians
from flexarm.simulation.inverse.methods.inverse_method import make_inverse_method
from flexarm.simulation.inverse.problem import inverse_problem
from flexarm.simulation.inverse.task.reference_trajectory import ReferenceSamples
from flexarm.simulation.inverse.verification.verification import verified_error

VERIFIED = 1e-6  # m
CONSERVED = 1e-8  # of the mass times the largest speed
MODES = "EI: {y: 200.0, z: 200.0}, modes: [{count: 1}], damping: 0.01"
SPATIAL_MODES = MODES.replace("[{count: 1}]", "[{count: 1}, {count: 1, direction: z}]")
PLANAR = """
name: planar
gravity: [0, 0, 0]
base: planar
links:
  - {length: 0.5, mu: 400.0}
  - {length: 0.8, mu: 2.0, MODES}
  - {length: 0.8, mu: 2.0, MODES}
payload: {mass: 1.0}
initial: {joints: [0, 0.5, 1.0], base: [0.1, 0.2]}
"""
FREE = """
name: free
gravity: [0, 0, 0]
base: free
links:
  - {length: 0.5, mu: 400.0, rotary_inertia: [5.0, 5.0, 5.0]}
  - {length: 0.2, mu: 2.0}
  - {length: 0.8, mu: 2.0, MODES}
  - {length: 0.8, mu: 2.0, MODES}
joints: [{type: fixed}, {}, {twist: 90 deg}, {}]
payload: {mass: 1.0}
initial: {base: [0, 0, 0, 0.1, 0.2, 0.3], joints: [0.2, 0.5, 1.0]}
"""
ARMS = {
    "planar": PLANAR.replace("MODES", MODES),
    "free": FREE.replace("MODES", SPATIAL_MODES),
    "planar, rigid": PLANAR.replace(", MODES", ""),
    "free, rigid": FREE.replace(", MODES", ""),
}
PATHS = {
    ("planar", "tip"): "duration: 3\nline: {from: [1.5, 1.0], to: [1.2, 1.3], law: nonic}\n",
    ("free", "tip"): "duration: 3\nline: {from: [0.6, 1.0, 1.2], to: [0.9, 0.9, 0.9], law: nonic}\n",
    ("planar", "joint"): "space: joint\nwaypoints: {times: [0, 1.5, 3], q2: [0.5, 0.7, 1], q3: [1, 0.8, 0.5]}\n",
    ("free", "joint"): "space: joint\nwaypoints: {times: [0, 1.5, 3], q2: [0.2, 0.7, 1], q3: [0.5, 0.8, 0.5], "
    "q4: [1, 0.6, 0.6]}\n",
}  # fmt: skip
CASES = thinned([(name, space) for name in ARMS for space in ("tip", "joint")], every=6)


@cache
def solved(name, space, method="stable"):
    arm = flexarm.parse_arm(ARMS[name])
    text = PATHS[name.split(",")[0], space] + "sample: 0.02\n"
    return make_inverse_method(method).solve(inverse_problem(arm, flexarm.parse_trajectory(text)))


@pytest.mark.parametrize(("name", "space"), CASES)
def test_the_forward_dynamics_confirms_it(name, space):
    assert verified_error(solved(name, space)) < VERIFIED


@pytest.mark.parametrize(("name", "space"), CASES)
def test_momentum_is_conserved_and_nothing_drives_the_base(name, space):
    solution = solved(name, space)
    data = solution.datasets()
    mass = sum(link.mass for link in solution.problem.chain.assembled_links) + 1.0
    largest = mass * np.abs(data["base_velocity"]).max()
    assert largest > 1.0  # kg m/s; the base does react
    assert np.abs(data["momentum"]).max() < CONSERVED * largest
    assert np.abs(data["angular_momentum"]).max() < CONSERVED * largest
    np.testing.assert_allclose(data["torque"][:, 0], 0, atol=1e-12)
    start = np.flatnonzero(data["time"] <= 0)[0]
    place = [0.1, 0.2, 0] if name.startswith("planar") else [0, 0, 0]
    np.testing.assert_allclose(data["base_position"][start], place, atol=1e-9)


@pytest.mark.parametrize(("name", "space"), CASES)
def test_the_tip_follows(name, space):
    data = solved(name, space).datasets()
    if space == "tip":
        assert data["tip_error"].max() < VERIFIED
    else:
        desired = solved(name, space).problem.reference(data["time"]).p
        moving = [1, 2] if name.startswith("planar") else [1, 2, 3]
        np.testing.assert_allclose(data["joint_angle"][:, moving], desired, atol=1e-9)


@pytest.mark.parametrize("space", [pytest.param("tip", marks=pytest.mark.slow), "joint"])
def test_the_lagrangian_oracle_needs_no_other_forces(space):
    """Of a planar arm: none on modes, base and joint 1, and the same torques.

    Without damping, in which the oracle does not count the payload as mass of the last link.
    """
    arm = flexarm.parse_arm(ARMS["planar"].replace(", damping: 0.01", ""))
    trajectory = flexarm.parse_trajectory(PATHS["planar", space])
    solution = make_inverse_method("stable").solve(inverse_problem(arm, trajectory))
    reference = oracle(solution.problem.arm)
    layout = solution.problem.chain.coordinates
    times = np.linspace(0.1, 2.9, 7)
    if space == "joint":
        times = solution.times[5:-5:20]
    motion = solution.at(times)
    torques = solution.problem.recorder(times, motion)["torque"]
    for torque, *vectors in zip(torques, *motion, strict=True):
        forces = reference.inverse_dynamics(*vectors)
        largest = np.abs(torque).max()
        np.testing.assert_allclose(forces[list(layout.moving_joints)], torque, atol=2e-6 * max(largest, 0.1))
        np.testing.assert_allclose(
            forces[[*layout.all_modes, *layout.base]], 0, atol=2e-5 * max(largest, 0.1)
        )


@pytest.mark.slow
def test_a_rigid_tip_moves_as_momentum_and_path_say():
    """Momentum along x and y and that of joint 1 are zero, the tip has its speed: five rates, from the oracle."""
    solution = solved("planar, rigid", "tip")
    problem = solution.problem
    reference = oracle(problem.arm)
    free = [0, 3, 4]

    def rates(t, theta):
        J = reference._section_at(2, 1.0)(theta)[2].full()[:2]
        matrix = np.vstack([reference.mass_matrix(theta)[free], J])
        return np.linalg.solve(matrix, np.concatenate([np.zeros(3), problem.reference([t]).p_d[0]]))

    found = solve_ivp(rates, (0, 3), problem.start, method="DOP853", rtol=1e-11, atol=1e-13)
    np.testing.assert_allclose(solution.motion[0][-1], found.y[:, -1], atol=1e-9)


@pytest.mark.slow
def test_the_internal_dynamics_is_singular_where_the_generalised_jacobian_is():
    """det(M_ff - M_fr J_r^-1 J_f) det J_r = det M_ff det J*, with the oracle's masses, at any posture and rates."""
    problem = solved("planar, rigid", "tip").problem
    reference, dynamics, rng = oracle(problem.arm), problem.dynamics, np.random.default_rng(3)
    free, driven = [0, 3, 4], [1, 2]
    for _ in range(5):
        theta = np.concatenate([rng.uniform(0.3, 1.5, 3), rng.normal(size=2)])
        M, J = reference.mass_matrix(theta), reference._section_at(2, 1.0)(theta)[2].full()[:2]
        expected = J[:, driven] - J[:, free] @ np.linalg.solve(M[np.ix_(free, free)], M[np.ix_(free, driven)])
        found = generalised_jacobians(problem, theta[None])[0]
        np.testing.assert_allclose(found, expected, atol=1e-12)
        desired = ReferenceSamples.at_rest(np.zeros(2))
        linear = dynamics.linearised(np.zeros(1), dynamics.state(theta)[None], desired, np.zeros((1, 5)))
        internal = -linear.by_rate[0, 2:][:, 2:]
        np.testing.assert_allclose(
            np.linalg.det(internal) * np.linalg.det(J[:, driven]),
            np.linalg.det(M[np.ix_(free, free)]) * np.linalg.det(expected),
            rtol=1e-9,
        )


def test_two_equal_bars_fold_like_a_pair_of_scissors():
    """By symmetry each turns by half of what joint 2 does, and the mass centre stays where it is."""
    bars = (
        "name: bars\ngravity: [0, 0, 0]\nbase: planar\nlinks: [{length: 1, mu: 2.0}, {length: 1, mu: 2.0}]\n"
    )
    trajectory = "space: joint\nduration: 2\npath: {q2: '0.4 + 1.2*sin(pi*t/4)**4'}\n"
    arm = flexarm.parse_arm(bars + "initial: {joints: [0.3, 0.4]}\n")
    result = flexarm.inverse(arm, flexarm.parse_trajectory(trajectory), verify=True)
    turned = result.joint_angle - result.joint_angle[0]
    np.testing.assert_allclose(turned[:, 0], -turned[:, 1] / 2, atol=1e-10)
    np.testing.assert_allclose(
        result.mass_centre, result.mass_centre[:1] + 0 * result.mass_centre, atol=1e-10
    )
    assert result.attributes["verified_error"] < VERIFIED


@pytest.mark.slow
def test_flexible_links_that_are_stiff_move_like_rigid_ones():
    stiff = flexarm.parse_arm(ARMS["planar"].replace("y: 200.0", "y: 200000.0"))
    trajectory = flexarm.parse_trajectory(PATHS["planar", "tip"])
    flexible, rigid = (flexarm.inverse(stiff, trajectory, method=method) for method in ("stable", "rigid"))
    inside = (flexible.time >= -1e-12) & (flexible.time <= 3 + 1e-12)
    np.testing.assert_allclose(flexible.torque[inside], rigid.torque, atol=1e-3 * np.abs(rigid.torque).max())
    np.testing.assert_allclose(flexible.base_position[inside], rigid.base_position, atol=1e-5)


@pytest.mark.slow
def test_a_base_that_falls():
    """Gravity: the mass centre falls freely while the joints do as they are told."""
    arm = flexarm.parse_arm(ARMS["planar"].replace("gravity: [0, 0, 0]", "gravity: [0, -9.81, 0]"))
    result = flexarm.inverse(arm, flexarm.parse_trajectory(PATHS["planar", "joint"]), verify=True)
    fallen = result.mass_centre[:, 1] - result.mass_centre[0, 1]
    np.testing.assert_allclose(fallen, -9.81 * result.time**2 / 2, atol=1e-7)
    assert result.attributes["verified_error"] < VERIFIED


@pytest.mark.slow
def test_a_base_that_moves_from_the_start():
    """initial.base_rates: joints are prescribed, so the mass centre goes on as it began."""
    text = ARMS["free"].replace("0.3], joints", "0.3], base_rates: [0.02, 0, 0.01, 0, 0, 0.05], joints")
    result = flexarm.inverse(
        flexarm.parse_arm(text), flexarm.parse_trajectory(PATHS["free", "joint"]), verify=True
    )
    np.testing.assert_allclose(result.momentum, result.momentum[:1] + 0 * result.momentum, atol=1e-9)
    np.testing.assert_allclose(result.base_angular_velocity[0], [0, 0, 0.05], atol=1e-12)
    assert result.attributes["verified_error"] < VERIFIED


@pytest.mark.slow
def test_a_base_that_turns_far():
    """Half a turn and more about an oblique axis: no coordinate of its attitude is singular on the way."""
    text = ARMS["free, rigid"].replace(
        "0.1, 0.2, 0.3]", "0.1, 0.2, 2.9], base_rates: [0, 0, 0, 0.4, 0.3, 0.5]"
    )
    result = flexarm.inverse(
        flexarm.parse_arm(text), flexarm.parse_trajectory(PATHS["free", "joint"]), verify=True
    )
    assert result.attributes["verified_error"] < VERIFIED
    np.testing.assert_allclose(np.linalg.norm(result.base_orientation, axis=1), 1, atol=1e-12)


@pytest.mark.slow
def test_the_shipped_space_arm_moves_its_joints_as_its_controllers_want():
    """Tumbling already; its momentum and angular momentum stay what they were."""
    trajectory = flexarm.load_trajectory(ROBOTS / "trajectories" / "space_arm.yaml")
    result = flexarm.inverse(flexarm.load_arm(ROBOTS / "space_arm.yaml"), trajectory, verify=True)
    assert result.attributes["verified_error"] < VERIFIED
    for values in (result.momentum, result.angular_momentum):
        np.testing.assert_allclose(values, values[:1] + 0 * values, atol=1e-7 * np.abs(values).max())
    np.testing.assert_allclose(np.degrees(result.joint_angle[-1]), [45, 30, 35], atol=1e-8)


REFUSED = {
    "singular": (
        ARMS["planar"].replace("mu: 400.0", "mu: 40.0"),
        PATHS["planar", "tip"],
        r"dynamic singularity at t = .* generalised Jacobian",
    ),
    "gravity": (
        ARMS["planar"].replace("gravity: [0, 0, 0]", "gravity: [0, -9.81, 0]"),
        PATHS["planar", "tip"].replace("1.5, 1.0", "1.5, 0.9").replace("duration: 3", "duration: 0.1"),
        r"planar floats, and X_2 is not at rest there: gravity or loads",
    ),
    "rates": (
        ARMS["planar"].replace("base: [0.1, 0.2]", "base: [0.1, 0.2], base_rates: [0.1, 0]"),
        PATHS["planar", "tip"],
        r"X_1 starts with a rate",
    ),
    "too few joints": (
        ARMS["planar"],
        "duration: 1\npath: {x: 1.5, y: 1.0, yaw: 1.0}\n",
        r"got 3 task rows .* at most 2, .* joint 1 of an arm on a planar base is not driven",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_is_refused_with_its_reason(name):
    arm, trajectory, message = REFUSED[name]
    with pytest.raises(ModelError, match=message):
        flexarm.inverse(flexarm.parse_arm(arm), flexarm.parse_trajectory(trajectory))


def test_what_needs_a_fixed_base_says_so():
    arm, trajectory = flexarm.parse_arm(ARMS["planar"]), flexarm.parse_trajectory(PATHS["planar", "tip"])
    with pytest.raises(ModelError, match="base: the operational space needs an arm on a fixed base"):
        flexarm.inverse(arm, trajectory, operational_space=True)
    with pytest.raises(ModelError, match="load capacity needs a fixed base"):
        flexarm.payload(arm, trajectory, deviation=0.01)
