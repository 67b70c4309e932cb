"""Operational space: Jacobians of the task, Cartesian inertia and accelerations, [NA04] section 2, [Khatib1987]."""

from __future__ import annotations

from functools import cached_property

import casadi as ca
import numpy as np
from numpy.typing import ArrayLike

from flexarm.arguments import check_object
from flexarm.codegen.native import compile_native
from flexarm.codegen.native_function import NativeFunction
from flexarm.description.arm.arm import Arm
from flexarm.description.motion.trajectory import Trajectory
from flexarm.errors import ModelError
from flexarm.formulations.formulation import make_formulation
from flexarm.formulations.linear_algebra import ldl_solve
from flexarm.model.chain import Chain
from flexarm.model.chain_builder import build_chain
from flexarm.simulation.inverse.task.task import Task, task_of


class OperationalSpace:
    """Relations between the coordinates theta of an arm and the prescribed coordinates p of a task.

    With joints q and deflections delta: ``p_d = J_r q_d + J_f delta_d`` ([SY94] eq. 9) and
    ``p_dd = J_r q_dd + J_f delta_dd + J_r_d q_d + J_f_d delta_d`` (eq. 10).

    Parameters
    ----------
    arm : Arm
    chain : Chain
    task : Task

    Attributes
    ----------
    names : tuple of str
        Prescribed coordinates, one per row.

    Raises
    ------
    ModelError
        The base floats.
    """

    def __init__(self, arm: Arm, chain: Chain, task: Task):
        if chain.coordinates.base:
            raise ModelError(f"{arm.name}: base: the operational space needs an arm on a fixed base")
        self._arm, self._chain, self._task = arm, chain, task
        self.names = task.names

    def jacobians(self, theta: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
        """Jacobians J_r (.., rows, joints) and J_f (.., rows, modes) at theta (.., n_dof) [rad, m]."""
        J, _, _, _ = self._evaluate(theta, np.zeros(np.shape(theta)))
        return self._by_kind(J)

    def jacobian_rates(self, theta: ArrayLike, theta_d: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
        """Rates of J_r (.., rows, joints) and J_f (.., rows, modes) at theta, theta_d (.., n_dof) [per s]."""
        _, J_d, _, _ = self._evaluate(theta, theta_d)
        return self._by_kind(J_d)

    def cartesian_inertia(self, theta: ArrayLike) -> np.ndarray:
        """Cartesian inertia M_X (.., rows, rows) at theta (.., n_dof) [kg; kg m; kg m^2].

        Notes
        -----
        ``(J M^-1 J^T)^-1`` with J = [J_r, J_f], the operational space inertia of [Khatib1987]. [NA04] eq. 4 has
        ``J^-T M J^-1``, which is the same where J is square: for a rigid arm with as many joints as task rows.
        """
        _, _, inverse_inertia, _ = self._evaluate(theta, np.zeros(np.shape(theta)))
        return np.linalg.inv(inverse_inertia)

    def acceleration(self, theta: ArrayLike, theta_d: ArrayLike, tau: ArrayLike) -> np.ndarray:
        """Task acceleration p_dd (rows,) [m/s^2, rad/s^2] under joint torques tau (joints,) [N m].

        Notes
        -----
        ``J M^-1 (tau - bias) + J_d theta_d``, [NA04] eq. 11; theta, theta_d are (n_dof,).
        """
        joints = list(self._chain.coordinates.moving_joints)
        J, J_d, _, (M, bias) = self._evaluate(theta, theta_d)
        forces = np.zeros(len(bias))
        forces[joints] = tau
        return J @ np.linalg.solve(M, forces - bias) + J_d @ np.asarray(theta_d)

    def joint_acceleration(
        self, theta: ArrayLike, theta_d: ArrayLike, p_dd: ArrayLike, delta_dd: ArrayLike = ()
    ) -> np.ndarray:
        """Joint acceleration q_dd (joints,) [rad/s^2] of least norm that with delta_dd (modes,) gives p_dd (rows,).

        The inverse of ``p_dd = J_r q_dd + J_f delta_dd + J_d theta_d`` at theta, theta_d (n_dof,).
        """
        J, J_d, _, _ = self._evaluate(theta, theta_d)
        J_r, J_f = self._by_kind(J)
        needed = np.asarray(p_dd) - J_f @ np.asarray(delta_dd, dtype=float) - J_d @ np.asarray(theta_d)
        return np.linalg.pinv(J_r) @ needed

    def record(self, theta: np.ndarray, theta_d: np.ndarray) -> dict[str, np.ndarray]:
        """Datasets of a result, in the units of the schema, for theta, theta_d (k, n_dof)."""
        J, J_d, inverse_inertia, _ = self._evaluate(theta, theta_d)
        J_r, J_f = self._by_kind(J)
        J_r_d, J_f_d = self._by_kind(J_d)
        joints = [i for i, row in enumerate(self._chain.coordinates.joints) if row is not None]
        return {
            "jacobian_joints": _for_all_joints(J_r, joints, len(self._chain.links)),
            "jacobian_modes": J_f,
            "jacobian_joints_rate": _for_all_joints(J_r_d, joints, len(self._chain.links)),
            "jacobian_modes_rate": J_f_d,
            "cartesian_inertia": np.linalg.inv(inverse_inertia),
        }

    def _by_kind(self, J: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        layout = self._chain.coordinates
        return J[..., list(layout.moving_joints)], J[..., list(layout.all_modes)]

    @cached_property
    def _native(self) -> NativeFunction:
        n = self._chain.coordinates.n_dof
        y = ca.SX.sym("y", 2 * n)
        theta, theta_d = y[:n], y[n:]
        J = ca.jacobian(self._task.rows(self._chain, theta), theta)
        J_d = ca.reshape(ca.jtimes(ca.vec(J), theta, theta_d), J.size1(), n)
        equations = make_formulation(self._arm.run.formulation, self._chain)
        M = equations.mass_matrix(theta)
        inverse_inertia = J @ ldl_solve(M, J.T)
        bias = equations.bias(theta, theta_d)
        out = ca.vertcat(*(ca.vec(part) for part in (J, J_d, inverse_inertia, M, bias)))
        return compile_native(
            ca.Function("operational", [ca.SX.sym("t"), y, ca.SX.sym("p", 0)], [ca.densify(out)])
        )

    def _evaluate(self, theta: ArrayLike, theta_d: ArrayLike) -> tuple:
        """J, J_d, J M^-1 J^T and (M, bias) for one state or many."""
        theta, theta_d = np.asarray(theta, dtype=float), np.asarray(theta_d, dtype=float)
        n, r = self._chain.coordinates.n_dof, self._task.size
        if theta.shape[-1:] != (n,) or theta_d.shape != theta.shape:
            raise ValueError(
                f"theta, theta_d: expected {n} values each, got shapes {theta.shape} and {theta_d.shape}"
            )
        states = np.atleast_2d(np.concatenate([theta, theta_d], axis=-1))
        flat = self._native.map(np.zeros(len(states)), states)
        cuts = np.cumsum([r * n, r * n, r * r, n * n])
        J, J_d, inverse_inertia, M, bias = np.split(flat, cuts, axis=1)

        def shaped(part: np.ndarray, rows: int) -> np.ndarray:
            matrices = part.reshape(len(part), -1, rows).transpose(0, 2, 1)
            return matrices if theta.ndim > 1 else matrices[0]

        return (
            shaped(J, r),
            shaped(J_d, r),
            shaped(inverse_inertia, r),
            (shaped(M, n), shaped(bias, n)[..., 0]),
        )


def operational_space(arm: Arm, trajectory: Trajectory) -> OperationalSpace:
    """Relate the coordinates of an arm to those that a trajectory prescribes.

    Raises
    ------
    ModelError
        The arm has no such coordinates, or fewer joints than there are.

    Examples
    --------
    >>> import flexarm
    >>> arm = flexarm.load_arm("robots/korayem_1994_clamped.yaml")
    >>> task = flexarm.load_trajectory("robots/trajectories/korayem_1994.yaml")
    >>> space = flexarm.operational_space(arm, task)
    >>> space.names
    ('x', 'y')
    """
    check_object("arm", arm, Arm)
    check_object("trajectory", trajectory, Trajectory)
    chain = build_chain(arm)
    return OperationalSpace(arm, chain, task_of(trajectory, arm, chain))


def _for_all_joints(J: np.ndarray, joints: list[int], n_links: int) -> np.ndarray:
    """Add columns of zeros to J (.., rows, moving joints) for locked joints: (.., rows, n_links)."""
    wide = np.zeros((*J.shape[:-1], n_links))
    wide[..., joints] = J
    return wide
