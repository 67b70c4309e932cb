"""Inverse kinematics: joint angles from the prescribed coordinates, with the deflections given."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import casadi as ca
import numpy as np
from scipy.interpolate import CubicSpline

from flexarm.codegen.native import compile_native
from flexarm.codegen.native_function import NativeFunction
from flexarm.errors import ModelError
from flexarm.model.chain import Chain
from flexarm.simulation.inverse.task.task import Task

ITERATIONS = 200
REACHED = 1e-11
"""Distance from the target, of the arm's length, that counts as none."""
FOLLOWED, CORRECTIONS = 200, 6
"""Postures found one after the other, and corrections of those between them."""
UNMOVED = 1e-12
"""Entries of the Jacobian, positions in units of the arm's length, that are round-off."""
SINGULAR = 1e-3
"""Least over largest singular value of J_r below which the arm is taken to be in a singular posture."""


@dataclass(frozen=True)
class InverseKinematics:
    """Inverse kinematics of one arm for one task.

    Attributes
    ----------
    chain : Chain
    task : Task
    """

    chain: Chain
    task: Task

    @property
    def joints(self) -> list[int]:
        """Rows of the driven joints in theta."""
        return self.task.driven(self.chain)

    @cached_property
    def size(self) -> float:
        """Length of the stretched arm [m], against which distances are judged; 1 m if all its links have length 0."""
        offsets = sum(math.hypot(*self.chain.bodies[i].joint.offset) for i in self.chain.joint_bodies)
        return sum(link.length for link in self.chain.assembled_links) + offsets or 1.0

    @cached_property
    def turning(self) -> np.ndarray:
        """Which of the driven joints turn; the others slide. (joints,) of bool."""
        layout = self.chain.coordinates
        turn = {
            row: bool(self.chain.bodies[body].joint.motion.turn)
            for row, body in zip(layout.joints, self.chain.joint_bodies, strict=True)
        }
        return np.array([turn[row] for row in self.joints], dtype=bool)

    @cached_property
    def joint_units(self) -> np.ndarray:
        """What counts as one unit of each driven joint, a radian or the arm's length, (joints,) [rad, m]."""
        return np.where(self.turning, 1.0, self.size)

    @cached_property
    def _native(self) -> NativeFunction:
        """Task rows and their derivative by theta, [p, J], (rows, 1 + n_dof)."""
        theta = ca.SX.sym("theta", self.chain.coordinates.n_dof)
        p = self.task.rows(self.chain, theta)
        inputs = [ca.SX.sym("t"), theta, ca.SX.sym("p", 0)]
        return compile_native(ca.Function("task", inputs, [ca.densify(ca.horzcat(p, ca.jacobian(p, theta)))]))

    def rows(self, theta: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Prescribed coordinates (rows,) [m, rad] and their Jacobian (rows, n_dof) at theta (n_dof,)."""
        values = self._native(0.0, theta)
        values = values.reshape(self.task.size, -1)
        return values[:, 0], values[:, 1:]

    def map(self, thetas: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Prescribed coordinates (k, rows) [m, rad] and their Jacobians (k, rows, n_dof) at thetas (k, n_dof)."""
        values = self._native.map(np.zeros(len(thetas)), thetas)
        values = values.reshape(len(thetas), -1, self.task.size).transpose(0, 2, 1)
        return values[:, :, 0], values[:, :, 1:]

    def solve(self, theta: np.ndarray, target: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Solve for the joint angles by damped least squares.

        Parameters
        ----------
        theta : (n_dof,) [rad, m]
            Where to start; its modal amplitudes stay.
        target : (rows,) [m, rad]

        Returns
        -------
        theta : (n_dof,) [rad, m]
            With the nearest joint angles that reach the target, or come nearest to it.
        missing : (rows,) [m, rad]
            Task error that is left.

        Notes
        -----
        Levenberg-Marquardt steps, the damped least squares of [NakamuraHanafusa1986]: without damping they are Newton
        steps of least norm, which converge where the target can be reached; where it cannot, the damping leads them to
        the least distance.
        """
        theta, damping = theta.copy(), 0.0
        found, J = self.rows(theta)
        missing = self.task.error(target, found)
        for _ in range(ITERATIONS):
            if np.abs(missing).max() <= REACHED * self.size:
                break
            J_r = J[:, self.joints] * self.joint_units
            step = np.linalg.lstsq(
                np.vstack([J_r, np.sqrt(damping) * np.eye(J_r.shape[1])]),
                np.concatenate([missing, np.zeros(J_r.shape[1])]),
                rcond=None,
            )[0]
            step *= min(1.0, 0.5 / max(np.abs(step).max(), 1e-300))
            trial = theta.copy()
            trial[self.joints] += self.joint_units * step
            found_next, J_next = self.rows(trial)
            missing_next = self.task.error(target, found_next)
            if np.linalg.norm(missing_next) < np.linalg.norm(missing):
                theta, missing, J = trial, missing_next, J_next
                damping = 0.0 if damping < 1e-9 else damping / 10
            elif damping > 1e6:
                break
            else:
                damping = max(1e-6 * self.size**2, 10 * damping)
        return theta, missing

    def follow(self, times: np.ndarray, targets: np.ndarray, theta: np.ndarray, where: str) -> np.ndarray:
        """Joint angles along a trajectory, each found from the one before.

        Parameters
        ----------
        times : (k,) [s]
        targets : (k, rows) [m, rad]
        theta : (n_dof,) [rad, m]
            Where to start.
        where : str
            What messages begin with.

        Returns
        -------
        thetas : (k, n_dof) [rad, m]

        Raises
        ------
        ModelError
            A target is out of reach or a posture is singular; time and distance are named.
        """
        thetas = np.empty((len(times), theta.size))
        for k, target in enumerate(targets):
            theta, missing = self.solve(theta, target)
            self.check_reached(missing, times[k], where)
            thetas[k] = theta
        if len(times):
            self.check_regular(times, thetas, where)
        return thetas

    def follow_bent(
        self, times: np.ndarray, targets: np.ndarray, theta: np.ndarray, deflections: np.ndarray, where: str
    ) -> np.ndarray:
        """The same with the modal amplitudes given at all times, (k, modes) [m]: some postures one after the other,
        and those between them, from interpolated joint angles, all at once.

        Raises
        ------
        ModelError
            A target is out of reach or a posture is singular; time and distance are named.
        """
        modes = self.task.internal(self.chain)
        some = np.unique(np.linspace(0, len(times) - 1, min(len(times), FOLLOWED)).round().astype(int))
        followed = np.empty((some.size, theta.size))
        for k, i in enumerate(some):
            theta = theta.copy()
            theta[modes] = deflections[i]
            theta, missing = self.solve(theta, targets[i])
            self.check_reached(missing, float(times[i]), where)
            followed[k] = theta
        self.check_regular(times[some], followed, where)
        thetas = CubicSpline(np.unique(times[some]), followed[np.unique(times[some], return_index=True)[1]])(
            times
        )
        thetas[:, modes] = deflections
        missing = self.correct(thetas, targets)
        worst = int(np.abs(missing).max(axis=1).argmax())
        self.check_reached(missing[worst], times[worst], where)
        return thetas

    def correct(self, thetas: np.ndarray, targets: np.ndarray) -> np.ndarray:
        """Bring the joint angles of thetas (k, n_dof) near a trajectory onto it, all at once and in place.

        Returns
        -------
        missing : (k, rows) [m, rad]
            Task errors before the last correction.
        """
        for _ in range(CORRECTIONS):
            found, J = self.map(thetas)
            missing = self.task.error(targets, found)
            if np.abs(missing).max() <= REACHED * self.size:
                break
            inverse = np.linalg.pinv(J[:, :, self.joints] * self.joint_units)
            thetas[:, self.joints] += self.joint_units * (inverse @ missing[..., None])[..., 0]
        return missing

    def is_reached(self, missing: np.ndarray) -> bool:
        """True if a task error (rows,) [m, rad] is no more than round-off."""
        return bool(np.abs(missing).max() <= 1e3 * REACHED * self.size)

    def check_reached(self, missing: np.ndarray, time: float, where: str) -> None:
        """Refuse a target that is missed by (rows,) [m, rad], if that is more than round-off."""
        if self.is_reached(missing):
            return
        distance = np.linalg.norm(missing[self.task.positions])
        angles = np.abs(missing[self.task.angular])
        what = [f"{distance:.4g} m"] if distance > REACHED * self.size else []
        what += [f"{np.degrees(angles.max()):.3g} degrees"] if angles.size and angles.max() > 1e-9 else []
        raise ModelError(
            f"{where}: out of reach at t = {time:.6g} s: {' and '.join(what)} are missing (shorten the path or move it "
            "towards the base)"
        )

    def scaled(self, J: np.ndarray) -> np.ndarray:
        """Jacobians (k, rows, joints) with all lengths, of the tip and of joints, in units of the arm's."""
        scale = np.ones((self.task.size, 1))
        scale[[*self.task.positions, *self.task.slides(self.chain)]] = self.size
        return J * self.joint_units / scale

    def check_regular(self, times: np.ndarray, thetas: np.ndarray, where: str) -> None:
        """Refuse singular postures: thetas (k, n_dof) [rad, m] in which the task cannot move in every direction."""
        J = self.scaled(self.map(thetas)[1][:, :, self.joints])
        largest = np.abs(J).max(axis=(0, 2))
        if np.any(unmoved := largest <= UNMOVED):
            raise ModelError(
                f"{where}: no joint moves {', '.join(np.array(self.task.names)[unmoved])} of the tip, there is nothing "
                "to prescribe (leave it out)"
            )
        values = singular_values(J)
        ratio = values[:, -1] / values[:, 0]
        worst = int(ratio.argmin())
        if ratio[worst] < SINGULAR:
            raise ModelError(
                f"{where}: singular stretch at t = {times[worst]:.6g} s: the least singular value of the Jacobian is "
                f"{values[worst, -1]:.2g} of {values[worst, 0]:.2g}; a stretched or folded arm cannot move its tip in "
                "every direction (keep the path away from there, or prescribe fewer coordinates)"
            )


def singular_values(J: np.ndarray) -> np.ndarray:
    """Singular values (k, r) of matrices (k, r, n), largest first."""
    return np.linalg.svd(J, compute_uv=False)
