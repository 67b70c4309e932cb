"""Functions of time and state whose falling zero crossings are events, in machine code."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from flexarm.codegen.native import NativeFunction
from flexarm.solvers.events.search import workspace_size

NOWHERE = -1
"""Place of an output that is no event function."""


class NativeSource(NamedTuple):
    """Machine code that computes some of the event functions.

    Attributes
    ----------
    function : NativeFunction
        f(t, y, p).
    p : (n_p,)
    places : (n_out,) int
        Number k of the event function that each output is, n + k if it is its rate, or NOWHERE.
    """

    function: NativeFunction
    p: NDArray[np.float64]
    places: NDArray[np.intp]


class LinearSource(NamedTuple):
    """Event functions and rates that are linear in one state: ``factor y[column] + offset`` at a place."""

    places: NDArray[np.intp]
    columns: NDArray[np.intp]
    factors: NDArray[np.float64]
    offsets: NDArray[np.float64]

    @classmethod
    def empty(cls) -> LinearSource:
        """No functions."""
        places, numbers = np.empty(0, dtype=np.intp), np.empty(0)
        return cls(places, places, numbers, numbers)


@dataclass(frozen=True, eq=False)
class EventFunctions:
    """Event functions of an integration.

    Attributes
    ----------
    natives : sequence of NativeSource
    linear : LinearSource
    noise_level : (n,)
        Size below which a value is round-off: such values rise or fall without an event; in the unit of the value.
    has_rate : (n,) bool
        Whether the rate of a function is computed; otherwise it follows from the values, with their round-off.
    """

    natives: Sequence[NativeSource]
    linear: LinearSource
    noise_level: NDArray[np.float64]
    has_rate: NDArray[np.bool_]

    @property
    def n(self) -> int:
        """Number of event functions."""
        return self.noise_level.size

    def arguments(self, n_y: int) -> dict[str, Any]:
        """Arguments of a kernel for states (n_y,), which `search.unpacked` takes; its memory is that of one user."""
        integers, numbers = self._packed
        outputs = max((source.places.size for source in self.natives), default=0)
        workspace = np.zeros(workspace_size(self.n, outputs, n_y))
        return {
            "n_functions": self.n,
            "n_sources": len(self.natives),
            "n_places": sum(source.places.size for source in self.natives),
            "n_linear": self.linear.places.size,
            "n_inputs": sum(source.p.size for source in self.natives),
            "n_outputs": outputs,
            "event_integers": integers,
            "event_numbers": np.concatenate([numbers, workspace]),
        }

    @cached_property
    def _packed(self) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """What does not change, as the kernel reads it: integers, then numbers."""
        first_p, first_place, rows = 0, 0, []
        for source in self.natives:
            rows.append([source.function.address, first_p, first_place, source.places.size])
            first_p, first_place = first_p + source.p.size, first_place + source.places.size
        linear = np.stack([self.linear.places, self.linear.columns], axis=1)
        integers = [
            np.array(rows, dtype=np.int64).ravel(),
            *(source.places for source in self.natives),
            linear.ravel(),
        ]
        numbers = [
            *(source.p for source in self.natives),
            np.stack(self.linear[2:], axis=1).ravel(),
            self.noise_level,
        ]
        return (
            np.concatenate([*integers, self.has_rate]).astype(np.int64),
            np.concatenate([np.asarray(part, dtype=float).ravel() for part in numbers]),
        )
