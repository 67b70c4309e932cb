"""Check of the free memory before a computation."""

from __future__ import annotations

import os
import resource
from contextlib import suppress
from pathlib import Path

from flexarm.errors import ModelError

SHARE = 0.7
"""Part of the free memory that a computation may take."""


def check_memory(needed: float, what: str, hint: str, seconds: float | None = None) -> None:
    """Refuse a computation that would need more memory than there is.

    Parameters
    ----------
    needed : float [bytes]
    what : str
        Name of what needs it, with its sizes.
    hint : str
        What to do about it, as of :class:`~flexarm.errors.FlexarmError`.
    seconds : float, optional [s]
        About how long it would take.

    Raises
    ------
    ModelError
        With both sizes.
    """
    free = free_memory()
    if needed > SHARE * free:
        time = "" if seconds is None else f" and {rough_duration(seconds)}"
        raise ModelError(
            f"{what}: needs {needed / 1e9:.3g} GB of memory{time}, {free / 1e9:.3g} GB are free", hint=hint
        )


def free_memory() -> float:
    """Memory [bytes] that this process may still take: what is free or can be freed, within its limit (ulimit -v)."""
    page = os.sysconf("SC_PAGE_SIZE")
    free = float(os.sysconf("SC_AVPHYS_PAGES") * page)
    with suppress(OSError, StopIteration):  # Linux: with what the system holds only as a copy of files
        lines = Path("/proc/meminfo").read_text().splitlines()
        free = 1024.0 * next(int(line.split()[1]) for line in lines if line.startswith("MemAvailable:"))
    limit = resource.getrlimit(resource.RLIMIT_AS)[0]
    if limit != resource.RLIM_INFINITY:
        with suppress(OSError):
            taken = int(Path("/proc/self/statm").read_text().split()[0]) * page
            free = min(free, max(limit - taken, 0))
    return free


def rough_duration(seconds: float) -> str:
    """Write an estimated duration with one digit: ``about 3 s``, ``about 20 min``, ``about 5 h``."""
    for unit, name in ((1.0, "s"), (60.0, "min"), (3600.0, "h")):
        if seconds < 90 * unit or name == "h":
            return f"about {max(float(f'{seconds / unit:.1g}'), 1):.0f} {name}"
    raise AssertionError
