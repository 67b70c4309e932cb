"""Elimination of one link's modes and joint: what its articulated inertia is left with, and the substitution back."""

from __future__ import annotations

import casadi as ca

from flexarm.formulations.dynamics.link_inertia import LinkInertia
from flexarm.formulations.kinematics.rotations import skew
from flexarm.formulations.linear_algebra import divided_rows, ldl, symmetric_from_upper, triangular_solve
from flexarm.formulations.methods.articulated.articulated_inertia import ArticulatedInertia
from flexarm.formulations.methods.articulated.body_transforms import (
    Accelerations,
    BodyTransform,
)


class LinkEquations:
    """Equations of one link and its outboard bodies in the accelerations of its frame and its modes.

    Attributes
    ----------
    frame : ArticulatedInertia
        Force and moment on the frame while delta_dd is zero.
    M_fm, M_nm, M_mm : SX (3, m), (3, m), (m, m) [kg, kg m, kg; rad for m in torsion]
        Coupling of delta_dd with force and moment, and mass matrix of the modes.
    b_m : SX (m,) [N]
        Bias: modal forces at zero acceleration.
    """

    def __init__(self, link: LinkInertia):
        A = link.mass * ca.SX.eye(3)
        self.frame = ArticulatedInertia(A, -skew(link.s), link.J, link.bias_v, link.bias_w)
        self.M_fm, self.M_nm, self.M_mm, self.b_m = link.C1, link.alpha, link.C3, link.bias_modes

    def add_child(self, transform: BodyTransform, outboard: ArticulatedInertia) -> None:
        """Add the articulated inertia of the next body, reached by its transform."""
        end, at_end = transform.end, transform.inwards(outboard)
        T, modal = end.rotation.T, end.rotation.modal
        # The end has the accelerations jacobian delta_dd and T modal delta_dd: force and moment there, and their
        # projections
        f = at_end.A @ end.jacobian + (at_end.B @ T) @ modal
        n = at_end.B.T @ end.jacobian + (at_end.C @ T) @ modal
        self.M_mm += end.jacobian.T @ f + modal.T @ (T.T @ n)
        self.b_m += end.jacobian.T @ at_end.f + modal.T @ (T.T @ at_end.n)
        self.M_fm += f
        self.M_nm += n + skew(end.d) @ f
        self.frame += at_end.shifted(end.d)


class JointElimination:
    """Elimination of one link's modes, then of its joint.

    Attributes
    ----------
    remaining : ArticulatedInertia
        What the parent feels, about the frame without the joint's own motion.
    """

    def __init__(self, link: LinkEquations, modal_forces: ca.SX):
        # M_mm = L D L^T; with Y = L^-1 [M_mf, M_mn, b_m] the frame is left with M - Y^T D^-1 Y
        self.L, D = ldl(symmetric_from_upper(link.M_mm))
        right_side = ca.horzcat(link.M_fm.T, link.M_nm.T, link.b_m - modal_forces)
        Y = triangular_solve(self.L, right_side)
        self.Z = divided_rows(Y, D)
        reduction = Y[:, :6].T @ self.Z
        frame = link.frame
        self.remaining = ArticulatedInertia(
            A=symmetric_from_upper(frame.A - reduction[:3, :3]),
            B=frame.B - reduction[:3, 3:6],
            C=symmetric_from_upper(frame.C - reduction[3:, 3:6]),
            f=frame.f - reduction[:3, 6],
            n=frame.n - reduction[3:, 6],
        )
        self.u: ca.SX | None = None
        self.row = ca.SX(0)

    def prescribe_joint(self, q_dd: ca.SX) -> None:
        """Prescribe the scalar q_dd [rad/s^2]: it only adds to the force that the parent feels."""
        self.u, self.row = q_dd, ca.SX.zeros(6)
        frame = self.remaining
        self.remaining = frame.accelerated(ca.SX.zeros(3), ca.vertcat(0, 0, q_dd))

    def eliminate_joint(self, tau: ca.SX, motor_inertia: float) -> None:
        """Eliminate q_dd = u - row . (a, al), the joint's row under the torque tau [N m], rotor inertia [kg m^2]."""
        frame = self.remaining
        U_f, U_n = frame.B[:, 2], frame.C[:, 2]
        inverse_D = 1 / (U_n[2] + motor_inertia)
        self.u = (tau - frame.n[2]) * inverse_D
        # without rotor inertia the joint transmits tau alone: those zeros are structural
        no_rotor = ca.SX(motor_inertia).is_zero()
        row_f, row_n = U_f * inverse_D, ca.vertcat(U_n[:2] * inverse_D, 1 if no_rotor else U_n[2] * inverse_D)
        self.row = ca.vertcat(row_f, row_n)
        n = frame.n + U_n * self.u
        self.remaining = ArticulatedInertia(
            A=symmetric_from_upper(frame.A - U_f @ row_f.T),
            B=frame.B - U_f @ row_n.T,
            C=symmetric_from_upper(frame.C - U_n @ row_n.T),
            f=frame.f + U_f * self.u,
            n=ca.vertcat(n[:2], tau) if no_rotor else n,
        )

    def substitute(self, frame: Accelerations) -> tuple[ca.SX, Accelerations, ca.SX]:
        """Return q_dd, the accelerations of the frame with it, and delta_dd (m,), given those without q_dd."""
        q_dd = ca.SX(0)
        if self.u is not None:
            a_al = ca.vertcat(frame.a, frame.al)
            remainder = self.u - ca.dot(self.row[:5], a_al[:5])
            if self.row[5].is_one():  # the angular acceleration about the axis needs no q_dd
                al_z = remainder
                q_dd = al_z - frame.al[2]
            else:
                q_dd = remainder - self.row[5] * frame.al[2]
                al_z = frame.al[2] + q_dd
            frame = Accelerations(frame.a, ca.vertcat(frame.al[:2], al_z))
        # L^T delta_dd = -D^-1 Y (a, al, 1)
        right_side = self.Z[:, 6] + self.Z[:, :6] @ ca.vertcat(frame.a, frame.al)
        return q_dd, frame, -triangular_solve(self.L.T, right_side)
