"""Zero dynamics: the internal dynamics with the task at rest, its zeros, and the dichotomy of its motions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.linalg import schur

from flexarm.errors import SolverError
from flexarm.simulation.inverse.internal_dynamics import InternalDynamics
from flexarm.simulation.inverse.task.inverse_kinematics import InverseKinematics
from flexarm.simulation.inverse.task.reference_trajectory import ReferenceSamples

ITERATIONS = 50
UNSTABLE = 1e-6
"""Real part of a zero, of the largest zero's size, from which on it counts as unstable."""


@dataclass(frozen=True)
class ZeroDynamics:
    """Zero dynamics about static equilibrium, linearised.

    Attributes
    ----------
    state : (n_y,) [rad, m; per s]
        State of the internal dynamics in equilibrium.
    zeros : (2 m,) complex [1/s]
        Eigenvalues: the transmission zeros of the arm from torques to task.
    unstable : (k, 2 m)
        Orthonormal rows that pick the unstable part out of [delta, delta_d] and its rates.
    bounded : (2 m - k, 2 m)
        Orthonormal rows that pick the remaining part.

    Notes
    -----
    The two sets of rows span the left invariant subspaces of both kinds of eigenvalues; they are the exponential
    dichotomy of the linearised zero dynamics: [Coppel1978], [AscherMattheijRussell1995] section 3.4.
    """

    state: np.ndarray
    zeros: np.ndarray
    unstable: np.ndarray
    bounded: np.ndarray

    @property
    def unstable_zeros(self) -> np.ndarray:
        """Zeros in the right half plane (k,) [1/s], slowest first."""
        real = np.real(self.zeros)
        slowest_first = np.argsort(real)
        return self.zeros[slowest_first][
            real[slowest_first] > UNSTABLE * np.abs(self.zeros).max(initial=1e-300)
        ]


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
    desired = ReferenceSamples.at_rest(p)
    joints, modes, rates = dynamics.joint_rows, dynamics.mode_rows, dynamics.rate_rows
    posture, start = null_space(kinematics, theta), theta[joints]
    y = dynamics.state(theta)
    n = theta.size
    for _ in range(ITERATIONS):
        f = dynamics.rates(np.array([time]), y[None], desired)[0]
        found, J = kinematics.rows(y[:n])
        missing = kinematics.task.error(p, found)
        jacobian = dynamics.jacobian(time, y, p)
        residual = np.concatenate([-missing, posture @ (y[joints] - start), f[rates]])
        by_theta = np.zeros((residual.size, n))
        by_theta[: p.size] = J
        by_theta[p.size : p.size + len(posture), joints] = posture
        by_theta[p.size + len(posture) :] = jacobian[rates][:, :n]
        free = [*joints, *modes]
        step = np.linalg.lstsq(by_theta[:, free], -residual, rcond=None)[0]
        y[free] += step
        if np.abs(step).max(initial=0.0) < 1e-13 * max(1.0, np.abs(y).max()):
            break
    else:
        raise SolverError(f"the arm finds no static equilibrium with its task at rest at t = {time:.4g} s")
    return ZeroDynamics(y, *_dichotomy(_linearised(dynamics, jacobian)))


def null_space(kinematics: InverseKinematics, theta: np.ndarray) -> np.ndarray:
    """Orthonormal directions of the joints that do not move the task, (k, joints), at theta (n_dof,) [rad, m]."""
    J_r = kinematics.rows(theta)[1][:, kinematics.joints]
    return np.linalg.svd(J_r)[2][J_r.shape[0] :]


def _linearised(dynamics: InternalDynamics, jacobian: np.ndarray) -> np.ndarray:
    """State matrix (2 m, 2 m) of [delta, delta_d]: the joints follow the deflections."""
    joints, modes, rates = dynamics.joint_rows, dynamics.mode_rows, dynamics.rate_rows
    m = len(modes)
    joints_by_modes = jacobian[np.ix_(joints, rates)]
    A = np.zeros((2 * m, 2 * m))
    A[:m, m:] = np.eye(m)
    A[m:, :m] = jacobian[np.ix_(rates, modes)] + jacobian[np.ix_(rates, joints)] @ joints_by_modes
    A[m:, m:] = jacobian[np.ix_(rates, rates)]
    return A


def _dichotomy(A: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Eigenvalues, and orthonormal rows that span the unstable and the remaining left invariant subspaces."""
    if not A.size:
        return np.empty(0, complex), np.empty((0, 0)), np.empty((0, 0))
    zeros = np.linalg.eigvals(A)
    bound = UNSTABLE * np.abs(zeros).max()
    unstable = _left_subspace(A, lambda real: real > bound)
    return zeros, unstable, _left_subspace(A, lambda real: real <= bound)


def _left_subspace(A: np.ndarray, selected: Callable[[float], bool]) -> np.ndarray:
    """Orthonormal rows that span the left invariant subspace of the eigenvalues with the selected real parts."""
    _, vectors, count = schur(A.T, sort=lambda real, imaginary: selected(real))  # type: ignore[misc]
    return vectors[:, :count].T
