"""Right-hand side of [BK83] without the torques of the drives: eqs. 83-90."""

from __future__ import annotations

import casadi as ca

from flexarm.formulations.kinematics.chain_state import ChainState
from flexarm.formulations.linear_algebra import constant
from flexarm.formulations.methods.lagrangian.arm_matrices import ArmMatrices, trace_of_product, weighted_sum
from flexarm.links import FlexibleLink
from flexarm.model.chain import Chain


class LagrangianRightHandSide:
    """Right-hand sides R_j and R_jf without torques: gravity, stiffness, damping, velocity-dependent forces."""

    def __init__(self, chain: Chain, arm: ArmMatrices, state: ChainState):
        self.arm, self.state = arm, state
        self.links = [body.link for body in chain.bodies]
        self.g = ca.SX(ca.vertcat(0, *chain.gravity))
        self._base_to_tip()
        self._tip_to_base()

    def _base_to_tip(self) -> None:
        """Base to tip: W_d, eqs. 9-14, and W_bias, their second rates at theta_dd = 0, eq. 64."""
        arm, zero = self.arm, ca.SX.zeros(4, 4)
        self.W_d, self.W_bias = [], []
        W_h, W_h_d, W_h_bias = ca.SX.eye(4), zero, zero  # of the base
        for j, (joint, link) in enumerate(zip(arm.joints, arm.links, strict=True)):
            q_d = self.state.q_d[j]
            self.W_d.append(W_h_d @ joint.A + W_h @ joint.U * q_d)
            self.W_bias.append(W_h_bias @ joint.A + 2 * (W_h_d @ joint.U) * q_d + W_h @ joint.U2 * q_d**2)
            if j + 1 < len(arm.joints):
                E_d = weighted_sum(self.state.delta_d[j], link.M)  # eq. 16
                W_h = arm.W_h[j]
                W_h_d = self.W_d[j] @ link.E + arm.W[j] @ E_d
                W_h_bias = self.W_bias[j] @ link.E + 2 * self.W_d[j] @ E_d + arm.W[j] @ link.E_bias

    def _tip_to_base(self) -> None:
        """Tip to base: Q_j, eqs. 87 and 88, and P_j, eqs. 89 and 90."""
        arm, n = self.arm, len(self.links)
        self.Q, self.P = [ca.SX.zeros(4, 4)] * n, [ca.SX.zeros(4)] * n
        for j in reversed(range(n)):
            moving = weighted_sum(self.state.delta_d[j], arm.D[j])
            self.Q[j] = arm.G[j] @ self.W_bias[j].T + 2 * moving @ self.W_d[j].T
            self.P[j] = arm.mass[j].P(self.state.delta[j])
            if j + 1 < n:
                self.Q[j] += arm.EA[j] @ self.Q[j + 1]
                self.P[j] += arm.EA[j] @ self.P[j + 1]

    def joint(self, j: int) -> ca.SX:
        """R_j without F_j, a scalar [N m], eqs. 83 and 84."""
        WU = self.arm.WU[j]
        return ca.dot(self.g, WU @ self.P[j]) - 2 * trace_of_product(WU, self.Q[j].T)

    def modes(self, j: int) -> ca.SX:
        """R_jf of all modes of link j with their damping, (m_j,) [N], eqs. 85 and 86."""
        arm, link, mass = self.arm, self.links[j], self.arm.mass[j]
        if not link.n_modes:
            return ca.SX.zeros(0)
        delta, delta_d = self.state.delta[j], self.state.delta_d[j]
        R = constant(mass.e) @ (arm.W[j].T @ self.g)
        if isinstance(link, FlexibleLink):
            R -= constant(link.integrals.K) @ delta + constant(link.damping) @ delta_d
        for f in range(link.n_modes):
            C_kf = [constant(C) for C in mass.C_kl[:, f]]
            own = self.W_bias[j] @ arm.D[j][f] + 2 * self.W_d[j] @ weighted_sum(delta_d, C_kf)
            R[f] -= 2 * trace_of_product(own, arm.W[j])
            if j + 1 < len(arm.W):
                outboard = arm.WM[j][f] @ arm.A[j + 1]
                R[f] += ca.dot(self.g, outboard @ self.P[j + 1]) - 2 * trace_of_product(
                    outboard, self.Q[j + 1].T
                )
        return R
