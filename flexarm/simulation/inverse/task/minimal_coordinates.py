"""Minimal coordinates of an arm: as many as its degrees of freedom, also where its base turns in space.

They are those of the chain, but for the quaternion e of a free base. Its place takes s = 4 e / (1 + e_0), the modified
Rodrigues parameters times four [Shuster1993]: the rotation vector to second order, and smooth up to a full turn.
"""

from __future__ import annotations

from typing import NamedTuple

import casadi as ca
import numpy as np

from flexarm.description.arm.arm import Arm
from flexarm.model.chain import Chain


class ChainMotion(NamedTuple):
    """Motion in the coordinates of the chain: theta (n_theta,), theta_d (n_dof,), theta_dd (n_dof,)."""

    theta: ca.SX
    theta_d: ca.SX
    theta_dd: ca.SX


def chain_theta(chain: Chain, theta: ca.SX) -> ca.SX:
    """Coordinates of the chain (n_theta,) from minimal ones (n_dof,) [rad, m]."""
    if not _turns(chain):
        return theta
    return ca.vertcat(theta[:-3], _quaternion(theta[-3:]))


def chain_motion_of(chain: Chain, theta: ca.SX, theta_d: ca.SX, theta_dd: ca.SX) -> ChainMotion:
    """Motion of the chain from minimal coordinates and their rates, (n_dof,) each."""
    if not _turns(chain):
        return ChainMotion(theta, theta_d, theta_dd)
    w, w_d = _turning(theta[-3:], theta_d[-3:], theta_dd[-3:])
    return ChainMotion(chain_theta(chain, theta), ca.vertcat(theta_d[:-3], w), ca.vertcat(theta_dd[:-3], w_d))


def _turning(s: ca.SX, s_d: ca.SX, s_dd: ca.SX) -> tuple[ca.SX, ca.SX]:
    """Angular velocity along the fixed axes and its rate (3,) each, [rad/s, rad/s^2]."""
    at, rate, second = (ca.SX.sym(name, 3) for name in ("s", "s_d", "s_dd"))
    e = _quaternion(at)
    e_d = ca.jtimes(e, at, rate)
    # the inverse of the quaternion's rate by an angular velocity along the fixed axes
    w = 2 * (e[0] * e_d[1:] - e_d[0] * e[1:] + ca.cross(e[1:], e_d[1:]))
    w_d = ca.jtimes(w, ca.vertcat(at, rate), ca.vertcat(rate, second))
    found = ca.substitute(
        ca.vertcat(w, w_d), ca.vertcat(at, rate, second), ca.densify(ca.vertcat(s, s_d, s_dd))
    )
    return found[:3], found[3:]


def _quaternion(s: ca.SX) -> ca.SX:
    """Quaternion (4,) of the modified Rodrigues parameters times four (3,)."""
    sigma = s / 4
    size = ca.dot(sigma, sigma)
    return ca.vertcat(1 - size, 2 * sigma) / (1 + size)


def minimal_accelerations(chain: Chain, theta: ca.SX, theta_d: ca.SX, accelerations: ca.SX) -> ca.SX:
    """Second rates (n_dof,) of minimal coordinates from the accelerations (n_dof,) of the chain."""
    if not _turns(chain):
        return accelerations
    # w_d is linear in the second rates
    s, s_d, unit = theta[-3:], theta_d[-3:], ca.SX.eye(3)
    bias = _turning(s, s_d, ca.SX.zeros(3))[1]
    by_rates = ca.horzcat(*(_turning(s, s_d, unit[:, k])[1] - bias for k in range(3)))
    return ca.vertcat(accelerations[:-3], ca.solve(by_rates, accelerations[-3:] - bias))


def initial_base(arm: Arm, chain: Chain) -> tuple[np.ndarray, np.ndarray]:
    """Where a floating base begins and its rates, in minimal coordinates [m, 1; per s]; empty for a fixed one."""
    pose, speeds = np.array(arm.initial.base), np.array(arm.initial.base_rates)
    if not _turns(chain):
        return pose, speeds
    turn = np.linalg.norm(pose[3:])
    pose[3:] *= 4 * np.tan(turn / 4) / turn if turn else 1.0
    # w is linear in the rates
    s, s_d = ca.SX.sym("s", 3), ca.SX.sym("s_d", 3)
    w = _turning(s, s_d, ca.SX.zeros(3))[0]
    by_rates = ca.Function("by_rates", [s], [ca.jacobian(w, s_d)])(pose[3:]).full()
    speeds[3:] = np.linalg.solve(by_rates, speeds[3:])
    return pose, speeds


def _turns(chain: Chain) -> bool:
    return chain.coordinates.n_theta != chain.coordinates.n_dof
