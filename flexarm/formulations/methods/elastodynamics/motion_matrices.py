"""The matrices of [NA04]: centrifugal, Coriolis and pseudo-inertia, for rigid (eqs. 5-8) and elastic links (eq. 21).

The equations of motion do not need them: they are the paper's arrangement of E_A.
:meth:`flexarm.formulations.motion_equations.MotionEquations.matrices` gives their numbers.

All are traces Tr{A I_ps A^T} over first and second derivatives A_ki, A_kij of the locating matrices Y_k of
:mod:`~flexarm.formulations.methods.elastodynamics.locating_matrices`. n is the number of coordinates, modes among them.
"""

from __future__ import annotations

import casadi as ca

from flexarm.formulations.capabilities import require
from flexarm.formulations.kinematics.chain_state import ChainState
from flexarm.formulations.linear_algebra import constant
from flexarm.formulations.methods.elastodynamics.locating_matrices import located_links
from flexarm.model.chain import Chain


class MotionMatrices:
    """Matrices B, C, D of [NA04] from second derivatives of the locating matrices.

    E_A = 1/2 theta_dd^T M theta_dd + (B [theta_d theta_d] + C [theta_d^2])^T theta_dd + 1/2 theta_d^T D theta_d

    Parameters
    ----------
    chain : Chain
    theta : SX (n,)
    """

    def __init__(self, chain: Chain, theta: ca.SX):
        require("elastodynamics", chain)
        n = chain.coordinates.n_dof
        x = ca.SX.sym("theta", n)
        links = located_links(chain, ChainState.of(chain, x, ca.SX.zeros(n)))
        Y = ca.vertcat(*(ca.vec(link.Y) for link in links))
        weights = ca.diagcat(*(ca.kron(constant(link.inertia), ca.SX.eye(3)) for link in links))
        A = ca.jacobian(Y, x)
        first = ca.Function("A", [x], [weights @ A])(theta)
        self.n = n
        self._weights = weights
        # _second[m]: A_kjm for all j, one column each
        self._second = [
            ca.Function("A_m", [x], [ca.densify(ca.jacobian(A[:, m], x))])(theta) for m in range(n)
        ]
        # _V[m][i, j]: V_ijm = sum_k Tr{A_ki I_psk A_kjm^T}, [NA04] eqs. 6 and 7
        self._V = [first.T @ second for second in self._second]

    def centrifugal(self) -> ca.SX:
        """Return C, (n, n): what multiplies [theta_d_1^2, .., theta_d_n^2], [NA04] eq. 7."""
        return ca.horzcat(*(self._V[j][:, j] for j in range(self.n)))

    def coriolis(self) -> ca.SX:
        """Return B, (n, pairs j < m) [kg m^2, kg m, kg], the factors of theta_d_j theta_d_m, [NA04] eq. 6.

        Notes
        -----
        Differs from source, which prints V_ijm = V_imj once for each pair j < m: as eq. 21 sums over both orders, an
        entry is 2 V_ijm.
        """
        columns = [2 * self._V[m][:, j] for j in range(self.n) for m in range(j + 1, self.n)]
        return ca.horzcat(*columns) if columns else ca.SX(self.n, 0)

    def velocity_matrix(self, theta_d: ca.SX) -> ca.SX:
        """Return sum_m V_ijm theta_d_m, (n, n) [N m s, N s]: times theta_d it is the sum of all velocity forces.

        The V_ijm are Christoffel's symbols, so M_d minus twice this matrix is skew-symmetric.
        """
        return sum((V * theta_d[m] for m, V in enumerate(self._V)), ca.SX.zeros(self.n, self.n))

    def pseudo_inertia(self, theta_d: ca.SX) -> ca.SX:
        """Return D, (n, n), D_ij = theta_d^T [sum_k Tr{A_kij I_psk A_klm^T}] theta_d, [NA04] eq. 8."""
        A_d = [second @ theta_d for second in self._second]  # rates of A_km, A_kjm theta_d_j summed over j
        Y_bias = sum((column * theta_d[m] for m, column in enumerate(A_d)), 0 * A_d[0])
        weighted = self._weights @ Y_bias
        return ca.horzcat(*(second.T @ weighted for second in self._second))


def velocity_products(theta_d: ca.SX) -> ca.SX:
    """Products theta_d_j theta_d_m, j < m, of rates (n,), in the order of B's columns: (n (n - 1) / 2,)."""
    n = theta_d.numel()
    return ca.vertcat(ca.SX(0, 1), *(theta_d[j] * theta_d[m] for j in range(n) for m in range(j + 1, n)))
