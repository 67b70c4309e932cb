"""Tips of all cases by exact beams with ever more functions per link, kept in reference.csv.

It takes about half an hour, so that it is done once and kept; cases that are named are done anew.
Run: cd benchmarks; python -m chains.reference [CASE ...]
"""

from __future__ import annotations

import csv
import sys
import time
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import numpy as np

from .case import CASES, Case
from .exact_beams import ExactBeams

TABLE = Path(__file__).with_name("reference.csv")
REFINEMENTS = ("coarse", "medium", "fine")


class Reference(NamedTuple):
    """Tips at the times of a case, complex (instants + 1,), and what each refinement changed [m]."""

    tips: np.ndarray
    changes: tuple[float, ...]


def read_reference(case: Case) -> Reference:
    """Read what `main` has written."""
    with TABLE.open() as file:
        rows = [row for row in csv.reader(file) if row[0] == case.name]
    numbers = np.array([row[1:] for row in rows], dtype=float)
    if not np.allclose(numbers[:, 0], case.times):
        raise ValueError(f"{TABLE}: {case.name} has other times than chains/case.py: make it anew")
    tips = (numbers[:, 1::2] + 1j * numbers[:, 2::2]).T
    changes = tuple(float(np.abs(fine - coarse).max()) for coarse, fine in pairwise(tips))
    return Reference(tips[-1], changes)


def solve(case: Case) -> list[list[str]]:
    """Rows of a case: name, time, x and y of every refinement."""
    tips = []
    for functions in case.functions:
        begin = time.perf_counter()
        tips.append(ExactBeams(case.beams, functions).motion(case.directions, case.times).tips)
        change = np.abs(tips[-1] - tips[-2]).max() if len(tips) > 1 else np.nan
        print(f"{case.name}, {functions} functions: change {change:.1e} m, {time.perf_counter() - begin:.0f} s",
              file=sys.stderr)  # fmt: skip
    return [
        [case.name, f"{t:g}", *(f"{part:.9f}" for tip in tips for part in (tip[k].real, tip[k].imag))]
        for k, t in enumerate(case.times)
    ]


def main() -> None:
    with TABLE.open() as file:
        kept = list(csv.reader(file))[1:]
    named = sys.argv[1:] or [case.name for case in CASES]
    rows = []
    for case in CASES:
        rows += solve(case) if case.name in named else [row for row in kept if row[0] == case.name]
    with TABLE.open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["case", "t", *(f"{axis}_{name}" for name in REFINEMENTS for axis in "xy")])
        writer.writerows(rows)


if __name__ == "__main__":
    main()
