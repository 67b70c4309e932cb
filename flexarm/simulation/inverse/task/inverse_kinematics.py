"""Joint angles from the prescribed coordinates, with the deflections given: reach, posture, singular stretches."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import casadi as ca
import numpy as np

from flexarm.codegen.native import NativeFunction, compile_native
from flexarm.description.arm.arm import Arm
from flexarm.description.motion.trajectory import Trajectory
from flexarm.errors import ModelError
from flexarm.model.chain import Chain
from flexarm.simulation.inverse.task.task import Task

ITERATIONS = 200
REACHED = 1e-11
"""Distance from the target, of the arm's length, that counts as none."""
SINGULAR = 1e-3
"""Least over largest singular value of J_r below which the arm is taken to be at a stretch."""
SEEDS = 60


@dataclass(frozen=True)
class InverseKinematics:
    """Solves the task rows for the joint angles of one arm.

    Attributes
    ----------
    chain : Chain
    task : Task
    """

    chain: Chain
    task: Task

    @property
    def joints(self) -> list[int]:
        """Rows of the moving joints in theta."""
        return list(self.chain.coordinates.moving_joints)

    @cached_property
    def size(self) -> float:
        """Length of the stretched arm [m], against which distances are judged."""
        offsets = sum(abs(self.chain.bodies[i].joint.offset) for i in self.chain.links)
        return sum(link.length for link in self.chain.flexible_links) + offsets

    @cached_property
    def _native(self) -> NativeFunction:
        """Task rows and their derivative by theta, [p, J], (rows, 1 + n_dof)."""
        theta = ca.SX.sym("theta", self.chain.coordinates.n_dof)
        p = self.task.rows(self.chain, theta)
        inputs = [ca.SX.sym("t"), theta, ca.SX.sym("p", 0)]
        return compile_native(ca.Function("task", inputs, [ca.densify(ca.horzcat(p, ca.jacobian(p, theta)))]))

    def rows(self, theta: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Values of the prescribed coordinates (rows,) and their Jacobian (rows, n_dof)."""
        values = self._native(0.0, theta)
        values = values.reshape(self.task.size, -1)
        return values[:, 0], values[:, 1:]

    def map(self, thetas: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Do the same for many: (k, rows) and (k, rows, n_dof)."""
        values = self._native.map(np.zeros(len(thetas)), thetas)
        values = values.reshape(len(thetas), -1, self.task.size).transpose(0, 2, 1)
        return values[:, :, 0], values[:, :, 1:]

    def solve(self, theta: np.ndarray, target: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Turn the joints from theta (n_dof,) towards a target (rows,).

        Returns
        -------
        theta : (n_dof,)
            With the nearest joint angles that reach it, or come nearest to it.
        missing : (rows,)
            What is left between target and tip.

        Notes
        -----
        Levenberg-Marquardt steps: with a vanishing shift they are Newton steps of least norm, which
        converge where the target can be reached; where it cannot, the shift lets them creep to the least distance.
        """
        theta, shift = theta.copy(), 0.0
        found, J = self.rows(theta)
        missing = self.task.error(target, found)
        for _ in range(ITERATIONS):
            if np.abs(missing).max() <= REACHED * self.size:
                break
            J_r = J[:, self.joints]
            turn = np.linalg.lstsq(
                np.vstack([J_r, np.sqrt(shift) * np.eye(J_r.shape[1])]),
                np.concatenate([missing, np.zeros(J_r.shape[1])]),
                rcond=None,
            )[0]
            turn *= min(1.0, 0.5 / max(np.abs(turn).max(), 1e-300))
            trial = theta.copy()
            trial[self.joints] += turn
            found_there, J_there = self.rows(trial)
            missing_there = self.task.error(target, found_there)
            if np.linalg.norm(missing_there) < np.linalg.norm(missing):
                theta, missing, J = trial, missing_there, J_there
                shift = 0.0 if shift < 1e-9 else shift / 10
            elif shift > 1e6:
                break
            else:
                shift = max(1e-6 * self.size**2, 10 * shift)
        return theta, missing

    def follow(self, times: np.ndarray, targets: np.ndarray, theta: np.ndarray, where: str) -> np.ndarray:
        """Joint angles along a course, each found from the one before.

        Parameters
        ----------
        times : (k,) [s]
        targets : (k, rows)
        theta : (n_dof,)
            Where to start.
        where : str
            What messages begin with.

        Returns
        -------
        (k, n_dof)

        Raises
        ------
        ModelError
            Something is out of reach or the arm is at a singular stretch; time and distance are named.
        """
        thetas = np.empty((len(times), theta.size))
        for k, target in enumerate(targets):
            theta, missing = self.solve(theta, target)
            self.check_reached(missing, times[k], where)
            thetas[k] = theta
        if len(times):
            self.check_regular(times, thetas, where)
        return thetas

    def check_reached(self, missing: np.ndarray, time: float, where: str) -> None:
        """Refuse a target that is missed by more than round-off."""
        if np.abs(missing).max() <= 1e3 * REACHED * self.size:
            return
        distance = np.linalg.norm(missing[self.task.positions])
        turns = np.abs(missing[self.task.angular])
        what = [f"{distance:.4g} m"] if distance > REACHED * self.size else []
        what += [f"{np.degrees(turns.max()):.3g} degrees"] if turns.size and turns.max() > 1e-9 else []
        raise ModelError(
            f"{where}: out of reach at t = {time:.6g} s: {' and '.join(what)} are missing (shorten the path or move it "
            "towards the base)"
        )

    def check_regular(self, times: np.ndarray, thetas: np.ndarray, where: str) -> None:
        """Refuse postures from which some direction of the task cannot be moved in."""
        values = singular_values(self.map(thetas)[1][:, :, self.joints])
        ratio = values[:, -1] / values[:, 0]
        worst = int(ratio.argmin())
        if ratio[worst] < SINGULAR:
            raise ModelError(
                f"{where}: singular stretch at t = {times[worst]:.6g} s: the least singular value of the Jacobian is "
                f"{values[worst, -1]:.2g} of {values[worst, 0]:.2g}; a stretched or folded arm cannot move its tip in "
                "every direction (keep the path away from there, or prescribe fewer coordinates)"
            )

    def start(self, arm: Arm, trajectory: Trajectory, target: np.ndarray) -> np.ndarray:
        """Posture in which the arm starts, (n_dof,), deflections zero: as the trajectory's near or elbow asks.

        Without them it is the posture next to the arm's own initial one.

        Raises
        ------
        ModelError
            No posture reaches the start, or none with the elbow asked for.
        """
        reached, nearest = [], None
        for seed in self._seeds(arm, trajectory):
            theta, missing = self.solve(seed, target)
            if nearest is None or np.linalg.norm(missing) < np.linalg.norm(nearest):
                nearest = missing
            if np.abs(missing).max() <= 1e3 * REACHED * self.size:
                theta[self.joints] = _next_turn(theta[self.joints], seed[self.joints])
                if trajectory.elbow is None:
                    return theta
                reached.append(theta)
        if not reached:
            self.check_reached(np.asarray(nearest), 0.0, trajectory.source)
        sign = 1.0 if trajectory.elbow == "positive" else -1.0
        elbows = [wrapped(theta[self.joints[min(1, len(self.joints) - 1)]]) for theta in reached]
        for theta, elbow in zip(reached, elbows, strict=True):
            if sign * elbow > 0:
                theta[self.joints] = wrapped(theta[self.joints])
                return theta
        raise ModelError(
            f"{trajectory.source}: elbow: the start cannot be reached with a {trajectory.elbow} elbow"
        )

    def _seeds(self, arm: Arm, trajectory: Trajectory) -> Iterator[np.ndarray]:
        """Postures from which the start is sought: the one asked for, the arm's own, then many."""
        n, joints = self.chain.coordinates.n_dof, self.joints
        theta = np.zeros(n)
        own = [
            arm.initial.joints[i] for i, row in enumerate(self.chain.coordinates.joints) if row is not None
        ]
        theta[joints] = trajectory.near or own
        yield theta
        random = np.random.default_rng(1994)
        for _ in range(SEEDS):
            theta = np.zeros(n)
            theta[joints] = random.uniform(-np.pi, np.pi, len(joints))
            yield theta


def singular_values(J: np.ndarray) -> np.ndarray:
    """Singular values of matrices (k, r, n), largest first: (k, r)."""
    return np.linalg.svd(J, compute_uv=False)


def wrapped(angle: np.ndarray) -> np.ndarray:
    """Angle between -pi and pi."""
    return (angle + np.pi) % (2 * np.pi) - np.pi


def _next_turn(angle: np.ndarray, near: np.ndarray) -> np.ndarray:
    """The same angle, by whole turns as near as can be."""
    return near + wrapped(angle - near)
