"""Modal damping of links of several segments, which couples these."""

from __future__ import annotations

import casadi as ca

from flexarm.formulations.linear_algebra import constant
from flexarm.model.chain import Chain


def segment_damping(chain: Chain, theta_d: ca.SX) -> ca.SX:
    """Generalised forces D theta_d, (n_dof,) [N, N m], that the damping of links of several segments takes."""
    forces = ca.SX.zeros(chain.coordinates.n_dof)
    for D, modes in zip(chain.segment_damping, chain.coordinates.modes, strict=True):
        matrix, rows = constant(D), list(modes)
        if not matrix.is_zero():
            forces[rows] = matrix @ theta_d[rows]
    return forces
