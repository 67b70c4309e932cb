"""Integrals of outer products, from those of products of cross-product matrices."""

from __future__ import annotations

import numpy as np


def outer_products(X: np.ndarray) -> np.ndarray:
    """Integrals of a b^T, (..., 3, 3), from those X of b~^T a~, in the same unit."""
    # X[None], so that the trace is an array even if X is one matrix of symbols
    half_trace = np.trace(X[None], axis1=-2, axis2=-1)[..., None, None] / 2
    return (half_trace * np.eye(3))[0] - X
