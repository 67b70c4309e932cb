"""Measured frequency response, and what an arm has in its place."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from flexarm.analysis.linear_models.frequency_response import frequency_response
from flexarm.analysis.linear_models.measured_response import load_response
from flexarm.description.arm.arm import Arm
from flexarm.errors import ModelError
from flexarm.identification.small_motions.small_motion_target import SmallMotions, SmallMotionTarget

UNSURE = 0.05
"""Error that is assumed of a response, of its magnitude, and of its phase in rad."""


def measured_response(data: Any) -> tuple[np.ndarray, np.ndarray]:
    """Frequencies (m,) [Hz], ascending, and response (m,), complex, of a file or of arrays.

    Raises
    ------
    ModelError
        Something else, or values that are none of a response.
    SpecError
        A file that cannot be read.
    """
    if isinstance(data, str | os.PathLike):
        frequencies, response = load_response(Path(data))
    elif isinstance(data, Mapping) and {"frequency", "response"} <= set(data):
        try:
            frequencies, response = (
                np.asarray(data["frequency"], float),
                np.asarray(data["response"], complex),
            )
        except (TypeError, ValueError):
            raise ModelError("frf: expected numbers of frequency and response") from None
    else:
        raise ModelError(
            f"frf: got {type(data).__name__}, expected a CSV file or arrays of frequency and response"
        )
    right = frequencies.ndim == 1 and frequencies.shape == response.shape and frequencies.size > 0
    if not right or not np.isfinite(response).all() or not (np.diff(frequencies, prepend=0.0) > 0).all():
        raise ModelError("frf: expected as many finite values as positive ascending frequencies [Hz]")
    if not response.all():
        raise ModelError(
            "frf: a response of 0 has no logarithm, which is what is fitted", hint="leave it out"
        )
    return frequencies, response


class ResponseTarget(SmallMotionTarget):
    """Measured frequency response of one channel: logarithms of its magnitude, and phases.

    Parameters
    ----------
    arm, keys, where
        As of :class:`SmallMotionTarget`.
    frequencies : (m,) [Hz]
    response : (m,)
        Complex.
    channel : (str, str)
        Names of input and output.

    Notes
    -----
    Logarithms weigh resonances and what is between them alike, and find a resonance that is far off
    [PintelonSchoukens2012].
    """

    def __init__(
        self, arm: Arm, keys: Sequence[str], where: SmallMotions, frequencies: np.ndarray,
        response: np.ndarray, channel: tuple[str, str],
    ):  # fmt: skip
        super().__init__(arm, keys, where)
        self.frequencies, self.response, self.channel = frequencies, response, channel
        self.measured, self.given = np.zeros(2 * response.size), False
        self.errors = np.full(2 * response.size, UNSURE)

    def values(self, arm: Arm) -> np.ndarray:
        """Logarithms (m,) of the response of an arm over the measured one, then the phases (m,) [rad] between them."""
        ratio = self.of(arm) / self.response
        if not np.abs(ratio).all():
            raise ModelError(f"{arm.name}: {self.channel[0]} does not move {self.channel[1]}")
        return np.concatenate([np.log(np.abs(ratio)), np.angle(ratio)])

    def of(self, arm: Arm) -> np.ndarray:
        """Response (m,) of an arm, complex."""
        given, asked = self.channel
        found = frequency_response(
            arm, inputs=[given], outputs=[asked], frequencies=self.frequencies, **self.where.arguments
        )
        moved = np.flatnonzero(np.abs(found.response).max(axis=(0, 2)))
        if moved.size != 1 or len(found.model.inputs) != 1:
            names = [found.model.outputs[k] for k in moved]
            raise ModelError(
                f"frf: a response is that of one channel, here there are {', '.join(found.model.inputs)} -> "
                f"{', '.join(names)}",
                hint="name one of several joints, force@1:1:y, or an output with its axis",
            )
        return found.response[:, moved[0], 0]
