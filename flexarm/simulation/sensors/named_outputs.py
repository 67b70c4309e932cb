"""Outputs by name: the sensors of a description, and others that a word stands for."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

import casadi as ca

from flexarm.description.arm.arm import Arm
from flexarm.description.arm.control.sensor import MOTION, Sensor
from flexarm.description.arm.load import Station
from flexarm.errors import ModelError
from flexarm.hints import did_you_mean
from flexarm.results.dimensions import AXES
from flexarm.simulation.sensors.readings import true_value
from flexarm.simulation.sensors.sensed_motion import SensedMotion

WORDS = {"joints": None, "tip": None, "deflection": 1.0, "curvature": 0.0, "strain": 0.0}
"""Word -> default station of those that belong to a link: its end or its start."""
_STATION = re.compile(r"(\w+)@(\d+)(?::([0-9.eE+-]+))?")


@dataclass(frozen=True)
class Output:
    """One measured quantity.

    Attributes
    ----------
    name : str
        E.g. ``hub``, ``q_1``, ``tip_y``, ``deflection_y@1:0.5``.
    unit : str
    group : str
        As it was asked for.
    order : int
        Of which rate of a function of the coordinates it is: 0, 1 or 2.
    value : SX
    of_point : bool
        Whether it is of a point's motion.
    """

    name: str
    unit: str
    group: str
    order: int
    value: ca.SX
    of_point: bool = False


def outputs(moving: SensedMotion, asked: tuple[str, ...]) -> list[Output]:
    """Outputs as expressions; components that nothing moves, such as z of a planar arm, are left out.

    Parameters
    ----------
    moving : SensedMotion
        Of symbols.
    asked : tuple of str
        Names of the arm's sensors, which come first; or
        ``joints``: angles [rad] or positions [m] of the joints that move; ``tip``: its position [m];
        ``deflection@LINK:AT``: of the link's axis at a fraction of its length, in the link's axes [m];
        ``curvature@LINK:AT`` [1/m] in the plane of deflection along y and z; ``strain@LINK:AT``: of the surface
        farthest along y and z, for links with a section [1]. Without AT: the end of the link for a deflection, else
        its start.

    Raises
    ------
    ModelError
        Unknown outputs, torques and forces, or such as nothing moves.
    """
    arm, found = moving.arm, []
    motion = [each for each in (moving.theta, moving.theta_d, moving.theta_dd) if each is not None]
    for text in asked:
        components = []
        for name, sensor in sensors_named(arm, text):
            if (order := sensor.order) is None:
                raise ModelError(
                    f"{arm.name}: output {text}: torques and forces are no outputs of a linear model",
                    hint="those of joints are its inputs",
                )
            value = ca.SX(true_value(sensor, moving))
            if ca.jacobian(value, motion[order]).nnz():
                of_point = sensor.kind in MOTION
                components.append(Output(name, sensor.unit(arm.joints), text, order, value, of_point))
        if not components:
            raise ModelError(f"{arm.name}: output {text}: nothing that moves is measured (a rigid link?)")
        found += components
    return found


def sensors_named(arm: Arm, text: str) -> Iterator[tuple[str, Sensor]]:
    """Sensors that a name or a word stands for, with their names."""
    if text in (described := dict(arm.sensors)):
        yield text, described[text]
    elif text == "joints":
        yield from ((f"q_{i}", Sensor(joint=i)) for i in range(1, len(arm.joints) + 1))
    elif text == "tip":
        yield from ((f"tip_{axis}", Sensor(position="tip", along=axis)) for axis in AXES)
    else:
        kind, station = _station(arm, text)
        for axis in AXES if kind == "deflection" else AXES[1:]:
            sensor = Sensor.model_validate({kind: station, "along": axis}).completed(arm.links)
            if kind == "strain" and sensor.distance is None:
                link, at = station.link, station.at
                raise ModelError(
                    f"{arm.name}: output {text}: link {link} has no section that gives its height (ask for "
                    f"curvature@{link}:{at:g} instead, or give the link material and section)"
                )
            yield f"{kind}_{axis}@{station.link}:{station.at:g}", sensor


def _station(arm: Arm, text: str) -> tuple[str, Station]:
    """Kind of sensor, and station of a link."""
    found = _STATION.fullmatch(text)
    kind = found[1] if found else text.partition("@")[0]
    if kind not in WORDS:
        names = [*(name for name, _ in arm.sensors), *WORDS]
        hint = did_you_mean(kind, names, "e.g. deflection@1:0.5")
        raise ModelError(f"{arm.name}: unknown output {text!r}, expected one of {', '.join(names)} ({hint})")
    if found is None or WORDS[kind] is None:
        right = f"{kind}@LINK:AT, e.g. {kind}@1:0.5" if WORDS[kind] is not None else kind
        raise ModelError(f"{arm.name}: output {text!r}: expected {right}")
    return kind, named_station(arm, f"output {text!r}", found[2], found[3] or str(WORDS[kind]))


def named_station(arm: Arm, what: str, link: str, at: str) -> Station:
    """Station of a link, whose number and fraction of the length are texts, of what a name asks for.

    Raises
    ------
    ModelError
        The arm has no such link, or the fraction is none.
    """
    try:
        number, xi = int(link), float(at)
    except ValueError:
        raise ModelError(f"{arm.name}: {what}: {at!r} is not a number") from None
    if not 1 <= number <= len(arm.links):
        raise ModelError(f"{arm.name}: {what}: got link {number}, expected 1 to {len(arm.links)}")
    if not 0 <= xi <= 1:
        raise ModelError(f"{arm.name}: {what}: got {xi:g}, expected 0 (start of the link) to 1 (its end)")
    return Station(link=number, at=xi)
