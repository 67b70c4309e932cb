"""Warnings of joints that creep, since the dry friction that should hold them is smoothed."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from flexarm.description.arm.arm import Arm
from flexarm.description.arm.joint.motor import Friction
from flexarm.model.chain import Chain
from flexarm.simulation.state.static_equilibrium import StaticForces

BISECTIONS = 100
LEAST = 1e-9
"""Torque on a joint, as a part of its friction, that is round-off."""


def creep_warnings(arm: Arm, chain: Chain, theta: np.ndarray, theta_d: np.ndarray) -> Iterator[str]:
    """Warnings of joints at rest at the start, theta (n_theta,) and theta_d (n_dof,), that smoothed friction holds."""
    rows = [
        (i, row, arm.joints[i])
        for i, (row, drive) in enumerate(zip(chain.coordinates.driven, arm.drive, strict=True))
        if row is not None and arm.joints[i].friction.smoothed and (drive is None or drive.motion is None)
    ]
    if not rows:
        return
    bias, external = StaticForces.of(arm, chain).forces(theta)
    for i, row, joint in rows:
        torque = abs(float((external - bias)[row]))
        friction = joint.friction
        if theta_d[row] or not LEAST * friction.coulomb < torque < friction.coulomb:
            continue
        yield (
            f"joint {i + 1}: its friction could hold it at the start, but is smoothed: it creeps at "
            f"{creep_rate(friction, torque):.2g} {joint.kind.rate_unit} (friction: {{smoothing: 0}} makes it stick)"
        )


def creep_rate(friction: Friction, torque: float) -> float:
    """Rate [rad/s, m/s] at which smoothed friction balances a torque [N m, N] below that of dry friction."""
    if not friction.viscous:
        return friction.smoothing * math.atanh(torque / friction.smoothed)
    low, high = 0.0, torque / friction.viscous
    for _ in range(BISECTIONS):
        rate = (low + high) / 2
        holds = friction.viscous * rate + friction.smoothed * math.tanh(rate / friction.smoothing) > torque
        low, high = (low, rate) if holds else (rate, high)
    return (low + high) / 2
