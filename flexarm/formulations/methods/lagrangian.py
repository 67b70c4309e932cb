"""Recursive Lagrangian formulation of Book, [BK83], with 4x4 transformations and traces.

Names are the paper's: ``W[j]`` takes frame j to the base, ``W_h[j]`` (W with a hat) frame j^ at the end of link j;
``F_t[j, h]`` (F with a tilde), ``F(j, h)`` and ``Phi(j, h)`` carry j as left superscript and h as right subscript.
Bodies are counted from 0.

Differs from source: hubs, payloads, rotary inertia and torsion as in
:class:`~flexarm.formulations.methods.homogeneous.LinkMatrices`; joint friction, rotor inertia and modal damping are
added; with ``link_rotation: finite`` M_jk depends on delta, and the second derivatives of E_j join eq. 64.
Misprints are listed in docs/papers.md.
"""

from __future__ import annotations

import casadi as ca

from flexarm.formulations.assembly import assemble
from flexarm.formulations.capabilities import require
from flexarm.formulations.dynamics.friction import friction
from flexarm.formulations.formulation import Formulation
from flexarm.formulations.kinematics.chain_motion import State, constant
from flexarm.formulations.linear_algebra import symmetric_from_upper
from flexarm.formulations.methods.homogeneous import JointTransformation, LinkMatrices, LinkTransformation
from flexarm.links import FlexibleLink
from flexarm.model.chain import Chain


class Lagrangian(Formulation):
    """J z_dd = R, [BK83] eq. 82; the bias is -R without the joint torques."""

    def mass_matrix(self, chain: Chain, theta: ca.SX) -> ca.SX:
        """Return J by the F recursions: [BK83] eqs. 66-81."""
        arm = _Arm(chain, State.of(chain, theta, ca.SX.zeros(chain.coordinates.n_dof)))
        compound = _Compound(arm)
        J = ca.SX.zeros(chain.coordinates.n_dof, chain.coordinates.n_dof)

        def fill(row: int, column: int, coefficient: ca.SX) -> None:
            J[row, column] = J[column, row] = coefficient

        for j, rows in enumerate(chain.rows):
            for h, columns in enumerate(chain.rows):
                if rows.joint is not None:
                    if columns.joint is not None and h >= j:
                        fill(rows.joint, columns.joint, compound.joint_joint(j, h))
                    for column, coefficient in zip(columns.modes, compound.joint_modes(j, h), strict=True):
                        fill(rows.joint, column, coefficient)
                if h >= j:
                    block = compound.modes_modes(j, h)
                    for f, row in enumerate(rows.modes):
                        for k, column in enumerate(columns.modes):
                            if h > j or k >= f:
                                fill(row, column, block[f, k])
            if rows.joint is not None:
                J[rows.joint, rows.joint] += chain.bodies[j].joint.motor_inertia
        return symmetric_from_upper(J)

    def bias(self, chain: Chain, theta: ca.SX, theta_d: ca.SX) -> ca.SX:
        """Return -R without F_j: [BK83] eqs. 83-90."""
        state = State.of(chain, theta, theta_d)
        rest = _Rest(chain, _Arm(chain, state), state)
        bodies = range(len(chain.bodies))
        joints = [friction(chain.bodies[j].joint, state.q_d[j]) - rest.joint(j) for j in bodies]
        return assemble(chain, joints, [-rest.modes(j) for j in bodies])


class _Arm:
    """Transformations from base to tip and the mass matrices of the bodies at one posture."""

    def __init__(self, chain: Chain, state: State):
        require("lagrangian", chain)
        links = [body.link for body in chain.bodies if isinstance(body.link, FlexibleLink)]
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


class _Compound:
    """The F recursions and the inertia coefficients made of them."""

    def __init__(self, arm: _Arm):
        self.arm = arm
        self.n = n = len(arm.W)
        # jW_h, which takes frame h to frame j
        self.relative: dict[tuple[int, int], ca.SX] = {}
        # Eqs. 77-79: from tip to base, and from the diagonal up
        F_t: dict[tuple[int, int], ca.SX] = {}
        for h in reversed(range(n)):
            self.relative[h, h] = ca.SX.eye(4)
            F_t[h, h] = arm.G[h] if h == n - 1 else arm.G[h] + F_t[h, h + 1] @ arm.EA[h].T
            for j in reversed(range(h)):
                F_t[j, h] = arm.EA[j] @ F_t[j + 1, h]
                F_t[h, j] = F_t[j, h].T
                self.relative[j, h] = arm.EA[j] @ self.relative[j + 1, h]
        self.F_t = F_t

    def F(self, j: int, h: int) -> ca.SX:
        """Return jF_h, eq. 80."""
        return self.F_t[j, h + 1] @ self.arm.A[h + 1].T

    def Phi(self, j: int, h: int) -> ca.SX:
        """Return jPhi_h, eq. 81."""
        return self.arm.A[j + 1] @ self.F(j + 1, h)

    def joint_joint(self, j: int, h: int) -> ca.SX:
        """Coefficient of q_h in the equation of joint j, eq. 66."""
        return 2 * _trace(self.arm.WU[j] @ self.F_t[j, h], self.arm.WU[h])

    def joint_modes(self, j: int, h: int) -> list[ca.SX]:
        """Coefficients of all delta_hk in the equation of joint j, eqs. 68-70."""
        arm = self.arm
        coefficients = []
        carried = arm.WU[j] @ self.F(j, h) if arm.D[h] and h < self.n - 1 else None
        own = arm.WU[j] @ self.relative[j, h] if arm.D[h] and h >= j else None
        for D, WM in zip(arm.D[h], arm.WM[h], strict=True):
            coefficient = ca.SX(0)
            if carried is not None:
                coefficient += 2 * _trace(carried, WM)
            if own is not None:
                coefficient += 2 * _trace(own @ D, arm.W[h])
            coefficients.append(coefficient)
        return coefficients

    def modes_modes(self, j: int, h: int) -> ca.SX:
        """Coefficients of all delta_hk, h >= j, in the equations of all modes of link j, eqs. 72-75."""
        arm = self.arm
        block = ca.SX.zeros(len(arm.D[j]), len(arm.D[h]))
        if not block.numel():
            return block
        if h == j:  # R_j^T R_j = I has gone into eqs. 72-73
            block += constant(arm.mass[j].C3)
            if j < self.n - 1:
                Phi = self.Phi(j, j)
                for f, M_f in enumerate(arm.links[j].M):
                    for k, M_k in enumerate(arm.links[j].M[f:], start=f):
                        block[f, k] += 2 * _trace(M_f @ Phi, M_k)
            return block
        own = arm.A[j + 1] @ self.relative[j + 1, h]
        Phi = self.Phi(j, h) if h < self.n - 1 else None
        for k, (D, WM) in enumerate(zip(arm.D[h], arm.WM[h], strict=True)):
            inner = own @ D @ arm.W[h].T
            if Phi is not None:
                inner += Phi @ WM.T
            for f, WM_f in enumerate(arm.WM[j]):
                block[f, k] = 2 * _trace(WM_f, inner.T)
        return block


class _Rest:
    """R_j and R_jf: what remains of the equations without second rates of the coordinates and without torques."""

    def __init__(self, chain: Chain, arm: _Arm, state: State):
        self.arm, self.state = arm, state
        self.links = [body.link for body in chain.bodies if isinstance(body.link, FlexibleLink)]
        self.g = ca.SX(ca.vertcat(0, *chain.gravity))
        self._go_out()
        self._come_back()

    def _go_out(self) -> None:
        """Base to tip: W_d, eqs. 9-14, and W_v_dd, what W_dd has without second rates of the coordinates, eq. 64."""
        arm, zero = self.arm, ca.SX.zeros(4, 4)
        self.W_d, self.W_v_dd = [], []
        W_h, W_h_d, W_h_v_dd = ca.SX.eye(4), zero, zero  # of the base
        for j, (joint, link) in enumerate(zip(arm.joints, arm.links, strict=True)):
            q_d = self.state.q_d[j]
            self.W_d.append(W_h_d @ joint.A + W_h @ joint.U * q_d)
            self.W_v_dd.append(W_h_v_dd @ joint.A + 2 * (W_h_d @ joint.U) * q_d + W_h @ joint.U2 * q_d**2)
            if j + 1 < len(arm.joints):
                E_d = _weighted(self.state.delta_d[j], link.M)  # eq. 16
                W_h = arm.W_h[j]
                W_h_d = self.W_d[j] @ link.E + arm.W[j] @ E_d
                W_h_v_dd = self.W_v_dd[j] @ link.E + 2 * self.W_d[j] @ E_d + arm.W[j] @ link.E_v_dd

    def _come_back(self) -> None:
        """Tip to base: Q_j, eqs. 87 and 88, and P_j, eqs. 89 and 90."""
        arm, n = self.arm, len(self.links)
        self.Q, self.P = [ca.SX.zeros(4, 4)] * n, [ca.SX.zeros(4)] * n
        for j in reversed(range(n)):
            moving = _weighted(self.state.delta_d[j], arm.D[j])
            self.Q[j] = arm.G[j] @ self.W_v_dd[j].T + 2 * moving @ self.W_d[j].T
            self.P[j] = constant(arm.mass[j].first_moment) + constant(arm.mass[j].e.T) @ self.state.delta[j]
            if j + 1 < n:
                self.Q[j] += arm.EA[j] @ self.Q[j + 1]
                self.P[j] += arm.EA[j] @ self.P[j + 1]

    def joint(self, j: int) -> ca.SX:
        """R_j without F_j, eqs. 83 and 84."""
        WU = self.arm.WU[j]
        return ca.dot(self.g, WU @ self.P[j]) - 2 * _trace(WU, self.Q[j].T)

    def modes(self, j: int) -> ca.SX:
        """R_jf of all modes of link j with their damping, (m_j,), eqs. 85 and 86."""
        arm, link, mass = self.arm, self.links[j], self.arm.mass[j]
        if not link.n_modes:
            return ca.SX.zeros(0)
        delta, delta_d = self.state.delta[j], self.state.delta_d[j]
        R = constant(mass.e) @ (arm.W[j].T @ self.g)
        R -= constant(link.integrals.K) @ delta + constant(link.damping) @ delta_d
        for f in range(link.n_modes):
            C_kf = [constant(C) for C in mass.C_kl[:, f]]
            own = self.W_v_dd[j] @ arm.D[j][f] + 2 * self.W_d[j] @ _weighted(delta_d, C_kf)
            R[f] -= 2 * _trace(own, arm.W[j])
            if j + 1 < len(arm.W):
                beyond = arm.WM[j][f] @ arm.A[j + 1]
                R[f] += ca.dot(self.g, beyond @ self.P[j + 1]) - 2 * _trace(beyond, self.Q[j + 1].T)
        return R


def _trace(X: ca.SX, Y: ca.SX) -> ca.SX:
    """Tr{X Y^T}."""
    return ca.dot(ca.densify(X), ca.densify(Y))


def _weighted(weights: ca.SX, matrices: list[ca.SX]) -> ca.SX:
    """Sum of 4x4 matrices times weights."""
    return sum((weights[k] * matrix for k, matrix in enumerate(matrices)), ca.SX.zeros(4, 4))
