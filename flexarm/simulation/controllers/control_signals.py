"""Signals of an arm's sensors and controllers, evaluated in the order in which they follow one another."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import casadi as ca

from flexarm.description.arm.arm import Arm
from flexarm.description.arm.control.controller import Controller, outputs_of
from flexarm.description.arm.control.disturbance import Disturbance
from flexarm.description.arm.control.measured_pd import commanding
from flexarm.description.arm.control.sampling import periods, sampled_names, sensor_clocks
from flexarm.simulation.controllers.block import Block
from flexarm.simulation.controllers.kinds import block_of
from flexarm.simulation.forces.drive_torques import NO_COMMANDS
from flexarm.simulation.forces.point_force import PointForce
from flexarm.simulation.forces.time_functions import Signals
from flexarm.simulation.sensors.readings import reading, true_value
from flexarm.simulation.sensors.sensed_motion import SensedMotion


class Place(NamedTuple):
    """Where the states of a sensor or controller are: those that it computes with, then values that are held."""

    states: slice
    held: slice


def control_places(arm: Arm) -> dict[str, Place]:
    """Place of every controller, and of every sensor and disturbance that is sampled, among the states of all of them.

    States of a sensor are the measurements that wait for their delay to pass, the latest first.
    """
    clocks, found, start = sensor_clocks(arm.sensors, arm.controllers), {}, 0
    sizes = [
        (name, 0 if sensor.delay is None else periods(sensor.delay, clocks[name]), 1)
        for name, sensor in arm.sensors
        if name in clocks
    ]
    for name, controller in arm.controllers:
        sizes.append(
            (name, controller.n_states, controller.n_outputs if controller.period is not None else 0)
        )
    sizes += [(name, 0, 1) for name, disturbance in arm.disturbances if disturbance.period is not None]
    for name, n_states, n_held in sizes:
        held = start + n_states
        found[name] = Place(slice(start, held), slice(held, held + n_held))
        start = held + n_held
    return found


def n_controller_states(arm: Arm) -> int:
    """Number of states of all controllers, and of sampled sensors and disturbances of an arm."""
    return max((place.held.stop for place in control_places(arm).values()), default=0)


class ControlSignals:
    """Signals of an arm's sensors and controllers at one moment; what is sampled holds its value.

    Parameters
    ----------
    arm : Arm
    signals : Signals
        Time, and the tables of references.
    states : SX (n_controller_states,)
        Of all of them one after the other, see :func:`control_places`.
    sensed : SensedMotion
        What sensors see; without accelerations and torques only what does not follow these at once is known.
    limits : mapping of int to SX
        By how much motors at their limits change the torques of drives of joints, from 0 [N m].

    Notes
    -----
    Each signal asks for those that it follows at once, so that the order is that of a topological sort; the description
    has no loops of such signals. A torque follows no acceleration at once: drives are known before accelerations, and
    the rates of states that an acceleration feeds after them.
    """

    def __init__(
        self,
        arm: Arm,
        signals: Signals,
        states: ca.SX,
        sensed: SensedMotion,
        limits: Mapping[int, ca.SX] = NO_COMMANDS,
    ):
        self._arm, self._signals, self._sensed, self._limits = arm, signals, sensed, limits
        self._sensors, self._controllers = dict(arm.sensors), dict(arm.controllers)
        self._outputs = outputs_of(self._controllers)
        self._states, self._places = states, control_places(arm)
        self._clocks = sampled_names(arm.sensors, arm.controllers, arm.disturbances)
        self._known: dict[str, ca.SX] = {}

    def commands(self) -> dict[int, ca.SX]:
        """Torque that a controller asks of the drive of each joint that has one, from 0 [N m]."""
        return {
            joint: sum(map(self._value, names), ca.SX(0))
            for joint, drive in enumerate(self._arm.drive)
            if (names := commanding(drive, joint))
        }

    def disturbing_torques(self) -> ca.SX:
        """Torques of disturbances on the joints, (n_joints,) [N m]."""
        torques = ca.SX.zeros(len(self._arm.joints))
        for name, one in self._arm.disturbances:
            if one.torque is not None:
                torques[one.torque - 1] += self._disturbance(name, one)
        return torques

    def disturbing_forces(self) -> list[PointForce]:
        """Forces of disturbances on points."""
        found = []
        for name, one in self._arm.disturbances:
            if one.force is not None:
                _, link, xi = one.point(len(self._arm.links))
                f = ca.SX.zeros(3)
                f[one.axis] = self._disturbance(name, one)
                found.append(PointForce(link, xi, f))
        return found

    def outputs(self) -> ca.SX:
        """All outputs of all controllers, one after the other."""
        return ca.vertcat(*map(self._value, self._outputs))

    def readings(self) -> ca.SX:
        """Readings of all sensors."""
        return ca.vertcat(*map(self._value, self._sensors))

    def rates(self) -> ca.SX:
        """Rates of all states [per s]: 0 of what is sampled."""
        rates = ca.SX.zeros(self._states.numel())
        for name, controller in self._arm.controllers:
            if controller.period is None and controller.n_states:
                states = self._places[name].states
                rates[states] = block_of(controller).rate(
                    self._states[states], self._inputs(controller.inputs)
                )
                rates[states] += self._unwinding(name, controller)
        return rates

    def _unwinding(self, name: str, controller: Controller) -> ca.SX:
        """Rates of the states of a controller by which its integral does not wind up at the limit of a motor.

        Back-calculation: at the limit the integral goes to where the demand is at the limit, in the time kp/ki.
        """
        rates, pid = ca.SX.zeros(controller.n_states), controller.pid
        if pid is not None and pid.anti_windup:
            (joint,) = (i for i, own in enumerate(self._arm.drive) if name in commanding(own, i))
            rates[0] = self._limits.get(joint, ca.SX(0)) / pid.kp
        return rates

    # -- values ----------------------------------------------------------------------------------------------

    def _value(self, signal: str) -> ca.SX:
        if signal in self._sensors:
            return self._sensor_value(signal)
        name, k = self._outputs[signal]
        return self._of_controller(name)[k]

    def _of_controller(self, name: str) -> ca.SX:
        if name not in self._known:
            sampled = name in self._clocks
            self._known[name] = self._held(name) if sampled else self._output(name, block_of)
        return self._known[name]

    def _sensor_value(self, name: str) -> ca.SX:
        return self._held(name) if name in self._clocks else self._measured(name)

    def _disturbance(self, name: str, disturbance: Disturbance) -> ca.SX:
        if disturbance.period is not None:
            return self._held(name)
        return ca.SX(0) if disturbance.signal is None else self._signals.value(disturbance.signal)

    def _held(self, name: str) -> ca.SX:
        return self._states[self._places[name].held]

    def _measured(self, name: str, noise: ca.SX | float = 0.0) -> ca.SX:
        """Reading of a sensor at this moment."""
        sensor = self._sensors[name]
        return reading(sensor, ca.SX(true_value(sensor, self._sensed)) + noise)

    def _output(self, name: str, block: Callable[[Controller], Block]) -> ca.SX:
        """Outputs of a controller that computes at this moment."""
        controller = self._controllers[name]
        if controller.reference is not None:
            return self._signals.value(controller.reference)
        followed = [
            signal if direct else None
            for signal, direct in zip(controller.inputs, controller.direct, strict=True)
        ]
        return block(controller).output(self._states[self._places[name].states], self._inputs(followed))

    def _inputs(self, signals: Sequence[str | None]) -> ca.SX:
        """Values of signals; of those that are not asked for 0."""
        return ca.vertcat(*(ca.SX(0) if signal is None else self._value(signal) for signal in signals))
