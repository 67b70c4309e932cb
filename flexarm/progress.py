"""Progress of a long computation: the callback that commands and scripts pass in, and stages without a fraction."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

Progress = Callable[[float, float | None], None]
"""Called with the fraction done, 0 to 1, and the simulated time reached [s], None where no time runs."""


def part(progress: Progress | None, begin: float, end: float) -> Progress | None:
    """Progress of one part of a computation, which takes it from one fraction to another; none where there is none."""
    if progress is None:
        return None
    return lambda fraction, t: progress(begin + (end - begin) * min(fraction, 1.0), t)


class Stage:
    """A part of a computation that may be one long call of native code, such as a derivation or a compilation.

    Nothing that is worth keeping comes out of it before it ends: it may be broken off anywhere.

    Attributes
    ----------
    text : str
        What is being done, e.g. ``compiling 45 000 operations``.
    """

    def __init__(self, text: str):
        self.text = text


class StageObserver:
    """What is to learn of stages; this one ignores them."""

    def begun(self, stage: Stage) -> None:
        """Take note of a stage that begins, perhaps within another."""

    def ended(self, stage: Stage) -> None:
        """Take note of its end, however it ends."""


observer = StageObserver()
"""The observer of this process; commands put theirs here."""


@contextmanager
def stage(text: str) -> Iterator[Stage]:
    """Tell the observer what the body does; the body may change the text of the stage as it goes on."""
    one = Stage(text)
    observer.begun(one)
    try:
        yield one
    finally:
        observer.ended(one)


def grouped(number: int) -> str:
    """Write a large number with its digits in groups of three: 45 000."""
    return f"{number:,}".replace(",", " ")
