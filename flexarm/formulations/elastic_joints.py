"""Equations of an arm with elastic joints, from those of any formulation for its links.

Source: [Spong1987]. The rotors turn so much faster than the links that of their kinetic energy only the spin about
their own axes counts; what the links carry of them is part of the links' mass. Motors and links are then coupled by
the springs alone, and each motor has an equation of its own,

    k^2 J_m theta_m_dd + d (theta_m_d - q_d) + K (theta_m - q) + friction = tau,

beside the equations of the links, on whose joints the springs act. So no formulation needs to know of motors, and what
is O(n) stays O(n).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import casadi as ca

from flexarm.formulations.contract import NOTHING_PRESCRIBED, Formulation
from flexarm.formulations.dynamics.joint_springs import motor_friction, spring_forces
from flexarm.model.chain import Chain


class ElasticJoints(Formulation):
    """Equations of another formulation, joined by the springs of the joints and the motors behind them.

    Parameters
    ----------
    links : Formulation
        Of the chain :func:`without_springs`.
    chain : Chain
        With them.
    """

    def __init__(self, links: Formulation, chain: Chain):
        super().__init__(chain)
        self._links = links
        layout = chain.coordinates
        motors = set(layout.moving_motors)
        self._rows = [row for row in range(layout.n_dof) if row not in motors]
        self._rows_theta = [row for row in range(layout.n_theta) if row not in motors]
        rows = ((layout.motors[spring.joint], spring.motor_inertia) for spring in chain.springs)
        self._inertias = {row: inertia for row, inertia in rows if row is not None}

    def mass_matrix(self, theta: ca.SX) -> ca.SX:
        """Return I(theta), (n_dof, n_dof) [kg m^2, kg m, kg]: that of the links beside the motors' inertias."""
        M = ca.SX(self.chain.coordinates.n_dof, self.chain.coordinates.n_dof)
        M[self._rows, self._rows] = self._links.mass_matrix(theta[self._rows_theta])
        for row, inertia in self._inertias.items():
            M[row, row] = inertia
        return ca.densify(M)

    def bias(self, theta: ca.SX, theta_d: ca.SX) -> ca.SX:
        """Return the generalised forces at which theta_dd is zero, (n_dof,) [N m, N]."""
        own = self._links.bias(theta[self._rows_theta], theta_d[self._rows])
        return self._beside_motors(own) + self._elastic_forces(theta, theta_d)

    def accelerations(
        self,
        theta: ca.SX,
        theta_d: ca.SX,
        forces: ca.SX,
        prescribed: Mapping[int, ca.SX] = NOTHING_PRESCRIBED,
    ) -> ca.SX:
        """Return theta_dd, (n_dof,) [rad/s^2, m/s^2]: of the links by their formulation, of each motor by itself."""
        remaining = forces - self._elastic_forces(theta, theta_d)
        own = self._links.accelerations(
            theta[self._rows_theta],
            theta_d[self._rows],
            remaining[self._rows],
            {k: prescribed[row] for k, row in enumerate(self._rows) if row in prescribed},
        )
        theta_dd = self._beside_motors(own)
        for row, inertia in self._inertias.items():
            theta_dd[row] = prescribed[row] if row in prescribed else remaining[row] / inertia
        return theta_dd

    def inverse_dynamics(self, theta: ca.SX, theta_d: ca.SX, theta_dd: ca.SX) -> ca.SX:
        """Return the generalised forces (n_dof,) [N m, N] that accelerate the arm with theta_dd."""
        own = self._links.inverse_dynamics(theta[self._rows_theta], theta_d[self._rows], theta_dd[self._rows])
        forces = self._beside_motors(own) + self._elastic_forces(theta, theta_d)
        for row, inertia in self._inertias.items():
            forces[row] += inertia * theta_dd[row]
        return forces

    def _beside_motors(self, own: ca.SX) -> ca.SX:
        """Vector (n_dof,) of entries of the links, zero for motors."""
        vector = ca.SX.zeros(self.chain.coordinates.n_dof)
        vector[self._rows] = own
        return vector

    def _elastic_forces(self, theta: ca.SX, theta_d: ca.SX) -> ca.SX:
        """Forces (n_dof,) [N m, N] that springs, dampers and the motors' friction take."""
        return spring_forces(self.chain, theta, theta_d) + motor_friction(self.chain, theta, theta_d)


def without_springs(chain: Chain) -> Chain:
    """Chain of the links alone, whose joints are driven directly: no springs, and no motors behind them."""
    return replace(chain.link_side, springs=()) if chain.springs else chain
