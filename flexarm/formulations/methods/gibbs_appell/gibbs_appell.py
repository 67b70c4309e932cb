"""Recursive Gibbs-Appell formulation of Korayem & Shafei, steps 1 to 10 of [GA09], with 3x3 and 3x1 objects only.

Names are the paper's. ``X[j, k]`` stands for the paper's left-superscript j, right-subscript k; ``_p`` for a plus
sign on that index, so ``sigma_pp`` is sigma with plus signs on both. Links are counted from 0.

Differs from source: [GA09] (44) prints a minus before its last term, which is a plus as in (43); with
``link_rotation: finite`` the modal rotations theta_jf(l) carry the factor T(theta) of
:func:`~flexarm.formulations.kinematics.deflection_rotation.deflection_rotation`; joints may slide, and may turn about
other axes than z, so that their rows are those of a force and a moment, along their motion subspace.
"""

from __future__ import annotations

import casadi as ca

from flexarm.formulations.assembly import assemble
from flexarm.formulations.contract import Formulation
from flexarm.formulations.dynamics.coupled_damping import coupled_damping
from flexarm.formulations.dynamics.friction import friction
from flexarm.formulations.dynamics.link_inertia import LinkInertia, link_inertia
from flexarm.formulations.kinematics.chain_motion import chain_motion
from flexarm.formulations.kinematics.chain_state import ChainState
from flexarm.formulations.linear_algebra import symmetric_from_upper
from flexarm.formulations.methods.gibbs_appell.compound_motion import CompoundMotion, compound_motion
from flexarm.formulations.methods.gibbs_appell.inertia_recursions import InertiaRecursions
from flexarm.model.chain import Chain


class GibbsAppell(Formulation):
    """I(theta) theta_dd = Re, [GA09] eq. 94; the bias is -Re without the joint torques."""

    def bias(self, theta: ca.SX, theta_d: ca.SX) -> ca.SX:
        """Return -Re (n_dof,) [N m, N] by the S, T, phi, chi recursions: steps 2 to 6."""
        chain = self.chain
        state = ChainState.of(chain, theta, theta_d)
        motions = compound_motion(chain, state, chain_motion(chain, state))
        n = len(motions)
        links = _links(chain, state, motions)

        # Step 2: velocity-dependent accelerations al_v and a_v (eqs. 69-70); the base accelerates with -g
        a_v = [-(motions[0].R.T @ ca.SX(ca.vertcat(*chain.gravity)))]
        al_v = [ca.SX.zeros(3)]
        for i in range(1, n):
            R = motions[i].R
            al_v.append(R.T @ al_v[i - 1] + motions[i].al_bias)
            a_v.append(R.T @ (a_v[i - 1] + ca.cross(al_v[i - 1], motions[i - 1].end.d)) + motions[i].a_bias)

        # Step 3: S_i, eq. 96, and T_i, eq. 97
        S = [link.mass * a_v[i] + ca.cross(al_v[i], link.s) + link.bias_v for i, link in enumerate(links)]
        T = [ca.cross(link.s, a_v[i]) + link.J @ al_v[i] + link.bias_w for i, link in enumerate(links)]

        # Step 4: phi_j, eq. 100, and chi_j, eq. 99
        phi, chi = [ca.SX.zeros(3)] * n, [ca.SX.zeros(3)] * n
        chi_outer = [ca.SX.zeros(3)] * n  # jR_j+1 chi_j+1
        for j in reversed(range(n)):
            if j + 1 < n:
                R = motions[j + 1].R
                phi[j] = R @ (S[j + 1] + phi[j + 1])
                chi_outer[j] = R @ chi[j + 1]
            chi[j] = T[j] + ca.cross(motions[j].end.d, phi[j]) + chi_outer[j]

        # Step 5: -Q_jf with strain and damping, eq. 102
        Q = [link.bias_modes + link.C1.T @ a_v[j] + link.alpha.T @ al_v[j] for j, link in enumerate(links)]

        # Step 6: -Re_j, eq. 98, and -Re_jf, eq. 103
        Re_joint = [
            ca.dot(S_j.w, chi[j])
            + ca.dot(S_j.v, S[j] + phi[j])
            + friction(chain.bodies[j].joint, state.q_d[j])
            for j, S_j in enumerate(here.S for here in motions)
        ]
        Re_modes = [
            Q[j] + motions[j].end.jacobian.T @ phi[j] + motions[j].end.rotation.jacobian.T @ chi_outer[j]
            for j in range(n)
        ]
        return assemble(chain, Re_joint, Re_modes) + coupled_damping(chain, theta_d)

    def mass_matrix(self, theta: ca.SX) -> ca.SX:
        """Return I(theta) (n_dof, n_dof) [kg m^2, kg m, kg]: steps 7 to 10.

        By the sigma, psi, xi, gamma, U, V, lambda recursions.
        """
        chain, n_dof = self.chain, self.chain.coordinates.n_dof
        state = ChainState.of(chain, theta, ca.SX.zeros(n_dof))
        motions = compound_motion(chain, state, chain_motion(chain, state))
        links = _links(chain, state, motions)
        compound = InertiaRecursions(motions, links)
        n = len(motions)
        # Step 10: the blocks of bodies j <= k and their mirror images
        I = ca.SX.zeros(n_dof, n_dof)

        def fill(rows: list[int], columns: list[int], block: ca.SX) -> None:
            I[rows, columns], I[columns, rows] = block, block.T

        joint = [[] if rows.joint is None else [rows.joint] for rows in chain.rows]
        modes = [list(rows.modes) for rows in chain.rows]
        for j in range(n):
            for k in range(j, n):
                if joint[j] and joint[k]:
                    fill(joint[j], joint[k], compound.joint_joint(j, k))
                if joint[j] and modes[k]:
                    fill(joint[j], modes[k], compound.joint_modes(j, k))
                if joint[k] and modes[j] and k > j:
                    fill(joint[k], modes[j], compound.joint_modes(k, j))
                if modes[j] and modes[k]:
                    fill(modes[j], modes[k], compound.modes_modes(j, k))
            if joint[j]:
                I[joint[j], joint[j]] += chain.bodies[j].joint.motor_inertia
        return symmetric_from_upper(I)


def _links(chain: Chain, state: ChainState, motions: list[CompoundMotion]) -> list[LinkInertia]:
    return [
        link_inertia(body.link, state.delta[i], state.delta_d[i], motions[i].w)
        for i, body in enumerate(chain.bodies)
    ]
