"""Recursive Gibbs-Appell formulation of Korayem & Shafei, steps 1 to 10 of [GA09], with 3x3 and 3x1 objects only.

Names are the paper's. ``X[j, k]`` stands for the paper's left-superscript j, right-subscript k; ``_p`` for a plus
sign on that index, so ``sigma_pp`` is sigma with plus signs on both. Links are counted from 0.

Differs from source: [GA09] (44) prints a minus before its last term, which is a plus as in (43); with
``link_rotation: finite`` the modal rotations theta_jf(l) carry the factor T(theta) of
:func:`~flexarm.formulations.kinematics.rotations.deflection_rotation`.
"""

from __future__ import annotations

import casadi as ca

from flexarm.formulations.assembly import assemble
from flexarm.formulations.dynamics.friction import friction
from flexarm.formulations.dynamics.link_inertia import LinkInertia, link_inertia
from flexarm.formulations.formulation import Formulation
from flexarm.formulations.kinematics.chain_motion import BodyMotion, State, motion
from flexarm.formulations.kinematics.rotations import skew
from flexarm.formulations.linear_algebra import symmetric_from_upper
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
            al_v.append(R.T @ al_v[i - 1] + motions[i].al_bias)
            a_v.append(R.T @ (a_v[i - 1] + ca.cross(al_v[i - 1], motions[i - 1].end.d)) + motions[i].a_bias)

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
        return assemble(chain, Re_joint, Re_modes)

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
        return symmetric_from_upper(I)


def _links(chain: Chain, state: State, motions: list[BodyMotion]) -> list[LinkInertia]:
    return [
        link_inertia(body.link, state.delta[i], state.delta_d[i], motions[i].w)
        for i, body in enumerate(chain.bodies)
    ]


class _Compound:
    """Compound rotations and the recursive sums of the inertia matrix: steps 7 to 9 of [GA09].

    Differs from source in what is computed together, not in what is computed: sigma, psi and U occur only as
    sigma - psi - U, gamma and V only with xi, so each of these sums has one recursion and is turned to other frames
    as one matrix. Term by term, as printed, the algorithm takes more operations than [BK83] from 8 links in space
    with one mode on, see docs/papers.md.
    """

    def __init__(self, motions: list[BodyMotion], links: list[LinkInertia]):
        self.links = links
        self.ends = [here.end for here in motions]
        n = len(links)
        pairs = [(j, k) for j in range(n) for k in range(n)]
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
            for k in range(j + 1, n):
                position = position + R[j, k - 1] @ self.ends[k - 1].d
                r[j, k] = skew(position)
        self.R, self.r = R, r
        # Step 9: the addends of xi and lambda (eqs. 80 and 93) and of gamma (eq. 79)
        d = [skew(end.d) for end in self.ends]
        R_B3 = {(j, k): R[j, k] @ skew(links[k].s) for j, k in pairs if j <= k}
        outer_mass = [sum(link.mass for link in links[k + 1 :]) for k in range(n)]
        self.lam = {(j, k): outer_mass[k] * R[j, k] for j, k in pairs if j <= k}
        of_gamma = {(j, k - 1): links[k].mass * r[j, k] @ R[j, k - 1] for j, k in r}
        # gamma_k + xi_k+
        _, beyond = _tail_sum([R_B3, of_gamma], R)
        self.gamma_xi = {at: beyond[at] + of_gamma.get(at, 0) for at in pairs}
        # psi + U, eqs. 77 and 78, and psi_k+ + U_k+, eqs. 83 and 84
        of_psi = {at: r[at] @ R_B3[at] for at in r}
        of_U = {(j, k): self.gamma_xi[j, k] @ d[k] for j, k in pairs if k < n - 1}
        psi_U, psi_U_p = _tail_sum([of_psi, of_U], R)
        sigma = _nested_sum([link.J for link in links], R)  # eq. 76
        sigma_p = _plus_k(sigma, R)  # eq. 82
        self.sigma_psi_U = {at: sigma[at] - psi_U[at] for at in pairs}
        self.sigma_psi_U_p = {at: sigma_p[at] - psi_U_p[at] for at in pairs}
        # Plus signs on j as well, eqs. 86-92: the lever arms begin at O_j+1, which sigma and xi do not know
        self.gamma_xi_p = _plus_j(self.gamma_xi, R)
        self.sigma_psi_U_pp = _plus_j(self.sigma_psi_U_p, R)
        # V + j+xi_k+, eqs. 87 and 88, for j <= k
        of_V = {(j, k): lam @ d[k] for (j, k), lam in self.lam.items() if k < n - 1}
        _, self.V_xi = _tail_sum([R_B3, of_V], R)

    def joint_joint(self, j: int, k: int) -> ca.SX:
        """Entry of joints j <= k, from eq. 75."""
        return self.sigma_psi_U[j, k][2, 2]

    def joint_modes(self, j: int, k: int) -> ca.SX:
        """Row (1, m_k) of joint j and the modes of link k, from eq. 81."""
        link, end = self.links[k], self.ends[k]
        block = self.sigma_psi_U_p[j, k] @ end.rotation.columns + self.gamma_xi[j, k] @ end.columns
        if k >= j:
            block += self.R[j, k] @ link.alpha
        if k > j:
            block += self.r[j, k] @ (self.R[j, k] @ link.C1)
        return block[2, :]

    def modes_modes(self, j: int, k: int) -> ca.SX:
        """Block (m_j, m_k) of the modes of links j <= k, from eq. 85."""
        link, near, far = self.links[k], self.ends[j], self.ends[k]
        turned = self.gamma_xi_p[j, k] @ far.columns + self.sigma_psi_U_pp[j, k] @ far.rotation.columns
        moved = self.lam[j, k] @ far.columns - self.V_xi[j, k] @ far.rotation.columns
        if k > j:
            turned += self.R[j, k] @ link.alpha
            moved += self.R[j, k] @ link.C1
        if k > j + 1:
            turned += self.R[j, j + 1] @ (self.r[j + 1, k] @ (self.R[j + 1, k] @ link.C1))
        block = near.rotation.columns.T @ turned + near.columns.T @ moved
        return block + link.C3 if k == j else block


def _nested_sum(B: list[ca.SX], R: Blocks) -> Blocks:
    """Sum over i >= max(j, k) of jR_i B_i iR_k, for symmetric B_i."""
    n = len(B)
    X: Blocks = {}
    for k in reversed(range(n)):
        X[k, k] = B[k] if k == n - 1 else B[k] + X[k, k + 1] @ R[k + 1, k]
        for j in reversed(range(k)):
            X[j, k] = R[j, j + 1] @ X[j + 1, k]
            X[k, j] = X[j, k].T
    return X


def _tail_sum(addends: list[Blocks], R: Blocks) -> tuple[Blocks, Blocks]:
    """Sums over t >= k, and over t > k, of addends[j, t] tR_k; what is not given is zero."""
    X, X_p = {}, {}
    for j, k in sorted(R, reverse=True):
        X_p[j, k] = X[j, k + 1] @ R[k + 1, k] if (j, k + 1) in R else ca.SX.zeros(3, 3)
        X[j, k] = sum((some[j, k] for some in addends if (j, k) in some), X_p[j, k])
    return X, X_p


def _plus_k(X: Blocks, R: Blocks) -> Blocks:
    """Start the sum at the next link: jX_k+ = jX_k+1 k+1R_k; nothing lies beyond the last link."""
    return {(j, k): X[j, k + 1] @ R[k + 1, k] if (j, k + 1) in X else ca.SX.zeros(3, 3) for j, k in X}


def _plus_j(X: Blocks, R: Blocks) -> Blocks:
    """Start the other sum at the next link: j+X_k = jR_j+1 j+1X_k."""
    return {(j, k): R[j, j + 1] @ X[j + 1, k] if (j + 1, k) in X else ca.SX.zeros(3, 3) for j, k in X}
