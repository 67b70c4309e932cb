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
    """Equations of another formulation, joined by the springs of the joints and the motors behind them."""

    def __init__(self, links: Formulation):
        self._links = links

    def mass_matrix(self, chain: Chain, theta: ca.SX) -> ca.SX:
        """Return I(theta), (n_dof, n_dof) [kg m^2, kg m, kg]: that of the links beside the motors' inertias."""
        if not chain.springs:
            return self._links.mass_matrix(chain, theta)
        rows = _Rows(chain)
        M = ca.SX(chain.coordinates.n_dof, chain.coordinates.n_dof)
        M[rows.links, rows.links] = self._links.mass_matrix(rows.chain, theta[rows.links_theta])
        for row, inertia in rows.inertias.items():
            M[row, row] = inertia
        return ca.densify(M)

    def bias(self, chain: Chain, theta: ca.SX, theta_d: ca.SX) -> ca.SX:
        """Return the generalised forces at which theta_dd is zero, (n_dof,) [N m, N]."""
        if not chain.springs:
            return self._links.bias(chain, theta, theta_d)
        rows = _Rows(chain)
        own = self._links.bias(rows.chain, theta[rows.links_theta], theta_d[rows.links])
        return rows.spread(own) + _elastic_forces(chain, theta, theta_d)

    def accelerations(
        self,
        chain: Chain,
        theta: ca.SX,
        theta_d: ca.SX,
        forces: ca.SX,
        prescribed: Mapping[int, ca.SX] = NOTHING_PRESCRIBED,
    ) -> ca.SX:
        """Return theta_dd, (n_dof,) [rad/s^2, m/s^2]: of the links by their formulation, of each motor by itself."""
        if not chain.springs:
            return self._links.accelerations(chain, theta, theta_d, forces, prescribed)
        rows, remaining = _Rows(chain), forces - _elastic_forces(chain, theta, theta_d)
        own = self._links.accelerations(
            rows.chain,
            theta[rows.links_theta],
            theta_d[rows.links],
            remaining[rows.links],
            {k: prescribed[row] for k, row in enumerate(rows.links) if row in prescribed},
        )
        theta_dd = rows.spread(own)
        for row, inertia in rows.inertias.items():
            theta_dd[row] = prescribed[row] if row in prescribed else remaining[row] / inertia
        return theta_dd

    def inverse_dynamics(self, chain: Chain, theta: ca.SX, theta_d: ca.SX, theta_dd: ca.SX) -> ca.SX:
        """Return the generalised forces (n_dof,) [N m, N] that accelerate the arm with theta_dd."""
        if not chain.springs:
            return self._links.inverse_dynamics(chain, theta, theta_d, theta_dd)
        rows = _Rows(chain)
        own = self._links.inverse_dynamics(
            rows.chain, theta[rows.links_theta], theta_d[rows.links], theta_dd[rows.links]
        )
        forces = rows.spread(own) + _elastic_forces(chain, theta, theta_d)
        for row, inertia in rows.inertias.items():
            forces[row] += inertia * theta_dd[row]
        return forces


class _Rows:
    """Rows of links and motors in the coordinates of a chain with springs, and its links alone.

    Attributes
    ----------
    chain : Chain
        The links, without motors and springs.
    links, links_theta : list of int
        Rows of their coordinates in theta_d and theta.
    inertias : dict
        Row of each motor -> its inertia [kg m^2].
    """

    def __init__(self, chain: Chain):
        layout = chain.coordinates
        motors = set(layout.moving_motors)
        self._n = layout.n_dof
        self.chain = replace(chain.link_side, springs=())
        self.links = [row for row in range(layout.n_dof) if row not in motors]
        self.links_theta = [row for row in range(layout.n_theta) if row not in motors]
        rows = ((layout.motors[spring.joint], spring.motor_inertia) for spring in chain.springs)
        self.inertias = {row: inertia for row, inertia in rows if row is not None}

    def spread(self, own: ca.SX) -> ca.SX:
        """Vector (n_dof,) of entries of the links, zero for motors."""
        vector = ca.SX.zeros(self._n)
        vector[self.links] = own
        return vector


def _elastic_forces(chain: Chain, theta: ca.SX, theta_d: ca.SX) -> ca.SX:
    """Forces (n_dof,) [N m, N] that springs, dampers and the motors' friction take."""
    return spring_forces(chain, theta, theta_d) + motor_friction(chain, theta, theta_d)
