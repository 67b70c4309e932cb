"""Tables of text of a check of an arm."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np

from flexarm.analysis.checks.check import CheckReport, Vibrations
from flexarm.description.arm.arm import Arm
from flexarm.description.arm.joint.joint import Joint
from flexarm.description.arm.link.sections.closed_shapes import BoxSection, RectangularSection
from flexarm.description.arm.link.sections.i_section import ISection
from flexarm.description.arm.link.sections.outline import OutlinedSection
from flexarm.description.values.profile import Profile

SHOWN = 12
"""Frequencies of a link that are listed, the highest besides."""
SHOWN_OF_ARM = 4
"""Frequencies of the arm that are listed, the highest besides."""
LINK_SIDES = ">>>>>>><"
JOINT_SIDES = ">>>><<"
"""Of as many columns as there are."""


def link_rows(arm: Arm, report: CheckReport) -> list[tuple[str, ...]]:
    """Return a heading and one row per link."""
    rows = [
        (
            "link",
            "length",
            "mass",
            "mu",
            "EI in xy",
            "EI in xz",
            "modes",
            "frequencies by itself, joint locked",
        )
    ]
    for i, link in enumerate(arm.links):
        found = report.link_frequencies[i]
        frequencies = ", ".join(f"{frequency:.4g}" for frequency in found[:SHOWN])
        frequencies += f", .. {found[-1]:.4g}" if len(found) > SHOWN else ""
        modes = f"{link.n_modes}" if link.segments == 1 else f"{link.segments} x {link.segment_modes}"
        rows.append(
            (
                f"{i + 1}",
                f"{link.length:g} m",
                f"{report.link_masses[i]:.4g} kg",
                _along(None if link.is_body else link.mu, "kg/m"),
                _along(link.EI.y, "N m^2"),
                _along(link.EI.z, "N m^2"),
                modes,
                f"{frequencies} Hz" if frequencies else "rigid",
            )
        )
    return rows


def joint_rows(arm: Arm, report: CheckReport) -> list[tuple[str, ...]]:
    """Return a heading and one row per joint; a column of limits if any joint has some."""
    rows = [("joint", "hub", _felt(arm), "rotor and gear in it")]
    for i, (joint, inertia) in enumerate(zip(arm.joints, report.joint_inertia, strict=True)):
        unit = joint.kind.inertia_unit
        felt = f"{inertia:.4g} {unit}" if joint.moves else "fixed"
        rows.append((f"{i + 1}", f"{joint.mass:.4g} kg", felt, _rotor(joint, report.rotor_inertia[i])))
    if any(joint.limits is not None for joint in arm.joints):
        limits = ("limits", *map(_limits, arm.joints))
        rows = [(*row, text) for row, text in zip(rows, limits, strict=True)]
    if any(drive is not None and (drive.is_combined or drive.needs_motor) for drive in arm.drive):
        driven = [
            drive.described(joint.kind) if drive else ""
            for joint, drive in zip(arm.joints, arm.drive, strict=True)
        ]
        rows = [(*row, text) for row, text in zip(rows, ["driven by", *driven], strict=True)]
    return rows


def _rotor(joint: Joint, inertia: float) -> str:
    """Rotor of a joint's motor as felt behind its gear, and the spring of the joint."""
    kind = joint.kind
    parts = [f"{inertia:.4g} {kind.inertia_unit}"] if inertia else []
    if joint.stiffness is not None:
        parts.append(f"a spring of {joint.stiffness:.4g} {kind.force_unit}/{kind.unit}")
    return " behind ".join(parts)


def _felt(arm: Arm) -> str:
    """Heading of the inertia that joints feel: about those that turn, along those that slide."""
    ways = {"about" if joint.kind.is_angle else "along" for joint in arm.joints if joint.moves} or {"about"}
    return f"inertia {' or '.join(sorted(ways))} it"


def _limits(joint: Joint) -> str:
    """Range of a joint and restitution of its stops; empty without."""
    if joint.limits is None:
        return ""
    return f"{joint.limits} {joint.kind.unit}, restitution {joint.limits.restitution:g}"


def section_note(arm: Arm) -> str:
    """Say which side of a section bends where, if any link has one with two sides; else nothing."""
    sided = any(isinstance(link.section, RectangularSection | BoxSection | ISection) for link in arm.links)
    return (
        "a section's height is along y and resists bending in xy, its width along z, in xz" if sided else ""
    )


def outline_notes(arm: Arm) -> list[str]:
    """Write of each section that was computed from its outline what stands for it in a description."""
    return [
        f"link {i}, section by its outline: general: {_flow(link.section.given)}"
        for i, link in enumerate(arm.links, 1)
        if isinstance(link.section, OutlinedSection)
    ]


def _flow(given: dict[str, Any]) -> str:
    """Properties of a section on one line, to six digits."""
    points = ", ".join(f"[{y:.6g}, {z:.6g}]" for y, z in given["points"])
    numbers = [f"{name}: {value:.6g}" for name, value in given.items() if name != "points"]
    return f"{{{', '.join(numbers)}, points: [{points}]}}"


def matrices_notes(arm: Arm) -> list[str]:
    """Say of each link that is given by matrices where its motion is known."""
    return [
        f"link {i} is given by matrices, at {', '.join(f'{one.eta:g}' for one in link.matrices.stations)} m; "
        "in between it is drawn as cubics"
        for i, link in enumerate(arm.links, 1)
        if link.matrices is not None
    ]


def arm_rows(report: CheckReport) -> list[tuple[str, str]]:
    """Return one row per number of the whole arm."""
    x, y, z = report.tip + 0.0  # no minus zeros
    named = {"base": report.base_mass, "payload": report.payload_mass}
    parts = "".join(f", {mass:.4g} kg of it {name}" for name, mass in named.items() if mass)
    rows = [
        ("mass", f"{report.total_mass:.4g} kg{parts}"),
        ("tip at the start", f"({x:.4g}, {y:.4g}, {z:.4g}) m"),
    ]
    if report.coordinates:
        rows.append(("condition of the mass matrix", f"{report.condition:.3g}"))
    if len(report.arm_frequencies):
        rows += [
            ("whole arm, joints locked", _listed(report.locked)),
            ("whole arm, joints free", _listed(report.free)),
            *(
                (f"largest step of {method}", f"{step:.2g} s (without drives and friction)")
                for method, step in report.stable_steps.items()
            ),
        ]
    return rows


def _listed(found: Vibrations) -> str:
    """The slowest vibrations and the fastest, with their damping ratios where anything is damped."""
    ratios = np.where(np.abs(found.ratios) > 1e-12, found.ratios, 0.0)
    each = [
        f"{frequency:.4g} Hz" + (f" ({100 * ratio:.2g} %)" if ratios.any() else "")
        for frequency, ratio in zip(found.frequencies, ratios, strict=True)
    ]
    if len(each) > SHOWN_OF_ARM + 1:
        each[SHOWN_OF_ARM:-1] = [".."]
    return ", ".join(each) if each else "no vibration"


def _along(profile: Profile | None, unit: str) -> str:
    """A number along a link, or its range."""
    if profile is None:
        return ""
    changes = any(abs(a - b) > 1e-12 * abs(a) for a, b in pairwise(profile.values))
    if not changes:
        return f"{profile.values[0]:.4g} {unit}"
    return f"{min(profile.values):.4g} to {max(profile.values):.4g} {unit}"
