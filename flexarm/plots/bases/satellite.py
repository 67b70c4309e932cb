"""Motion of a satellite: of the base's body, or of the rigid first link, of an arm that floats."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from flexarm.description.arm.joint.joint import Z_AXIS
from flexarm.links.shapes.quadrature import gauss_panels
from flexarm.results.result import Result

SAMPLES = 4000


class SatelliteMotion(NamedTuple):
    """Motion of a satellite at k samples, along the fixed axes.

    Attributes
    ----------
    time : (k,) [s]
    position, velocity : (k, 3) [m, m/s]
        Of its mass centre.
    turn, rate : (k, 3) [rad, rad/s]
        Rotation vector since the start, whole turns counted, and angular velocity.
    """

    time: np.ndarray
    position: np.ndarray
    velocity: np.ndarray
    turn: np.ndarray
    rate: np.ndarray


def has_satellite(result: Result) -> bool:
    """Return whether an arm that floats has a base with a body, or begins with a rigid link that carries others."""
    arm = result.arm
    if "base_position" not in result:
        return False
    if arm.base_body is not None:
        return True
    if len(arm.links) < 2:
        return False
    joint, link = arm.joints[0], arm.links[0]
    turns = arm.base == "free" or joint.turns
    at_base = joint.origin is None and joint.offset == 0 and joint.axis == Z_AXIS and joint.kind.is_angle
    return turns and at_base and not link.n_modes and not link.is_body


def satellite_name(result: Result) -> str:
    """Name of the part that is the satellite."""
    return "link 1" if result.arm.base_body is None else "the base"


def satellite_motion(result: Result) -> SatelliteMotion:
    """Return the motion of the satellite at samples spread evenly over the run."""
    rows = np.unique(np.linspace(0, result.n_samples - 1, SAMPLES).round().astype(int))
    if result.arm.base_body is None:
        centre, turn, rate = _of_first_link(result, rows)
    else:
        e, rate = result.rows("base_orientation", rows), result.rows("base_angular_velocity", rows)
        attachment = np.broadcast_to(result.arm.base_body.attachment, rate.shape)
        centre, turn = -turned(e, attachment), _rotation_vectors(e)
    return SatelliteMotion(
        result.rows("time", rows),
        result.rows("base_position", rows) + centre,
        result.rows("base_velocity", rows) + np.cross(rate, centre),
        turn,
        rate,
    )


def _of_first_link(result: Result, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Mass centre from O_1, turn and rate, (k, 3) [m, rad, rad/s] each, of link 1 at some samples."""
    arm, joint = result.arm, result.arm.joints[0]
    q, q_d = (result.rows(name, rows)[:, 0] for name in ("joint_angle", "joint_velocity"))
    cos, sin = np.cos(joint.twist), np.sin(joint.twist)
    along = np.stack([np.cos(q), cos * np.sin(q), sin * np.sin(q)], axis=1)
    axis = np.array([0.0, -sin, cos])
    turn, rate = (q - q[0])[:, None] * axis, q_d[:, None] * axis
    if arm.base == "free":
        e = result.rows("base_orientation", rows)
        along, rate = turned(e, along), turned(e, rate)
        rate += result.rows("base_angular_velocity", rows)
        if not joint.moves:
            turn = _rotation_vectors(e)
    link = arm.links[0]
    xi, weights = gauss_panels(link.mu.knots)
    first_moment = link.length**2 * float(weights @ (xi * link.mu.at(xi)))
    return first_moment / (link.mass + joint.mass) * along, turn, rate


def turned(e: np.ndarray, vectors: np.ndarray) -> np.ndarray:
    """Turn vectors (k, 3) by unit quaternions (k, 4)."""
    twice = 2 * np.cross(e[:, 1:], vectors)
    return vectors + e[:, :1] * twice + np.cross(e[:, 1:], twice)


def _rotation_vectors(e: np.ndarray) -> np.ndarray:
    """Rotation vectors (k, 3) [rad] from the first of unit quaternions (k, 4) on, without jumps after a whole turn."""
    scalar = e[:, 1:] @ e[0, 1:] + e[:, 0] * e[0, 0]
    vector = e[0, 0] * e[:, 1:] - e[:, :1] * e[0, 1:] - np.cross(e[:, 1:], e[0, 1:])
    size = np.linalg.norm(vector, axis=1)
    half = np.arctan2(size, scalar)
    axes = vector / np.where(size > 0, size, 1.0)[:, None]
    found = 2 * half[:, None] * axes
    for k in range(1, len(found)):
        whole = np.round((found[k - 1] @ axes[k] - found[k] @ axes[k]) / (2 * np.pi))
        found[k] += 2 * np.pi * whole * axes[k]
    return found
