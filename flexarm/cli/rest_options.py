"""Options and messages shared by equilibrium, modes and linearize."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from flexarm.cli.pictures import draw, picture_folder
from flexarm.cli.terminal.console import Console

if TYPE_CHECKING:
    from collections.abc import Sequence

    from flexarm.analysis.operating_points.joint_roles import JointRoles
    from flexarm.analysis.operating_points.operating_point import OperatingPoint
    from flexarm.description.arm.arm import Arm
    from flexarm.results.result import Result

ON_LIMIT = 1e-9
"""Angle [rad] or position [m] from a limit that is on it."""

AT_HELP = (
    "Posture: initial = joints at initial.joints; equilibrium = where the joints settle under the arm's own drives; "
    "or joint angles such as '30 deg, 0.5'. Torques hold the joints, the links bend under weight and loads."
)

at_option = click.option("--at", default="initial", show_default=True, metavar="POSTURE", help=AT_HELP)

spin_option = click.option(
    "--spin", metavar="RATES",
    help="Rates at which one joint turns steadily: '6 rad/s', '0,20,40 rad/s', or START:STOP:COUNT as in "
    "'0:40:21 rad/s'; the others rest in the rotating frame.",
)  # fmt: skip

turning_joint_option = click.option(
    "--joint", type=click.IntRange(min=1), metavar="NUMBER",
    help="With --spin: the joint that turns [default: the first one that moves].",
)  # fmt: skip


class JointNumbers(click.ParamType):
    """Type of an option that takes numbers of joints, counted from 1, as in ``1,3``."""

    name = "joints"

    def convert(
        self, value: str | tuple[int, ...], param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[int, ...]:
        """Read the numbers."""
        if isinstance(value, tuple):
            return value
        parts = [part.strip() for part in value.split(",")]
        if not all(part.isascii() and part.isdecimal() and len(part) < 6 for part in parts):
            self.fail(
                f"got '{value}', expected numbers of joints such as 1,3; --at takes a posture", param, ctx
            )
        return tuple(dict.fromkeys(map(int, parts)))


hold_option = click.option(
    "--hold", type=JointNumbers(), default=(), metavar="NUMBERS",
    help="Joints that are held where they are, e.g. 1,3; a floating base is never held.",
)  # fmt: skip


open_option = click.option(
    "--open", "opened", multiple=True, metavar="NAME",
    help="Controller whose loop is opened: its output is an input, what it reads the outputs; all = none is left. May "
    "be repeated [default: all loops are closed].",
)  # fmt: skip


def joints_option(*choices: str):
    """Add --joints with some of the choices free, locked and pd."""
    meaning = {
        "free": "free = they move under constant torques only",
        "locked": "locked = all of them are held",
        "pd": "pd = they follow the arm's own PD drives",
    }
    meanings = "; ".join(meaning[choice] for choice in choices)
    return click.option(
        "--joints",
        type=click.Choice(choices),
        default="free",
        show_default=True,
        help=f"What the joints do, but for those of --hold: {meanings}.",
    )


def warn_of_simplifications(arm: Arm, console: Console, roles: JointRoles | None = None) -> None:
    """Say what the description left open, and what linearised equations leave out: dry friction, walls, free fall."""
    for choice in arm.segment_choices:
        console.write(f"{choice}")
    stay = () if roles is None else (*roles.held, *roles.prescribed)
    moving = [joint for i, joint in enumerate(arm.joints, 1) if joint.moves and i not in stay]
    if any(joint.friction.smoothed for joint in moving):
        console.warn(
            "dry friction is linearised as viscous friction, by its slope at rest: coulomb / smoothing"
        )
    if roles is None and arm.dry_joints:
        several = len(arm.dry_joints) > 1
        numbers = f"joint{'s' * several} {', '.join(str(i + 1) for i in arm.dry_joints)}"
        verb = "stay where they begin" if several else "stays where it begins"
        console.warn(f"{numbers} {verb}, held by dry friction")
    if arm.contact is not None and arm.contact.rigid:
        console.warn("rigid walls are left out" if arm.contact.soft else "walls are left out")
    if arm.base != "fixed" and any(arm.gravity):
        console.detail("the arm floats: as seen from a frame that falls with it, without gravity")


def warn_of_limits(points: Sequence[OperatingPoint], console: Console) -> None:
    """Warn where a static equilibrium, or those of a turning arm, leave the range of the model."""
    from flexarm.analysis.checks.validity import states_at, validity_warnings

    arm, chain, turns = points[0].arm, points[0].chain, points[0].rotation is not None
    if turns and not arm.geometric_stiffening and chain.coordinates.all_modes:
        console.warn(
            "geometric_stiffening: false leaves out that the centrifugal pull stiffens the links: their frequencies "
            "fall with the rate, where those of real links rise; delete that line"
        )
    for joint in _on_limit(points[0]):
        console.warn(f"joint {joint} is on a limit: its stop is left out")
    when = "as the arm turns" if turns else "at rest"
    for warning in validity_warnings(arm, chain, states_at(points), when):
        console.warn(warning)


def _on_limit(point: OperatingPoint) -> list[int]:
    """Numbers, from 1, of the joints that are on one of their limits."""
    rows = enumerate(zip(point.chain.coordinates.joints, point.arm.joints, strict=True), start=1)
    return [
        i
        for i, (row, joint) in rows
        if row is not None and joint.limits is not None and joint.limits.beyond(point.theta[row]) > -ON_LIMIT
    ]


def format_posture(at: str, points: Sequence[OperatingPoint], roles: JointRoles) -> str:
    """Format a posture (--at), the steady rotations about it, if there are any, and what joints do, for a sentence."""
    turning = _format_turning(at, points)
    return f"{turning}; {roles}" if str(roles) else turning


def _format_turning(at: str, points: Sequence[OperatingPoint]) -> str:
    posture = {"initial": "the initial posture", "equilibrium": "the equilibrium"}.get(
        at.strip(), f"joints at {at.strip()}"
    )
    rotations = [point.rotation for point in points if point.rotation is not None]
    if not rotations:
        return posture
    rates = " to ".join(f"{rotations[k].rate:.6g}" for k in ((0, -1) if len(rotations) > 1 else (0,)))
    return f"{posture}, joint {rotations[0].joint} turning steadily at {rates} rad/s"


def result_path(output: Path | None, arm: Arm, kind: str, overwrite: bool) -> Path:
    """Path of the result, after checking that it can be written there."""
    from flexarm.results.hdf5_output import check_result_target

    path = output or Path("outputs") / f"{arm.name}-{kind}.h5"
    check_result_target(path, overwrite, arm.result_files)
    return path


def save_result(result: Result, path: Path, overwrite: bool, plots: bool, console: Console) -> None:
    """Save a result where :func:`result_path` says, write its path, and draw it if asked to."""
    from flexarm.results.writer import write_result

    write_result(result, result.attributes, path, overwrite)
    console.write(f"{path}")
    if plots:
        draw(result, picture_folder(path), console)
