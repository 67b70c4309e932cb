"""The contract of a formulation.

A formulation of a :class:`~flexarm.model.chain.Chain` has expressions for the equations of motion

    I(theta) theta_dd + bias(theta, theta_d) = forces

with gravity, stiffness, modal damping and joint friction inside the bias, and the joint torques (plus whatever
external loads do on the coordinates) as generalised forces. Its methods are pure: symbols in, symbols out.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from types import MappingProxyType

import casadi as ca

from flexarm.formulations.linear_algebra import ldl_solve
from flexarm.model.chain import Chain

NOTHING_PRESCRIBED: Mapping[int, ca.SX] = MappingProxyType({})


class Formulation(ABC):
    """Equations of motion of a chain.

    ``chain.coordinates`` says which row is which: theta has n_theta rows [rad, m, 1 in a quaternion], all other
    vectors have n_dof: rates [rad/s, m/s], second rates [rad/s^2, m/s^2], forces [N m, N].

    Attributes
    ----------
    chain : Chain
    """

    def __init__(self, chain: Chain):
        self.chain = chain

    @abstractmethod
    def mass_matrix(self, theta: ca.SX) -> ca.SX:
        """Return I(theta), (n_dof, n_dof) [kg m^2, kg m, kg], symmetric to the last bit."""

    @abstractmethod
    def bias(self, theta: ca.SX, theta_d: ca.SX) -> ca.SX:
        """Return the generalised forces at which theta_dd is zero, (n_dof,) [N m, N]."""

    def accelerations(
        self,
        theta: ca.SX,
        theta_d: ca.SX,
        forces: ca.SX,
        prescribed: Mapping[int, ca.SX] = NOTHING_PRESCRIBED,
    ) -> ca.SX:
        """Return theta_dd, (n_dof,) [rad/s^2, m/s^2], under generalised forces (n_dof,) [N m, N].

        ``prescribed`` maps rows to the accelerations of joints with prescribed motion; forces there have no effect.
        """
        n = self.chain.coordinates.n_dof
        free = [row for row in range(n) if row not in prescribed]
        theta_dd = ca.SX.zeros(n)
        for row, acceleration in prescribed.items():
            theta_dd[row] = acceleration
        M = self.mass_matrix(theta)
        remainder = forces - self.bias(theta, theta_d) - M @ theta_dd
        theta_dd[free] = ldl_solve(M[free, free], remainder[free])
        return theta_dd

    def inverse_dynamics(self, theta: ca.SX, theta_d: ca.SX, theta_dd: ca.SX) -> ca.SX:
        """Return the generalised forces (n_dof,) [N m, N] that accelerate the arm with theta_dd."""
        return self.mass_matrix(theta) @ theta_dd + self.bias(theta, theta_d)
