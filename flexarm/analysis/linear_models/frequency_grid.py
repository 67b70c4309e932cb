"""Frequencies at which responses are computed: evenly over their logarithms, and more beside each resonance."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import ArrayLike

from flexarm.analysis.linear_models.linear_model import LinearModel
from flexarm.errors import ModelError

POINTS = 400
"""Frequencies spread evenly over their logarithms, unless others are asked for."""
BEYOND = 3.0
"""Factor by which the range of frequencies goes beyond the slowest and the fastest vibration, unless it is given."""
WIDEST = 1000.0
"""Largest ratio of the ends of that range."""
NEAR = np.sinh(np.linspace(-6.0, 6.0, 25))
"""Frequencies beside a resonance, in units of its half width, that draw its peak."""
NARROWEST = 1e-6
"""Half width, of the frequency, of resonances without damping."""


def frequency_grid(
    model: LinearModel, given: ArrayLike | None, first: float | None, last: float | None, points: int
) -> np.ndarray:
    """Frequencies (f,) [Hz] that are given, else `points` between two and those beside resonances."""
    if given is not None:
        frequencies = np.asarray(given, dtype=float).ravel()
        if not frequencies.size or not (frequencies > 0).all() or not (np.diff(frequencies) > 0).all():
            raise ModelError("frequencies: expected positive ones [Hz] that ascend")
        _check_rate(model, float(frequencies[-1]))
        return frequencies
    low, high = _range(model, first, last)
    if points < 2:
        raise ModelError(f"points: got {points}, expected at least 2")
    frequencies, poles = np.geomspace(low, high, points), model.poles
    if points > len(NEAR):
        frequencies = np.concatenate([frequencies, *_beside(poles[np.imag(poles) > 0])])
    frequencies = np.unique(frequencies)
    return frequencies[(frequencies >= low) & (frequencies <= high)]


def _range(model: LinearModel, first: float | None, last: float | None) -> tuple[float, float]:
    """Lowest and highest frequency [Hz], about the vibrations of the model where they are not given."""
    vibrating = model.poles[(np.imag(model.poles) > 0) & np.isfinite(model.poles)]
    sizes = np.sort(np.abs(vibrating) / (2 * np.pi)).tolist() or [0.1, 1.0]
    slowest, fastest = sizes[0] / BEYOND, sizes[-1] * BEYOND
    if model.period is not None:
        fastest = min(fastest, 0.5 / model.period)
    if first is None and last is None:
        return slowest, min(fastest, WIDEST * slowest)
    low = min(slowest, (last or 0.0) / 10) if first is None else first
    high = max(fastest, 10 * low) if last is None else last
    if not 0 < low < high < np.inf:
        raise ModelError(
            f"frequencies: got {low:g} to {high:g} Hz, expected positive ones, the second larger"
        )
    _check_rate(model, high)
    return low, high


def _check_rate(model: LinearModel, highest: float) -> None:
    """Refuse frequencies that samples do not tell from lower ones."""
    if model.period is not None and highest > 0.5 / model.period * (1 + 1e-9):
        raise ModelError(
            f"frequencies: got {highest:g} Hz, but samples of {model.period:g} s have them up to half their rate, "
            f"{0.5 / model.period:g} Hz"
        )


def _beside(poles: np.ndarray) -> Iterator[np.ndarray]:
    """Frequencies [Hz] about each resonance, but for its own where it is unbounded."""
    for pole in poles:
        half_width = max(abs(pole.real), NARROWEST * abs(pole))
        offsets = NEAR if half_width == abs(pole.real) else NEAR[NEAR != 0]
        yield (pole.imag + half_width * offsets) / (2 * np.pi)
