"""Error of the tip against processor time: a case solved in many ways, all of them timed in turn."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from measuring.table import SpeedRow, print_table
from measuring.timing import Seconds, in_turn

from .case import Case

SLOW = 1.0
"""Seconds of a run that is not repeated."""


class Run(NamedTuple):
    """One way of computing a case: what it is called, how it is done, and how its tips are then read."""

    program: str
    name: str
    solve: Callable[[], object]
    tips: Callable[[], np.ndarray]
    build: float | None = None


class Measured(NamedTuple):
    """Seconds of one simulated second, largest distance of the tip from the reference [m]."""

    program: str
    name: str
    build: float | None
    seconds: float
    error: float


def measure(case: Case, runs: list[Run], reference: np.ndarray, budget: float) -> list[Measured]:
    """Solve a case in all ways, in turn, again and again within ``budget`` [s]; name and leave out those that fail."""
    errors: dict[str, float] = {}
    first: dict[str, Seconds] = {}
    for run in runs:
        try:
            first |= in_turn({run.name: run.solve}, 0.0, least=1, warm=False)
        except RuntimeError as error:
            print(f"{case.name}, {run.program}: {run.name}: {error}")
        else:
            errors[run.name] = float(np.abs(run.tips() - reference).max())
    quick = {run.name: run.solve for run in runs if run.name in first and first[run.name].fastest < SLOW}
    taken = first | in_turn(quick, budget, least=1, most=25, warm=False)
    return [
        Measured(run.program, run.name, run.build, taken[run.name].median / case.duration, errors[run.name])
        for run in runs
        if run.name in errors
    ]


def report(case: Case, measured: list[Measured], changes: tuple[float, ...]) -> None:
    """Print all runs of a case, and how far its reference has converged."""
    moved = ", ".join(f"{change:.1e}" for change in changes)
    print(
        f"{case.name}: {case.n} links, {case.duration:g} s; refinements of the reference moved its tip by {moved} m"
    )
    rows = [
        (f"{row.program}: {row.name}", f"{row.build:.1f}" if row.build is not None else None,
         f"{1e3 * row.seconds:.2f}", f"{row.error:.1e}")
        for row in measured
    ]  # fmt: skip
    print_table(("", "build s", "ms per simulated s", "tip error m"), rows)


class Fastest(NamedTuple):
    """The quickest runs of flexarm and of a peer whose tips are off by `wanted` [m] at most, where there are any."""

    case: Case
    wanted: float
    ours: Measured | None
    theirs: Measured | None

    @classmethod
    def of(cls, case: Case, measured: list[Measured], wanted: float, peer: str) -> Fastest:
        """Pick them from all runs of a case."""
        good = [row for row in measured if row.error <= wanted]
        ours, theirs = (
            min((row for row in good if row.program == program), key=lambda row: row.seconds, default=None)
            for program in ("flexarm", peer)
        )
        return cls(case, wanted, ours, theirs)

    @property
    def cells(self) -> list[str | None]:
        """Row of a table, the ratio after the case."""
        ratio = f"{self.theirs.seconds / self.ours.seconds:.0f}" if self.ours and self.theirs else None
        runs = [
            (f"{1e3 * run.seconds:.2f}", run.name) if run else (None, None)
            for run in (self.ours, self.theirs)
        ]
        return [f"{self.case.name}, {self.wanted:.1e} m", ratio, *runs[0], *runs[1]]

    def speed_row(self, what: str, peer: str) -> SpeedRow | None:
        """Row of docs/speed.md, if both have a run."""
        if not (self.ours and self.theirs):
            return None
        return SpeedRow(what, self.ours.seconds, peer, self.theirs.seconds)


def print_fastest(found: list[Fastest], peer: str) -> None:
    """Print a table of the fastest runs."""
    print("fastest run whose tip is off by no more than so many metres, ms per simulated second")
    print_table(("case", "ratio", "flexarm ms", "with", f"{peer} ms", "with"), [one.cells for one in found])
