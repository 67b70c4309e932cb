"""Signals of an arm's sensors and controllers, evaluated in the order in which they follow one another."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import casadi as ca

from flexarm.description.arm.arm import Arm
from flexarm.description.arm.control.controller import Controller, outputs_of
from flexarm.description.arm.control.disturbance import Disturbance
from flexarm.description.arm.control.sampling import periods, sampled_names, sensor_clocks
from flexarm.simulation.controllers.block import Block
from flexarm.simulation.controllers.discrete import discrete_block
from flexarm.simulation.controllers.kinds import block_of
from flexarm.simulation.forces.applied_forces import PointForce
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
        self._states, self._places = states, control_places(arm)
        self._clocks = sampled_names(arm.sensors, arm.controllers, arm.disturbances)
        self._known: dict[str, ca.SX] = {}

    def commands(self) -> dict[int, ca.SX]:
        """Torque that a controller asks of the drive of each joint that has one, from 0 [N m]."""
        return {
            joint: self._value(drive.controller)
            for joint, drive in enumerate(self._arm.drive)
            if drive is not None and drive.controller is not None
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


class ControlUpdate(ControlSignals):
    """What sensors measure and controllers compute at an instant, from the motion just before it.

    Parameters
    ----------
    fires : SX (n_clocks,)
        1 for the clocks of :attr:`~flexarm.description.arm.arm.Arm.clocks` whose instant it is, else 0.
    noise : SX (n_sensors + n_disturbances,)
        Noise of every sensor and disturbance.
    starts : SX
        1 at the start of a run: measurements that wait are then that of this moment.
    """

    def __init__(
        self,
        arm: Arm,
        signals: Signals,
        states: ca.SX,
        sensed: SensedMotion,
        fires: ca.SX,
        noise: ca.SX,
        starts: ca.SX,
    ):
        super().__init__(arm, signals, states, sensed)
        self._fires = dict(zip(arm.clocks, ca.vertsplit(fires), strict=True))
        names = [*self._sensors, *dict(arm.disturbances)]
        self._noise = dict(zip(names, ca.vertsplit(noise) if names else (), strict=True))
        for name in self._sensors:
            if name in self._places:
                place = self._places[name]
                for k in range(place.states.start, place.held.stop):
                    self._states[k] = ca.if_else(starts, self._measured(name), self._states[k])

    def states(self) -> ca.SX:
        """All states after the instant."""
        after = ca.SX(self._states)
        for name, one in self._arm.disturbances:
            if one.period is not None:
                signal = 0.0 if one.signal is None else self._signals.value(one.signal)
                fresh, held = self._noise[name] + signal, self._held(name)
                after[self._places[name].held] = ca.if_else(self._fires[self._clocks[name]], fresh, held)
        for name, place in self._places.items():
            if name not in self._clocks or not (name in self._sensors or name in self._controllers):
                continue
            fires = self._fires[self._clocks[name]]
            before = self._states[place.states]
            if name in self._sensors:
                states = ca.vertcat(self._measured(name, self._noise[name]), before)[: before.numel()]
                after[place.held] = self._sensor_value(name)
            else:
                controller = self._controllers[name]
                states = discrete_block(controller).rate(before, self._inputs(controller.inputs))
                after[place.held] = self._of_controller(name)
            for k in range(before.numel()):
                after[place.states.start + k] = ca.if_else(fires, states[k], before[k])
        return after

    def _sensor_value(self, name: str) -> ca.SX:
        if name not in self._clocks:
            return self._measured(name)
        waiting = self._states[self._places[name].states]
        fresh = waiting[-1] if waiting.numel() else self._measured(name, self._noise[name])
        return ca.if_else(self._fires[self._clocks[name]], fresh, self._held(name))

    def _of_controller(self, name: str) -> ca.SX:
        if name not in self._clocks:
            return super()._of_controller(name)
        if name not in self._known:
            fires, held = self._fires[self._clocks[name]], self._held(name)
            fresh = self._output(name, discrete_block)
            self._known[name] = ca.vertcat(
                *(ca.if_else(fires, fresh[k], held[k]) for k in range(held.numel()))
            )
        return self._known[name]
