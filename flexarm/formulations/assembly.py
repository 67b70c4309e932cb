"""Rows of joints and modes in the order of the coordinates theta."""

from __future__ import annotations

from collections.abc import Sequence

import casadi as ca

from flexarm.model.chain import Chain


def assemble(chain: Chain, joint_rows: Sequence[ca.SX], mode_rows: Sequence[ca.SX]) -> ca.SX:
    """Order one entry per joint and one vector of modes per body; entries of locked joints drop out."""
    vector: list = [None] * chain.coordinates.n_dof
    for rows, joint, modes in zip(chain.rows, joint_rows, mode_rows, strict=True):
        if rows.joint is not None:
            vector[rows.joint] = joint
        for j, row in enumerate(rows.modes):
            vector[row] = modes[j]
    return ca.vertcat(*vector)
