"""A stepper as an environment of the package gymnasium, for reinforcement learning."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

import gymnasium  # pyright: ignore[reportMissingImports]
import numpy as np
from numpy.typing import ArrayLike

SEEDS = 2**31
"""Noises among which episodes choose."""


class Stepping(Protocol):
    """What an environment needs of a :class:`~flexarm.simulation.forward.stepping.stepper.Stepper`."""

    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    period: float

    def reset(self, seed: int | None = None) -> tuple[np.ndarray, float]:
        """Return to the start."""
        ...

    def step(self, u: Any) -> tuple[np.ndarray, float]:
        """Hold inputs over a period."""
        ...


class ArmEnvironment(gymnasium.Env):
    """Episodes of an arm: actions are the inputs of a stepper from -1 to 1, observations its outputs.

    Parameters
    ----------
    stepper : Stepper
    reward : callable
        (y, u, t) -> reward of a period, from the outputs at its end, the inputs over it, and the time at its end.
    largest : float [N m]
        Of inputs: an action of 1 is this torque, and -1 the opposite.
    duration : float [s]
        After which an episode is truncated; none terminates.
    """

    def __init__(
        self,
        stepper: Stepping,
        reward: Callable[[np.ndarray, np.ndarray, float], float],
        largest: float,
        duration: float,
    ):
        self.stepper, self._reward, self._largest = stepper, reward, largest
        self._end = duration - stepper.period / 2
        n, m = len(stepper.outputs), len(stepper.inputs)
        self.observation_space = gymnasium.spaces.Box(-np.inf, np.inf, (n,), np.float64)
        self.action_space = gymnasium.spaces.Box(-1.0, 1.0, (m,), np.float64)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[np.ndarray, dict[str, Any]]:
        """Begin an episode, with a noise of its own that follows from the seed."""
        super().reset(seed=seed)
        y, t = self.stepper.reset(int(self.np_random.integers(SEEDS)))
        return y, {"time": t}

    def step(self, action: ArrayLike) -> tuple[np.ndarray, float, bool, bool, dict[str, Any]]:
        """Hold the inputs of an action over a period."""
        u = self._largest * np.clip(action, -1.0, 1.0)
        y, t = self.stepper.step(u)
        return y, float(self._reward(y, u, t)), False, t >= self._end, {"time": t}
