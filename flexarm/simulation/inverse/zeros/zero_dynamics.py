"""Zero dynamics: the internal dynamics with the task at rest, about its static equilibrium."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from flexarm.errors import SolverError
from flexarm.simulation.inverse.internal_dynamics import InternalDynamics
from flexarm.simulation.inverse.task.inverse_kinematics import InverseKinematics
from flexarm.simulation.inverse.task.reference_trajectory import ReferenceSamples
from flexarm.simulation.inverse.zeros.linear_zero_dynamics import LinearZeroDynamics

ITERATIONS = 50


@dataclass(frozen=True)
class ZeroDynamics:
    """Zero dynamics about static equilibrium, linearised.

    Attributes
    ----------
    state : (n_y,) [rad, m; per s]
        State of the internal dynamics in equilibrium.
    linear : LinearZeroDynamics
    """

    state: np.ndarray
    linear: LinearZeroDynamics

    @property
    def zeros(self) -> np.ndarray:
        """All zeros (2 m,) complex [1/s]."""
        return self.linear.zeros

    @property
    def unstable_zeros(self) -> np.ndarray:
        """Zeros in the right half plane (k,) [1/s], slowest first."""
        return self.linear.unstable_zeros

    @property
    def growing_zeros(self) -> np.ndarray:
        """Those of them whose motion must be anticipated."""
        return self.unstable_zeros[self.linear.grows(self.unstable_zeros)]


def zero_dynamics(
    dynamics: InternalDynamics, kinematics: InverseKinematics, time: float, p: np.ndarray, theta: np.ndarray
) -> ZeroDynamics:
    """Find the static equilibrium next to a posture, and linearise the zero dynamics there.

    Parameters
    ----------
    time : float [s]
        When loads that change in time are evaluated.
    p : (rows,) [m, rad]
        Prescribed coordinates.
    theta : (n_dof,) [rad, m]

    Raises
    ------
    SolverError
        The deflections find no static equilibrium.
    """
    desired, times = ReferenceSamples.at_rest(p), np.array([time])
    joints, modes, n_q = dynamics.joint_rows, dynamics.undriven_rows, len(dynamics.joint_rows)
    posture, start = null_space(kinematics, theta), theta[joints]
    y, at_rest = dynamics.state(theta), np.zeros((1, n_q + len(modes)))
    n = theta.size
    for _ in range(ITERATIONS):
        found, J = kinematics.rows(y[:n])
        missing = kinematics.task.error(p, found)
        linear = dynamics.linearised(times, y[None], desired, at_rest)
        residual = np.concatenate([-missing, posture @ (y[joints] - start), linear.residual[0, n_q:]])
        by_theta = np.zeros((residual.size, n))
        by_theta[: p.size] = J
        by_theta[p.size : p.size + len(posture), joints] = posture
        by_theta[p.size + len(posture) :] = linear.by_state[0, n_q:, :n]
        free = [*joints, *modes]
        step = (
            np.linalg.lstsq(by_theta[:, free], -residual, rcond=None)[0]
            if np.isfinite(by_theta).all()
            else np.full(len(free), np.nan)
        )
        if not np.isfinite(step).all() or np.abs(step).max(initial=0.0) < 1e-12 * max(1.0, np.abs(y).max()):
            break
        y[free] += step
    else:
        step = np.array([np.inf])
    if not np.isfinite(step).all():
        raise SolverError(
            f"the arm finds no static equilibrium with its task at rest at t = {time + 0.0:.4g} s"
        )
    return ZeroDynamics(y, linear_zero_dynamics(dynamics, times, y[None], desired)[0])


def linear_zero_dynamics(
    dynamics: InternalDynamics, times: np.ndarray, states: np.ndarray, desired: ReferenceSamples
) -> list[LinearZeroDynamics]:
    """Zero dynamics frozen at states (k, n_y) at times (k,) [s]."""
    joints, modes, rates = dynamics.joint_rows, dynamics.undriven_rows, dynamics.rate_rows
    n_q = len(joints)
    found = dynamics.linearised(times, states, desired, np.zeros((len(times), n_q + len(modes))))
    follow = found.by_state[:, :n_q][:, :, rates]
    forces = found.by_state[:, n_q:]
    K = -(forces[:, :, modes] + forces[:, :, joints] @ follow)
    return [
        LinearZeroDynamics.of(*matrices)
        for matrices in zip(-found.by_rate[:, n_q:, n_q:], -forces[:, :, rates], K, strict=True)
    ]


def null_space(kinematics: InverseKinematics, theta: np.ndarray) -> np.ndarray:
    """Orthonormal directions of the joints that do not move the task, (k, joints), at theta (n_dof,) [rad, m]."""
    J_r = kinematics.rows(theta)[1][:, kinematics.joints]
    return np.linalg.svd(J_r)[2][J_r.shape[0] :]
