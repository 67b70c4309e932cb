"""Elimination of one link's modes and joint: what its articulated inertia is left with, and the substitution back."""

from __future__ import annotations

from dataclasses import dataclass

import casadi as ca

from flexarm.formulations.dynamics.link_inertia import LinkInertia
from flexarm.formulations.kinematics.chain_motion import Accelerations, BodyMotion
from flexarm.formulations.kinematics.joint_transforms import Subspace
from flexarm.formulations.kinematics.rotations import skew
from flexarm.formulations.linear_algebra import divided_rows, ldl, symmetric_from_upper, triangular_solve
from flexarm.formulations.methods.articulated.articulated_inertia import ArticulatedInertia


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

    def add_child(self, child: BodyMotion, outboard: ArticulatedInertia) -> None:
        """Add the articulated inertia of the next body, which sits at the end of this link."""
        end, at_end = child.root, outboard.at_root(child)
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
        self.joint: _JointRow | None = None

    def prescribe_joint(self, S: Subspace, q_dd: ca.SX) -> None:
        """Prescribe the scalar q_dd [rad/s^2, m/s^2]: it only adds to the force that the parent feels."""
        self.joint = _JointRow(S, q_dd, ca.SX.zeros(6), None)
        self.remaining = self.remaining.accelerated(S.v * q_dd, S.w * q_dd)

    def eliminate_joint(self, S: Subspace, tau: ca.SX, motor_inertia: float) -> None:
        """Eliminate q_dd under the force tau [N m, N] along S, with the rotor's inertia [kg m^2, kg]."""
        frame = self.remaining
        U = ca.vertcat(frame.A @ S.v + frame.B @ S.w, frame.B.T @ S.v + frame.C @ S.w)
        s, b = ca.vertcat(S.v, S.w), ca.vertcat(frame.f, frame.n)
        inverse_D = 1 / (ca.dot(s, U) + motor_inertia)
        u, row = (tau - ca.dot(s, b)) * inverse_D, U * inverse_D
        b += U * u
        # along a coordinate axis a joint without rotor inertia transmits tau alone: those zeros are structural
        axis = _unit_entry(s) if ca.SX(motor_inertia).is_zero() else None
        if axis is not None:
            row[axis], b[axis] = s[axis], s[axis] * tau
        self.joint = _JointRow(S, u, row, axis)
        (U_f, U_n), (row_f, row_n) = ca.vertsplit(U, 3), ca.vertsplit(row, 3)
        A, B, C = frame.A - U_f @ row_f.T, frame.B - U_f @ row_n.T, frame.C - U_n @ row_n.T
        if axis is not None and axis < 3:
            A[axis, :], A[:, axis], B[axis, :] = 0, 0, 0
        elif axis is not None:
            C[axis - 3, :], C[:, axis - 3], B[:, axis - 3] = 0, 0, 0
        self.remaining = ArticulatedInertia(symmetric_from_upper(A), B, symmetric_from_upper(C), b[:3], b[3:])

    def substitute(self, frame: Accelerations) -> tuple[ca.SX, Accelerations, ca.SX]:
        """Return q_dd, the accelerations of the frame with it, and delta_dd (m,), given those without q_dd."""
        q_dd = ca.SX(0)
        if self.joint is not None:
            q_dd, frame = self.joint.substitute(frame)
        # L^T delta_dd = -D^-1 Y (a, al, 1)
        right_side = self.Z[:, 6] + self.Z[:, :6] @ ca.vertcat(frame.a, frame.al)
        return q_dd, frame, -triangular_solve(self.L.T, right_side)


@dataclass(frozen=True)
class _JointRow:
    """Equation q_dd = u - row . (a, al) of a joint that has been eliminated.

    Attributes
    ----------
    S : Subspace
    u : SX
    row : SX (6,)
    axis : int or None
        Coordinate axis of (a, al) along which the joint moves where the row has S there: the acceleration along it then
        needs no q_dd.
    """

    S: Subspace
    u: ca.SX
    row: ca.SX
    axis: int | None

    def substitute(self, frame: Accelerations) -> tuple[ca.SX, Accelerations]:
        """Return q_dd and the accelerations of the frame with it, given those without."""
        s, a_al = ca.vertcat(self.S.v, self.S.w), ca.vertcat(frame.a, frame.al)
        if self.axis is None:
            q_dd = self.u - ca.dot(self.row, a_al)
            a_al += s * q_dd
        else:
            others, sign = [k for k in range(6) if k != self.axis], s[self.axis]
            along = sign * (self.u - ca.dot(self.row[others], a_al[others]))
            q_dd = sign * (along - a_al[self.axis])
            a_al[self.axis] = along
        return q_dd, Accelerations(a_al[:3], a_al[3:])


def _unit_entry(s: ca.SX) -> int | None:
    """Where s (6,) has its only entry, if that is 1 or -1."""
    found = [k for k in range(6) if not s[k].is_zero()]
    is_unit = len(found) == 1 and (s[found[0]].is_one() or s[found[0]].is_minus_one())
    return found[0] if is_unit else None
