"""How far links are expected to bend, from statics and the first mode, before any equation is derived.

The arm counts as stretched out and straight. Weight acts across it; a joint that is held, by a PD drive, a prescribed
motion or for good, clamps what is outboard of it, a free one or one that a torque drives lets it turn as a rigid body.
What lets go of a load, or applies it at once, makes the first mode swing to twice the static deflection. A force
bends a clamped beam at its root by l kappa = F l^2 / EI at first, and by no more than sqrt(2 F l^2 / EI) however soft
it is (the elastica's first integral: EI kappa^2 / 2 = F sin of the turn of the end).
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from flexarm.description.arm.arm import Arm
from flexarm.description.motion.time_table import TimeTable
from flexarm.description.values.expression import Expression

Array = NDArray[np.float64]

OVERSHOOT = 2.0
"""Largest deflection of the first mode over the static one, of a load applied at once."""
SLICES = 40
"""Slices of a link in which its mass is lumped."""
INSTANTS = 201
"""Times of the run, spread evenly, at which loads and torques are looked at."""


class _Group(NamedTuple):
    """Stretch of the arm that a hinge begins and the next one ends, or that reaches from the base to the tip."""

    first: int
    stop: int
    hinged: bool


def expected_turns(arm: Arm) -> tuple[float, ...]:
    """Turn [rad] of each link's end if it were bent all along as much as where it is expected to bend most.

    Zero for links that do not bend. Axial force, spin and what prescribed motions do are left out.
    """
    return tuple(
        max((_turn(arm, i, direction) for direction in {"y", "z"} & set(link.mode_directions)), default=0.0)
        for i, link in enumerate(arm.links)
    )


def _turn(arm: Arm, i: int, direction: str) -> float:
    link, group = arm.links[i], _group(arm, i, direction)
    stiffness = link.EI.y if direction == "y" else link.EI.z
    assert stiffness is not None
    s, m, start = _masses(arm, group, i)
    stations = start + np.linspace(0.0, link.length, SLICES + 1)
    moments = {False: np.zeros(stations.size), True: np.zeros(stations.size)}  # of forces, of couples
    s, m = np.append(s, 0.0), np.append(m, 0.0)  # the last one is where a load acts
    for s[-1], force, couple in _causes(arm, group, direction, m):
        if group.hinged and (inertia := float(m @ s**2)):
            force = force - m * s * (force @ s + couple) / inertia  # d'Alembert: it turns about the hinge
        beyond = np.maximum(s - stations[:, None], 0.0)
        moments[couple > 0] += np.abs(beyond @ force + (s[-1] > stations) * couple)
    EI = stiffness.at((stations - start) / link.length)
    by_forces, by_couples = (link.length * float((moment / EI).max()) for moment in moments.values())
    return OVERSHOOT * (min(by_forces, math.sqrt(2 * by_forces)) + by_couples)


def _group(arm: Arm, i: int, direction: str) -> _Group:
    """Stretch that bends together with link i."""
    first, stop, n = i, i + 1, len(arm.links)
    if direction == "z":  # the joints turn about their z axes: they hold against bending along z
        return _Group(0, n, arm.base != "fixed")
    while first and not _hinge(arm, first) and _in_plane(arm, first):
        first -= 1
    while stop < n and not (_hinge(arm, stop) and _in_plane(arm, stop)):
        stop += 1
    return _Group(first, stop, _hinge(arm, first) or (first == 0 and arm.base != "fixed"))


def _hinge(arm: Arm, joint: int) -> bool:
    drive = arm.drive[joint]
    return arm.joints[joint].turns and (drive is None or drive.moves_freely)


def _in_plane(arm: Arm, joint: int) -> bool:
    """Whether a joint turns about the same axis as the one before, if at all."""
    return arm.joints[joint].keeps_normal


def _masses(arm: Arm, group: _Group, i: int) -> tuple[Array, Array, float]:
    """Distances from the start of a group [m] and masses [kg] lumped there, and where its link i starts [m].

    What is outboard of the group hangs on its end.
    """
    distances, masses, at, start = [], [], 0.0, 0.0
    middles = (np.arange(SLICES) + 0.5) / SLICES
    for k in range(group.first, len(arm.links)):
        link, inside = arm.links[k], k < group.stop
        at += _distance_before(arm, k) * (group.first < k < group.stop)
        start = at if k == i else start
        own = link.mu.at(middles) * link.length / SLICES
        distances += [at, *(at + middles * link.length * inside)]
        masses += [arm.joints[k].mass, *own]
        if link.body is not None:
            distances.append(at + math.hypot(*link.body.center) * inside)
            masses.append(link.body.mass)
        at += link.length * inside
    payload = at if group.stop < len(arm.links) else at + abs(arm.payload.offset[0])
    return np.array([*distances, payload]), np.array([*masses, arm.payload.mass]), start


def _distance_before(arm: Arm, joint: int) -> float:
    """Distance [m] from the end of a link to the start of the next one, stretched out."""
    slid = abs(arm.initial.joints[joint]) if arm.joints[joint].kind.shift else 0.0
    return arm.joints[joint].reach + slid


def _causes(arm: Arm, group: _Group, direction: str, m: Array) -> Iterator[tuple[float, Array, float]]:
    """Weight, each load, and the torque at the start of a group.

    Yields its place [m], the forces (k,) [N] on the masses and on that place, which comes last, and its couple [N m].
    """
    yield 0.0, m * _across(arm, np.abs(np.array(arm.gravity)), direction), 0.0
    times, at_place = np.linspace(0.0, arm.run.duration, INSTANTS), np.append(np.zeros(m.size - 1), 1.0)
    lengths = [link.length for link in arm.links]
    for load in arm.loads:
        if load.link >= group.first:
            inside = load.link < group.stop
            before = range(group.first, min(load.link, group.stop))
            place = sum(lengths[k] + _distance_before(arm, k + 1) * (k + 1 < group.stop) for k in before)
            place += load.station * lengths[load.link] * inside
            force = np.array([_largest(component, times) for component in load.force])
            if load.stretch is not None:  # as a force in the middle
                span = (load.stretch[1] - load.stretch[0]) * lengths[load.link]
                force = span * np.array([_largest(component, times) for component in load.distributed])
            couple = np.array([_largest(component, times) for component in load.moment])
            size = float(np.linalg.norm(couple)) * inside
            yield place, _across(arm, force, direction) * at_place, size
    if size := _driving(arm, group.first, times):
        if not arm.joints[group.first].turns:
            yield 0.0, m * size / float(m.sum()), 0.0  # it accelerates the group as a whole
        elif direction == "y":
            yield 0.0, 0 * m, size  # at the start: it only makes the group turn


def _driving(arm: Arm, joint: int, times: Array) -> float:
    """Largest torque [N m] (or force [N]) that drives a joint which nothing leads, at some times (k,) [s]."""
    drive, motor = arm.drive[joint], arm.joints[joint].motor
    if drive is None or not drive.moves_freely:
        return 0.0
    size = 0.0 if drive.torque is None else _largest(drive.torque, times)
    if drive.voltage is not None and motor.resistance and motor.torque_constant:
        size += motor.torque_per_volt * _largest(drive.voltage, times)
    return size


def _across(arm: Arm, vector: Array, direction: str) -> float:
    """Largest part across the arm, in a direction of bending, of a vector (3,) of sizes along the fixed axes."""
    planar = all(_in_plane(arm, joint) for joint in range(len(arm.joints)))
    if not planar:
        return float(np.linalg.norm(vector))
    return float(vector[2] if direction == "z" else np.linalg.norm(vector[:2]))


def _largest(signal: float | Expression | TimeTable, times: Array) -> float:
    """Largest size of a signal at some times (k,) [s], or of the values of a table."""
    if isinstance(signal, TimeTable):
        return float(np.abs(signal.values).max())
    return float(np.abs(signal.at(times)).max()) if isinstance(signal, Expression) else abs(float(signal))
