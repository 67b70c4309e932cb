"""What sensors measure and controllers compute at an instant: their states after it."""

from __future__ import annotations

from collections.abc import Mapping

import casadi as ca
import numpy as np

from flexarm.description.arm.arm import Arm
from flexarm.errors import ModelError
from flexarm.simulation.controllers.control_signals import ControlSignals
from flexarm.simulation.controllers.discrete import discrete_block
from flexarm.simulation.forces.drive_torques import NO_COMMANDS
from flexarm.simulation.forces.time_functions import Signals
from flexarm.simulation.sensors.sensed_motion import SensedMotion


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
    given : SX (n_given,)
        Outputs of controllers that are functions, in the order of the description.
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
        given: ca.SX,
        limits: Mapping[int, ca.SX] = NO_COMMANDS,
    ):
        super().__init__(arm, signals, states, sensed, limits)
        self._fires = dict(zip(arm.clocks, ca.vertsplit(fires), strict=True))
        names = [*self._sensors, *dict(arm.disturbances)]
        self._noise = dict(zip(names, ca.vertsplit(noise) if names else (), strict=True))
        own = [(name, one.n_outputs) for name, one in arm.controllers if one.function is not None]
        ends = np.cumsum([0, *(n for _, n in own)]).tolist()
        self._given = {name: given[ends[k] : ends[k + 1]] for k, (name, _) in enumerate(own) if given.numel()}
        for name in self._sensors:
            if name in self._places:
                place = self._places[name]
                for k in range(place.states.start, place.held.stop):
                    self._states[k] = ca.if_else(starts, self._measured(name), self._states[k])

    def value(self, signal: str) -> ca.SX:
        """Value of a signal at the instant."""
        return self._value(signal)

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
                controller, states = self._controllers[name], before
                if controller.n_states and controller.function is None:
                    states = discrete_block(controller).rate(before, self._inputs(controller.inputs))
                    states += self._unwinding(name, controller) * (controller.period or 0.0)
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
            fresh = self._fresh(name)
            self._known[name] = ca.vertcat(
                *(ca.if_else(fires, fresh[k], held[k]) for k in range(held.numel()))
            )
        return self._known[name]

    def _fresh(self, name: str) -> ca.SX:
        """Outputs of a controller that computes at this instant."""
        if self._controllers[name].function is None:
            return self._output(name, discrete_block)
        if name not in self._given:
            raise ModelError(
                f"{self._arm.name}: controllers.{name} is a Python function, which only runs and steppers call"
            )
        return self._given[name]
