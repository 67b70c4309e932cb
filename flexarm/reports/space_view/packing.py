"""Arrays as text of a page."""

from __future__ import annotations

from base64 import b64encode
from typing import Any

import numpy as np

TYPES = {"f4": "<f4", "f8": "<f8", "u1": "<u1", "u4": "<u4"}


def packed(values: Any, kind: str) -> dict[str, str]:
    """Write an array as base64 of its little-endian numbers, row by row: {kind: text}; kinds as in :data:`TYPES`."""
    return {kind: b64encode(np.ascontiguousarray(values, dtype=TYPES[kind]).tobytes()).decode()}
