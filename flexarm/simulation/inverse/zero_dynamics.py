"""Zero dynamics: the internal dynamics with the task at rest, its zeros, and the dichotomy of its motions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from scipy.linalg import eig, matrix_balance, ordqz

from flexarm.errors import SolverError
from flexarm.simulation.inverse.internal_dynamics import InternalDynamics
from flexarm.simulation.inverse.task.inverse_kinematics import InverseKinematics
from flexarm.simulation.inverse.task.reference_trajectory import ReferenceSamples

ITERATIONS = 50
UNSTABLE, ROUND_OFF = 1e-6, 1e-10
"""Real part of a zero, of its size and of the largest zero's, from which on it counts as unstable."""
ORIGIN = 1e-5
"""Size of a zero, of the arm's own frequency, up to which it lies in the origin: where a base floats, and how fast."""
OSCILLATING, NEAR = 0.3, 1e-6
"""Real over imaginary part of an oscillation's zeros; distance of two zeros, of their size, that count as one."""


@dataclass(frozen=True)
class LinearZeroDynamics:
    """Linearised zero dynamics M delta_dd + D delta_d + K delta = 0, the joints following the deflections.

    Attributes
    ----------
    M, D, K : (m, m) [kg, N s/m, N/m]
        M is neither symmetric nor definite; all that has no drive counts among delta.
    stiffness : (m,) [N/m]
        Size of the diagonal of K; of the inertia, scaled, where nothing resists.
    amplitude, force : (m,) [m, N]
        By which deflections and forces are scaled. amplitude times force is 1 J, amplitude over force 1 / stiffness
        times a factor that balances M^-1 K: where one link drives another its entries differ by eight powers of ten.
    frequency : float [1/s]
        By which time is scaled.
    zeros : (2 m,) complex [1/s]
        Eigenvalues: the transmission zeros of the arm from torques to task; infinite where M is singular. Those of a
        floating base are zero, where it begins and how fast; they are neither unstable nor oscillations.
    """

    M: np.ndarray
    D: np.ndarray
    K: np.ndarray
    stiffness: np.ndarray
    amplitude: np.ndarray
    force: np.ndarray
    frequency: float
    zeros: np.ndarray

    @classmethod
    def of(cls, M: np.ndarray, D: np.ndarray, K: np.ndarray) -> LinearZeroDynamics:
        """Scale the equations and find the zeros."""
        stiffness, inertia = np.abs(np.diag(K)), np.abs(np.diag(M)) + 1e-300
        resisting = stiffness > 1e-9 * stiffness.max(initial=0.0)
        square = (stiffness / inertia)[resisting].max(initial=0.0) or 1.0
        stiffness = np.where(resisting, stiffness, inertia * square)  # nothing resists a floating base
        amplitude = 1 / np.sqrt(stiffness)
        scaled_M, scaled_K = (amplitude[:, None] * X * amplitude for X in (M, K))
        balance = _balance(scaled_M, scaled_K)
        size_M, size_K = (np.linalg.norm(X * balance / balance[:, None]) for X in (scaled_M, scaled_K))
        frequency = float(np.sqrt(size_K / size_M)) if size_M > 0 else 1.0
        scales = (stiffness, amplitude * balance, balance / amplitude / balance**2, frequency)
        linear = cls(M, D, K, *scales, np.empty(0, complex))
        return (
            linear
            if not K.size
            else replace(
                linear, zeros=linear._finite(*eig(*linear._pencil(), right=False, homogeneous_eigvals=True))
            )
        )

    @property
    def is_unstable(self) -> Callable[[np.ndarray], np.ndarray]:
        """True for those of some zeros (k,) that lie in the right half plane."""
        finite = self.zeros[np.isfinite(self.zeros)]
        bound = ROUND_OFF * np.abs(finite).max(initial=0.0)
        at_origin = ORIGIN * self.frequency
        return lambda zeros: (np.real(zeros) > UNSTABLE * np.abs(zeros) + bound) & (np.abs(zeros) > at_origin)

    @property
    def unstable_zeros(self) -> np.ndarray:
        """Zeros in the right half plane (k,) [1/s], slowest first."""
        found = self.zeros[self.is_unstable(self.zeros)]
        return found[np.argsort(np.real(found))]

    @property
    def oscillations(self) -> np.ndarray:
        """Zeros of oscillations, one of each pair (k,) [1/s]: they decay or grow by little in a period, if at all."""
        return self.zeros[
            (np.imag(self.zeros) > ORIGIN * self.frequency)
            & (np.abs(np.real(self.zeros)) < OSCILLATING * np.imag(self.zeros))
        ]

    def dichotomy(self, fast: float) -> tuple[np.ndarray, np.ndarray]:
        """Rows of the conditions for a bounded motion at its start and at its end.

        Parameters
        ----------
        fast : float [1/s]
            Size of the zeros of oscillations from which on these are too fast to be resolved. What is sought of them
            is the motion without oscillation: one condition at either end, instead of two at that one.

        Returns
        -------
        start : (2 m - k, 2 m)
            Rows that pick what must vanish at the start out of [delta / amplitude, delta_d / (amplitude frequency)],
            deflections counted from equilibrium: the part that does not grow.
        end : (k, 2 m)
            Rows that pick the rate of what must vanish at the end out of [delta_d / (amplitude frequency), f / force],
            where f are the forces on the modal amplitudes: of the part that grows.
        """
        if not self.K.size:
            return np.empty((0, 0)), np.empty((0, 0))
        m = len(self.K)
        pairs = self.oscillations[np.abs(self.oscillations) > fast]
        of_pairs = [_nearness(pair) for pair in pairs]

        def slow(zeros: np.ndarray) -> np.ndarray:
            return (
                ~np.any([is_pair(zeros) for is_pair in of_pairs], axis=0)
                if of_pairs
                else np.full(zeros.shape, True)
            )

        _, count, _, left = self._ordered(lambda zeros: ~self.is_unstable(zeros) & slow(zeros))
        start = [left[:, :count].T]
        _, count, right, _ = self._ordered(lambda zeros: self.is_unstable(zeros) & slow(zeros))
        end = [right[:, :count].T]
        for is_pair in of_pairs:
            _, count, right, left = self._ordered(is_pair)
            start.append(_without(left[:, :count].T, slice(m, None)))
            end.append(_without(right[:, :count].T, slice(None, m)))
        if not sum(map(len, end)):
            return np.eye(2 * m), np.empty((0, 2 * m))
        return np.concatenate(start), np.concatenate(end)

    def _ordered(
        self, selected: Callable[[np.ndarray], np.ndarray]
    ) -> tuple[np.ndarray, int, np.ndarray, np.ndarray]:
        """Eigenvalues of the scaled pencil, those selected first, how many these are, and its Schur vectors.

        With E z' = A z of the scaled state z, rows W with W A = L W E are the left deflating subspace of some
        eigenvalues: (W E) z is the part of a state that belongs to them, and W A z its rate.
        """
        A, E = self._pencil()
        try:
            *_, alpha, beta, left, right = ordqz(
                A.T,
                E.T,
                sort=lambda alpha, beta: selected(self._finite(alpha, beta)),  # type: ignore[arg-type]
                output="real",
            )
        except ValueError:  # too ill conditioned to be reordered
            return self._by_eigenvectors(selected)
        zeros = self._finite(alpha, beta)
        return zeros, int(selected(zeros).sum()), right, left

    def _by_eigenvectors(
        self, selected: Callable[[np.ndarray], np.ndarray]
    ) -> tuple[np.ndarray, int, np.ndarray, np.ndarray]:
        """The same from the left eigenvectors, without an order of those that are not selected."""
        A, E = self._pencil()
        (alpha, beta), vectors = eig(A, E, left=True, right=False, homogeneous_eigvals=True)  # type: ignore[misc]
        zeros = self._finite(alpha, beta)
        chosen = selected(zeros)
        W = np.concatenate([np.real(vectors[:, chosen]), np.imag(vectors[:, chosen])], axis=1)
        right = np.linalg.svd(W, full_matrices=False)[0][:, : chosen.sum()]
        return zeros, int(chosen.sum()), right, np.linalg.qr(E.T @ right)[0]

    def _pencil(self) -> tuple[np.ndarray, np.ndarray]:
        """Matrices A and E (2 m, 2 m) of the scaled state equation E z' = A z, in scaled time."""
        m, s, rows, omega = len(self.K), self.amplitude, 1 / self.force[:, None], self.frequency
        A, E = np.zeros((2, 2 * m, 2 * m))
        A[:m, m:] = E[:m, :m] = np.eye(m)
        A[m:, :m], A[m:, m:] = -rows * self.K * s, -rows * self.D * s * omega
        E[m:, m:] = rows * self.M * s * omega**2
        return A, E

    def _finite(self, alpha: np.ndarray, beta: np.ndarray) -> np.ndarray:
        """Zeros [1/s] of scaled eigenvalues alpha / beta, infinite where beta is round-off."""
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(np.abs(beta) > 1e-14 * np.abs(alpha), self.frequency * alpha / beta, np.inf)


@dataclass(frozen=True)
class ZeroDynamics:
    """Zero dynamics about static equilibrium, linearised.

    Attributes
    ----------
    state : (n_y,) [rad, m; per s]
        State of the internal dynamics in equilibrium.
    linear : LinearZeroDynamics

    Notes
    -----
    The rows of its :meth:`~LinearZeroDynamics.dichotomy` span the left invariant subspaces of both kinds of
    eigenvalues; they are the exponential dichotomy of the linearised zero dynamics: [Coppel1978],
    [AscherMattheijRussell1995] section 3.4.
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
    joints, modes, n_q = dynamics.joint_rows, dynamics.mode_rows, len(dynamics.joint_rows)
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
        raise SolverError(f"the arm finds no static equilibrium with its task at rest at t = {time:.4g} s")
    return ZeroDynamics(y, linear_zero_dynamics(dynamics, times, y[None], desired)[0])


def linear_zero_dynamics(
    dynamics: InternalDynamics, times: np.ndarray, states: np.ndarray, desired: ReferenceSamples
) -> list[LinearZeroDynamics]:
    """Zero dynamics frozen at states (k, n_y) at times (k,) [s]."""
    joints, modes, rates = dynamics.joint_rows, dynamics.mode_rows, dynamics.rate_rows
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


def _nearness(pair: complex) -> Callable[[np.ndarray], np.ndarray]:
    """True for those of some zeros that are one of a conjugate pair."""
    return lambda zeros: np.minimum(np.abs(zeros - pair), np.abs(zeros - pair.conjugate())) < NEAR * abs(pair)


def _without(rows: np.ndarray, columns: slice) -> np.ndarray:
    """Half as many orthonormal rows from the span of rows (2 k, n), those that have least in some of the columns."""
    combinations = np.linalg.svd(rows[:, columns])[0]
    return combinations[:, len(rows) // 2 :].T @ rows


def _balance(M: np.ndarray, K: np.ndarray) -> np.ndarray:
    """Factors (m,) of the components that balance M^-1 K, as far as M has an inverse."""
    if not K.size:
        return np.ones(0)
    try:
        rates = np.linalg.solve(M, K)
    except np.linalg.LinAlgError:
        return np.ones(len(K))
    return matrix_balance(rates, permute=False, separate=True)[1][0]
