"""Pseudo-inertia matrices of [BK83] against integrals over mass points."""

from __future__ import annotations

import casadi as ca
import numpy as np
import pytest
from arms import ARMS, arm, random_state
from reference.flexible_link import at, deflection, quadrature

from flexarm.formulations.dynamics.pseudo_inertia import LinkMatrices
from flexarm.formulations.kinematics.chain_state import ChainState
from flexarm.model.chain_builder import build_chain

ROUND_OFF = 1e-12
STATIONS = 24


def fields(link, tip_mass: float, hub_mass: float):
    """Masses and fields p_0, p_1.. of many points of a link: (s,), (s, m + 1, 4)."""
    stations, weights = quadrature(link, STATIONS)
    masses = [weight * at(link.mu, xi) for xi, weight in zip(stations, weights, strict=True)]
    points = []
    for xi in (*stations, 1.0, 0.0):
        r = deflection(link, xi)[0].full().T
        points.append(np.vstack([[1, xi * link.length, 0, 0], np.pad(r, ((0, 0), (1, 0)))]))
    return np.array([*masses, tip_mass, hub_mass]), np.array(points)


@pytest.mark.parametrize("name", ARMS)
def test_matrices_are_the_integrals(name):
    """Over mass points; moments of inertia join as (tr(I)/2 - I) / 2, the sections' spin as an antisymmetric part."""
    description, chain = arm(name), build_chain(arm(name))
    payload = description.payload
    of_points = not any(payload.inertia) and not any(payload.offset)
    for i, (link, joint) in enumerate(zip(description.links, description.joints, strict=True)):
        last = i == len(description.links) - 1
        dm, p = fields(link, payload.mass if last and of_points else 0.0, joint.mass)
        turning = np.diag(joint.inertia) + link.length * np.diag(link.rotary_inertia)
        if link.body is not None:
            dm, p = np.append(dm, link.body.mass), np.append(p, [[[1, *link.body.center]]], axis=0)
            xx, yy, zz, xy, xz, yz = link.body.inertia
            turning += np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
        half = np.einsum("s,sja,skb->jkab", dm, p, p) / 2
        matrices = LinkMatrices.of(chain.segments(i)[0])
        scale = np.abs(half).max()
        half[0, 0, 1:, 1:] += (np.trace(turning) / 2 * np.eye(3) - turning) / 2
        np.testing.assert_allclose(matrices.C, half[0, 0], atol=ROUND_OFF * scale)
        np.testing.assert_allclose(matrices.C_kl, half[1:, 1:], atol=ROUND_OFF * scale)
        spin = np.zeros_like(matrices.C_k)
        for xi, weight in zip(*quadrature(link, STATIONS), strict=True):
            P = weight * np.array(link.rotary_inertia)[:, None] * deflection(link, xi)[1].full()
            for (y, z), P_x in zip(((2, 3), (3, 1), (1, 2)), P, strict=True):
                spin[:, y, z] += P_x / 4
                spin[:, z, y] -= P_x / 4
        np.testing.assert_allclose(matrices.C_k, half[0, 1:] + spin, atol=ROUND_OFF * scale)
        np.testing.assert_allclose(
            matrices.C3 - matrices.spin, 2 * np.trace(half[1:, 1:], axis1=2, axis2=3), atol=ROUND_OFF * scale
        )


@pytest.mark.parametrize("name", ["planar-families", "spatial-torsion", "spatial-axial"])
def test_G_and_D_are_the_integrals_of_the_bent_link(name):
    """With p = p_0 + sum delta_k p_k: G = 1/2 int p p^T, D_k = 1/2 int p p_k^T, int p = first moment + e delta."""
    chain = build_chain(arm(name))
    theta, theta_d, _ = random_state(arm(name))
    state = ChainState.of(chain, ca.SX(theta), ca.SX(theta_d))
    for i, link in ((chain.joint_bodies[k], chain.segments(k)[0]) for k in range(len(chain.links))):
        matrices = LinkMatrices.of(link)
        p = np.concatenate([[1.0], number(state.delta[i]).ravel()])
        fields_of_p = np.zeros((link.n_modes + 1, link.n_modes + 1, 4, 4))
        fields_of_p[0, 0], fields_of_p[1:, 1:] = matrices.C, matrices.C_kl
        fields_of_p[0, 1:], fields_of_p[1:, 0] = matrices.C_k, matrices.C_k.swapaxes(-1, -2)
        G = np.einsum("j,k,jkab->ab", p, p, fields_of_p)
        scale = np.abs(G).max()
        np.testing.assert_allclose(number(matrices.G(state.delta[i])), G, atol=ROUND_OFF * scale)
        for k in range(link.n_modes):
            D = np.einsum("j,jab->ab", p, fields_of_p[:, k + 1])
            np.testing.assert_allclose(number(matrices.D(k, state.delta[i])), D, atol=ROUND_OFF * scale)
        first = matrices.first_moment + matrices.e.T @ p[1:]
        np.testing.assert_allclose(first, 2 * G[:, 0], atol=ROUND_OFF * scale)


def number(x: ca.SX) -> np.ndarray:
    return ca.DM(x).full()
