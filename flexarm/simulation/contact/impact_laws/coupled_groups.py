"""Groups of contacts that know nothing of each other's impulses."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

COUPLING = 1e-12
"""Entry of the Delassus matrix that is round-off, in units of equal inertia."""


def coupled_groups(G: NDArray[np.float64], n_directions: int) -> list[NDArray[np.intp]]:
    """Numbers of the contacts, (j,) int for each group, such that no impulse on one group moves another.

    Parameters
    ----------
    G : (k d, k d)
        Delassus matrix in units of equal inertia, contact by contact.
    n_directions : int
        d.
    """
    k = G.shape[0] // n_directions
    blocks = np.abs(G).reshape(k, n_directions, k, n_directions).max(axis=(1, 3), initial=0.0)
    group = np.arange(k)
    for i, j in np.argwhere(np.triu(np.maximum(blocks, blocks.T) > COUPLING, 1)):
        group[group == group[j]] = group[i]
    return [np.flatnonzero(group == one) for one in np.unique(group)]
