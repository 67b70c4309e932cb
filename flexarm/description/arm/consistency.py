"""Do the parts of an arm agree with one another: counts, links that are named, times that are covered."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING

from pydantic_core import PydanticCustomError

from flexarm.catalogue import METHODS
from flexarm.description.arm.joint import Joint
from flexarm.description.arm.load import Station
from flexarm.description.arm.walls import Contact, can_move, point_names
from flexarm.description.motion.drive import TimeTable
from flexarm.description.motion.initial import Initial
from flexarm.description.values.expression import Expression
from flexarm.description.values.input_model import Path, wrong
from flexarm.hints import listed

if TYPE_CHECKING:
    from flexarm.description.arm.arm import Arm

Faults = Iterator[tuple[Path, PydanticCustomError]]

INSTANTS = 1001
"""Number of times, spread evenly over the run, at which expressions must have a finite value."""


def count_faults(arm: Arm) -> Faults:
    """Faults of how many joints, drives and initial values there are, and of what is driven or loaded."""
    n = len(arm.links)
    for name, entries in (("joints", arm.joints), ("drive", arm.drive)):
        if len(entries) != n:
            yield (name,), wrong(f"got a list of {len(entries)}, expected {n}, one for each link")
    if len(arm.joints) == n:
        yield from _initial_faults(arm)
        yield from _floating_faults(arm)
        for i, (joint, drive) in enumerate(zip(arm.joints, arm.drive, strict=False)):
            if drive is not None and joint.type == "fixed":
                fault = wrong(f"joint {i + 1} is fixed, so nothing can drive it", "write null for this joint")
                yield ("drive", i), fault
    for k, load in enumerate(arm.loads):
        if load.at is not None and load.at.link > n:
            message = f"got link {load.at.link}, but the arm has {n} link{'s' if n > 1 else ''}"
            yield ("loads", k, "at", "link"), wrong(message, "links count from 1")


def _initial_faults(arm: Arm) -> Faults:
    moving = sum(joint.type == "revolute" for joint in arm.joints)
    for name in ("joints", "joint_rates"):
        values, path = getattr(arm.initial, name), ("initial", name)
        if values and len(values) not in (len(arm.joints), moving):
            joints = f"{len(arm.joints)}, one for each joint"
            if moving != len(arm.joints):
                joints += f", or {moving}, one for each revolute joint"
            yield path, wrong(f"got a list of {len(values)}, expected {joints}")
        elif len(values) == len(arm.joints):
            yield from _fixed_joint_faults(arm, name, values)
    n_modes = sum(link.n_modes for link in arm.links)
    per_link = " + ".join(str(link.n_modes) for link in arm.links)
    for name in ("modes", "mode_rates"):
        values = getattr(arm.initial, name)
        if values and len(values) != n_modes:
            message = f"got a list of {len(values)}, expected {n_modes}, one for each mode ({per_link})"
            yield ("initial", name), wrong(message)


def _floating_faults(arm: Arm) -> Faults:
    """Faults of a base that floats, and of what is said of one that does not."""
    expected = {"fixed": 0, "planar": 2, "free": 6}[arm.base]
    for name in ("base", "base_rates"):
        values, path = getattr(arm.initial, name), ("initial", name)
        if values and not expected:
            yield path, wrong("only a floating base has it", "base: planar or base: free")
        elif values and len(values) != expected:
            yield path, wrong(f"got a list of {len(values)}, expected {expected} for a {arm.base} base")
    if arm.base != "fixed" and arm.initial.equilibrium:
        yield ("initial", "equilibrium"), wrong("an arm that floats has no equilibrium", "remove it")
    if arm.base == "free" and arm.joints[0].type == "revolute":
        message = "joint 1 is revolute, but link 1 turns with the free base already: two ways for one motion"
        yield ("base",), wrong(message, "make joint 1 {type: fixed}; link 1 is then the floating body")


def contact_faults(arm: Arm) -> Faults:
    """Faults of the points that may touch, and of the method where walls must be found in time."""
    contact, n = arm.contact, len(arm.links)
    if contact is None:
        return
    names = point_names(n)
    for k, point in enumerate(contact.points):
        if isinstance(point, Station) and point.link > n:
            message = f"got link {point.link}, but the arm has {n} link{'s' if n > 1 else ''}"
            yield ("contact", "points", k, "link"), wrong(message, "links count from 1")
        elif isinstance(point, str) and point not in ("all", *names):
            yield ("contact", "points", k), wrong(f"got {point!r}, expected one of {', '.join(names)}")
        elif arm.base == "fixed" and not _moves(arm, contact.model_copy(update={"points": (point,)})):
            what = "no point of this arm can" if point == "all" else f"{_told(point)} cannot"
            path = ("contact", "points", k) if "points" in contact.model_fields_set else ("contact",)
            message = f"{what} move: the base is fixed and no free joint or mode is on the way to it"
            yield path, wrong(message, "what strikes a wall must be free to move")
    if not METHODS[arm.run.method].finds_events:
        able = listed(name for name, method in METHODS.items() if method.finds_events)
        message = f"got {arm.run.method!r}, but impacts are found in the dense output of {able} only"
        yield ("run", "method"), wrong(message, f"method: {able}")


def _told(point: str | Station) -> str:
    return point if isinstance(point, str) else f"link {point.link} at {point.at:g}"


def _moves(arm: Arm, contact: Contact) -> bool:
    """Whether any of the points can move."""
    moving = [
        joint.type == "revolute" and (drive is None or drive.motion is None)
        for joint, drive in zip(arm.joints, arm.drive, strict=True)
    ]
    n_modes = [link.n_modes for link in arm.links]
    return any(can_move(place, moving, n_modes) for place in contact.places(len(arm.links)))


def _fixed_joint_faults(arm: Arm, name: str, values: tuple[float, ...]) -> Faults:
    for i, (joint, value) in enumerate(zip(arm.joints, values, strict=True)):
        locked = joint.angle if name == "joints" else 0.0
        if joint.type == "fixed" and abs(value - locked) > 1e-12 * max(1.0, abs(locked)):
            message = f"got {value:.6g}, but joint {i + 1} is fixed" + f" at {locked:.6g} rad" * (
                name == "joints"
            )
            yield ("initial", name, i), wrong(message, "leave fixed joints out of the list")


def complete_initial(arm: Arm) -> Initial:
    """The initial state with one entry per joint (fixed ones at their angle, with rate 0) and per mode."""
    n_modes = sum(link.n_modes for link in arm.links)
    return _completed(arm.initial, arm.joints, n_modes, arm.base)  # pyright: ignore[reportArgumentType]


@lru_cache(maxsize=256)
def _completed(initial: Initial, joints: tuple[Joint, ...], n_modes: int, base: str) -> Initial:
    locked = tuple(joint.angle for joint in joints)
    rest = (0.0,) * len(locked)
    at_origin = (0.0,) * {"fixed": 0, "planar": 2, "free": 6}[base]
    return initial.model_copy(
        update={
            "joints": _per_joint(joints, initial.joints, locked),
            "joint_rates": _per_joint(joints, initial.joint_rates, rest),
            "modes": initial.modes or (0.0,) * n_modes,
            "mode_rates": initial.mode_rates or (0.0,) * n_modes,
            "base": initial.base or at_origin,
            "base_rates": initial.base_rates or at_origin,
        }
    )


def _per_joint(
    joints: tuple[Joint, ...], values: tuple[float, ...], fixed: tuple[float, ...]
) -> tuple[float, ...]:
    """One value per joint, with `fixed` ones for the fixed joints; zeros where no values are given."""
    moves = [joint.type == "revolute" for joint in joints]
    if len(values) == len(moves):
        values = tuple(value for value, moving in zip(values, moves, strict=True) if moving)
    remaining = iter(values or (0.0,) * sum(moves))
    return tuple(next(remaining) if moving else at for moving, at in zip(moves, fixed, strict=True))


def time_faults(arm: Arm) -> Faults:
    """Faults of signals that have no finite value somewhere between 0 and the run's duration."""
    for path, signal in _signals(arm):
        if isinstance(signal, TimeTable):
            first, last, duration = signal.times[0], signal.times[-1], arm.run.duration
            if first > 0 or last < duration * (1 - 1e-12):
                message = (
                    f"got times from {first} to {last} s, expected 0 to {duration} s, the run's duration"
                )
                yield path, wrong(message)
        elif isinstance(signal, Expression) and (fault := _value_fault(signal, arm.run.duration)):
            yield path, fault


def _signals(arm: Arm) -> Iterator[tuple[Path, float | str | Expression | TimeTable | None]]:
    for i, drive in enumerate(arm.drive):
        if drive is not None:
            yield ("drive", i, "torque"), drive.torque
            yield ("drive", i, "motion"), drive.motion
            if drive.pd is not None:
                yield ("drive", i, "pd", "reference"), drive.pd.reference
    for k, load in enumerate(arm.loads):
        for name in ("force", "moment"):
            for axis, component in enumerate(getattr(load, name)):
                yield ("loads", k, name, axis), component


def _value_fault(expression: Expression, duration: float) -> PydanticCustomError | None:
    import numpy as np

    times = np.linspace(0.0, duration, INSTANTS)
    without = ~np.isfinite(expression.at(times))
    if not without.any():
        return None
    return wrong(
        f"{expression.text!r} has no finite value at t = {times[without][0]:.6g} s",
        "it must have one from 0 to the run's duration",
    )
