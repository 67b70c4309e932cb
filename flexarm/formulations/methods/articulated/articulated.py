"""Articulated-body algorithm for flexible links: cost grows with n, not with n^3.

Sources: the algorithm of [Fea83] ([Fea08] chapter 7) on the link equations of [GA09]. From tip to base the modes (an
m x m LDL^T) and then the joint of each link are eliminated, which leaves the articulated inertia and bias force that
the parent feels; from base to tip the accelerations follow. For rigid links it is Featherstone's algorithm.
"""

from __future__ import annotations

from collections.abc import Mapping

import casadi as ca

from flexarm.formulations.assembly import assemble, split
from flexarm.formulations.contract import NOTHING_PRESCRIBED, Formulation
from flexarm.formulations.dynamics.coupled_damping import coupled_damping
from flexarm.formulations.dynamics.friction import friction
from flexarm.formulations.dynamics.link_inertia import link_inertia
from flexarm.formulations.dynamics.newton_euler import joint_and_modal_forces
from flexarm.formulations.kinematics.chain_motion import Accelerations, chain_motion
from flexarm.formulations.kinematics.chain_state import ChainState
from flexarm.formulations.linear_algebra import symmetric_from_upper
from flexarm.formulations.methods.articulated.elimination import JointElimination, LinkEquations


class Articulated(Formulation):
    """Articulated-body algorithm for accelerations, recursive Newton-Euler for inverse dynamics and mass matrix."""

    def inverse_dynamics(self, theta: ca.SX, theta_d: ca.SX, theta_dd: ca.SX) -> ca.SX:
        """Return the generalised forces (n_dof,) [N m, N] by :mod:`~flexarm.formulations.dynamics.newton_euler`."""
        forces = assemble(self.chain, *joint_and_modal_forces(self.chain, theta, theta_d, theta_dd))
        return forces + coupled_damping(self.chain, theta_d)

    def bias(self, theta: ca.SX, theta_d: ca.SX) -> ca.SX:
        """Return the inverse dynamics at zero acceleration, (n_dof,) [N m, N]."""
        return self.inverse_dynamics(theta, theta_d, ca.SX.zeros(self.chain.coordinates.n_dof))

    def mass_matrix(self, theta: ca.SX) -> ca.SX:
        """Return the derivative (n_dof, n_dof) [kg m^2, kg m, kg] of the inverse dynamics, linear in theta_dd."""
        n = self.chain.coordinates.n_dof
        theta_dd = ca.SX.sym("theta_dd", n)
        forces = self.inverse_dynamics(theta, ca.SX.zeros(n), theta_dd)
        return symmetric_from_upper(ca.densify(ca.jacobian(forces, theta_dd)))

    def accelerations(
        self,
        theta: ca.SX,
        theta_d: ca.SX,
        forces: ca.SX,
        prescribed: Mapping[int, ca.SX] = NOTHING_PRESCRIBED,
    ) -> ca.SX:
        """Return theta_dd (n_dof,) [rad/s^2, m/s^2] by elimination, tip to base, and substitution, base to tip."""
        chain = self.chain
        state = ChainState.of(chain, theta, theta_d)
        tau, modal_forces = split(chain, forces - coupled_damping(chain, theta_d))
        motions = chain_motion(chain, state)
        n = len(chain.bodies)

        # Pass 1, tip to base: articulated inertia of every body with all outboard bodies, about its own frame
        eliminations: list[JointElimination] = []
        for i in reversed(range(n)):
            body = chain.bodies[i]
            equations = LinkEquations(link_inertia(body.link, state.delta[i], state.delta_d[i], motions[i].w))
            if eliminations:
                equations.add_child(motions[i + 1], eliminations[-1].remaining)
            elimination = JointElimination(equations, modal_forces[i])
            row = chain.rows[i].joint
            if row is not None and row in prescribed:
                elimination.prescribe_joint(motions[i].S, prescribed[row])
            elif row is not None:
                force = tau[i] - friction(body.joint, state.q_d[i])
                elimination.eliminate_joint(motions[i].S, force, body.joint.motor_inertia)
            eliminations.append(elimination)
        eliminations.reverse()

        # Pass 2, base to tip: joint and modal accelerations; the base accelerates with -g
        q_dd, delta_dd = [], []
        frame = Accelerations(-ca.SX(ca.vertcat(*chain.gravity)), ca.SX.zeros(3))
        for motion, elimination in zip(motions, eliminations, strict=True):
            frame = motion.outwards(frame, delta_dd[-1] if delta_dd else ca.SX(0, 1))
            q_dd_i, frame, delta_dd_i = elimination.substitute(frame)
            q_dd.append(q_dd_i)
            delta_dd.append(delta_dd_i)
        return assemble(chain, q_dd, delta_dd)
