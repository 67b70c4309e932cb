"""Damping that couples bodies: of links of several segments, and of the modes of the assembled arm."""

from __future__ import annotations

import casadi as ca

from flexarm.formulations.linear_algebra import constant
from flexarm.model.chain import Chain


def coupled_damping(chain: Chain, theta_d: ca.SX) -> ca.SX:
    """Generalised forces D theta_d, (n_dof,) [N, N m], of all damping that is not of one body alone."""
    forces = ca.SX.zeros(chain.coordinates.n_dof)
    for D, modes in zip(chain.segment_damping, chain.coordinates.modes, strict=True):
        matrix, rows = constant(D), list(modes)
        if not matrix.is_zero():
            forces[rows] = matrix @ theta_d[rows]
    if chain.assembled_damping.size:
        rows = list(chain.coordinates.all_modes)
        forces[rows] += constant(chain.assembled_damping) @ theta_d[rows]
    return forces
