"""Measured natural frequencies and damping ratios, and what an arm has in their place."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from flexarm.analysis.small_motions.natural_modes import natural_modes
from flexarm.arguments import check_number, shown
from flexarm.description.arm.arm import Arm
from flexarm.errors import ModelError
from flexarm.identification.small_motions.small_motion_target import SmallMotions, SmallMotionTarget

_VALUE = re.compile(
    r"\s*(?P<value>[0-9.eE+-]+?)\s*(?P<unit>Hz|%|)\s*((\+-|±)\s*(?P<error>[0-9.eE+-]+)\s*(?P<error_unit>Hz|%|))?\s*"
)
UNSURE = {"frequencies": 0.01, "damping_ratios": 0.1}
"""Error that is assumed of what is measured without one, of the value."""
LEAST_OSCILLATION = 1e-9
"""Frequency [Hz] of what does not vibrate."""


@dataclass(frozen=True, eq=False)
class ModalValues:
    """Measured values of modes that vibrate, in the order of their frequencies.

    Attributes
    ----------
    names : tuple of str
    places : tuple of (int, bool)
        Which mode, from 0, and whether it is a damping ratio.
    measured : (k,) [Hz, 1]
    errors : (k,)
        Standard deviations, in the same units.
    given : bool
        Whether all errors were given.
    """

    names: tuple[str, ...]
    places: tuple[tuple[int, bool], ...]
    measured: np.ndarray
    errors: np.ndarray
    given: bool


def modal_values(
    frequencies: str | Sequence[float] | None, damping_ratios: str | Sequence[float] | None
) -> ModalValues:
    """Read measured values of modes: ``2.44 Hz +- 0.01 Hz, -, 9.1 Hz``; - leaves a mode out.

    Raises
    ------
    ModelError
        One is no positive number, no damping ratio of a vibration, or has another unit; frequencies do not ascend.
    """
    names, places, measured, errors, given = [], [], [], [], True
    for argument, typed in (("frequencies", frequencies), ("damping_ratios", damping_ratios)):
        if not isinstance(typed, str | Iterable | None):
            raise ModelError(f"{argument}: got {shown(typed)}, expected text or a list of numbers")
        texts = typed.split(",") if isinstance(typed, str) else [_text(argument, one) for one in typed or ()]
        damping = argument == "damping_ratios"
        for k, text in enumerate(texts):
            if text.strip() == "-":
                continue
            value, error = _value(argument, text, damping)
            names.append(f"{'damping ratio' if damping else 'frequency'} {k + 1}")
            places.append((k, damping))
            measured.append(value)
            given &= error is not None
            errors.append(UNSURE[argument] * value if error is None else error)
    _check_order(measured, sum(not damping for _, damping in places))
    return ModalValues(tuple(names), tuple(places), np.array(measured), np.array(errors), given)


def _text(argument: str, value: Any) -> str:
    """Text of a number."""
    check_number(argument, value)
    return f"{float(value)!r}"


def _check_order(measured: Sequence[float], count: int) -> None:
    """Refuse the first `count` values, frequencies, that do not ascend."""
    for k in range(1, count):
        if measured[k] < measured[k - 1]:
            raise ModelError(
                f"frequencies: got {measured[k]:g} Hz after {measured[k - 1]:g} Hz, expected the slowest first",
                hint="- leaves a mode out",
            )


def _value(argument: str, text: str, damping: bool) -> tuple[float, float | None]:
    """Value and error of a text."""
    found = _VALUE.fullmatch(text)
    units = ("", "%") if damping else ("", "Hz")
    try:
        if found is None or found["unit"] not in units or (found["error_unit"] or "") not in units:
            raise ValueError
        value = float(found["value"]) * (0.01 if found["unit"] == "%" else 1.0)
        error = None if found["error"] is None else float(found["error"])
        if error is not None and found["error_unit"] == "%":
            error *= 0.01
        if not 0 < value < (1 if damping else np.inf) or (error is not None and not 0 < error < np.inf):
            raise ValueError
    except ValueError:
        example = "0.01, 1.2 % +- 0.1 %" if damping else "2.44 Hz, 5.19 Hz +- 0.02 Hz"
        raise ModelError(f"{argument}: got {text.strip()!r}, expected e.g. {example}") from None
    return value, error


class ModalTarget(SmallMotionTarget):
    """Natural frequencies and damping ratios.

    Parameters
    ----------
    arm, keys, where
        As of :class:`SmallMotionTarget`.
    modal : ModalValues
    """

    def __init__(self, arm: Arm, keys: Sequence[str], where: SmallMotions, modal: ModalValues):
        super().__init__(arm, keys, where)
        self.modal = modal
        self.measured, self.errors, self.given = modal.measured, modal.errors, modal.given

    def values(self, arm: Arm) -> np.ndarray:
        """Frequencies [Hz] and ratios (k,) of an arm's modes that vibrate."""
        modes = natural_modes(arm, **self.where.arguments).modes
        vibrates = (
            np.imag(modes.poles) > 2 * np.pi * LEAST_OSCILLATION
        )  # the others settle or grow, or are rigid
        frequencies, ratios = modes.natural_frequency[vibrates], modes.damping_ratio[vibrates]
        most = 1 + max(k for k, _ in self.modal.places)
        if frequencies.size < most:
            raise ModelError(
                f"{arm.name}: mode {most} was measured, but {frequencies.size} vibrate here",
                hint="add modes to its links, or look at `joints`",
            )
        return np.array([ratios[k] if damping else frequencies[k] for k, damping in self.modal.places])
