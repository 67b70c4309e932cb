"""Modal form of full state-space matrices, in which each state follows one other at most."""

from __future__ import annotations

import numpy as np

from flexarm.simulation.controllers.block import LinearSystem, Rows

WORST_CONDITION = 1e3
"""Condition number of the eigenvectors up to which the form is taken: by so many roundings it differs."""
NEAR_REAL = 1e-12
"""Imaginary part of an eigenvalue, of the largest one's size, that is none."""


def modal_form(system: LinearSystem) -> LinearSystem:
    """The same system in its modal states, if these cost fewer products and are well conditioned; else as it is.

    Notes
    -----
    x = T z with the eigenvectors of A, of a pair a +- j b the real and imaginary parts: z' = [a, b; -b, a] z +
    T^-1 B u. The phase of an eigenvector v is such that v^T v is real, so that both parts are orthogonal, and states
    are balanced first, as their units are arbitrary.
    """
    if not (_are_numbers(system.A) and _are_numbers(system.B) and _are_numbers(system.C)):
        return system  # some stand for several numbers
    A, B, C = (np.array(rows, dtype=float) for rows in (system.A, system.B, system.C))
    if np.count_nonzero(A) <= 2 * len(A):
        return system
    from scipy.linalg import matrix_balance  # runs without such controllers start quicker without

    _, unit = matrix_balance(A, permute=False)
    unit = np.diag(unit)
    values, vectors = np.linalg.eig(A * unit / unit[:, None])
    blocks, columns = np.zeros_like(A), []
    for value, v in zip(values, vectors.T, strict=True):
        k = len(columns)
        if abs(value.imag) <= NEAR_REAL * np.abs(values).max():
            blocks[k, k] = value.real
            columns.append(np.real(v))
        elif value.imag > 0:
            v = v * np.exp(-0.5j * np.angle(v @ v))
            blocks[k : k + 2, k : k + 2] = [[value.real, value.imag], [-value.imag, value.real]]
            columns += [np.real(v), np.imag(v)]
    T = np.column_stack(columns)
    if T.shape != A.shape or np.linalg.cond(T) > WORST_CONDITION:
        return system
    return LinearSystem(
        blocks.tolist(), np.linalg.solve(T, B / unit[:, None]).tolist(), (C * unit @ T).tolist(), system.D
    )


def _are_numbers(rows: Rows) -> bool:
    return all(isinstance(entry, int | float) for row in rows for entry in row)
