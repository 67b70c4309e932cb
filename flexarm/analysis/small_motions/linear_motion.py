"""The linear equations of small motions about an operating point, by exact derivatives."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import casadi as ca
import numpy as np

from flexarm.analysis.operating_points.joint_roles import JointRoles, joint_roles
from flexarm.analysis.operating_points.operating_point import OperatingPoint
from flexarm.description.arm.arm import Arm
from flexarm.errors import ModelError
from flexarm.formulations.derivation_cost import derivation
from flexarm.formulations.formulation import make_formulation
from flexarm.formulations.kinematics.chain_state import theta_rate
from flexarm.model.chain import Chain
from flexarm.simulation.forces.applied_forces import (
    applied_forces,
    has_feedback,
    with_drives,
)
from flexarm.simulation.forces.drive_torques import integral_joints
from flexarm.simulation.forces.time_functions import Signals
from flexarm.simulation.state.initial_state import check_mass_matrix


@dataclass(frozen=True)
class LinearMotion:
    """Linearised equations of motion M x_dd + D x_d + K x + diag(ki) int x dt = forces, for small motions x (n,).

    Attributes
    ----------
    M, D, K : (n, n)
        Inertia; damping, friction and gyroscopic forces; stiffness of links, gravity, loads, controllers and of
        centrifugal forces.
    rows : tuple of int
        Which rows of theta_d the coordinates are; the others do not move.
    tangent : (n_theta, n)
        Change of theta per unit of x: unit columns but for the attitude of a free base, whose three coordinates
        are a rotation vector about the fixed axes.
    integral_gains : (n,)
        ki of the drive of each coordinate [N m/(rad s)]; 0 where there is none.
    """

    M: np.ndarray
    D: np.ndarray
    K: np.ndarray
    rows: tuple[int, ...]
    tangent: np.ndarray
    integral_gains: np.ndarray

    @property
    def is_conservative(self) -> bool:
        """True if nothing dissipates or feeds energy: D = 0 and a symmetric K."""
        return not (self.D.any() or self.integral_gains.any()) and bool(
            np.allclose(self.K, self.K.T, rtol=0, atol=1e-9 * np.abs(self.K).max(initial=0))
        )


def linear_motion(
    point: OperatingPoint, joints: str = "free", hold: Sequence[int] = (), *, deviating: bool = False
) -> LinearMotion:
    """Linearised equations of motion about an operating point; see :class:`LinearEquations`."""
    return LinearEquations.of(point, joints, hold, deviating=deviating).about(point)


@dataclass(frozen=True)
class LinearEquations:
    """Linearised equations of motion of an arm, to be evaluated about operating points that differ in numbers only.

    Attributes
    ----------
    function : casadi.Function
        (t, theta, theta_d, u) -> tangent, M, D, K.
    rows : tuple of int
        Which rows of theta_d move.
    roles : JointRoles
        What the joints do.
    integral_gains : (n,)
        See :class:`LinearMotion`.
    tables : DM
        The description's tables at t = 0.
    """

    function: ca.Function
    rows: tuple[int, ...]
    roles: JointRoles
    integral_gains: np.ndarray
    tables: ca.DM

    @classmethod
    def of(
        cls, point: OperatingPoint, joints: str = "free", hold: Sequence[int] = (), *, deviating: bool = False
    ) -> LinearEquations:
        """Derive them.

        Parameters
        ----------
        point : OperatingPoint
            The torques that hold the arm there are constant, but for those of drives with feedback.
        joints : {"free", "locked", "pd"}
        hold : sequence of int
            Joints that stay, counted from 1, see :func:`~flexarm.analysis.operating_points.joint_roles.joint_roles`.
        deviating : bool
            Whether the joint that turns steadily is a coordinate too, its deviation from that rotation under a
            constant torque; else its rate is prescribed.

        Raises
        ------
        ModelError
            Joints "pd" of an arm without PD drives, joints that cannot be held, or nothing that can move.

        Notes
        -----
        At rest the Coriolis and centrifugal forces, quadratic in the rates, have no linear part. All forces balance
        without accelerations, at rest as in a steady rotation, so that derivatives of the mass matrix meet none:
        K = d(bias - loads)/dtheta  with the weight's, the loads' and the centrifugal stiffness inside,
        D = d(bias - loads)/dtheta_d  with the gyroscopic forces. Both are constant in a steady rotation, since the
        angle of the joint that turns does not occur in them. Dry friction is the smooth function of the
        description, with its slope coulomb / smoothing at rest. Drives stay within the limits of their motors.
        """
        arm, chain, rotation = point.arm, point.chain, point.rotation
        if joints == "pd" and not has_feedback(arm):
            raise ModelError(
                f"{arm.name}: no joint has a PD drive (give drive: [{{pd: {{kp: .., kd: .., reference: ..}}}}])"
            )
        layout, signals = chain.coordinates, Signals(ca.SX.sym("t"))
        roles = joint_roles(arm, joints, hold, rotation)
        arm = with_drives(arm, "regulates", "motion") if joints == "pd" else with_drives(arm, "motion")
        stay = {layout.driven[joint - 1] for joint in (*roles.held, *roles.prescribed)}
        if rotation is not None and not deviating:
            stay.add(rotation.row)
        rows = [row for row in range(layout.n_dof) if row not in stay]
        if not rows:
            what = "every joint is held" if rotation is None else "every other joint is held"
            raise ModelError(f"{arm.name}: nothing can move: {what} and every link rigid")
        with derivation(chain, arm.run.formulation):
            derivatives = _derivatives(arm, chain, rows, signals)
        gains = _integral_gains(arm, chain)[rows]
        return cls(derivatives, tuple(rows), roles, gains, signals.values(0.0))

    def about(self, point: OperatingPoint) -> LinearMotion:
        """Evaluate them about an operating point.

        Raises
        ------
        ModelError
            A motion without inertia.
        """
        values = self.function.call([0.0, point.theta, point.theta_d, self.tables])
        tangent, M, D, K = (value.full() for value in values)
        check_mass_matrix(M, [point.chain.coordinates.labels[row] for row in self.rows])
        return LinearMotion(M, D, K, self.rows, tangent, self.integral_gains)


def _integral_gains(arm: Arm, chain: Chain) -> np.ndarray:
    """Gains of the integral parts of drives in the rows on which they act, (n_dof,) [N m/(rad s)]."""
    gains = np.zeros(chain.coordinates.n_dof)
    for joint in integral_joints(arm):
        row, drive = chain.coordinates.driven[joint], arm.drive[joint]
        if row is not None and drive is not None and drive.pd is not None:
            gains[row] = drive.pd.ki
    return gains


def _derivatives(arm: Arm, chain: Chain, rows: list[int], signals: Signals) -> ca.Function:
    """(t, theta, theta_d, u) -> tangent, M, D and K."""
    equations, layout = make_formulation(arm.run.formulation, chain), chain.coordinates
    theta, theta_d = ca.SX.sym("theta", layout.n_theta), ca.SX.sym("theta_d", layout.n_dof)
    applied = applied_forces(arm, chain, signals, theta, theta_d)
    missing = (equations.bias(theta, theta_d) - applied.forces(chain))[rows]
    tangent = ca.jacobian(theta_rate(chain, theta, theta_d), theta_d)[:, rows]
    derivatives = [
        tangent,
        equations.mass_matrix(theta)[rows, rows],
        ca.jacobian(missing, theta_d)[:, rows],
        ca.jacobian(missing, theta) @ tangent,
    ]
    inputs = [signals.t, theta, theta_d, signals.u]
    return ca.Function("linear", inputs, [ca.densify(value) for value in derivatives])
