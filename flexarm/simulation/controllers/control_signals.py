"""Signals of an arm's controllers, evaluated in the order in which they follow one another."""

from __future__ import annotations

from collections.abc import Sequence

import casadi as ca

from flexarm.description.arm.arm import Arm
from flexarm.description.arm.control.controller import outputs_of
from flexarm.simulation.controllers.kinds import block_of
from flexarm.simulation.forces.time_functions import Signals
from flexarm.simulation.sensors.readings import reading, true_value
from flexarm.simulation.sensors.sensed_motion import SensedMotion


def n_controller_states(arm: Arm) -> int:
    """Number of states of all controllers of an arm."""
    return sum(controller.n_states for _, controller in arm.controllers)


class ControlSignals:
    """Signals of an arm's controllers at one moment.

    Parameters
    ----------
    arm : Arm
    signals : Signals
        Time, and the tables of references.
    states : SX (n_controller_states,)
        Of all controllers one after the other.
    sensed : SensedMotion
        What sensors see; without accelerations and torques only what does not follow these at once is known.

    Notes
    -----
    Each signal asks for those that it follows at once, so that the order is that of a topological sort; the description
    has no loops of such signals. A torque follows no acceleration at once: drives are known before accelerations, and
    the rates of states that an acceleration feeds after them.
    """

    def __init__(self, arm: Arm, signals: Signals, states: ca.SX, sensed: SensedMotion):
        self._arm, self._signals, self._sensed = arm, signals, sensed
        self._sensors, self._controllers = dict(arm.sensors), dict(arm.controllers)
        self._outputs = outputs_of(self._controllers)
        self._states: dict[str, ca.SX] = {}
        start = 0
        for name, controller in arm.controllers:
            self._states[name] = states[start : start + controller.n_states]
            start += controller.n_states
        self._known: dict[str, ca.SX] = {}

    def commands(self) -> dict[int, ca.SX]:
        """Torque that a controller asks of the drive of each joint that has one, from 0 [N m]."""
        return {
            joint: self._value(drive.controller)
            for joint, drive in enumerate(self._arm.drive)
            if drive is not None and drive.controller is not None
        }

    def outputs(self) -> ca.SX:
        """All outputs of all controllers, one after the other."""
        return ca.vertcat(*map(self._value, self._outputs))

    def rates(self) -> list[ca.SX]:
        """Rates of the states of each controller [per s]."""
        return [
            block_of(controller).rate(self._states[name], self._inputs(controller.inputs))
            for name, controller in self._arm.controllers
            if controller.n_states
        ]

    def _value(self, signal: str) -> ca.SX:
        if signal in self._sensors:
            sensor = self._sensors[signal]
            return reading(sensor, ca.SX(true_value(sensor, self._sensed)))
        name, k = self._outputs[signal]
        if name not in self._known:
            self._known[name] = self._output(name)
        return self._known[name][k]

    def _output(self, name: str) -> ca.SX:
        controller = self._controllers[name]
        if controller.reference is not None:
            return self._signals.value(controller.reference)
        followed = [
            signal if direct else None
            for signal, direct in zip(controller.inputs, controller.direct, strict=True)
        ]
        return block_of(controller).output(self._states[name], self._inputs(followed))

    def _inputs(self, signals: Sequence[str | None]) -> ca.SX:
        """Values of signals; of those that are not asked for 0."""
        return ca.vertcat(*(ca.SX(0) if signal is None else self._value(signal) for signal in signals))
