"""Assembly of joint and modal entries in the order of the coordinates theta, and its inverse."""

from __future__ import annotations

from collections.abc import Sequence

import casadi as ca

from flexarm.model.chain import Chain


def assemble(chain: Chain, joint_rows: Sequence[ca.SX], mode_rows: Sequence[ca.SX]) -> ca.SX:
    """Assemble one entry per joint and one vector (m_i,) per body to (n_dof,); entries of locked joints drop out.

    The rows of motors of elastic joints are zero.
    """
    vector: list = [ca.SX(0)] * chain.coordinates.n_dof
    for rows, joint, modes in zip(chain.rows, joint_rows, mode_rows, strict=True):
        if rows.joint is not None:
            vector[rows.joint] = joint
        for j, row in enumerate(rows.modes):
            vector[row] = modes[j]
    return ca.vertcat(*vector)


def split(chain: Chain, vector: ca.SX) -> tuple[list[ca.SX], list[ca.SX]]:
    """Split a vector (n_dof,) into one entry per joint, zero where it is locked, and one vector (m_i,) per body."""
    joints = [ca.SX(0) if rows.joint is None else vector[rows.joint] for rows in chain.rows]
    return joints, [entries_at(vector, rows.modes) for rows in chain.rows]


def entries_at(vector: ca.SX, rows: Sequence[int]) -> ca.SX:
    """Entries of a vector (n,) at the given rows; a column (0, 1) if there are none."""
    return vector[list(rows)] if rows else ca.SX(0, 1)
