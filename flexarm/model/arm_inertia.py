"""Inertia of an arm with straight links, by all its coordinates."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from flexarm.links import FlexibleLink
from flexarm.links.integrals import skew
from flexarm.links.shapes.shape_functions import Array
from flexarm.model.chain import Chain
from flexarm.model.parts.joint import JointModel
from flexarm.model.small_motion import beyond, body_inertia


def arm_inertia(chain: Chain, angles: Sequence[float]) -> Array:
    """Mass matrix (n_dof, n_dof) of an arm with straight links; `angles` [rad, m] has one for each body of a link."""
    layout = chain.coordinates
    M = np.zeros((layout.n_dof,) * 2)
    frame, by_body = np.zeros((6, layout.n_dof)), dict(zip(chain.arm_bodies, angles, strict=True))
    for i, (body, rows) in enumerate(zip(chain.bodies, chain.rows, strict=True)):
        if not isinstance(body.link, FlexibleLink):  # the base: its speeds are those of its end
            moves = (
                (0, 1, 5) if len(layout.base) == 3 else range(len(layout.base))
            )  # in the plane it turns about z
            frame[list(moves), list(layout.base)] = 1
            continue
        frame = _over_joint(body.joint, by_body.get(i, body.joint.locked_at), frame)
        if rows.joint is not None:
            frame[:3, rows.joint] += body.joint.motion.S_v
            frame[3:, rows.joint] += body.joint.motion.S_w
            M[rows.joint, rows.joint] += body.joint.motor_inertia
        modes = list(rows.modes)
        J = np.zeros((6 + len(modes), layout.n_dof))
        J[:6], J[range(6, len(J)), modes] = frame, 1
        M += J.T @ body_inertia(body.link) @ J
        if body.link.length:
            frame = beyond(body.link, modes, 1.0, frame)
    for spring in chain.motor_springs:
        motor = layout.motors[spring.joint]
        M[motor, motor] = spring.motor_inertia
    return (M + M.T) / 2


def _over_joint(joint: JointModel, q: float, end: Array) -> Array:
    """Velocity and spin (6, n) of the frame behind a joint at q [rad, m], in its axes, from those of the end before."""
    R, offset = joint.transform(q)
    return np.vstack([R.T @ (end[:3] - skew(offset) @ end[3:]), R.T @ end[3:]])
