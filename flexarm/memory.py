"""Check of the free memory before a computation."""

from __future__ import annotations

import os

from flexarm.errors import ModelError

SHARE = 0.7
"""Part of the free memory that a computation may take."""


def check_memory(needed: float, what: str, hint: str) -> None:
    """Refuse a computation that would need more memory than there is.

    Parameters
    ----------
    needed : float [bytes]
    what : str
        Name of what needs it, with its sizes.
    hint : str
        What to do about it, as of :class:`~flexarm.errors.FlexarmError`.

    Raises
    ------
    ModelError
        With both sizes.
    """
    free = os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    if needed > SHARE * free:
        raise ModelError(
            f"{what} needs {needed / 1e9:.3g} GB of memory, {free / 1e9:.3g} GB are free", hint=hint
        )
