"""Measured frequency responses, as files hold them."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from flexarm.description.reading.number_files import load_rows
from flexarm.errors import ModelError

RESPONSE_COLUMNS = ("frequency [Hz]", "magnitude", "phase [deg]")


def load_response(path: str | Path) -> tuple[np.ndarray, np.ndarray]:
    """Frequencies (m,) [Hz], ascending, and complex response (m,) of a CSV file.

    Raises
    ------
    ModelError
        A magnitude is negative.
    SpecError
        The file cannot be read.
    """
    frequencies, magnitudes, phases = np.array(load_rows(path, RESPONSE_COLUMNS)).T
    if (magnitudes < 0).any():
        k = int(np.argmax(magnitudes < 0))
        raise ModelError(
            f"{path}: got the magnitude {magnitudes[k]:g} at {frequencies[k]:g} Hz, expected none below 0",
            hint="of decibels 10^(dB/20)",
        )
    return frequencies, magnitudes * np.exp(1j * np.radians(phases))
