"""Graph of sensors, controllers and drives: what is read by whom, and loops in which everything follows at once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from flexarm.description.arm.control.controller import Controller, outputs_of
from flexarm.description.arm.control.measured_pd import commanding
from flexarm.description.arm.control.sampling import sensor_clocks
from flexarm.description.arm.control.sensor import Sensor
from flexarm.description.arm.joint.joint import Joint
from flexarm.description.motion.drive import Drive
from flexarm.description.values.input_model import Faults, wrong
from flexarm.hints import did_you_mean

Named = Sequence[tuple[str, Controller]]


def control_faults(
    sensors: Sequence[tuple[str, Sensor]],
    controllers: Named,
    joints: Sequence[Joint],
    drive: Sequence[Drive | None],
    disturbances: Sequence[str],
    is_event_driven: bool,
) -> Faults:
    """Faults of names that nothing has, or two things have, and of loops."""
    named, measured = dict(controllers), dict(sensors)
    for name in named:
        if name in measured:
            fault = wrong(f"{name!r} is the name of a sensor too", "give one of them another name")
            yield ("controllers", name), fault
    for name in disturbances:
        if name in measured or name in named:
            what = "sensor" if name in measured else "controller"
            fault = wrong(f"{name!r} is the name of a {what} too", "give one of them another name")
            yield ("disturbances", name), fault
    outputs = outputs_of(named)
    readers = [(("controllers", name, "inputs"), one.inputs) for name, one in controllers]
    unknown = False
    yield from _unreadable(measured, controllers, joints, drive, is_event_driven)
    for path, inputs in readers:
        for k, signal in enumerate(inputs):
            if signal not in outputs and signal not in measured:
                unknown = True
                place = path if len(inputs) == 1 else (*path, k)
                yield place, _unknown(signal, named, [*measured, *outputs], "sensor or controller")
    for i, own in enumerate(drive):
        signal = None if own is None else own.controller
        if signal is not None and signal not in outputs:
            unknown = True
            yield ("drive", i, "controller"), _unknown(signal, named, list(outputs), "controller")
    yield from _windup_faults(named, drive)
    if not unknown:
        yield from _loop_faults(measured, named, drive)


def _unreadable(
    sensors: Mapping[str, Sensor],
    controllers: Named,
    joints: Sequence[Joint],
    drive: Sequence[Drive | None],
    is_event_driven: bool,
) -> Faults:
    """Faults of sensors that no controller can read."""
    clocks = sensor_clocks(list(sensors.items()), controllers)
    for name, controller in controllers:
        for signal in controller.inputs:
            if (sensor := sensors.get(signal)) is None:
                continue
            path = "controllers", name, "inputs"
            if sensor.kind in ("contact", "stop"):
                message = f"{signal} measures the force of a contact, which no controller can read"
                yield (
                    path,
                    wrong(message, "it is known when the motion is; measure a motion or a strain instead"),
                )
            elif sensor.resolution is not None and signal not in clocks:
                message = f"{signal} has a resolution, which a continuous controller cannot read"
                yield (
                    path,
                    wrong(message, "give the sensor or the controller a period, or remove the resolution"),
                )
            elif (
                sensor.acceleration is not None
                and is_event_driven
                and (signal in clocks or controller.period)
            ):
                whose = "an arm that walls, stops or friction may hold"
                message = f"{signal} measures an acceleration at instants, of {whose}"
                yield path, wrong(message, "leave the periods away, or measure a velocity")
            elif sensor.of == "torque" and sensor.joint is not None:
                own = drive[sensor.joint - 1]
                if not joints[sensor.joint - 1].moves or (own is not None and own.motion is not None):
                    message = f"{signal} measures the torque that the motion of joint {sensor.joint} takes"
                    yield path, wrong(message, "a controller can read the torque of a drive only")


def _windup_faults(named: Mapping[str, Controller], drive: Sequence[Drive | None]) -> Faults:
    """Faults of controllers whose integral heeds a limit of a motor, without a drive that has one."""
    limited = [
        name for i, own in enumerate(drive) if own is not None and own.saturate for name in commanding(own, i)
    ]
    for name, controller in named.items():
        if controller.pid is not None and controller.pid.anti_windup and limited.count(name) != 1:
            message = f"got anti_windup, but {name} is the controller of no drive that saturates"
            if name in limited:
                message = f"got anti_windup, but {name} is the controller of several drives that saturate"
            hint = f"give one drive controller: {name} and saturate: true, or limit the output by a block"
            yield ("controllers", name, "pid", "anti_windup"), wrong(message, hint)


def _unknown(signal: str, named: Mapping[str, Controller], known: list[str], what: str):
    if signal in named:
        n = named[signal].n_outputs
        return wrong(f"got {signal!r}, which has {n} outputs", f"write {signal}.1 to {signal}.{n}")
    there = f"there are {', '.join(known)}" if known else "there are none"
    return wrong(f"got {signal!r}, which is no {what}", did_you_mean(signal, known, there))


def _loop_faults(
    sensors: Mapping[str, Sensor], controllers: Mapping[str, Controller], drive: Sequence[Drive | None]
) -> Faults:
    """Fault of a loop in which every signal follows the one before at once."""
    outputs = outputs_of(controllers)
    torques = [
        (outputs[name][0], f"drive of joint {i + 1}")
        for i, own in enumerate(drive)
        for name in commanding(own, i)
    ]
    follows: dict[str, list[str]] = {
        name: [
            outputs[signal][0] if signal in outputs else signal
            for signal, direct in zip(one.inputs, one.direct, strict=True)
            # what is sampled sees the torques of just before
            if direct and (signal in outputs or one.period is None)
        ]
        for name, one in controllers.items()
    }
    drives, held = (
        [place for _, place in torques],
        sensor_clocks(list(sensors.items()), list(controllers.items())),
    )
    follows |= {
        name: list(drives) for name, sensor in sensors.items() if sensor.follows_torques and name not in held
    }
    follows |= {place: [name for name, at in torques if at == place] for place in drives}
    if (loop := next(_loops(follows), None)) is not None:
        first = next(k for k, name in enumerate(loop) if name in controllers)
        loop = [*loop[first:], *loop[:first]]
        members = " <- ".join([*loop, loop[0]])
        message = f"an algebraic loop: {members}: each follows the next at once"
        yield ("controllers", loop[0]), wrong(message, "put a low_pass, or a period, into it")


def _loops(follows: Mapping[str, Sequence[str]]) -> Iterator[list[str]]:
    """Loops of a graph, each as the names along it."""
    done: set[str] = set()

    def search(name: str, path: list[str]) -> Iterator[list[str]]:
        if name in path:
            yield path[path.index(name) :]
        elif name not in done:
            for following in follows.get(name, ()):
                yield from search(following, [*path, name])
            done.add(name)

    for name in follows:
        yield from search(name, [])
