"""[SY94] eq. 25 to the letter, on the Lagrangian oracle: joint rates are integrated with the rest of the state."""

from __future__ import annotations

from collections.abc import Callable

import casadi as ca
import numpy as np
from scipy.integrate import solve_ivp

from reference.first_order import first_order
from reference.lagrangian import Oracle


class PublishedInverse:
    """Planar arm whose tip follows (x, y)(t), given with its first two rates by one function of time.

    ``without_products`` leaves products of two amplitudes out of the equations of motion, as the paper does.
    """

    def __init__(
        self,
        oracle: Oracle,
        desired: Callable[[float], tuple[np.ndarray, np.ndarray, np.ndarray]],
        without_products: bool = False,
    ):
        self.oracle, self.desired, self.without_products = oracle, desired, without_products
        theta, theta_d = oracle.theta_sym, oracle.theta_d_sym
        tip = oracle._section_position(oracle.n_links - 1, 1.0)[:2]
        J = ca.jacobian(tip, theta)
        bias = ca.jtimes(ca.jtimes(tip, theta, theta_d), theta, theta_d)  # J_r_d q_d + J_f_d delta_d
        self.task = ca.Function("task", [theta, theta_d], [J, bias])

    def start(self, q: np.ndarray) -> np.ndarray:
        """Undeformed, with the joint rates that the path asks for."""
        joints, n = self.oracle.joint_rows, self.oracle.n_dof
        y = np.zeros(2 * n)
        y[joints] = q
        J = self.task(y[:n], y[n:])[0].full()
        y[[n + row for row in joints]] = np.linalg.solve(J[:, joints], self.desired(0.0)[1])
        return y

    def accelerations(self, t: float, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """theta_dd from eq. 25, and the joint torques from eq. 1."""
        joints, modes, n = self.oracle.joint_rows, self.oracle.mode_rows, self.oracle.n_dof
        theta, theta_d = y[:n], y[n:]
        J, J_d_theta_d = (value.full() for value in self.task(theta, theta_d))
        M, bias = self._equations(theta, theta_d)
        theta_dd = np.linalg.solve(
            np.vstack([J, M[modes]]), np.concatenate([self.desired(t)[2] - J_d_theta_d[:, 0], -bias[modes]])
        )
        return theta_dd, (M @ theta_dd + bias)[joints]

    def _equations(self, theta: np.ndarray, theta_d: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        def whole(at: np.ndarray) -> np.ndarray:
            return np.column_stack([self.oracle.mass_matrix(at), self.oracle.bias(at, theta_d)])

        both = first_order(whole, theta, self.oracle.mode_rows) if self.without_products else whole(theta)
        return both[:, :-1], both[:, -1]

    def integrate(self, y0: np.ndarray, end: float) -> np.ndarray:
        """State at the end."""
        n = self.oracle.n_dof

        def rates(t: float, y: np.ndarray) -> np.ndarray:
            return np.concatenate([y[n:], self.accelerations(t, y)[0]])

        return solve_ivp(rates, (0.0, end), y0, method="DOP853", rtol=1e-12, atol=1e-14).y[:, -1]
