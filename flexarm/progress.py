"""Progress of a long computation: the callback that commands and scripts pass in."""

from __future__ import annotations

from collections.abc import Callable

Progress = Callable[[float, float | None], None]
"""Called with the fraction done, 0 to 1, and the simulated time reached [s], None where no time runs."""
