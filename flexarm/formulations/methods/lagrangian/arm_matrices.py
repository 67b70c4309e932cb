"""Transformations from base to tip and mass matrices of all bodies at one posture."""

from __future__ import annotations

import casadi as ca

from flexarm.formulations.capabilities import require
from flexarm.formulations.dynamics.pseudo_inertia import LinkMatrices
from flexarm.formulations.kinematics.chain_state import ChainState
from flexarm.formulations.kinematics.homogeneous_transforms import JointTransformation, LinkTransformation
from flexarm.model.chain import Chain


class ArmMatrices:
    """Transformations of joints and links, and pseudo-inertia of the bodies, at one posture; (4, 4) each."""

    def __init__(self, chain: Chain, state: ChainState):
        require("lagrangian", chain)
        links = [body.link for body in chain.bodies]
        self.joints = [
            JointTransformation.of(body.joint, q) for body, q in zip(chain.bodies, state.q, strict=True)
        ]
        self.links = [
            LinkTransformation.of(link, delta, delta_d, chain.link_rotation)
            for link, delta, delta_d in zip(links, state.delta, state.delta_d, strict=True)
        ]
        self.mass = [LinkMatrices.of(link) for link in links]
        self.G = [mass.G(delta) for mass, delta in zip(self.mass, state.delta, strict=True)]
        self.D = [
            [mass.D(k, delta) for k in range(link.n_modes)]
            for mass, link, delta in zip(self.mass, links, state.delta, strict=True)
        ]
        self.A = [joint.A for joint in self.joints]
        self.E = [link.E for link in self.links]
        self.EA = [E @ A for E, A in zip(self.E, self.A[1:], strict=False)]  # E_j A_j+1
        # W_j = W^_j-1 A_j and W^_j = W_j E_j, eq. 3
        self.W, self.W_h = [self.A[0]], []
        for E, A in zip(self.E, self.A[1:], strict=False):
            self.W_h.append(self.W[-1] @ E)
            self.W.append(self.W_h[-1] @ A)
        # dW_j/dq_j = W^_j-1 U_j and the derivative of W^_j by delta_jk, W_j M_jk
        self.WU = [
            self.joints[0].U,
            *(W_h @ joint.U for W_h, joint in zip(self.W_h, self.joints[1:], strict=True)),
        ]
        self.WM = [[W @ M for M in link.M] for W, link in zip(self.W, self.links, strict=True)]


def trace_of_product(X: ca.SX, Y: ca.SX) -> ca.SX:
    """Trace Tr{X Y^T} of two matrices (4, 4)."""
    return ca.dot(ca.densify(X), ca.densify(Y))


def weighted_sum(weights: ca.SX, matrices: list[ca.SX]) -> ca.SX:
    """Sum of matrices (4, 4) times weights (m,)."""
    return sum((weights[k] * matrix for k, matrix in enumerate(matrices)), ca.SX.zeros(4, 4))
