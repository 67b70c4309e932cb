"""Sampling: at which instants sensors measure and controllers compute."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from flexarm.description.arm.control.controller import Controller
from flexarm.description.arm.control.disturbance import Disturbance
from flexarm.description.arm.control.sensor import Sensor
from flexarm.description.values.input_model import Faults, wrong

MOST_INSTANTS = 10_000_000
MOST_DELAYED = 1000
"""Periods by which a signal may be late."""
WHOLE = 1e-6
"""Part of a period by which a delay may be off a multiple of it."""


class Clock(NamedTuple):
    """Instants offset + k period [s]."""

    period: float
    offset: float


Sensors = Sequence[tuple[str, Sensor]]
Controllers = Sequence[tuple[str, Controller]]
Disturbances = Sequence[tuple[str, Disturbance]]


def controller_clock(controller: Controller) -> Clock | None:
    """When a controller computes; None if all the time."""
    return None if controller.period is None else Clock(controller.period, controller.offset)


def sensor_clocks(sensors: Sensors, controllers: Controllers) -> dict[str, Clock]:
    """When sensors measure whose readings are held: by their own period, or that of the controllers that read them.

    Those of which nothing needs a period are read whenever somebody reads them, and are not among these.
    """
    found = {}
    for name, sensor in sensors:
        if sensor.period is not None:
            found[name] = Clock(sensor.period, sensor.offset)
        elif sensor.needs_period:
            readers = (controller_clock(one) for _, one in controllers if name in one.inputs)
            if (clock := next((each for each in readers if each is not None), None)) is not None:
                found[name] = clock
    return found


def all_clocks(sensors: Sensors, controllers: Controllers, disturbances: Disturbances) -> list[Clock]:
    """All clocks of an arm, each once."""
    return list(dict.fromkeys(sampled_names(sensors, controllers, disturbances).values()))


def periods(delay: float, clock: Clock) -> int:
    """A delay [s] in periods of a clock."""
    return round(delay / clock.period)


def sampling_faults(
    sensors: Sensors, controllers: Controllers, disturbances: Disturbances, duration: float
) -> Faults:
    """Faults of periods that are missing, or do not fit one another or the run of a duration [s]."""
    clocks = sensor_clocks(sensors, controllers)
    for name, sensor in sensors:
        needs = next((key for key in ("noise", "delay") if getattr(sensor, key) is not None), None)
        readers = [(reader, controller_clock(one)) for reader, one in controllers if name in one.inputs]
        sampled = {clock: reader for reader, clock in readers if clock is not None}
        if needs is not None and name not in clocks:
            fault = wrong(
                f"a {needs} needs a period: it belongs to single measurements",
                "give the sensor a period, or one to the controller that reads it",
            )
            yield ("sensors", name, needs), fault
        elif sensor.period is None and sensor.needs_period and len(sampled) > 1:
            each = " and ".join(
                f"{clock.period:g} s of {reader}" for clock, reader in list(sampled.items())[:2]
            )
            fault = wrong(
                f"its readers have several periods or offsets: {each}", "give the sensor a period of its own"
            )
            yield ("sensors", name), fault
        elif sensor.delay is not None and name in clocks:
            yield from _delay_faults(("sensors", name, "delay"), sensor.delay, clocks[name], 0)
        if sensor.period is not None:
            clock = Clock(sensor.period, sensor.offset)
            yield from _duration_faults(("sensors", name, "period"), clock, duration)
    for name, one in disturbances:
        if one.period is not None:
            yield from _duration_faults(("disturbances", name, "period"), Clock(one.period, 0.0), duration)
    for name, controller in controllers:
        if (clock := controller_clock(controller)) is None:
            continue
        yield from _duration_faults(("controllers", name, "period"), clock, duration)
        if controller.delay is not None:
            yield from _delay_faults(("controllers", name, "delay", "time"), controller.delay.time, clock, 1)


def _delay_faults(path: tuple[str, ...], delay: float, clock: Clock, least: int) -> Faults:
    count = periods(delay, clock)
    if abs(delay - count * clock.period) > WHOLE * clock.period or count < least:
        yield path, wrong(f"got {delay:g} s, expected a multiple of the period, {clock.period:g} s")
    elif count > MOST_DELAYED:
        yield path, wrong(f"got {count} periods of {clock.period:g} s, expected at most {MOST_DELAYED}")


def _duration_faults(path: tuple[str, ...], clock: Clock, duration: float) -> Faults:
    if duration / clock.period > MOST_INSTANTS:
        message = f"got {clock.period:g} s, of which the run has more than {MOST_INSTANTS:,}".replace(
            ",", " "
        )
        yield path, wrong(message, "lengthen the period, or shorten run.duration")
    if clock.offset >= clock.period:
        message = f"got {clock.offset:g} s, expected less than the period, {clock.period:g} s"
        yield (*path[:-1], "offset"), wrong(message)


def sampled_names(
    sensors: Sensors, controllers: Controllers, disturbances: Disturbances
) -> Mapping[str, Clock]:
    """Name of everything that is sampled -> its clock."""
    own = {name: controller_clock(one) for name, one in controllers}
    return {
        **sensor_clocks(sensors, controllers),
        **{name: clock for name, clock in own.items() if clock is not None},
        **{name: Clock(one.period, 0.0) for name, one in disturbances if one.period is not None},
    }
