"""Linear model of an arm with its controllers, some of whose loops may be opened."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from flexarm.analysis.linear_models.arm_model import arm_model
from flexarm.analysis.linear_models.connection import SignalSystem, connected
from flexarm.analysis.linear_models.inputs import inputs_of
from flexarm.analysis.linear_models.linear_model import LinearModel
from flexarm.analysis.operating_points.joint_roles import joint_roles
from flexarm.analysis.operating_points.operating_point import OperatingPoint, Progress
from flexarm.analysis.rotation.steady_rotation import SteadyRotation
from flexarm.description.arm.arm import Arm
from flexarm.description.arm.control.controller import Controller, outputs_of, signals
from flexarm.description.arm.control.measured_pd import commanding, measured_pds
from flexarm.description.arm.control.sampling import Clock, controller_clock, periods, sensor_clocks
from flexarm.errors import ModelError
from flexarm.hints import did_you_mean
from flexarm.simulation.controllers.linear_systems import linear_system, shift_register

ALL = "all"
"""In the place of names of controllers: all of them."""
SAME_PERIOD = 1e-9
"""Relative difference of periods that is round-off."""

Controllers = dict[str, Controller]


def opened_signals(arm: Arm, opened: Sequence[str]) -> tuple[list[str], list[str]]:
    """Outputs of the controllers that are opened, and what they read.

    Raises
    ------
    ModelError
        The arm has no such controller.
    """
    named = dict(arm.controllers)
    for name in opened:
        if name not in named:
            there = f"there are {', '.join(named)}" if named else "it has none"
            hint = "it goes with no other name" if name == ALL else did_you_mean(name, [*named, ALL], there)
            raise ModelError(
                f"{arm.name}: opened: got {name!r}, which is no controller of the arm", hint=hint
            )
    given = [signal for name in opened for signal in signals(name, named[name])]
    return given, list(dict.fromkeys(signal for name in opened for signal in named[name].inputs))


def controllers_in_model(arm: Arm, joints: str) -> Controllers:
    """Controllers of which a linear model is made, by name; PD drives that act on joints are none of them."""
    left_out = [name for own in measured_pds(arm.drive) for name, _ in own.blocks] if joints == "pd" else []
    return {name: one for name, one in arm.controllers if name not in left_out}


def closed_loop(
    point: OperatingPoint,
    controllers: Controllers,
    inputs: Sequence[str],
    outputs: Sequence[str],
    opened: Sequence[str],
    period: float | None,
    of_arm: tuple[str, Sequence[int], SteadyRotation | None],
    progress: Progress | None = None,
) -> LinearModel:
    """Linear model of an arm whose drives follow controllers; see :func:`linearize` for the arguments.

    Raises
    ------
    ModelError
        Sampled controllers without their period or with several, or that read what follows torques at once.
    """
    controllers = _without_functions(point.arm, controllers, opened)
    arm, own = point.arm, outputs_of(controllers)
    given, _ = opened_signals(arm, opened)
    read = [name for one in controllers.values() for name in one.inputs if name not in own]
    of_plant = [name for name in outputs if name not in own]
    asked = list(dict.fromkeys([*of_plant, *read]))
    joints, hold, rotation = of_arm
    bare = arm_model(point, [*dict.fromkeys([*inputs, "torque"])], asked, joints, hold, rotation, progress)
    wanted = inputs_of(point, inputs, joint_roles(arm, joints, hold, rotation)).names
    plant = SignalSystem(bare.A, bare.B, bare.C, bare.D, bare.inputs, bare.outputs, bare.states)
    feeds = {
        f"tau_{i + 1}": [name for name in commanding(drive, i) if name in own or name in given]
        for i, drive in enumerate(arm.drive)
        if f"tau_{i + 1}" in bare.inputs
    }
    clock = _only_clock(arm, controllers, read, period)
    late = sensor_clocks(arm.sensors, arm.controllers)
    steady = {name: one for name, one in controllers.items() if one.period is None}
    held_sensors = [name for name in late if name in read]
    system = connected(
        plant, [_block(name, one) for name, one in steady.items()], feeds, [*given, *held_sensors]
    )
    if period is not None:
        system = system.sampled(period)
    if clock is not None:
        _check_direct(
            arm, plant, [name for name in read if name in late or _sampled_readers(controllers, name)]
        )
        of_sensors = [
            _delayed(name, periods(sensor.delay or 0.0, late[name]))
            for name, sensor in arm.sensors
            if name in late and name in read
        ]
        blocks = [_block(name, one) for name, one in controllers.items() if one.period is not None]
        further = [name for name in system.inputs[len(plant.inputs) :] if name not in given]
        held = {name: [name] for name in further}
        system = connected(system, [*of_sensors, *blocks], held, given)
        system = _with_named_inputs(system, given)
    groups = dict(zip(bare.outputs, bare.groups, strict=True))
    rows = [name for text in outputs for name in ([text] if text in own else _named(groups, text))]
    return _model(bare, system.picked([*wanted, *given], rows), controllers, period)


def _without_functions(arm: Arm, controllers: Controllers, opened: Sequence[str]) -> Controllers:
    """Controllers but for Python functions, of which there is no linear model, so they have to be opened."""
    functions = [name for name, one in controllers.items() if one.function is not None]
    if closed := [name for name in functions if name not in opened]:
        raise ModelError(
            f"{arm.name}: {closed[0]} is a Python function, of which there is no linear model",
            hint=f"open {closed[0]}",
        )
    return {name: one for name, one in controllers.items() if name not in functions}


def _only_clock(
    arm: Arm, controllers: Controllers, read: Sequence[str], period: float | None
) -> Clock | None:
    """Clock that all sampled controllers, and sensors that they read, share; None if nothing is sampled."""
    of_sensors = sensor_clocks(arm.sensors, arm.controllers)
    clocks = {
        name: clock for name, one in controllers.items() if (clock := controller_clock(one)) is not None
    }
    clocks |= {name: clock for name, clock in of_sensors.items() if name in read}
    if not clocks:
        return None
    first = next(iter(clocks))
    if others := [name for name, clock in clocks.items() if clock != clocks[first] or clock.offset]:
        other = next((name for name in others if name != first), first)
        message = (
            f"{first} and {other} are sampled at different instants"
            if other != first
            else f"{first} has an offset"
        )
        raise ModelError(
            f"{arm.name}: {message}, which no model of samples has", hint="open one of them, or all"
        )
    T = clocks[first].period
    if period is None or abs(period - T) > SAME_PERIOD * T:
        got = "no period" if period is None else f"the period {period:g} s"
        raise ModelError(
            f"{arm.name}: {first} is sampled every {T:g} s, but the model has {got}",
            hint=f"ask for the model of its samples, period {T:g}, or open {first}",
        )
    return clocks[first]


def _check_direct(arm: Arm, plant: SignalSystem, read: Sequence[str]) -> None:
    """Refuse sensors that follow torques at once: at an instant they read what the torque of before still does."""
    for name in read:
        if name in plant.outputs and plant.D[plant.outputs.index(name)].any():
            raise ModelError(
                f"{arm.name}: {name} follows torques at once, which no model of samples has",
                hint="open its reader",
            )


def _sampled_readers(controllers: Controllers, name: str) -> bool:
    return any(one.period is not None and name in one.inputs for one in controllers.values())


def _block(name: str, controller: Controller) -> SignalSystem:
    A, B, C, D = linear_system(controller)
    states = tuple(f"{name}.x{k}" for k in range(1, len(A) + 1))
    return SignalSystem(A, B, C, D, controller.inputs, signals(name, controller), states)


def _delayed(name: str, n: int) -> SignalSystem:
    """A sensor that is held from sample to sample, by n samples late."""
    states = tuple(f"{name}.x{k}" for k in range(1, n + 1))
    return SignalSystem(*shift_register(n), (name,), (name,), states)


def _with_named_inputs(system: SignalSystem, opened: Sequence[str]) -> SignalSystem:
    """One input for each signal that is opened: readers of both stages follow it."""
    B, D, names = system.B.copy(), system.D.copy(), list(system.inputs)
    for name in opened:
        columns = [k for k, own in enumerate(names) if own == name]
        for k in columns[1:]:
            B[:, columns[0]] += B[:, k]
            D[:, columns[0]] += D[:, k]
    return system._replace(B=B, D=D)


def _named(groups: dict[str, str], text: str) -> list[str]:
    """Outputs of an arm that a word stands for."""
    return [name for name, group in groups.items() if group == text]


def _model(
    bare: LinearModel, system: SignalSystem, controllers: Controllers, period: float | None
) -> LinearModel:
    """Model of a system that is made of that of an arm and its controllers; deviations of these have no values."""
    columns = [bare.inputs.index(name) if name in bare.inputs else None for name in system.inputs]
    rows = [bare.outputs.index(name) if name in bare.outputs else None for name in system.outputs]
    n = len(system.states) - len(bare.states)

    def chosen(values: Sequence, places: Sequence[int | None], other) -> tuple:
        return tuple(other if k is None else values[k] for k in places)

    forces, positions = (
        np.zeros((len(bare.forces), len(columns))),
        np.zeros((len(rows), bare.positions.shape[1])),
    )
    gains, groups = np.zeros((len(columns), 2)), dict(zip(bare.outputs, bare.groups, strict=True))
    for k, column in enumerate(columns):
        if column is not None:
            forces[:, k], gains[k] = bare.forces[:, column], bare.gains[column]
    for k, row in enumerate(rows):
        if row is not None:
            positions[k] = bare.positions[row]
    return replace(
        bare,
        A=system.A, B=system.B, C=system.C, D=system.D,
        states=system.states, inputs=system.inputs, outputs=system.outputs,
        state_units=(*bare.state_units, *("1",) * n),
        input_units=chosen(bare.input_units, columns, "1"),
        output_units=chosen(bare.output_units, rows, "1"),
        groups=tuple(groups.get(name, name) for name in system.outputs),
        output_values=np.array(chosen(bare.output_values.tolist(), rows, np.nan)),
        orders=chosen(bare.orders, rows, 0),
        input_joints=chosen(bare.input_joints, columns, None),
        positions=positions, forces=forces, gains=gains,
        controllers=tuple(controllers), period=period,
    )  # fmt: skip
