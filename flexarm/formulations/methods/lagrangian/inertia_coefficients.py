"""Inertia coefficients of [BK83] by the F recursions: eqs. 66-81."""

from __future__ import annotations

import casadi as ca

from flexarm.formulations.linear_algebra import constant
from flexarm.formulations.methods.lagrangian.arm_matrices import ArmMatrices, trace_of_product


class InertiaCoefficients:
    """Inertia coefficients of [BK83], made of the F recursions, eqs. 66-81."""

    def __init__(self, arm: ArmMatrices):
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
        """Return jF_h, (4, 4) [kg, kg m, kg m^2], eq. 80."""
        return self.F_t[j, h + 1] @ self.arm.A[h + 1].T

    def Phi(self, j: int, h: int) -> ca.SX:
        """Return jPhi_h, (4, 4) [kg, kg m, kg m^2], eq. 81."""
        return self.arm.A[j + 1] @ self.F(j + 1, h)

    def joint_joint(self, j: int, h: int) -> ca.SX:
        """Coefficient of q_h in the equation of joint j, a scalar [kg m^2], eq. 66."""
        return 2 * trace_of_product(self.arm.WU[j] @ self.F_t[j, h], self.arm.WU[h])

    def joint_modes(self, j: int, h: int) -> list[ca.SX]:
        """Coefficients of all delta_hk in the equation of joint j, one scalar [kg m] each, eqs. 68-70."""
        arm = self.arm
        coefficients = []
        outboard = arm.WU[j] @ self.F(j, h) if arm.D[h] and h < self.n - 1 else None
        own = arm.WU[j] @ self.relative[j, h] if arm.D[h] and h >= j else None
        for D, WM in zip(arm.D[h], arm.WM[h], strict=True):
            coefficient = ca.SX(0)
            if outboard is not None:
                coefficient += 2 * trace_of_product(outboard, WM)
            if own is not None:
                coefficient += 2 * trace_of_product(own @ D, arm.W[h])
            coefficients.append(coefficient)
        return coefficients

    def modes_modes(self, j: int, h: int) -> ca.SX:
        """Coefficients of all delta_hk, h >= j, in the equations of link j's modes, (m_j, m_h) [kg], eqs. 72-75."""
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
                        block[f, k] += 2 * trace_of_product(M_f @ Phi, M_k)
            return block
        own = arm.A[j + 1] @ self.relative[j + 1, h]
        Phi = self.Phi(j, h) if h < self.n - 1 else None
        for k, (D, WM) in enumerate(zip(arm.D[h], arm.WM[h], strict=True)):
            inner = own @ D @ arm.W[h].T
            if Phi is not None:
                inner += Phi @ WM.T
            for f, WM_f in enumerate(arm.WM[j]):
                block[f, k] = 2 * trace_of_product(WM_f, inner.T)
        return block
