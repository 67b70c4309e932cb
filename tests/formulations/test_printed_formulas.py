"""Formulas of the papers as printed, and as they must read, against derivatives of positions, velocities and energies.

Each test fails for the printed form and passes for the other one; docs/papers.md lists them.
"""

from __future__ import annotations

import casadi as ca
import numpy as np
import pytest
from arms import arm, random_state
from reference.lagrangian import oracle

from flexarm.formulations.kinematics.chain_motion import chain_motion, linear_velocities
from flexarm.formulations.kinematics.chain_state import ChainState
from flexarm.formulations.kinematics.link_motion import axis_position, modal_rotation
from flexarm.formulations.methods.gibbs_appell.compound_motion import compound_motion
from flexarm.formulations.methods.lagrangian.arm_matrices import ArmMatrices, weighted_sum
from flexarm.formulations.methods.lagrangian.right_hand_side import LagrangianRightHandSide
from flexarm.model.chain_builder import build_chain

ROUND_OFF = 1e-12
SPATIAL = "spatial-two-link"


def numbers(values, symbols, at) -> list[np.ndarray]:
    return [value.full() for value in ca.Function("f", symbols, [ca.densify(v) for v in values]).call(at)]


def closeness(actual, expected) -> float:
    return np.abs(np.asarray(actual) - expected).max() / np.abs(expected).max()


def symbolic_state(chain):
    n = chain.coordinates.n_dof
    theta, theta_d = ca.SX.sym("theta", n), ca.SX.sym("theta_d", n)
    return theta, theta_d, ChainState.of(chain, theta, theta_d)


def velocity_dependent_accelerations(chain, state, spin_of_the_end: bool, turning_of_the_frame: bool):
    """Angular and linear accelerations at theta_dd = 0 of all frames, [GA09] eqs. 65 and 59 from link to link.

    Without ``spin_of_the_end`` (omega x theta_d) the first is eq. 70 and step 2; without ``turning_of_the_frame``
    (omega_v_d x r) the second is eq. 69.
    """
    motions = compound_motion(chain, state, chain_motion(chain, state))
    al, a = [ca.SX.zeros(3)], [ca.SX.zeros(3)]
    for i in range(1, len(chain.bodies)):
        parent, R = motions[i - 1], motions[i].R
        w, end = parent.w, parent.end
        d_d, th_d = end.jacobian @ state.delta_d[i - 1], end.rotation.jacobian @ state.delta_d[i - 1]
        spin = ca.vertcat(0, 0, state.q_d[i])
        own = al[-1] + (ca.cross(w, th_d) if spin_of_the_end else 0) + end.rotation.bias
        linear = a[-1] + 2 * ca.cross(w, d_d) + ca.cross(w, ca.cross(w, end.d)) + end.bias
        if turning_of_the_frame:
            linear += ca.cross(al[-1], end.d)
        al.append(R.T @ own + ca.cross(R.T @ (w + th_d), spin))
        a.append(R.T @ linear)
    return al, a


def test_ga09_eqs_69_and_70_lack_two_terms_in_space():
    """Accelerations are derivatives of the velocities, eq. 63: in frame i, w_d = dw/dt and a = dv/dt + w x v."""
    chain = build_chain(arm("spatial-torsion"))
    theta, theta_d, state = symbolic_state(chain)
    motions = chain_motion(chain, state)
    w = [motion.w for motion in motions]
    v = linear_velocities(state, motions)
    al_true = [ca.jtimes(x, theta, theta_d) for x in w]
    a_true = [ca.jtimes(x, theta, theta_d) + ca.cross(turn, x) for x, turn in zip(v, w, strict=True)]
    forms = [
        velocity_dependent_accelerations(chain, state, *terms)
        for terms in ((True, True), (False, True), (True, False))
    ]
    at = random_state(arm("spatial-torsion"))[:2]
    (al, a), (al_printed, _), (_, a_printed) = (
        [numbers(ca.horzcat(*part).elements(), [theta, theta_d], at) for part in form] for form in forms
    )
    al_true, a_true = (
        numbers(ca.horzcat(*part).elements(), [theta, theta_d], at) for part in (al_true, a_true)
    )
    assert closeness(al, al_true) < ROUND_OFF
    assert closeness(a, a_true) < ROUND_OFF
    assert closeness(al_printed, al_true) > 1e-3
    assert closeness(a_printed, a_true) > 1e-3


def test_ga09_eq_70_is_complete_in_the_plane():
    """There omega and theta_d are parallel, which is why the paper's example does not show it."""
    chain = build_chain(arm("planar-two-link"))
    theta, theta_d, state = symbolic_state(chain)
    with_it, without = (
        velocity_dependent_accelerations(chain, state, present, True)[0] for present in (True, False)
    )
    difference = ca.norm_inf(ca.vertcat(*with_it) - ca.vertcat(*without))
    (value,) = numbers([difference], [theta, theta_d], random_state(arm("planar-two-link"))[:2])
    assert value == 0


def test_ga09_eqs_46_and_47_lack_the_amplitudes():
    """The section turns by the slope of the bent link, sum delta_j dy_j/deta; printed without delta_j."""
    chain = build_chain(arm(SPATIAL))
    link, delta = chain.segments(0)[0], np.linspace(0.01, 0.02, chain.segments(0)[0].n_modes)
    xi, h = 0.6, 1e-4
    before, after = (
        np.array(axis_position(link, ca.SX(delta), x).elements(), float) for x in (xi - h, xi + h)
    )
    slope = (after - before) / (2 * h * link.length)
    expected = np.array([-slope[2], slope[1]])
    right = np.array(modal_rotation(link, ca.SX(delta), xi).elements(), float)[1:]
    printed = link.rotation(xi).sum(axis=0)[1:]
    np.testing.assert_allclose(right, expected, atol=1e-7)
    assert np.abs(printed - expected).max() > 0.1


def test_fl17_eqs_32_to_34_differentiate_by_coordinates():
    """The strain energy does not depend on accelerations; by delta its derivative is K delta, as eq. 33 says."""
    chain = build_chain(arm(SPATIAL))
    link = chain.segments(0)[0]
    delta, delta_dd = ca.SX.sym("delta", link.n_modes), ca.SX.sym("delta_dd", link.n_modes)
    K = ca.DM(link.integrals.K)
    strain_energy = ca.dot(delta, K @ delta) / 2
    by_delta, by_delta_dd = (ca.gradient(strain_energy, x) for x in (delta, delta_dd))
    at = np.linspace(0.01, 0.02, link.n_modes)
    right, printed = numbers([by_delta, by_delta_dd], [delta, delta_dd], [at, at])
    np.testing.assert_allclose(right.ravel(), link.integrals.K @ at, rtol=1e-14)
    assert not np.any(printed)
    assert np.abs(link.integrals.K @ at).max() > 0


def test_sy94_A11_ends_at_the_link_and_starts_at_its_frame():
    """Second rate of W^_j = W_j E_j at theta_dd = 0, from that of W_j; printed with the same W~ on both sides."""
    chain = build_chain(arm(SPATIAL))
    theta, theta_d, state = symbolic_state(chain)
    matrices = ArmMatrices(chain, state)
    right = LagrangianRightHandSide(chain, matrices, state)
    W_h, link = matrices.W_h[0], matrices.links[0]
    rate = ca.jtimes(ca.vec(W_h), theta, theta_d)
    W_h_bias_true = ca.reshape(ca.jtimes(rate, theta, theta_d), 4, 4)
    E_d = weighted_sum(state.delta_d[0], link.M)
    own = matrices.W[0] @ link.E_bias
    mended = right.W_bias[0] @ link.E + 2 * right.W_d[0] @ E_d + own
    printed = W_h_bias_true @ link.E + 2 * right.W_d[0] @ E_d + own
    at = random_state(arm(SPATIAL))[:2]
    true, mended, printed = numbers([W_h_bias_true, mended, printed], [theta, theta_d], at)
    assert closeness(mended, true) < ROUND_OFF
    assert closeness(printed, true) > 1e-3


def test_sy94_A12_sums_over_the_other_index():
    """G_j = 1/2 int p p^T has the derivative D_jk + D_jk^T by q_jk: D_jk = C_jk + sum over l of q_jl C_jlk."""
    chain = build_chain(arm(SPATIAL))
    theta, theta_d, state = symbolic_state(chain)
    matrices = ArmMatrices(chain, state)
    delta, mass = state.delta[0], matrices.mass[0]
    k = 0
    derivative = ca.reshape(ca.jacobian(ca.vec(matrices.G[0]), delta)[:, k], 4, 4)
    D = matrices.D[0][k]
    own_sum = ca.SX(mass.C_k[k]) + sum(delta[i] * ca.SX(mass.C_kl[i, i]) for i in range(len(mass.C_k)))
    at = random_state(arm(SPATIAL))[:2]
    true, mended, printed = numbers([derivative, D + D.T, own_sum + own_sum.T], [theta, theta_d], at)
    assert closeness(mended, true) < ROUND_OFF
    assert np.abs(printed - true).max() > 1e-6 * np.abs(true).max()


def test_sy94_A14_to_A16_lack_the_mass_per_length():
    """Twice the first entry of C_j is the mass of the link, mu l; the integral as printed has the length there."""
    chain = build_chain(arm(SPATIAL))
    link = chain.segments(0)[0]
    C = ArmMatrices(chain, ChainState.of(chain, *map(ca.SX, random_state(arm(SPATIAL))[:2]))).mass[0].C
    assert 2 * C[0, 0] == pytest.approx(link.integrals.mass, rel=1e-14)
    assert 2 * C[0, 0] != pytest.approx(link.length, rel=1e-3)


@pytest.mark.parametrize("slip", [None, "A7", "A9"])
def test_sy94_A7_and_A9_printed_miss_the_forces(slip):
    """A7 has the first rate of W in the place of the second; A9's left side, P_n, leaves P_j of the others 0."""
    description = arm(SPATIAL)
    chain = build_chain(description)
    theta, theta_d, _ = random_state(description)
    state = ChainState.of(chain, ca.SX(theta), ca.SX(theta_d))
    matrices = ArmMatrices(chain, state)
    right = LagrangianRightHandSide(chain, matrices, state)
    for j in reversed(range(len(chain.bodies) - 1)):
        if slip == "A7":
            moving = weighted_sum(state.delta_d[j], matrices.D[j])
            own = matrices.G[j] @ right.W_d[j].T + 2 * moving @ right.W_d[j].T
            right.Q[j] = own + matrices.EA[j] @ right.Q[j + 1]
        if slip == "A9":
            right.P[j] = ca.SX.zeros(4)
    found = -float(ca.DM(right.joint(0)))
    expected = oracle(description).bias(theta, theta_d)[chain.rows[0].joint]
    friction = description.joints[0].friction
    expected -= friction.viscous * theta_d[chain.rows[0].joint] if friction else 0.0
    error = abs(found - expected) / abs(expected)
    assert error < ROUND_OFF if slip is None else error > 1e-3


def test_na04_spline_passes_its_points():
    """The formula after eq. 11, last bracket included, at both ends of an interval and in its second derivative."""
    tau, start, end = ca.SX.sym("tau"), 0.3, 1.1
    X, X_dd, t = (0.4, -0.7), (1.3, 2.1), end - start
    x = (
        (end - tau) ** 3 / (6 * t) * X_dd[0]
        + (tau - start) ** 3 / (6 * t) * X_dd[1]
        + (X[1] / t - t / 6 * X_dd[1]) * (tau - start)
        + (X[0] / t - t / 6 * X_dd[0]) * (end - tau)
    )
    x_dd = ca.hessian(x, tau)[0]
    for at, position, acceleration in zip((start, end), X, X_dd, strict=True):
        found = np.ravel(numbers([x, x_dd], [tau], [at]))
        np.testing.assert_allclose(found, [position, acceleration], rtol=1e-13)
