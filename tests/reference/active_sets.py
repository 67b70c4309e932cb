"""Linear complementarity by trying every set of pushing contacts."""

from __future__ import annotations

from itertools import combinations

import numpy as np


def by_enumeration(A, b, tolerance=1e-9):
    """All solutions of w = A F + b, F >= 0, w >= 0, F . w = 0 with a regular set of pushing contacts: list of F."""
    found = []
    for size in range(len(b) + 1):
        for rows in map(list, combinations(range(len(b)), size)):
            F = np.zeros(len(b))
            block = A[np.ix_(rows, rows)]
            if rows:
                if np.linalg.cond(block) > 1e10:
                    continue
                F[rows] = np.linalg.solve(block, -b[rows])
            if np.all(-tolerance <= F) and np.all(A @ F + b >= -tolerance):
                found.append(F)
    return found
