"""Formulations by name; :data:`flexarm.catalogue.FORMULATIONS` lists those there are."""

from __future__ import annotations

from collections.abc import Mapping

import casadi as ca

from flexarm.catalogue import FORMULATIONS, load_source
from flexarm.formulations.contract import NOTHING_PRESCRIBED, Formulation
from flexarm.formulations.elastic_joints import ElasticJoints
from flexarm.formulations.linear_algebra import symmetric_from_upper
from flexarm.formulations.taylor import first_order
from flexarm.model.chain import Chain


class SelectableOrder(Formulation):
    """Equations of another formulation, whole or, where the chain drops products of deflections, cut at first order.

    Cut, mass matrix and bias are Taylor polynomials of degree 1 in the modal amplitudes; their coefficients depend on
    the joint angles and on all rates. Only amplitudes count as small: [SY94] section 6.1 keeps delta_d delta and
    delta_d delta_d.

    Notes
    -----
    The mass matrix stays symmetric, but the bias is no longer made of its derivatives, so the energy of an undriven arm
    is not kept; at large deflections the matrix need not be positive definite.
    """

    def __init__(self, whole: Formulation):
        self._whole = whole

    def mass_matrix(self, chain: Chain, theta: ca.SX) -> ca.SX:
        """Return I(theta), (n_dof, n_dof) [kg m^2, kg m, kg]."""
        if chain.products_of_deflections:
            return self._whole.mass_matrix(chain, theta)
        modes = chain.coordinates.all_modes
        return symmetric_from_upper(first_order(lambda x: self._whole.mass_matrix(chain, x), theta, modes))

    def bias(self, chain: Chain, theta: ca.SX, theta_d: ca.SX) -> ca.SX:
        """Return the generalised forces at which theta_dd is zero, (n_dof,) [N m, N]."""
        if chain.products_of_deflections:
            return self._whole.bias(chain, theta, theta_d)
        rates, modes = ca.SX.sym("theta_d", theta_d.numel()), chain.coordinates.all_modes
        polynomial = first_order(lambda x: self._whole.bias(chain, x, rates), theta, modes)
        return ca.densify(ca.substitute(polynomial, rates, theta_d))

    def accelerations(
        self,
        chain: Chain,
        theta: ca.SX,
        theta_d: ca.SX,
        forces: ca.SX,
        prescribed: Mapping[int, ca.SX] = NOTHING_PRESCRIBED,
    ) -> ca.SX:
        """Return theta_dd, (n_dof,) [rad/s^2, m/s^2], by the formulation's own way where its equations are whole."""
        by = self._whole if chain.products_of_deflections else super()
        return by.accelerations(chain, theta, theta_d, forces, prescribed)

    def inverse_dynamics(self, chain: Chain, theta: ca.SX, theta_d: ca.SX, theta_dd: ca.SX) -> ca.SX:
        """Return the generalised forces (n_dof,) [N m, N]; see :meth:`accelerations`."""
        by = self._whole if chain.products_of_deflections else super()
        return by.inverse_dynamics(chain, theta, theta_d, theta_dd)


def make_formulation(name: str) -> Formulation:
    """Make the formulation of this name in :data:`~flexarm.catalogue.FORMULATIONS`."""
    return ElasticJoints(SelectableOrder(load_source(FORMULATIONS[name].source)()))
