"""PD drives of what sensors measure, or of instants, as the blocks that they are among an arm's controllers.

The drive of joint i follows ``pd_i``, a `pid` of ``pd_i_error``, the difference of ``pd_i_reference`` and of the
sensor; of the joint itself, unless `measure` names one, ``pd_i_sensor``. A delay is that of the sensor: it measures so
long before the instants at which the controller computes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from flexarm.description.arm.control.controller import Controller
from flexarm.description.arm.control.sampling import WHOLE
from flexarm.description.arm.control.sensor import Sensor
from flexarm.description.arm.joint.joint import Joint
from flexarm.description.motion.drive import Drive
from flexarm.description.motion.pd import PD
from flexarm.description.values.input_model import Faults, KeyPath, wrong
from flexarm.description.values.quantities import Fixed
from flexarm.hints import did_you_mean

Sensors = tuple[tuple[str, Sensor], ...]
Controllers = tuple[tuple[str, Controller], ...]


class MeasuredPD(NamedTuple):
    """PD drive of a joint, from 0, that is a block of what is measured."""

    joint: int
    pd: PD
    saturates: bool

    @property
    def name(self) -> str:
        """Name of the block whose output is the torque."""
        return block_name(self.joint)

    @property
    def sensor(self) -> str:
        """Name of the sensor that it reads."""
        return self.pd.measure or f"{self.name}_sensor"

    @property
    def blocks(self) -> Controllers:
        """Reference, error and `pid`."""
        pd, reference, error = self.pd, f"{self.name}_reference", f"{self.name}_error"
        winds = self.saturates and pd.ki is not None
        terms = {"kp": pd.kp, "ki": pd.ki, "anti_windup": winds}
        terms |= {"kd": pd.kd, "derivative_filter": pd.derivative_filter} if pd.derivative_filter else {}
        sampled = {"period": pd.period}
        return (
            (reference, Controller.model_validate({"reference": pd.followed})),
            (
                error,
                Controller.model_validate(
                    {"sum": (1.0, -1.0), "inputs": (reference, self.sensor), **sampled}
                ),
            ),
            (self.name, Controller.model_validate({"pid": terms, "inputs": error, **sampled})),
        )

    def delayed(self, sensor: Sensor) -> Sensor:
        """Sensor that measures `delay` before the instants of this controller."""
        period, delay = self.pd.period, self.pd.delay
        if delay is None or period is None:
            return sensor
        whole = int(delay / period + WHOLE)
        left = max(delay - whole * period, 0.0)
        left = left if left > WHOLE * period else 0.0
        ahead = {"offset": Fixed(period - left)} if left else {}
        # of an instant that is not a multiple of the period the measurement before it counts
        return sensor.model_copy(
            update={"period": period, "delay": Fixed(whole * period) if whole else None, **ahead}
        )


def block_name(joint: int) -> str:
    """Name of the block that the PD drive of a joint, from 0, is."""
    return f"pd_{joint + 1}"


def measured_pds(drive: Sequence[Drive | None]) -> list[MeasuredPD]:
    """PD drives that are blocks."""
    return [
        MeasuredPD(i, own.pd, own.saturate)
        for i, own in enumerate(drive)
        if own is not None and own.pd is not None and own.pd.is_measured
    ]


def commanding(drive: Drive | None, joint: int) -> tuple[str, ...]:
    """Names of the blocks whose outputs are torques of the drive of a joint, from 0."""
    if drive is None:
        return ()
    own = () if drive.controller is None else (drive.controller,)
    return (*own, block_name(joint)) if drive.pd is not None and drive.pd.is_measured else own


def with_measured_pds(
    drive: Sequence[Drive | None], joints: Sequence[Joint], sensors: Sensors, controllers: Controllers
) -> tuple[Sensors, Controllers]:
    """Sensors and controllers of an arm with those that its PD drives are."""
    named, blocks = dict(sensors), dict(controllers)
    for own in measured_pds(drive):
        of_joint = {"joint": own.joint + 1, "of": "motor" if joints[own.joint].is_elastic else None}
        sensor = named[own.sensor] if own.pd.measure else Sensor.model_validate(of_joint)
        named[own.sensor] = own.delayed(sensor)
        blocks |= dict(own.blocks)
    return tuple(named.items()), tuple(blocks.items())


def with_references(drive: Sequence[Drive | None], controllers: Controllers) -> Controllers:
    """Controllers whose references are those that PD drives have by now, shaped by modes that were found since."""
    blocks = dict(controllers)
    for own in measured_pds(drive):
        blocks |= own.blocks[:1]
    return tuple(blocks.items())


def measured_pd_faults(
    drive: Sequence[Drive | None],
    joints: Sequence[Joint],
    sensors: Sensors,
    controllers: Controllers,
    disturbances: Sequence[str],
) -> Faults:
    """Faults of what PD drives measure, and of names that their blocks need."""
    named, measured = dict(sensors), measured_pds(drive)
    taken = {*named, *dict(controllers), *disturbances}
    for own in measured:
        place = "drive", own.joint, "pd"
        needed = [name for name, _ in own.blocks] + ([] if own.pd.measure else [own.sensor])
        if clashing := [name for name in needed if name in taken]:
            message = f"its blocks take the name {clashing[0]!r}, which something else has"
            yield place, wrong(message, "give that another name")
        if own.pd.measure is None:
            continue
        if (sensor := named.get(own.pd.measure)) is None:
            known = list(named)
            there = f"there are {', '.join(known)}" if known else "there are none: give sensors"
            fault = wrong(
                f"got {own.pd.measure!r}, which is no sensor", did_you_mean(own.pd.measure, known, there)
            )
            yield (*place, "measure"), fault
        elif (of_sensor := _unit(sensor, joints)) not in (None, unit := joints[own.joint].kind.unit):
            of_joint = f"the reference of joint {own.joint + 1} is in {unit}"
            message = f"{own.pd.measure} measures in {of_sensor}, but {of_joint}"
            yield (*place, "measure"), wrong(message, "follow anything else by a pid among controllers")
        elif own.pd.delay is not None:
            others = [name for name, one in controllers if own.sensor in one.inputs]
            others += [
                f"pd of joint {one.joint + 1}" for one in measured if one.sensor == own.sensor and one != own
            ]
            if sensor.period is not None or sensor.delay is not None:
                message = (
                    f"{own.sensor} has a {'period' if sensor.period is not None else 'delay'} of its own"
                )
                yield (*place, "delay"), wrong(message, "give it the delay there, or remove it there")
            elif others:
                message = f"{own.sensor} is read by {others[0]} too, and a delay is that of its measurements"
                yield (*place, "delay"), wrong(message, "measure by a sensor of its own")


def _unit(sensor: Sensor, joints: Sequence[Joint]) -> str | None:
    """Unit of a sensor, None of one on a joint that the arm does not have."""
    return sensor.unit(joints) if max(sensor.joint or 1, sensor.stop or 1) <= len(joints) else None


def as_typed(path: KeyPath, drive: Sequence[Drive | None]) -> KeyPath:
    """Path of a key as it was typed: of blocks that PD drives are, that in the drive."""
    for own in measured_pds(drive):
        made = [name for name, _ in own.blocks] + ([] if own.pd.measure else [own.sensor])
        if path[:1] in (("controllers",), ("sensors",)) and len(path) > 1:
            key = path[2] if len(path) > 2 else None
            if path[1] in made:
                key = {"inputs": "measure", "delay": "delay", "period": "period"}.get(str(key))
                key = "reference" if path[1] == made[0] else key
                return ("drive", own.joint, "pd", *([key] if key else []))
            if (
                path[1] == own.pd.measure
                and own.pd.delay is not None
                and key in ("delay", "offset", "period")
            ):
                return "drive", own.joint, "pd", "delay" if key == "offset" else str(key)
    return path
