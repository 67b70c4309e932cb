"""Equations of motion without products of deflections, from the whole ones of any formulation."""

from __future__ import annotations

import casadi as ca

from flexarm.formulations.contract import Formulation
from flexarm.formulations.linear_algebra import symmetric_from_upper
from flexarm.formulations.taylor import first_order


class FirstOrder(Formulation):
    """Equations of another formulation, cut at first order in the modal amplitudes.

    Mass matrix and bias are Taylor polynomials of degree 1 in the modal amplitudes; their coefficients depend on
    the joint angles and on all rates. Only amplitudes count as small: [SY94] section 6.1 keeps delta_d delta and
    delta_d delta_d. Accelerations and inverse dynamics follow from these two.

    Notes
    -----
    The mass matrix stays symmetric, but the bias is no longer made of its derivatives, so the energy of an undriven arm
    is not kept; at large deflections the matrix need not be positive definite.
    """

    def __init__(self, whole: Formulation):
        super().__init__(whole.chain)
        self._whole = whole

    def mass_matrix(self, theta: ca.SX) -> ca.SX:
        """Return I(theta), (n_dof, n_dof) [kg m^2, kg m, kg]."""
        return symmetric_from_upper(
            first_order(self._whole.mass_matrix, theta, self.chain.coordinates.all_modes)
        )

    def bias(self, theta: ca.SX, theta_d: ca.SX) -> ca.SX:
        """Return the generalised forces at which theta_dd is zero, (n_dof,) [N m, N]."""
        rates, modes = ca.SX.sym("theta_d", theta_d.numel()), self.chain.coordinates.all_modes
        polynomial = first_order(lambda x: self._whole.bias(x, rates), theta, modes)
        return ca.densify(ca.substitute(polynomial, rates, theta_d))
