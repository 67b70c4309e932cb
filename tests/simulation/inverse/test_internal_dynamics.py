"""Internal dynamics: the task is fulfilled, and directional derivatives give the exact Jacobians."""

from functools import cache

import casadi as ca
import numpy as np
import pytest
from paths import ROBOTS

import flexarm
from flexarm.simulation.inverse.problem import inverse_problem

ROUND_OFF = 1e-9
REDUNDANT = (
    "name: three\nlinks:\n  - {length: 0.6, mu: 1.0, EI: 80.0, modes: {family: clamped-free, count: 1}}\n"
    + 2 * "  - {length: 0.5, mu: 1.0}\n"
)
CASES = {
    "clamped": ("korayem_1994_clamped", "korayem_1994"),
    "pinned": ("korayem_1994_simply_supported", "korayem_1994"),
    "with gravity": ("payload_two_link", "payload_two_link"),
    "spatial": ("spatial_six_joint", "circle"),
}
NAMES = [
    pytest.param(name, marks=pytest.mark.slow if name == "spatial" else ()) for name in (*CASES, "redundant")
]


@cache
def named_problem(name):
    if name == "redundant":
        trajectory = "duration: 1\nline: {from: [1.2, 0.4], to: [0.6, 1.1]}\nnear: [-0.5, 1.0, 0.8]\n"
        return inverse_problem(flexarm.parse_arm(REDUNDANT), flexarm.parse_trajectory(trajectory))
    arm, trajectory = CASES[name]
    return inverse_problem(
        flexarm.load_arm(ROBOTS / f"{arm}.yaml"),
        flexarm.load_trajectory(ROBOTS / "trajectories" / f"{trajectory}.yaml"),
    )


def states_along(problem, count=5, speed=0.1):
    """States near the trajectory with deflections of up to 1 cm, and rates of generic sizes.

    With four times as much one state of the spatial arm, whose tubes take 700 N for that, is nearly singular.
    """
    rng, dynamics = np.random.default_rng(14), problem.dynamics
    times = np.sort(rng.uniform(0, problem.reference.duration, count))
    desired = problem.reference(times)
    thetas = problem.kinematics.follow(times, desired.p, problem.start, "test")
    modes = list(problem.chain.coordinates.all_modes)
    thetas[:, modes] = rng.uniform(-0.005, 0.005, (count, len(modes)))
    return times, dynamics.state(thetas, rng.uniform(-speed, speed, (count, len(modes)))), desired


@pytest.mark.parametrize("name", NAMES)
def test_derivatives_by_lanes_are_those_of_automatic_differentiation(name):
    """Of a number of states that is no multiple of the lanes."""
    problem = named_problem(name)
    times, states, desired = states_along(problem)
    dynamics, n_q = problem.dynamics, len(problem.kinematics.joints)
    rates = np.random.default_rng(5).normal(size=(len(times), n_q + dynamics.a.numel()))
    expression = ca.vertcat(dynamics.theta_d[dynamics.joint_rows], dynamics.balance)
    variables = ca.vertcat(dynamics.y, dynamics.a)
    exact = ca.Function(
        "exact",
        [dynamics.t, dynamics.y, dynamics.w, dynamics.a],
        [expression, ca.jacobian(expression, variables)],
    )
    found = dynamics.linearised(times, states, desired, rates)
    for k, t in enumerate(times):
        w = np.concatenate([values[k] for values in desired])
        value, jacobian = (x.full() for x in exact(t, states[k], w, rates[k, n_q:]))
        value[:n_q, 0] -= rates[k, :n_q]
        expected = np.concatenate([np.zeros((len(value), n_q)), jacobian[:, dynamics.n_y :]], axis=1)
        expected[range(n_q), range(n_q)] = -1.0
        scale = ROUND_OFF * np.abs(jacobian).max()
        np.testing.assert_allclose(
            found.residual[k], value[:, 0], atol=ROUND_OFF * max(1, np.abs(value).max())
        )
        np.testing.assert_allclose(found.by_state[k], jacobian[:, : dynamics.n_y], atol=scale)
        np.testing.assert_allclose(found.by_rate[k], expected, atol=scale)


@pytest.mark.parametrize("name", NAMES)
def test_rates_and_accelerations_fulfil_the_task(name):
    """[SY94] eqs. 9 and 10: J theta_d = p_d and J theta_dd + J_d theta_d = p_dd; eq. 2: no modal forces."""
    problem = named_problem(name)
    times, states, desired = states_along(problem)
    theta, theta_d, theta_dd = problem.dynamics.full_motion(times, states, desired)
    space = flexarm.operational_space(problem.arm, problem.trajectory)
    layout = problem.chain.coordinates
    joints, modes = list(layout.moving_joints), list(layout.all_modes)
    J_r, J_f = space.jacobians(theta)
    J_r_d, J_f_d = space.jacobian_rates(theta, theta_d)

    def product(A, B, vectors):
        on_joints = np.einsum("krj,kj->kr", A, vectors[:, joints])
        return on_joints + np.einsum("krm,km->kr", B, vectors[:, modes])

    np.testing.assert_allclose(product(J_r, J_f, theta_d), desired.p_d, atol=ROUND_OFF)
    p_dd = product(J_r, J_f, theta_dd) + product(J_r_d, J_f_d, theta_d)
    np.testing.assert_allclose(p_dd, desired.p_dd, atol=1e-7 * max(1.0, np.abs(theta_dd).max()))
    equations = flexarm.motion_equations(problem.arm)
    forces = np.array(
        [equations.inverse_dynamics(*vectors) for vectors in zip(theta, theta_d, theta_dd, strict=True)]
    )
    np.testing.assert_allclose(forces[:, modes], 0, atol=1e-8 * np.abs(forces).max())
