"""The linear equations of small motions about an operating point, by exact derivatives."""

from __future__ import annotations

from dataclasses import dataclass

import casadi as ca
import numpy as np

from flexarm.analysis.operating_point import OperatingPoint
from flexarm.description.arm.arm import Arm
from flexarm.errors import ModelError
from flexarm.formulations.formulation import make_formulation
from flexarm.formulations.kinematics.chain_state import theta_rate
from flexarm.model.chain import Chain
from flexarm.simulation.forces.applied_forces import (
    applied_forces,
    has_pd_drive,
    prescribed_motion,
    with_drives,
)
from flexarm.simulation.forces.time_functions import Signals
from flexarm.simulation.state.initial_state import check_mass_matrix

JOINTS = ("free", "locked", "pd")
"""What the joints do: move without a drive, stay where they are, or follow the arm's own PD drives."""


@dataclass(frozen=True)
class LinearMotion:
    """Linearised equations of motion M x_dd + D x_d + K x = forces, for small motions x of n coordinates.

    Attributes
    ----------
    M, D, K : (n, n)
        Inertia; damping and friction; stiffness of links, gravity, loads and controllers.
    rows : tuple of int
        Which rows of theta_d the coordinates are; the others do not move.
    tangent : (n_theta, n)
        Change of theta per unit of x: unit columns but for the attitude of a free base, whose three coordinates
        are a rotation vector about the fixed axes.
    """

    M: np.ndarray
    D: np.ndarray
    K: np.ndarray
    rows: tuple[int, ...]
    tangent: np.ndarray

    @property
    def is_conservative(self) -> bool:
        """True if nothing dissipates or feeds energy: D = 0 and a symmetric K."""
        return not self.D.any() and bool(
            np.allclose(self.K, self.K.T, rtol=0, atol=1e-9 * np.abs(self.K).max(initial=0))
        )


def linear_motion(point: OperatingPoint, joints: str = "free") -> LinearMotion:
    """Linearised equations of motion about an operating point.

    Parameters
    ----------
    point : OperatingPoint
        The torques that hold the arm there are constant, but for those of PD drives.
    joints : {"free", "locked", "pd"}
        Joints whose motion is prescribed, and fixed ones, stay in any case.

    Raises
    ------
    ModelError
        Joints "pd" of an arm without PD drives, nothing that can move, or a motion without inertia.

    Notes
    -----
    At rest the Coriolis and centrifugal forces, quadratic in the rates, have no linear part, and forces balance, so
    that derivatives of the mass matrix meet no acceleration:  K = d(bias - loads)/dtheta  with the weight's and
    the loads' geometric stiffness inside,  D = d(bias - loads)/dtheta_d.  Dry friction is the smooth function of
    the description, with its slope coulomb / smoothing at rest.
    """
    arm, chain = point.arm, point.chain
    if joints == "pd" and not has_pd_drive(arm):
        raise ModelError(
            f"{arm.name}: no joint has a PD drive (give drive: [{{pd: {{kp: .., kd: .., reference: ..}}}}])"
        )
    driven = with_drives(arm, "pd", "motion") if joints == "pd" else with_drives(arm, "motion")
    rows = _moving_rows(driven, chain, joints)
    if not rows:
        raise ModelError(f"{arm.name}: nothing can move: every joint is held and every link rigid")
    tangent, M, D, K = (value.full() for value in _derivatives(driven, chain, rows, point.theta))
    check_mass_matrix(M, [chain.coordinates.labels[row] for row in rows])
    return LinearMotion(M, D, K, tuple(rows), tangent)


def _moving_rows(arm: Arm, chain: Chain, joints: str) -> list[int]:
    layout = chain.coordinates
    locked = set(prescribed_motion(arm, chain, Signals(ca.SX.sym("t"))))
    if joints == "locked":
        locked.update(layout.moving_joints)
    return [row for row in range(layout.n_dof) if row not in locked]


def _derivatives(arm: Arm, chain: Chain, rows: list[int], at: np.ndarray) -> list[ca.DM]:
    """Tangent, M, D and K at the posture ``at`` (n_theta,)."""
    equations, n = make_formulation(arm.run.formulation), chain.coordinates.n_dof
    signals, theta, theta_d = Signals(ca.SX.sym("t")), ca.SX.sym("theta", at.size), ca.SX.sym("theta_d", n)
    applied = applied_forces(arm, chain, signals, theta, theta_d)
    missing = (equations.bias(chain, theta, theta_d) - applied.forces(chain))[rows]
    tangent = ca.jacobian(theta_rate(chain, theta, theta_d), theta_d)[:, rows]
    derivatives = [
        tangent,
        equations.mass_matrix(chain, theta)[rows, rows],
        ca.jacobian(missing, theta_d)[:, rows],
        ca.jacobian(missing, theta) @ tangent,
    ]
    inputs = [signals.t, theta, theta_d, signals.u]
    f = ca.Function("linear", inputs, [ca.densify(value) for value in derivatives])
    return f.call([0.0, at, np.zeros(n), signals.values(0.0)])
