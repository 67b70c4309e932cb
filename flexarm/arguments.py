"""Arguments of the public functions, checked with the words of the command line."""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Mapping
from numbers import Integral, Real
from pathlib import Path

from flexarm.errors import ModelError
from flexarm.hints import did_you_mean, listed

SHOWN = 60
"""Characters of a wrong value that a message shows."""


def check_number(
    name: str, value: object, *, least: float | None = None, above: float | None = None, whole: bool = False
) -> None:
    """Make sure that an argument is a finite number of its range.

    Parameters
    ----------
    name : str
    value : object
    least, above : float, optional
        The smallest number that is allowed, or the largest that is not.
    whole : bool
        Whether it has to be a whole number.

    Raises
    ------
    ModelError
        It is not.
    """
    expected = "a whole number" if whole else "a finite number"
    if least is not None:
        expected += f" from {least:g}"
    if above is not None:
        expected += f" above {above:g}"
    right = isinstance(value, Integral if whole else Real) and not isinstance(value, bool)
    if right and isinstance(value, Real):
        number = float(value)
        right = (
            math.isfinite(number) and (least is None or number >= least) and (above is None or number > above)
        )
    if not right:
        raise ModelError(f"{name}: got {value!r}, expected {expected}")


OBJECTS = {
    "Arm": "an arm (see flexarm.load_arm, parse_arm)",
    "Trajectory": "a trajectory (see flexarm.load_trajectory, parse_trajectory)",
    "Result": "a result (see flexarm.simulate, open_result)",
    "SweepResult": "a sweep (see flexarm.sweep)",
    "Gradient": "a gradient",
    "ControlDesign": "a design",
    "Identification": "a fit",
}
"""What is expected where an object of a class is."""


def check_object(name: str, value: object, *kinds: type) -> None:
    """Make sure that an argument is an object of one of some public classes.

    Raises
    ------
    ModelError
        It is not; how to get one is said.
    """
    if not isinstance(value, kinds):
        expected = listed(OBJECTS[kind.__name__] for kind in kinds)
        raise ModelError(f"{name}: got {shown(value)}, expected {expected}")


def check_text(name: str, value: object) -> None:
    """Make sure that an argument is text.

    Raises
    ------
    ModelError
        It is not.
    """
    if not isinstance(value, str):
        raise ModelError(f"{name}: got {shown(value)}, expected the text of a YAML description")


def file_path(name: str, value: object) -> Path:
    """Return an argument that names a file as a path.

    Raises
    ------
    ModelError
        It is neither text nor a path.
    """
    if not isinstance(value, str | os.PathLike):
        raise ModelError(f"{name}: got {shown(value)}, expected the path of a file")
    return Path(value)


def check_mapping(name: str, value: object) -> None:
    """Make sure that an argument is a mapping of keys of a description to what they shall be.

    Raises
    ------
    ModelError
        It is not.
    """
    if not isinstance(value, Mapping) or not all(isinstance(key, str) for key in value):
        raise ModelError(f'{name}: got {shown(value)}, expected a mapping such as {{"payload.mass": ...}}')


def check_list(name: str, value: object, *, whole: bool = False) -> None:
    """Make sure that an argument is a list of names, or of whole numbers.

    Raises
    ------
    ModelError
        It is not.
    """
    kind = Integral if whole else str
    if (
        isinstance(value, str)
        or not isinstance(value, Iterable)
        or not all(isinstance(x, kind) for x in value)
    ):
        what = "whole numbers" if whole else "names"
        raise ModelError(f"{name}: got {shown(value)}, expected a list of {what}")


def shown(value: object) -> str:
    """Return a wrong value as a message shows it: its beginning, in one line."""
    text = repr(value).partition("\n")[0]
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}..."


def check_name(name: str, value: object, known: Iterable[str]) -> None:
    """Make sure that an argument is one of the known names.

    Raises
    ------
    ModelError
        It is not; the nearest one is named.
    """
    known = tuple(known)
    if value not in known:
        expected = f"expected one of {', '.join(known)}"
        hint = did_you_mean(value, known, expected) if isinstance(value, str) else expected
        raise ModelError(f"{name}: got {value!r}; {hint}")
