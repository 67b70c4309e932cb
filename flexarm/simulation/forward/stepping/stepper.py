"""An arm that a controller outside moves, period by period."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from flexarm.arguments import check_number
from flexarm.description.arm.arm import Arm
from flexarm.errors import ModelError
from flexarm.simulation.forward.stepping.arguments import (
    asked_outputs,
    check_stepped,
    given_inputs,
    input_joints,
)
from flexarm.simulation.forward.stepping.stepper_state import StepperState, check_state

if TYPE_CHECKING:
    from flexarm.simulation.forward.stepping.environment import ArmEnvironment


class Stepper:
    """An arm that a controller outside moves, period by period.

    Parameters
    ----------
    arm : Arm
        Without walls, limits and joints that stick; integrated by dop853. Its own drives and controllers go on.
    period : float [s]
        For which each input is held.
    inputs : iterable of str, optional
        ``torque[1]`` and so on: torques, of prismatic joints forces, that are added to those of the arm's drives,
        within the limits of a motor that saturates. Those of all joints that move freely unless given.
    outputs : iterable of str, optional
        Names of sensors, for their readings, and the words of ``linearize --observe``. All sensors unless given, or the
        joints of an arm without.

    Attributes
    ----------
    inputs, outputs : tuple of str
        Names of the elements of u and y.
    period : float [s]

    Raises
    ------
    ModelError
        An arm that cannot be stepped, or unknown names.
    """

    def __init__(
        self,
        arm: Arm,
        *,
        period: float = 0.001,
        inputs: Iterable[str] | None = None,
        outputs: Iterable[str] | None = None,
    ):
        check_stepped(arm, period)
        joints, asked = input_joints(arm, inputs), asked_outputs(arm, outputs)
        # those who never make a stepper start quicker without
        from flexarm.simulation.forward.stepping.stepped_motion import SteppedEquations

        self.inputs, self.period = tuple(joints), float(period)
        self._equations = SteppedEquations(completed(arm), list(joints.values()), asked)
        self.outputs = self._equations.outputs
        self.reset()

    def reset(self, seed: int | None = None) -> tuple[np.ndarray, float]:
        """Return to the start, with the noise of a seed or that of the run; return outputs y (n_outputs,) and t = 0."""
        from flexarm.simulation.forward.stepping.stepped_motion import SteppedMotion

        if seed is not None:
            check_number("seed", seed, least=0, whole=True)
        self._seed = self._equations.arm.run.seed if seed is None else int(seed)
        self._motion = SteppedMotion(self._equations, self._seed, self.period)
        self._count = 0
        return self._read(), 0.0

    def step(self, u: Any) -> tuple[np.ndarray, float]:
        """Hold inputs over a period.

        Parameters
        ----------
        u : (n_inputs,) [N m, prismatic: N]
            A number if there is one input.

        Returns
        -------
        y : (n_outputs,)
            Outputs at the end of the period, while the inputs still act.
        t : float [s]

        Raises
        ------
        ModelError
            Inputs that are no finite numbers, too few or too many; or the end of a run that needs one.
        SolverError
            The integration fails; the stepper stays where it was.
        """
        values = given_inputs(u, self.inputs)
        motion, count = self._motion, self._count
        motion.u[:] = values
        y, pace = motion.periods.y.copy(), motion.periods.pace
        try:
            motion.advance(count * self.period, (count + 1) * self.period)
        except BaseException:
            motion.periods.y[:], motion.periods.pace = y, pace
            raise
        self._count = count + 1
        return self._read(), self._count * self.period

    @property
    def state(self) -> StepperState:
        """State between two periods; set again, the same inputs give the same bits."""
        periods = self._motion.periods
        return StepperState(self._count * self.period, periods.y.copy(), self._seed, periods.pace)

    @state.setter
    def state(self, state: StepperState) -> None:
        check_state(state, self.period, self._motion.periods.y.size)
        if state.seed != self._seed:
            self.reset(state.seed)
        periods = self._motion.periods
        periods.y[:], periods.pace = state.y, state.pace
        self._count = round(state.time / self.period)

    def copy(self) -> Stepper:
        """Return a stepper in the same state that goes on independently."""
        other = copy.copy(self)
        other.reset(self._seed)
        other.state = self.state
        return other

    def environment(
        self, reward: Callable[[np.ndarray, np.ndarray, float], float], *, largest: float, duration: float
    ) -> ArmEnvironment:
        """Return a copy as an environment of gymnasium, see `environment.ArmEnvironment`.

        Raises
        ------
        ModelError
            The package gymnasium is missing, or a number is not positive.
        """
        check_number("largest", largest, above=0)
        check_number("duration", duration, above=0)
        try:
            from flexarm.simulation.forward.stepping.environment import ArmEnvironment
        except ImportError:
            hint = "pip install 'flexarm[gym]'"
            raise ModelError("environments need the package gymnasium", hint=hint) from None
        return ArmEnvironment(self.copy(), reward, float(largest), float(duration))

    def _read(self) -> np.ndarray:
        return self._motion.read(self._count * self.period)

    def __repr__(self) -> str:
        """Say what goes in and out."""
        return (
            f"Stepper of {self._equations.arm.name!r}: t = {self._count * self.period:g} s, period {self.period:g} s, "
            f"inputs {', '.join(self.inputs) or 'none'}, outputs {', '.join(self.outputs)}"
        )


def completed(arm: Arm) -> Arm:
    """The arm with what its description leaves to its motion, as `simulate` finds it."""
    if arm.has_open_shapers:
        from flexarm.simulation.state.tuned_shapers import tuned_shapers

        arm = tuned_shapers(arm)
    if arm.segment_choices:
        from flexarm.simulation.forward.segments.segments_in_motion import segments_in_motion

        arm, _ = segments_in_motion(arm)
    return arm
