"""Chain of a URDF -> the text of a description, with comments."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import numpy as np

from flexarm.catalogue import JOINT_TYPES
from flexarm.description.reading.yaml_files.decimals import decimal_text
from flexarm.description.reading.yaml_files.written_out import flow_text
from flexarm.description.values.profile import Profile
from flexarm.errors import printable
from flexarm.urdf.flexible_links import Beam
from flexarm.urdf.rigid_bodies import ROUND_OFF, Array, Body, pose_of, roll_pitch_yaw
from flexarm.urdf.serial_chain import ChainLink, SerialChain

_WIDTH = 110
_SAME = 1e-12
"""Shift [m] or sine of a turn at which two frames are taken as one."""


def description_text(
    name: str, source: str, chain: SerialChain, flexible: Mapping[str, Beam], remarks: Sequence[str]
) -> str:
    """Write the description of a chain.

    Parameters
    ----------
    name : str
        Of the robot; what a name of an arm does not take is replaced.
    source : str
        The URDF file.
    flexible : mapping
        Name of a link of the chain -> the beam that it is; the others are rigid.
    remarks : sequence of str
        What was decided on the way, for the head of the text.
    """
    joints, links = [], []
    before = np.eye(4)  # pose of the end of the link before in that link's own frame
    for link in chain.links:
        beam = flexible.get(link.name)
        turn = np.eye(3) if beam is None else beam.axes
        joints.append(
            _joint(link, _from(before) @ link.origin @ pose_of(turn, np.zeros(3)), turn.T @ link.axis)
        )
        before = pose_of(turn, np.zeros(3) if beam is None else link.end[:3, 3])
        if beam is None:
            links.append(_body(", ".join(link.parts), link.body()))
            continue
        links.append(_beam(beam))
        if (rest := link.body(without=beam.name)) is not None:
            names = ", ".join(name for name in link.parts if name != beam.name)
            joints.append(f"  - type: fixed  # at the end of {one_line(beam.name)}\n")
            links.append(_body(names, rest.seen_from(_from(before))))
    end = _from(before) @ chain.links[-1].end
    if np.max(abs(end - np.eye(4))) > _SAME:
        joints.append(f"  - type: fixed  # {one_line(chain.tip)}\n    origin: {_origin(end)}\n")
        links.append(f"  - length: 0  # {one_line(chain.tip)}: the tip\n")
    starts = [_start(link) for link in chain.links]
    head = "\n".join(f"# {line}" for remark in remarks for line in _wrapped(one_line(remark)))
    return f"""\
# {one_line(name)}, imported from {one_line(source)} by flexarm import.
#
{head}
name: {flow_text(arm_name(name))}
gravity: [0, 0, -9.81]  # m/s^2; z points up
joints:  # each at its origin, seen from the frame of the link before: shift in m, then turns in rad
{"".join(joints)}links:  # each in the frame of its joint; length 0: a rigid body
{"".join(links)}initial: {{joints: [{", ".join(map(number, starts))}]}}  # rad, prismatic: m
run: {{duration: 1.0, sample: 0.01}}  # s
"""


def arm_name(name: str) -> str:
    """Name of an arm that is as near as may be to that of a robot."""
    text = re.sub(r"[^\w.-]+", "-", printable(name)).strip("-.")[:100]
    return text if re.match(r"\w", text) else "robot"


def number(value: float, size: float | None = None) -> str:
    """Text of a number, computed from others of a size [SI units]; 0 below what products of rotations leave."""
    return "0" if abs(value) < ROUND_OFF else decimal_text(value, size)


def _numbers(values: Array, size: float = 0.0) -> str:
    """Text of the components of a vector, which were computed from others as large as it, or of a size."""
    size = np.max(abs(values), initial=size)
    return f"[{', '.join(number(value, size) for value in values)}]"


def one_line(text: str) -> str:
    """Text that stays on its line of a comment."""
    return printable(" ".join(str(text).split()))


def _wrapped(text: str) -> list[str]:
    lines = [""]
    for word in text.split():
        if len(lines[-1]) + len(word) > _WIDTH and lines[-1]:
            lines.append(" ")
        lines[-1] += f" {word}" if lines[-1].strip() else f"{lines[-1]}{word}"[len(lines[-1]) :]
    return lines


def _from(pose: Array) -> Array:
    """Inverse of a homogeneous transform."""
    turn = pose[:3, :3].T
    return pose_of(turn, -turn @ pose[:3, 3])


def _origin(pose: Array) -> str:
    return f"{{xyz: {_numbers(pose[:3, 3])}, rpy: {_numbers(roll_pitch_yaw(pose[:3, :3]), 1.0)}}}"


def _joint(link: ChainLink, place: Array, axis: Array) -> str:
    joint = link.joint
    slides = joint.type == "prismatic"
    lines = [
        f"  - type: {'prismatic' if slides else 'revolute'}  # {one_line(joint.name)}",
        f"    origin: {_origin(place)}",
        f"    axis: {_numbers(axis)}",
    ]
    if (bounds := limits_of(link)) is not None:
        lines.append(f"    limits: {_numbers(np.array(bounds))}  # {'m' if slides else 'rad'}")
    if parts := {key: number(value) for key, value in _friction(joint).items() if value}:
        kind = JOINT_TYPES["prismatic" if slides else "revolute"]
        units = {"viscous": kind.friction_unit, "coulomb": kind.force_unit}
        typed = ", ".join(f"{key}: {value}" for key, value in parts.items())
        hint = "; smoothing: 0 makes it stick" * ("coulomb" in parts)
        lines.append(f"    friction: {{{typed}}}  # {', '.join(units[key] for key in parts)}{hint}")
    if joint.limit is not None and joint.limit.effort:
        unit = "N" if slides else "N m"
        lines.append(
            f"    motor: {{stall_torque: {number(joint.limit.effort)}}}  # {unit}, the limit of effort"
        )
    return "\n".join(lines) + "\n"


def _friction(joint: object) -> dict[str, float]:
    dynamics = getattr(joint, "dynamics", None)
    if dynamics is None:
        return {}
    return {"viscous": float(dynamics.damping or 0.0), "coulomb": float(dynamics.friction or 0.0)}


def limits_of(link: ChainLink) -> tuple[float, float] | None:
    """Range of a joint [rad, m]; None without one."""
    limit = link.joint.limit
    if limit is None or link.joint.type == "continuous":
        return None
    low, high = limit.lower or 0.0, limit.upper or 0.0
    return (low, high) if low < high else None


def _start(link: ChainLink) -> float:
    low, high = limits_of(link) or (0.0, 0.0)
    return 0.0 if low <= 0 <= high else (low + high) / 2


def _body(names: str, body: Body | None) -> str:
    if body is None:
        return f"  - length: 0  # {one_line(names)}: without mass\n"
    inertia = body.inertia[[0, 1, 2, 0, 0, 1], [0, 1, 2, 1, 2, 2]]
    return (
        f"  - length: 0  # {one_line(names)}\n"
        f"    body: {{mass: {number(body.mass)}, center: {_numbers(body.center)}, inertia: {_exact(inertia)}}}\n"
    )


def _exact(inertia: Array) -> str:
    """Numbers that may be small beyond round-off of lengths."""
    size = np.max(abs(inertia))
    return f"[{', '.join(decimal_text(value, size) for value in inertia)}]"


def _beam(beam: Beam) -> str:
    length, stiff = beam.length, beam.stiffness
    modes = ["{count: 2}", "{count: 2, direction: z}"]
    twist = spin = ""
    if beam.spin > ROUND_OFF:
        spin = f"    rotary_inertia: [{number(beam.spin / length)}, 0, 0]  # kg m, about its length\n"
    if stiff.GJ is not None and spin:
        modes.append("{count: 1, direction: torsion}")
        twist = f"    GJ: {_profile(stiff.GJ, length)}  # N m^2\n"
    return (
        f"  - length: {number(length)}  # {one_line(beam.name)}: flexible, along x to the next joint\n"
        f"    mu: {number(beam.mass / length)}  # kg/m: its mass, {number(beam.mass)} kg, over its length\n"
        f"{spin}    EI: {{y: {_profile(stiff.EI_y, length)}, z: {_profile(stiff.EI_z, length)}}}  # N m^2\n"
        f"{twist}    modes: [{', '.join(modes)}]\n"
    )


def _profile(profile: Profile, length: float) -> str:
    if profile.is_constant:
        return number(profile.values[0])
    eta = _numbers(np.array(profile.eta) * length)
    return f"{{eta: {eta}, values: {_numbers(np.array(profile.values))}}}"
