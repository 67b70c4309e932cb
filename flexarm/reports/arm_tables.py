"""Tables of the arm of a result: links, masses, frequencies, joints, and its description as it was given."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from flexarm.analysis.checks.check import check_arm
from flexarm.analysis.checks.check_tables import JOINT_SIDES, LINK_SIDES, arm_rows, joint_rows, link_rows
from flexarm.description.arm.arm import Arm
from flexarm.description.arm.joint.joint import Z_AXIS, Joint
from flexarm.description.arm.link.link import Link
from flexarm.description.values.profile import Profile
from flexarm.errors import FlexarmError
from flexarm.html import Html, element, folded, joined, table


def arm_section(arm: Arm, text: str, title: str = "Description as it was given (YAML)") -> Html:
    """Describe an arm.

    Parameters
    ----------
    arm : Arm
    text : str
        Its YAML text.
    title : str
        What that is.
    """
    return joined(
        [
            element("h3", "Links"),
            table(_links(arm), sides="><<<<<"),
            *_checked(arm),
            element("h3", "Joints"),
            table(_joints(arm), sides=">><<<<"),
            folded(title, element("pre", text)),
        ]
    )


def _checked(arm: Arm) -> list[Html]:
    """Masses and frequencies, as `flexarm check` has them."""
    try:
        report = check_arm(arm)
    except FlexarmError as failure:
        return [element("p", f"Frequencies could not be computed: {failure}", class_="warning")]
    joints = joint_rows(arm, report)
    rows = [*arm_rows(report), ("coordinates", ", ".join(report.coordinates))]
    return [
        element("h3", "Masses and frequencies"),
        table(link_rows(arm, report), sides=LINK_SIDES),
        table(joints, sides=JOINT_SIDES[: len(joints[0])]),
        table(rows, sides="<<", heading=False),
    ]


def _links(arm: Arm) -> list[tuple[str, ...]]:
    rows = [("link", "mass", "EI", "GJ", "modes", "damping")]
    for i, link in enumerate(arm.links):
        stiffness = ", ".join(
            f"{name} {_along(profile, 'N m^2')}"
            for name, profile in (("y", link.EI.y), ("z", link.EI.z))
            if profile is not None
        )
        torsion = _along(link.GJ, "N m^2") if link.GJ is not None else "–"
        mass = f"{link.mass:.4g} kg" if link.is_body else _along(link.mu, "kg/m")
        rows.append((f"{i + 1}", mass, stiffness or "–", torsion, link.modes_in_words, _damping(link)))
    return rows


def _along(profile: Profile, unit: str) -> str:
    """A quantity along a link: its value, or its range."""
    if profile.is_constant:
        return f"{profile.values[0]:.4g} {unit}"
    return f"{min(profile.values):.4g} to {max(profile.values):.4g} {unit}"


def _damping(link: Link) -> str:
    if not link.damping_law.is_zero:
        return str(link.damping_law)
    ratios = dict.fromkeys(f"{ratio:g}" for ratio in link.own_ratios)
    return ", ".join(ratios) if link.n_modes else "–"


def _joints(arm: Arm) -> list[tuple[str, ...]]:
    rows = [("joint", "placed", "type", "hub", "friction, motor", "driven by")]
    for i, (joint, drive) in enumerate(zip(arm.joints, arm.drive, strict=True)):
        kind, friction, motor = joint.kind, joint.friction, joint.motor
        what = joint.type if joint.moves else f"fixed at {np.rad2deg(joint.angle):.4g}°"
        parts = []
        if friction.viscous or friction.coulomb:
            viscous = f"viscous {friction.viscous:g} {kind.friction_unit}"
            sticks = f", sticks up to {friction.at_rest:g} {kind.force_unit}" * friction.is_dry
            parts.append(f"{viscous}, dry {friction.coulomb:g} {kind.force_unit}{sticks}")
        if motor.inertia or motor.stall_torque:
            gear = f"{motor.gear:g}" + ("" if kind.is_angle else f" rad/{kind.unit}")
            parts.append(f"rotor {motor.inertia:g} kg m^2, gear {gear}")
        if joint.stiffness is not None:
            rest = "" if joint.is_elastic else f" to {joint.rest:.4g} {kind.unit}"
            parts.append(f"spring {joint.stiffness:g} {kind.force_unit}/{kind.unit}{rest}")
        hub = f"{joint.mass:g} kg" if joint.mass else "–"
        driven = "–" if not joint.moves else drive.described(kind) if drive else "free"
        rows.append((f"{i + 1}", _placed(joint), what, hub, "; ".join(parts) or "–", driven))
    return rows


def _placed(joint: Joint) -> str:
    """Where a joint is, seen from the end of the link before, and its axis."""
    if joint.origin is None:
        parts = [f"twist {np.rad2deg(joint.twist):.4g}°"] if joint.twist else []
        parts += [f"offset {joint.offset:.4g} m"] if joint.offset else []
    else:
        rpy = np.rad2deg(joint.origin.rpy)
        parts = [f"at ({_numbers(joint.origin.xyz)}) m"] if any(joint.origin.xyz) else []
        parts += [f"turned by ({_numbers(rpy)})°"] if rpy.any() else []
    axis = joint.moves and joint.axis != Z_AXIS
    return ", ".join([*parts, *([f"axis ({_numbers(joint.axis)})"] if axis else [])]) or "–"


def _numbers(values: Iterable[float]) -> str:
    return ", ".join(f"{value:.4g}" for value in values)
