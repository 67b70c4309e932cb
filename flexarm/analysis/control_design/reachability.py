"""Motions that inputs reach and sensors see, and those that they do not."""

from __future__ import annotations

import numpy as np
from scipy.linalg import block_diag, null_space

from flexarm.analysis.linear_models.linear_model import LinearModel

UNREACHED = 1e-9
"""Part of a motion, of its whole, up to which inputs do not move it, or sensors do not see it."""
REPEATED = 1e-6
"""Distance of poles, of the fastest one, that is round-off: its root where eigenvectors fall together."""
PARALLEL = 1e-4
"""Singular value of eigenvectors, of the largest, up to which they are the same but for that."""
MARGINAL = 1e-9
"""Real part of a pole, of the fastest one's size, up to which it counts as not decaying."""


def reachable_states(model: LinearModel) -> tuple[np.ndarray, tuple[str, ...]]:
    """Basis (states, k) of the states in which the momentum of a floating arm stays zero, and what is set aside.

    No torque of a joint changes the momentum of an arm that nothing holds: where no force depends on where the base is,
    its rows of M x and of M x_d are constant.
    """
    motion, layout = model.motion, model.point.chain.coordinates
    base = [k for k, row in enumerate(motion.rows) if row in layout.base]
    if (
        not base
        or np.abs(motion.K[base]).max() > UNREACHED * np.abs(motion.K).max(initial=0.0)
        or motion.D[base].any()
    ):
        return np.eye(len(model.A)), ()
    if np.abs(model.forces[base]).max(initial=0.0):
        return np.eye(len(model.A)), ()
    n = len(motion.rows)
    still = null_space(motion.M[base])
    basis = np.asarray(block_diag(still, still, np.eye(len(model.A) - 2 * n)))
    return basis, tuple(model.states[k] for k in base)


def unreached_motions(A: np.ndarray, B: np.ndarray) -> list[tuple[complex, np.ndarray]]:
    """Poles that do not decay and whose left eigenvectors w have w^H B = 0, each with w.

    Of a repeated pole, such as 0 of several joints that turn freely, some combination of its eigenvectors may be so.
    """
    poles, vectors = np.linalg.eig(A.T)
    fastest = np.abs(poles).max(initial=0.0)
    left = np.real(poles) > -MARGINAL * fastest
    found = []
    while left.any():
        pole = poles[left.argmax()]
        same = np.abs(poles - pole) <= REPEATED * fastest
        left &= ~same
        W, sizes, _ = np.linalg.svd(vectors[:, same], full_matrices=False)
        W = W[:, sizes > PARALLEL * sizes[0]]
        scale = np.abs(W).max(axis=1) @ np.abs(B)
        combinations, reached, _ = np.linalg.svd(W.T @ (B / np.where(scale > 0, scale, 1.0)))
        reached = np.pad(reached, (0, W.shape[1] - reached.size))
        tolerance = REPEATED if same.sum() > 1 else UNREACHED
        found += [(complex(pole), W @ each.conj()) for each in combinations.T[reached <= tolerance]]
    return found
