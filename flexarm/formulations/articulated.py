"""Articulated-body solution of the flexible chain: cost grows with n, not with n^3.

Beyond the papers: the link equations of [GA09] solved link by link. From tip to base the modes (an m x m LDL^T)
and then the joint of each link are eliminated, which leaves the articulated inertia and force that the link shows
to its parent; from base to tip the accelerations follow. For rigid links this is Featherstone's algorithm.
"""

from __future__ import annotations

from collections.abc import Mapping

import casadi as ca

from flexarm.formulations.base import NONE, Formulation, friction, gather
from flexarm.formulations.kinematics import BodyMotion, State, motion, split
from flexarm.formulations.linear import ldl, ldl_substitute, mirror
from flexarm.formulations.link_inertia import LinkInertia, link_inertia
from flexarm.formulations.newton_euler import joint_and_modal_forces
from flexarm.formulations.rotations import skew
from flexarm.model.chain import Chain

JOINT_AXIS = 5
"""Row of a spatial vector (force or acceleration, then moment or angular acceleration) that the joint moves."""


class Articulated(Formulation):
    """Forward dynamics by elimination, inverse dynamics by recursion, mass matrix column by column."""

    def inverse_dynamics(self, chain: Chain, theta: ca.SX, theta_d: ca.SX, theta_dd: ca.SX) -> ca.SX:
        """Return the generalised forces by the recursion of :mod:`~flexarm.formulations.newton_euler`."""
        return gather(chain, *joint_and_modal_forces(chain, theta, theta_d, theta_dd))

    def bias(self, chain: Chain, theta: ca.SX, theta_d: ca.SX) -> ca.SX:
        """Return the inverse dynamics at zero acceleration."""
        return self.inverse_dynamics(chain, theta, theta_d, ca.SX.zeros(chain.coordinates.n_dof))

    def mass_matrix(self, chain: Chain, theta: ca.SX) -> ca.SX:
        """Return the derivative of the inverse dynamics, which are linear in theta_dd."""
        n = chain.coordinates.n_dof
        theta_dd = ca.SX.sym("theta_dd", n)
        forces = self.inverse_dynamics(chain, theta, ca.SX.zeros(n), theta_dd)
        return mirror(ca.densify(ca.jacobian(forces, theta_dd)))

    def accelerations(
        self, chain: Chain, theta: ca.SX, theta_d: ca.SX, forces: ca.SX, known: Mapping[int, ca.SX] = NONE
    ) -> ca.SX:
        """Return theta_dd by elimination from tip to base and substitution from base to tip."""
        state = State.of(chain, theta, theta_d)
        tau, modal_forces = split(chain, forces)
        motions = motion(chain, state)
        n = len(chain.bodies)

        # Pass 1, tip to base: the articulated inertia Ia and force pa of every body, about its own frame
        eliminations: list[_Elimination] = []
        outboard: tuple[ca.SX, ca.SX] | None = None
        for i in reversed(range(n)):
            body, here = chain.bodies[i], motions[i]
            inertia = link_inertia(body.link, state.delta[i], state.delta_d[i], here.w)
            M_cc, M_cm, M_mm, b_c, b_m = _link_equations(inertia)
            if outboard is not None:
                H, rest = _to_child(here, motions[i + 1])
                M_cc, M_cm, M_mm, b_c, b_m = _add_child(M_cc, M_cm, M_mm, b_c, b_m, H, rest, *outboard)
            step = _Elimination(M_cc, M_cm, M_mm, b_c, b_m - modal_forces[i])
            row = chain.rows[i].joint
            if row is not None and row in known:
                step.prescribe_joint(known[row])
            elif row is not None:
                step.eliminate_joint(tau[i] - friction(body.joint, state.q_d[i]), body.joint.motor_inertia)
            outboard = step.Ia, step.pa
            eliminations.append(step)
        eliminations.reverse()

        # Pass 2, base to tip: joint and modal accelerations; the base accelerates with -g
        q_dd, delta_dd = [], []
        A = ca.vertcat(-(motions[0].R.T @ ca.SX(ca.vertcat(*chain.gravity))), ca.SX.zeros(3))
        for i in range(n):
            if i > 0:
                H, rest = _to_child(motions[i - 1], motions[i])
                A = H @ ca.vertcat(A, delta_dd[i - 1]) + rest
            q_dd_i, A, delta_dd_i = eliminations[i].substitute(A)
            q_dd.append(q_dd_i)
            delta_dd.append(delta_dd_i)
        return gather(chain, q_dd, delta_dd)


class _Elimination:
    """Removal of one link's modes and joint from its equations, and the way back."""

    def __init__(self, M_cc: ca.SX, M_cm: ca.SX, M_mm: ca.SX, b_c: ca.SX, b_m: ca.SX):
        # delta_dd = -(g + G A), with M_mm [g, G] = [b_m, M_cm^T]
        self.modes = ldl_substitute(ldl(M_mm), ca.horzcat(b_m, M_cm.T))
        self.Ia = mirror(M_cc - M_cm @ self.modes[:, 1:])
        self.pa = b_c - M_cm @ self.modes[:, 0]
        self.u, self.row = ca.SX(0), ca.SX.zeros(6)

    def prescribe_joint(self, q_dd: ca.SX) -> None:
        """q_dd is known: it only adds to what the frame's parent feels."""
        self.u = q_dd
        self.pa = self.pa + self.Ia[:, JOINT_AXIS] * q_dd

    def eliminate_joint(self, tau: ca.SX, motor_inertia: float) -> None:
        """q_dd = u - U^T A / D: the joint's row of the articulated equations."""
        U = self.Ia[:, JOINT_AXIS]
        D = U[JOINT_AXIS] + motor_inertia
        self.row = U / D
        self.u = (tau - self.pa[JOINT_AXIS]) / D
        self.Ia = mirror(self.Ia - U @ self.row.T)
        self.pa = self.pa + U * self.u

    def substitute(self, A: ca.SX) -> tuple[ca.SX, ca.SX, ca.SX]:
        """Return q_dd, the frame's acceleration (6,) with it, and delta_dd, given it without."""
        q_dd = self.u - ca.dot(self.row, A)
        A = A + ca.vertcat(ca.SX.zeros(5), q_dd)
        return q_dd, A, -(self.modes[:, 0] + self.modes[:, 1:] @ A)


def _link_equations(inertia: LinkInertia) -> tuple[ca.SX, ca.SX, ca.SX, ca.SX, ca.SX]:
    """Mass matrix blocks (frame, frame-modes, modes) and biases of one link by itself."""
    S = skew(inertia.s)
    M_cc = ca.blockcat([[inertia.mass * ca.SX.eye(3), -S], [S, inertia.J]])
    M_cm = ca.vertcat(inertia.C1, inertia.alpha)
    return ca.densify(M_cc), M_cm, inertia.C3, ca.vertcat(inertia.bias_v, inertia.bias_w), inertia.bias_modes


def _to_child(parent: BodyMotion, child: BodyMotion) -> tuple[ca.SX, ca.SX]:
    """H and rest: the child frame's acceleration without its own joint is ``H @ [a; al; delta_dd] + rest``."""
    end, Rt = parent.end, child.R.T
    H = ca.blockcat(
        [
            [Rt, -Rt @ skew(end.d), Rt @ end.columns],
            [ca.SX.zeros(3, 3), Rt, Rt @ end.rotation.columns],
        ]
    )
    return ca.densify(H), ca.vertcat(child.rest_a, child.rest_al)


def _add_child(
    M_cc: ca.SX, M_cm: ca.SX, M_mm: ca.SX, b_c: ca.SX, b_m: ca.SX, H: ca.SX, rest: ca.SX, Ia: ca.SX, pa: ca.SX
) -> tuple[ca.SX, ca.SX, ca.SX, ca.SX, ca.SX]:
    """Add what the child shows of itself: M += H^T Ia H, b += H^T (Ia rest + pa)."""
    IaH = Ia @ H
    M = H.T @ IaH
    b = H.T @ (Ia @ rest + pa)
    return mirror(M_cc + M[:6, :6]), M_cm + M[:6, 6:], mirror(M_mm + M[6:, 6:]), b_c + b[:6], b_m + b[6:]
