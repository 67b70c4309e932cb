"""Recursive Lagrangian formulation of Book, [BK83], with 4x4 transformations and traces.

Names are the paper's: ``W[j]`` takes frame j to the base, ``W_h[j]`` (W with a hat) frame j^ at the end of link j;
``F_t[j, h]`` (F with a tilde), ``F(j, h)`` and ``Phi(j, h)`` carry j as left superscript and h as right subscript.
Bodies are counted from 0.

Differs from source: hubs, payloads, rotary inertia and torsion as in
:class:`~flexarm.formulations.dynamics.pseudo_inertia.LinkMatrices`; joint friction, rotor inertia and modal damping are
added; a floating base is a link without mass whose end moves freely; with ``link_rotation: finite`` M_jk depends on
delta, and the second derivatives of E_j join eq. 64.
Misprints are listed in docs/papers.md.
"""

from __future__ import annotations

import casadi as ca

from flexarm.formulations.assembly import assemble
from flexarm.formulations.contract import Formulation
from flexarm.formulations.dynamics.coupled_damping import coupled_damping
from flexarm.formulations.dynamics.friction import friction
from flexarm.formulations.kinematics.chain_state import ChainState
from flexarm.formulations.linear_algebra import symmetric_from_upper
from flexarm.formulations.methods.lagrangian.arm_matrices import ArmMatrices
from flexarm.formulations.methods.lagrangian.inertia_coefficients import InertiaCoefficients
from flexarm.formulations.methods.lagrangian.right_hand_side import LagrangianRightHandSide


class Lagrangian(Formulation):
    """J z_dd = R, [BK83] eq. 82; the bias is -R without the joint torques."""

    def mass_matrix(self, theta: ca.SX) -> ca.SX:
        """Return J (n_dof, n_dof) by the F recursions: [BK83] eqs. 66-81."""
        chain = self.chain
        arm = ArmMatrices(chain, ChainState.of(chain, theta, ca.SX.zeros(chain.coordinates.n_dof)))
        compound = InertiaCoefficients(arm)
        J = ca.SX.zeros(chain.coordinates.n_dof, chain.coordinates.n_dof)

        def fill(row: int, column: int, coefficient: ca.SX) -> None:
            J[row, column] = J[column, row] = coefficient

        for j, rows in enumerate(chain.rows):
            for h, columns in enumerate(chain.rows):
                if rows.joint is not None:
                    if columns.joint is not None and h >= j:
                        fill(rows.joint, columns.joint, compound.joint_joint(j, h))
                    for column, coefficient in zip(columns.modes, compound.joint_modes(j, h), strict=True):
                        fill(rows.joint, column, coefficient)
                if h >= j:
                    block = compound.modes_modes(j, h)
                    for f, row in enumerate(rows.modes):
                        for k, column in enumerate(columns.modes):
                            if h > j or k >= f:
                                fill(row, column, block[f, k])
            if rows.joint is not None:
                J[rows.joint, rows.joint] += chain.bodies[j].joint.motor_inertia
        return symmetric_from_upper(J)

    def bias(self, theta: ca.SX, theta_d: ca.SX) -> ca.SX:
        """Return -R without F_j, (n_dof,): [BK83] eqs. 83-90."""
        chain = self.chain
        state = ChainState.of(chain, theta, theta_d)
        right = LagrangianRightHandSide(chain, ArmMatrices(chain, state), state)
        bodies = range(len(chain.bodies))
        joints = [friction(chain.bodies[j].joint, state.q_d[j]) - right.joint(j) for j in bodies]
        forces = assemble(chain, joints, [-right.modes(j) for j in bodies])
        return forces + coupled_damping(chain, theta_d)
