"""Recursive Gibbs-Appell formulation of Korayem & Shafei, steps 1 to 10 of [GA09], with 3x3 and 3x1 objects only.

Names are the paper's. ``X[j, k]`` stands for the paper's left-superscript j, right-subscript k; ``_p`` for a plus
sign on that index, so ``sigma_pp`` is sigma with plus signs on both. Links are counted from 0.

Differs from source: [GA09] (44) prints a minus before its last term, which is a plus as in (43); with
``link_rotation: finite`` the modal rotations theta_jf(l) carry the factor T(theta) of
:func:`~flexarm.formulations.rotations.deflection_rotation`.
"""

from __future__ import annotations

import casadi as ca

from flexarm.formulations.base import Formulation, friction, gather
from flexarm.formulations.kinematics import BodyMotion, State, motion
from flexarm.formulations.linear import mirror
from flexarm.formulations.link_inertia import LinkInertia, link_inertia
from flexarm.formulations.rotations import skew
from flexarm.model.chain import Chain

Blocks = dict[tuple[int, int], ca.SX]


class GibbsAppell(Formulation):
    """I(theta) theta_dd = Re, [GA09] eq. 94; the bias is -Re without the joint torques."""

    def bias(self, chain: Chain, theta: ca.SX, theta_d: ca.SX) -> ca.SX:
        """Return -Re by the S, T, phi, chi recursions: steps 2 to 6."""
        state = State.of(chain, theta, theta_d)
        motions = motion(chain, state)
        n = len(motions)
        links = _links(chain, state, motions)

        # Step 2: velocity-dependent accelerations al_v and a_v (eqs. 69-70); the base accelerates with -g
        a_v = [-(motions[0].R.T @ ca.SX(ca.vertcat(*chain.gravity)))]
        al_v = [ca.SX.zeros(3)]
        for i in range(1, n):
            R = motions[i].R
            al_v.append(R.T @ al_v[i - 1] + motions[i].rest_al)
            a_v.append(R.T @ (a_v[i - 1] + ca.cross(al_v[i - 1], motions[i - 1].end.d)) + motions[i].rest_a)

        # Step 3: S_i, eq. 96, and T_i, eq. 97
        S = [link.mass * a_v[i] + ca.cross(al_v[i], link.s) + link.bias_v for i, link in enumerate(links)]
        T = [ca.cross(link.s, a_v[i]) + link.J @ al_v[i] + link.bias_w for i, link in enumerate(links)]

        # Step 4: phi_j, eq. 100, and chi_j, eq. 99
        phi, chi = [ca.SX.zeros(3)] * n, [ca.SX.zeros(3)] * n
        chi_outer = [ca.SX.zeros(3)] * n  # jR_j+1 chi_j+1
        for j in reversed(range(n)):
            if j + 1 < n:
                R = motions[j + 1].R
                phi[j] = R @ (S[j + 1] + phi[j + 1])
                chi_outer[j] = R @ chi[j + 1]
            chi[j] = T[j] + ca.cross(motions[j].end.d, phi[j]) + chi_outer[j]

        # Step 5: -Q_jf with strain and damping, eq. 102
        Q = [link.bias_modes + link.C1.T @ a_v[j] + link.alpha.T @ al_v[j] for j, link in enumerate(links)]

        # Step 6: -Re_j, eq. 98, and -Re_jf, eq. 103
        Re_joint = [chi[j][2] + friction(chain.bodies[j].joint, state.q_d[j]) for j in range(n)]
        Re_modes = [
            Q[j] + motions[j].end.columns.T @ phi[j] + motions[j].end.rotation.columns.T @ chi_outer[j]
            for j in range(n)
        ]
        return gather(chain, Re_joint, Re_modes)

    def mass_matrix(self, chain: Chain, theta: ca.SX) -> ca.SX:
        """Return I(theta) by the sigma, psi, xi, gamma, U, V, lambda recursions: steps 7 to 10."""
        n_dof = chain.coordinates.n_dof
        state = State.of(chain, theta, ca.SX.zeros(n_dof))
        motions = motion(chain, state)
        links = _links(chain, state, motions)
        compound = _Compound(motions, links)
        n = len(motions)
        # Step 10: the blocks of bodies j <= k and their mirror images
        I = ca.SX.zeros(n_dof, n_dof)

        def fill(rows: list[int], columns: list[int], block: ca.SX) -> None:
            I[rows, columns], I[columns, rows] = block, block.T

        joint = [[] if rows.joint is None else [rows.joint] for rows in chain.rows]
        modes = [list(rows.modes) for rows in chain.rows]
        for j in range(n):
            for k in range(j, n):
                if joint[j] and joint[k]:
                    fill(joint[j], joint[k], compound.joint_joint(j, k))
                if joint[j] and modes[k]:
                    fill(joint[j], modes[k], compound.joint_modes(j, k))
                if joint[k] and modes[j] and k > j:
                    fill(joint[k], modes[j], compound.joint_modes(k, j))
                if modes[j] and modes[k]:
                    fill(modes[j], modes[k], compound.modes_modes(j, k))
            if joint[j]:
                I[joint[j], joint[j]] += chain.bodies[j].joint.motor_inertia
        return mirror(I)


def _links(chain: Chain, state: State, motions: list[BodyMotion]) -> list[LinkInertia]:
    return [
        link_inertia(body.link, state.delta[i], state.delta_d[i], motions[i].w)
        for i, body in enumerate(chain.bodies)
    ]


class _Compound:
    """Compound rotations and the recursive sums of the inertia matrix: steps 7 to 9 of [GA09]."""

    def __init__(self, motions: list[BodyMotion], links: list[LinkInertia]):
        self.links = links
        self.ends = [here.end for here in motions]
        n = len(links)
        # Step 7: compound rotations jR_k
        R: Blocks = {(j, j): ca.SX.eye(3) for j in range(n)}
        for j in range(n):
            for k in range(j + 1, n):
                R[j, k] = R[j, k - 1] @ motions[k].R
                R[k, j] = R[j, k].T
        # Step 8: r[j, k] from O_j to O_k in frame j, as skew-symmetric tensors
        r: Blocks = {}
        for j in range(n):
            position = ca.SX.zeros(3)
            r[j, j] = skew(position)
            for k in range(j + 1, n):
                position = position + R[j, k - 1] @ self.ends[k - 1].d
                r[j, k] = skew(position)
        self.R, self.r = R, r
        # Step 9
        zero = ca.SX.zeros(3, 3)
        B3 = [skew(link.s) for link in links]
        sigma = _nested_sum([link.J for link in links], R, symmetric=True)  # eq. 76
        xi = _nested_sum(B3, R, symmetric=False)
        psi: Blocks = {}  # eq. 77
        for j in range(n):
            psi[j, n - 1] = r[j, n - 1] @ xi[j, n - 1] if j < n - 1 else zero
            for k in reversed(range(n - 1)):
                psi[j, k] = psi[j, k + 1] @ R[k + 1, k]
                if k > j:
                    psi[j, k] += r[j, k] @ R[j, k] @ B3[k]
        outer_mass = [sum(link.mass for link in links[k + 1 :]) for k in range(n)]
        self.lam = {  # eq. 93
            (j, k): outer_mass[max(j, k)] * R[j, k] for j in range(n) for k in range(n)
        }
        gamma: Blocks = {}  # eq. 79
        for j in range(n):
            gamma[j, n - 1] = zero
            for k in reversed(range(n - 1)):
                gamma[j, k] = gamma[j, k + 1] @ R[k + 1, k]
                if k >= j:
                    gamma[j, k] += links[k + 1].mass * r[j, k + 1] @ R[j, k]
        self.sigma, self.psi, self.gamma = sigma, psi, gamma
        self.sigma_p, self.psi_p, self.xi_p = (_plus_k(X, R, n) for X in (sigma, psi, xi))  # eqs. 80, 82, 83
        inner: Blocks = {  # the addends of eqs. 78 and 88 but for their last rotation
            (j, t): (gamma[j, t] + self.xi_p[j, t]) @ skew(self.ends[t].d)
            for j in range(n)
            for t in range(n - 1)
        }
        self.U = _tail_sum(inner, R, n)  # eq. 78
        self.U_p = _plus_k(self.U, R, n)  # eq. 84
        tail = _tail_sum(
            {(j, t): self.lam[j, t] @ skew(self.ends[t].d) for j in range(n) for t in range(n - 1)}, R, n
        )
        self.V = _plus_k(tail, R, n)  # eq. 88
        # Plus signs on j as well, eqs. 86-92
        self.sigma_pp, self.psi_pp, self.xi_pp, self.U_pp = (
            _plus_j(X, R, n) for X in (self.sigma_p, self.psi_p, self.xi_p, self.U_p)
        )
        self.gamma_p = _plus_j(gamma, R, n)

    def joint_joint(self, j: int, k: int) -> ca.SX:
        """Entry of joints j <= k, from eq. 75."""
        return (self.sigma[j, k] - self.psi[j, k] - self.U[j, k])[2, 2]

    def joint_modes(self, j: int, k: int) -> ca.SX:
        """Row (1, m_k) of joint j and the modes of link k, from eq. 81."""
        link, end = self.links[k], self.ends[k]
        block = (self.sigma_p[j, k] - self.psi_p[j, k] - self.U_p[j, k]) @ end.rotation.columns + (
            self.xi_p[j, k] + self.gamma[j, k]
        ) @ end.columns
        if k >= j:
            block += self.R[j, k] @ link.alpha + self.r[j, k] @ self.R[j, k] @ link.C1
        return block[2, :]

    def modes_modes(self, j: int, k: int) -> ca.SX:
        """Block (m_j, m_k) of the modes of links j <= k, from eq. 85."""
        link, near, far = self.links[k], self.ends[j], self.ends[k]
        turned = (self.gamma_p[j, k] + self.xi_pp[j, k]) @ far.columns + (
            self.sigma_pp[j, k] - self.psi_pp[j, k] - self.U_pp[j, k]
        ) @ far.rotation.columns
        moved = self.lam[j, k] @ far.columns - (self.V[j, k] + self.xi_pp[j, k]) @ far.rotation.columns
        if k > j:
            turned += self.R[j, k] @ link.alpha
            turned += self.R[j, j + 1] @ self.r[j + 1, k] @ self.R[j + 1, k] @ link.C1
            moved += self.R[j, k] @ link.C1
        block = near.rotation.columns.T @ turned + near.columns.T @ moved
        return block + link.C3 if k == j else block


def _nested_sum(B: list[ca.SX], R: Blocks, symmetric: bool) -> Blocks:
    """Sum over i >= max(j, k) of jR_i B_i iR_k, for symmetric or skew-symmetric B_i (eqs. 76 and 80)."""
    n = len(B)
    X: Blocks = {}
    for k in reversed(range(n)):
        X[k, k] = B[k] if k == n - 1 else B[k] + X[k, k + 1] @ R[k + 1, k]
        for j in reversed(range(k)):
            X[j, k] = R[j, j + 1] @ X[j + 1, k]
            X[k, j] = X[j, k].T if symmetric else -X[j, k].T
    return X


def _tail_sum(addends: Blocks, R: Blocks, n: int) -> Blocks:
    """Sum over t = k..n-2 of addends[j, t] tR_k, with a zero column for the last link."""
    X: Blocks = {}
    for j in range(n):
        X[j, n - 1] = ca.SX.zeros(3, 3)
        for k in reversed(range(n - 1)):
            X[j, k] = addends[j, k] + X[j, k + 1] @ R[k + 1, k]
    return X


def _plus_k(X: Blocks, R: Blocks, n: int) -> Blocks:
    """Start the sum at the next link: jX_k+ = jX_k+1 k+1R_k; nothing lies beyond the last link."""
    return {
        (j, k): X[j, k + 1] @ R[k + 1, k] if k + 1 < n else ca.SX.zeros(3, 3)
        for j in range(n)
        for k in range(n)
    }


def _plus_j(X: Blocks, R: Blocks, n: int) -> Blocks:
    """Start the other sum at the next link: j+X_k = jR_j+1 j+1X_k."""
    return {
        (j, k): R[j, j + 1] @ X[j + 1, k] if j + 1 < n else ca.SX.zeros(3, 3)
        for j in range(n)
        for k in range(n)
    }
