"""A force on one point of an arm."""

from __future__ import annotations

from typing import NamedTuple

import casadi as ca


class PointForce(NamedTuple):
    """A force f (3,) [N], along the fixed axes, on a link at the fraction xi of its length; None: at its origin O_i."""

    link: int
    xi: float | None
    f: ca.SX
