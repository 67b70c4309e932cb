"""Elastodynamics of Negrean & Albetel, [NA04]: equations of motion from kinetic and from acceleration energy.

Both energies are traces over the matrices of `locating_matrices`; `energy_derivatives` has CasADi differentiate them,
once as Lagrange and Euler do, once as Appell does, with the same result. `motion_matrices` has the paper's matrices.

Differs from source: hubs, payloads, rotary inertia and torsion as in
:class:`~flexarm.formulations.dynamics.pseudo_inertia.LinkMatrices`; rotor inertia and modal damping are added; with
``link_rotation: finite`` Delta T is exp(skew(theta)) instead of I + skew(theta). Misprints are listed in
docs/papers.md.
"""

from __future__ import annotations

import casadi as ca

from flexarm.formulations.contract import Formulation
from flexarm.formulations.dynamics.force_balance import resistance
from flexarm.formulations.linear_algebra import constant, symmetric_from_upper
from flexarm.formulations.methods.elastodynamics.energy_derivatives import (
    appell_forces,
    evaluate_at,
    gravity_forces,
    links_at,
)
from flexarm.formulations.methods.elastodynamics.locating_matrices import (
    constant_inertia,
)


class Elastodynamics(Formulation):
    """Q_iF + Q_g + Q_def + Q_SU + Q_fd = Q_m, [NA04] eq. 24, with the inertia forces by Appell."""

    def mass_matrix(self, theta: ca.SX) -> ca.SX:
        """Return the mass matrix M (n_dof, n_dof) [kg m^2, kg m, kg], [NA04] eqs. 3 and 18.

        M_ij = sum_k Tr{A_ki I_psk A_kj^T}; A_ki is dY_k/dtheta_i.
        """
        x = ca.SX.sym("theta", self.chain.coordinates.n_dof)
        links = links_at(self.chain, x)
        M = constant(constant_inertia(self.chain))
        for link in links:
            A = ca.jacobian(ca.vec(link.Y), x)
            M = M + A.T @ (ca.kron(constant(link.inertia), ca.SX.eye(3)) @ A)
        return evaluate_at(symmetric_from_upper(ca.densify(M)), [x], [theta])

    def bias(self, theta: ca.SX, theta_d: ca.SX) -> ca.SX:
        """Return the balance at zero acceleration, (n_dof,) [N m, N]."""
        return self.inverse_dynamics(theta, theta_d, ca.SX.zeros(self.chain.coordinates.n_dof))

    def inverse_dynamics(self, theta: ca.SX, theta_d: ca.SX, theta_dd: ca.SX) -> ca.SX:
        """Return Q_m, the sum of the balance, (n_dof,) [N m, N]."""
        chain = self.chain
        inertia = appell_forces(chain, theta, theta_d, theta_dd)
        return inertia + gravity_forces(chain, theta) + resistance(chain, theta, theta_d)
