"""The internal dynamics about rest: its zeros, and which of its motions are bounded in which direction of time."""

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
    """The arm at rest with its task fulfilled.

    Attributes
    ----------
    state : (n_y,)
        State of the internal dynamics.
    zeros : (2 m,) complex [1/s]
        Eigenvalues of the internal dynamics there: the zeros of the arm from torques to task.
    unstable : (k, 2 m)
        Rows that pick the unstable part out of [delta, delta_d] and its rates.
    bounded : (2 m - k, 2 m)
        Rows that pick the rest.
    """

    state: np.ndarray
    zeros: np.ndarray
    unstable: np.ndarray
    bounded: np.ndarray

    @property
    def unstable_zeros(self) -> np.ndarray:
        """Zeros in the right half plane, slowest first."""
        real = np.real(self.zeros)
        slowest_first = np.argsort(real)
        return self.zeros[slowest_first][
            real[slowest_first] > UNSTABLE * np.abs(self.zeros).max(initial=1e-300)
        ]


def at_rest(
    dynamics: InternalDynamics, kinematics: InverseKinematics, time: float, p: np.ndarray, theta: np.ndarray
) -> ZeroDynamics:
    """Find the rest next to theta (n_dof,) with the task at p (rows,), and its zeros.

    Raises
    ------
    SolverError
        The deflections find no static equilibrium.
    """
    course = ReferenceSamples(p[None], *np.zeros((2, 1, p.size)))
    joints, modes, rates = dynamics.joint_rows, dynamics.mode_rows, dynamics.rate_rows
    posture, start = null_space(kinematics, theta), theta[joints]
    y = dynamics.state(theta)
    n = theta.size
    for _ in range(ITERATIONS):
        f = dynamics.rates(np.array([time]), y[None], course)[0]
        found, J = kinematics.rows(y[:n])
        missing = kinematics.task.error(p, found)
        jacobian = dynamics.jacobian(time, y, p)
        left = np.concatenate([-missing, posture @ (y[joints] - start), f[rates]])
        by_theta = np.zeros((left.size, n))
        by_theta[: p.size] = J
        by_theta[p.size : p.size + len(posture), joints] = posture
        by_theta[p.size + len(posture) :] = jacobian[rates][:, :n]
        used = [*joints, *modes]
        step = np.linalg.lstsq(by_theta[:, used], -left, rcond=None)[0]
        y[used] += step
        if np.abs(step).max(initial=0.0) < 1e-13 * max(1.0, np.abs(y).max()):
            break
    else:
        raise SolverError(f"the arm finds no static equilibrium with its tip held at t = {time:.4g} s")
    return ZeroDynamics(y, *_dichotomy(_linearised(dynamics, jacobian)))


def null_space(kinematics: InverseKinematics, theta: np.ndarray) -> np.ndarray:
    """Directions of the joints that do not move the task, (k, joints)."""
    J_r = kinematics.rows(theta)[1][:, kinematics.joints]
    return np.linalg.svd(J_r)[2][J_r.shape[0] :]


def _linearised(dynamics: InternalDynamics, jacobian: np.ndarray) -> np.ndarray:
    """Matrix of the linear internal dynamics of [delta, delta_d]: the joints follow the deflections."""
    joints, modes, rates = dynamics.joint_rows, dynamics.mode_rows, dynamics.rate_rows
    m = len(modes)
    lever = jacobian[np.ix_(joints, rates)]
    A = np.zeros((2 * m, 2 * m))
    A[:m, m:] = np.eye(m)
    A[m:, :m] = jacobian[np.ix_(rates, modes)] + jacobian[np.ix_(rates, joints)] @ lever
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


def _left_subspace(A: np.ndarray, wanted: Callable[[float], bool]) -> np.ndarray:
    """Orthonormal rows that span the left invariant subspace of the eigenvalues with the wanted real parts."""
    _, vectors, count = schur(A.T, sort=lambda real, imaginary: wanted(real))  # type: ignore[misc]
    return vectors[:, :count].T
