"""Consistency of the parts of an arm: counts, links that are named, points that can touch, times that are covered."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from flexarm.catalogue import JointType
from flexarm.description.arm.control.control_graph import Named as Controllers
from flexarm.description.arm.control.sampling import Disturbances
from flexarm.description.arm.control.sensor_faults import Sensors, stations
from flexarm.description.arm.initial_values import not_an_angle
from flexarm.description.arm.joint.joint import Joint
from flexarm.description.arm.link.link import Link
from flexarm.description.arm.load import Load, Payload, Station, Stretch
from flexarm.description.arm.walls import Contact, can_move, contact_points, point_names
from flexarm.description.motion.drive import Drive
from flexarm.description.motion.followed_result import FollowedResult
from flexarm.description.motion.move import start_faults
from flexarm.description.motion.time_table import TimeTable
from flexarm.description.values.break_points import first_jump
from flexarm.description.values.expression import Expression, undefined_value
from flexarm.description.values.input_model import Faults, KeyPath, wrong
from flexarm.description.values.quantities import TypedAngle
from flexarm.hints import listed

Links = tuple[Link, ...]
Joints = tuple[Joint, ...]
Drives = tuple[Drive | None, ...]
Loads = tuple[Load, ...]

HEAVIEST_PAYLOAD = 1e8
"""In units of the flexible links' mass."""

SAME_STATION = 1e-9
"""Distance of stations that count as one, as a part of the link's length."""


def count_faults(links: Links, joints: Joints, drive: Drives, loads: Loads) -> Faults:
    """Faults of how many joints and drives there are, and of which joints are driven and links loaded."""
    n = len(links)
    for name, entries in (("joints", joints), ("drive", drive)):
        if len(entries) != n:
            hint = "null stands for a joint that nothing drives; " * (name == "drive")
            hint = f"{hint}an entry may say repeat: {n - len(entries) + 1}" if 0 < len(entries) < n else ""
            yield (name,), wrong(f"got a list of {len(entries)}, expected {n}, one for each link", hint)
    if len(joints) == n:
        for i, (joint, own) in enumerate(zip(joints, drive, strict=False)):
            if own is not None and not joint.moves:
                fault = wrong(f"joint {i + 1} is fixed, so nothing can drive it", "write null for this joint")
                yield ("drive", i), fault
            elif own is not None and not joint.kind.is_angle:
                yield from _angle_faults(i, own)
    for k, load in enumerate(loads):
        if load.at is not None:
            yield from _station_faults(("loads", k, "at", "link"), load.at, n)


def _angle_faults(i: int, drive: Drive) -> Faults:
    """Faults of angles that are typed for the drive of a joint, counted from 0, that slides."""
    fault = not_an_angle(i, "m")
    for path, moves in ((("move",), drive.move), (("pd", "move"), drive.pd and drive.pd.move)):
        for k, move in enumerate(moves or ()):
            place = (*path, k) if len(moves or ()) > 1 else path
            for name, value in (("to", move.end), ("from", move.begin)):
                if isinstance(value, TypedAngle):
                    yield ("drive", i, *place, name), fault
    reference = drive.pd and drive.pd.reference
    if isinstance(reference, Expression) and any(
        isinstance(value, TypedAngle) for _, value in reference.parameters
    ):
        yield ("drive", i, "pd", "reference"), fault


def drive_faults(drive: Drives, joints: Joints, initial: tuple[float, ...]) -> Faults:
    """Faults of motors that lack what their drives need, of results of other arms, and of moves that overlap."""
    n = len(joints)
    for i, (own, joint, angle) in enumerate(zip(drive, joints, initial, strict=True)):
        if own is None:
            continue
        for path, moves in ((("move",), own.move), (("pd", "move"), own.pd and own.pd.move)):
            yield from (
                (("drive", i, *path, *place), fault) for place, fault in start_faults(moves or (), angle)
            )
        for name, needed in (("voltage", ("resistance", "torque_constant")), ("saturate", ("stall_torque",))):
            lacking = [part for part in needed if getattr(joint.motor, part) is None]
            if getattr(own, name) not in (None, False) and lacking:
                missing = " and ".join(lacking)
                message = f"the motor of joint {i + 1} has no {missing}"
                values = ", ".join(f"{part}: .." for part in lacking)
                yield ("drive", i, name), wrong(message, f"give joints[{i}].motor: {{{values}}}")
        followed = None if own.pd is None else own.pd.reference
        if isinstance(followed, FollowedResult) and followed.n_joints not in (None, n):
            message = (
                f"got a result of {followed.n_joints} joint{'s' * (followed.n_joints != 1)}, expected {n}"
            )
            fault = wrong(message, "the result is that of another arm")
            yield ("drive", i, "pd", "reference", "result"), fault


def _station_faults(path: KeyPath, station: Station | Stretch, n_links: int) -> Faults:
    if station.link > n_links:
        message = f"got link {station.link}, but the arm has {n_links} link{'s' if n_links > 1 else ''}"
        yield path, wrong(message, "links count from 1")


@lru_cache(maxsize=64)
def _flexible_mass(links: Links) -> float:
    """Mass of the links with modes [kg]; once for arms that share them."""
    return sum(link.length * link.mu.mean for link in links if link.n_modes)


def proportion_faults(payload: Payload, links: Links) -> Faults:
    """Fault of a payload beside which round-off hides what vibrates."""
    mass = _flexible_mass(links)
    if mass and payload.mass > HEAVIEST_PAYLOAD * mass:
        most = f"{HEAVIEST_PAYLOAD:g} times the mass of the flexible links, {mass:g} kg"
        fault = wrong(
            f"got {payload.mass:g} kg, expected at most {most}", "out of proportion: check the units"
        )
        yield ("payload", "mass"), fault


def first_order_faults(required: tuple[str, ...], contact: Contact | None, limited: bool) -> Faults:
    """Fault of equations of first order for an arm whose motion is made of products of deflections.

    Parameters
    ----------
    required : tuple of str
        Capabilities that the arm asks of a formulation.
    contact : Contact or None
    limited : bool
        Whether limits may stop any joint.
    """
    if "stiffening" in required:
        reason, hint = "a link that shortens does so by such products", "write geometric_stiffening: false"
    elif "fixed_base" not in required:
        reason, hint = (
            "without them the momentum of a floating arm is not kept",
            "take this line away, or base",
        )
    elif contact is not None or limited:
        what, key = ("walls", "contact") if contact is not None else ("the stops of joints", "limits")
        reason, hint = f"without them {what} do work on the arm", f"take this line away, or {key}"
    else:
        return
    yield ("products_of_deflections",), wrong(f"got false, but {reason}", hint)


def matrices_faults(
    links: Links, loads: Loads, contact: Contact | None, sensors: Sensors, stiffening: bool
) -> Faults:
    """Faults of an arm that asks links given by matrices for what only shapes along the link say."""
    if stiffening:
        for i, link in enumerate(links):
            if link.matrices is not None:
                message = "they do not say how the bent link shortens"
                yield (
                    ("links", i, "matrices"),
                    wrong(message, "write geometric_stiffening: false, a key of the arm"),
                )
    for k, load in enumerate(loads):
        if load.stretch is None:
            yield from _unknown_station(("loads", k, "at"), links, load.link, load.station)
        elif load.link < len(links) and links[load.link].matrices is not None:
            message = (
                f"link {load.link + 1} is given by matrices, which give its motion at some stations alone"
            )
            yield ("loads", k, "at"), wrong(message, "write forces at these")
    for k, point in enumerate(() if contact is None else contact.points):
        if isinstance(point, Station):
            yield from _unknown_station(("contact", "points", k), links, point.link - 1, point.at)
    for path, station in stations(sensors):
        yield from _unknown_station(path, links, station.link - 1, station.at)


def _unknown_station(path: KeyPath, links: Links, i: int, xi: float) -> Faults:
    """Fault of a station of a link given by matrices that is not among those where its modes are known."""
    if i >= len(links) or (matrices := links[i].matrices) is None or xi == 0:
        return
    eta, known = xi * links[i].length, [station.eta for station in matrices.stations]
    if min(abs(eta - one) for one in known) > SAME_STATION * links[i].length:
        stations = listed(f"{one:g}" for one in known)
        message = f"got {eta:g} m along link {i + 1}, whose matrices give its motion at {stations} m"
        yield path, wrong(message, "add this station to them")


def contact_faults(contact: Contact | None, links: Links, joints: Joints, drive: Drives, base: str) -> Faults:
    """Faults of the points that may touch."""
    if contact is None:
        return
    n = len(links)
    moving = [
        joint.moves and (own is None or own.motion is None or joint.is_elastic)
        for joint, own in zip(joints, drive, strict=True)
    ]
    n_modes = [link.n_modes for link in links]
    names = point_names(n)
    for k, point in enumerate(contact.points):
        if isinstance(point, Station) and point.link > n:
            yield from _station_faults(("contact", "points", k, "link"), point, n)
        elif isinstance(point, str) and point not in ("all", *names):
            yield ("contact", "points", k), wrong(f"got {point!r}, expected one of {', '.join(names)}")
        elif base == "fixed" and not any(
            can_move(place, moving, n_modes) for place in contact_points((point,), n)
        ):
            what = "no point of this arm can" if point == "all" else f"{_point_text(point)} cannot"
            path = ("contact", "points", k) if "points" in contact.model_fields_set else ("contact",)
            message = f"{what} move: the base is fixed and no free joint or mode is on the way to it"
            yield path, wrong(message, "what strikes a wall must be free to move")


def _point_text(point: str | Station) -> str:
    return point if isinstance(point, str) else f"link {point.link} at {point.at:g}"


def time_faults(
    drive: Drives,
    joints: Joints,
    loads: Loads,
    controllers: Controllers,
    disturbances: Disturbances,
    duration: float,
) -> Faults:
    """Faults of signals without a finite value somewhere from 0 to the run's duration [s], and of motions that jump."""
    for path, signal in _signals(drive, loads, controllers, disturbances):
        if isinstance(signal, TimeTable):
            first, last = signal.times[0], signal.times[-1]
            if first > 0 or last < duration * (1 - 1e-12):
                message = (
                    f"got times from {first} to {last} s, expected 0 to {duration} s, the run's duration"
                )
                yield path, wrong(message)
        elif isinstance(signal, Expression) and (
            fault := undefined_value(signal, duration, "the run's duration")
        ):
            yield path, fault
        elif isinstance(signal, Expression) and path[-1] == "motion" and drive[path[1]].move is None:  # type: ignore[index]
            yield from _jump_faults(path, signal, joints[path[1]].kind, duration)  # type: ignore[index]


def _jump_faults(path: KeyPath, motion: Expression, kind: JointType, duration: float) -> Faults:
    """Fault of a prescribed motion that jumps, which nothing can bring about."""
    if (jump := first_jump(motion, duration)) is not None:
        time, size = jump
        what = f"the {kind.coordinate} jumps by {size:.6g} {kind.unit}"
        message = f"got {str(motion)!r}: {what} at t = {time:.6g} s"
        yield path, wrong(message, "let it move there within some time, e.g. 0.5*min(max(t - 1, 0)/0.1, 1)")


def _signals(
    drive: Drives, loads: Loads, controllers: Controllers, disturbances: Disturbances
) -> Iterator[tuple[KeyPath, object]]:
    for i, own in enumerate(drive):
        if own is not None:
            yield ("drive", i, "torque"), own.torque
            yield ("drive", i, "motion"), own.motion
            if own.pd is not None:
                yield ("drive", i, "pd", "reference"), own.pd.reference
            yield ("drive", i, "voltage"), own.voltage
    for k, load in enumerate(loads):
        for name, vector in load.signals.items():
            for axis, component in enumerate(vector):
                yield ("loads", k, name, axis), component
    for name, controller in controllers:
        yield ("controllers", name, "reference"), controller.reference
    for name, disturbance in disturbances:
        yield ("disturbances", name, "signal"), disturbance.signal
