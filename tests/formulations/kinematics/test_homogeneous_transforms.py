"""Derivatives of the 4x4 transformations of joints and links against those taken by CasADi."""

from __future__ import annotations

import casadi as ca
import numpy as np
import pytest
from arms import arm

from flexarm.formulations.kinematics.homogeneous_transforms import JointTransformation, LinkTransformation
from flexarm.model.chain_builder import build_chain


@pytest.mark.parametrize("kind", ["finite", "small"])
@pytest.mark.parametrize("name", ["planar-families", "spatial-torsion", "spatial-axial"])
def test_derivatives_of_the_transformations(name, kind):
    """U, U2, M_k and the second rate of E against derivatives taken by CasADi."""
    chain = build_chain(arm(name, kind))
    q = ca.SX.sym("q")
    rng = np.random.default_rng(2)
    for body in chain.bodies:
        joint = JointTransformation.of(body.joint, q)
        U = ca.jacobian(ca.vec(joint.A), q)
        pairs = [(ca.vec(joint.U), U), (ca.vec(joint.U2), ca.jacobian(U, q))]
        for actual, expected in evaluate([q], [0.7], pairs):
            np.testing.assert_allclose(actual, expected, atol=1e-14)

        m = body.link.n_modes
        delta, delta_d = ca.SX.sym("delta", m), ca.SX.sym("delta_d", m)
        end = LinkTransformation.of(body.link, delta, delta_d, kind)
        by_delta = ca.jacobian(ca.vec(end.E), delta)
        E_d = by_delta @ delta_d
        pairs = [(ca.vec(M), by_delta[:, k]) for k, M in enumerate(end.M)]
        pairs.append((ca.vec(end.E_bias), ca.jtimes(E_d, delta, delta_d)))
        at_state = [rng.normal(size=m) * 0.1, rng.normal(size=m)]
        for actual, expected in evaluate([delta, delta_d], at_state, pairs):
            np.testing.assert_allclose(actual, expected, atol=1e-13 * (1 + np.abs(expected).max()))


def evaluate(symbols, values, pairs):
    outputs = [ca.densify(part) for pair in pairs for part in pair]
    numbers = [part.full() for part in ca.Function("f", symbols, outputs).call(values)]
    return zip(numbers[::2], numbers[1::2], strict=True)
