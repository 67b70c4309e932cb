"""Initial values of an arm: consistency with its joints, modes and base, and values that are not given."""

from __future__ import annotations

from functools import lru_cache

from pydantic_core import PydanticCustomError

from flexarm.description.arm.joint.joint import Joint
from flexarm.description.arm.link.link import Link
from flexarm.description.motion.initial import Initial
from flexarm.description.values.input_model import Faults, wrong
from flexarm.description.values.quantities import TypedAngle

BASE_COORDINATES = {"fixed": 0, "planar": 2, "planar-turning": 3, "free": 6}
"""Kind of base -> number of coordinates of its pose, and of its velocity, in the description."""

_NAMES = {"planar": "a planar base", "planar-turning": "a planar base that turns", "free": "a free base"}


def initial_faults(
    initial: Initial, links: tuple[Link, ...], joints: tuple[Joint, ...], base: str, has_body: bool
) -> Faults:
    """Faults of the numbers of initial values, and of values for what cannot have them."""
    if len(joints) != len(links):
        return
    yield from _joint_faults(initial, joints)
    yield from _motor_faults(initial, joints)
    n_modes = sum(link.n_modes for link in links)
    per_link = " + ".join(str(link.n_modes) for link in links)
    for name in ("modes", "mode_rates"):
        values = getattr(initial, name)
        if values and len(values) != n_modes:
            message = f"got a list of {len(values)}, expected {n_modes}, one for each mode ({per_link})"
            yield ("initial", name), wrong(message)
    yield from _base_faults(initial, joints[0], base, has_body)


def _joint_faults(initial: Initial, joints: tuple[Joint, ...]) -> Faults:
    moving = [i for i, joint in enumerate(joints) if joint.moves]
    for name in ("joints", "joint_rates"):
        values, path = getattr(initial, name), ("initial", name)
        if values and len(values) not in (len(joints), len(moving)):
            expected = f"{len(joints)}, one for each joint"
            if len(moving) != len(joints):
                expected += f", or {len(moving)}, one for each joint that moves"
            yield path, wrong(f"got a list of {len(values)}, expected {expected}")
        elif len(values) == len(joints):
            yield from _fixed_joint_faults(name, values, joints)
        numbers = range(len(joints)) if len(values) == len(joints) else moving
        for k, (i, value) in enumerate(zip(numbers, values, strict=False)):
            kind = joints[i].kind
            if isinstance(value, TypedAngle) and not kind.is_angle:
                yield (*path, k), not_an_angle(i, kind.unit if name == "joints" else kind.rate_unit)


def not_an_angle(i: int, unit: str) -> PydanticCustomError:
    """Fault of an angle that is typed where joint i, counted from 0, has a length or its rate."""
    return wrong(f"got an angle, expected a number in {unit}: joint {i + 1} slides")


def _motor_faults(initial: Initial, joints: tuple[Joint, ...]) -> Faults:
    elastic = sum(joint.is_elastic for joint in joints)
    for name in ("motors", "motor_rates"):
        values = getattr(initial, name)
        if values and len(values) != elastic:
            hint = (
                "" if elastic else "a motor moves on its own behind a joint with stiffness and motor.inertia"
            )
            message = f"got a list of {len(values)}, expected {elastic}, one for each elastic joint"
            yield ("initial", name), wrong(message, hint)


def _fixed_joint_faults(name: str, values: tuple[float, ...], joints: tuple[Joint, ...]) -> Faults:
    for i, (joint, value) in enumerate(zip(joints, values, strict=True)):
        locked = joint.angle if name == "joints" else 0.0
        if not joint.moves and abs(value - locked) > 1e-12 * max(1.0, abs(locked)):
            message = f"got {value:.6g}, but joint {i + 1} is fixed" + f" at {locked:.6g} rad" * (
                name == "joints"
            )
            yield ("initial", name, i), wrong(message, "leave fixed joints out of the list")


def _base_faults(initial: Initial, first_joint: Joint, base: str, has_body: bool) -> Faults:
    """Faults of a floating base, and of values for a base that does not float."""
    expected = BASE_COORDINATES[base]
    for name in ("base", "base_rates"):
        values, path = getattr(initial, name), ("initial", name)
        if values and not expected:
            yield path, wrong("only a floating base has it", "base: planar or base: free")
        elif values and len(values) != expected:
            yield path, wrong(f"got a list of {len(values)}, expected {expected} for {_NAMES[base]}")
    if base != "fixed" and initial.equilibrium:
        yield ("initial", "equilibrium"), wrong("an arm that floats has no equilibrium", "remove it")
    yield from _redundant_joint_faults(first_joint, base, has_body)


def _redundant_joint_faults(first_joint: Joint, base: str, has_body: bool) -> Faults:
    """Fault of a first joint that moves link 1 in a way in which a floating base without a body moves it already."""
    if base != "fixed" and not has_body and first_joint.moves and not first_joint.turns:
        message = "joint 1 slides, but link 1 moves with the floating base already: two ways for one motion"
        hint = (
            f"give the base a body, {{type: {base}, mass: .., inertia: ..}}, or make joint 1 {{type: fixed}}"
        )
        yield ("base",), wrong(message, hint)
    if base == "free" and not has_body and first_joint.turns:
        message = "joint 1 is revolute, but link 1 turns with the free base already: two ways for one motion"
        hint = "give the base a body, {type: free, mass: .., inertia: ..}, or make joint 1 {type: fixed}"
        yield ("base",), wrong(message, hint)


def complete_initial(
    initial: Initial, links: tuple[Link, ...], joints: tuple[Joint, ...], base: str
) -> Initial:
    """Initial state with one entry per joint (fixed ones at their angle, with rate 0), per motor and per mode."""
    return _completed(initial, joints, sum(link.n_modes for link in links), base)  # pyright: ignore[reportArgumentType]


@lru_cache(maxsize=256)
def _completed(initial: Initial, joints: tuple[Joint, ...], n_modes: int, base: str) -> Initial:
    locked = tuple(joint.angle for joint in joints)
    zeros = (0.0,) * len(locked)
    at_origin = (0.0,) * BASE_COORDINATES[base]
    angles = _per_joint(joints, initial.joints, locked)
    rates = _per_joint(joints, initial.joint_rates, zeros)
    elastic = [i for i, joint in enumerate(joints) if joint.is_elastic]
    return initial.model_copy(
        update={
            "joints": angles,
            "joint_rates": rates,
            "motors": initial.motors or tuple(angles[i] for i in elastic),
            "motor_rates": initial.motor_rates or tuple(rates[i] for i in elastic),
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
    moves = [joint.moves for joint in joints]
    if len(values) == len(moves):
        values = tuple(value for value, moving in zip(values, moves, strict=True) if moving)
    remaining = iter(values or (0.0,) * sum(moves))
    return tuple(next(remaining) if moving else at for moving, at in zip(moves, fixed, strict=True))
