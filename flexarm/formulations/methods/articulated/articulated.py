"""Articulated-body solution of the flexible chain: cost grows with n, not with n^3.

Beyond the papers: the link equations of [GA09] solved link by link. From tip to base the modes (an m x m LDL^T)
and then the joint of each link are eliminated, which leaves the articulated inertia and force that the link shows
to its parent; from base to tip the accelerations follow. For rigid links this is Featherstone's algorithm.
"""

from __future__ import annotations

from collections.abc import Mapping

import casadi as ca

from flexarm.formulations.assembly import assemble, split
from flexarm.formulations.dynamics.friction import friction
from flexarm.formulations.dynamics.link_inertia import LinkInertia, link_inertia
from flexarm.formulations.dynamics.newton_euler import joint_and_modal_forces
from flexarm.formulations.formulation import NONE, Formulation
from flexarm.formulations.kinematics.chain_state import State
from flexarm.formulations.kinematics.rotations import skew
from flexarm.formulations.linear_algebra import divided_rows, ldl, symmetric_from_upper, triangular_solve
from flexarm.formulations.methods.articulated.articulated_inertia import ArticulatedInertia
from flexarm.formulations.methods.articulated.body_transforms import (
    Accelerations,
    BodyTransform,
    body_transforms,
)
from flexarm.model.chain import Chain


class Articulated(Formulation):
    """Forward dynamics by elimination, inverse dynamics by recursion, mass matrix column by column."""

    def inverse_dynamics(self, chain: Chain, theta: ca.SX, theta_d: ca.SX, theta_dd: ca.SX) -> ca.SX:
        """Return the generalised forces by the recursion of :mod:`~flexarm.formulations.dynamics.newton_euler`."""
        return assemble(chain, *joint_and_modal_forces(chain, theta, theta_d, theta_dd))

    def bias(self, chain: Chain, theta: ca.SX, theta_d: ca.SX) -> ca.SX:
        """Return the inverse dynamics at zero acceleration."""
        return self.inverse_dynamics(chain, theta, theta_d, ca.SX.zeros(chain.coordinates.n_dof))

    def mass_matrix(self, chain: Chain, theta: ca.SX) -> ca.SX:
        """Return the derivative of the inverse dynamics, which are linear in theta_dd."""
        n = chain.coordinates.n_dof
        theta_dd = ca.SX.sym("theta_dd", n)
        forces = self.inverse_dynamics(chain, theta, ca.SX.zeros(n), theta_dd)
        return symmetric_from_upper(ca.densify(ca.jacobian(forces, theta_dd)))

    def accelerations(
        self, chain: Chain, theta: ca.SX, theta_d: ca.SX, forces: ca.SX, known: Mapping[int, ca.SX] = NONE
    ) -> ca.SX:
        """Return theta_dd by elimination from tip to base and substitution from base to tip."""
        state = State.of(chain, theta, theta_d)
        tau, modal_forces = split(chain, forces)
        ways = body_transforms(chain, state)
        n = len(chain.bodies)

        # Pass 1, tip to base: what every body shows of itself and all beyond it, about its own frame
        eliminations: list[_Elimination] = []
        for i in reversed(range(n)):
            body = chain.bodies[i]
            equations = _LinkEquations(link_inertia(body.link, state.delta[i], state.delta_d[i], ways[i].w))
            if eliminations:
                equations.add_beyond(ways[i + 1], eliminations[-1].remaining)
            step = _Elimination(equations, modal_forces[i])
            row = chain.rows[i].joint
            if row is not None and row in known:
                step.prescribe_joint(known[row])
            elif row is not None:
                step.eliminate_joint(tau[i] - friction(body.joint, state.q_d[i]), body.joint.motor_inertia)
            eliminations.append(step)
        eliminations.reverse()

        # Pass 2, base to tip: joint and modal accelerations; the base accelerates with -g
        q_dd, delta_dd = [], []
        frame = Accelerations(-ca.SX(ca.vertcat(*chain.gravity)), ca.SX.zeros(3))
        for way, step in zip(ways, eliminations, strict=True):
            frame = way.outwards(frame, delta_dd[-1] if delta_dd else ca.SX(0, 1))
            q_dd_i, frame, delta_dd_i = step.substitute(frame)
            q_dd.append(q_dd_i)
            delta_dd.append(delta_dd_i)
        return assemble(chain, q_dd, delta_dd)


class _LinkEquations:
    """Equations of one link and all that hangs on its end, in the accelerations of its frame and its modes.

    Attributes
    ----------
    frame : ArticulatedInertia
        Force and moment on the frame with the modes at rest.
    M_fm, M_nm, M_mm : SX (3, m), (3, m), (m, m)
        What the modes' accelerations add to force and moment, and their own mass matrix.
    b_m : SX (m,)
        Forces on the modes without accelerations.
    """

    def __init__(self, link: LinkInertia):
        A = link.mass * ca.SX.eye(3)
        self.frame = ArticulatedInertia(A, -skew(link.s), link.J, link.bias_v, link.bias_w)
        self.M_fm, self.M_nm, self.M_mm, self.b_m = link.C1, link.alpha, link.C3, link.bias_modes

    def add_beyond(self, way: BodyTransform, beyond: ArticulatedInertia) -> None:
        """Add what the next body shows of itself."""
        end, at_end = way.end, way.inwards(beyond)
        T, modal = end.rotation.T, end.rotation.modal
        # The end moves by columns delta_dd and turns by T modal delta_dd: force and moment there, and their projections
        f = at_end.A @ end.columns + (at_end.B @ T) @ modal
        n = at_end.B.T @ end.columns + (at_end.C @ T) @ modal
        self.M_mm += end.columns.T @ f + modal.T @ (T.T @ n)
        self.b_m += end.columns.T @ at_end.f + modal.T @ (T.T @ at_end.n)
        self.M_fm += f
        self.M_nm += n + skew(end.d) @ f
        self.frame += at_end.shifted(end.d)


class _Elimination:
    """Removal of one link's modes and joint from its equations, and the way back."""

    def __init__(self, link: _LinkEquations, modal_forces: ca.SX):
        # M_mm = L D L^T; with Y = L^-1 [M_mf, M_mn, b_m] the frame is left with M - Y^T D^-1 Y
        self.L, D = ldl(symmetric_from_upper(link.M_mm))
        right = ca.horzcat(link.M_fm.T, link.M_nm.T, link.b_m - modal_forces)
        Y = triangular_solve(self.L, right)
        self.Z = divided_rows(Y, D)
        less = Y[:, :6].T @ self.Z
        frame = link.frame
        self.remaining = ArticulatedInertia(
            A=symmetric_from_upper(frame.A - less[:3, :3]),
            B=frame.B - less[:3, 3:6],
            C=symmetric_from_upper(frame.C - less[3:, 3:6]),
            f=frame.f - less[:3, 6],
            n=frame.n - less[3:, 6],
        )
        self.u: ca.SX | None = None
        self.row = ca.SX(0)

    def prescribe_joint(self, q_dd: ca.SX) -> None:
        """q_dd is known: it only adds to what the frame's parent feels."""
        self.u, self.row = q_dd, ca.SX.zeros(6)
        frame = self.remaining
        self.remaining = frame.accelerated(ca.SX.zeros(3), ca.vertcat(0, 0, q_dd))

    def eliminate_joint(self, tau: ca.SX, motor_inertia: float) -> None:
        """q_dd = u - row . (a, al): the joint's row of the articulated equations, whose right side is tau."""
        frame = self.remaining
        U_f, U_n = frame.B[:, 2], frame.C[:, 2]
        per_D = 1 / (U_n[2] + motor_inertia)
        self.u = (tau - frame.n[2]) * per_D
        # without a motor's inertia the joint passes on tau and nothing else: those zeros are structural
        free = ca.SX(motor_inertia).is_zero()
        row_f, row_n = U_f * per_D, ca.vertcat(U_n[:2] * per_D, 1 if free else U_n[2] * per_D)
        self.row = ca.vertcat(row_f, row_n)
        n = frame.n + U_n * self.u
        self.remaining = ArticulatedInertia(
            A=symmetric_from_upper(frame.A - U_f @ row_f.T),
            B=frame.B - U_f @ row_n.T,
            C=symmetric_from_upper(frame.C - U_n @ row_n.T),
            f=frame.f + U_f * self.u,
            n=ca.vertcat(n[:2], tau) if free else n,
        )

    def substitute(self, frame: Accelerations) -> tuple[ca.SX, Accelerations, ca.SX]:
        """Return q_dd, the frame's accelerations with it, and delta_dd, given the accelerations without it."""
        q_dd = ca.SX(0)
        if self.u is not None:
            a_al = ca.vertcat(frame.a, frame.al)
            rest = self.u - ca.dot(self.row[:5], a_al[:5])
            if self.row[5].is_one():  # the angular acceleration about the axis needs no q_dd
                al_z = rest
                q_dd = al_z - frame.al[2]
            else:
                q_dd = rest - self.row[5] * frame.al[2]
                al_z = frame.al[2] + q_dd
            frame = Accelerations(frame.a, ca.vertcat(frame.al[:2], al_z))
        # L^T delta_dd = -D^-1 Y (a, al, 1)
        right = self.Z[:, 6] + self.Z[:, :6] @ ca.vertcat(frame.a, frame.al)
        return q_dd, frame, -triangular_solve(self.L.T, right)
