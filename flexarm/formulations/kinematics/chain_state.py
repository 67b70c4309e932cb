"""Coordinates and rates of the chain, body by body."""

from __future__ import annotations

from dataclasses import dataclass

import casadi as ca

from flexarm.formulations.assembly import entries_at, split
from flexarm.model.chain import Chain


@dataclass(frozen=True)
class ChainState:
    """Coordinates and rates of the chain, one entry per body.

    Attributes
    ----------
    q, q_d : list of SX [rad, m], [rad/s, m/s]
        Coordinates of the joints and their rates; numbers for locked joints.
    delta, delta_d : list of SX (m_i,)
        Modal amplitudes and their rates.
    """

    q: list[ca.SX]
    q_d: list[ca.SX]
    delta: list[ca.SX]
    delta_d: list[ca.SX]

    @classmethod
    def of(cls, chain: Chain, theta: ca.SX, theta_d: ca.SX) -> ChainState:
        """Split theta (n_theta,) [rad, m, 1] and theta_d (n_dof,) [rad/s, m/s] by body."""
        q = [
            ca.SX(body.joint.locked_at) if rows.joint is None else theta[rows.joint]
            for rows, body in zip(chain.rows, chain.bodies, strict=True)
        ]
        delta = [entries_at(theta, rows.modes_theta) for rows in chain.rows]
        return cls(q, delta=delta, **dict(zip(("q_d", "delta_d"), split(chain, theta_d), strict=True)))


def theta_rate(chain: Chain, theta: ca.SX, theta_d: ca.SX) -> ca.SX:
    """Time derivative of theta, (n_theta,), from theta_d (n_dof,) [rad/s, m/s]; a quaternion has its own."""
    layout = chain.coordinates
    if layout.n_theta == layout.n_dof:
        return theta_d
    e_0, e, w = theta[-4], theta[-3:], theta_d[-3:]
    return ca.vertcat(theta_d[:-3], -ca.dot(w, e) / 2, (e_0 * w + ca.cross(w, e)) / 2)
