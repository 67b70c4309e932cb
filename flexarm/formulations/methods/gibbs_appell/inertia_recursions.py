"""Compound rotations and recursive sums of the inertia matrix: steps 7 to 9 of [GA09]."""

from __future__ import annotations

import casadi as ca

from flexarm.formulations.dynamics.link_inertia import LinkInertia
from flexarm.formulations.kinematics.rotations import skew
from flexarm.formulations.methods.gibbs_appell.compound_motion import CompoundMotion

Blocks = dict[tuple[int, int], ca.SX]


class InertiaRecursions:
    """Compound rotations and the recursive sums of the inertia matrix: steps 7 to 9 of [GA09].

    Differs from source in what is computed together, not in what is computed: sigma, psi and U occur only as
    sigma - psi - U, gamma and V only with xi, so each of these sums has one recursion and is rotated to other frames
    as one matrix. Term by term, as printed, the algorithm takes more operations than [BK83] from 8 links in space
    with one mode on, see docs/papers.md.
    """

    def __init__(self, motions: list[CompoundMotion], links: list[LinkInertia]):
        self.links = links
        self.S = [here.S for here in motions]
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
        self.outboard_mass = [links[k].mass + outer_mass[k] for k in range(n)]
        of_gamma = {(j, k - 1): links[k].mass * r[j, k] @ R[j, k - 1] for j, k in r}
        # gamma_k + xi_k+
        _, outboard = _tail_sum([R_B3, of_gamma], R)
        self.gamma_xi = {at: outboard[at] + of_gamma.get(at, 0) for at in pairs}
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
        """Entry of joints j <= k, a scalar [kg m^2, kg m, kg], from eq. 75.

        What a unit rate of joint k gives to all bodies from k on: angular momentum about O_j and momentum, in frame j.
        """
        S, along = self.S[k], self.S[j]
        angular = self.sigma_psi_U[j, k] @ S.w
        if not S.v.is_zero():
            angular += self._first_moment(j, k) @ S.v
        if along.v.is_zero():
            return ca.dot(along.w, angular)
        linear = self.outboard_mass[k] * S.v - self._first_moment(k, k) @ S.w
        return ca.dot(along.w, angular) + ca.dot(along.v, self.R[j, k] @ linear)

    def _first_moment(self, j: int, k: int) -> ca.SX:
        """First moment about O_j of all bodies from k >= j on, as a skew-symmetric tensor from frame k to frame j."""
        link, R = self.links[k], self.R[j, k]
        own = R @ skew(link.s) + (link.mass * self.r[j, k] @ R if k > j else 0)
        return own + self.gamma_xi[j, k]

    def joint_modes(self, j: int, k: int) -> ca.SX:
        """Row (1, m_k) of joint j and the modes of link k [kg m, kg], from eq. 81."""
        link, end, S = self.links[k], self.ends[k], self.S[j]
        block = self.sigma_psi_U_p[j, k] @ end.rotation.jacobian + self.gamma_xi[j, k] @ end.jacobian
        if k >= j:
            block += self.R[j, k] @ link.alpha
        if k > j:
            block += self.r[j, k] @ (self.R[j, k] @ link.C1)
        row = S.w.T @ block
        return row if S.v.is_zero() else row + S.v.T @ self._momentum(j, k)

    def _momentum(self, j: int, k: int) -> ca.SX:
        """Momentum (3, m_k) in frame j of the bodies from j on, by unit rates of the modes of link k."""
        link, end = self.links[k], self.ends[k]
        if k >= j:
            outboard = self.lam[j, k] @ end.jacobian - self.V_xi[j, k] @ end.rotation.jacobian
            return outboard + self.R[j, k] @ link.C1
        # about the end of link k, O_k+1
        moment = self._first_moment(k + 1, j).T
        moved = self.outboard_mass[j] * self.R[j, k] @ end.jacobian
        return moved + moment @ (self.R[k + 1, k] @ end.rotation.jacobian)

    def modes_modes(self, j: int, k: int) -> ca.SX:
        """Block (m_j, m_k) of the modes of links j <= k [kg], from eq. 85."""
        link, near, far = self.links[k], self.ends[j], self.ends[k]
        angular = self.gamma_xi_p[j, k] @ far.jacobian + self.sigma_psi_U_pp[j, k] @ far.rotation.jacobian
        linear = self.lam[j, k] @ far.jacobian - self.V_xi[j, k] @ far.rotation.jacobian
        if k > j:
            angular += self.R[j, k] @ link.alpha
            linear += self.R[j, k] @ link.C1
        if k > j + 1:
            angular += self.R[j, j + 1] @ (self.r[j + 1, k] @ (self.R[j + 1, k] @ link.C1))
        block = near.rotation.jacobian.T @ angular + near.jacobian.T @ linear
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
