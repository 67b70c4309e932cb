"""What a stored run has in the place of the equations of an arm and of their derivation."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from flexarm.codegen.native_function import BoundFunction, NativeFunction
from flexarm.description.arm.arm import Arm
from flexarm.simulation.state.layout import StateLayout
from flexarm.simulation.state.places import Place, datasets_in

if TYPE_CHECKING:
    from flexarm.model.chain import Chain


@dataclass(frozen=True)
class StoredInstance:
    """The arm of a stored run, in the place of an instance of a parametric model.

    Attributes
    ----------
    arm : Arm
    """

    arm: Arm

    @property
    def parameters(self) -> np.ndarray:
        """Numbers left open: none, (0,)."""
        return np.empty(0)

    @cached_property
    def chain(self) -> Chain:
        """Bodies, joints and integrals, which only few runs ask for."""
        from flexarm.model.chain_builder import build_chain

        return build_chain(self.arm)


@dataclass(frozen=True)
class StoredFunction:
    """Machine code without parameters, in the place of a parametric function."""

    f: NativeFunction

    def at(self, parameters: np.ndarray) -> BoundFunction:
        """Return the machine code with its parameters (0,)."""
        return BoundFunction(self.f, parameters)


@dataclass(frozen=True)
class StoredEquations:
    """State equation and observables of a stored run, in the place of those that are derived.

    Attributes
    ----------
    layout : StateLayout
    places : dict
        Dataset -> :class:`~flexarm.simulation.state.places.Place`.
    native_rhs, native_observables : StoredFunction
    """

    layout: StateLayout
    places: dict[str, Place]
    native_rhs: StoredFunction
    native_observables: StoredFunction

    @property
    def n_observables(self) -> int:
        """Numbers that are recorded at one time."""
        return self.native_observables.f.n_out

    def observe(self, times: np.ndarray, states: np.ndarray, parameters: np.ndarray) -> dict[str, np.ndarray]:
        """Datasets, name -> (k, ..), at times (k,) [s] and states (k, n_y), for parameters (0,)."""
        return datasets_in(self.native_observables.f.map(times, states, parameters), self.places)
